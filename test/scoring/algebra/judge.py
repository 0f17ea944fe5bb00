"""Reads pairs as JSON from standard input, and writes for each whether the two mean the same: true, false, or null for unknown."""
import json
import random
import sys

from sympy import *  # noqa: F403
from sympy.solvers.inequalities import solve_univariate_inequality

x, y = symbols("x y", real=True)
p = symbols("p", positive=True)


def solutions(relation):
    if relation == true:
        return S.Reals
    if relation == false:
        return S.EmptySet
    return solve_univariate_inequality(relation, x, relational=False)


class curve:
    """The points of a curve, by the polynomial that is zero there."""

    def __init__(self, expression):
        self.polynomial = Poly(expand(expression), x, y).monic()


def with_factored_radicands(expression):
    return expression.replace(lambda e: e.is_Pow and e.exp == Rational(1, 2), lambda e: sqrt(factor(e.base)))


def same_expression(a, b):
    difference = simplify(with_factored_radicands(a) - with_factored_radicands(b))
    if difference == 0:
        return True
    letters = sorted(difference.free_symbols, key=str)
    if not letters:
        return bool(simplify(difference).is_zero) if difference.is_zero is not None else abs(N(difference, 30)) < 1e-20
    numbers = random.Random(7)
    for _ in range(400):
        scale = 10 ** numbers.randint(0, 4)
        at = {each: Rational(numbers.randint(-9999, 9999), 1000) * scale for each in letters}
        if p in at:
            at[p] = abs(at[p]) + Rational(1, 7)
        value = difference.subs(at)
        if value.is_real and abs(N(value, 30)) > 1e-12:
            return False
    return None


def judge(first, second):
    a, b = eval(first), eval(second)
    if isinstance(a, curve):
        return a.polynomial == b.polynomial
    if isinstance(a, Set):
        return bool(Complement(a, b).is_empty and Complement(b, a).is_empty)
    return same_expression(sympify(a), sympify(b))


json.dump([judge(*pair) for pair in json.load(sys.stdin)], sys.stdout)
