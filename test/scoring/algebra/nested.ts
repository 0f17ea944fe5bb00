import type { Random } from './pairs';
import {
  abs,
  add,
  arc,
  cbrt,
  div,
  e,
  fn,
  mul,
  neg,
  num,
  pow,
  relate,
  type SignOf,
  type Statement,
  sqrt,
  sub,
  type Term,
  x,
} from './terms';

const square = (of: Term) => pow(of, num(2));

/**
 * One formula twice, with changes at some places. Some changes keep its value; others keep it only on one side of a
 * zero.
 */
type Twice = readonly [Term, Term];

/** A formula of nested formulas up to a depth, with changes at some places. */
export function nested(random: Random, depth: number): Twice {
  if (depth === 0) return leaf(random);
  const [a, b] = nested(random, depth - 1);
  const [c, d] = nested(random, random.below(depth));
  switch (random.below(12)) {
    case 0:
      return [add(a, c), add(d, b)];
    case 1:
      return [sub(a, c), random.of([sub(b, d), neg(sub(d, b)), sub(b, d), sub(d, b)])];
    case 2:
      return [mul(a, c), mul(d, b)];
    case 3:
      return [div(a, add(num(random.small()), square(c))), div(b, add(num(random.small()), square(d)))];
    case 4:
      return [abs(mul(a, c)), random.of([mul(abs(b), abs(d)), abs(mul(b, d)), mul(b, abs(d))])];
    case 5:
      return [sqrt(square(sub(a, c))), random.of([abs(sub(d, b)), sub(b, d), sub(d, b)])];
    case 6:
      return [square(a), random.of([square(abs(b)), square(neg(b)), mul(b, b), mul(b, abs(b))])];
    case 7:
      return [fn('ln', square(a)), random.of([mul(num(2), fn('ln', abs(b))), mul(num(2), fn('ln', b))])];
    case 8:
      return [fn('cos', a), random.of([fn('cos', neg(b)), fn('cos', abs(b)), fn('cos', b)])];
    case 9:
      return [fn('sin', a), random.of([neg(fn('sin', neg(b))), fn('sin', abs(b)), fn('sin', b)])];
    case 10:
      return [pow(e, neg(abs(a))), random.of([pow(e, neg(abs(neg(b)))), pow(e, neg(b)), div(num(1), pow(e, abs(b)))])];
    default:
      return [abs(a), random.of([abs(neg(b)), b, neg(b), sqrt(square(b)), sqrt(mul(b, b)), cbrt(pow(abs(b), num(3)))])];
  }
}

function leaf(random: Random): Twice {
  const c = random.size();
  const k = random.small();
  return random.of<Twice>([
    [add(x, num(c)), add(num(c), x)],
    [sub(x, num(c)), neg(sub(num(c), x))],
    [sub(mul(num(k), x), num(k * c)), mul(num(k), sub(x, num(c)))],
    [x, x],
    [num(c), num(c)],
    [div(x, num(k * c)), mul(div(num(1), num(k)), div(x, num(c)))],
    [sub(square(x), num(c * c)), mul(add(x, num(c)), sub(x, num(c)))],
    [arc('sin', fn('sin', div(x, num(c)))), random.of([div(x, num(c)), arc('sin', fn('sin', div(x, num(c))))])],
  ]);
}

/** An inequality of factors, and one with a factor more or fewer that never or rarely changes its sign. */
export function inequality(random: Random): [Statement, ...Statement[]] {
  const [a, b, c] = [random.size(), random.size(), random.size()] as const;
  const sign = random.of<SignOf>(['<', '\\le', '>', '\\ge']);
  const base = mul(sub(x, num(a)), add(x, num(b)));
  const zero = num(0);
  return [
    relate(base, sign, zero),
    relate(mul(base, add(square(x), num(c))), sign, zero),
    relate(mul(base, square(sub(x, num(c)))), sign, zero),
    relate(mul(base, pow(e, div(x, num(c)))), sign, zero),
    relate(div(sub(x, num(a)), add(x, num(b))), sign, zero),
    relate(mul(sub(x, num(a)), abs(add(x, num(b)))), sign, zero),
    relate(mul(sub(x, num(a)), pow(add(x, num(b)), num(3))), sign, zero),
    relate(add(square(x), mul(num(b - a), x)), sign, num(a * b)),
    relate(sub(abs(base), base), sign, zero),
    relate(mul(sub(x, num(a)), cbrt(add(x, num(b)))), sign, zero),
    relate(mul(sub(x, num(a)), sqrt(add(x, num(b)))), sign, zero),
    relate(abs(sub(x, num(a))), sign, abs(add(x, num(b)))),
    relate(square(sub(x, num(a))), sign, square(add(x, num(b)))),
    relate(fn('ln', div(square(sub(x, num(a))), square(add(x, num(b))))), sign, zero),
  ];
}
