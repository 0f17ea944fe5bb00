import { Injectable } from '@nestjs/common';
import { Audit, Authors } from '#access';
import { checkRevisions, Fault, type FaultDetail, foldCase, place, type Scope, throwAny, UnitOfWork } from '#kernel';
import { type Tag, type TagName } from '../domain/tag';
import { checkHierarchies, revisionOf, type TagHierarchy } from '../domain/tag-hierarchy';
import { tagKey } from '../domain/tag-key';
import { HierarchyStore } from './ports/hierarchy-store';
import { Tags } from './tags';

/** Tag hierarchies of an item bank and their nodes (decision 16). */
@Injectable()
export class TagHierarchies {
  constructor(
    private readonly store: HierarchyStore,
    private readonly tags: Tags,
    private readonly work: UnitOfWork,
    private readonly authors: Authors,
    private readonly audit: Audit,
  ) {}

  /** Sorted by reference. Without `references`: all. */
  async find(organisation: number, references?: readonly string[]): Promise<TagHierarchy[]> {
    return this.store.find(organisation, references);
  }

  /** Creates or replaces the hierarchies. Others stay. Call it inside a unit of work. */
  async put(organisation: number, hierarchies: readonly TagHierarchy[]): Promise<void> {
    checkHierarchies(hierarchies);
    await this.store.put(organisation, hierarchies);
  }

  /**
   * Creates or replaces the hierarchies, and removes others, all or none. Removing a hierarchy that does not exist does
   * nothing.
   * @param hierarchies with the revision that each must have, or 0 for one that must not exist.
   * @throws Fault with the place of each mistake.
   */
  async set(
    hierarchies: readonly (TagHierarchy & { ifRevision?: number })[],
    removed: readonly string[],
    scope: Scope,
  ): Promise<void> {
    const { organisation } = scope.shelf;
    checkHierarchies(hierarchies);
    refuseBoth(hierarchies, removed);
    const wanted = new Map(hierarchies.map((hierarchy) => [hierarchy.reference, hierarchy]));
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const existing = await this.store.lock(organisation, [...new Set([...wanted.keys(), ...removed])]);
      checkRevisions(
        hierarchies.map(({ reference, ifRevision }, index) => ({
          reference,
          ifRevision,
          at: `/tag_hierarchies/${index}`,
        })),
        new Map(existing.map((hierarchy) => [hierarchy.reference, { updatedAt: revisionOf(hierarchy) }])),
      );
      const before = new Map(existing.map((hierarchy) => [hierarchy.reference, hierarchy]));
      await this.store.put(organisation, hierarchies);
      await this.store.remove(organisation, removed);
      await this.audit.record(
        [...new Set([...wanted.keys(), ...before.keys()])].map((key) => ({
          subject: 'tag_hierarchy',
          key,
          detail: { before: shown(before.get(key)), after: shown(wanted.get(key)) },
        })),
        scope,
      );
    });
  }

  /** Removes the hierarchies; content and tags stay. Call it inside a unit of work. */
  async remove(organisation: number, references: readonly string[]): Promise<void> {
    await this.store.remove(organisation, references);
  }

  /**
   * The nodes below a path: tags of the hierarchy's next type that content carries together with the tags of the path.
   * Empty below a path as long as the hierarchy.
   * @throws Fault 30001: no such hierarchy; 20002: the path is longer than the hierarchy; 20015: a step has another
   *   type; 20014: a step is not a node.
   */
  async nodes(organisation: number, reference: string, path: readonly TagName[]): Promise<Tag[]> {
    const [hierarchy] = await this.store.find(organisation, [reference]);
    if (!hierarchy)
      throw new Fault(
        'reference-unknown',
        `reference: there is no tag hierarchy ${JSON.stringify(reference)}.`,
        '/reference',
      );
    checkSteps(path, hierarchy);
    const known = await this.tags.lookUp(organisation, path);
    const ids = path.map((step) => known.get(tagKey(step)));
    const existing = ids.includes(undefined) ? ids.slice(0, ids.indexOf(undefined)) : ids;
    const steps = existing as string[];
    if (steps.length === path.length) {
      const next = hierarchy.tagTypes[path.length];
      const found = next
        ? await this.store.tagsTogetherWith(organisation, steps, next.name)
        : (await this.store.isCarried(organisation, steps))
          ? []
          : undefined;
      if (found) return found;
    }
    throw unknownStep(path, await this.firstUncarried(organisation, steps, Math.min(steps.length, path.length - 1)));
  }

  /**
   * The index of the first tag that no content carries together with the tags before it; `last` when no earlier tag
   * qualifies.
   */
  private async firstUncarried(organisation: number, ids: readonly string[], last: number): Promise<number> {
    // Content that carries a path also carries every shorter one, so a binary search finds the step.
    let [from, to] = [0, last];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (await this.store.isCarried(organisation, ids.slice(0, middle + 1))) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** @throws Fault with the place of each hierarchy that the request both sets and removes. */
function refuseBoth(hierarchies: readonly TagHierarchy[], removed: readonly string[]): void {
  const wanted = new Set(hierarchies.map(({ reference }) => reference));
  const faults = removed.flatMap((reference, index): FaultDetail[] => {
    const at = `/remove/${index}`;
    const message = `${place(at)}: ${JSON.stringify(reference)} is also in tag_hierarchies.`;
    return wanted.has(reference) ? [{ kind: 'duplicate', message, at }] : [];
  });
  throwAny(faults);
}

const shown = (hierarchy: TagHierarchy | undefined) =>
  hierarchy ? { reference: hierarchy.reference, tag_types: hierarchy.tagTypes } : null;

function checkSteps(path: readonly TagName[], { reference, tagTypes }: TagHierarchy): void {
  if (path.length > tagTypes.length)
    throw new Fault(
      'too-many',
      `path has ${path.length} steps; the tag hierarchy ${JSON.stringify(reference)} has ${tagTypes.length} tag types.`,
      '/path',
    );
  for (const [index, { type }] of path.entries()) {
    const expected = tagTypes[index]!.name;
    if (foldCase(type) === foldCase(expected)) continue;
    const at = `/path/${index}`;
    throw new Fault(
      'tag-type-unknown',
      `${place(at)} is a tag of the type ${JSON.stringify(type)}; there the tag hierarchy ${JSON.stringify(reference)} has the type ${JSON.stringify(expected)}.`,
      at,
    );
  }
}

function unknownStep(path: readonly TagName[], index: number): Fault {
  const { type, name } = path[index]!;
  const at = `/path/${index}`;
  const before = index === 0 ? '' : ' together with the steps before it';
  return new Fault(
    'tag-unknown',
    `${place(at)}: no item and no activity carries the tag ${JSON.stringify(name)} of the type ${JSON.stringify(type)}${before}.`,
    at,
  );
}
