"""The values of measures as exact numbers: an `Epsilon`, or a number that is enclosed at any precision.

Sums of logarithms collapse to (1/N)·ln of one rational where that is not too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm, prod
from typing import TypeAlias, TypeVar

from verifier.errors import UndecidedError
from verifier.numbers.epsilon import INFINITY, ZERO, Epsilon, epsilon, log_epsilon
from verifier.numbers.order import Enclosure, Order
from verifier.numbers.rational import DIGITS, arb_of, ball_ends

Value = TypeVar("Value")
MOST_BITS = 1 << 14
"""Longest rational of which a logarithm is written out."""
PRECISION = 256
"""Bits of an enclosure that is an answer."""
FIRST_PRECISION = 4
"""Bits at which two numbers are compared first."""
FEW_BITS = 8
"""Bits at which it is looked which of many numbers may be the largest."""
ENOUGH = 64
"""Bits from which on numbers that are not told apart are looked at for their exact forms."""
MOST_PRECISION = 1 << 12
"""Most bits at which two numbers are compared; then the comparison is undecided."""


@dataclass(frozen=True, eq=False)
class Enclosed:
    """A finite number ≥ 0 by its rational bounds at any precision; `terms` where it is Σ r·ln(s).

    `exact` looks for an exact form, where that takes longer than bounds of a few bits; None where it finds none.
    `is_below` may see faster than bounds do that the number is less than another.
    """

    bracket: Callable[[int], tuple[Fraction, Fraction]]
    terms: tuple[tuple[Fraction, Fraction], ...] = ()
    exact: Callable[[], Real | None] | None = None
    is_below: Callable[[Fraction], bool] | None = None

    def divided(self, scale: Fraction) -> Enclosed:
        """The number over a positive rational."""
        return Enclosed(
            lambda precision: (self.bracket(precision)[0] / scale, self.bracket(precision)[1] / scale),
            tuple((r / scale, s) for r, s in self.terms),
            lambda: None if (exact := exact_form(self)) is self else divided(exact, scale),
        )


Real: TypeAlias = Epsilon | Enclosed


def log_sum(terms: Iterable[tuple[Fraction, Fraction]]) -> Real:
    """Σ r·ln(s) ≥ 0, as (1/N)·ln of a rational where that has at most `MOST_BITS` bits.

    >>> str(log_sum([(Fraction(3, 4), Fraction(3)), (Fraction(1, 4), Fraction(1, 3))]))
    '1/2*ln(3)'
    """
    listed = tuple((r, s) for r, s in terms if r and s != 1)
    if not listed:
        return ZERO
    shared = lcm(*(r.denominator for r, _ in listed))
    powers = [(int(r * shared), s) for r, s in listed]
    if sum(abs(n) * max(s.numerator.bit_length(), s.denominator.bit_length()) for n, s in powers) <= MOST_BITS:
        return log_epsilon(prod((s**n for n, s in powers), start=Fraction(1)), Fraction(1, shared))

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        with ctx.workprec(precision):
            low, high = ball_ends(sum((arb_of(r) * arb_of(s).log() for r, s in listed), arb_of(Fraction(0))))
        return max(low, Fraction(0)), high

    return Enclosed(bracket, listed)


def root(value: Fraction, degree: int) -> Real:
    """The root of a rational ≥ 0: exact where it is rational, else enclosed.

    >>> str(root(Fraction(4, 9), 2))
    '2/3'
    """
    from flint import ctx

    exact = exact_root(value, degree)
    if exact is not None:
        return epsilon(exact)

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        with ctx.workprec(precision):
            return ball_ends(arb_of(value).root(degree))

    return Enclosed(bracket)


def exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The root of a rational ≥ 0 where it is rational.

    >>> exact_root(Fraction(4, 9), 2), exact_root(Fraction(4, 9), 3)
    (Fraction(2, 3), None)
    """
    from flint import fmpz

    found = Fraction(*(int(fmpz(part).root(degree)) for part in (value.numerator, value.denominator)))
    return found if found**degree == value else None


def exact_form(value: Real) -> Real:
    """The exact form of a number, where one is found; else the number as it is."""
    exact = value.exact() if isinstance(value, Enclosed) and value.exact else None
    return value if exact is None else exact


@lru_cache(maxsize=1 << 12)
def _over(value: Enclosed, scale: Fraction) -> Enclosed:
    """One number over one scale is one object, so that it is known to be equal to itself."""
    return value.divided(scale)


def divided(value: Real, scale: Fraction) -> Real:
    """The smallest ε with value ≤ scale·ε, for scale ≥ 0; at scale 0 the value must be 0."""
    if scale == 1:
        return value
    if isinstance(value, Enclosed):
        return _over(value, scale) if scale else INFINITY
    if value.is_infinite or value == ZERO:
        return value
    if not scale:
        return INFINITY
    if value.kind == "rational":
        return epsilon(value.coefficient / scale)
    if value.root is not None:
        return _over(Enclosed(value.bracket), scale)
    return log_epsilon(value.argument, value.coefficient / scale)


def times(value: Epsilon, scale: Fraction) -> Epsilon:
    """scale·ε, for scale ≥ 0.

    Raises:
        UndecidedError: for a multiple of the logarithm of a root of a polynomial.

    """
    if scale == 1 or (value.is_infinite and scale):
        return value
    if not scale:
        return ZERO
    if value.kind == "rational":
        return epsilon(value.coefficient * scale)
    if value.root is not None:
        raise UndecidedError("multiples of the logarithm of a root are not compared")
    return log_epsilon(value.argument, value.coefficient * scale)


