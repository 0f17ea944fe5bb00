import { type Assignment } from '../evaluation';
import { branchOf, hasBranches } from '../notation/branches';
import { type Formula, someWithin, symbolsOf } from '../notation/formula';
import { type Fraction } from '../rational';
import { assignmentAt } from '../sampling';
import { between } from './break-points';
import { isExactRoot, zerosAndPoles } from './zeros';
import { type Comparison, lettersOf, type Match, no, place, undecided, yes } from './functions';
import { type Link, linksOf, truthOf } from './relations';

/** Equations and inequalities joined by "and" and "or". */
type Statement = Link | { by: 'and' | 'or'; of: Statement[] };

/**
 * Reads a statement. A comma between equations means "or": x = 2, x = −3. Undefined for formulas that are not only
 * statements.
 */
function statementOf(formula: Formula): Statement | undefined {
  if (formula.kind === 'joined') return together(formula.by, formula.entries);
  if (formula.kind === 'list') {
    const entries = spelledOut(formula.entries);
    return entries.every(isEquation) ? together('or', entries) : undefined;
  }
  if (formula.kind !== 'relation') return undefined;
  if (hasBranches(formula)) return together('or', [branchOf(formula, 'upper'), branchOf(formula, 'lower')]);
  return { by: 'and', of: linksOf(formula) };
}

function together(by: 'and' | 'or', entries: readonly Formula[]): Statement | undefined {
  const of = entries.map(statementOf);
  return of.every((each) => each !== undefined) ? { by, of } : undefined;
}

/** Expands x = 2, 3 to x = 2, x = 3. */
function spelledOut(entries: readonly Formula[]): readonly Formula[] {
  const [first] = entries;
  const left = first?.kind === 'relation' && first.signs.join() === '=' ? first.sides[0] : undefined;
  if (left?.kind !== 'symbol') return entries;
  const isValue = (entry: Formula) => entry.kind !== 'relation' && !symbolsOf(entry).includes(left.name);
  return entries.map((entry) => (isValue(entry) ? { kind: 'relation', signs: ['='], sides: [left, entry] } : entry));
}

function isEquation(formula: Formula): boolean {
  return formula.kind === 'relation' && formula.signs.every((sign) => sign === '=');
}

const linksIn = (statement: Statement): Link[] => ('by' in statement ? statement.of.flatMap(linksIn) : [statement]);

/**
 * Whether statements about one letter are true for the same values of it. Tests all zeros and poles of the differences
 * of their sides, and values between them. Undefined where these are unknown. Equations with the same solutions need
 * not be equivalent: only inequalities, and equations that name their solutions, can be decided in favour of the
 * answer.
 */
export function sameSolutions(value: Formula, response: Formula, how: Comparison): Match | undefined {
  const letters = lettersOf(value, response, how);
  const [letter] = letters;
  if (letter === undefined || letters.length > 1) return undefined;
  if ([value, response].some((formula) => hasOtherNames(formula, letter, how))) return undefined;
  const [accepted, own] = [statementOf(value), statementOf(response)];
  if (!accepted || !own) return undefined;
  const base = assignmentAt(0, how.onlyLetters, true);
  const zeros: Fraction[] = [];
  for (const { left, right } of [...linksIn(accepted), ...linksIn(own)]) {
    const found = zerosAndPoles({ kind: 'sum', signs: ['+', '-'], terms: [left, right] }, letter, base);
    if (!found) return undefined;
    zeros.push(...found);
  }
  zeros.sort((a, b) => a.compare(b));
  const tolerance = 50 * 10 ** -how.decimalPlaces;
  for (const x of [...zeros, ...between(zeros, tolerance)]) {
    const at: Assignment = { ...base, valueOf: () => x };
    // A zero is approximate to 15 digits. So the difference of the sides there grows with their size.
    const of = isExactRoot(x) ? 'function' : 'far';
    const [truth, answer] = [isTrue(accepted, at, how, of), isTrue(own, at, how, of)];
    if (truth !== answer) return no(`is not the same for ${place([letter], at)}`);
  }
  const areDecided = [accepted, own].every((statement) => linksIn(statement).every((link) => isDecisive(link, letter)));
  return areDecided
    ? yes('has the same solutions as the accepted answer')
    : undecided('may say the same as the accepted answer in another form');
}

function hasOtherNames(formula: Formula, letter: string, how: Comparison): boolean {
  return (
    someWithin(
      formula,
      (part) =>
        part.kind === 'text' ||
        (part.kind === 'call' && part.name.length === 1) ||
        part.kind === 'set' ||
        part.kind === 'tuple',
    ) || symbolsOf(formula).some((name) => name !== letter && name !== '\\pi' && (how.onlyLetters || name !== 'e'))
  );
}

/** Whether a link is an inequality, or an equation that names a value of the letter. */
function isDecisive({ sign, left, right }: Link, letter: string): boolean {
  if (sign !== '=' && sign !== '≈') return true;
  const isLetter = (side: Formula) => side.kind === 'symbol' && side.name === letter;
  return (
    (isLetter(left) && !symbolsOf(right).includes(letter)) || (isLetter(right) && !symbolsOf(left).includes(letter))
  );
}

/** A relation is false where a side has no value. */
function isTrue(statement: Statement, at: Assignment, how: Comparison, of: 'function' | 'far'): boolean {
  if (!('by' in statement)) return truthOf(statement, at, how, of) === true;
  const truths = statement.of.map((each) => isTrue(each, at, how, of));
  return statement.by === 'and' ? !truths.includes(false) : truths.includes(true);
}
