import { type Author } from '#kernel';

/** The people named in `meta.user`. */
export abstract class AuthorStore {
  /** Those of the ids that are known, in no order. */
  abstract find(organisation: number, ids: readonly string[]): Promise<Author[]>;

  /** Creates the author or replaces those names that are given. */
  abstract put(organisation: number, author: Author, now: number): Promise<void>;
}
