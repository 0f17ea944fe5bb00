import { type JsonObject, withoutEnd } from '#kernel';
import { fittingRule } from './fit';
import { type NoteCode, NOTES } from './note';
import { hasWildcard, inForce, isAny, patternOf } from './patterns';
import { subsets, type Trial } from './trials';
import { type Accepted, MAX_ALTERNATIVES, validationOf } from './validation';

/* Builds the kinds of questions that several formats share. */

export type QuestionData = JsonObject & { type: string };

/** A question, with a note for each loss: its code and subject. */
export interface Built {
  data: QuestionData;
  notes: [code: NoteCode, was: string][];
}

/** A choice. Fractions are shares of the points: 1 is all of them. */
export interface Option {
  html: string;
  fraction: number;
  feedback?: string;
}

interface ChoiceOptions {
  stimulus: string;
  points: number;
  shuffle?: boolean;
  isMultiple?: boolean;
  /** The maximum number of choices; 0: any number. */
  max?: number;
  horizontal?: boolean;
  /** The numbering of the options, such as `upper-alpha`. */
  numeration?: string;
}

const base = (type: string, stimulus: string): QuestionData => ({ type, ...(stimulus !== '' && { stimulus }) });

/** `metadata` with feedback: of each choice, and of the question. */
export function rationale(perChoice: readonly (string | undefined)[], general = ''): JsonObject {
  const metadata: JsonObject = {
    ...(perChoice.some(Boolean) && {
      distractor_rationale_response_level: perChoice.map((feedback) => feedback ?? ''),
    }),
    ...(general !== '' && { distractor_rationale: general }),
  };
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

/**
 * A choice with any scoring.
 * @param score the points for the choices with these places.
 * @param key places of the right choices, tried first where there are very many.
 */
export function scoredChoice(
  options: readonly Pick<Option, 'html' | 'feedback'>[],
  { stimulus, shuffle, isMultiple = false, max = 0, horizontal, numeration }: Omit<ChoiceOptions, 'points'>,
  key: readonly number[],
  score: (chosen: number[]) => number,
): Built {
  const values = options.map((_, index) => String(index));
  const data: QuestionData = {
    ...base('mcq', stimulus),
    options: options.map(({ html }, index) => ({ label: html, value: values[index]! })),
    ...(isMultiple && { multiple_responses: true }),
    ...(shuffle && { shuffle_options: true }),
    ui_style: {
      type: horizontal ? 'horizontal' : numeration ? 'block' : 'standard',
      ...(horizontal && { columns: options.length }),
      ...(numeration && { choice_label: numeration }),
    },
    ...rationale(options.map(({ feedback }) => feedback)),
  };
  const { sets, isAll } = subsets(values, isMultiple ? max : 1, key.map(String));
  const trials = sets.map((set): Trial => ({
    value: set,
    score: set.length === 0 ? 0 : score(set.map(Number)),
    parts: values.map((value) => (set.includes(value) ? value : null)),
  }));
  const rule = fittingRule(data, trials, isAll);
  if (rule) return { data: { ...data, ...rule }, notes: [] };
  return {
    data,
    notes: [['scoring-lost', key.length === 0 ? 'no choice is right' : 'no rule here gives the same points']],
  };
}

/**
 * Single and multiple choice. A single choice earns its fraction. Several choices earn the sum, limited to 0 and all
 * points.
 */
export function choiceQuestion(options: readonly Option[], { points, ...how }: ChoiceOptions): Built {
  const key = options.flatMap(({ fraction }, index) => (fraction > 0 ? index : []));
  const built = (fractions: readonly number[]): Built =>
    scoredChoice(options, how, key, (chosen) => {
      const sum = chosen.reduce((total, index) => total + fractions[index]!, 0);
      return points * (how.isMultiple ? Math.min(Math.max(sum, 0), 1) : sum);
    });
  const fractions = options.map(({ fraction }) => fraction);
  const exact = built(fractions);
  if (exact.notes.length === 0 || fractions.every((fraction) => fraction >= 0)) return exact;
  const near = built(fractions.map((fraction) => Math.max(fraction, 0)));
  return near.notes.length > 0
    ? exact
    : { ...near, notes: [['penalty-dropped', 'a wrong choice costs points in the source']] };
}

/** A question that is worth these points. Without points, no response needs a score. */
export function withPoints<T extends Built | undefined>(points: number, convert: (points: number) => T): T | Built {
  const built = convert(points);
  if (!built || points !== 0) return built;
  const isLost = built.notes.some(([code]) => code === 'scoring-lost');
  if (!isLost && !built.data.validation) return built;
  return {
    data: { ...built.data, validation: { unscored: true } },
    notes: built.notes.filter(([code]) => NOTES[code].consequence !== 'score'),
  };
}

const TOO_MANY: Built['notes'][number] = ['scoring-lost', `it has more than ${MAX_ALTERNATIVES} right answers`];

interface TextAnswer {
  text: string;
  fraction: number;
  /** Whether the text may be anywhere in the response. */
  isPart?: boolean;
}

/**
 * The texts of answers in which an asterisk stands for any text, and the first matching answer counts.
 * @param approximated is called for each answer with wildcards that cannot be kept.
 */
export function acceptedTexts<T extends { written: string; fraction: number }>(
  answers: readonly T[],
  caseSensitive: boolean,
  approximated: (answer: T) => void,
): TextAnswer[] {
  const patterns = answers.map(({ written }) => patternOf(written));
  const isInForce = inForce(patterns, caseSensitive);
  return answers.flatMap((answer, at): TextAnswer[] => {
    const pattern = patterns[at]!;
    const { fraction } = answer;
    if (!isInForce[at]) return [];
    if (!hasWildcard(pattern)) return [{ text: pattern[0]!, fraction }];
    // Nothing is lost with the usual last answer, a lone asterisk without points.
    if (fraction !== 0) approximated(answer);
    const isPart = pattern.length === 3 && pattern[0] === '' && pattern[2] === '' && !isAny(pattern);
    return isPart ? [{ text: pattern[1]!, fraction, isPart }] : [];
  });
}

/** A text in a line of its own. The accepted answer that earns most counts. */
export function textQuestion(
  answers: readonly TextAnswer[],
  { stimulus, points, caseSensitive }: { stimulus: string; points: number; caseSensitive: boolean },
): Built {
  const data: QuestionData = { ...base('shorttext', stimulus), max_length: 250, case_sensitive: caseSensitive };
  const [best, ...others] = [...answers].filter(({ fraction }) => fraction > 0).sort((a, b) => b.fraction - a.fraction);
  const notes: Built['notes'] = [];
  if (answers.some(({ fraction }) => fraction < 0))
    notes.push(['penalty-dropped', 'a wrong text costs points in the source']);
  if (!best) return { data, notes: [...notes, ['scoring-lost', 'no text is right']] };
  if (others.length >= MAX_ALTERNATIVES) return { data, notes: [...notes, TOO_MANY] };
  const response = ({ text, fraction, isPart }: TextAnswer): JsonObject => ({
    score: fraction * points,
    value: text,
    ...(isPart && { matching_rule: 'contains' }),
  });
  const validation: JsonObject = {
    scoring_type: 'exactMatch',
    valid_response: response(best),
    ...(others.length > 0 && { alt_responses: others.map(response) }),
  };
  return { data: { ...data, validation }, notes };
}

export interface NumberAnswer {
  value: number;
  /** The largest accepted difference from the value, inclusive. */
  tolerance: number;
  fraction: number;
}

/** An answer that every number matches. */
export interface AnyNumber {
  value: 'any';
  fraction: number;
}

/** Accepts a number alone, and no calculation with the same value (decision 120). */
export const ONLY_A_NUMBER: JsonObject = { method: 'equivSyntax', options: { syntax: '\\number' } };

/** The rules of a formula that accept a number within its tolerance. */
export const numberRule = ({ value, tolerance }: Pick<NumberAnswer, 'value' | 'tolerance'>): JsonObject[] => [
  { method: 'equivValue', value: tolerance > 0 ? `${plain(value)}\\pm ${plain(tolerance)}` : plain(value) },
  ONLY_A_NUMBER,
];

/** Every source of numbers accepts them with an exponent too. */
export const EXPONENTS: Built['notes'][number] = [
  'scoring-approximated',
  'a number with an exponent, such as 1e3, earns nothing here',
];

/** A number without an exponent. */
function plain(value: number): string {
  if (Math.abs(value) < 1e-6) return withoutEnd(withoutEnd(value.toFixed(20), '0'), '.');
  const [digits = '', exponent] = String(value).split('e+');
  if (exponent === undefined) return digits;
  const [whole = '', fraction = ''] = digits.split('.');
  return whole + fraction.padEnd(Number(exponent), '0');
}

/** A number. The first answer that matches counts. */
export function numberQuestion(
  all: readonly (NumberAnswer | AnyNumber)[],
  { stimulus, points }: { stimulus: string; points: number },
): Built {
  const data = base('formulaV2', stimulus);
  const end = all.findIndex(({ value }) => value === 'any');
  const numbers = (end < 0 ? all : all.slice(0, end)) as NumberAnswer[];
  if (numbers.length > MAX_ALTERNATIVES) return { data, notes: [TOO_MANY] };
  const isOverlapped = (earlier: NumberAnswer, { value, tolerance }: NumberAnswer, by: number): boolean =>
    Math.abs(earlier.value - value) <= earlier.tolerance + by * tolerance;
  const answers = numbers.filter(
    (answer, at) => !numbers.slice(0, at).some((earlier) => isOverlapped(earlier, answer, -1)),
  );
  const accepted = answers
    .filter(({ fraction }) => fraction > 0)
    .sort((a, b) => b.fraction - a.fraction)
    .map((answer): Accepted => ({ value: numberRule(answer), score: answer.fraction * points }));
  const notes: Built['notes'] = [];
  if (answers.some(({ fraction }) => fraction < 0))
    notes.push(['penalty-dropped', 'a wrong number costs points in the source']);
  if (end >= 0 && all[end]!.fraction !== 0) notes.push(['wildcard-approximated', 'any other number']);
  const isRaised = (answer: NumberAnswer, at: number): boolean =>
    answers
      .slice(0, at)
      .some((earlier) => earlier.fraction < answer.fraction && answer.fraction > 0 && isOverlapped(earlier, answer, 1));
  if (answers.some(isRaised))
    notes.push(['scoring-approximated', 'an earlier answer with fewer points overlaps a later one']);
  const [best, ...others] = accepted;
  if (!best) return { data, notes: [...notes, ['scoring-lost', 'no number is right']] };
  notes.push(EXPONENTS);
  return { data: { ...data, validation: validationOf('exactMatch', [best, ...others]) }, notes };
}

/** Stems with one response each. All points are shared between the stems. */
export function matchQuestion(
  pairs: readonly { stem: string; response: string }[],
  distractors: readonly string[],
  { stimulus, points, shuffle }: { stimulus: string; points: number; shuffle?: boolean },
): Built {
  const responses = pairs.map(({ response }) => response);
  const data: QuestionData = {
    ...base('association', stimulus),
    stimulus_list: pairs.map(({ stem }) => stem),
    possible_responses: [...new Set([...responses, ...distractors])],
    ...(new Set(responses).size < responses.length && { duplicate_responses: true }),
    ...(shuffle && { shuffle_options: true }),
    validation: validationOf('partialMatchV2', [{ value: responses, score: points }], { rounding: 'none' }),
  };
  return { data, notes: [] };
}

/** Entries in their right order. The question shows them in another order, which is always the same. */
function orderQuestion(
  entries: readonly string[],
  { stimulus, validation }: { stimulus: string; validation: (value: number[]) => JsonObject | undefined },
): QuestionData {
  // Every second entry, then the others: an order that is never the right one, where there are more than two entries.
  const shown = entries.map((_, index) => index);
  const shuffled = [...shown.filter((index) => index % 2 === 1), ...shown.filter((index) => index % 2 === 0)];
  const rule = validation(entries.map((_, index) => shuffled.indexOf(index)));
  return {
    ...base('orderlist', stimulus),
    list: shuffled.map((index) => entries[index]!),
    ...(rule && { validation: rule }),
  };
}

const ALL_OR_NOTHING = ['-1', 'ALL_OR_NOTHING'];
const ABSOLUTE_POSITION = ['0', 'ABSOLUTE_POSITION'];
const RELATIVE_NEXT = ['1', 'RELATIVE_NEXT_EXCLUDE_LAST'];

/** An ordering question with one of Moodle's ways of scoring. */
export function gradedOrder(
  entries: readonly string[],
  { stimulus, points, grading }: { stimulus: string; points: number; grading: string },
): Built {
  const notes: Built['notes'] = [];
  const data = orderQuestion(entries, {
    stimulus,
    validation: (value) => {
      if (ALL_OR_NOTHING.includes(grading)) return validationOf('exactMatch', [{ value, score: points }]);
      if (ABSOLUTE_POSITION.includes(grading))
        return validationOf('partialMatchV2', [{ value, score: points }], { rounding: 'none' });
      if (RELATIVE_NEXT.includes(grading))
        return validationOf('partialMatchPairwise', [{ value, score: points / Math.max(entries.length - 1, 1) }]);
      notes.push(['scoring-lost', `the grading ${grading}`]);
      return undefined;
    },
  });
  return { data, notes };
}

/** An answer that a person scores. */
export function essayQuestion(
  stimulus: string,
  points: number,
  { isPlain = false, maxWords }: { isPlain?: boolean; maxWords?: number } = {},
): QuestionData {
  return {
    ...base(isPlain ? 'plaintext' : 'longtextV2', stimulus),
    ...(maxWords !== undefined && { max_length: maxWords }),
    ...(points > 0 && { validation: { max_score: points } }),
  };
}

export const passage = (content: string): QuestionData => ({ type: 'sharedpassage', content });

const LATEX = /\\\\[([]|<math[\s>]/;

/** The data, with `is_math` if it contains mathematics, so that pages typeset it. */
export const withMath = (data: QuestionData): QuestionData =>
  LATEX.test(JSON.stringify(data)) ? { ...data, is_math: true } : data;
