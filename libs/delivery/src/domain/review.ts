import { type Json, type JsonObject, listOf, objectOf } from '#kernel';
import { optionValue, readValidation, type ResponseScore, type Totals } from '#scoring';

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
  const parts = judged ? partsOf(value, judged) : undefined;
  const correct = rules.correct ? correctAnswer(definition) : undefined;
  return {
    ...score,
    ...(parts ? { parts } : {}),
    ...(correct === undefined ? {} : { correct }),
    ...rationales(definition, value, parts, judged ? isAcceptedForPoints(judged) : null, rules.rationale),
  };
}

/** Whether the answer is accepted. An answer that is accepted for no points is wrong, unless the question has none. */
function isAcceptedForPoints({ isValid, maxScore, reasons }: ResponseScore): boolean | null {
  return isValid && (maxScore === 0 || reasons.steps[0]?.to !== 0);
}

function partsOf(value: Json, judged: ResponseScore): (boolean | null)[] | undefined {
  const isValid = isAcceptedForPoints(judged);
  const earnsNothing = isValid !== judged.isValid;
  const parts = judged.reasons.parts.map((part) => {
    const isForNothing = earnsNothing || (judged.maxScore > 0 && part.points === 0);
    return isForNothing && part.verdict === 'right' ? { ...part, verdict: 'wrong' } : part;
  });
  const entries = entriesOf(value);
  if (parts.length === 0)
    return isValid === null ? undefined : entries.map((entry) => (isEmpty(entry) ? null : isValid));
  const placed = parts.filter(({ at }) => at !== null);
  if (placed.length > 0) {
    const count = Math.max(entries.length, ...placed.map(({ at }) => at! + 1));
    return Array.from({ length: count }, (_, place) => combinedVerdict(placed.filter(({ at }) => at === place)));
  }
  return entries.map((entry) => {
    if (isEmpty(entry)) return null;
    const name = nameOf(entry);
    const part = parts.find(({ given }) => given !== null && nameOf(given) === name);
    return part ? combinedVerdict([part]) : isValid;
  });
}

/** Several parts in one place are right when all of them are. */
function combinedVerdict(parts: readonly { verdict: string }[]): boolean | null {
  const verdicts = new Set(parts.map(({ verdict }) => verdict));
  if (verdicts.has('wrong')) return false;
  if (verdicts.has('right')) return !verdicts.has('empty');
  return null;
}

const plain = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The name by which rationales refer to an entry. */
function nameOf(entry: Json): string {
  if (Array.isArray(entry)) return entry.map(plain).join(',');
  const { point, position = null } = objectOf(entry);
  return typeof point === 'string' ? `${point} at ${plain(position)}` : plain(entry);
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
    const index = entriesOf(value).findIndex((entry) => !isEmpty(entry) && nameOf(entry) === name);
    return index < 0 ? null : (parts[index] ?? null);
  };
  if (type === 'mcq') {
    const names = listOf(options).map((option, at) => nameOf(optionValue(option, at)));
    return (at) => (names[at] === undefined ? null : ofEntry(names[at]));
  }
  if (type === 'hotspot' || type === 'tokenhighlight') return (at) => ofEntry(String(at));
  return (at) => parts[at] ?? null;
}

/** The right answer in the shape of a response value; undefined when the validation does not name one. */
function correctAnswer(definition: JsonObject & { type: string }): Json | undefined {
  const { type } = definition;
  const [first] = readValidation(definition).key;
  // A part may be listed only because it costs nothing. A choice has no place, and a blank has one.
  const parts = first?.parts?.map((part) => part.find(({ score }) => score > 0)?.value ?? null);
  const value = (type === 'mcq' ? parts?.filter((part) => part !== null) : parts) ?? first?.value;
  if (value === undefined || value === null) return undefined;
  if (type === 'formulaV2') return formulaIn(value);
  if (type === 'clozeformula' || type === 'clozeformulaV2')
    return entriesOf(value).map((rules) => formulaIn(rules) ?? null);
  return value;
}

/** The first rule that names a formula. Other rules only require a form. */
function formulaIn(rules: Json): string | undefined {
  if (typeof rules === 'string') return rules;
  const named = entriesOf(rules).map((rule) => objectOf(rule).value);
  return named.find((value): value is string => typeof value === 'string');
}

/** The single answers in a value. */
function entriesOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  const { value: within } = objectOf(value);
  return Array.isArray(within) ? within : [value];
}

const isEmpty = (entry: Json): boolean =>
  entry === null || entry === '' || (Array.isArray(entry) && entry.every((each) => isEmpty(each)));
