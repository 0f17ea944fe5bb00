import { product, sum } from './building';
import { type Formula, mapParts, type Sign } from './formula';
import { unreadable } from './notation-error';

/** Replaces an ignored text. */
export const LEFT_OUT: Formula & { kind: 'text' } = { kind: 'text', text: '' };

/**
 * The formula without its texts, their exponents and their fractions.
 * @throws NotationError where nothing is left, or numbers would become adjacent: 2 \text{ and } 3
 */
export function withoutTexts(formula: Formula): Formula {
  const left = reduced(formula);
  if (!left) throw unreadable('it is empty');
  return left;
}

function reduced(formula: Formula): Formula | undefined {
  if (formula === LEFT_OUT) return undefined;
  switch (formula.kind) {
    case 'product':
      return reducedProduct(formula.factors);
    case 'quotient': {
      const [numerator, denominator] = [reduced(formula.numerator), reduced(formula.denominator)];
      if (!denominator) return numerator;
      return { kind: 'quotient', numerator: numerator ?? { kind: 'number', whole: '1' }, denominator };
    }
    case 'power': {
      const base = reduced(formula.base);
      return base && { ...formula, base, exponent: withoutTexts(formula.exponent) };
    }
    case 'negative':
    case 'either': {
      const of = reduced(formula.of);
      return of && { ...formula, of };
    }
    case 'sum':
      return reducedSum(formula);
    default:
      // A side of an equation that was only text stays empty: \text{area} = 5.
      return mapParts(formula, withoutTexts);
  }
}

function reducedProduct(factors: readonly Formula[]): Formula | undefined {
  const left: Formula[] = [];
  let isApart = false;
  for (const factor of factors) {
    const kept = reduced(factor);
    if (kept && isApart && isNumber(kept) && left.length > 0 && isNumber(left.at(-1))) {
      throw unreadable('without its texts it has two numbers beside each other');
    }
    isApart = !kept;
    if (kept) left.push(kept);
  }
  return left.length === 0 ? undefined : left.reduce(product);
}

const isNumber = (formula: Formula | undefined) => formula?.kind === 'number' || formula?.kind === 'mixed';

function reducedSum({ signs, terms }: Formula & { kind: 'sum' }): Formula | undefined {
  const left = { signs: [] as Sign[], terms: [] as Formula[] };
  terms.forEach((term, at) => {
    const kept = reduced(term);
    if (!kept) return;
    left.terms.push(kept);
    left.signs.push(signs[at] ?? '+');
  });
  return left.terms.length === 0 ? undefined : sum(left.signs, left.terms);
}
