import type { Json } from '#kernel';
import { entriesOf } from '../families/keys';
import { FORMULA_METHODS, matchFormula } from '../formula';
import { readRule, type ReadRule } from '../formula/rule';
import { faultOf } from '../formula/rule-fault';
import { isObject } from '../members';
import { cut, type Found, MAX_FINDINGS } from './finding';

/** A rule of an accepted answer, and its place. */
interface PlacedRule {
  rule: Json;
  at: string;
}

/** @returns whether a response can meet all rules, as far as that is easy to tell. */
export function checkFormulas(value: Json, valueAt: string, isCloze: boolean, found: Found): boolean {
  const blanks =
    isCloze && Array.isArray(value)
      ? value.map((blank, at) => rulesOf(blank, `${valueAt}/${at}`))
      : [rulesOf(value, valueAt)];
  let left = MAX_FINDINGS;
  let canBeMet = true;
  for (const rules of blanks) {
    const sound = rules.slice(0, left).map((each) => checkRule(each, found));
    left -= sound.length;
    const isSound = sound.every((each) => each) && (sound.length < 2 || isTogether(rules, found));
    canBeMet &&= isSound;
  }
  return canBeMet;
}

function rulesOf(value: Json, at: string): PlacedRule[] {
  return entriesOf(value).map((rule, index) => ({ rule, at: Array.isArray(value) ? `${at}/${index}` : at }));
}

function checkRule({ rule, at }: PlacedRule, found: Found): boolean {
  if (rule === null || (typeof rule === 'string' && rule.trim() === '')) return true;
  if (!isObject(rule) && typeof rule !== 'string') {
    found('formula-value', at, 'It is not a rule, and is left out: give an object with a method and a value.');
    return false;
  }
  const given = isObject(rule) ? rule : { value: rule };
  const read = readRule(given);
  if (!read) {
    const name = typeof given['method'] === 'string' ? `"${cut(given['method'])}"` : 'What is given';
    const message = `${name} is not a method, so that nothing is right: use one of ${FORMULA_METHODS.join(', ')}.`;
    found('formula-method', `${at}/method`, message);
    return false;
  }
  const fault = faultOf(read);
  if (fault) found('formula-value', isObject(rule) ? `${at}/${fault.at}` : at, fault.message);
  return fault?.canBeMet ?? true;
}

/** Methods that judge a single formula, quickly. */
const QUICK: ReadonlySet<string> = new Set([
  'stringMatch',
  'equivLiteral',
  'equivSyntax',
  'isSimplified',
  'isExpanded',
  'isUnit',
]);
const MAX_LENGTH = 100;

/** A rule that accepts only one formula can be met only when the other rules accept that formula. */
function isTogether(rules: readonly PlacedRule[], found: Found): boolean {
  const exact = rules.findIndex(({ rule }) => isExact(rule));
  const only = exact < 0 ? undefined : readPlain(rules[exact]!.rule)?.value;
  if (only === undefined || only.length > MAX_LENGTH) return true;
  for (const [index, { rule, at }] of rules.slice(0, 10).entries()) {
    const other = index === exact || !isObject(rule) ? undefined : readPlain(rule);
    if (!other || !isObject(rule) || !QUICK.has(other.method) || matchFormula(rule, only).matches !== false) continue;
    const message = `No answer meets this rule together with the one at ${rules[exact]!.at}, which accepts "${cut(only)}" alone.`;
    found('formula-value', at, message);
    return false;
  }
  return true;
}

function isExact(rule: Json): boolean {
  const read = readPlain(rule);
  return (
    read !== undefined &&
    (read.method === 'equivLiteral' || read.method === 'stringMatch') &&
    !read.options.inverseResult
  );
}

/** The rule, unless it has its own notation of numbers. */
function readPlain(rule: Json): ReadRule | undefined {
  const read = isObject(rule) ? readRule(rule) : undefined;
  const isPlain = read?.options.thousandsSeparators.length === 0 && read.options.decimalSeparators.join() === '.';
  return isPlain ? read : undefined;
}
