import { Fault, type FaultDetail } from '#kernel';

/** The maximum number of faults in one answer. */
const MAX_FAULTS = 50;

/** @throws Fault with the first 50 faults, if there are any. */
export function throwAny(faults: readonly FaultDetail[]): void {
  if (faults.length > 0) throw Fault.of(faults.slice(0, MAX_FAULTS));
}

/** Returns the result of `read`. If it throws a Fault, adds its details to `faults` and returns undefined. */
export function readOr<T>(faults: FaultDetail[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    faults.push(...error.details);
    return undefined;
  }
}
