import { type JsonText } from '#kernel';
import { type Source } from '../../domain/highlights';
import { type Status } from '../../domain/record';
import { type Term } from '../../domain/search-words';
import { type RecordQuery } from './shelf-reader';

/** Conditions that an item must all meet besides the terms, as of `RecordQuery`. */
export type SearchConditions = Omit<RecordQuery, 'kind' | 'sort' | 'limit' | 'after' | 'contains' | 'holdsAllOf'>;

/** An item in which all terms were found. */
export interface Hit {
  id: string;
  reference: string;
  status: Status;
  body: JsonText;
  /** How well it fits, above 0. Comparable within one search only, and not between engines. */
  score: number;
  /** The text of the item itself, without what it holds; null: not extracted yet. */
  text: string | null;
}

/**
 * Full-text search over the present items of a bank. `RecordStore.save` keeps it up to date in the same unit of work when it
 * changes at most ten records, and as many items hold them. Otherwise it notes, in the same unit of work, what has to wait
 * for `fill`.
 */
export abstract class SearchIndex {
  /** Items with all terms in their texts, best first, then newest first. `more`: whether further ones follow. */
  abstract find(
    organisation: number,
    terms: readonly Term[],
    conditions: SearchConditions,
    page: { offset: number; limit: number },
  ): Promise<{ hits: Hit[]; more: boolean }>;

  /** The texts in which the items are found, by id: of each its own, then those of what it holds, in order. */
  abstract texts(organisation: number, ids: readonly string[]): Promise<Map<string, Source[]>>;

  /** The number of items and of changed questions and features that wait, counted up to `most`. */
  abstract waiting(organisation: number, most: number): Promise<number>;

  /**
   * Indexes at most `limit` waiting records of any bank; the items that hold a question wait after it. Returns how many it
   * looked at.
   */
  abstract fill(limit: number): Promise<number>;

  /**
   * Forgets the texts of at most `limit` items after `after`, in the order of their ids, so that they wait to be read and
   * indexed anew. They are found as before until then. Returns the last id, or undefined after the last item.
   */
  abstract forget(organisation: number, after: string, limit: number): Promise<string | undefined>;
}
