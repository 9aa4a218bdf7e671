"""Real algebraic numbers: an irreducible integer polynomial and an interval that holds one of its roots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.numbers.rational import (
    MAX_DIGITS,
    arb_of,
    ball_ends,
    exact_text,
    integer_text,
    polynomial_of,
    rational,
    shorten,
)

GUARD = 32
"""Bits of a ball beyond those that its number is known to."""
MAX_DEGREE_READ, MAX_CHARACTERS_READ = 64, 4000
_TERM = re.compile(r"\s*([+-])?\s*(?:([0-9]+)\s*\*?\s*)?(x(?:\s*\^\s*([0-9]+))?)?")


def value_at(coefficients: Sequence[Fraction | int], x: Fraction) -> Fraction:
    """The value at x of the polynomial with these coefficients, the constant term first.

    >>> value_at((-1, -1, 1), Fraction(2))
    Fraction(1, 1)
    """
    total = Fraction(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def _is_positive(coefficients: Sequence[int], top: int, bottom: int) -> bool:
    """Whether a polynomial is positive at top/bottom: its value times a power of the bottom, in integers."""
    total, power = 0, 1
    for c in reversed(coefficients):
        total, power = total * top + c * power, power * bottom
    return total > 0


@dataclass(frozen=True)
class Algebraic:
    """The only root of `polynomial` in [low, high]; made by `roots_between`, so that equal numbers are equal objects.

    The polynomial is irreducible over ℤ of degree at least 2, its content is 1, its leading coefficient positive, its
    constant term first. The interval is the shortest of the form [k/10^j, (k+1)/10^j], j ≥ 1, with no other root.

    >>> golden = roots_between((-1, -1, 1), Fraction(1), Fraction(2))[0]
    >>> print(golden, golden < Fraction(13, 8), golden < Fraction(8, 5))
    root of x^2 - x - 1 in [8/5, 17/10] True False
    """

    polynomial: tuple[int, ...]
    low: Fraction
    high: Fraction

    def __lt__(self, other: Fraction | int) -> bool:
        """Compare with a rational number, which it never equals."""
        if not self.low < other < self.high:
            return self.high <= other
        return value_at(self.polynomial, Fraction(other)) * value_at(self.polynomial, self.high) > 0

    def __gt__(self, other: Fraction | int) -> bool:
        return not self < other

    def bracket(self, precision: int) -> tuple[Fraction, Fraction]:
        """Rational bounds (low, high) of the number with high - low ≤ 2^-precision."""
        return _bracket(self, precision)

    def remainder(self, polynomial: Any) -> Any:
        """The remainder of a polynomial of python-flint modulo the minimal polynomial of this number."""
        return polynomial % _minimal(self.polynomial)

    def sign(self, coefficients: Sequence[Fraction | int]) -> int:
        """The sign of another polynomial at this number, exactly.

        >>> golden = roots_between((-1, -1, 1), Fraction(1), Fraction(2))[0]
        >>> golden.sign((-1, -1, 1)), golden.sign((-2, 1)), golden.sign((1, -3, 0, 1))
        (0, -1, 1)
        """
        return self.sign_of(polynomial_of(coefficients))

    def sign_of(self, polynomial: Any) -> int:
        """The sign of a polynomial of python-flint at this number, exactly."""
        from flint import arb_poly, ctx

        remainder = self.remainder(polynomial)
        if remainder.degree() < 0:
            return 0
        precision = 32
        while True:
            with ctx.workprec(precision + GUARD):
                value = arb_poly(remainder)(_ball(self, precision))
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
            precision *= 2

    def __str__(self) -> str:
        return self.text()

    def text(self, max_digits: int = MAX_DIGITS) -> str:
        """The text of the number, such as `root of x^2 - x - 1 in [8/5, 17/10]`."""
        ends = f"[{exact_text(self.low)}, {exact_text(self.high)}]"
        polynomial = polynomial_text(self.polynomial)
        if len(polynomial) > max_digits:
            polynomial = f"{polynomial[: max_digits // 2]} … (degree {len(self.polynomial) - 1})"
        return f"root of {polynomial} in {ends}"


@lru_cache(maxsize=4096)
def _minimal(polynomial: tuple[int, ...]) -> Any:
    return polynomial_of(polynomial)


@lru_cache(maxsize=4096)
def _bracket(number: Algebraic, precision: int) -> tuple[Fraction, Fraction]:
    """The number between two neighbours or next neighbours of 2^-(precision + 1), by bisection."""
    low, high = number.low, number.high
    rising = value_at(number.polynomial, high) > 0
    scale = 1 << (precision + 1)
    below, above = low.numerator * scale // low.denominator, -(-high.numerator * scale // high.denominator)
    while above - below > 2:
        middle = (below + above) // 2
        at = Fraction(middle, scale)
        if at <= low or (at < high and _is_positive(number.polynomial, middle, scale) is not rising):
            below = middle
        else:
            above = middle
    return max(low, Fraction(below, scale)), min(high, Fraction(above, scale))


@lru_cache(maxsize=4096)
def _ball(number: Algebraic, precision: int) -> Any:
    """An Arb ball around the number, about 2^-precision wide."""
    low, high = (arb_of(end) for end in _bracket(number, precision))
    return low.union(high)


def range_of(coefficients: Sequence[Fraction], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds (below, above) of a polynomial on an interval, by Horner's scheme."""
    below = above = Fraction(0)
    for c in reversed(coefficients):
        ends = (below * low, below * high, above * low, above * high)
        below, above = min(ends) + c, max(ends) + c
    return below, above


