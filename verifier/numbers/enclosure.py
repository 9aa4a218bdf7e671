"""Enclosures: an interval with exact ends that holds a real number whose exact form is out of reach."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.errors import UndecidedError
from verifier.numbers.decimals import DIGITS, layout
from verifier.numbers.order import Order
from verifier.numbers.rational import MAX_DIGITS

MAX_PRECISION = 1 << 14
"""Bits at which an enclosure is given up."""


class CoarseError(Exception):
    """The precision in force does not decide the comparison; the caller tries again with more."""


@dataclass(frozen=True)
class Dyadic:
    """The dyadic rational mantissa·2^exponent.

    >>> Dyadic(3, -1).decimal(3, up=False), Dyadic(1, -10).decimal(2, up=True), Dyadic(1, -10).decimal(2, up=False)
    ('1.5', '0.00098', '0.00097')
    """

    mantissa: int
    exponent: int

    @classmethod
    def of(cls, value: Fraction) -> Dyadic:
        """A rational whose denominator is a power of 2.

        Raises:
            ArithmeticError: for a rational with any other denominator.

        """
        if value.denominator & (value.denominator - 1):
            raise ArithmeticError(f"{value} is no dyadic rational")
        return cls(value.numerator, 1 - value.denominator.bit_length())

    @property
    def bits(self) -> int:
        """How many zero bits stand between the binary point and the leading bit; 0 for numbers from 1/2 on."""
        return max(0, -self.exponent - self.mantissa.bit_length())

    def rounded(self, bits: int) -> Fraction:
        """The number rounded down to its `bits` leading bits."""
        drop = max(0, abs(self.mantissa).bit_length() - bits)
        return Dyadic(self.mantissa >> drop, self.exponent + drop).value

    @property
    def value(self) -> Fraction:
        """The number as a fraction."""
        return Fraction(self.mantissa) * Fraction(2) ** self.exponent

    def order(self, other: Fraction) -> Order:
        """Compare with a rational, in integers."""
        left, right = self.mantissa * other.denominator, other.numerator
        if self.exponent >= 0:
            left <<= self.exponent
        else:
            right <<= -self.exponent
        return Order.LESS if left < right else Order.GREATER if left > right else Order.EQUAL

    def decimal(self, digits: int, *, up: bool) -> str:
        """The number as a decimal of `digits` significant digits, rounded up or down."""
        if self.mantissa <= 0:
            return "0" if self.mantissa == 0 else "-" + Dyadic(-self.mantissa, self.exponent).decimal(digits, up=not up)
        power = (self.mantissa.bit_length() + self.exponent) * 30103 // 100000 - digits
        while True:
            top, bottom = self.mantissa, 1
            if power < 0:
                top *= 10**-power
            else:
                bottom *= 10**power
            if self.exponent >= 0:
                top <<= self.exponent
            else:
                bottom <<= -self.exponent
            figures = -(-top // bottom) if up else top // bottom
            if figures > 10**digits:
                power += 1
            elif figures < 10 ** (digits - 1):
                power -= 1
            else:
                break
        if figures == 10**digits:
            figures, power = figures // 10, power + 1
        return layout(figures, power, digits)


@dataclass(frozen=True)
class Enclosure:
    """The interval [low, high], with exact ends, which holds a number that is not known exactly.

    >>> narrow = Enclosure(Dyadic(5, -4), Dyadic(6, -4))
    >>> narrow.text(), narrow.order(Fraction(1, 2)), narrow.order(Fraction(1, 3))
    ('[0.3125, 0.375]', <Order.LESS: -1>, <Order.UNDECIDED: None>)
    """

    low: Dyadic
    high: Dyadic
    digits: int = DIGITS
    """The significant digits with which the ends are shown."""

    @classmethod
    def of(cls, ball: Any, digits: int = DIGITS, *, positive: bool = True) -> Enclosure:
        """The ends of an Arb ball; with `positive` the number is known to be at least 0, and so is the lower end."""
        low, high = (_exact(end) for end in (ball.lower(), ball.upper()))
        return cls(Dyadic(0, 0) if positive and low.mantissa < 0 else low, high, digits)

    @classmethod
    def between(cls, low: Fraction, high: Fraction, digits: int = DIGITS) -> Enclosure:
        """The interval between two dyadic rationals."""
        return cls(Dyadic.of(low), Dyadic.of(high), digits)

    @classmethod
    def around(cls, low: Fraction, high: Fraction, bits: int, digits: int = DIGITS) -> Enclosure:
        """The interval between two rationals, rounded outward: [⌊low·2^bits⌋, ⌈high·2^bits⌉]/2^bits.

        >>> print(Enclosure.around(Fraction(1, 3), Fraction(1, 3), 64))
        [0.333333333333, 0.333333333334]
        """
        unit = 1 << bits
        return cls.between(Fraction(low * unit // 1, unit), Fraction(-(-high * unit // 1), unit), digits)

    def order(self, other: Fraction) -> Order:
        """Compare the number with a rational; undecided where the interval holds it and is no single point."""
        low, high = self.low.order(other), self.high.order(other)
        if low is Order.GREATER:
            return Order.GREATER
        if high is Order.LESS:
            return Order.LESS
        return Order.EQUAL if low is high is Order.EQUAL else Order.UNDECIDED

    def sharp(self, digits: int) -> bool:
        """Whether both ends agree to this many digits, but for one unit in the last."""
        return self.is_zero or (
            self.low.mantissa > 0
            and self.low.decimal(digits, up=True)
            in {
                self.high.decimal(digits, up=True),
                self.high.decimal(digits, up=False),
            }
        )

    @property
    def is_zero(self) -> bool:
        """Whether the number is exactly 0."""
        return self.low.mantissa == self.high.mantissa == 0

    @property
    def is_infinite(self) -> bool:
        """Whether the number is infinite: never, since an enclosed number is finite."""
        return False

    def text(self, _max_digits: int = MAX_DIGITS) -> str:
        """The text `[low, high]`, both ends rounded outward to the digits of the enclosure."""
        return self.decimal(self.digits)

    def decimal(self, digits: int = DIGITS) -> str:
        """The text `[low, high]`, both ends rounded outward to `digits` significant digits; `0` for the number 0."""
        return "0" if self.is_zero else f"[{self.low.decimal(digits, up=False)}, {self.high.decimal(digits, up=True)}]"

    def __str__(self) -> str:
        return self.text()

    @property
    def latex(self) -> str:
        """Both ends for a LaTeX formula."""
        return rf"\text{{{self.text()}}}"


def _exact(end: Any) -> Dyadic:
    mantissa, exponent = end.man_exp()
    return Dyadic(int(mantissa), int(exponent))


def refined(
    ball: Callable[[], Any], certain: Callable[[Enclosure], bool], digits: int, *, positive: bool = True
) -> Enclosure:
    """The enclosure of a number that is computed as a ball, at rising precision until `certain` accepts it.

    At `MAX_PRECISION` bits any finite enclosure is returned. `ball` computes the ball at the precision in force, and
    may raise `CoarseError` to ask for more; `positive` says that the number is at least 0.

    Raises:
        UndecidedError: where not even `MAX_PRECISION` bits give a finite ball.

    """
    from flint import ctx

    precision = 64 + 4 * digits
    while True:
        enclosure = None
        with ctx.workprec(precision), suppress(CoarseError):
            value = ball()
            enclosure = Enclosure.of(value, digits, positive=positive) if value.is_finite() else None
        if enclosure is not None and (certain(enclosure) or precision >= MAX_PRECISION):
            return enclosure
        if precision >= MAX_PRECISION:
            raise UndecidedError(f"{MAX_PRECISION:,} bits do not enclose a number")
        precision *= 2
