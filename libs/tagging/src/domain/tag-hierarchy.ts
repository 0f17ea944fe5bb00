import { createHash } from 'node:crypto';
import { checkReference, checkText, Fault, foldCase, place, refuseRepeated } from '#kernel';

/** An order of tag types. Content with a tag of each type lies on a path from the first type to the last. */
export interface TagHierarchy {
  /** Compared byte for byte. */
  reference: string;
  /** From the root down. */
  tagTypes: HierarchyLevel[];
}

export interface HierarchyLevel {
  /** Ignores case. The type need not have any tags. */
  name: string;
  description: string | null;
}

/**
 * The revision number of a hierarchy. It is a hash of the levels, because hierarchies have no history and no time of
 * their last change.
 */
export function revisionOf({ tagTypes }: TagHierarchy): number {
  const levels = JSON.stringify(tagTypes.map(({ name, description }) => [name, description]));
  // 52 bits: each is a whole number in JavaScript. 0 stands for a hierarchy that does not exist.
  return 1 + Number.parseInt(createHash('sha256').update(levels).digest('hex').slice(0, 13), 16);
}

/** Each level of a path joins one more table, and database servers allow about 60 joins. */
export const MAX_LEVELS = 50;
const NAME_LENGTH = 255;

/** @throws Fault at a place below `/tag_hierarchies`. */
export function checkHierarchies(hierarchies: readonly TagHierarchy[]): void {
  refuseRepeated(hierarchies.map(({ reference }, index) => ({ reference, at: `/tag_hierarchies/${index}/reference` })));
  for (const [index, hierarchy] of hierarchies.entries()) {
    const at = `/tag_hierarchies/${index}`;
    checkReference(hierarchy.reference, `${at}/reference`);
    checkLevels(hierarchy.tagTypes, `${at}/tag_types`);
  }
}

function checkLevels(levels: readonly HierarchyLevel[], at: string): void {
  if (levels.length === 0 || levels.length > MAX_LEVELS)
    throw new Fault(
      levels.length === 0 ? 'length' : 'too-many',
      `${place(at)} must hold 1 to ${MAX_LEVELS} tag types; it holds ${levels.length}.`,
      at,
    );
  const names = new Map<string, number>();
  for (const [index, { name, description }] of levels.entries()) {
    const nameAt = `${at}/${index}/name`;
    checkText(name, nameAt, { min: 1, max: NAME_LENGTH });
    checkText(description ?? '', `${at}/${index}/description`);
    const first = names.get(foldCase(name));
    if (first !== undefined)
      throw new Fault(
        'duplicate',
        `${place(nameAt)} is the same tag type as ${place(`${at}/${first}/name`)}; tag types ignore case.`,
        nameAt,
      );
    names.set(foldCase(name), index);
  }
}
