/** The only source of the present moment; tests hold one that stands still. */
export abstract class Clock {
  /** Milliseconds since 1970, UTC. */
  abstract now(): number;
}

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }
}
