import { compare } from '../comparison/compare';
import { type Comparison, type Match, no, shown, undecided, yes } from '../comparison/functions';
import { agree } from '../comparison/values';
import type { Value } from '../arithmetic';
import { evaluate } from '../evaluation';
import { branchOf, hasBranches } from '../notation/branches';
import { type Formula, symbolsOf, writtenAs } from '../notation/formula';
import { measureOf } from '../quantity';
import { assignmentAt } from '../sampling';

/** A formula read twice: with letters as units where possible, and with all letters as variables. */
export interface Readings {
  units: Formula;
  letters: Formula;
}

/**
 * equivValue: the response is the same number or quantity. An accepted answer with ± accepts its whole range. An
 * accepted answer with letters that are not units has no value, so it is compared as in equivSymbolic.
 */
export function matchValue(value: Readings, response: Readings, how: Comparison): Match {
  if (!isQuantity(value.units)) return compare(value.letters, response.letters, how);
  if (writtenAs(value.units, true) === writtenAs(response.units, true))
    return yes('has the terms and factors of the accepted answer');
  if (value.units.kind === 'list' && response.units.kind === 'list')
    return sameQuantities(value.units.entries, response.units.entries, how);
  if (isCollection(value.units) || isCollection(response.units)) return compare(value.units, response.units, how);
  if (!isQuantity(response.units)) return no('has letters that are not units');
  return sameQuantity(value.units, response.units, how);
}

function isCollection({ kind }: Formula): boolean {
  return kind === 'relation' || kind === 'list' || kind === 'set' || kind === 'tuple' || kind === 'joined';
}

/** Whether no letters are left except constants. */
function isQuantity(formula: Formula): boolean {
  return symbolsOf(formula).every((name) => name === '\\pi' || name === 'e' || name === 'i');
}

function sameQuantities(values: readonly Formula[], responses: readonly Formula[], how: Comparison): Match {
  if (values.length !== responses.length) return no(`has ${responses.length} entries instead of ${values.length}`);
  for (const [at, value] of values.entries()) {
    const match = sameQuantity(value, responses[at] as Formula, how);
    if (!match.matches) return { ...match, reason: `${match.reason} (entry ${at + 1})` };
  }
  return yes('has the values of the accepted answer');
}

/**
 * The dimensions have different values at these three points. So amounts in different units agree at one point at most.
 */
const POINTS_OF_DIMENSIONS = [0, 1, 2];

function sameQuantity(accepted: Formula, response: Formula, how: Comparison): Match {
  const value = withUnitOfTolerance(accepted);
  const unit = unitFormula(value);
  const amount = (formula: Formula, point: number): Value =>
    evaluate({ kind: 'quotient', numerator: formula, denominator: unit }, assignmentAt(point, how.onlyLetters));
  if (hasBranches(response)) return compare(value, response, how);
  const tolerant = hasBranches(value);
  const [lower, upper] = [branchOf(value, 'lower'), branchOf(value, 'upper')];
  const { decimalPlaces: places } = how;

  for (const point of POINTS_OF_DIMENSIONS) {
    const own = amount(response, point);
    const agrees = tolerant
      ? isBetween(amount(lower, point), own, amount(upper, point))
      : agree(amount(value, point), own, { places, of: 'number', real: false });
    if (agrees === undefined) return undecided('has no value that could be calculated and compared');
    if (!agrees) return no(differently(value, response, amount(upper, 0), amount(response, 0)));
  }
  const found = `has the value ${shown(amount(response, 0))}`;
  return yes(
    tolerant ? `${found}, which is within the tolerance` : `${found}, which agrees to ${places} decimal places`,
  );
}

function differently(value: Formula, response: Formula, accepted: Value, found: Value): string {
  const measured = measureOf(value)?.size ?? 0;
  const own = measureOf(response)?.size ?? 0;
  if (measured > 0 !== own > 0) return measured > 0 ? 'has no unit' : 'has a unit, other than the accepted answer';
  return `has the value ${shown(found)} instead of ${shown(accepted)}${measured > 0 ? ' in the unit of the accepted answer' : ''}`;
}

/** A range includes its bounds, even with a small floating-point error. */
function isBetween(end: Value, value: Value, otherEnd: Value): boolean | undefined {
  if (end.exact && value.exact && otherEnd.exact) {
    return value.exact.sub(end.exact).mul(value.exact.sub(otherEnd.exact)).compare(0) <= 0;
  }
  const [a, x, b] = [realOf(end), realOf(value), realOf(otherEnd)];
  if (!Number.isFinite(a + x + b)) return undefined;
  const slack = 1e-12 * Math.max(Math.abs(a), Math.abs(b));
  return x >= Math.min(a, b) - slack && x <= Math.max(a, b) + slack;
}

/** The real value; NaN for a value that is not real. */
function realOf(value: Value): number {
  if (value.exact) return value.exact.valueOf();
  return value.z.im === 0 ? value.z.re : NaN;
}

/** 5 ± 0.1 cm has one unit for both numbers. */
function withUnitOfTolerance(value: Formula): Formula {
  if (value.kind !== 'sum' || value.terms.length !== 2) return value;
  const [first, second] = value.terms as [Formula, Formula];
  // 20 ± 10 % means 20 ± 2.
  if (value.signs[1] === '±' && second.kind === 'call' && second.name === 'percent' && !isPercent(first))
    return { ...value, terms: [first, { kind: 'product', factors: [second, first] }] };
  if (measureOf(first)?.size !== 0 || !measureOf(second)?.size) return value;
  return { ...value, terms: [{ kind: 'product', factors: [first, unitFormula(second)] }, second] };
}

const isPercent = (formula: Formula) => formula.kind === 'call' && formula.name === 'percent';

/** The unit of a quantity; 1 for a number, and for a sum of quantities in different units. */
function unitFormula(quantity: Formula): Formula {
  const factors = [...(measureOf(quantity) ?? [])].map(([text, exponent]): Formula => {
    const size: Formula = { kind: 'number', whole: String(Math.abs(exponent)) };
    return {
      kind: 'power',
      base: { kind: 'text', text },
      exponent: exponent < 0 ? { kind: 'negative', of: size } : size,
    };
  });
  return { kind: 'product', factors };
}
