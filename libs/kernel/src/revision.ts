import { type FaultDetail } from './fault';
import { throwAny } from './faults';
import { place } from './place';

/** An entry of a write that may require a certain revision. */
interface Conditional {
  /** The key of the record in `current`. */
  reference: string;
  /** The name that callers see. Default: the reference. */
  name?: string;
  /** The record must have this present revision; 0: the record must not exist. */
  ifRevision?: number;
  /** JSON pointer to the entry. */
  at: string;
}

/** @throws Fault 20011 that lists every entry whose record has changed since it was read. */
export function checkRevisions(
  entries: readonly Conditional[],
  current: ReadonlyMap<string, { updatedAt: number }>,
): void {
  const details = entries.flatMap(({ reference, name = reference, ifRevision, at }): FaultDetail[] => {
    const revision = current.get(reference)?.updatedAt;
    if (ifRevision === undefined || ifRevision === (revision ?? 0)) return [];
    const stands =
      revision === undefined
        ? `there is no ${JSON.stringify(name)}; send 0 to create it`
        : `the present revision of ${JSON.stringify(name)} is ${revision}; read it again and make the change on that`;
    const member = `${at}/if_revision`;
    return [{ kind: 'conflict', message: `${place(member)} is ${ifRevision}, but ${stands}.`, at: member }];
  });
  throwAny(details);
}
