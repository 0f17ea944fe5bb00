import { type Position, type Shelf, type Slice } from '#kernel';
import { type TagQuery } from '#tagging';
import { type WantedStates } from '#workflows';
import { type Kind, type StoredRecord } from '../../domain/record';

export type SortField = 'created' | 'updated' | 'reference' | 'title';

/** Conditions that a record must all meet, the order, and the part wanted. Absent conditions ask nothing. */
export interface RecordQuery {
  kind: Kind;
  references?: readonly string[];
  status?: readonly string[];
  /** Type codes of widgets, scoring types of items. */
  types?: readonly string[];
  tags?: TagQuery;
  /** Holds at least one of the records with these references, and all of the others. */
  holdsOneOf?: readonly string[];
  holdsAllOf?: readonly string[];
  /** Holds at least one record of these types. */
  holdsTypes?: readonly string[];
  /** Ids of authors; null stands for records written without one. */
  createdBy?: readonly (string | null)[];
  workflow?: WantedStates;
  /** The text that a body contains. */
  contains?: string;
  /** Bounds of the time that the sort field names: created unless it is `updated`. Milliseconds, both inclusive. */
  from?: number;
  to?: number;
  sort: { field: SortField; ascending: boolean };
  limit: number;
  after?: Position;
}

/** Content of a shelf: an item bank, or an item pool's snapshot of one. */
export abstract class ShelfReader {
  /**
   * Sorted, ties by id. `after` is set exactly when another slice exists. References compare byte for byte. Whatever is
   * written between slices, an entry that was there throughout is met once.
   */
  abstract find(shelf: Shelf, query: RecordQuery): Promise<Slice<StoredRecord>>;

  /**
   * Records together with the holder that holds them: one entry for each pair, sorted by the record and then by the
   * holder's id. Holders that do not exist give nothing.
   */
  abstract findHeld(
    shelf: Shelf,
    query: RecordQuery,
    holders: readonly string[],
  ): Promise<Slice<{ holder: string; record: StoredRecord }>>;
}
