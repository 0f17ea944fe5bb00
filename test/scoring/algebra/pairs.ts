import { randomFrom } from '../../support/random';
import { inequality, nested } from './nested';
import {
  abs,
  add,
  both,
  cbrt,
  chain,
  div,
  e,
  either,
  fn,
  listed,
  log,
  mul,
  neg,
  num,
  pi,
  pow,
  relate,
  type SignOf,
  type Statement,
  sqrt,
  sub,
  type Term,
  x,
  y,
} from './terms';

/** Two formulas. The judge decides whether they are equal. */
interface Pair {
  family: string;
  value: Statement;
  response: Statement;
}

/** Pseudo-random numbers and choices for formulas. */
export class Random {
  /** @param below returns a whole number of at least 0 and less than its argument. */
  constructor(readonly below: (limit: number) => number) {}

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** From 1 to 9, or a break point far from zero. */
  size(): number {
    return this.of([1 + this.below(9), 1 + this.below(9), 10 + this.below(90), 100 + this.below(5000)]);
  }

  small(): number {
    return 2 + this.below(7);
  }

  other<T>(values: readonly T[], than: T): T {
    return this.of(values.filter((value) => value !== than));
  }
}

const square = (of: Term) => pow(of, num(2));
const plus = (c: number) => add(x, num(c));
const minus = (c: number) => add(x, num(-c));
/** a x + b */
const line = (a: number, b: number) => add(a === 1 ? x : mul(num(a), x), num(b));

type Family = (random: Random) => readonly [Statement, ...Statement[]];

