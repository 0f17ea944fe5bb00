import { Fault, type FaultDetail } from '#kernel';

/** As many faults as an answer lists. */
const MAX_FAULTS = 50;

/** @throws Fault with the first fifty, when there are any. */
export function throwAny(faults: readonly FaultDetail[]): void {
  if (faults.length > 0) throw Fault.of(faults.slice(0, MAX_FAULTS));
}

/** What `read` gives; undefined when it is refused, with its faults added to those that are known. */
export function readOr<T>(faults: FaultDetail[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    faults.push(...error.details);
    return undefined;
  }
}
