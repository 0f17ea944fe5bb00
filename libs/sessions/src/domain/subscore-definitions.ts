import { type FaultDetail, place, repeatedIn } from '#kernel';
import { type SubscoreDefinition } from '#scoring';

/**
 * Finds the faults of subscores for a session with these items: repeated ids, and items that the session does not have.
 * @param at JSON pointer to the list of subscores.
 */
export function faultsIn(
  subscores: readonly SubscoreDefinition[],
  items: ReadonlySet<string>,
  at: string,
): FaultDetail[] {
  const faults: FaultDetail[] = [];
  for (const [index, { items: references }] of subscores.entries())
    for (const [number, reference] of references.entries()) {
      if (items.has(reference)) continue;
      const itemAt = `${at}/${index}/items/${number}`;
      faults.push({
        kind: 'item-unknown',
        at: itemAt,
        message: `${place(itemAt)}: ${JSON.stringify(reference)} is none of the items of the session.`,
      });
    }
  return [...faults, ...repeatedIn(subscores.map(({ id }, index) => ({ reference: id, at: `${at}/${index}/id` })))];
}

/**
 * The activity's subscores, reduced to the items of the session and to the first of each id. The activity may have
 * changed since the session was taken.
 */
export function fitting(subscores: readonly SubscoreDefinition[], items: ReadonlySet<string>): SubscoreDefinition[] {
  const byId = new Map<string, SubscoreDefinition>();
  for (const subscore of subscores)
    if (!byId.has(subscore.id))
      byId.set(subscore.id, { ...subscore, items: subscore.items.filter((reference) => items.has(reference)) });
  return [...byId.values()];
}
