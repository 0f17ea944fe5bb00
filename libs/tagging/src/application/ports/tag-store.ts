import { type PoolShelf, type Position, type Slice } from '#kernel';
import { type Tag, type TagName, type TagUse } from '../../domain/tag';

export interface TagListing {
  organisation: number;
  /** Only tags that something in this item pool carries. */
  pool?: PoolShelf;
  types?: string[];
  names?: string[];
  /** Only tags whose `type:name` contains this text. Ignores case. */
  contains?: string;
  /** Only tags whose name contains this text. Ignores case. */
  nameContains?: string;
  sort: { field: 'created' | 'updated' | 'sort_key'; ascending: boolean };
  limit: number;
  after?: Position;
}

/** Values to store for a tag. An absent member stays as it is. */
export interface TagDefinition extends TagName {
  sortKey?: number | null;
  description?: string | null;
}

/** Tags and tag types of an item bank. Lookups ignore case; stored names keep the case in which they were set. */
export abstract class TagStore {
  /** Ids of the existing tags, by {@link tagKey}. Creates nothing. */
  abstract ids(organisation: number, tags: readonly TagName[]): Promise<Map<string, string>>;

  /** The stored tags by {@link tagKey}, locked until the unit of work ends. */
  abstract lock(organisation: number, tags: readonly TagName[]): Promise<Map<string, Tag>>;

  /** Creates missing tags and their types. Returns their ids by {@link tagKey}. */
  abstract create(organisation: number, tags: readonly TagDefinition[], now: number): Promise<Map<string, string>>;

  /**
   * Stores name, case, sort key and description of existing tags, and the case of their types. A tag that was renamed
   * or merged becomes an independent tag again.
   * @param renamed whether the case of a name changed. Caches of names are then read again.
   */
  abstract update(organisation: number, tags: readonly Tag[], renamed: boolean): Promise<void>;

  /**
   * Records that the successor took the place of a tag. From then on, `find` shows the tag only while content of the
   * bank carries it. If the successor had a successor itself, it becomes an independent tag again.
   */
  abstract succeed(organisation: number, tag: Tag, successorId: string, now: number): Promise<void>;

  /**
   * Sorted. `after` is set only when another slice exists. Without `pool`, this leaves out replaced tags that nothing
   * carries.
   */
  abstract find(listing: TagListing): Promise<Slice<Tag>>;

  /** How much content of the bank carries each of the tags, by their ids. Tags that nothing carries are absent. */
  abstract uses(organisation: number, tagIds: readonly string[]): Promise<Map<string, TagUse>>;

  /** Stores immutable lists of tag ids under their ids. Existing lists stay. */
  abstract addSets(organisation: number, sets: ReadonlyMap<string, readonly string[]>): Promise<void>;
}
