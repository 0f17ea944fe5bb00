/** The place from which content is read: an organisation's item bank, or one of its pools. */
export interface Shelf {
  organisation: number;
  /** Absent means the item bank itself. */
  pool?: PoolShelf;
  /**
   * Reads the item bank as it was at this moment (milliseconds). All writes before the moment must have committed.
   * Absent: now.
   */
  asOf?: number;
}

/** A generation of an item pool. The content of a generation never changes. */
export interface PoolShelf {
  id: string;
  generation: number;
  /** The oldest generation that readers can still page through. */
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

/** The author of writes that name no author (decision 12). */
export const MANUAL_USER = 'manual-user';

/** For whom, where and when an operation acts. */
export interface Scope {
  shelf: Shelf;
  /** Absent: the manual user. */
  author?: Author;
  /** Name of the operation as history shows it: `set itembank/items`. */
  operation: string;
  /** Id of the request in the log. Absent when no request started the operation. */
  request?: string;
  /** Milliseconds since 1970. The whole operation uses this one time. */
  now: number;
  /** Organisations whose banks the caller may read. */
  readable: ReadonlySet<number>;
  /** True: the caller may not publish items. Copies and restored items begin unpublished. */
  cannotPublish?: true;
}
