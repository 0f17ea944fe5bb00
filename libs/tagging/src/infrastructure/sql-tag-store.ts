import { Injectable } from '@nestjs/common';
import { foldCase, newId, type Position, type Slice } from '#kernel';
import { Conditions, Database, keepPlaces, movingPage, type Parameter, questionMarks } from '#platform';
import { type TagDefinition, type TagListing, TagStore } from '../application/ports/tag-store';
import { type Tag, type TagName, type TagUse } from '../domain/tag';
import { foldedKey } from '../domain/tag-key';
import { SqlTagSetIds } from './sql-tag-set-ids';
import { TagUses } from './tag-uses';

type TagRow = Tag & { type_key: string; name_key: string };

interface TypeRow {
  id: string;
  name: string;
  name_key: string;
}

const TAG = 't.id, y.name AS type, t.name, t.description, t.sort_key AS sortKey, t.updated_at AS updatedAt';
const JOIN_TYPE = 'JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id';
const TABLES = `tag t ${JOIN_TYPE}`;

// An embedded database allows at most 1000 alternatives and 32,766 parameters. Requests rarely come near.
const NAME_BATCH_SIZE = 500;
const TYPE_BATCH_SIZE = 10_000;

@Injectable()
export class SqlTagStore extends TagStore {
  constructor(
    private readonly database: Database,
    private readonly setIds: SqlTagSetIds,
    private readonly tagUses: TagUses,
  ) {
    super();
  }

  override async ids(organisation: number, tags: readonly TagName[]): Promise<Map<string, string>> {
    const rows = await this.named(organisation, tags, '');
    return new Map(rows.map(({ type_key, name_key, id }) => [foldedKey(type_key, name_key), id]));
  }

  override async lock(organisation: number, tags: readonly TagName[]): Promise<Map<string, Tag>> {
    const rows = await this.named(organisation, tags, this.database.dialect.forUpdate);
    return new Map(rows.map(({ type_key, name_key, ...tag }) => [foldedKey(type_key, name_key), tag]));
  }

  override async create(
    organisation: number,
    tags: readonly TagDefinition[],
    now: number,
  ): Promise<Map<string, string>> {
    const types = await this.ensureTypes(organisation, tags, now);
    const rows = tags.map((tag) => ({ tag, id: newId(now), nameKey: foldCase(tag.name), typeKey: foldCase(tag.type) }));
    await this.database.insert(
      'tag',
      ['organisation_id', 'id', 'tag_type_id', 'name', 'name_key', 'description', 'sort_key', 'updated_at'],
      rows.map(({ tag, id, nameKey, typeKey }) => [
        organisation,
        id,
        types.get(typeKey)!,
        tag.name,
        nameKey,
        tag.description ?? null,
        tag.sortKey ?? null,
        now,
      ]),
    );
    return new Map(rows.map(({ id, typeKey, nameKey }) => [foldedKey(typeKey, nameKey), id]));
  }

  override async update(organisation: number, tags: readonly Tag[], renamed: boolean): Promise<void> {
    if (tags.length === 0) return;
    const changed = new Conditions();
    changed.add('t.organisation_id = ?', organisation);
    changed.in(
      't.id',
      tags.map(({ id }) => id),
    );
    await keepPlaces(this.database, 'tag', 't.sort_key', { sql: changed.text, parameters: changed.parameters });
    if (renamed)
      await this.database.insert(
        'tag_version',
        ['organisation_id', 'version'],
        [[organisation, 1]],
        this.database.dialect.onDuplicateAdd(['organisation_id'], 'version'),
      );
    const types = new Map(tags.map(({ type }) => [foldCase(type), type]));
    const rows = await this.types(organisation, [...types.keys()]);
    const ids = new Map(rows.map(({ id, name_key }) => [name_key, id]));
    await this.database.insert(
      'tag_type',
      ['organisation_id', 'id', 'name', 'name_key'],
      rows
        .filter(({ name, name_key }) => types.get(name_key) !== name)
        .map(({ id, name_key }) => [organisation, id, types.get(name_key)!, name_key]),
      this.database.dialect.onDuplicate(['organisation_id', 'id'], ['name']),
    );
    await this.database.insert(
      'tag',
      [
        'organisation_id',
        'id',
        'tag_type_id',
        'name',
        'name_key',
        'description',
        'sort_key',
        'updated_at',
        'successor_id',
      ],
      tags.map(({ id, type, name, description, sortKey, updatedAt }) => [
        organisation,
        id,
        ids.get(foldCase(type))!,
        name,
        foldCase(name),
        description,
        sortKey,
        updatedAt,
        null,
      ]),
      this.database.dialect.onDuplicate(
        ['organisation_id', 'id'],
        ['name', 'description', 'sort_key', 'updated_at', 'successor_id'],
      ),
    );
  }

  override async succeed(organisation: number, tag: Tag, successorId: string, now: number): Promise<void> {
    const condition = { sql: 't.organisation_id = ? AND t.id = ?', parameters: [organisation, tag.id] };
    await keepPlaces(this.database, 'tag', 't.sort_key', condition);
    await this.database.write('UPDATE tag SET successor_id = ?, updated_at = ? WHERE organisation_id = ? AND id = ?', [
      successorId,
      Math.max(now, tag.updatedAt + 1),
      organisation,
      tag.id,
    ]);
    await this.database.write(
      'UPDATE tag SET successor_id = NULL WHERE organisation_id = ? AND id = ? AND successor_id IS NOT NULL',
      [organisation, successorId],
    );
  }

