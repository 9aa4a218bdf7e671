"""Rationals and their roots ±q^(1/d), exactly: the numbers that mechanisms such as `quadratic-mean` output."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from verifier.errors import InputError
from verifier.numbers import exact_text, rational
from verifier.numbers.powers import primitive_root
from verifier.tables import Label

MAX_BITS = 1 << 14
"""Largest number of bits of a number that a formula may produce."""
_ROOT = re.compile(r"(?:sqrt\(([0-9/]+)\)|root\(([0-9/]+), ([0-9]{1,9})\))")


class NoValueError(Exception):
    """A formula has no value here: a division by 0, a root of a negative number, a sum of unlike roots."""


@dataclass(frozen=True)
class Radical:
    """sign·base^(1/degree), with the smallest degree; rational where the degree is 1, base 1 where it is 0.

    >>> (
    ...     str(Radical.of(Fraction(9, 4)).power(Fraction(1, 2))),
    ...     str(Radical.of(Fraction(-3)).times(Radical.of(Fraction(1, 6)))),
    ... )
    ('3/2', '-1/2')
    """

    sign: int
    base: Fraction
    degree: int = 1

    @classmethod
    def of(cls, value: Fraction) -> Radical:
        """The rational number as a root of degree 1."""
        return cls((value > 0) - (value < 0), abs(value) or Fraction(1))

    @classmethod
    def made(cls, sign: int, base: Fraction, degree: int) -> Radical:
        """The root sign·base^(1/degree) in lowest terms: the base is no power that the degree could cancel."""
        if not sign or base == 1:
            return cls(sign, Fraction(1))
        inner, power = primitive_root(base if base > 1 else 1 / base)
        if base < 1:
            inner = 1 / inner
        exponent = Fraction(power, degree)
        return cls(sign, _power(inner, exponent.numerator), exponent.denominator)

    @property
    def rational(self) -> Fraction | None:
        """The value where it is rational; else None."""
        return self.sign * self.base if self.degree == 1 else None

    def times(self, second: Radical) -> Radical:
        """The product of two numbers."""
        degree = lcm(self.degree, second.degree)
        base = _power(self.base, degree // self.degree) * _power(second.base, degree // second.degree)
        return Radical.made(self.sign * second.sign, base, degree)

    def power(self, exponent: Fraction) -> Radical:
        """The power with a rational exponent.

        Raises:
            NoValueError: for 0 to a power ≤ 0, and for a root of a negative number.

        """
        if not self.sign:
            if exponent <= 0:
                raise NoValueError("0 has no such power")
            return self
        if self.sign < 0 and exponent.denominator != 1:
            raise NoValueError("a root of a negative number")
        sign = -1 if self.sign < 0 and exponent.numerator % 2 else 1
        return Radical.made(sign, _power(self.base, exponent.numerator), self.degree * exponent.denominator)

    def plus(self, second: Radical) -> Radical:
        """The sum of two rationals, or of two multiples of one root.

        Raises:
            NoValueError: for unlike roots.

        """
        if not self.sign or not second.sign:
            return second if not self.sign else self
        ratio = self.times(second.power(Fraction(-1))).rational
        if ratio is None:
            raise NoValueError(f"the sum of {self} and {second}, two unlike roots")
        return second.times(Radical.of(ratio + 1))

    def __str__(self) -> str:
        text = exact_text(self.base, 60) if self.sign else "0"
        if self.degree > 1:
            text = f"sqrt({text})" if self.degree == 2 else f"root({text}, {self.degree})"
        return f"-{text}" if self.sign < 0 else text


def _power(base: Fraction, exponent: int) -> Fraction:
    bits = (base.numerator.bit_length() + base.denominator.bit_length()) * abs(exponent)
    if bits > MAX_BITS and base != 1:
        raise NoValueError(f"a number of about {bits:,} bits")
    return base**exponent


def number_of(label: Label) -> Radical | None:
    """The number that a label spells; None where it is no number.

    >>> from verifier.tables import label
    >>> str(number_of(label("sqrt(5/2)"))), number_of(label("⊥")), number_of(label(True))
    ('sqrt(5/2)', None, None)
    """
    matched = _ROOT.fullmatch(label.text)
    try:
        if matched:
            return Radical.of(rational(matched[1] or matched[2])).power(Fraction(1, int(matched[3] or 2)))
        return Radical.of(rational(label.text))
    except (InputError, NoValueError, ZeroDivisionError):
        return None
