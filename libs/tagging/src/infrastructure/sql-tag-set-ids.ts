import { Injectable } from '@nestjs/common';
import { grouped } from '#kernel';
import { Database, questionMarks } from '#platform';

/** The largest number of cached sets. A set of four tags takes about 200 bytes. */
const MAX_CACHED = 100_000;

/**
 * The tag ids of tag sets, in the order in which they were set. A stored set never changes and is never deleted, so
 * sets are cached once they were read or committed.
 */
@Injectable()
export class SqlTagSetIds {
  private readonly remembered = new Map<string, readonly string[]>();
  /** Interned ids: all sets that name a tag share one text. */
  private readonly texts = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** The sets that exist. */
  async of(organisation: number, setIds: Iterable<string>): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, readonly string[]>();
    const unknown = new Set<string>();
    for (const id of setIds) {
      const tagIds = this.remembered.get(keyOf(organisation, id));
      if (tagIds) found.set(id, tagIds);
      else unknown.add(id);
    }
    if (unknown.size === 0) return found;
    const rows = await this.database.rows<{ id: string; tag_id: string }>(
      `SELECT id, tag_id FROM tag_set WHERE organisation_id = ? AND id IN (${questionMarks(unknown.size)})
       ORDER BY id, position`,
      [organisation, ...unknown],
    );
    const read = grouped(rows.map((row) => [row.id, row.tag_id]));
    this.remember(organisation, read);
    for (const [id, tagIds] of read) found.set(id, tagIds);
    return found;
  }

  /** Caches sets that were read or written. Sets that this unit of work wrote are cached after its commit. */
  remember(organisation: number, sets: ReadonlyMap<string, readonly string[]>): void {
    this.database.afterCommit(() => {
      if (this.remembered.size + sets.size > MAX_CACHED) {
        // Clears the cache when it is full, instead of tracking use.
        this.remembered.clear();
        this.texts.clear();
      }
      for (const [id, tagIds] of sets)
        this.remembered.set(
          keyOf(organisation, id),
          tagIds.map((tagId) => this.textOf(tagId)),
        );
    });
  }

  private textOf(tagId: string): string {
    const text = this.texts.get(tagId);
    if (text === undefined) this.texts.set(tagId, tagId);
    return text ?? tagId;
  }
}

const keyOf = (organisation: number, setId: string): string => `${organisation} ${setId}`;