/** Each returns forms that are, or seem to be, equal. Any two of them make a pair. */
const FAMILIES: Readonly<Record<string, Family>> = {
  polynomials: (r) => {
    const [a, b, c, d] = [r.small(), r.size(), r.small(), r.size()] as const;
    return [
      mul(line(a, b), line(c, -d)),
      add(mul(num(a * c), square(x)), mul(num(b * c - a * d), x), num(-b * d)),
      add(mul(num(a * c), square(x)), mul(num(b * c + a * d), x), num(-b * d)),
      sub(mul(num(a), x, line(c, -d)), mul(num(b), add(num(d), mul(num(-c), x)))),
      add(square(add(x, y)), mul(num(-2), x, y)),
      add(square(x), square(y)),
      square(add(x, y)),
    ];
  },
  rationals: (r) => {
    const [a, b] = [r.size(), r.size() + 1] as const;
    return [
      div(sub(square(x), num(a * a)), minus(a)),
      plus(a),
      minus(a),
      add(div(num(1), minus(a)), div(num(1), plus(b))),
      div(add(mul(num(2), x), num(b - a)), mul(minus(a), plus(b))),
      div(num(2), add(mul(num(2), x), num(b - a))),
      sub(x, neg(num(a))),
      div(add(mul(x, y), mul(num(a), y)), y),
    ];
  },
  'absolute values': (r) => {
    const [a, b, k] = [r.size(), r.size(), r.small()] as const;
    return [
      abs(minus(a)),
      minus(a),
      sub(num(a), x),
      abs(sub(num(a), x)),
      sqrt(square(minus(a))),
      sqrt(add(square(x), mul(num(-2 * a), x), num(a * a))),
      mul(div(num(1), num(k)), abs(add(mul(num(k), x), num(-k * a)))),
      sub(abs(minus(a)), num(0)),
      add(abs(minus(a)), abs(plus(b)), neg(plus(b))),
      add(abs(minus(a)), abs(plus(b)), neg(abs(neg(plus(b))))),
    ];
  },
  'products of absolute values': (r) => {
    const [a, b] = [r.size(), r.size()] as const;
    return [
      mul(abs(minus(a)), abs(plus(b))),
      abs(mul(minus(a), plus(b))),
      mul(minus(a), plus(b)),
      abs(add(square(x), mul(num(b - a), x), num(-a * b))),
      sqrt(mul(square(minus(a)), square(plus(b)))),
      neg(mul(minus(a), plus(b))),
      mul(minus(a), abs(plus(b))),
    ];
  },
  roots: (r) => {
    const [a, b, k] = [r.size(), r.size(), r.small()] as const;
    return [
      sqrt(mul(num(k * k), minus(a))),
      mul(num(k), sqrt(minus(a))),
      div(mul(num(k), minus(a)), sqrt(minus(a))),
      mul(num(k), minus(a)),
      mul(num(k + 1), sqrt(minus(a))),
      div(mul(num(k), sqrt(mul(minus(a), plus(b)))), sqrt(plus(b))),
      mul(num(k), pow(minus(a), div(num(1), num(2)))),
      cbrt(mul(num(k * k * k), minus(a))),
      mul(num(k), cbrt(minus(a))),
      neg(mul(num(k), cbrt(sub(num(a), x)))),
    ];
  },
  'roots of two letters': (r) => {
    const k = r.small();
    return [
      sqrt(add(square(x), mul(num(-2 * k), x, y), mul(num(k * k), square(y)))),
      abs(sub(x, mul(num(k), y))),
      sub(x, mul(num(k), y)),
      sub(mul(num(k), y), x),
      sqrt(add(square(x), mul(num(k * k), square(y)))),
      mul(div(num(1), num(k)), sqrt(add(mul(num(k * k), square(x)), mul(num(k ** 4), square(y))))),
      add(x, mul(num(k), y)),
      mul(sqrt(square(x)), sqrt(square(y))),
      abs(mul(x, y)),
      mul(x, y),
    ];
  },
  trigonometry: (r) => {
    const [k, n] = [r.small(), r.of([1, 2, 5, 11, 13, 22, 60])] as const;
    return [
      fn('sin', mul(num(2), x)),
      mul(num(2), fn('sin', x), fn('cos', x)),
      fn('sin', add(mul(num(2), x), mul(num(2 * k), pi))),
      fn('sin', add(mul(num(2), x), mul(num(2 * k + 1), pi))),
      neg(fn('sin', mul(num(-2), x))),
      fn('cos', sub(mul(num(2), x), div(pi, num(2)))),
      mul(num(2), fn('tan', x), square(fn('cos', x))),
      add(fn('sin', mul(num(2), x)), fn('sin', mul(num(n), pi, x))),
      mul(num(2), fn('sin', x)),
      sub(num(1), square(sub(fn('sin', x), fn('cos', x)))),
    ];
  },
  'trigonometry with roots': () => [
    sqrt(sub(num(1), square(fn('cos', x)))),
    fn('sin', x),
    abs(fn('sin', x)),
    sqrt(square(fn('sin', x))),
    neg(fn('sin', x)),
    sqrt(div(sub(num(1), fn('cos', mul(num(2), x))), num(2))),
    mul(abs(fn('tan', x)), abs(fn('cos', x))),
  ],
  'periods of fractions': (r) => {
    const [n, k] = [r.of([3, 7, 11, 12, 22, 33, 60, 209]), r.small()] as const;
    return [
      fn('sin', mul(num(n), pi, x)),
      num(0),
      fn('sin', mul(num(2 * n), pi, x)),
      mul(num(2), fn('sin', mul(num(n), pi, x)), fn('cos', mul(num(n), pi, x))),
      fn('sin', add(mul(num(n), pi, x), mul(num(2 * k), pi))),
    ];
  },
  logarithms: (r) => {
    const [a, k] = [r.size(), r.small()] as const;
    return [
      mul(num(2), fn('ln', minus(a))),
      fn('ln', square(minus(a))),
      mul(num(2), fn('ln', abs(minus(a)))),
      sub(fn('ln', mul(num(k), square(minus(a)))), fn('ln', num(k))),
      fn('ln', minus(a)),
      mul(log(k, square(minus(a))), fn('ln', num(k))),
      add(fn('ln', minus(a)), fn('ln', div(square(minus(a)), minus(a)))),
      sub(fn('ln', mul(minus(a), plus(a))), sub(fn('ln', plus(a)), fn('ln', minus(a)))),
      fn('ln', sub(square(x), num(a * a))),
      mul(num(2), log(10, minus(a))),
    ];
  },
  exponentials: (r) => {
    const [a, k] = [r.small(), r.size()] as const;
    return [
      sqrt(add(pow(e, mul(num(2), x)), mul(num(-2 * k), pow(e, x)), num(k * k))),
      sub(pow(e, x), num(k)),
      sub(num(k), pow(e, x)),
      abs(sub(pow(e, x), num(k))),
      pow(num(a), add(x, num(2))),
      mul(num(a * a), pow(num(a), x)),
      mul(num(a * 2), pow(num(a), x)),
      pow(e, add(mul(x, fn('ln', num(a))), mul(num(2), fn('ln', num(a))))),
      div(pow(num(a), mul(num(2), x)), pow(num(a), sub(x, num(2)))),
    ];
  },
  constants: (r) => {
    const [a, b] = [r.small(), r.small()] as const;
    return [
      sqrt(add(num(a + b), mul(num(2), sqrt(num(a * b))))),
      add(sqrt(num(a)), sqrt(num(b))),
      sqrt(num(a + b)),
      div(num(a * b), mul(sqrt(num(a)), num(b))),
      sqrt(num(a)),
      div(num(a), sqrt(num(a))),
      log(a, num(a ** b)),
      num(b),
      fn('sin', div(pi, num(a))),
      fn('cos', sub(div(pi, num(2)), div(pi, num(a)))),
      div(add(num(a), div(num(1), num(b))), num(b)),
      div(num(a * b + 1), num(b * b)),
      div(num(1), add(sqrt(num(a + 1)), sqrt(num(a)))),
      sub(sqrt(num(a + 1)), sqrt(num(a))),
    ];
  },
  'linear inequalities': (r) => {
    const [a, b] = [r.small(), r.size()] as const;
    const [sign, turned] = r.of<[SignOf, SignOf]>([
      ['<', '>'],
      ['\\le', '\\ge'],
    ]);
    return [
      relate(x, sign, num(b)),
      relate(num(b), turned, x),
      relate(mul(num(a), x), sign, num(a * b)),
      relate(mul(num(-a), x), turned, num(-a * b)),
      relate(add(mul(num(a), x), num(1)), sign, num(a * b)),
      relate(x, turned, num(b)),
      relate(x, sign === '<' ? '\\le' : '<', num(b)),
      relate(x, sign, num(b + 1)),
      relate(pow(x, num(3)), sign, num(b ** 3)),
      relate(div(sub(num(b), x), num(a)), turned, num(0)),
      relate(sub(x, num(b)), sign, abs(sub(num(0), sub(num(b), num(b))))),
    ];
  },
  intervals: (r) => {
    const [a, b] = [r.size(), r.small()] as const;
    const [low, high] = [a - b, a + b];
    return [
      chain(num(low), '<', x, '<', num(high)),
      relate(abs(minus(a)), '<', num(b)),
      both(relate(x, '>', num(low)), relate(x, '<', num(high))),
      both(relate(x, '<', num(high)), relate(num(low), '<', x)),
      relate(mul(minus(low), minus(high)), '<', num(0)),
      relate(square(minus(a)), '<', num(b * b)),
      relate(abs(minus(a)), '\\le', num(b)),
      chain(num(low), '<', x, '\\le', num(high)),
      chain(num(high), '>', x, '>', num(low)),
      relate(minus(a), '<', num(b)),
      either(relate(x, '>', num(low)), relate(x, '<', num(high))),
      chain(num(low - a), '<', minus(a), '<', num(b)),
      chain(num(low), '<', x, '<', num(high + 1)),
    ];
  },
  'outsides of intervals': (r) => {
    const [a, b] = [r.size(), r.small()] as const;
    const [low, high] = [a - b, a + b];
    return [
      either(relate(x, '<', num(low)), relate(x, '>', num(high))),
      relate(abs(minus(a)), '>', num(b)),
      relate(div(minus(low), minus(high)), '>', num(0)),
      relate(mul(minus(low), minus(high)), '>', num(0)),
      relate(add(square(x), mul(num(-2 * a), x), num(a * a - b * b)), '>', num(0)),
      either(relate(x, '\\le', num(low)), relate(x, '>', num(high))),
      relate(x, '>', num(high)),
      both(relate(x, '<', num(low)), relate(x, '>', num(high))),
      relate(minus(a), '>', num(b)),
    ];
  },
  'inequalities with gaps': (r) => {
    const a = r.size();
    return [
      relate(x, '\\ne', num(a)),
      relate(abs(minus(a)), '>', num(0)),
      relate(square(minus(a)), '>', num(0)),
      either(relate(x, '<', num(a)), relate(x, '>', num(a))),
      relate(minus(a), '>', num(0)),
      relate(minus(a), '\\ne', num(0)),
      relate(x, '\\ne', num(a + 1)),
      relate(mul(minus(a), plus(a)), '\\ne', num(0)),
    ];
  },
  'inequalities with functions': (r) => {
    const a = r.small();
    return [
      relate(sqrt(x), '<', num(a)),
      chain(num(0), '\\le', x, '<', num(a * a)),
      relate(x, '<', num(a * a)),
      chain(num(0), '<', x, '<', num(a * a)),
      relate(fn('ln', x), '<', num(a)),
      chain(num(0), '<', x, '<', pow(e, num(a))),
      relate(x, '<', pow(e, num(a))),
      relate(pow(num(2), x), '<', num(a)),
      relate(x, '<', log(2, num(a))),
      relate(div(num(1), x), '>', num(a)),
      chain(num(0), '<', x, '<', div(num(1), num(a))),
      relate(x, '<', div(num(1), num(a))),
      relate(square(x), '<', num(a)),
      chain(neg(sqrt(num(a))), '<', x, '<', sqrt(num(a))),
      relate(abs(x), '<', sqrt(num(a))),
    ];
  },
  'inequalities of two letters': (r) => {
    const [a, b] = [r.small(), r.size()] as const;
    return [
      relate(y, '<', line(a, b)),
      relate(sub(y, mul(num(a), x)), '<', num(b)),
      relate(line(a, b), '>', y),
      relate(mul(num(-1), y), '>', neg(line(a, b))),
      relate(y, '>', line(a, b)),
      relate(y, '\\le', line(a, b)),
      relate(y, '<', line(a + 1, b)),
      relate(y, '<', line(a, b + 1)),
      relate(abs(y), '<', x),
      chain(neg(x), '<', y, '<', x),
      relate(y, '<', x),
    ];
  },
  equations: (r) => {
    const [a, b] = [r.small(), r.size()] as const;
    return [
      relate(add(mul(num(a), x), num(b)), '=', num(0)),
      relate(mul(num(a), x), '=', num(-b)),
      relate(x, '=', div(num(-b), num(a))),
      relate(mul(num(-2 * a), x), '=', num(2 * b)),
      relate(x, '=', div(num(b), num(a))),
      relate(mul(num(a), x), '=', add(num(b), x)),
      relate(x, '=', num(a)),
      relate(square(x), '=', num(b)),
      relate(square(x), '=', num(b + 1)),
      relate(mul(num(3), square(x)), '=', num(3 * b)),
    ];
  },
  'equations of two letters': (r) => {
    const [a, b] = [r.small(), r.size()] as const;
    return [
      relate(y, '=', line(a, b)),
      relate(sub(y, mul(num(a), x)), '=', num(b)),
      relate(mul(num(2), line(a, b)), '=', mul(num(2), y)),
      relate(y, '=', line(a, -b)),
      relate(y, '=', mul(num(a), x)),
      relate(y, '=', abs(line(1, -b))),
      relate(y, '=', sub(num(b), x)),
      relate(y, '=', sqrt(square(line(1, -b)))),
      relate(mul(num(a), y), '=', abs(add(mul(num(-a), x), num(a * b)))),
      relate(add(square(x), square(y)), '=', num(b)),
      relate(square(y), '=', sub(num(b), square(x))),
      relate(y, '=', sqrt(sub(num(b), square(x)))),
    ];
  },
  'inequalities of factors': inequality,
  'lists of solutions': (r) => {
    const [a, b] = [r.size(), r.small()] as const;
    const is = (...values: Term[]) => values.map((value) => relate(x, '=', value));
    const pm: Statement = { latex: `x=\\pm ${b}`, judge: `Or(Eq(x,${b}),Eq(x,-${b}))` };
    const root = sqrt(num(b));
    return [
      listed(...is(num(a), num(-b))),
      listed(...is(num(-b), num(a))),
      listed(...is(div(num(2 * a), num(2)), num(-b))),
      either(...is(num(-b), num(a))),
      { latex: `x=${-b},${a}`, judge: `Or(Eq(x,-${b}),Eq(x,${a}))` },
      listed(...is(num(a), num(b))),
      listed(...is(num(-b))),
      pm,
      listed(...is(num(-b), num(b))),
      listed(...is(num(b), num(-b))),
      listed(...is(root, neg(root))),
      { latex: `x=\\pm ${root.latex}`, judge: `Or(Eq(x,-${root.judge}),Eq(x,${root.judge}))` },
      listed(...is(neg(div(num(b), root)), root)),
    ];
  },
};

/** Families that make both formulas of a pair at once. */
const TWICE: Readonly<Record<string, (random: Random) => readonly [Statement, Statement]>> = {
  'nested, to a depth of 2': (r) => nested(r, 2),
  'nested, to a depth of 3': (r) => nested(r, 3),
};

/** This many pairs, equally many of each family. */
export function pairsOf(seed: number, count: number): Pair[] {
  const random = new Random(randomFrom(seed));
  const names = [...Object.keys(FAMILIES), ...Object.keys(TWICE), ...Object.keys(TWICE)];
  const pairs = new Map<string, Pair>();
  for (let round = 0; pairs.size < count && round < 20 * count; round += 1) {
    const family = names[round % names.length] as string;
    const forms = FAMILIES[family]?.(random) ?? TWICE[family]?.(random) ?? [];
    const value = random.of(forms);
    const response = random.other(forms, value);
    const key = `${value.latex} ${response.latex}`;
    if (!pairs.has(key)) pairs.set(key, { family, value, response });
  }
  return [...pairs.values()];
}
