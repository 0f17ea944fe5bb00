import type { Members } from './members';

/** The definition of a question without its key, as the service delivers it or as an author wrote it. */
export type Question = Members;

/** `preview` is read-only and without answers. */
export type Mode = 'answer' | 'review' | 'preview';

/** The parts of a review that may be shown for a response. */
export interface Review {
  score: number | null;
  maxScore: number | null;
  /** For each part, in the order of the response value; null for an empty part. */
  parts?: readonly (boolean | null)[];
  /** The right answer, in the shape of a response value, when it may be shown. */
  correct?: unknown;
  /** HTML, for the question. */
  rationale?: string;
  /** HTML, for each option or part. */
  responseRationale?: readonly (string | null)[];
}

/** The size of a text, as the Data API has it beside the value. */
export interface Counts {
  wordCount?: number;
  characterCount?: number;
}

export type Attempted = 'not_attempted' | 'partially_attempted' | 'fully_attempted';

/** How completely a question is answered, by the number of answered parts. */
export function attemptedOf(filled: number, parts: number): Attempted {
  if (filled === 0) return 'not_attempted';
  return filled < parts ? 'partially_attempted' : 'fully_attempted';
}
