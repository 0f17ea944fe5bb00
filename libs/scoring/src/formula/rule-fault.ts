import { acceptedBy } from './match-formula';
import { fieldOf } from './methods/factorised';
import { type Formula, someWithin, writtenAs } from './notation/formula';
import { measureOf } from './quantity';
import type { ReadRule } from './rule';
import { unitOf } from './units';

/** A mistake in a rule. */
interface RuleFault {
  /** Its place in the rule. */
  at: 'value' | 'options/syntax' | 'options/field';
  /** A sentence. */
  message: string;
  /** Whether some response can still meet the rule. */
  canBeMet: boolean;
}

/** The mistake that keeps a rule from working as its author meant; undefined for a valid rule. */
export function faultOf(rule: ReadRule): RuleFault | undefined {
  const { method, value, options } = rule;
  if (method === 'stringMatch') {
    if (value.trim() !== '' || options.inverseResult) return undefined;
    return fault('The text is empty, and an empty answer is not an attempt: give the text that is right.');
  }
  if (method === 'isFactorised' && !fieldOf(options.field))
    return {
      ...fault('The field is not known, so that no answer is decided: use integer, rational, real or complex.'),
      at: 'options/field',
    };
  const accepted = acceptedBy(rule);
  if (!accepted) return undefined;
  if ('why' in accepted) {
    const at = method === 'equivSyntax' ? 'options/syntax' : 'value';
    if (value.trim() === '' && at === 'value')
      return fault(`The value is missing, so that no answer is decided: ${method} needs one.`);
    if (method.startsWith('equiv') && accepted.why === 'unsupported')
      return {
        ...fault(`The formula is not decided here (${accepted.message}): only an answer written the same is right.`),
        at,
        canBeMet: true,
      };
    return { ...fault(`The formula cannot be read (${accepted.message}), so that no answer is decided.`), at };
  }
  return method === 'isUnit' ? faultOfUnits(accepted.units) : undefined;
}

const fault = (message: string): RuleFault => ({ at: 'value', message, canBeMet: false });

function faultOfUnits(value: Formula): RuleFault | undefined {
  const entries = value.kind === 'list' ? value.entries : [value];
  const sound = entries.filter((entry) => measureOf(entry)?.size && !someWithin(entry, isUnknown));
  if (sound.length === entries.length) return undefined;
  const [unknown = value] = entries.filter((entry) => !sound.includes(entry));
  const isWord = measureOf(unknown)?.size !== 0;
  const message = isWord
    ? `${writtenAs(unknown)} is not a known unit: an answer has it only in the same word.`
    : `${JSON.stringify(writtenAs(unknown))} has no known unit: name one, such as cm or m/s.`;
  return { ...fault(message), canBeMet: isWord || sound.length > 0 };
}

function isUnknown(formula: Formula): boolean {
  return formula.kind === 'text' && unitOf(formula.text) === undefined;
}
