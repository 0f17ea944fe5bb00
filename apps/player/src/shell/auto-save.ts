import type { ReactiveControllerHost } from 'lit';
import { listen } from './listen';
import type { Options } from './options';
import type { Shell } from './shell';

interface Host extends ReactiveControllerHost {
  readonly shell: Shell;
  readonly options: Options;
}

/** Saves without being asked: after some seconds, when the connection is back, and before the learner leaves the page. */
export class AutoSave {
  /** Seconds since the last save. */
  #seconds = 0;

  constructor(private readonly host: Host) {
    listen(host, { online: this.#online, pagehide: this.#leaving, visibilitychange: this.#leaving });
  }

  second(): void {
    const { options, shell } = this.host;
    const { saver } = shell.attempt;
    this.#seconds += 1;
    if (!options.canAutoSave || this.#seconds < options.saveSeconds) return;
    if (saver.state !== 'unsaved' && saver.state !== 'failing') return;
    this.#seconds = 0;
    void saver.saveWhenPossible();
  }

  /** Begins to count anew, after a save. */
  reset(): void {
    this.#seconds = 0;
  }

  readonly #online = () => {
    const { attempt } = this.host.shell;
    if (attempt.saver.state === 'failing') void attempt.saver.saveWhenPossible();
  };

  readonly #leaving = () => {
    const { options, shell } = this.host;
    if (document.visibilityState === 'hidden' && shell.attempt.saver.isWaiting && options.canAutoSave)
      void shell.attempt.saver.save().catch(() => undefined);
  };
}
