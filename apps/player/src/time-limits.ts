import type { Started, Time } from './delivery/port';
import { type Members, objectOf, secondsOf } from './members';

/** The current state of a time limit. Times are in seconds; null means no limit. */
export interface Limit {
  /** -1: the limit of the whole test. */
  section: number;
  max: number | null;
  remaining: number | null;
  isHard: boolean;
  /** The member `time` of the configuration that sets the limit. */
  time: Members;
}

const SECOND = 1_000;

/** The time limits of a test. They count down between the answers of the service, and stop during a pause. */
export class TimeLimits {
  #isPaused: boolean;
  #at!: number;

  constructor(
    private readonly activity: Started['activity'],
    public time: Time,
  ) {
    this.#isPaused = time.paused;
    this.set(time);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  set isPaused(isPaused: boolean) {
    const { remaining_seconds: remaining, sections } = this.time;
    const left = { remaining_seconds: this.#left(remaining), sections: sections?.map((each) => this.#left(each)) };
    this.set({ ...this.time, ...left, arrived: performance.now() });
    this.#isPaused = isPaused;
  }

  /** Continues from an answer of the service. */
  set(time: Time): void {
    this.time = time;
    this.#at = time.arrived ?? performance.now();
  }

  /**
   * The limit of a section if sections have limits, otherwise that of the whole test.
   * @param used seconds that the learner spent on the items of the section.
   */
  in(section: number, used: number): Limit {
    const { sections = [], config } = this.activity;
    const timeOf = (index: number) => objectOf(objectOf(sections[index]?.config)['time']);
    const isSectioned = sections.some((_, index) => secondsOf(timeOf(index)['max_time']) > 0);
    if (!isSectioned) {
      const { max_time: max, limit_type: type, remaining_seconds: remaining } = this.time;
      const time = objectOf(config['time']);
      return { section: -1, max, remaining: this.#left(remaining), isHard: type === 'hard', time };
    }
    const time = timeOf(section);
    const own = secondsOf(time['max_time']);
    const max = own > 0 ? own + (this.time.extensions?.[section] ?? 0) : null;
    // The service also counts the time while the page is closed.
    const left = this.#left(this.time.sections?.[section] ?? null) ?? Infinity;
    const remaining = max === null ? null : Math.max(0, Math.min(max - used, left));
    return { section, max, remaining, isHard: time['limit_type'] === 'hard', time };
  }

  /** Subtracts the seconds since the last answer of the service; null without a limit. */
  #left(seconds: number | null): number | null {
    if (seconds === null || this.#isPaused) return seconds;
    return Math.max(0, seconds - Math.floor((performance.now() - this.#at) / SECOND));
  }
}
