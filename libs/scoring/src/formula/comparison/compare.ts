import { branchOf, hasBranches } from '../notation/branches';
import { writtenAs, type Formula, type RelationSign } from '../notation/formula';
import { type Comparison, type Match, no, sameValue, undecided, yes } from './functions';
import { EXACT, sameRelation } from './relations';
import { sameSolutions } from './solutions';

/** Whether a formula is equivalent to the accepted one. */
export function compare(value: Formula, response: Formula, how: Comparison): Match {
  if (writtenAs(value, true) === writtenAs(response, true))
    return yes('has the terms and factors of the accepted answer');
  const solved = how.compareSides ? undefined : sameSolutions(value, response, how);
  if (value.kind === 'relation' && response.kind === 'relation' && !hasBranches(value) && !hasBranches(response)) {
    const match = sameRelation(value, response, how);
    // The other comparison gives better reasons, and it handles rounded bounds.
    const isSettled =
      solved?.matches === null ? hasSameSigns(value, response) : match.matches && how.decimalPlaces < EXACT;
    return !solved || match.matches === solved.matches || isSettled ? match : solved;
  }
  if (solved) return solved;
  if (areEquations(value) && areEquations(response)) return sameSet(value.entries, response.entries, how);
  if (hasBranches(value) || hasBranches(response)) return sameBranches(value, response, how);
  if (value.kind === 'joined' && response.kind === 'joined') {
    if (value.by !== response.by) return no(`joins its relations by "${response.by}" instead of "${value.by}"`);
    const match = sameSet(value.entries, response.entries, how);
    return match.matches ? match : undecided('may say the same as the accepted answer in another form');
  }
  if (value.kind === 'list' && response.kind === 'list') return sameEntries(value.entries, response.entries, how);
  if (value.kind === 'tuple' && response.kind === 'tuple') {
    const brackets = bracketsOf(response);
    if (brackets !== bracketsOf(value)) return no(`has the brackets ${brackets} instead of ${bracketsOf(value)}`);
    return sameEntries(value.entries, response.entries, how);
  }
  if (value.kind === 'set' && response.kind === 'set') return sameSet(value.entries, response.entries, how);
  if (value.kind === 'joined' || response.kind === 'joined')
    return undecided('may say the same as the accepted answer in another form');
  if (isCollection(value) || isCollection(response)) {
    return no(`is ${named(response)} where the accepted answer is ${named(value)}`);
  }
  const [end, own] = [infinityOf(value), infinityOf(response)];
  if (end !== own) return no(`is ${own ?? 'finite'} where the accepted answer is ${end ?? 'finite'}`);
  return sameValue(value, response, how);
}

function hasSameSigns(one: Formula & { kind: 'relation' }, other: Formula & { kind: 'relation' }): boolean {
  return one.signs.join() === other.signs.join();
}

/** Whether the formula is a list of solutions, in any order. */
function areEquations(formula: Formula): formula is Formula & { kind: 'list' } {
  return (
    formula.kind === 'list' &&
    formula.entries.every((entry) => entry.kind === 'relation' && entry.signs.every((sign) => sign === '='))
  );
}

/** Compares the two formulas of each ±, in either order. */
function sameBranches(value: Formula, response: Formula, how: Comparison): Match {
  const pairs = (upper: 'upper' | 'lower', lower: 'upper' | 'lower') => {
    const match = compare(branchOf(value, 'upper'), branchOf(response, upper), how);
    return match.matches ? compare(branchOf(value, 'lower'), branchOf(response, lower), how) : match;
  };
  const straight = pairs('upper', 'lower');
  return straight.matches ? straight : pairs('lower', 'upper');
}

/** Reads an infinite end of an interval. */
function infinityOf(formula: Formula): '∞' | '-∞' | undefined {
  if (formula.kind === 'negative') return infinityOf(formula.of) === '∞' ? '-∞' : undefined;
  return formula.kind === 'symbol' && formula.name === '\\infty' ? '∞' : undefined;
}

function sameEntries(values: readonly Formula[], responses: readonly Formula[], how: Comparison): Match {
  if (values.length !== responses.length) return no(`has ${responses.length} entries instead of ${values.length}`);
  let open: Match | undefined;
  for (const [at, value] of values.entries()) {
    const match = compare(value, responses[at] as Formula, how);
    if (match.matches === false) return { ...match, reason: `${match.reason} (entry ${at + 1})` };
    if (match.matches === null) open ??= match;
  }
  return open ?? yes('has the same entries as the accepted answer');
}

/** Compares in any order. A repeated entry counts once. */
function sameSet(values: readonly Formula[], responses: readonly Formula[], how: Comparison): Match {
  for (const [these, those] of [
    [values, responses],
    [responses, values],
  ] as const) {
    for (const [at, each] of these.entries()) {
      const matches = those.map((other) => compare(other, each, how).matches);
      if (matches.includes(true)) continue;
      if (matches.includes(null)) return undecided('has an entry that could not be compared');
      return no(these === values ? `lacks entry ${at + 1} of the accepted answer` : `has an entry ${at + 1} too many`);
    }
  }
  return yes('has the same entries as the accepted answer');
}

/** ]1, 2[ is another notation for (1, 2). */
function bracketsOf({ open, close }: Formula & { kind: 'tuple' }): string {
  return `${open === ']' ? '(' : open} ${close === '[' ? ')' : close}`;
}

function isCollection({ kind }: Formula): boolean {
  return kind === 'list' || kind === 'tuple' || kind === 'set' || kind === 'relation' || kind === 'joined';
}

function named(formula: Formula): string {
  switch (formula.kind) {
    case 'list':
      return 'a list';
    case 'joined':
      return 'several relations';
    case 'set':
      return 'a set';
    case 'tuple':
      return 'a pair or an interval';
    case 'relation':
      return formula.signs.every((sign: RelationSign) => sign === '=') ? 'an equation' : 'a relation';
    default:
      return 'an expression';
  }
}
