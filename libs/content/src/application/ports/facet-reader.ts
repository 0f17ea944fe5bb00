import { type Term } from '../../domain/search-words';
import { type SearchConditions } from './search-index';

/** The properties by which items can be counted. */
export const FACETS = [
  'status',
  'workflow_state',
  'question_type',
  'scoring_type',
  'author',
  'tag_type',
  'tag',
] as const;
export type Facet = (typeof FACETS)[number];

/** The number of items with a value. */
export interface FacetCount {
  /** The id of a state's workflow, or the name of a tag's type. Null for all other values. */
  owner: string | null;
  /** Null: no author, or no state. */
  value: string | null;
  items: number;
}

/** The number of items at which a count stops. */
export const MAX_COUNTED = 100_000;

/** Counts the present items of a bank that meet conditions and, if there are terms, have all of them in their texts. */
export abstract class FacetReader {
  /** The number of items, counted up to `MAX_COUNTED`. `isComplete`: there are no more. */
  abstract total(
    organisation: number,
    terms: readonly Term[] | undefined,
    conditions: SearchConditions,
  ): Promise<{ total: number; isComplete: boolean }>;

  /**
   * The commonest values of a facet, ties by value, at most `limit`. An item with several tags or types counts once for
   * each. Counts the first `MAX_COUNTED` items.
   */
  abstract count(
    organisation: number,
    facet: Facet,
    terms: readonly Term[] | undefined,
    conditions: SearchConditions,
    limit: number,
  ): Promise<FacetCount[]>;
}
