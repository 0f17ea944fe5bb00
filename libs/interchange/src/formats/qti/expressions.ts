import { type XmlElement } from '../xml';
import { attr, nameOf, numberAttr } from './names';
import { safePattern } from './patterns';
import { mapPoint, mapResponse, responseValue, type State, Unsupported } from './state';
import { booleanIn, matches, numberIn, single, type Value, valueOf } from './values';

type Operator = (element: XmlElement, state: State) => Value | null;
type Logical = boolean | null;

const children = (element: XmlElement, state: State): (Value | null)[] =>
  element.elements.map((child) => expressionValue(child, state));
const truth = (value: boolean): Value => single('boolean', value);
const number = (value: number): Value | null => (Number.isFinite(value) ? single('float', value) : null);

/** The value of an expression. @throws Unsupported */
export function expressionValue(element: XmlElement | undefined, state: State): Value | null {
  if (!element) throw new Unsupported('an empty rule');
  const name = nameOf(element);
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw new Unsupported(name);
  return operator(element, state);
}

function declared(element: XmlElement, { responses }: State) {
  return responses.get(attr(element, 'identifier') ?? '');
}

/** All operands as numbers; null when one is not a number. */
function numbers(element: XmlElement, state: State): number[] | null {
  const all = children(element, state).flatMap((value) => (value === null ? [null] : [...value.items]));
  return all.every((item) => typeof item === 'number') ? all : null;
}

const arithmetic =
  (compute: (operands: number[]) => number): Operator =>
  (element, state) => {
    const operands = numbers(element, state);
    return operands && operands.length > 0 ? number(compute(operands)) : null;
  };

const comparison =
  (compare: (a: number, b: number) => boolean): Operator =>
  (element, state) => {
    const operands = numbers(element, state);
    return operands ? truth(compare(operands[0]!, operands[1]!)) : null;
  };

const logical =
  (combine: (operands: Logical[]) => Logical): Operator =>
  (element, state) => {
    const result = combine(children(element, state).map((value) => (value === null ? null : booleanIn(value))));
    return result === null ? null : truth(result);
  };

/** An operator on two values; null when one of them is null. */
const ofTwo =
  (compute: (a: Value, b: Value, element: XmlElement) => Value | null): Operator =>
  (element, state) => {
    const [a = null, b = null] = children(element, state);
    return a && b && compute(a, b, element);
  };

const container =
  (cardinality: 'multiple' | 'ordered'): Operator =>
  (element, state) => {
    const values = children(element, state).filter((value) => value !== null);
    const items = values.flatMap((value) => value.items);
    return items.length > 0 ? { cardinality, baseType: values[0]!.baseType, items } : null;
  };

const baseValue: Operator = (element) =>
  valueOf('single', attr(element, 'baseType') ?? 'string', [element.text.trim()]);

const variable: Operator = (element, state) => {
  const identifier = attr(element, 'identifier') ?? '';
  if (state.responses.has(identifier)) return responseValue(state, identifier);
  if (!state.values.has(identifier)) throw new Unsupported(`the variable ${identifier}`);
  return state.values.get(identifier)!;
};

const defaultOf: Operator = (element, { outcomes }) => {
  const outcome = outcomes.get(attr(element, 'identifier') ?? '');
  return outcome ? valueOf(outcome.cardinality, outcome.baseType, outcome.defaultValue) : null;
};

const correct: Operator = (element, state) => {
  const declaration = declared(element, state);
  return declaration ? valueOf(declaration.cardinality, declaration.baseType, declaration.correct) : null;
};

const mapping =
  (map: typeof mapResponse): Operator =>
  (element, state) => {
    const declaration = declared(element, state);
    if (!declaration) throw new Unsupported('a mapping of something that is not a response');
    const value = responseValue(state, declaration.identifier);
    return value === null ? single('float', 0) : single('float', map(declaration, value));
  };

const index: Operator = (element, state) => {
  const [value = null] = children(element, state);
  const place = numberAttr(element, 'n');
  if (place === undefined) throw new Unsupported('index by a variable');
  const item = value?.items[place - 1];
  return item === undefined ? null : single(value!.baseType, item);
};

const textMatch = ofTwo((a, b, element) => {
  const isExact = attr(element, 'caseSensitive') !== 'false';
  const [text, wanted] = [a, b].map(({ items }) => (isExact ? String(items[0]) : String(items[0]).toLowerCase()));
  return truth(attr(element, 'substring') === 'true' ? text!.includes(wanted!) : text === wanted);
});

