import type { Json } from '#kernel';

/** What counts as right for one part of an answer, and what it earns. */
export interface PartAnswer {
  value: Json;
  score: number;
}

/** One complete accepted answer. */
export interface AcceptedAnswer {
  /** What it earns; for each part under the scoring types that add up. */
  score: number;
  value: Json;
  /** shorttext: the accepted text need only be contained in the response. Absent: it is to be the whole response. */
  matchingRule?: 'contains';
  /**
   * Only in the form before 2015, where each part had accepted answers and scores of its own: these, part by part.
   * They take the place of `value` in matching, and of `score` under `partialMatch`.
   */
  parts?: readonly (readonly PartAnswer[])[];
}
