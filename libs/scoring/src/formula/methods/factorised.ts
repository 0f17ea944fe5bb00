import { type Match, no, undecided, yes } from '../comparison/functions';
import { LIMITS } from '../limits';
import { type Formula, someWithin } from '../notation/formula';
import { commonLetters, contentOf, polynomialOf } from '../polynomial';
import { type Field, isReducible } from '../polynomial-factors';

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['', 'rational'],
  ['integer', 'rational'],
  ['rational', 'rational'],
  ['real', 'real'],
  ['complex', 'complex'],
]);

/** The field with this name; undefined for an unknown name. */
export function fieldOf(name: string): Field | undefined {
  return FIELDS.get(name.toLowerCase().replace(/^\\|s$/g, ''));
}

/**
 * isFactorised: the response is a product. Its factors cannot be factorised further over the field, and their terms
 * share no number or letter. Without a field, the coefficients are rational.
 */
export function matchFactorised(response: Formula, fieldName: string): Match {
  const field = fieldOf(fieldName);
  if (!field)
    return undecided(`could not be decided: the field "${fieldName}" is none of integer, rational, real and complex`);
  let open: Match | undefined;
  for (const factor of factorsOf(response)) {
    const match = unfactorised(factor, field);
    if (match?.matches === false) return match;
    open ??= match;
  }
  return open ?? yes('is factorised');
}

/** The factors of a product, without numbers and exponents. */
function factorsOf(formula: Formula): Formula[] {
  switch (formula.kind) {
    case 'product':
      return formula.factors.flatMap(factorsOf);
    case 'quotient':
      return [...factorsOf(formula.numerator), ...factorsOf(formula.denominator)];
    case 'power':
      return factorsOf(formula.base);
    case 'negative':
      return factorsOf(formula.of);
    case 'relation':
      return formula.sides.flatMap(factorsOf);
    case 'list':
      return formula.entries.flatMap(factorsOf);
    case 'sum':
      return someWithin(formula, ({ kind }) => kind === 'symbol') ? [formula] : [];
    default:
      return [];
  }
}

/** Why a sum is not an irreducible factor. */
function unfactorised(factor: Formula, field: Field): Match | undefined {
  const polynomial = polynomialOf(factor);
  if (!polynomial)
    return undecided(
      'could not be decided: it has a sum that is not a polynomial of a degree up to ' + String(LIMITS.degree),
    );
  const content = contentOf(polynomial);
  if (content > 1n) return no(`has a sum whose terms all can be divided by ${content}`);
  const [letter] = commonLetters(polynomial).keys();
  if (letter !== undefined && polynomial.size > 1) return no(`has a sum whose terms all can be divided by ${letter}`);
  const reducible = isReducible(polynomial, field);
  if (reducible) return no('has a sum that can be written as a product');
  return reducible === undefined
    ? undecided('could not be decided: it has a sum of which it is not known whether it is a product')
    : undefined;
}
