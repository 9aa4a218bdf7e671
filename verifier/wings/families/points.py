"""Real values of a parameter, exactly: rational, algebraic, or where U(p) = V(p)·e^ε with e^ε transcendental.

Signs of A(p) - B(p)·e^ε at such points are decided in finitely many steps (proofs/symbolic.md): where e^ε is rational
or a root of a rational the sign is that of a polynomial; where it is transcendental, A - B·e^ε is 0 at an algebraic
point only if A and B are, and at a crossing of U and V only if A·V = B·U as polynomials; else refinement ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import gcd, lcm
from typing import Any, TypeAlias

from verifier.errors import UnsupportedError
from verifier.numbers import (
    Algebraic,
    Epsilon,
    Function,
    compare,
    exact_text,
    fmpq_of,
    polynomial_of,
    simplest,
    value_at,
)
from verifier.numbers.algebraic import polynomial_text, range_of
from verifier.numbers.functions import real_roots
from verifier.numbers.rational import coefficients, decimal_between, decimal_of, fraction_of
from verifier.wings.families.formulas import formula


@dataclass(frozen=True)
class Crossing:
    """The only p in [low, high] with top(p) = bottom(p)·e^ε; the polynomials have integer coefficients, no common root.

    It is transcendental: at an algebraic point top/bottom is algebraic, and e^ε is not.
    """

    top: tuple[int, ...]
    bottom: tuple[int, ...]
    epsilon: Epsilon
    low: Fraction
    high: Fraction

    def bracket(self, precision: int) -> tuple[Fraction, Fraction]:
        """Rational bounds, at most 2^-precision apart."""
        low, high = self.low, self.high
        first = self._sign(low)
        scale = 1 << precision
        while (high - low) * scale > 1:
            middle = simplest((3 * low + high) / 4, (low + 3 * high) / 4)
            low, high = (middle, high) if self._sign(middle) == first else (low, middle)
        return low, high

    def _sign(self, x: Fraction) -> int:
        return int(compare(value_at(self.top, x), value_at(self.bottom, x), self.epsilon).settled().value)

    def __str__(self) -> str:
        sign, coefficients_shown = ("+", tuple(-c for c in self.bottom)) if self.bottom[-1] < 0 else ("-", self.bottom)
        factor = polynomial_text(coefficients_shown)
        factor = (
            "" if factor == "1" else f"({factor})*" if sum(1 for c in coefficients_shown if c) > 1 else f"{factor}*"
        )
        ends = f"[{exact_text(self.low)}, {exact_text(self.high)}]"
        return f"root of {polynomial_text(self.top)} {sign} {factor}exp({self.epsilon}) in {ends}"


Point: TypeAlias = Fraction | Algebraic | Crossing


def point_text(point: Point) -> str:
    """The exact text of a point."""
    return exact_text(point) if isinstance(point, Fraction) else str(point)


def point_decimal(point: Point, digits: int = 12) -> str:
    """The correctly rounded decimal of a point."""
    if isinstance(point, Fraction):
        return decimal_of(point, digits)
    return decimal_between(point.bracket, digits)


def bracket(point: Point, precision: int) -> tuple[Fraction, Fraction]:
    """Rational bounds, at most 2^-precision apart."""
    return (point, point) if isinstance(point, Fraction) else point.bracket(precision)


def order(x: Point, y: Point) -> int:
    """Compare two points: -1, 0 or 1 for x < y, x = y, x > y.

    Equal points are equal objects or the same crossing, so that the refinement of the others ends.
    """
    if x == y or same_crossing(x, y):
        return 0
    precision = 16
    while True:
        (a, b), (c, d) = bracket(x, precision), bracket(y, precision)
        if b < c or (b == c and not isinstance(x, Fraction)) or (b <= c and not isinstance(y, Fraction)):
            return -1
        if d < a or (d == a and not isinstance(x, Fraction)) or (d <= a and not isinstance(y, Fraction)):
            return 1
        precision *= 2


def same_crossing(x: Point, y: Point) -> bool:
    """Whether two crossings are the same point: the same functions, and one root in the overlap of their intervals."""
    if not (isinstance(x, Crossing) and isinstance(y, Crossing)):
        return False
    if (x.top, x.bottom, x.epsilon) != (y.top, y.bottom, y.epsilon):
        return False
    low, high = max(x.low, y.low), min(x.high, y.high)
    return low < high and x._sign(low) != x._sign(high)  # noqa: SLF001 - the same class


def ascending(points: Iterable[Point]) -> list[Point]:
    """The points in order, each once."""
    distinct: list[Point] = []
    for point in sorted(points, key=cmp_to_key(order)):
        if not distinct or order(distinct[-1], point):
            distinct.append(point)
    return distinct


def between(x: Point | None, y: Point | None) -> Fraction:
    """A rational number strictly between two points, x < y; None is an unbounded end.

    Between two rational numbers it is the simplest; beyond the only end it is an integer.
    """
    if x is None and y is None:
        return Fraction(0)
    if x is None:
        return Fraction(_low(y) // 1 - 1)
    if y is None:
        return Fraction(-(-_high(x) // 1) + 1)
    precision = 16
    while True:
        (_, a), (b, _) = bracket(x, precision), bracket(y, precision)
        if a < b:
            return simplest(a, b)
        precision *= 2


def _low(point: Point | None) -> Fraction:
    return bracket(point, 8)[0] if point is not None else Fraction(0)


def _high(point: Point) -> Fraction:
    return bracket(point, 8)[1]


NOTHING, ONE = (Function.parameter("x").constantly(k) for k in (0, 1))
"""The constant functions 0 and 1 of one parameter."""


@dataclass(frozen=True)
class Line:
    """The function a - b·e^ε of the parameter; where e^ε is rational, or a function of the parameter, b is 0."""

    a: Function
    b: Function = NOTHING
    epsilon: Epsilon | None = None

    @classmethod
    def of(cls, p: Function, q: Function, factor: Epsilon | Function) -> Line:
        """The line p - q·e^ε; `factor` is ε, or e^ε as a function of the parameter.

        Raises:
            UnsupportedError: for ε = ln(root of …), where no power of e^ε is rational.

        """
        if isinstance(factor, Function):
            return cls(p - q * factor)
        if factor.exp is not None:
            return cls(p - q * factor.exp)
        if factor.root is not None:
            raise UnsupportedError(f"ε = {factor} is not supported for a family", wanted='"ln(p/q)" or a rational')
        return cls(p, q, factor if q else None)

    def plus(self, second: Line) -> Line:
        """The sum of two lines."""
        b = self.b + second.b
        return Line(self.a + second.a, b, (self.epsilon or second.epsilon) if b else None)

    def minus(self, second: Line) -> Line:
        """The difference of two lines."""
        b = self.b - second.b
        return Line(self.a - second.a, b, (self.epsilon or second.epsilon) if b else None)

    def less(self, value: Fraction) -> Line:
        """The line minus a constant."""
        return Line(self.a - value, self.b, self.epsilon)

    def meets(self, second: Line, at: Point) -> bool:
        """Whether two lines have the same value at a point; at a pole they do not."""
        try:
            return not self.minus(second).sign(at)
        except ZeroDivisionError:
            return False

    @property
    def polynomials(self) -> tuple[Any, Any, Any]:
        """Polynomials (U, V, W) with (U - V·e^ε)/W equal to the line."""
        return self.a.top * self.b.bottom, self.b.top * self.a.bottom, self.a.bottom * self.b.bottom

    def sign(self, at: Point) -> int:
        """The sign of the line at a point: -1, 0 or 1.

        Raises:
            ZeroDivisionError: at a pole.

        """
        u, v, w = self.polynomials
        below = polynomial_sign(w, at)
        if not below:
            raise ZeroDivisionError("a pole")
        return _sign(u, v, self.epsilon, at) * below

    def roots(self, low: Point | None, high: Point | None) -> list[Point]:
        """The roots of the line strictly between two points; empty where the line is 0 everywhere.

        Raises:
            UnsupportedError: for an unbounded end where e^ε is irrational.

        """
        u, v, _ = self.polynomials
        if u.degree() < 0 and v.degree() < 0:
            return []
        if self.epsilon is not None and (low is None or high is None):
            raise UnsupportedError("e^ε is irrational and the range has no end", wanted="a range with two ends")
        ends = low if low is None else bracket(low, 16)[0], high if high is None else bracket(high, 16)[1]
        roots = _roots(u, v, self.epsilon, *ends)
        return [
            root for root in roots if (low is None or order(low, root) < 0) and (high is None or order(root, high) < 0)
        ]

    def text(self, name: str, at: Fraction) -> str:
        """The formula of the line, such as `(1 - p)/2 - p*exp(1/10)`."""
        first = formula(self.a, name, at)
        if self.epsilon is None:
            return first
        power = str(self.epsilon)
        power = f"exp({power})"
        second = formula(self.b, name, at)
        second = power if second == "1" else f"{second}*{power}"
        if not self.a:
            return f"-{second}"
        return f"{first} + {second[1:]}" if second.startswith("-") else f"{first} - {second}"


def polynomial_sign(polynomial: Any, at: Point) -> int:
    """The sign of a polynomial with rational coefficients at a point: -1, 0 or 1."""
    if polynomial.degree() < 0:
        return 0
    if isinstance(at, Fraction):
        value = polynomial(fmpq_of(at))
        return int(value > 0) - int(value < 0)
    if isinstance(at, Algebraic):
        return at.sign(coefficients(polynomial))
    return _refined(polynomial, polynomial_of((0,)), None, at)


def _sign(u: Any, v: Any, epsilon: Epsilon | None, at: Point) -> int:
    """The sign of U - V·e^ε."""
    if epsilon is None or v.degree() < 0:
        return polynomial_sign(u, at)
    if isinstance(at, Crossing):
        if epsilon != at.epsilon:
            raise ArithmeticError("two different ε in one question")
        top, bottom = polynomial_of(at.top), polynomial_of(at.bottom)
        return 0 if (u * bottom - v * top).degree() < 0 else _refined(u, v, epsilon, at)
    first, second = polynomial_sign(u, at), polynomial_sign(v, at)
    if not second or first != second:
        return first or -second
    if isinstance(at, Fraction):
        value = fmpq_of(at)
        x, y = (fraction_of(polynomial(value)) for polynomial in (u, v))
        return int(compare(x, y, epsilon).settled().value)
    power = _power(epsilon)
    if power is not None:
        return int(first ** (power[0] + 1)) * polynomial_sign(_norm(u, v, power), at)
    return _refined(u, v, epsilon, at)


def _power(epsilon: Epsilon) -> tuple[int, Fraction] | None:
    """The pair (k, m) where e^ε is the positive k-th root of a rational m; else None."""
    if epsilon.kind != "log":
        return None
    power, root = epsilon.power()
    return root, power


def _norm(u: Any, v: Any, power: tuple[int, Fraction]) -> Any:
    """U^k - m·V^k, which is 0 where U = V·e^ε."""
    k, m = power
    return u**k - v**k * fmpq_of(m)


def _refined(u: Any, v: Any, epsilon: Epsilon | None, at: Point) -> int:
    """The sign of U - V·e^ε, which is not 0, by bounds of growing precision."""
    precision = 32
    while True:
        x = bracket(at, precision)
        low, high = range_of(coefficients(u), *x)
        if epsilon is not None:
            c, d = range_of(coefficients(v), *x)
            factor = epsilon.exp_bracket(precision)
            products = [y * z for y in (c, d) for z in factor]
            low, high = low - max(products), high - min(products)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        precision *= 2


def _roots(u: Any, v: Any, epsilon: Epsilon | None, low: Fraction | None, high: Fraction | None) -> list[Point]:
    """The points of [low, high] with U = V·e^ε; where e^ε is irrational and V is not 0, the interval has two ends."""
    if epsilon is None or low is None or high is None or v.degree() < 0:
        return list(real_roots(u, low, high))
    power = _power(epsilon)
    if power is not None:
        norm = real_roots(_norm(u, v, power), low, high)
        return [root for root in norm if _sign(u, v, epsilon, root) == 0]
    shared = u.gcd(v)
    return [*real_roots(shared, low, high), *_crossings(u // shared, v // shared, epsilon, low, high)]


def _crossings(u: Any, v: Any, epsilon: Epsilon, low: Fraction, high: Fraction) -> list[Point]:
    """The points with U/V = e^ε; between its poles and turning points U/V is monotone, so that it crosses e^ε once."""
    turns = u.derivative() * v - u * v.derivative()
    special: list[Point] = [low, high, *real_roots(turns, low, high), *real_roots(v, low, high)]
    crossings: list[Point] = []
    top, bottom = _integer_pair(u, v)
    for x, y in pairwise(ascending(special)):
        if _sign(u, v, epsilon, x) != _sign(u, v, epsilon, y):
            crossings.append(_crossing(top, bottom, epsilon, x, y))
    return crossings


def _integer_pair(u: Any, v: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The pair of polynomials with coprime integer coefficients; the leading one of the first is positive."""
    first, second = coefficients(u), coefficients(v)
    scale = lcm(*(c.denominator for c in (*first, *second)))
    integers = [int(c * scale) for c in (*first, *second)]
    divisor = gcd(*integers) * (1 if integers[len(first) - 1] > 0 else -1)
    listed = [c // divisor for c in integers]
    return tuple(listed[: len(first)]), tuple(listed[len(first) :])


def _crossing(top: tuple[int, ...], bottom: tuple[int, ...], epsilon: Epsilon, x: Point, y: Point) -> Crossing:
    """The crossing between two points, in the shortest interval [k/10^j, (k+1)/10^j] between them, j ≥ 2."""
    precision = 8
    while True:
        ends = bracket(x, precision)[1], bracket(y, precision)[0]
        if ends[0] < ends[1]:
            wide = Crossing(top, bottom, epsilon, *ends)
            if wide._sign(ends[0]) != wide._sign(ends[1]):  # noqa: SLF001 - its own class
                break
        precision *= 2
    scale = 100
    while True:
        precision = scale.bit_length() + 8
        low, high = wide.bracket(precision)
        start = Fraction(low * scale // 1)
        if high * scale <= start + 1:
            start_of_cell, end_of_cell = start / scale, (start + 1) / scale
            if ends[0] <= start_of_cell and end_of_cell <= ends[1]:
                return Crossing(top, bottom, epsilon, start_of_cell, end_of_cell)
        scale *= 10