  override async find({
    organisation,
    pool,
    types,
    names,
    contains,
    nameContains,
    sort,
    limit,
    after,
  }: TagListing): Promise<Slice<Tag>> {
    const conditions = new Conditions();
    if (types) conditions.in('y.name_key', types.map(foldCase));
    if (names) conditions.in('t.name_key', names.map(foldCase));
    if (contains !== undefined) conditions.add(`INSTR(CONCAT(y.name_key, ':', t.name_key), ?) > 0`, foldCase(contains));
    if (nameContains !== undefined) conditions.add('INSTR(t.name_key, ?) > 0', foldCase(nameContains));
    if (pool) conditions.addAll([this.tagUses.inPool(pool)]);
    else {
      const { sql, parameters } = this.tagUses.inBank(organisation, [], 't.id');
      conditions.add(`(t.successor_id IS NULL OR ${sql})`, ...parameters);
    }
    // A tag without a sort key comes last in either direction.
    const unsorted = sort.ascending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
    const keys = {
      created: undefined,
      updated: (row: string) => `${row}.updated_at`,
      sort_key: (row: string) => `COALESCE(${row}.sort_key, ${unsorted})`,
    };
    const key = keys[sort.field];
    const [first, second, asOf] = after ?? [];
    const { rows, last } = await movingPage<Tag>(this.database, {
      table: 'tag',
      organisation,
      columns: TAG,
      joins: JOIN_TYPE,
      key,
      ascending: sort.ascending,
      limit,
      conditions: { sql: conditions.text, parameters: conditions.parameters },
      after: after && (key ? { key: first, id: second as string, asOf } : { id: first as string }),
    });
    const position = (): Position => (key ? [last!.key!, last!.id, last!.asOf!] : [last!.id]);
    return { entries: rows, after: last && position() };
  }

  override async uses(organisation: number, tagIds: readonly string[]): Promise<Map<string, TagUse>> {
    return this.tagUses.of(organisation, tagIds);
  }

  override async addSets(organisation: number, sets: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const known = await this.setIds.of(organisation, sets.keys());
    const added = new Map([...sets].filter(([id]) => !known.has(id)).sort(([a], [b]) => (a < b ? -1 : 1)));
    await this.database.insert(
      'tag_set',
      ['organisation_id', 'id', 'position', 'tag_id'],
      [...added].flatMap(([id, tagIds]) =>
        tagIds.map((tagId, position): Parameter[] => [organisation, id, position, tagId]),
      ),
      this.database.dialect.onDuplicate(['organisation_id', 'id', 'position'], []),
    );
    this.setIds.remember(organisation, added);
  }

  private async named(organisation: number, tags: readonly TagName[], lock: string): Promise<TagRow[]> {
    const found: TagRow[] = [];
    for (let from = 0; from < tags.length; from += NAME_BATCH_SIZE) {
      const byType = new Map<string, Set<string>>();
      for (const { type, name } of tags.slice(from, from + NAME_BATCH_SIZE)) {
        const key = foldCase(type);
        byType.set(key, (byType.get(key) ?? new Set()).add(foldCase(name)));
      }
      const conditions = [...byType.values()].map(
        (names) => `(y.name_key = ? AND t.name_key IN (${questionMarks(names.size)}))`,
      );
      const rows = await this.database.rows<TagRow>(
        `SELECT ${TAG}, y.name_key AS type_key, t.name_key FROM ${TABLES} WHERE y.organisation_id = ? AND (${conditions.join(' OR ')}) ${lock}`,
        [organisation, ...[...byType].flatMap(([type, names]) => [type, ...names])],
      );
      found.push(...rows);
    }
    return found;
  }

  private async types(organisation: number, keys: readonly string[]): Promise<TypeRow[]> {
    const found: TypeRow[] = [];
    for (let from = 0; from < keys.length; from += TYPE_BATCH_SIZE) {
      const part = keys.slice(from, from + TYPE_BATCH_SIZE);
      const rows = await this.database.rows<TypeRow>(
        `SELECT id, name, name_key FROM tag_type WHERE organisation_id = ? AND name_key IN (${questionMarks(part.length)})`,
        [organisation, ...part],
      );
      found.push(...rows);
    }
    return found;
  }

  private async ensureTypes(organisation: number, tags: readonly TagName[], now: number): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    for (const { type } of tags) if (!names.has(foldCase(type))) names.set(foldCase(type), type);
    const rows = await this.types(organisation, [...names.keys()]);
    const ids = new Map(rows.map(({ id, name_key }) => [name_key, id]));
    const created = [...names].filter(([key]) => !ids.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [key] of created) ids.set(key, newId(now));
    await this.database.insert(
      'tag_type',
      ['organisation_id', 'id', 'name', 'name_key'],
      created.map(([key, name]) => [organisation, ids.get(key)!, name, key]),
    );
    return ids;
  }
}
