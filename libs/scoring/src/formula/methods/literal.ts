import { withoutEnd } from '#kernel';
import { type Match, no, yes } from '../comparison/functions';
import { product } from '../notation/building';
import { type Formula, mapParts, writtenAs } from '../notation/formula';
import type { FormulaOptions } from '../rule';

/** equivLiteral: written identically, except for notation that formulas do not keep. */
export function matchLiterally(value: Formula, response: Formula, options: FormulaOptions): Match {
  const [accepted, own] = [value, response].map((formula) => writtenAs(withoutTrifles(formula, options)));
  if (accepted === own) return yes('is written as the accepted answer');
  return no('is written in another way than the accepted answer');
}

function withoutTrifles(formula: Formula, options: FormulaOptions): Formula {
  const part = (each: Formula) => withoutTrifles(each, options);
  switch (formula.kind) {
    case 'number': {
      const decimals =
        options.ignoreTrailingZeros && !formula.repeating
          ? formula.decimals && withoutEnd(formula.decimals, '0')
          : formula.decimals;
      return decimals === '' && !formula.repeating
        ? { kind: 'number', whole: formula.whole }
        : { ...formula, decimals };
    }
    case 'product': {
      const factors = formula.factors.map(part);
      if (!options.ignoreCoefficientOne) return { kind: 'product', factors };
      const others = factors.filter((factor, at) => at !== 0 || writtenAs(factor) !== '1');
      return others.slice(1).reduce(product, others[0] as Formula);
    }
    default:
      return mapParts(formula, part);
  }
}
