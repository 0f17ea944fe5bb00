/** A write that began before a moment has committed or failed this many milliseconds later. */
export const SETTLED_MS = 2_000;

/** The only source of the present time. Tests use a clock that stands still. */
export abstract class Clock {
  /** Milliseconds since 1970, UTC. */
  abstract now(): number;
}

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }
}
