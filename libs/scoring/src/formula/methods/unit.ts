import { type Match, no, undecided, yes } from '../comparison/functions';
import { type Formula, someWithin } from '../notation/formula';
import { type Measure, measureOf } from '../quantity';

/**
 * isUnit: a quantity, or only a unit, in the unit of the value, in any composition. The value may list several units,
 * such as `cm, m`; the response must have one of them.
 */
export function matchUnit(value: Formula, response: Formula): Match {
  const accepted = unitsOf(value);
  if (accepted.length === 0) return undecided('could not be compared: the accepted answer has no unit');
  const own = measureOf(response);
  if (!own || own.size === 0) return no('has no unit');
  if (someWithin(response, ({ kind }) => kind === 'symbol')) return no('is more than a number and a unit');
  return accepted.some((measure) => isSame(measure, own))
    ? yes('has the unit of the accepted answer')
    : no(`has the unit ${shown(own)} instead of ${accepted.map(shown).join(' or ')}`);
}

/** The units of a value, without entries that have no unit. */
function unitsOf(value: Formula): Measure[] {
  const measures = (value.kind === 'list' ? value.entries : [value]).map(measureOf);
  return measures.filter((measure) => measure !== undefined).filter(({ size }) => size > 0);
}

function isSame(accepted: Measure, own: Measure): boolean {
  return accepted.size === own.size && [...accepted].every(([name, exponent]) => own.get(name) === exponent);
}

function shown(measure: Measure): string {
  return [...measure].map(([name, exponent]) => (exponent === 1 ? name : `${name}^${exponent}`)).join(' ');
}
