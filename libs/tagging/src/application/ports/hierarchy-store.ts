import { type Tag } from '../../domain/tag';
import { type TagHierarchy } from '../../domain/tag-hierarchy';

/** Tag hierarchies of an item bank, and the tags of its content at their levels. */
export abstract class HierarchyStore {
  /** Sorted by reference. Without `references`: all. References compare byte for byte. */
  abstract find(organisation: number, references?: readonly string[]): Promise<TagHierarchy[]>;

  /** Like `find`, and locks the hierarchies until the unit of work ends. */
  abstract lock(organisation: number, references: readonly string[]): Promise<TagHierarchy[]>;

  /** Creates the hierarchies, or replaces those with the same references. Others stay. */
  abstract put(organisation: number, hierarchies: readonly TagHierarchy[]): Promise<void>;

  /** Removes the hierarchies. Ignores those that do not exist. */
  abstract remove(organisation: number, references: readonly string[]): Promise<void>;

  /**
   * The tags of a type that occur on content of the bank together with all of the given tags, sorted by sort key (tags
   * without one last) and folded name. Undefined when no content carries all of the given tags.
   */
  abstract tagsTogetherWith(organisation: number, tagIds: readonly string[], type: string): Promise<Tag[] | undefined>;

  /** Whether some content of the bank carries all of the tags. There is at least one tag. */
  abstract isCarried(organisation: number, tagIds: readonly string[]): Promise<boolean>;
}
