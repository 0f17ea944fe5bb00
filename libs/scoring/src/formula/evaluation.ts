import Complex from 'complex.js';
import {
  add,
  approximately,
  binomial,
  divide,
  factorial,
  multiply,
  negate,
  power,
  root,
  through,
  UNDEFINED,
  type Value,
} from './arithmetic';
import type { Formula, NumberFormula, Sign } from './notation/formula';
import { Fraction } from './rational';
import { unitOf } from './units';

/** The meaning of a formula's letters during evaluation. */
export interface Assignment {
  /** The value of a letter or of a physical dimension. */
  valueOf(name: string): Fraction | number;
  /** e and i are ordinary letters. */
  onlyLetters: boolean;
  /** Roots and logarithms of negative numbers are undefined. */
  real: boolean;
}

/** @returns UNDEFINED for a division by zero, an overflow, ±, words, a relation or a list */
export function evaluate(formula: Formula, at: Assignment): Value {
  switch (formula.kind) {
    case 'number':
      return { exact: numberOf(formula) };
    case 'mixed':
      return add(
        { exact: numberOf(formula.whole) },
        divide({ exact: numberOf(formula.numerator) }, { exact: numberOf(formula.denominator) }),
      );
    case 'symbol':
      return symbolValue(formula.name, at);
    case 'text':
      return textValue(formula.text, at);
    case 'sum':
      return formula.terms.reduce<Value>(
        (total, term, place) => add(total, signed(formula.signs[place], evaluate(term, at))),
        { exact: new Fraction(0) },
      );
    case 'negative':
      return negate(evaluate(formula.of, at));
    case 'product':
      return formula.factors.reduce<Value>((total, factor) => multiply(total, evaluate(factor, at)), {
        exact: new Fraction(1),
      });
    case 'quotient':
      return divide(evaluate(formula.numerator, at), evaluate(formula.denominator, at));
    case 'power':
      return within(power(evaluate(formula.base, at), evaluate(formula.exponent, at)), at);
    case 'root':
      return within(
        root(evaluate(formula.of, at), formula.index ? evaluate(formula.index, at) : { exact: new Fraction(2) }),
        at,
      );
    case 'call':
      return within(
        callValue(
          formula.name,
          formula.arguments.map((argument) => evaluate(argument, at)),
          at,
        ),
        at,
      );
    default:
      return UNDEFINED;
  }
}

/** The exact value of the number as written. */
export function numberOf({ whole, decimals = '', repeating = '' }: NumberFormula): Fraction {
  const scale = 10n ** BigInt(decimals.length);
  const fixed = new Fraction(BigInt(whole + decimals), scale);
  if (repeating === '') return fixed;
  return fixed.add(new Fraction(BigInt(repeating), (10n ** BigInt(repeating.length) - 1n) * scale));
}

function within(value: Value, { real }: Assignment): Value {
  const beyond = real && value.exact === undefined && Math.abs(value.z.im) > value.error + 1e-12 * value.z.abs();
  return beyond ? UNDEFINED : value;
}

function symbolValue(name: string, at: Assignment): Value {
  if (name === '\\pi') return approximately(new Complex(Math.PI, 0));
  if (name === '\\infty') return UNDEFINED;
  if (!at.onlyLetters) {
    if (name === 'e') return approximately(new Complex(Math.E, 0));
    if (name === 'i') return approximately(new Complex(0, 1));
  }
  return letterValue(name, at);
}

function letterValue(name: string, at: Assignment): Value {
  const value = at.valueOf(name);
  return typeof value === 'number' ? approximately(new Complex(value, 0)) : { exact: value };
}

/** A unit is its factor times its dimensions, which act like letters. Words have no value. */
function textValue(text: string, at: Assignment): Value {
  const unit = unitOf(text);
  if (!unit) return UNDEFINED;
  let value: Value =
    typeof unit.factor === 'number' ? approximately(new Complex(unit.factor, 0)) : { exact: unit.factor };
  for (const [dimension, exponent] of unit.dimensions) {
    value = multiply(value, power(letterValue(`unit ${dimension}`, at), { exact: new Fraction(exponent) }));
  }
  return value;
}

/** ± means two formulas and has no value of its own. */
function signed(sign: Sign | undefined, value: Value): Value {
  if (sign === '±' || sign === '∓') return UNDEFINED;
  return sign === '-' ? negate(value) : value;
}

const FUNCTIONS: ReadonlyMap<string, (z: Complex) => Complex> = new Map([
  ['sin', (z) => z.sin()],
  ['cos', (z) => z.cos()],
  ['tan', (z) => z.tan()],
  ['cot', (z) => z.cot()],
  ['sec', (z) => z.sec()],
  ['csc', (z) => z.csc()],
  ['arcsin', (z) => z.asin()],
  ['arccos', (z) => z.acos()],
  ['arctan', (z) => z.atan()],
  ['sinh', (z) => z.sinh()],
  ['cosh', (z) => z.cosh()],
  ['tanh', (z) => z.tanh()],
  ['exp', (z) => z.exp()],
  ['ln', (z) => z.log()],
] as [string, (z: Complex) => Complex][]);

function callValue(name: string, [first = UNDEFINED, second]: Value[], at: Assignment): Value {
  const known = FUNCTIONS.get(name);
  if (known) return through(known, first);
  switch (name) {
    case 'log':
      return divide(
        through((z) => z.log(), first),
        through((z) => z.log(), second ?? { exact: new Fraction(10) }),
      );
    case 'abs':
      return first.exact !== undefined
        ? { exact: first.exact.abs() }
        : { z: new Complex(first.z.abs(), 0), error: first.error };
    case 'percent':
      return divide(first, { exact: new Fraction(100) });
    case 'factorial':
      return factorial(first);
    case 'binomial':
      return binomial(first, second ?? UNDEFINED);
    default:
      return opaque(name, first, at);
  }
}

/** An unknown function: an arbitrary curve for each name. */
function opaque(name: string, argument: Value, at: Assignment): Value {
  const seed = Number(at.valueOf(`function ${name}`));
  return through(
    (z) =>
      z
        .mul(1.3)
        .add(seed)
        .sin()
        .add(z.mul(0.7 + seed / 10)),
    argument,
  );
}
