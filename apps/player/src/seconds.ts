const SECOND = 1_000;
/** A timer may come this much too early. */
const EARLY_MS = 50;
/** The clocks of a browser may drift apart by this much without a sleep of the computer. */
const DRIFT_MS = 5_000;

/** Resolves after some milliseconds. */
export const after = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Calls a function for each second, and another one after the computer may have slept. */
export class Seconds {
  #timer: ReturnType<typeof setInterval> | undefined;
  #next = 0;

  start(onsecond: () => void, onsleep: () => void): void {
    this.#begin();
    addEventListener('pageshow', this.#begin);
    const drift = () => Date.now() - performance.now();
    let known = drift();
    // Browsers call timers of hidden pages only once a minute, so each call counts all seconds since the last one.
    this.#timer ??= setInterval(() => {
      for (; this.#next <= performance.now() + EARLY_MS; this.#next += SECOND) onsecond();
      if (Math.abs(drift() - known) < DRIFT_MS) return;
      known = drift();
      onsleep();
    }, SECOND);
  }

  /** Begins here, and again when the browser shows the page that it kept while the learner was on another one. */
  readonly #begin = () => (this.#next = performance.now() + SECOND);

  stop(): void {
    removeEventListener('pageshow', this.#begin);
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
