import { LIMITS } from '../limits';
import { tooLarge } from './notation-error';

/** The sign before a term of a sum. `±` and `∓` mean two sums, in which all of these signs switch together. */
export type Sign = '+' | '-' | '±' | '∓';

export type RelationSign = '=' | '<' | '>' | '≤' | '≥' | '≠' | '≈';

/**
 * The structure of a formula, in the order written. It drops brackets, spaces, the multiplication sign and the style of
 * a fraction. Nothing is calculated, reordered or simplified.
 */
export type Formula =
  | NumberFormula
  | { kind: 'symbol'; name: string }
  /** `\text{…}`: words, or a unit. */
  | { kind: 'text'; text: string }
  /** An integer directly before a fraction of integers: 3½. */
  | { kind: 'mixed'; whole: NumberFormula; numerator: NumberFormula; denominator: NumberFormula }
  | { kind: 'sum'; signs: readonly Sign[]; terms: readonly Formula[] }
  | { kind: 'negative'; of: Formula }
  /** ±a or ∓a. */
  | { kind: 'either'; sign: '±' | '∓'; of: Formula }
  | { kind: 'product'; factors: readonly Formula[] }
  | { kind: 'quotient'; numerator: Formula; denominator: Formula }
  | { kind: 'power'; base: Formula; exponent: Formula }
  | { kind: 'root'; of: Formula; index?: Formula }
  | { kind: 'call'; name: string; arguments: readonly Formula[] }
  /** `,` or `;` between formulas. */
  | { kind: 'list'; entries: readonly Formula[] }
  | { kind: 'set'; entries: readonly Formula[] }
  /** A point or an interval. */
  | { kind: 'tuple'; open: string; entries: readonly Formula[]; close: string }
  | { kind: 'relation'; signs: readonly RelationSign[]; sides: readonly Formula[] }
  /** Relations joined by "and" or "or". */
  | { kind: 'joined'; by: 'and' | 'or'; entries: readonly Formula[] };

/** A number as written, without thousands separators and leading zeros. */
export interface NumberFormula {
  kind: 'number';
  whole: string;
  /** The digits after the decimal separator; undefined without one. */
  decimals?: string;
  /** The repeating digits after `decimals`. */
  repeating?: string;
}

/** The direct parts of a formula. */
export function partsOf(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'number':
    case 'symbol':
    case 'text':
      return [];
    case 'mixed':
      return [formula.whole, formula.numerator, formula.denominator];
    case 'sum':
      return formula.terms;
    case 'negative':
    case 'either':
      return [formula.of];
    case 'product':
      return formula.factors;
    case 'quotient':
      return [formula.numerator, formula.denominator];
    case 'power':
      return [formula.base, formula.exponent];
    case 'root':
      return formula.index ? [formula.of, formula.index] : [formula.of];
    case 'call':
      return formula.arguments;
    case 'list':
    case 'set':
    case 'tuple':
    case 'joined':
      return formula.entries;
    case 'relation':
      return formula.sides;
  }
}

/** The same formula with changed parts. The parts of a mixed number stay unchanged. */
export function mapParts(formula: Formula, change: (part: Formula) => Formula): Formula {
  switch (formula.kind) {
    case 'sum':
      return { ...formula, terms: formula.terms.map(change) };
    case 'negative':
    case 'either':
      return { ...formula, of: change(formula.of) };
    case 'product':
      return { ...formula, factors: formula.factors.map(change) };
    case 'quotient':
      return { ...formula, numerator: change(formula.numerator), denominator: change(formula.denominator) };
    case 'power':
      return { ...formula, base: change(formula.base), exponent: change(formula.exponent) };
    case 'root':
      return { ...formula, of: change(formula.of), ...(formula.index ? { index: change(formula.index) } : {}) };
    case 'call':
      return { ...formula, arguments: formula.arguments.map(change) };
    case 'list':
    case 'set':
    case 'tuple':
    case 'joined':
      return { ...formula, entries: formula.entries.map(change) };
    case 'relation':
      return { ...formula, sides: formula.sides.map(change) };
    default:
      return formula;
  }
}

export function someWithin(formula: Formula, is: (part: Formula) => boolean): boolean {
  return is(formula) || partsOf(formula).some((part) => someWithin(part, is));
}

/** The letters of a formula that have values, each once, sorted. */
export function symbolsOf(formula: Formula): string[] {
  const names = new Set<string>();
  const visit = (part: Formula) => {
    if (part.kind === 'symbol') names.add(part.name);
    partsOf(part).forEach(visit);
  };
  visit(formula);
  return [...names].sort();
}

/** @throws NotationError for a formula with too many nodes or letters. */
export function checkSize(formula: Formula): void {
  let nodes = 0;
  const visit = (part: Formula) => {
    nodes += 1;
    if (nodes > LIMITS.nodes) throw tooLarge(`it has more than ${LIMITS.nodes} numbers, letters and operations`);
    partsOf(part).forEach(visit);
  };
  visit(formula);
  if (symbolsOf(formula).length > LIMITS.variables) {
    throw tooLarge(`it has more than ${LIMITS.variables} different letters`);
  }
}

/**
 * A text that is equal exactly for formulas that are written identically.
 * @param ordered whether the order of terms and factors is ignored
 */
export function writtenAs(formula: Formula, ordered = false): string {
  const part = (each: Formula) => writtenAs(each, ordered);
  const inOrder = (parts: string[]) => (ordered ? parts.sort() : parts).join(' ');
  const all = (parts: readonly Formula[]) => parts.map(part).join(' ');
  switch (formula.kind) {
    case 'number': {
      const decimals = formula.decimals === undefined ? '' : `.${formula.decimals}`;
      return `${formula.whole}${decimals}${formula.repeating ? `(${formula.repeating})` : ''}`;
    }
    case 'symbol':
      return formula.name;
    case 'text':
      return JSON.stringify(formula.text);
    case 'sum':
      return `(sum ${inOrder(formula.terms.map((term, at) => `${formula.signs[at] ?? '+'}${part(term)}`))})`;
    case 'product':
      return `(product ${inOrder(formula.factors.map(part))})`;
    case 'either':
      return `(${formula.sign} ${part(formula.of)})`;
    case 'call':
      return `(call ${formula.name} ${all(formula.arguments)})`;
    case 'tuple':
      return `(tuple ${formula.open} ${all(formula.entries)} ${formula.close})`;
    case 'joined':
      return `(${formula.by} ${inOrder(formula.entries.map(part))})`;
    case 'relation':
      return `(relation ${formula.signs.join('')} ${all(formula.sides)})`;
    default:
      return `(${formula.kind} ${all(partsOf(formula))})`;
  }
}
