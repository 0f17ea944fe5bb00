import { type Match, no, undecided, yes } from '../comparison/functions';
import { approximate } from '../arithmetic';
import { evaluate, numberOf } from '../evaluation';
import { type Formula, type NumberFormula, partsOf, someWithin, writtenAs } from '../notation/formula';
import { contentOf, gcd, polynomialOf } from '../polynomial';
import { haveCommonFactor } from '../polynomial-factors';
import { assignmentAt } from '../sampling';

/**
 * isSimplified: nothing is left that school mathematics simplifies: calculate with numbers, reduce fractions, collect
 * like terms, combine powers of the same base, draw squares out of roots, leave out ones and zeros. A product may be
 * expanded or not.
 */
export function matchSimplified(response: Formula): Match {
  const reason = simplifiable(response);
  if (reason) return no(reason);
  if (
    someWithin(
      response,
      (part) => part.kind === 'quotient' && someWithin(part.denominator, ({ kind }) => kind === 'root'),
    )
  ) {
    return undecided('has a root under a fraction line, which some allow and some do not');
  }
  return yes('cannot be simplified');
}

/** The first part that can be simplified, from the outside inwards. */
function simplifiable(formula: Formula): string | undefined {
  const own = simplifiableItself(formula);
  if (own) return own;
  for (const part of partsOf(formula)) {
    const reason = simplifiable(part);
    if (reason) return reason;
  }
  return undefined;
}

function simplifiableItself(formula: Formula): string | undefined {
  switch (formula.kind) {
    case 'mixed':
      return simplifiableMixed(formula);
    case 'sum':
      return simplifiableSum(formula);
    case 'negative':
      return formula.of.kind === 'negative' || isZero(formula.of) ? 'has a sign that can be left out' : undefined;
    case 'product':
      return simplifiableProduct(formula.factors);
    case 'quotient':
      return simplifiableQuotient(formula);
    case 'power':
      return simplifiablePower(formula);
    case 'root':
      return simplifiableRoot(formula);
    case 'call':
      return simplifiableCall(formula);
    default:
      return undefined;
  }
}

function simplifiableMixed({ numerator, denominator }: Formula & { kind: 'mixed' }): string | undefined {
  const [above, below] = [BigInt(numerator.whole), BigInt(denominator.whole)];
  if (above >= below) return 'has a mixed number whose fraction is not less than one';
  return gcd(above, below) === 1n ? undefined : 'has a fraction that can be reduced';
}

function simplifiableSum(formula: Formula & { kind: 'sum' }): string | undefined {
  const { terms } = formula;
  if (terms.some(isZero)) return 'adds zero';
  if (terms.some((term, at) => at > 0 && term.kind === 'negative')) return 'has two signs where one would do';
  if (terms.filter(isNumeric).length > 1) return 'has numbers that can be added';
  const alike = new Set(terms.map((term) => lettersOf(term)));
  if (alike.size < terms.length) return 'has like terms that can be collected';
  const polynomial = polynomialOf(formula);
  if (!polynomial) return undefined;
  const plain = terms.every((term) => polynomialOf(term)?.size === 1);
  const collectable = plain ? polynomial.size < terms.length : polynomial.size <= terms.length;
  return collectable ? 'has like terms that can be collected' : undefined;
}

/** A term without its number. */
function lettersOf(term: Formula): string {
  if (term.kind === 'negative' || term.kind === 'either') return lettersOf(term.of);
  if (isNumeric(term)) return '';
  if (term.kind === 'quotient' && isNumeric(term.denominator)) return lettersOf(term.numerator);
  if (term.kind !== 'product') return writtenAs(term);
  return term.factors
    .filter((factor) => !isNumeric(factor))
    .map((factor) => writtenAs(factor))
    .sort()
    .join(' ');
}

function simplifiableProduct(factors: readonly Formula[]): string | undefined {
  // A quantity keeps its number, even 1 or 0: 1 m.
  if (!isQuantity(factors)) {
    if (factors.some((factor) => writtenAs(factor) === '1')) return 'has a factor 1 that can be left out';
    if (factors.some(isZero)) return 'has a factor 0';
  }
  if (factors.some((factor) => factor.kind === 'negative')) return 'has a sign within a product';
  if (factors.filter(isNumeric).length > 1 && !isScientific(factors)) return 'has numbers that can be multiplied';
  const bases = factors
    .filter((factor) => !isNumeric(factor))
    .map((factor) => writtenAs(factor.kind === 'power' ? factor.base : factor));
  if (new Set(bases).size < bases.length) return 'has factors of the same base that can be put together';
  const quotient = factors.find((factor) => factor.kind === 'quotient');
  const others: Formula = { kind: 'product', factors: factors.filter((factor) => factor !== quotient) };
  return quotient && sharesFactor(others, quotient.denominator) ? 'has a fraction that can be reduced' : undefined;
}

