import { Fraction } from './rational';
import { evaluate } from './evaluation';
import type { Formula } from './notation/formula';
import { unitOf } from './units';

/** Units by name, with exponents other than 0. */
export type Measure = ReadonlyMap<string, number>;

/** The units of a quantity; undefined for other formulas, such as a sum of unlike units or a unit in an exponent. */
export function measureOf(formula: Formula): Measure | undefined {
  switch (formula.kind) {
    case 'text':
      // A text that names no unit names what is counted: 3 apples.
      return new Map([[unitOf(formula.text)?.name ?? formula.text, 1]]);
    case 'number':
    case 'mixed':
    case 'symbol':
      return new Map();
    case 'negative':
    case 'either':
      return measureOf(formula.of);
    case 'product':
      return formula.factors.reduce<Measure | undefined>(
        (total, factor) => combined(total, measureOf(factor), 1),
        new Map(),
      );
    case 'quotient':
      return combined(measureOf(formula.numerator), measureOf(formula.denominator), -1);
    case 'power': {
      const exponent = evaluate(formula.exponent, NOTHING).exact?.valueOf();
      const base = measureOf(formula.base);
      if (base?.size === 0) return base;
      return exponent === undefined ? undefined : combined(new Map(), base, exponent);
    }
    case 'sum': {
      const [first, ...others] = formula.terms.map(measureOf);
      return others.every((other) => other && first && writing(other) === writing(first)) ? first : undefined;
    }
    case 'root':
    case 'call':
      return (formula.kind === 'root' ? [formula.of] : formula.arguments).every((part) => measureOf(part)?.size === 0)
        ? new Map()
        : undefined;
    default:
      return undefined;
  }
}

const NOTHING = { onlyLetters: false, real: false, valueOf: () => new Fraction(1) } as const;

function combined(total: Measure | undefined, more: Measure | undefined, times: number): Measure | undefined {
  if (!total || !more) return undefined;
  const result = new Map(total);
  for (const [name, exponent] of more) {
    const sum = (result.get(name) ?? 0) + times * exponent;
    if (sum === 0) result.delete(name);
    else result.set(name, sum);
  }
  return result;
}

function writing(measure: Measure): string {
  return [...measure]
    .map(([name, exponent]) => `${name}^${exponent}`)
    .sort()
    .join(' ');
}