def polynomial_text(coefficients: Sequence[int]) -> str:
    """The text of a polynomial in x, the highest power first; `coefficients` begin with the constant term.

    >>> polynomial_text((-1, -1, 0, 2))
    '2*x^3 - x - 1'
    """
    factors = []
    for k in range(len(coefficients) - 1, -1, -1):
        c = coefficients[k]
        if c:
            power = "" if k == 0 else "x" if k == 1 else f"x^{k}"
            size = power if power and abs(c) == 1 else integer_text(abs(c)) + (f"*{power}" if power else "")
            factors.append(("- " if c < 0 else "+ ") + size)
    text = " ".join(factors) or "0"
    return text[2:] if text.startswith("+ ") else "-" + text[2:] if text.startswith("- ") else text


def roots_between(polynomial: Sequence[int], low: Fraction, high: Fraction) -> list[Fraction | Algebraic]:
    """The different real roots in [low, high] of a polynomial with integer coefficients, in order.

    >>> [str(root) for root in roots_between((2, -1, -2, 1), Fraction(0), Fraction(5))]
    ['1', '2']

    Raises:
        InputError: for the polynomial 0.

    """
    from flint import fmpz_poly

    integer_polynomial = fmpz_poly(list(polynomial))
    if integer_polynomial.degree() < 0:
        raise InputError("every number is a root of the polynomial 0", wanted="a polynomial with finitely many roots")
    roots: list[Fraction | Algebraic] = []
    for factor, _ in integer_polynomial.factor()[1]:
        coefficients = tuple(int(c) for c in factor.coeffs())
        if coefficients[-1] < 0:
            coefficients = tuple(-c for c in coefficients)
        if len(coefficients) == 2:
            root = Fraction(-coefficients[0], coefficients[1])
            if low <= root <= high:
                roots.append(root)
        elif len(coefficients) > 2:
            roots += [root for root in _irrational_roots(coefficients) if not root < low and root < high]
    if len(roots) == 1:
        return roots
    return sorted(roots, key=lambda root: root if isinstance(root, Fraction) else root.bracket(256)[0])


def affine(root: Algebraic, factor: Fraction, summand: Fraction) -> Algebraic:
    """factor·root + summand as an algebraic number of its own, for a factor other than 0.

    >>> golden = roots_between((-1, -1, 1), Fraction(1), Fraction(2))[0]
    >>> print(affine(golden, Fraction(2), Fraction(-1)))
    root of x^2 - 5 in [11/5, 23/10]
    """
    image = polynomial_of(root.polynomial)(polynomial_of([-summand / factor, 1 / factor]))
    integers = [int(c) for c in (image * image.denom()).coeffs()]
    precision = 64
    while True:
        ends = sorted(factor * end + summand for end in root.bracket(precision))
        roots = [number for number in roots_between(integers, *ends) if isinstance(number, Algebraic)]
        if len(roots) == 1:
            return roots[0]
        precision *= 2


