import { Fault, type FaultDetail, type FaultKind } from './fault';

/** The largest number of faults that an answer lists. */
const MAX_LISTED = 50;
/** Larger than MAX_LISTED, because faults may be sorted later; small enough to keep hostile requests cheap. */
const MAX_COLLECTED = 1000;

/** @throws Fault with the first fifty faults, if there are any. */
export function throwAny(details: readonly FaultDetail[]): void {
  if (details.length > 0) throw Fault.of(details.slice(0, MAX_LISTED));
}

/** Collects the faults of a request, so that one answer names all of them. */
export class Faults {
  private readonly details: FaultDetail[] = [];

  get isEmpty(): boolean {
    return this.details.length === 0;
  }

  add(kind: FaultKind, message: string, at: string): void {
    this.addAll([{ kind, message, at }]);
  }

  addAll(details: readonly FaultDetail[]): void {
    this.details.push(...details.slice(0, MAX_COLLECTED - this.details.length));
  }

  /** Returns the result of `read`, or undefined when it throws a Fault. Collects that fault. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.addAll(error.details);
      return undefined;
    }
  }

  /** @throws Fault with the first fifty faults, if there are any. */
  throwAny(): void {
    throwAny(this.details);
  }
}
