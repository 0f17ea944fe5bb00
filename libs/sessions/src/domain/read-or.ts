import { Fault, type FaultDetail } from '#kernel';

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
