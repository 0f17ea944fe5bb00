import { announceMessage } from '#renderer';
import { secondsOf } from '../members';
import { spoken } from './durations';
import type { Shell } from './shell';

interface Listeners {
  /** Called when the time of a section is over and another section follows. */
  onsection: (next: number) => void;
  /** Called when the test ends. */
  onend: () => void;
  /** Called when the learner may choose whether to go on. */
  onask: () => void;
}

/** Warns before a time limit ends. When it ends, calls the listener that the limit requires, once. */
export class TimeLimit {
  #hasWarned = false;
  #isOver = false;
  /** The section whose limit applies; -1: the limit of the whole test. */
  #section = -1;

  constructor(
    private readonly host: { readonly shell: Shell },
    private readonly listeners: Listeners,
  ) {}

  /** Called once a second. */
  second(): void {
    const { attempt, say } = this.host.shell;
    const { section, remaining, time } = attempt.limit;
    if (section !== this.#section) {
      this.#section = section;
      this.#hasWarned = this.#isOver = false;
    }
    if (remaining !== null && remaining <= secondsOf(time['warning_time']) && remaining > 0 && !this.#hasWarned) {
      this.#hasWarned = true;
      announceMessage(say('time_warning', spoken(remaining, say)));
    }
    // A supervisor may have added time.
    if (remaining !== null && remaining > 0) this.#isOver = false;
    if (remaining === 0 && !this.#isOver) this.#end();
  }

  #end(): void {
    const { attempt, events, say } = this.host.shell;
    this.#isOver = true;
    events.emit('time:end');
    const { section, isHard } = attempt.limit;
    const next = attempt.items.findIndex(({ position }) => attempt.sectionOf(position) > section);
    if (isHard && section >= 0 && next >= 0) {
      announceMessage(say('time_over_section'));
      this.listeners.onsection(next);
    } else if (isHard) {
      announceMessage(say('time_over_hard'));
      this.listeners.onend();
    } else this.listeners.onask();
  }
}