function isQuantity([number, ...units]: readonly Formula[]): boolean {
  const isText = (factor: Formula) => (factor.kind === 'power' ? factor.base : factor).kind === 'text';
  return number?.kind === 'number' && units.every(isText);
}

/** 3 · 10⁸ is the simple form of a large number. */
function isScientific([mantissa, power, ...others]: readonly Formula[]): boolean {
  return (
    others.length === 0 && mantissa?.kind === 'number' && power?.kind === 'power' && writtenAs(power.base) === '10'
  );
}

function simplifiableQuotient({ numerator, denominator }: Formula & { kind: 'quotient' }): string | undefined {
  if (numerator.kind === 'quotient' || denominator.kind === 'quotient') return 'has a fraction within a fraction';
  if (isZero(numerator)) return 'has a fraction that is zero';
  if (writtenAs(denominator) === '1') return 'has a denominator 1 that can be left out';
  if (denominator.kind === 'negative') return 'has a sign in a denominator';
  const decimals = [numerator, denominator].some((part) => part.kind === 'number' && part.decimals !== undefined);
  if (decimals && isNumeric(numerator) && isNumeric(denominator)) return 'has a division that can be carried out';
  return sharesFactor(numerator, denominator) ? 'has a fraction that can be reduced' : undefined;
}

function sharesFactor(numerator: Formula, denominator: Formula): boolean {
  const [above, below] = [polynomialOf(numerator), polynomialOf(denominator)];
  if (!above || !below || above.size === 0 || below.size === 0) return false;
  if (gcd(contentOf(above), contentOf(below)) !== 1n) return true;
  return haveCommonFactor(above, below);
}

function simplifiablePower({ base, exponent }: Formula & { kind: 'power' }): string | undefined {
  const written = writtenAs(exponent);
  if (written === '0' || written === '1') return `has an exponent ${written} that can be left out`;
  if (base.kind === 'power') return 'has a power of a power';
  const number = base.kind === 'negative' ? base.of : base;
  if (!isNumeric(number) || integerOf(exponent) === undefined) return undefined;
  if (writtenAs(number) === '10') return undefined;
  // A power too long to write out is already simple.
  const { exact } = evaluate({ kind: 'power', base: number, exponent }, assignmentAt(0, false));
  return exact && exact.n < 10n ** 9n && exact.d < 10n ** 9n
    ? 'has a power of a number that can be calculated'
    : undefined;
}

function simplifiableRoot({ of, index }: Formula & { kind: 'root' }): string | undefined {
  const degree = index ? integerOf(index) : 2n;
  if (degree === undefined || degree < 2n || degree > 20n) return undefined;
  if (of.kind === 'power' && writtenAs(of.exponent) === String(degree)) return 'has a root of the same power';
  const coefficient = of.kind === 'product' ? of.factors.find((factor) => factor.kind === 'number') : of;
  const number = coefficient && integerOf(coefficient);
  if (number === undefined) return undefined;
  if (number < 2n) return 'has a root that can be calculated';
  for (let factor = 2n; factor ** degree <= number && factor < 2_000n; factor += 1n) {
    if (number % factor ** degree === 0n) return 'has a root from which a factor can be drawn';
  }
  return undefined;
}

/** A function whose value is a plain number. */
function simplifiableCall({ name, arguments: parameters }: Formula & { kind: 'call' }): string | undefined {
  if (
    name === 'percent' ||
    parameters.some((part) => someWithin(part, ({ kind, ...rest }) => kind === 'symbol' && !isConstantName(rest)))
  ) {
    return undefined;
  }
  const { z } = approximate(evaluate({ kind: 'call', name, arguments: parameters }, assignmentAt(0, false)));
  const twelfths = z.re * 12;
  const plain =
    Math.abs(z.im) < 1e-12 && Math.abs(twelfths - Math.round(twelfths)) < 1e-10 * Math.max(1, Math.abs(twelfths));
  return plain ? 'has a function whose value can be calculated' : undefined;
}

function isConstantName(part: object): boolean {
  return 'name' in part && (part.name === '\\pi' || part.name === 'e');
}

function isNumeric(formula: Formula): boolean {
  if (formula.kind === 'negative') return isNumeric(formula.of);
  if (formula.kind === 'quotient') return isNumeric(formula.numerator) && isNumeric(formula.denominator);
  if (formula.kind === 'power') return isNumeric(formula.base) && isNumeric(formula.exponent);
  return formula.kind === 'number' || formula.kind === 'mixed';
}

function isZero(formula: Formula): boolean {
  return formula.kind === 'number' && numberOf(formula).equals(0);
}

function integerOf(formula: Formula | NumberFormula): bigint | undefined {
  return formula.kind === 'number' && formula.decimals === undefined ? BigInt(formula.whole) : undefined;
}
