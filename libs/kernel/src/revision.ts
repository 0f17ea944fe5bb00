import { Fault, type FaultDetail } from './fault';
import { place } from './place';

/** An entry of a write with the revision that it was made from. */
export interface Conditional {
  /** The key under which `current` has it. */
  reference: string;
  /** What people call it; default: the reference. */
  name?: string;
  /** The present revision must be this one; 0: there must be none. */
  ifRevision?: number;
  /** JSON pointer to the entry. */
  at: string;
}

/** @throws Fault 20011 that lists every entry whose record has moved on since it was read. */
export function checkRevisions(
  entries: readonly Conditional[],
  current: ReadonlyMap<string, { updatedAt: number }>,
): void {
  const details = entries.flatMap(({ reference, name = reference, ifRevision, at }): FaultDetail[] => {
    const revision = current.get(reference)?.updatedAt;
    if (ifRevision === undefined || ifRevision === (revision ?? 0)) return [];
    const stands =
      revision === undefined
        ? `there is no ${JSON.stringify(name)}; 0 stands for what does not exist yet`
        : `the present revision of ${JSON.stringify(name)} is ${revision}; read it again and make the change on that`;
    const member = `${at}/if_revision`;
    return [{ kind: 'conflict', message: `${place(member)} is ${ifRevision}, but ${stands}.`, at: member }];
  });
  if (details.length > 0) throw Fault.of(details);
}