const patternMatch: Operator = (element, state) => {
  const [value = null] = children(element, state);
  const pattern = safePattern(attr(element, 'pattern') ?? '');
  if (!pattern) throw new Unsupported(`the pattern ${attr(element, 'pattern') ?? ''}`);
  return value && truth(pattern.test(String(value.items[0])));
};

const rounding =
  (round: (value: number) => number): Operator =>
  (element, state) => {
    const value = numberIn(children(element, state)[0] ?? null);
    return value === null ? null : single('integer', round(value));
  };

const anyN: Operator = (element, state) => {
  const [min, max] = [numberAttr(element, 'min'), numberAttr(element, 'max')];
  if (min === undefined || max === undefined) throw new Unsupported('anyN with variables');
  const count = children(element, state).filter(booleanIn).length;
  return truth(count >= min && count <= max);
};

const remove = ofTwo((a, b) => {
  const items = b.items.filter((item) => item !== a.items[0]);
  return items.length > 0 ? { ...b, items } : null;
});

const contains = ofTwo((a, b) => {
  const rest = [...a.items];
  if (a.cardinality === 'ordered') {
    const starts = rest.map((_, at) => at).filter((at) => b.items.every((item, offset) => rest[at + offset] === item));
    return truth(starts.length > 0);
  }
  return truth(
    b.items.every((item) => {
      const at = rest.indexOf(item);
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    }),
  );
});

/** All supported expressions. Others, such as random ones and those of tests, are not supported. */
const OPERATORS: Record<string, Operator> = {
  baseValue,
  variable,
  default: defaultOf,
  correct,
  mapResponse: mapping(mapResponse),
  mapResponsePoint: mapping(mapPoint),
  null: () => null,
  isNull: (element, state) => truth(children(element, state)[0] === null),
  match: ofTwo((a, b) => truth(matches(a, b))),
  not: logical(([operand]) => (operand === null || operand === undefined ? null : !operand)),
  and: logical((all) => (all.includes(false) ? false : all.includes(null) ? null : true)),
  or: logical((all) => (all.includes(true) ? true : all.includes(null) ? null : false)),
  anyN,
  sum: arithmetic((all) => all.reduce((sum, operand) => sum + operand, 0)),
  product: arithmetic((all) => all.reduce((product, operand) => product * operand, 1)),
  subtract: arithmetic(([a, b]) => a! - b!),
  divide: arithmetic(([a, b]) => a! / b!),
  power: arithmetic(([a, b]) => a! ** b!),
  integerDivide: arithmetic(([a, b]) => Math.floor(a! / b!)),
  integerModulus: arithmetic(([a, b]) => a! - b! * Math.floor(a! / b!)),
  min: arithmetic((all) => Math.min(...all)),
  max: arithmetic((all) => Math.max(...all)),
  round: rounding((value) => Math.floor(value + 0.5)),
  truncate: rounding(Math.trunc),
  integerToFloat: (element, state) => children(element, state)[0] ?? null,
  lt: comparison((a, b) => a < b),
  lte: comparison((a, b) => a <= b),
  gt: comparison((a, b) => a > b),
  gte: comparison((a, b) => a >= b),
  equal,
  multiple: container('multiple'),
  ordered: container('ordered'),
  containerSize: (element, state) => single('integer', children(element, state)[0]?.items.length ?? 0),
  member: ofTwo((a, b) => truth(b.items.includes(a.items[0]!))),
  contains,
  delete: remove,
  index,
  patternMatch,
  stringMatch: textMatch,
  substring: ofTwo((a, b, element) => {
    const isExact = attr(element, 'caseSensitive') !== 'false';
    const [part, text] = [a, b].map(({ items }) => (isExact ? String(items[0]) : String(items[0]).toLowerCase()));
    return truth(text!.includes(part!));
  }),
};

function equal(element: XmlElement, state: State): Value | null {
  const operands = numbers(element, state);
  if (!operands) return null;
  const [a, b] = operands as [number, number];
  const mode = attr(element, 'toleranceMode') ?? 'exact';
  if (mode === 'exact') return truth(a === b);
  const tolerances = (attr(element, 'tolerance') ?? '').split(/\s+/).map(Number);
  const [low, high = low] = tolerances as [number, number?];
  if (!Number.isFinite(low)) throw new Unsupported('a tolerance by a variable');
  const [least, most] = mode === 'relative' ? [a * (1 - low / 100), a * (1 + high / 100)] : [a - low, a + high];
  return truth(b >= Math.min(least, most) && b <= Math.max(least, most));
}
