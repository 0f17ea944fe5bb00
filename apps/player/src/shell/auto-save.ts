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
    this.#seconds += 1;
    if (options.canAutoSave && shell.attempt.saveState === 'unsaved' && this.#seconds >= options.saveSeconds) {
      this.#seconds = 0;
      void shell.attempt.saveWhenPossible();
    }
  }

  /** Begins to count anew, after a save. */
  reset(): void {
    this.#seconds = 0;
  }

  readonly #online = () => {
    const { attempt } = this.host.shell;
    if (attempt.saveState === 'failing') void attempt.saveWhenPossible();
  };

  readonly #leaving = () => {
    const { options, shell } = this.host;
    if (document.visibilityState === 'hidden' && shell.attempt.isWaiting && options.canAutoSave)
      void shell.attempt.save().catch(() => undefined);
  };
}
