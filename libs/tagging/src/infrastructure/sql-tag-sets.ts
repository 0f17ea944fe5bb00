import { Injectable } from '@nestjs/common';
import { Database, questionMarks } from '#platform';
import { type TagName } from '../domain/tag';

/**
 * A column for a SELECT on a table with `organisation_id`: the version of the tag names. It rises when a name changes
 * case.
 */
export function tagVersionColumn(table: string): string {
  return `(SELECT tag_version.version FROM tag_version WHERE tag_version.organisation_id = ${table}.organisation_id)`;
}

/** The largest number of cached sets. A set of four tags takes about 200 bytes. */
const MAX_CACHED = 100_000;

interface MemberRow {
  set_id: string;
  tag_id: string;
  type: string;
  name: string;
  version: number | null;
}

/** The cache of one organisation for one version of its names. */
interface Memory {
  version: number;
  names: Map<string, TagName>;
  sets: Map<string, TagName[]>;
}

/**
 * The tags of tag sets. Sets are immutable and names change only in case, so both are cached. Readers pass the version
 * of the names that they saw; entries of an older version are read again.
 */
@Injectable()
export class SqlTagSets {
  private readonly memories = new Map<number, Memory>();
  private size = 0;

  constructor(private readonly database: Database) {}

  /** Tags of each set, in the order in which they were set. `version`: the value of {@link tagVersionColumn}. */
  async tagsOf(
    organisation: number,
    setIds: Iterable<string>,
    version: number | null,
  ): Promise<ReadonlyMap<string, TagName[]>> {
    let memory = this.memoryOf(organisation, version ?? 0);
    const unknown = new Set<string>();
    const found = new Map<string, TagName[]>();
    for (const id of setIds) {
      const tags = memory.sets.get(id);
      if (tags) found.set(id, tags);
      else unknown.add(id);
    }
    if (unknown.size === 0) return found;
    const rows = await this.database.rows<MemberRow>(
      `SELECT s.id AS set_id, s.tag_id, y.name AS type, t.name, ${tagVersionColumn('s')} AS version
       FROM tag_set s
       JOIN tag t ON t.organisation_id = s.organisation_id AND t.id = s.tag_id
       JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id
       WHERE s.organisation_id = ? AND s.id IN (${questionMarks(unknown.size)})
       ORDER BY s.id, s.position`,
      [organisation, ...unknown],
    );
    const seen = rows[0]?.version ?? 0;
    memory = this.memoryOf(organisation, seen);
    // Another reader may have seen newer names meanwhile. Then the older result is not cached.
    const isCurrent = memory.version === seen;
    for (const { set_id, tag_id, type, name } of rows) {
      const tag = memory.names.get(tag_id) ?? { type, name };
      if (isCurrent && !memory.names.has(tag_id)) memory.names.set(tag_id, tag);
      const tags = found.get(set_id);
      if (tags) tags.push(tag);
      else found.set(set_id, [tag]);
    }
    for (const id of unknown) {
      if (!isCurrent || memory.sets.has(id) || !found.has(id)) continue;
      memory.sets.set(id, found.get(id)!);
      this.size++;
    }
    if (this.size > MAX_CACHED) this.forget();
    return found;
  }

  /** The latest moment at which the name of a tag may have changed its case; `-Infinity` if none ever did. */
  async lastRename(organisation: number): Promise<number> {
    const row = await this.database.row<{ at: number | null }>(
      `SELECT MAX(t.updated_at) AS at FROM tag_version n JOIN tag t ON t.organisation_id = n.organisation_id
       WHERE n.organisation_id = ?`,
      [organisation],
    );
    return row!.at ?? -Infinity;
  }

  private memoryOf(organisation: number, version: number): Memory {
    const memory = this.memories.get(organisation);
    if (memory && memory.version >= version) return memory;
    this.size -= memory?.sets.size ?? 0;
    const fresh: Memory = { version, names: new Map(), sets: new Map() };
    this.memories.set(organisation, fresh);
    return fresh;
  }

  /** Clears the cache when it is full, instead of tracking use. */
  private forget(): void {
    this.memories.clear();
    this.size = 0;
  }
}
