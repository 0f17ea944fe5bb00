import { type SavedView } from '../../domain/saved-view';

export abstract class SavedViewStore {
  /**
   * The shared views and those of the owner, sorted by reference: at most `limit`, after a reference. A shared view
   * has no owner while that person is disabled, or has no role in the organisation.
   * @param screen absent: of all lists.
   */
  abstract find(query: {
    organisation: number;
    owner: string;
    screen?: string;
    after?: string;
    limit: number;
  }): Promise<SavedView[]>;

  /** The views with these references, of any owner, locked for a change; owners as in {@link find}. */
  abstract lock(organisation: number, references: readonly string[]): Promise<Map<string, SavedView>>;

  /** The number of views that an owner has. */
  abstract count(organisation: number, owner: string): Promise<number>;

  /** Adds the views, or replaces those with the same reference. */
  abstract put(organisation: number, views: readonly SavedView[]): Promise<void>;

  abstract remove(organisation: number, references: readonly string[]): Promise<void>;

  /** All views of an owner, in all organisations. */
  abstract everywhere(owner: string): Promise<(SavedView & { organisation: number })[]>;

  /** Removes the owner's views that nobody else sees, in all organisations. Shared views stay, without an owner. */
  abstract forget(owner: string): Promise<void>;
}
