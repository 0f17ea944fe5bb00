/**
 * What is wrong with how a question is set up:
 * - `scoring-type`: no name of a scoring type, or none of this type of question;
 * - `score`: no number above 0;
 * - `no-answer`: nothing says what is right, or an accepted answer asks for nothing;
 * - `option-unknown`: an accepted answer names what the question does not offer;
 * - `formula-method`: a rule by a method that does not exist, which nothing meets;
 * - `formula-value`: a rule of a formula that cannot be read or met: a wrong formula, an unknown unit, two rules at odds;
 * - `never-matches`: an alternate that no response can be the reason for;
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
  /** What is wrong, and what would be right. */
  message: string;
}

/** Notes a finding. */
export type Found = (code: FindingCode, at: string, message: string) => void;

/** So many findings, and so many accepted answers looked at, say enough about one question. */
export const MAX_FINDINGS = 50;

/** As much of a text as a message has room for. Never ends in half of a surrogate pair, which some JSON readers refuse. */
export function cut(text: string): string {
  return text.length > 50 ? `${text.slice(0, 50).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
