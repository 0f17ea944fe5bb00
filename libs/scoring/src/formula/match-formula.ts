import { compare } from './comparison/compare';
import { type Comparison, type Match, no, undecided, yes } from './comparison/functions';
import { LIMITS } from './limits';
import { matchExpanded } from './methods/expanded';
import { matchFactorised } from './methods/factorised';
import { matchLiterally } from './methods/literal';
import { matchSimplified } from './methods/simplified';
import { matchSyntax } from './methods/syntax';
import { matchText } from './methods/text';
import { matchTruth } from './methods/truth';
import { matchUnit } from './methods/unit';
import { matchValue, type Readings } from './methods/value';
import { compareWithWords } from './methods/words';
import { NotationError } from './notation/notation-error';
import { type Notation, readFormula } from './notation/reader';
import { FORMULA_METHODS, type FormulaMethod, type FormulaRule, notationOf, readRule, type ReadRule } from './rule';

export interface FormulaMatch {
  /** null: undecided; a person has to decide. */
  matches: boolean | null;
  /** One sentence in words. */
  reason: string;
}

/**
 * Whether a response meets one rule of an accepted answer to a formula question. A response that is not a formula does not
 * match. A response that is too complex to decide gives null, as does an invalid rule.
 *
 * Deterministic. LIMITS bound every step in advance: no known input takes longer than some tenths of a second. These
 * bounds are estimates. A caller that must stay responsive should call this in a thread, end the thread after the
 * second that one question may take, and record null ("took too long").
 *
 * @param rule any member may be missing or of another type
 * @param response LaTeX
 */
export function matchFormula(rule: FormulaRule, response: string): FormulaMatch {
  const read = readRule(rule);
  // A rule with an unknown method matches no response.
  if (!read)
    return {
      matches: false,
      reason: `There is no method of this name; the methods are ${FORMULA_METHODS.join(', ')}.`,
    };
  const { matches, reason, isUnread } = matchOrReason(read, response);
  const sentence = `The answer ${reason}.`;
  if (!read.options.inverseResult || matches === null || isUnread) return { matches, reason: sentence };
  return { matches: !matches, reason: `${sentence} The rule asks for the opposite.` };
}

/** A response that is not a formula matches nothing, not even a negated rule. */
type Answer = Match & { isUnread?: boolean };

function matchOrReason(rule: ReadRule, response: string): Answer {
  try {
    return matchRule(rule, response);
  } catch (error) {
    // Deep recursion ends in a RangeError. All other errors are bugs.
    if (error instanceof RangeError) return undecided('is too complicated to be decided');
    throw error;
  }
}

function matchRule(rule: ReadRule, response: string): Answer {
  const { method, options } = rule;
  if (method === 'stringMatch') return matchText(rule.value, response, options);
  const accepted = acceptedBy(rule);
  if (accepted && 'why' in accepted) return unreadAccepted(rule, accepted, response);
  const own = readings(response, notationOf(options), method);
  if ('why' in own) return unreadResponse(own);
  const how: Comparison = {
    decimalPlaces: options.decimalPlaces,
    compareSides: options.compareSides,
    onlyLetters: options.treatLettersAsVariables,
  };

  switch (method) {
    case 'isSimplified':
      return matchSimplified(own.letters);
    case 'isFactorised':
      return matchFactorised(own.letters, options.field);
    case 'isExpanded':
      return matchExpanded(own.letters);
    case 'isTrue':
      return matchTruth(own.letters, how);
  }
  if (!accepted) return undecided('could not be compared: the rule has no value');
  switch (method) {
    case 'equivLiteral':
      return matchLiterally(accepted.letters, own.letters, options);
    case 'equivSymbolic':
      return compareWithWords(accepted.letters, own.letters, (value, answer) => compare(value, answer, how));
    case 'equivValue':
      return compareWithWords(accepted.units, own.units, (value, answer) =>
        value === accepted.units
          ? matchValue(accepted, own, how)
          : matchValue({ units: value, letters: value }, { units: answer, letters: answer }, how),
      );
    case 'equivSyntax':
      return matchSyntax(accepted.letters, own.letters);
    case 'isUnit':
      return matchUnit(accepted.units, own.units);
  }
}

const NEEDS_NO_VALUE: ReadonlySet<FormulaMethod> = new Set(['isSimplified', 'isFactorised', 'isExpanded', 'isTrue']);
const READS_UNITS: ReadonlySet<FormulaMethod> = new Set(['equivValue', 'isUnit']);

/** Cache of accepted formulas: many responses are compared with the same rule. */
const accepted = new Map<string, Readings | NotationError>();
const MAX_CACHED = 1_000;

export function acceptedBy({ method, value, options }: ReadRule): Readings | NotationError | undefined {
  if (NEEDS_NO_VALUE.has(method)) return undefined;
  const latex = method === 'equivSyntax' ? options.syntax : value;
  const notation = notationOf(options, { placeholders: method === 'equivSyntax' });
  const key = JSON.stringify([latex, READS_UNITS.has(method), notation]);
  let found = accepted.get(key);
  if (!found) {
    found = readings(latex, notation, method);
    // The author may have written a plain decimal point, even if learners use another separator.
    const plain = readings(latex, { ...notation, decimalSeparators: ['.'], thousandsSeparators: [] }, method);
    if ('why' in found && !('why' in plain)) found = plain;
    const oldest = accepted.size >= MAX_CACHED ? accepted.keys().next() : undefined;
    if (oldest && !oldest.done) accepted.delete(oldest.value);
    if (latex.length <= LIMITS.length) accepted.set(key, found);
  }
  return found;
}

function readings(latex: string, notation: Notation, method: FormulaMethod): Readings | NotationError {
  try {
    const letters = readFormula(latex, notation);
    return { letters, units: READS_UNITS.has(method) ? readFormula(latex, { ...notation, units: true }) : letters };
  } catch (error) {
    if (error instanceof NotationError) return error;
    throw error;
  }
}

/** An accepted text that cannot be read still matches an identical response. */
function unreadAccepted({ method, value }: ReadRule, error: NotationError, response: string): Match {
  const written = (latex: string) => latex.replace(/\s+/g, '');
  if (method.startsWith('equiv') && error.why === 'unsupported' && written(value) === written(response)) {
    return yes('is written as the accepted answer');
  }
  return undecided(`could not be compared: of the accepted answer, ${error.message}`);
}

function unreadResponse({ why, message }: NotationError): Answer {
  return why === 'unreadable'
    ? { ...no(`is not a formula: ${message}`), isUnread: true }
    : undecided(`could not be decided: ${message}`);
}
