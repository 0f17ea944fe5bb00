import { xmlText } from '../../xml-writing';
import { withoutEnd } from '#kernel';
import { type Vocabulary } from './vocabulary';

/** Rules of response processing, as XML. A test is an expression that is true or false; null counts as false. */
export class Expressions {
  constructor(private readonly vocabulary: Vocabulary) {}

  readonly variable = (identifier: string): string => this.of('variable', [], { identifier });
  readonly base = (baseType: string, value: string | number): string =>
    this.of('baseValue', [xmlText(String(value))], { baseType });
  readonly number = (value: number): string => this.base('float', plain(value));
  readonly isNull = (operand: string): string => this.of('isNull', [operand]);
  readonly not = (operand: string): string => this.of('not', [operand]);
  readonly match = (a: string, b: string): string => this.of('match', [a, b]);
  readonly member = (item: string, container: string): string => this.of('member', [item, container]);
  readonly contains = (container: string, other: string): string => this.of('contains', [container, other]);
  readonly multiple = (items: readonly string[]): string => this.of('multiple', items);
  readonly ordered = (items: readonly string[]): string => this.of('ordered', items);
  readonly index = (operand: string, n: number): string => this.of('index', [operand], { n });
  readonly size = (operand: string): string => this.of('containerSize', [operand]);
  readonly lt = (a: string, b: string): string => this.of('lt', [a, b]);
  readonly gte = (a: string, b: string): string => this.of('gte', [a, b]);
  readonly sum = (...operands: readonly string[]): string => this.of('sum', operands);
  readonly subtract = (a: string, b: string): string => this.of('subtract', [a, b]);
  readonly product = (...operands: readonly string[]): string => this.of('product', operands);
  readonly max = (...operands: readonly string[]): string => this.of('max', operands);
  readonly truncate = (operand: string): string => this.of('integerToFloat', [this.of('truncate', [operand])]);
  readonly pattern = (operand: string, pattern: string): string => this.of('patternMatch', [operand], { pattern });
  readonly sameText = (a: string, b: string, caseSensitive: boolean): string =>
    this.of('stringMatch', [a, b], { caseSensitive });

  readonly and = (tests: readonly string[]): string => (tests.length === 1 ? tests[0]! : this.of('and', tests));
  readonly or = (tests: readonly string[]): string => (tests.length === 1 ? tests[0]! : this.of('or', tests));
  /** A test that is true when between `min` and `max` of the tests are true. */
  readonly some = (tests: readonly string[], min: number, max = tests.length): string =>
    this.of('anyN', tests, { min, max });

  readonly set = (identifier: string, value: string): string => this.of('setOutcomeValue', [value], { identifier });

  /** Runs the rules of the first branch whose test is true. A last branch without a test covers all other cases. */
  condition(branches: readonly { test?: string; rules: readonly string[] }[]): string {
    if (branches.length === 1 && branches[0]!.test === undefined) return branches[0]!.rules.join('');
    const written = branches.map(({ test, rules }, place) =>
      test === undefined
        ? this.of('responseElse', rules)
        : this.of(place === 0 ? 'responseIf' : 'responseElseIf', [test, ...rules]),
    );
    return this.of('responseCondition', written);
  }

  private of(name: string, content: readonly string[], attributes: Record<string, string | number | boolean> = {}) {
    return this.vocabulary.element(name, attributes, ...content);
  }
}

/** A number without an exponent. */
export function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? withoutEnd(withoutEnd(value.toFixed(20), '0'), '.') : text;
}
