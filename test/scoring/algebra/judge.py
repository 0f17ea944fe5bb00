"""Reads pairs of formulas, one JSON text on each line, and prints for each: equal, unequal or unknown.

Expressions are equal when they have the same value wherever both have a real value. Relations are equal when the same real
numbers solve them. This judge shares no code with the engine: it uses the algebra of sympy, with numbers of 60 digits.
"""
import json
import signal
import sys

import sympy as sp

x, y = sp.symbols('x y', real=True)
NAMES = {name: getattr(sp, name) for name in (
    'sqrt real_root Abs sin cos tan asin acos atan log pi E And Or Eq Ne Lt Gt Le Ge Integer').split()}
NAMES.update(ln=sp.log, x=x, y=y)
DIGITS = 60
SECONDS = 5
CLOSE = sp.Float(10) ** -40
# The engine compares formulas to ten decimal places, so pairs with smaller differences are not judged.
ROUNDED = sp.Float(10) ** -8
OTHERS = [sp.Rational(7, 3), sp.Rational(-11, 5), sp.Rational(1, 3), sp.Rational(-2, 7), sp.Integer(1907)]

# Points to compare at when critical points are missing: they can prove a difference, but no equality.
GRID = [sp.Float(sign * size, DIGITS) for size in (.13, .7, 1.9, 4.3, 8.7, 15.1, 33.3, 71.7, 207.3, 1009.1, 4007.7, 90001.3)
        for sign in (-1, 1)]


class TooSlow(Exception):
    pass


def raise_too_slow(*_):
    raise TooSlow


def read(text):
    return sp.parse_expr(text, local_dict=NAMES, evaluate=True)


def roots_of(expression):
    """The real zeros in one letter, of a periodic function the first ones; None if they are not found."""
    try:
        found = sp.solveset(expression, x, sp.Reals)
    # sympy raises errors of many types when it cannot solve an equation.
    except Exception as error:
        if isinstance(error, TooSlow):
            raise
        return None
    if found is sp.S.Reals or found is sp.S.EmptySet:
        return []
    return points_of(found)


def points_of(found):
    if isinstance(found, sp.FiniteSet):
        return list(found)
    if isinstance(found, sp.ImageSet):
        return [found.lamda(k) for k in range(-4, 5)]
    if isinstance(found, (sp.Union, sp.Intersection, sp.Complement)):
        parts = [points_of(part) for part in found.args if part is not sp.S.Reals]
        return None if any(part is None for part in parts) else [point for part in parts for point in part]
    return [] if found is sp.S.EmptySet else None


def critical(*expressions):
    """Numbers between which the expressions are analytic, or have no real value."""
    points, complete = [sp.Integer(0)], True
    for expression in expressions:
        for part in sp.preorder_traversal(expression):
            arguments = []
            if isinstance(part, (sp.Abs, sp.log, sp.sign, sp.arg)):
                arguments = [part.args[0]]
            elif isinstance(part, sp.Pow) and not (part.exp.is_integer and part.exp.is_positive) and part.base.has(x):
                arguments = [part.base]
            elif isinstance(part, (sp.asin, sp.acos)):
                arguments = [part.args[0] - 1, part.args[0] + 1]
            elif isinstance(part, sp.atan) and part.args[0].as_numer_denom()[1].has(x):
                arguments = [part.args[0].as_numer_denom()[1]]
            elif isinstance(part, sp.tan):
                arguments = [sp.cos(part.args[0])]
            for argument in arguments:
                if not argument.has(x):
                    continue
                roots = roots_of(argument)
                complete = complete and roots is not None
                points.extend(roots or [])
    return sorted({point for point in points if point.is_real is not False}, key=lambda point: point.evalf(DIGITS)), complete


def samples(points):
    values = [point.evalf(DIGITS) for point in points]
    ends = [values[0] - 1000, values[0] - 50] + values + [values[-1] + 50, values[-1] + 1000]
    steps = [sp.sqrt(sp.Rational(1, 7)).evalf(DIGITS), sp.sqrt(sp.Rational(1, 2)).evalf(DIGITS), sp.Rational(9, 10)]
    return [sp.Float(low + (high - low) * step, DIGITS) for low, high in zip(ends, ends[1:]) for step in steps]


