import { type Match, no, undecided, yes } from '../comparison/functions';
import { type Formula, someWithin } from '../notation/formula';
import { measureOf } from '../quantity';

/** isUnit: a quantity, or only its unit, in the unit of the value, however the units are put together. */
export function matchUnit(value: Formula, response: Formula): Match {
  const [accepted, own] = [measureOf(value), measureOf(response)];
  if (!accepted || accepted.size === 0) return undecided('could not be compared: the accepted answer has no unit');
  if (!own || own.size === 0) return no('has no unit');
  if (someWithin(response, ({ kind }) => kind === 'symbol')) return no('is more than a number and a unit');
  const same = accepted.size === own.size && [...accepted].every(([name, exponent]) => own.get(name) === exponent);
  return same
    ? yes('has the unit of the accepted answer')
    : no(`has the unit ${shown(own)} instead of ${shown(accepted)}`);
}

function shown(measure: ReadonlyMap<string, number>): string {
  return [...measure].map(([name, exponent]) => (exponent === 1 ? name : `${name}^${exponent}`)).join(' ');
}
