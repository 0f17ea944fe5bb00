import { sum } from './building';
import { type Formula, mapParts, type Sign, someWithin } from './formula';

/** Whether a formula stands for two: one for the upper and one for the lower signs of all its ± and ∓. */
export function hasBranches(formula: Formula): boolean {
  return someWithin(
    formula,
    (part) =>
      part.kind === 'either' || (part.kind === 'sum' && part.signs.some((sign) => plainSign(sign, 'upper') !== sign)),
  );
}

/** The formula of the upper or the lower signs. */
export function branchOf(formula: Formula, branch: 'upper' | 'lower'): Formula {
  const part = (each: Formula) => branchOf(each, branch);
  if (formula.kind === 'either') return sum([plainSign(formula.sign, branch)], [part(formula.of)]);
  if (formula.kind === 'sum')
    return sum(
      formula.signs.map((sign) => plainSign(sign, branch)),
      formula.terms.map(part),
    );
  return mapParts(formula, part);
}

function plainSign(sign: Sign, branch: 'upper' | 'lower'): '+' | '-' {
  if (sign === '±') return branch === 'upper' ? '+' : '-';
  if (sign === '∓') return branch === 'upper' ? '-' : '+';
  return sign;
}
