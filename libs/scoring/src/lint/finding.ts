/**
 * Mistakes in the setup of a question:
 * - `scoring-type`: unknown scoring type, or one that this type of question does not have;
 * - `score`: not a number above 0;
 * - `no-answer`: no accepted answer, or an empty one;
 * - `option-unknown`: an accepted answer names an option that the question does not offer;
 * - `formula-method`: a rule with an unknown method, which nothing meets;
 * - `formula-value`: a rule that cannot be read or met: a wrong formula, an unknown unit, contradicting rules;
 * - `never-matches`: an alternate answer that never decides the score of a response;
 * - `all-right`: every option is right;
 * - `maximum-unreachable`: no response that the question allows earns the maximum;
 * - `parts-differ`: an accepted answer has more or fewer parts than the question.
 */
export type FindingCode =
  | 'scoring-type'
  | 'score'
  | 'no-answer'
  | 'option-unknown'
  | 'formula-method'
  | 'formula-value'
  | 'never-matches'
  | 'all-right'
  | 'maximum-unreachable'
  | 'parts-differ';

export interface Finding {
  code: FindingCode;
  /** JSON pointer into the question's `data`. */
  at: string;
  /** The mistake and its correction. */
  message: string;
}

/** Records a finding. */
export type Found = (code: FindingCode, at: string, message: string) => void;

/** The limit of findings per question, and of accepted answers that are checked. */
export const MAX_FINDINGS = 50;

/** Truncates a text for a message. Never splits a surrogate pair, which some JSON readers reject. */
export function cut(text: string): string {
  return text.length > 50 ? `${text.slice(0, 50).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
