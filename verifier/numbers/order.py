"""The one place where a real number is compared: A against B*e^ε."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from verifier.numbers.decimals import DIGITS, decimal_between, decimal_of
from verifier.numbers.epsilon import Epsilon, latex_of, ln_bracket
from verifier.numbers.rational import exact_text

MAX_PRECISION = 1 << 24
"""Bits at which a refinement gives up. The proof says that it is never reached by a decidable question of
sensible size; reaching it is answered `UNDECIDED`, never guessed."""


class Order(Enum):
    """The four answers of a comparison."""

    LESS = -1
    EQUAL = 0
    GREATER = 1
    UNDECIDED = None


def _signum(value: Fraction) -> Order:
    return Order.EQUAL if value == 0 else Order.GREATER if value > 0 else Order.LESS


def compare(a: Fraction, b: Fraction, epsilon: Epsilon) -> Order:
    """Compare A with B*e^ε for finite ε, exactly.

    Where e^ε is rational this is rational arithmetic. Else A = B*e^ε only for A = B = 0, and ln(A/B) is
    separated from ε by Arb balls of growing precision.

    >>> from verifier.numbers.epsilon import epsilon
    >>> (
    ...     compare(Fraction(11, 10), Fraction(1), epsilon("1/10")),
    ...     compare(Fraction(2), Fraction(1), epsilon("ln(2)")),
    ... )
    (<Order.LESS: -1>, <Order.EQUAL: 0>)
    """
    e = epsilon.exp
    if e is not None:
        return _signum(a - b * e)
    if epsilon.is_infinite:
        return _signum(a) if b == 0 else Order.LESS if b > 0 else Order.GREATER
    if b == 0 or a == 0 or (a > 0) != (b > 0):
        return _signum(a) if a != 0 else _signum(-b)
    positive, precision = a > 0, 64
    while precision <= MAX_PRECISION:
        low, high = ln_bracket(a / b, precision)
        below, above = epsilon.bracket(precision)
        if low > above:
            return Order.GREATER if positive else Order.LESS
        if high < below:
            return Order.LESS if positive else Order.GREATER
        precision *= 2
    return Order.UNDECIDED


@dataclass(frozen=True)
class Delta:
    """A tight δ, kept as A - B*e^ε so that nothing is rounded; where e^ε is rational, B is 0.

    >>> from verifier.numbers.epsilon import epsilon
    >>> print(Delta.of(Fraction(3, 8), Fraction(1, 5), epsilon("1/10")))
    3/8 - 1/5*exp(1/10)
    >>> print(Delta.of(Fraction(3, 8), Fraction(1, 16), epsilon("ln(2)")))
    1/4
    """

    a: Fraction
    b: Fraction
    epsilon: Epsilon

    @classmethod
    def of(cls, a: Fraction, b: Fraction, epsilon: Epsilon) -> Delta:
        """A - B*e^ε in canonical form."""
        e = epsilon.exp
        if e is not None:
            a, b = a - b * e, Fraction(0)
        return cls(a, b, epsilon)

    def order(self, other: Delta | Fraction) -> Order:
        """Compare with a rational, or with another δ at the same ε."""
        if isinstance(other, Delta):
            return compare(self.a - other.a, self.b - other.b, self.epsilon)
        return compare(self.a - other, self.b, self.epsilon)

    @property
    def is_zero(self) -> bool:
        """Whether the value is exactly 0."""
        return self.a == 0 and self.b == 0

    @property
    def rational(self) -> Fraction | None:
        """The value where it is rational."""
        return self.a if self.b == 0 else None

    def __str__(self) -> str:
        return self.text()

    def text(self, max_digits: int = 200) -> str:
        """Canonical text, `3/64` or `3/8 - 1/5*exp(1/10)`."""
        left = exact_text(self.a, max_digits)
        if self.b == 0:
            return left
        factor = "" if abs(self.b) == 1 else exact_text(abs(self.b), max_digits) + "*"
        return f"{left} {'-' if self.b > 0 else '+'} {factor}exp({self.epsilon.text(max_digits)})"

    def decimal(self, digits: int = DIGITS) -> str:
        """The value as a correctly rounded decimal."""
        if self.b == 0:
            return decimal_of(self.a, digits)

        def bracket(precision: int) -> tuple[Fraction, Fraction]:
            low, high = self.epsilon.exp_bracket(precision)
            ends = (self.a - self.b * low, self.a - self.b * high)
            return min(ends), max(ends)

        return decimal_between(bracket, digits)

    @property
    def latex(self) -> str:
        """The value for a LaTeX formula."""
        if self.b == 0:
            return latex_of(self.a)
        factor = "" if abs(self.b) == 1 else latex_of(abs(self.b)) + r"\,"
        return rf"{latex_of(self.a)} {'-' if self.b > 0 else '+'} {factor}e^{{{self.epsilon.latex}}}"


@dataclass(frozen=True)
class Loss:
    """The privacy loss ln(P(o)/Q(o)) of an output (DMKB20, Definition 10), kept as its exact ratio in [0, ∞].

    `ratio` is None for the loss +∞ (Q cannot produce the output). The unit is the nat.

    >>> print(Loss(Fraction(5, 2)), Loss(Fraction(1)), Loss(Fraction(0)), Loss(None))
    ln(5/2) 0 -inf inf
    """

    ratio: Fraction | None

    @classmethod
    def between(cls, p: Fraction, q: Fraction) -> Loss:
        """The loss of an output with the probabilities p and q, not both 0."""
        return cls(None) if q == 0 else cls(p / q)

    def __str__(self) -> str:
        return self.text()

    def text(self, max_digits: int = 200) -> str:
        """`ln(5/2)`, `0`, `inf` or `-inf`."""
        if self.ratio is None:
            return "inf"
        if self.ratio == 0:
            return "-inf"
        return "0" if self.ratio == 1 else f"ln({exact_text(self.ratio, max_digits)})"

    def decimal(self, digits: int = DIGITS) -> str:
        """The loss as a correctly rounded decimal."""
        ratio = self.ratio
        if ratio is None or ratio == 0:
            return "inf" if ratio is None else "-inf"
        return "0" if ratio == 1 else decimal_between(lambda bits: ln_bracket(ratio, bits), digits)

    @property
    def latex(self) -> str:
        """The loss for a LaTeX formula."""
        if self.ratio is None or self.ratio == 0:
            return r"\infty" if self.ratio is None else r"-\infty"
        return "0" if self.ratio == 1 else rf"\ln {latex_of(self.ratio)}"
