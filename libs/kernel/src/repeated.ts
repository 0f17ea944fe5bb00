import { type FaultDetail } from './fault';
import { throwAny } from './faults';
import { place } from './place';

/** A value that a list may have once, and its place in the request. */
interface Named {
  reference: string;
  at: string;
}

/** A fault for each entry that repeats an earlier one. */
export function repeatedIn(entries: readonly Named[]): FaultDetail[] {
  const seen = new Map<string, string>();
  return entries.flatMap(({ reference, at }): FaultDetail[] => {
    const first = seen.get(reference);
    if (first === undefined) {
      seen.set(reference, at);
      return [];
    }
    const message = `${place(at)} is ${JSON.stringify(reference)}, as is ${place(first)}; name each once.`;
    return [{ kind: 'duplicate', message, at }];
  });
}

/** @throws Fault 30000 with each entry that repeats an earlier one. */
export function refuseRepeated(entries: readonly Named[]): void {
  throwAny(repeatedIn(entries));
}
