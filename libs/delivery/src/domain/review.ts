import { type Json, type JsonObject, listOf, objectOf } from '#kernel';
import {
  answersIn,
  entryName,
  isAcceptedForPoints,
  isEmptyEntry,
  optionValue,
  type ResponseScore,
  reviewParts,
  rightAnswer,
  type Totals,
} from '#scoring';

/** The review of an answer, with only the parts that the learner may see. */
export interface Review {
  score: number | null;
  maxScore: number | null;
  /** For each part, in the order of the value: right, wrong, or null when empty. */
  parts?: (boolean | null)[];
  /** In the shape of a response value. */
  correct?: Json;
  /** HTML. */
  rationale?: string;
  /** HTML, for each option or part. */
  responseRationale?: (string | null)[];
}

/** The score of a session as pages get it. */
export interface ShownTotal {
  score: number;
  max_score: number;
}

export const shownTotal = ({ score, maxScore }: Totals): ShownTotal => ({ score, max_score: maxScore });

const WHEN = ['always', 'never', 'correct', 'incorrect'] as const;
type When = (typeof WHEN)[number];

/** When rationales are shown: for the question, and for each response. */
export interface RationaleRule {
  perQuestion: When;
  perResponse: When;
}

/** Reads the signed `show_distractor_rationale`. */
export function rationaleRule(value: Json | undefined): RationaleRule {
  if (value === true) return { perQuestion: 'incorrect', perResponse: 'always' };
  const { per_question: perQuestion, per_response: perResponse } = objectOf(value);
  const when = (word: Json | undefined): When => WHEN.find((each) => each === word) ?? 'never';
  return { perQuestion: when(perQuestion), perResponse: when(perResponse) };
}

/** Whether the right answer and rationales may be shown. */
export interface ReviewRules {
  correct: boolean;
  rationale: RationaleRule;
}

/**
 * @param value of the response; null for none.
 * @param judged the verdicts of the scoring engine; undefined without an answer, or when they are not available.
 *   @param score as stored; a person may have given it.
 */
export function reviewOf(
  definition: JsonObject & { type: string },
  value: Json,
  judged: ResponseScore | undefined,
  score: { score: number | null; maxScore: number },
  rules: ReviewRules,
): Review {
  const parts = judged ? reviewParts(value, judged) : undefined;
  const correct = rules.correct ? rightAnswer(definition) : undefined;
  return {
    ...score,
    ...(parts ? { parts } : {}),
    ...(correct === undefined ? {} : { correct }),
    ...rationales(definition, value, parts, judged ? isAcceptedForPoints(judged) : null, rules.rationale),
  };
}

function rationales(
  definition: JsonObject & { type: string },
  value: Json,
  parts: (boolean | null)[] | undefined,
  isValid: boolean | null,
  { perQuestion, perResponse }: RationaleRule,
): Pick<Review, 'rationale' | 'responseRationale'> {
  const { distractor_rationale: whole, distractor_rationale_response_level: each } = objectOf(definition.metadata);
  const shown: Pick<Review, 'rationale' | 'responseRationale'> = {};
  if (typeof whole === 'string' && isDue(perQuestion, isValid)) shown.rationale = whole;
  if (!Array.isArray(each) || perResponse === 'never') return shown;
  const verdicts = verdictsOf(definition, value, parts ?? []);
  // Shows rationales only for given answers, because others would reveal further right answers.
  const given = each.map((text, at) => {
    const verdict = verdicts(at);
    return typeof text === 'string' && text !== '' && verdict !== null && isDue(perResponse, verdict) ? text : null;
  });
  if (given.some((text) => text !== null)) shown.responseRationale = given;
  return shown;
}

function isDue(when: When, isRight: boolean | null): boolean {
  if (when === 'always') return true;
  if (when === 'never') return false;
  return isRight === (when === 'correct');
}

/** The verdict of an option by its position, or of a part; null when not given. */
function verdictsOf(
  { type, options }: JsonObject & { type: string },
  value: Json,
  parts: readonly (boolean | null)[],
): (at: number) => boolean | null {
  const ofEntry = (name: string): boolean | null => {
    const index = answersIn(value).findIndex((entry) => !isEmptyEntry(entry) && entryName(entry) === name);
    return index < 0 ? null : (parts[index] ?? null);
  };
  if (type === 'mcq') {
    const names = listOf(options).map((option, at) => entryName(optionValue(option, at)));
    return (at) => (names[at] === undefined ? null : ofEntry(names[at]));
  }
  if (type === 'hotspot' || type === 'tokenhighlight') return (at) => ofEntry(String(at));
  return (at) => parts[at] ?? null;
}
