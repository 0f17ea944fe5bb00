import type { Json } from '#kernel';
import { flagOf, listOf, numberOf, objectOf } from '../members';
import type { Notation } from './notation/reader';

/** Numbers that agree to this many decimal places are equal. */
const MAX_PLACES = 10;

/** A rule of an accepted answer to a formula question, as its author sent it. Members may be absent or of any type. */
export interface FormulaRule {
  /** One of FORMULA_METHODS; absent: equivSymbolic. */
  method?: Json;
  /** LaTeX. */
  value?: Json;
  options?: Json;
}

export const FORMULA_METHODS = [
  'equivLiteral',
  'equivSymbolic',
  'equivValue',
  'equivSyntax',
  'stringMatch',
  'isSimplified',
  'isFactorised',
  'isExpanded',
  'isUnit',
  'isTrue',
] as const;
export type FormulaMethod = (typeof FORMULA_METHODS)[number];

/** A rule with defaults filled in. */
export interface ReadRule {
  method: FormulaMethod;
  value: string;
  options: FormulaOptions;
}

export interface FormulaOptions {
  /** Decimal places to which numbers must agree, 0 to 10. */
  decimalPlaces: number;
  ignoreText: boolean;
  compareSides: boolean;
  /** Empty unless thousands separators are allowed. */
  thousandsSeparators: string[];
  decimalSeparators: string[];
  inverseResult: boolean;
  allowInterval: boolean;
  ignoreTrailingZeros: boolean;
  ignoreCoefficientOne: boolean;
  treatLettersAsVariables: boolean;
  syntax: string;
  /** The field over which polynomials are factorised. An unknown name stays as it is. */
  field: string;
  ignoreLeadingAndTrailingSpaces: boolean;
  treatMultipleSpacesAsOne: boolean;
}

/** The rule with defaults; undefined for an unknown method. */
export function readRule(rule: FormulaRule): ReadRule | undefined {
  const name = rule.method === undefined || rule.method === null || rule.method === '' ? 'equivSymbolic' : rule.method;
  const method = FORMULA_METHODS.find((each) => each === name);
  return method && { method, value: textOf(rule.value), options: readOptions(rule.options) };
}

/** The notation of the formulas of a rule: the accepted one, or that of a response. */
export function notationOf(options: FormulaOptions, besides: Partial<Notation> = {}): Notation {
  return {
    decimalSeparators: options.decimalSeparators,
    thousandsSeparators: options.thousandsSeparators,
    intervals: options.allowInterval,
    onlyLetters: options.treatLettersAsVariables,
    ignoreText: options.ignoreText,
    units: false,
    placeholders: false,
    ...besides,
  };
}

function readOptions(value: Json | undefined): FormulaOptions {
  const options = objectOf(value);
  const flag = (name: string, otherwise: boolean) => flagOf(options[name]) ?? otherwise;
  const decimalSeparators = separators(options['setDecimalSeparator'], '.');
  return {
    decimalPlaces: Math.min(MAX_PLACES, Math.max(0, Math.trunc(numberOf(options['decimalPlaces']) ?? MAX_PLACES))),
    ignoreText: flag('ignoreText', false),
    compareSides: flag('compareSides', false),
    thousandsSeparators: flag('allowThousandsSeparator', false)
      ? separators(options['setThousandsSeparator'], ',').filter((each) => !decimalSeparators.includes(each))
      : [],
    decimalSeparators,
    inverseResult: flag('inverseResult', false),
    allowInterval: flag('allowInterval', false),
    ignoreTrailingZeros: flag('ignoreTrailingZeros', false),
    ignoreCoefficientOne: flag('ignoreCoefficientOne', false),
    treatLettersAsVariables: flag('treatLettersAsVariables', false),
    syntax: textOf(options['syntax']) || '\\number',
    field: textOf(options['field']),
    ignoreLeadingAndTrailingSpaces: flag('ignoreLeadingAndTrailingSpaces', true),
    treatMultipleSpacesAsOne: flag('treatMultipleSpacesAsOne', true),
  };
}

/** Separators of one character each, from a text or a list of texts. */
function separators(value: Json | undefined, otherwise: string): string[] {
  const signs = (typeof value === 'string' ? [value] : listOf(value)).filter((each) => typeof each === 'string');
  const usable = signs.filter((sign) => sign.length === 1 && !/[\\{}^_a-zA-Z0-9]/.test(sign)).slice(0, 4);
  return usable.length > 0 ? usable : [otherwise];
}

/** Values are LaTeX. Old data also contains plain numbers. */
function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
