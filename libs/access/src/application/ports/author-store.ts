import { type Author } from '#kernel';

/** The people named in `meta.user`. */
export abstract class AuthorStore {
  /** The known authors with these ids, unordered. */
  abstract find(organisation: number, ids: readonly string[]): Promise<Author[]>;

  /** Creates the author, or replaces the names that are given. */
  abstract put(organisation: number, author: Author, now: number): Promise<void>;

  /** The author with this id in each organisation. */
  abstract everywhere(id: string): Promise<(Author & { organisation: number })[]>;

  /** Removes names and address of the author in all organisations; the id stays. */
  abstract forget(id: string): Promise<void>;
}
