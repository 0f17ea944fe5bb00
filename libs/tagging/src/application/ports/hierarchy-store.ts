import { type Tag } from '../../domain/tag';
import { type TagHierarchy } from '../../domain/tag-hierarchy';

/** Tag hierarchies of an item bank, and what its content carries along them. */
export abstract class HierarchyStore {
  /** Sorted by reference; without `references` all. References compare byte for byte. */
  abstract find(organisation: number, references?: readonly string[]): Promise<TagHierarchy[]>;

  /** Stores the hierarchies in place of those with the same references; the others stay. */
  abstract put(organisation: number, hierarchies: readonly TagHierarchy[]): Promise<void>;

  /** Those that do not exist are none the less gone. */
  abstract remove(organisation: number, references: readonly string[]): Promise<void>;

  /**
   * The tags of a type that some content of the bank carries together with all of the given tags, by sort key (those
   * without one last) and folded name. Undefined when no content carries all of the given tags.
   */
  abstract tagsBeside(organisation: number, tagIds: readonly string[], type: string): Promise<Tag[] | undefined>;

  /** Whether some content of the bank carries all of the tags, of which there is at least one. */
  abstract isCarried(organisation: number, tagIds: readonly string[]): Promise<boolean>;
}
