import { type JsonText } from '#kernel';
import { type Source } from '../../domain/highlights';
import { type Status } from '../../domain/record';
import { type Term } from '../../domain/search-words';
import { type RecordQuery } from './shelf-reader';

/** Conditions that an item must meet besides the terms, as in `RecordQuery`. */
export type SearchConditions = Omit<RecordQuery, 'kind' | 'sort' | 'limit' | 'after' | 'contains' | 'holdsAllOf'>;

/** An item with all terms. */
export interface Hit {
  id: string;
  reference: string;
  status: Status;
  body: JsonText;
  /** The score of the match, above 0. Scores of different searches or engines cannot be compared. */
  score: number;
  /** The text of the item itself, without its questions and features; null before it is extracted. */
  text: string | null;
}

export const MAX_WAITING = 1_000;

/** A page of items with all terms. */
export interface HitPage {
  hits: Hit[];
  /** Whether further hits follow. */
  more: boolean;
  /** The number of waiting items and of waiting questions and features of the bank, counted up to `MAX_WAITING`. */
  waiting: number;
}

/**
 * Full-text search over the present items of a bank. `RecordStore.save` updates the index in the same unit of work if
 * it changes at most ten records, held by at most ten items. Otherwise it marks, in the same unit of work, the records
 * that wait for `fill`.
 */
export abstract class SearchIndex {
  /** Items with all terms in their texts, best first, then newest first. */
  abstract find(
    organisation: number,
    terms: readonly Term[],
    conditions: SearchConditions,
    page: { offset: number; limit: number },
  ): Promise<HitPage>;

  /** The indexed texts of the questions and features of items, in order, by the id of the item. */
  abstract widgetTexts(organisation: number, ids: readonly string[]): Promise<Map<string, Source[]>>;

  /**
   * Indexes at most `limit` waiting records of any bank. After it indexes a question, the items that hold the question
   * wait. Returns the number of processed records.
   */
  abstract fill(limit: number): Promise<number>;

  /**
   * Deletes the texts of at most `limit` items after `after`, in the order of their ids, so that they wait to be
   * indexed again. Until then searches find them as before. Returns the last id, or undefined after the last item.
   */
  abstract forget(organisation: number, after: string, limit: number): Promise<string | undefined>;
}
