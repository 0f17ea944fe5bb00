/** Where content is read: an organisation's item bank or one of its pools. */
export interface Shelf {
  organisation: number;
  /** Absent means the item bank itself. */
  pool?: PoolShelf;
  /** The item bank as it stood at this moment (milliseconds), at which every commit has landed; absent means now. */
  asOf?: number;
}

/** What an item pool shows in one of its generations: what it holds changes only from one to the next. */
export interface PoolShelf {
  id: string;
  generation: number;
  /** The oldest generation in which paging that began with it can go on. */
  oldest: number;
}

/** The person on whose behalf something is written, as the caller names them in `meta.user`. */
export interface Author {
  /** At most 50 characters. */
  id: string;
  firstname?: string;
  lastname?: string;
  email?: string;
}

/** Recorded where a write names no author (decision 12). */
export const MANUAL_USER = 'manual-user';

/** For whom, where and when an operation acts. */
export interface Scope {
  shelf: Shelf;
  /** Absent means the manual user. */
  author?: Author;
  /** Name of the operation as history shows it: `set itembank/items`. */
  operation: string;
  /** The request that asked for it, as the log names it; absent where it was none. */
  request?: string;
  /** Milliseconds since 1970: one moment for the whole operation. */
  now: number;
  /** Organisations whose banks the caller may read. */
  readable: ReadonlySet<number>;
}
