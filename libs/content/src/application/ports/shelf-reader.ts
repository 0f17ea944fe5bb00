import { type Position, type Shelf, type Slice } from '#kernel';
import { type TagQuery } from '#tagging';
import { type WantedStates } from '#workflows';
import { type Kind, type StoredRecord } from '../../domain/record';

/** The kinds of media in content. */
export const MEDIA = ['image', 'audio', 'video', 'math'] as const;
export type Medium = (typeof MEDIA)[number];

export type SortField = 'created' | 'updated' | 'reference' | 'title';

/** Conditions that a record must all meet, the order, and the wanted part. An absent condition matches everything. */
export interface RecordQuery {
  kind: Kind;
  references?: readonly string[];
  status?: readonly string[];
  /** Type codes of widgets, scoring types of items. */
  types?: readonly string[];
  tags?: TagQuery;
  /** Holds at least one of the records with these references; `holdsAllOf`: holds all of them. */
  holdsOneOf?: readonly string[];
  holdsAllOf?: readonly string[];
  /** Holds at least one record of these types. */
  holdsTypes?: readonly string[];
  /** Ids of authors; null matches records without an author. */
  createdBy?: readonly (string | null)[];
  workflow?: WantedStates;
  /** Bounds of the difficulty, inclusive. Absent bounds match every item that has a difficulty. */
  difficulty?: { min?: number; max?: number };
  /** No activity of the bank holds it at present. False matches everything. */
  isUnused?: boolean;
  /** Its own document, or that of a record that it now holds in the bank, has one of these. Empty matches nothing. */
  media?: readonly Medium[];
  /** Text that the body contains. */
  contains?: string;
  /** Bounds of the time in the sort field: `updated`, else the time of creation. Milliseconds, inclusive. */
  from?: number;
  to?: number;
  sort: { field: SortField; ascending: boolean };
  limit: number;
  after?: Position;
}

/** Reads a shelf: an item bank, or an item pool's snapshot of one. */
export abstract class ShelfReader {
  /**
   * The moment (milliseconds) at which these banks are read as they are now: `now`, or the time of their latest change if
   * that is later. A process whose clock is ahead, or was set back since, may have written with a later time than ours.
   */
  abstract presentMoment(organisations: readonly number[], now: number): Promise<number>;

  /**
   * Sorted, ties by id. `after` is set only when another slice exists. References compare byte for byte. Writes between
   * slices neither hide nor repeat an entry that exists throughout.
   */
  abstract find(shelf: Shelf, query: RecordQuery): Promise<Slice<StoredRecord>>;

  /**
   * Records with their holders, one entry per pair, sorted by the record and then by the holder's id. Ignores holders
   * that do not exist.
   */
  abstract findHeld(
    shelf: Shelf,
    query: RecordQuery,
    holders: readonly string[],
  ): Promise<Slice<{ holder: string; record: StoredRecord }>>;
}
