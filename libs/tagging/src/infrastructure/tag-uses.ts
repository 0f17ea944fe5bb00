import { type PoolShelf } from '#kernel';
import { type SqlPart } from '#platform';
import { type TagUse } from '../domain/tag';

/**
 * Finds content by its tags. The context that owns the content implements this port. Most methods return SQL, so that
 * one statement can join it with the tags.
 */
export abstract class TagUses {
  /** The number of records of the bank that carry each of the tags, in their order, counted up to `limit`. */
  abstract count(organisation: number, tagIds: readonly string[], limit: number): Promise<number[]>;

  /** How much content carries each of the tags, by their ids. Tags that nothing carries are absent. */
  abstract of(organisation: number, tagIds: readonly string[]): Promise<Map<string, TagUse>>;

  /**
   * A condition: a record of the bank carries all of the tags. The column `outer` holds the id of one more tag. The
   * search begins with that tag, or else with the first of `tagIds`.
   */
  abstract inBank(organisation: number, tagIds: readonly string[], outer?: string): SqlPart;

  /** A SELECT of the `tag_set_id` of the records of the bank that carry all of the tags. Begins with the first of them. */
  abstract tagSets(organisation: number, tagIds: readonly string[]): SqlPart;

  /** A condition: something in the pool carries the tag `t`, a row with `organisation_id` and `id`. */
  abstract inPool(pool: PoolShelf): SqlPart;
}