def value_at(expression, point):
    """None where a part has no real value, such as the logarithm of a negative number."""
    for part in sp.preorder_traversal(expression):
        inner = None
        if isinstance(part, sp.log):
            inner = part.args[0]
        elif isinstance(part, sp.Pow) and part.exp.is_number and not part.exp.is_integer:
            inner = part.base
        if inner is not None and inner.has(x):
            real, imaginary = sp.N(inner.subs(x, point), DIGITS).as_real_imag()
            if real < 0 or abs(imaginary) > CLOSE * (1 + abs(real)):
                return None
    value = sp.N(expression.subs(x, point), DIGITS)
    if not value.is_number or value.has(sp.nan, sp.oo, sp.zoo):
        return None
    real, imaginary = value.as_real_imag()
    return real if abs(imaginary) < CLOSE * (1 + abs(real)) else None


def same_expression(a, b):
    if not (a - b).has(x):
        return 'equal' if sp.simplify(a - b) == 0 or abs(sp.N(a - b, DIGITS)) < CLOSE else 'unequal'
    points, complete = critical(a, b)
    compared, rounded = 0, False
    for point in samples(points) + ([] if complete else GRID):
        left, right = value_at(a, point), value_at(b, point)
        if left is None or right is None:
            continue
        if abs(left - right) > CLOSE * (1 + abs(left)):
            if abs(left - right) > ROUNDED:
                return 'unequal'
            rounded = True
        compared += 1
    return 'equal' if not rounded and complete and compared >= 3 else 'unknown'


def relations_in(statement):
    if isinstance(statement, (sp.And, sp.Or)):
        return [part for each in statement.args for part in relations_in(each)]
    return [statement]


def holds(statement, point):
    if isinstance(statement, sp.And):
        return all(holds(part, point) for part in statement.args)
    if isinstance(statement, sp.Or):
        return any(holds(part, point) for part in statement.args)
    if statement in (sp.true, sp.false):
        return bool(statement)
    left, right = (sp.simplify(side.subs(x, point)) if point.is_Float is not True else side.subs(x, point)
                   for side in (statement.lhs, statement.rhs))
    sides = [value_at(side, point) for side in (left, right)]
    if None in sides:
        return False
    difference = sides[0] - sides[1]
    # Between critical points, sides are never equal, however close they are.
    least = 0 if point.is_Float else 1
    equal = abs(difference) <= CLOSE * max(least, abs(sides[0]), abs(sides[1]))
    sign = statement.rel_op
    return {'==': equal, '!=': not equal, '<': not equal and difference < 0, '>': not equal and difference > 0,
            '<=': equal or difference < 0, '>=': equal or difference > 0}[sign]


def same_statement(a, b):
    """Compares at all critical points, where sides are equal, and between these points, where nothing changes."""
    points, complete = [sp.Integer(0)], True
    for relation in relations_in(a) + relations_in(b):
        if relation in (sp.true, sp.false):
            continue
        difference = relation.lhs - relation.rhs
        breaks, known = critical(difference)
        roots = roots_of(difference) if difference.has(x) else []
        complete = complete and known and roots is not None
        points.extend(breaks + (roots or []))
    points = sorted(set(points), key=lambda point: point.evalf(DIGITS))
    tried = points + samples(points) + ([] if complete else GRID)
    if any(holds(a, point) != holds(b, point) for point in tried):
        return 'unequal'
    return 'equal' if complete else 'unknown'


def verdict(value, response):
    a, b = read(value), read(response)
    is_statement = any(isinstance(each, (sp.Rel, sp.And, sp.Or)) or each in (sp.true, sp.false) for each in (a, b))
    compare = same_statement if is_statement else same_expression
    if not (a.has(y) or b.has(y)):
        return compare(a, b)
    found = [compare(a.subs(y, other), b.subs(y, other)) for other in OTHERS]
    return next((each for each in ('unequal', 'unknown') if each in found), 'equal')


signal.signal(signal.SIGALRM, raise_too_slow)
for line in sys.stdin:
    pair = json.loads(line)
    signal.alarm(SECONDS)
    try:
        print(verdict(*pair), flush=True)
    except Exception as error:
        print('unknown', flush=True)
        print(pair, repr(error), file=sys.stderr)
    signal.alarm(0)
