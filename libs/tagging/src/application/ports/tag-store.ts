import { type PoolShelf, type Position, type Slice } from '#kernel';
import { type Tag, type TagName } from '../../domain/tag';

export interface TagListing {
  organisation: number;
  /** Only tags that something in this item pool carries. */
  pool?: PoolShelf;
  types?: string[];
  names?: string[];
  sort: { field: 'created' | 'updated' | 'sort_key'; ascending: boolean };
  limit: number;
  after?: Position;
}

/** Values to store for a tag; an absent member stays as it is. */
export interface TagDefinition extends TagName {
  sortKey?: number | null;
  description?: string | null;
}

/** Tags and tag types of an item bank. Lookups ignore case; what is stored keeps the case in which it was set. */
export abstract class TagStore {
  /** Ids of those of the tags that exist, by {@link tagKey}. Nothing is created. */
  abstract ids(organisation: number, tags: readonly TagName[]): Promise<Map<string, string>>;

  /** The tags as they stand, locked until the unit of work ends, by {@link tagKey}. */
  abstract lock(organisation: number, tags: readonly TagName[]): Promise<Map<string, Tag>>;

  /** Creates tags that do not exist, and their types. Returns their ids by {@link tagKey}. */
  abstract create(organisation: number, tags: readonly TagDefinition[], now: number): Promise<Map<string, string>>;

  /**
   * Stores name, case, sort key and description of tags that exist, and the case of their types.
   * @param renamed whether the case of any changed: readers that keep names in memory then read them again.
   */
  abstract update(organisation: number, tags: readonly Tag[], renamed: boolean): Promise<void>;

  /** Sorted; `after` is set exactly when another slice exists. */
  abstract find(listing: TagListing): Promise<Slice<Tag>>;

  /** Stores immutable lists of tag ids under their ids; those that exist stay. */
  abstract addSets(organisation: number, sets: ReadonlyMap<string, readonly string[]>): Promise<void>;
}
