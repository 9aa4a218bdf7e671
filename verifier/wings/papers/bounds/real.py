"""Real numbers, also irrational ones, as ever narrower brackets of rational numbers; nothing is rounded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from verifier.numbers import DIGITS, CoarseError, Epsilon, Order, arb_of, ball_ends, decimal_of, exact_text

Bracket = Callable[[int], tuple[Fraction, Fraction]]
"""A function from a precision in bits to rational lower and upper bounds, whose distance goes to 0."""

PRECISIONS = tuple(96 << k for k in range(6))
"""Bits at which brackets are taken, in turn; where none is enough, a comparison is undecided."""
MOST_BITS = 2 * PRECISIONS[-1]
"""Most bits at which a formula is evaluated."""


@dataclass(frozen=True, eq=False)
class Real:
    """A real number: `bracket` gives rational bounds at each precision, `exact` the value if it is known as a fraction.

    >>> root = ball(lambda: arb_of(Fraction(2)).sqrt())
    >>> root.decimal(), root.order(Real.of(Fraction(3, 2))), Real.of(Fraction(1, 4)).text()
    ('1.41421356237', <Order.LESS: -1>, '1/4')
    """

    bracket: Bracket
    exact: Fraction | None = None

    @classmethod
    def of(cls, value: Fraction | int) -> Real:
        """The real number with this rational value."""
        value = Fraction(value)
        return cls(lambda _: (value, value), value)

    @classmethod
    def between(cls, bracket: Bracket) -> Real:
        """The number that lies in all brackets; it is exact where the first bracket has width 0."""
        low, high = bracket(PRECISIONS[0])
        return cls.of(low) if low == high else cls(bracket)

    def order(self, second: Real) -> Order:
        """Compare this number with another one; UNDECIDED where their brackets overlap at every precision."""
        for precision in PRECISIONS:
            (low, high), (below, above) = self.bracket(precision), second.bracket(precision)
            if low == high == below == above:
                return Order.EQUAL
            if high < below:
                return Order.LESS
            if low > above:
                return Order.GREATER
        return Order.UNDECIDED

    def at_least(self, second: Real) -> bool | None:
        """Whether this number is at least the other one; None where that is undecided.

        A bracket whose lower end meets the other's upper end decides it, also where `order` cannot.
        """
        for precision in PRECISIONS:
            (low, high), (below, above) = self.bracket(precision), second.bracket(precision)
            if low >= above:
                return True
            if high < below:
                return False
        return None

    def through(self, function: Callable[[Fraction], Fraction], *, falling: bool) -> Real:
        """The value f(x) of a monotone function at this number x, evaluated at the rational ends of its brackets.

        `falling` says that f falls as x grows; else it rises.
        """
        if self.exact is not None:
            return Real.of(function(self.exact))
        brackets: dict[int, tuple[Fraction, Fraction]] = {}

        def bracket(precision: int) -> tuple[Fraction, Fraction]:
            if precision not in brackets:
                low, high = (function(end) for end in self.bracket(precision))
                brackets[precision] = (high, low) if falling else (low, high)
            return brackets[precision]

        return Real.between(bracket)

    def log(self) -> Real:
        """The natural logarithm of this number > 0, in nats."""
        if self.exact is not None:
            return logarithm(self.exact)

        def bracket(precision: int) -> tuple[Fraction, Fraction]:
            low, high = self.bracket(precision)
            return logarithm(low).bracket(precision)[0], logarithm(high).bracket(precision)[1]

        return Real.between(bracket)

    def arb(self) -> Any:
        """The number as an Arb ball, at the precision in force."""
        from flint import ctx

        low, high = self.bracket(ctx.prec)
        return arb_of(low).union(arb_of(high))

    def over(self, divisor: Real) -> Real | None:
        """The quotient of two numbers ≥ 0; None where no bracket of the divisor is above 0."""
        if divisor.exact == 0 or all(divisor.bracket(precision)[0] <= 0 for precision in PRECISIONS):
            return None
        if self.exact is not None and divisor.exact is not None:
            return Real.of(self.exact / divisor.exact)
        least = next(precision for precision in PRECISIONS if divisor.bracket(precision)[0] > 0)

        def bracket(precision: int) -> tuple[Fraction, Fraction]:
            (low, high), (below, above) = self.bracket(max(precision, least)), divisor.bracket(max(precision, least))
            return low / above, high / below

        return Real.between(bracket)

    def decimal(self, digits: int = DIGITS) -> str:
        """The number to some significant digits, correctly rounded; a ? follows where no precision settles the last."""
        if self.exact is not None:
            return decimal_of(self.exact, digits)
        below = above = ""
        for precision in PRECISIONS:
            below, above = (decimal_of(end, digits) for end in self.bracket(precision))
            if below == above:
                return below
        return f"{below}?"

    def text(self, max_digits: int = 60) -> str:
        """The number as text: its fraction; its decimal where the fraction is unknown or longer than `max_digits`."""
        if self.exact is None:
            return self.decimal()
        exact = exact_text(self.exact, max_digits)
        return self.decimal() if "…" in exact else exact


def ball(formula: Callable[[], Any]) -> Real:
    """The real number that a formula gives as an Arb ball, evaluated anew at each working precision.

    A formula may raise `CoarseError` to be evaluated with more bits.

    Raises:
        ArithmeticError: where no precision gives a finite value.

    """

    @cache
    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        while precision <= MOST_BITS:
            with ctx.workprec(precision), suppress(CoarseError):
                value = formula()
                if value.is_finite():
                    return ball_ends(value)
            precision *= 2
        raise ArithmeticError("no precision gives a formula a finite value")

    return Real.between(bracket)


def nats(epsilon: Epsilon) -> Real:
    """The number ε itself, finite, in nats."""
    return Real.between(epsilon.bracket)


def exponential(epsilon: Epsilon) -> Real:
    """e^ε of an exact, finite ε.

    >>> from verifier.numbers import epsilon
    >>> exponential(epsilon("ln(5/2)")).exact, exponential(epsilon(1)).decimal()
    (Fraction(5, 2), '2.71828182846')
    """
    return Real.between(epsilon.exp_bracket)


def logarithm(value: Fraction) -> Real:
    """The natural logarithm of a rational number > 0, in nats.

    >>> logarithm(Fraction(2)).decimal(), logarithm(Fraction(1)).exact
    ('0.69314718056', Fraction(0, 1))
    """
    return Real.of(0) if value == 1 else ball(lambda: arb_of(value).log())