@lru_cache(maxsize=4096)
def _irrational_roots(polynomial: tuple[int, ...]) -> tuple[Algebraic, ...]:
    """The real roots of an irreducible polynomial of degree at least 2, by FLINT's enclosures of all its roots."""
    from flint import ctx, fmpz_poly

    integer_polynomial: Any = fmpz_poly(list(polynomial))
    precision = 64
    while True:
        with ctx.workprec(precision):
            roots = [root for root, _ in integer_polynomial.complex_roots()]
        enclosures = [ball_ends(root.real) for root in roots if root.imag == 0]
        intervals = [_decimal_interval(own, enclosures) for own in enclosures]
        if None not in intervals:
            return tuple(Algebraic(polynomial, *ends) for ends in intervals if ends is not None)
        precision *= 2


def _decimal_interval(
    own: tuple[Fraction, Fraction], enclosures: Sequence[tuple[Fraction, Fraction]]
) -> tuple[Fraction, Fraction] | None:
    """The shortest [k/10^j, (k + 1)/10^j], j ≥ 1, with one root alone; None where the enclosures do not tell."""
    scale = 10
    while True:
        cells = [(low * scale // 1, high * scale // 1) for low, high in enclosures]
        start = own[0] * scale // 1
        if any(first != last and first <= start <= last for first, last in cells):
            return None
        if cells.count((start, start)) == 1:
            return Fraction(start, scale), Fraction(start + 1, scale)
        scale *= 10


def read_root(text: str, where: str = "") -> Fraction | Algebraic:
    """Read a number such as `root of x^2 - x - 1 in [8/5, 17/10]`, the only root of a polynomial in an interval.

    >>> print(read_root("root of 2*x^2 - 2 in [0, 3]"))
    1

    Raises:
        InputError: for a text of another form, and for an interval with no root or several.
        LimitError: for a text of more than 4,000 characters, or a degree above 64.

    """
    if len(text) > MAX_CHARACTERS_READ:
        raise LimitError(
            f"the root is too long: {len(text):,} characters", where=where, wanted=f"at most {MAX_CHARACTERS_READ:,}"
        )
    match = re.fullmatch(r"\s*root of (.+) in \[([^,\]]+),([^,\]]+)\]\s*", text)
    wanted = '"root of x^2 - x - 1 in [8/5, 17/10]"'
    if not match:
        raise InputError(f"{shorten(text)} is not a root", where=where, wanted=wanted)
    coefficients: dict[int, int] = {}
    position, body = 0, match[1].rstrip()
    while position < len(body):
        term = _TERM.match(body, position)
        if term is None or term.end() == position or not (term[2] or term[3]) or (position and not term[1]):
            raise InputError(f"{shorten(body)} is not a polynomial", where=where, wanted="integers and powers of x")
        power = int(term[4] or 1) if term[3] else 0
        if power > MAX_DEGREE_READ:
            raise LimitError(
                f"the degree {power} of the polynomial is too large", where=where, wanted=f"at most {MAX_DEGREE_READ}"
            )
        coefficients[power] = coefficients.get(power, 0) + int(term[2] or 1) * (-1 if term[1] == "-" else 1)
        position = term.end()
    polynomial = [coefficients.get(k, 0) for k in range(max(coefficients) + 1)]
    low, high = (rational(match[k].strip(), where, "an end of the interval") for k in (2, 3))
    roots = roots_between(polynomial, low, high) if any(polynomial) else []
    if len(roots) != 1:
        raise InputError(
            f"{shorten(text)} does not name one root",
            where=where,
            wanted="an interval with one root",
            tip=f"the number of its roots is {len(roots)}",
        )
    return roots[0]
