import type { Json } from '#kernel';

/** An accepted value of one part of an answer, and its score. */
export interface PartAnswer {
  value: Json;
  score: number;
}

/** One complete accepted answer. */
export interface AcceptedAnswer {
  /** The score of the answer, or of each part under scoring types that add up. */
  score: number;
  value: Json;
  /** shorttext: the response only needs to contain the accepted text. Absent: the whole response must match. */
  matchingRule?: 'contains';
  /**
   * Only in the form before 2015: accepted answers and scores of each part. They replace `value` in matching, and
   * `score` under `partialMatch`.
   */
  parts?: readonly (readonly PartAnswer[])[];
}
