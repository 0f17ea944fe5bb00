/** Where content is read: an organisation's item bank or one of its pools. */
export interface Shelf {
  organisation: number;
  /** Reference of an item pool; absent means the item bank itself. */
  pool?: string;
  /** The item bank as it stood at this moment (milliseconds), at which every commit has landed; absent means now. */
  asOf?: number;
}

/** The person on whose behalf something is written, as the caller names them in `meta.user`. */
export interface Author {
  /** At most 50 characters. */
  id: string;
  firstname?: string;
  lastname?: string;
  email?: string;
}

/** Recorded where a write names no author (decision 23). */
export const MANUAL_USER = 'manual-user';

/** For whom, where and when an operation acts. */
export interface Scope {
  shelf: Shelf;
  /** Absent means the manual user. */
  author?: Author;
  /** Name of the operation as history shows it: `set itembank/items`. */
  operation: string;
  /** Milliseconds since 1970: one moment for the whole operation. */
  now: number;
  /** Organisations whose banks the caller may read. */
  readable: ReadonlySet<number>;
}
