import type { ReactiveControllerHost } from 'lit';
import { announceMessage } from '#renderer';
import { objectOf, secondsOf } from '../members';
import { spoken } from './durations';
import { listen } from './listen';
import type { Options } from './options';
import type { Shell } from './shell';

/** Events that show that the learner is present. */
const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const;
/** Seconds. */
const DEFAULT_INTERVAL = 300;
const DEFAULT_COUNTDOWN = 60;
const ANNOUNCEMENT_INTERVAL = 20;

interface Host extends ReactiveControllerHost {
  readonly shell: Shell;
  readonly options: Options;
}

interface Listeners {
  /** Called to ask whether the learner is present. */
  onnotice: () => void;
  /** Called when the learner does not answer. */
  onend: () => void;
}

/** Detects an inactive learner (`configuration.idle_timeout`). */
export class Absence {
  #seconds = 0;
  #isAsking = false;

  constructor(
    private readonly host: Host,
    private readonly listeners: Listeners,
  ) {
    listen(host, Object.fromEntries(ACTIVITY.map((name) => [name, this.#active])));
  }

  second(): void {
    const given = this.host.options.configuration['idle_timeout'];
    if (given === undefined || given === null || given === false || given === 'false') return;
    const { interval, countdown_time: countdown } = objectOf(given);
    const limit = secondsOf(interval) || DEFAULT_INTERVAL;
    const end = limit + (secondsOf(countdown) || DEFAULT_COUNTDOWN);
    this.#seconds += 1;
    const left = end - this.#seconds;
    if (this.#seconds === limit) {
      this.#isAsking = true;
      this.listeners.onnotice();
    }
    if (this.#isAsking && left > 0 && left % ANNOUNCEMENT_INTERVAL === 0)
      announceMessage(spoken(left, this.host.shell.say));
    if (left === 0) this.listeners.onend();
  }

  reset(): void {
    this.#isAsking = false;
    this.#seconds = 0;
  }

  readonly #active = () => {
    // While the dialog asks, only its button counts as an answer.
    if (!this.#isAsking) this.#seconds = 0;
  };
}
