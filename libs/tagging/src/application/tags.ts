import { Injectable } from '@nestjs/common';
import { checkRevisions, Fault, Faults, foldCase, idOfList, type Scope, type Slice, UnitOfWork } from '#kernel';
import { Audit, Authors } from '#access';
import { type Tag, type TagName, type TagUse } from '../domain/tag';
import { tagKey } from '../domain/tag-key';
import { type TagDefinition, type TagListing, TagStore } from './ports/tag-store';

/** The largest number of cached ids. A bank has thousands of tags. */
const MAX_CACHED = 200_000;

/** The length of a folded type or name. Folding may lengthen a text (ß becomes ss). */
const TAG_TEXT_LENGTH = 255;

/** Tags and tag types of an item bank. */
@Injectable()
export class Tags {
  /** Cached ids by organisation and tag. A tag keeps its id and is never deleted, so entries never become wrong. */
  private readonly remembered = new Map<number, Map<string, string>>();
  private size = 0;

  constructor(
    private readonly store: TagStore,
    private readonly work: UnitOfWork,
    private readonly authors: Authors,
    private readonly audit: Audit,
  ) {}

  async find(listing: TagListing): Promise<Slice<Tag>> {
    return this.store.find(listing);
  }

  /** How much content of the bank carries each of the tags. */
  async usesOf(organisation: number, tags: readonly Tag[]): Promise<TagUse[]> {
    const found = await this.store.uses(
      organisation,
      tags.map(({ id }) => id),
    );
    return tags.map(({ id }) => found.get(id) ?? { items: 0, activities: 0 });
  }

  /** Creates or changes tags. An absent sort key or description stays as it is. Stores the given case. */
  async define(tags: readonly (TagDefinition & { ifRevision?: number })[], scope: Scope): Promise<void> {
    const organisation = scope.shelf.organisation;
    const keys = new Map<string, number>();
    const faults = new Faults();
    for (const [index, tag] of tags.entries()) {
      const key = tagKey(tag);
      const first = keys.get(key);
      if (first === undefined) keys.set(key, index);
      else
        faults.add(
          'duplicate',
          `tags[${index}] names the same tag as tags[${first}]; names ignore case.`,
          `/tags/${index}`,
        );
    }
    faults.throwAny();
    const inOrder = [...tags].sort((a, b) => (tagKey(a) < tagKey(b) ? -1 : 1));
    await this.work.run(async () => {
      await this.authors.ensure(scope);
      const existing = await this.store.lock(organisation, inOrder);
      checkRevisions(
        tags.map((tag, index) => ({
          reference: tagKey(tag),
          name: `${tag.type}: ${tag.name}`,
          ifRevision: tag.ifRevision,
          at: `/tags/${index}`,
        })),
        existing,
      );
      const unknown = inOrder.filter((tag) => !existing.has(tagKey(tag)));
      await this.createUnknown(unknown, scope);
      // A new tag of an existing type changes the type to the given case.
      for (const [key, created] of await this.store.lock(organisation, unknown)) existing.set(key, created);
      const isNew = new Set<TagDefinition>(unknown);
      const changed = inOrder.flatMap((tag) => {
        const before = existing.get(tagKey(tag))!;
        if (isNew.has(tag) && before.type === tag.type) return [];
        const after: Tag = {
          ...before,
          type: tag.type,
          name: tag.name,
          description: tag.description === undefined ? before.description : tag.description,
          sortKey: tag.sortKey === undefined ? before.sortKey : tag.sortKey,
          updatedAt: Math.max(scope.now, before.updatedAt + 1),
        };
        return [{ before, after }];
      });
      await this.store.update(
        organisation,
        changed.map(({ after }) => after),
        changed.some(({ before, after }) => before.name !== after.name || before.type !== after.type),
      );
      await this.audit.record(
        changed.map(({ before, after }) => ({
          subject: 'tag',
          key: tagKey(after),
          detail: { before: shown(before), after: shown(after) },
        })),
        scope,
      );
    });
  }

  /** Caches the ids of existing tags, so that a unit of work need not read them. */
  async lookUp(organisation: number, tags: readonly TagName[]): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    const unread = new Map<string, TagName>();
    const remembered = this.remembered.get(organisation);
    for (const tag of tags) {
      const key = tagKey(tag);
      const id = remembered?.get(key);
      if (id) known.set(key, id);
      else unread.set(key, tag);
    }
    if (unread.size > 0) {
      const read = await this.store.ids(organisation, [...unread.values()]);
      for (const [key, id] of read) known.set(key, id);
      // An open unit of work also sees its own tags, and may still roll them back.
      this.work.afterCommit(() => {
        for (const [key, id] of read) this.remember(organisation, key, id);
      });
    }
    return known;
  }

  private remember(organisation: number, key: string, id: string): void {
    if (++this.size > MAX_CACHED) {
      this.remembered.clear();
      this.size = 1;
    }
    const ids = this.remembered.get(organisation);
    if (ids) ids.set(key, id);
    else this.remembered.set(organisation, new Map([[key, id]]));
  }

  /**
   * Ids of all the tags by {@link tagKey}. Creates unknown ones. Call it inside a unit of work, before other locks,
   * with the result of {@link lookUp}.
   */
  async ensure(
    tags: readonly TagName[],
    known: ReadonlyMap<string, string>,
    scope: Scope,
  ): Promise<Map<string, string>> {
    const ids = new Map(known);
    const unknown = new Map<string, TagName>();
    for (const tag of tags) {
      const key = tagKey(tag);
      if (!ids.has(key) && !unknown.has(key)) unknown.set(key, tag);
    }
    if (unknown.size === 0) return ids;
    const inOrder = [...unknown].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
    const meanwhile = await this.store.ids(scope.shelf.organisation, inOrder);
    for (const [key, id] of meanwhile) ids.set(key, id);
    const created = await this.createUnknown(
      inOrder.filter((tag) => !meanwhile.has(tagKey(tag))),
      scope,
    );
    for (const [key, id] of created) ids.set(key, id);
    return ids;
  }

  /**
   * The immutable set of each list of tag ids, in order; null for an empty list. Call it inside a unit of work.
   * @param inUse present records, whose sets exist.
   */
  async sets(
    lists: readonly (readonly string[])[],
    scope: Scope,
    inUse: Iterable<{ tagSetId: string | null }> = [],
  ): Promise<(string | null)[]> {
    const sets = new Map<string, readonly string[]>();
    const ids = lists.map((list) => {
      if (list.length === 0) return null;
      const id = idOfList(list);
      sets.set(id, list);
      return id;
    });
    for (const { tagSetId } of inUse) if (tagSetId !== null) sets.delete(tagSetId);
    await this.store.addSets(scope.shelf.organisation, sets);
    return ids;
  }

  private async createUnknown(tags: readonly TagDefinition[], scope: Scope): Promise<Map<string, string>> {
    if (tags.length === 0) return new Map();
    for (const text of tags.flatMap(({ type, name }) => [type, name]))
      if ([...foldCase(text)].length > TAG_TEXT_LENGTH)
        throw new Fault(
          'length',
          `${JSON.stringify(text.slice(0, 40) + '…')} is too long for a tag: with its case folded it takes more than ${TAG_TEXT_LENGTH} characters.`,
        );
    const created = await this.store.create(scope.shelf.organisation, tags, scope.now);
    await this.audit.record(
      tags.map((tag) => ({ subject: 'tag', key: tagKey(tag), detail: { after: shown(tag) } })),
      scope,
    );
    return created;
  }
}

function shown({ type, name, description = null, sortKey = null }: TagDefinition) {
  return { type, name, description, sort_key: sortKey };
}
