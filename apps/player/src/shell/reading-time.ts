import { announceMessage } from '#renderer';
import { isOn, objectOf, secondsOf } from '../members';
import { spoken } from './durations';
import type { Options } from './options';
import type { Shell } from './shell';

interface Host {
  readonly shell: Shell;
  readonly options: Options;
}

interface Listeners {
  onstart: () => void;
  /** @param toFirst whether the activity returns the learner to the first item. */
  onend: (toFirst: boolean) => void;
}

/** The time for reading at the start of a test, during which answers are locked (`configuration.reading_mode`). */
export class ReadingTime {
  left = 0;

  constructor(
    private readonly host: Host,
    private readonly listeners: Listeners,
  ) {}

  get isOn(): boolean {
    return this.left > 0;
  }

  /** Starts, or goes on after a reload. */
  start(): void {
    this.left = Math.max(0, Math.floor(secondsOf(this.#options['reading_time'])) - this.host.shell.attempt.elapsed);
    if (!this.isOn) return;
    this.listeners.onstart();
    this.#announce();
  }

  second(): void {
    if (!this.isOn) return;
    this.left -= 1;
    if (this.left > 0) {
      if (this.left === secondsOf(this.#options['warning_time'])) this.#announce();
      return;
    }
    announceMessage(this.host.shell.say('reading_over'));
    this.listeners.onend(isOn(this.#options['goto_first_item_on_reading_time_completion']));
  }

  #announce(): void {
    const { say } = this.host.shell;
    announceMessage(say('reading', spoken(this.left, say)));
  }

  get #options() {
    return objectOf(this.host.options.configuration['reading_mode']);
  }
}
