import type { Formula, Sign } from './formula';

// Removes brackets without effect: (ab)c becomes abc, and a + (b + c) becomes a + b + c.

export function product(left: Formula, right: Formula): Formula {
  const factors = [
    ...(left.kind === 'product' ? left.factors : [left]),
    ...(right.kind === 'product' ? right.factors : [right]),
  ];
  return { kind: 'product', factors };
}

export function negative(of: Formula): Formula {
  return { kind: 'negative', of };
}

/** @param signs one per term; a leading `+` is dropped */
export function sum(signs: readonly Sign[], terms: readonly Formula[]): Formula {
  const [term] = terms;
  const [sign] = signs;
  if (term && terms.length === 1) {
    if (sign === '+' || sign === undefined) return term;
    return sign === '-' ? negative(term) : { kind: 'either', sign, of: term };
  }
  const all = { signs: [] as Sign[], terms: [] as Formula[] };
  terms.forEach((each, place) => {
    const own = signs[place] ?? '+';
    if (own === '+' && each.kind === 'sum') {
      all.signs.push(...each.signs);
      all.terms.push(...each.terms);
    } else {
      all.signs.push(own);
      all.terms.push(each);
    }
  });
  return { kind: 'sum', ...all };
}
