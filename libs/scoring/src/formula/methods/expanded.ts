import { type Match, no, yes } from '../comparison/functions';
import { type Formula, someWithin } from '../notation/formula';

/**
 * isExpanded: no brackets are left to multiply out. Functions, roots and exponents are not checked. A fraction may have
 * sums above and below its line unless a number could divide it term by term.
 */
export function matchExpanded(response: Formula): Match {
  const reason = expandable(response);
  return reason ? no(reason) : yes('has no brackets to multiply out');
}

function expandable(formula: Formula): string | undefined {
  switch (formula.kind) {
    case 'sum':
      // The parser keeps no brackets after a plus.
      return formula.terms.some((term) => term.kind === 'sum')
        ? 'has brackets after a sign that could be dissolved'
        : firstOf(formula.terms);
    case 'negative':
    case 'either':
      return formula.of.kind === 'sum' ? 'has brackets after a sign that could be dissolved' : expandable(formula.of);
    case 'product':
      return formula.factors.some(isSum)
        ? 'has a sum in brackets that could be multiplied out'
        : firstOf(formula.factors);
    case 'power':
      return expandablePower(formula);
    case 'quotient':
      if (isSum(formula.numerator) && !hasLetters(formula.denominator))
        return 'has a sum over a number that could be divided term by term';
      return firstOf([formula.numerator, formula.denominator]);
    case 'relation':
      return firstOf(formula.sides);
    case 'list':
    case 'set':
    case 'tuple':
      return firstOf(formula.entries);
    default:
      return undefined;
  }
}

function expandablePower({ base, exponent }: Formula & { kind: 'power' }): string | undefined {
  const integer = exponent.kind === 'number' && exponent.decimals === undefined;
  if (!integer || Number(exponent.whole) < 2) return undefined;
  const composed = ['sum', 'product', 'quotient', 'negative', 'power', 'mixed'].includes(base.kind);
  return composed ? 'has a power of brackets that could be multiplied out' : undefined;
}

function firstOf(parts: readonly Formula[]): string | undefined {
  for (const part of parts) {
    const reason = expandable(part);
    if (reason) return reason;
  }
  return undefined;
}

/** Whether a factor is a sum, also above a line: x · (a + b)/c. */
function isSum(formula: Formula): boolean {
  return formula.kind === 'sum' || (formula.kind === 'quotient' && formula.numerator.kind === 'sum');
}

function hasLetters(formula: Formula): boolean {
  return someWithin(formula, ({ kind }) => kind === 'symbol');
}