def order(value: Real, other: Real) -> Order:
    """Compare two numbers; undecided where enclosures of `MOST_PRECISION` bits meet."""
    if isinstance(value, Epsilon) and isinstance(other, Epsilon):
        return Order.EQUAL if value == other else Order.LESS if value < other else Order.GREATER
    for end, answer in ((value, Order.GREATER), (other, Order.LESS)):
        if isinstance(end, Epsilon) and end.is_infinite:
            return answer
    if value is other or (isinstance(value, Enclosed) and isinstance(other, Enclosed) and _same_terms(value, other)):
        return Order.EQUAL
    precision, widest = FIRST_PRECISION, None
    while precision <= MOST_PRECISION:
        (low, high), (below, above) = value.bracket(precision), other.bracket(precision)
        if high < below or above < low:
            return Order.LESS if high < below else Order.GREATER
        precision *= 2
        if precision >= ENOUGH and (exact := (exact_form(value), exact_form(other))) != (value, other):
            return order(*exact)
        width = max(high - low, above - below)
        if precision > ENOUGH and widest is not None and 2 * width > widest:
            break  # more bits do not help
        widest = width
    return Order.UNDECIDED


def settled(compared: Order) -> Order:
    """Return the outcome of a comparison, if it is decided.

    Raises:
        UndecidedError: for `Order.UNDECIDED`.

    """
    if compared is Order.UNDECIDED:
        raise UndecidedError("two numbers that are only enclosed cannot be separated")
    return compared


def extreme(values: Sequence[Value], compare: Callable[[Value, Value], Order], better: Order) -> Value:
    """The first value that no other is better than: the least, or the largest."""
    best = values[0]
    for value in values:
        if settled(compare(value, best)) is better:
            best = value
    return best


def may_be_largest(values: Sequence[Real]) -> list[int]:
    """The positions of the numbers that bounds of a few bits leave as the largest.

    The number with the highest lower bound is refined first; then the numbers that it does not exclude.

    >>> from verifier.numbers import log_epsilon
    >>> may_be_largest([log_epsilon(2), root(Fraction(2), 2), root(Fraction(3), 2)])
    [2]
    """
    everything = range(len(values))
    infinite = [k for k in everything if values[k] == INFINITY]
    if infinite or not any(isinstance(value, Enclosed) for value in values):
        return infinite or [*everything]
    bounds = [value.bracket(FIRST_PRECISION) for value in values]
    leader = max(everything, key=lambda k: bounds[k][0])
    least = max(bounds[leader][0], values[leader].bracket(FEW_BITS)[0])
    left = [k for k in everything if bounds[k][1] >= least and (k == leader or not _is_below(values[k], least))]
    if len(left) == 1:
        return left
    bounds = [values[k].bracket(FEW_BITS) for k in left]
    least = max(low for low, _ in bounds)
    return [k for k, (_, high) in zip(left, bounds, strict=True) if high >= least]


def _is_below(value: Real, bound: Fraction) -> bool:
    return isinstance(value, Enclosed) and value.is_below is not None and value.is_below(bound)


@lru_cache(maxsize=1 << 12)
def less_powers(rational: Fraction, powers: tuple[tuple[Fraction, Fraction], ...]) -> Real | None:
    """R - Σ c·e^s for c > 0 and rational s other than 0; None where it is negative.

    With a power it is irrational (Lindemann–Weierstrass), so that the comparison with a rational ends.
    """
    if not powers:
        return epsilon(rational) if rational >= 0 else None

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        with ctx.workprec(precision + 64):
            return ball_ends(
                arb_of(rational) - sum((arb_of(c) * arb_of(s).exp() for s, c in powers), arb_of(rational * 0))
            )

    value = Enclosed(bracket)
    return value if is_at_most(ZERO, value) else None


def larger(first: Real, second: Real) -> Real:
    """The larger of two finite numbers that cannot be told apart, enclosed by the larger ends of both."""

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        ends = first.bracket(precision), second.bracket(precision)
        return max(low for low, _ in ends), max(high for _, high in ends)

    return Enclosed(bracket)


def is_at_most(value: Real, other: Real) -> bool:
    """Whether a number is at most another.

    Raises:
        UndecidedError: where `MOST_PRECISION` bits do not tell.

    """
    answer = order(value, other)
    if answer is Order.UNDECIDED:
        raise UndecidedError(f"{MOST_PRECISION:,} bits do not separate two numbers of which one is only enclosed")
    return answer is not Order.GREATER


def difference(value: Real, subtrahend: Fraction) -> Real:
    """A finite number less a rational that is not larger."""
    if not subtrahend:
        return value
    if isinstance(value, Epsilon) and value.kind == "rational":
        return epsilon(value.coefficient - subtrahend)

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        low, high = value.bracket(precision)
        return max(low - subtrahend, Fraction(0)), high - subtrahend

    return Enclosed(bracket)


def _same_terms(value: Enclosed, other: Enclosed) -> bool:
    return bool(value.terms) and sorted(value.terms) == sorted(other.terms)


def enclosure(value: Real, digits: int = DIGITS) -> Epsilon | Enclosure:
    """The number for an answer: exact, or an enclosure with rational ends."""
    value = exact_form(value)
    if isinstance(value, Epsilon):
        return value
    low, high = value.bracket(PRECISION)
    return Enclosure.around(low, high, PRECISION, digits)
