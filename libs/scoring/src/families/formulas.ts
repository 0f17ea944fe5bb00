import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Family, type Part, reader, shown } from '../comparison';
import { type FormulaRule, matchFormula } from '../formula';
import { isObject } from '../members';
import { entriesOf, type Scalar, single } from './keys';

/** The learner's formulas, one per blank; null for an empty blank. */
type Formulas = (string | null)[];

/** Comparing a formula takes milliseconds; all other comparisons take microseconds. */
const STEPS_OF_A_RULE = 5000;

/** formulaV2: one formula. An accepted answer is a list of rules that must all hold. */
export const formula: Family = (_, { answers }) => {
  const rules = new Map(answers.map((answer) => [answer, rulesOf(answer.value)]));
  return reader<Formulas>(answers, {
    read: (value) => {
      const text = single(value);
      return text === undefined ? undefined : [textOf(text)];
    },
    isEmpty: ([text]) => text === null,
    size: () => STEPS_OF_A_RULE * most([...rules.values()]),
    prepare: (answer) => {
      const all = rules.get(answer)!;
      return ([text]) => ({ total: all.length > 0 ? 1 : 0, parts: [compare(0, text!, all)] });
    },
  });
};

/** clozeformula and clozeformulaV2: the parts are the blanks, each with its own list of rules. */
export const formulaBlanks: Family = (_, { answers }) => {
  const blanks = new Map(answers.map((answer) => [answer, blanksOf(answer)]));
  return reader<Formulas>(answers, {
    read: (value) => {
      const entries = entriesOf(value).map((entry) => single(entry));
      return entries.every((entry) => entry !== undefined) ? entries.map(textOf) : undefined;
    },
    isEmpty: (given) => given.every((text) => text === null),
    size: (given) => given.length + STEPS_OF_A_RULE * most([...blanks.values()].map((lists) => lists.flat())),
    prepare: (answer) => {
      const accepted = blanks.get(answer)!;
      const total = accepted.filter((rules) => rules.length > 0).length;
      return (given) => {
        const parts: Part[] = [];
        for (let at = 0; at < Math.max(accepted.length, given.length); at++) {
          const text = given[at] ?? null;
          const rules = accepted[at] ?? [];
          if (text !== null) parts.push(compare(at, text, rules));
          else if (rules.length > 0) parts.push({ at, verdict: 'empty', given: null, accepted: spelled(rules) });
        }
        return { total, parts };
      };
    },
  });
};

function textOf(value: Scalar): string | null {
  const text = value === null ? '' : String(value);
  return text.trim() === '' ? null : text;
}

function most(lists: readonly unknown[][]): number {
  return lists.reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Accepts a rule without a list, and a text alone, which is a rule with the default method. */
export function rulesOf(value: Json): FormulaRule[] {
  return entriesOf(value).flatMap((rule): FormulaRule[] => {
    if (typeof rule === 'string' && rule.trim() !== '') return [{ value: rule }];
    return isObject(rule) ? [rule] : [];
  });
}

/** In the form before 2015 a blank lists its accepted formulas; only the first one counts. */
export function blanksOf({ value }: AcceptedAnswer): FormulaRule[][] {
  return entriesOf(value).map((blank) => (blank === null ? [] : rulesOf(blank)));
}

function compare(at: number, given: string, rules: readonly FormulaRule[]): Part {
  const part: Part = { at, verdict: 'right', given: shown(given), accepted: spelled(rules) };
  if (rules.length === 0) return { ...part, verdict: 'wrong' };
  for (const rule of rules) {
    const { matches, reason } = matchFormula(rule, given);
    if (matches === false) return { ...part, verdict: 'wrong', note: reason };
    if (matches === null) Object.assign(part, { verdict: 'undecided', note: reason });
  }
  return part;
}

function spelled(rules: readonly FormulaRule[]): Json {
  if (rules.length === 0) return null;
  return shown(
    rules.map(({ method, value }) =>
      [method, value].filter((text) => typeof text === 'string' || typeof text === 'number').join(' '),
    ),
  );
}
