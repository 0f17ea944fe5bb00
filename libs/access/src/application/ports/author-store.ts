import { type Author } from '#kernel';

/** The people named in `meta.user`. */
export abstract class AuthorStore {
  abstract find(organisation: number, ids: readonly string[]): Promise<Author[]>;
  /** Creates the author or replaces the names. */
  abstract put(organisation: number, author: Author, now: number): Promise<void>;
}
