import { sum } from './building';
import { type Formula, mapParts, type Sign, someWithin } from './formula';

/** Whether a formula contains ± or ∓ and so means two formulas: one with all upper and one with all lower signs. */
export function hasBranches(formula: Formula): boolean {
  return someWithin(
    formula,
    (part) =>
      part.kind === 'either' || (part.kind === 'sum' && part.signs.some((sign) => plainSign(sign, 'upper') !== sign)),
  );
}

/** The formula with all upper or all lower signs. */
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
