"""The numbers of an answer: exact comparisons of A with B*e^ε, A and B rational; a tight δ, a loss, an enclosure.

Nothing is rounded but in text. Sentences and tables write a number as its exact form with its decimal beside it, with
the functions at the end. Two others differ on purpose: `columns.number` (cells of 22 characters) and `sheet.amount`
(the pages of the report).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache, total_ordering
from numbers import Rational
from typing import Any, Protocol, Self, cast

from verifier.errors import InputError, LimitError, UndecidedError
from verifier.numbers.algebraic import MAX_DEGREE_READ, Algebraic, affine, roots_between
from verifier.numbers.epsilon import MAX_POWER_BITS, MAX_PRECISION, Epsilon, ln_bracket, mpf_of
from verifier.numbers.rational import (
    DIGITS,
    MAX_DIGITS,
    decimal_between,
    decimal_of,
    exact_text,
    latex_of,
    layout,
    number_or_none,
    power_of_ten,
    probability,
    rational,
)


class Order(Enum):
    """The four answers of a comparison: less, equal, greater, undecided."""

    LESS = -1
    EQUAL = 0
    GREATER = 1
    UNDECIDED = None

    def settled(self) -> Order:
        """Return the order, which must be decided.

        Raises:
            UndecidedError: where it is `UNDECIDED`.

        """
        if self is Order.UNDECIDED:
            raise UndecidedError(f"two numbers agree on more than {MAX_PRECISION:,} bits")
        return self


def _signum(value: Fraction) -> Order:
    return Order.EQUAL if value == 0 else Order.GREATER if value > 0 else Order.LESS


def compare(a: Fraction, b: Fraction, epsilon: Epsilon) -> Order:
    """Compare A with B*e^ε exactly; `UNDECIDED` where 2^24 bits do not tell them apart.

    Where e^ε is rational and written out, this is rational arithmetic. Where it is irrational, A = B*e^ε only for
    A = B = 0; where it is a power that is too long to be written out, the lengths tell whether A/B may be that power.
    Else ln(A/B) is separated from ε by Arb balls of growing precision. At ε = ∞ the sign of B decides, and that of A
    where B = 0.

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
    if epsilon.is_log_of(a / b):
        return Order.EQUAL
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


def ratio_of_powers(x: Epsilon, y: Epsilon) -> Fraction | None:
    """e^x/e^y where it is found to be rational, for two finite ε with e^x and e^y irrational; else None.

    A transcendental power has a rational ratio only to itself (Lindemann–Weierstrass). For y1^(m1/k) / y2^(m2/k2), no
    base a perfect power, a rational ratio needs k = k2, since the exponents of the primes have these orders mod 1.
    Between two different ε of the form `ln(root of …)` no ratio is looked for.

    >>> from verifier.numbers.epsilon import epsilon
    >>> ratio_of_powers(epsilon("1/2*ln(18)"), epsilon("1/2*ln(2)")), ratio_of_powers(epsilon(1), epsilon("1/2"))
    (Fraction(3, 1), None)
    """
    if x == y:
        return Fraction(1)
    if x.kind != "log" or y.kind != "log" or x.coefficient.denominator != y.coefficient.denominator:
        return None
    (first, root), (second, _) = x.power(), y.power()
    power = first / second
    top, bottom = _root(power.numerator, root), _root(power.denominator, root)
    return None if top is None or bottom is None else Fraction(top, bottom)


def _algebraic(epsilon: Epsilon) -> Algebraic | None:
    """The irrational algebraic number e^ε of an ε that is a logarithm; None beyond the degree 64."""
    degree = len(epsilon.root.polynomial) - 1 if epsilon.root is not None else epsilon.coefficient.denominator
    if degree > MAX_DEGREE_READ:
        return None
    if epsilon.root is not None:
        return epsilon.root
    power, _ = epsilon.power()
    polynomial = [-power.numerator, *[0] * (degree - 1), power.denominator]
    (root,) = roots_between(polynomial, Fraction(0), max(power, Fraction(1)))
    return root if isinstance(root, Algebraic) else None


def _root(value: int, degree: int) -> int | None:
    """The exact root of an integer ≥ 1, where there is one."""
    from flint import fmpz

    root = int(fmpz(value).root(degree)) if degree < value.bit_length() else 1
    return root if root**degree == value else None


SHIFT = 96
"""Bits after the point of the integer bounds of e^ε."""


@lru_cache(maxsize=64)
def exp_bounds(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Rational bounds (low, high) of e^ε for finite ε, which decide most comparisons; equal where e^ε is rational."""
    return epsilon.exp_bracket(96)


@lru_cache(maxsize=64)
def exp_bounds_integers(epsilon: Epsilon) -> tuple[int, int]:
    """Integers (low, high) with low ≤ 2^96·e^ε ≤ high, for finite ε."""
    low, high = exp_bounds(epsilon)
    return (low.numerator << SHIFT) // low.denominator, -((-high.numerator << SHIFT) // high.denominator)


def compare_integers(x: Any, y: Any, epsilon: Epsilon) -> Order:
    """Compare x with y*e^ε for integers x, y ≥ 0 and finite ε: a rational bracket decides most, `compare` the rest.

    >>> from verifier.numbers.epsilon import epsilon
    >>> compare_integers(11, 10, epsilon("1/10")), compare_integers(4, 2, epsilon("ln(2)"))
    (<Order.LESS: -1>, <Order.EQUAL: 0>)
    """
    e = epsilon.exp
    low, high = exp_bounds(epsilon) if e is None else (e, e)
    if x * high.denominator > y * high.numerator:
        return Order.GREATER
    if x * low.denominator < y * low.numerator:
        return Order.LESS
    return Order.EQUAL if e is not None else compare(Fraction(int(x)), Fraction(int(y)), epsilon)


def compare_products(a: Any, b: Any, c: Any, d: Any) -> int:
    """The sign of a·b - c·d for integers ≥ 0; the leading bits of long ones decide most.

    >>> compare_products(3, 7, 4, 5), compare_products(2, 6, 3, 4), compare_products(10**200, 3, 2, 10**200 + 1)
    (1, 0, 1)
    """
    if a.bit_length() + b.bit_length() > LONG:
        (a_top, a_shift), (b_top, b_shift), (c_top, c_shift), (d_top, d_shift) = map(_leading, (a, b, c, d))
        shift = a_shift + b_shift - c_shift - d_shift
        up, down = max(shift, 0), max(-shift, 0)
        if (a_top * b_top) << up >= ((c_top + 1) * (d_top + 1)) << down:
            return 1
        if ((a_top + 1) * (b_top + 1)) << up <= (c_top * d_top) << down:
            return -1
    left, right = a * b, c * d
    return int(left > right) - int(left < right)


LONGEST = 1 << 16
"""Most bits of the A and B of a δ = A - B*e^ε beside a power e^ε that is not written out."""
LONG = 4096
"""Bits of a product from which on its leading bits are looked at first."""


def _leading(value: Any) -> tuple[int, int]:
    """The first 128 bits, and how many were left off."""
    shift = max(0, value.bit_length() - 128)
    return int(value >> shift), shift


@total_ordering
@dataclass(frozen=True, eq=False)
class Delta:
    """A tight δ, kept as A - B*e^ε so that nothing is rounded; where e^ε is rational, B is 0.

    It is compared exactly with a δ, also at another ε, and with a number. Since 1 and an irrational e^ε are linearly
    independent, two δ at one ε are equal iff their A and their B are. So are two δ at different ε iff their A and their
    B*e^ε are, but for an ε of the form `ln(root of …)` beside another algebraic e^ε: there the minimal polynomials of
    the two numbers tell, up to the degree 64.

    >>> from verifier.numbers.epsilon import epsilon
    >>> print(Delta.of(Fraction(3, 8), Fraction(1, 5), epsilon("1/10")))
    3/8 - 1/5*exp(1/10)
    >>> quarter = Delta.of(Fraction(3, 8), Fraction(1, 16), epsilon("ln(2)"))
    >>> quarter, quarter == Fraction(1, 4), quarter <= "0.25", quarter < 1
    (<Delta 1/4>, True, True, True)
    """

    a: Fraction
    b: Fraction
    epsilon: Epsilon

    def __new__(cls, a: Fraction, b: Fraction, epsilon: Epsilon) -> Self:  # noqa: ARG004 - as the fields are given
        """Make a δ that is rational a number of Python's, so that `Fraction(delta)` is its value."""
        return cast("Self", object.__new__(RationalDelta if b == 0 else cls))

    def __getnewargs__(self) -> tuple[Fraction, Fraction, Epsilon]:
        """What a copy is made of."""
        return self.a, self.b, self.epsilon

    @classmethod
    def of(cls, a: Fraction, b: Fraction, epsilon: Epsilon) -> Delta:
        """A - B*e^ε in canonical form.

        Raises:
            LimitError: for long A and B beside a power e^ε that is not written out; for others 1 and e^ε are as good as
                independent, since a quotient of their differences is shorter than e^ε.

        """
        e = epsilon.exp
        if e is not None:
            a, b = a - b * e, Fraction(0)
        parts = (*a.as_integer_ratio(), *b.as_integer_ratio()) if b and epsilon.long_power else ()
        if any(part.bit_length() > LONGEST for part in parts):
            raise LimitError(f"δ has more than {LONGEST:,} bits, and e^ε more than {MAX_POWER_BITS:,}")
        return cls(a, b, epsilon)

    def order(self, other: Delta | Fraction) -> Order:
        """Compare with a rational, or with another δ.

        At different ε, a rational e^ε1/e^ε2 brings both to one ε. Else 1, e^ε1 and e^ε2 are linearly independent over ℚ
        (Lindemann–Weierstrass; for roots of rationals, Besicovitch), so that the difference is not 0. For two other
        algebraic e^ε it may be 0, which their minimal polynomials tell; beyond the degree 64 it is undecided then.
        """
        if not isinstance(other, Delta):
            return compare(self.a - other, self.b, self.epsilon)
        a = self.a - other.a
        if other.b == 0 or self.epsilon is other.epsilon or self.epsilon == other.epsilon:
            return compare(a, self.b - other.b, self.epsilon)
        if self.b == 0:
            return compare(a, -other.b, other.epsilon)
        ratio = ratio_of_powers(self.epsilon, other.epsilon)
        if ratio is not None:
            return compare(a, self.b * ratio - other.b, other.epsilon)
        equal = self._is_affine_image(other)
        if equal:
            return Order.EQUAL
        precision, most = 64, 4096 if equal is None else MAX_PRECISION
        while precision <= most:
            subtracted = sorted(self.b * end for end in self.epsilon.exp_bracket(precision))
            ends = sorted(other.b * end for end in other.epsilon.exp_bracket(precision))
            if a - subtracted[1] + ends[0] > 0:
                return Order.GREATER
            if a - subtracted[0] + ends[1] < 0:
                return Order.LESS
            precision *= 2
        return Order.UNDECIDED

    def _is_affine_image(self, other: Delta) -> bool | None:
        """Whether two irrational δ at different ε are equal, for no rational e^ε1/e^ε2; None beyond the degree 64.

        A1 - B1·e^ε1 = A2 - B2·e^ε2 says that e^ε2 is an affine image of e^ε1. For two powers it is none.
        """
        if "root" not in {self.epsilon.kind, other.epsilon.kind}:
            return False
        if "rational" in {self.epsilon.kind, other.epsilon.kind}:
            return False  # e^ε is transcendental there (Lindemann)
        if self.epsilon.long_power or other.epsilon.long_power:
            return False  # e^ε is rational there
        numbers = _algebraic(self.epsilon), _algebraic(other.epsilon)
        if None in numbers:
            return None
        first, second = (number for number in numbers if number is not None)
        if len(first.polynomial) != len(second.polynomial):
            return False
        return affine(first, self.b / other.b, (other.a - self.a) / other.b) == second

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Delta):
            if self.b == 0 or other.b == 0 or self.epsilon == other.epsilon:
                return (self.a, self.b) == (other.a, other.b)
            ratio = ratio_of_powers(self.epsilon, other.epsilon)
            if ratio is not None:
                return (self.a, self.b * ratio) == (other.a, other.b)
            return bool(self._is_affine_image(other))
        number = number_or_none(other)
        return NotImplemented if number is None else self.b == 0 and self.a == number

    def __hash__(self) -> int:
        """Equal δ have equal hashes; two of them may have different A where an e^ε is the root of a polynomial."""
        return hash(self.a if self.b == 0 else (self.a, self.b) if self.epsilon.kind == "rational" else "algebraic")

    def __lt__(self, other: object) -> bool:
        wanted = other if isinstance(other, Delta) else rational(other, "", "a number to compare δ with")
        order = self.order(wanted)
        if order is Order.UNDECIDED:
            raise LimitError(f"{self.text(40)} and {wanted} agree on more than {MAX_PRECISION:,} bits")
        return order is Order.LESS

    def __float__(self) -> float:
        """The nearest double, for drawings only: it decides nothing."""
        value = self.a if self.b == 0 else Fraction(self.decimal(40))
        return value.numerator / value.denominator

    def sympy(self) -> Any:
        """The value as an exact number of sympy."""
        from sympy import Rational, exp

        a, b = (Rational(part.numerator, part.denominator) for part in (self.a, self.b))
        return a - b * exp(self.epsilon.sympy()) if self.b else a

    def mpmath(self, digits: int = DIGITS) -> Any:
        """The value as a number of mpmath, correctly rounded to so many digits."""
        return mpf_of(self, digits)

    @property
    def is_zero(self) -> bool:
        """Whether the value is exactly 0."""
        return self.a == 0 and self.b == 0

    @property
    def rational(self) -> Fraction | None:
        """The value where it is rational; else None."""
        return self.a if self.b == 0 else None

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Delta {self.text(60)}>"

    def text(self, max_digits: int = MAX_DIGITS) -> str:
        """The canonical text, such as `3/64` or `3/8 - 1/5*exp(1/10)`; a longer number than `max_digits` is cut."""
        left = exact_text(self.a, max_digits)
        if self.b == 0:
            return left
        factor = "" if abs(self.b) == 1 else exact_text(abs(self.b), max_digits) + "*"
        return f"{left} {'-' if self.b > 0 else '+'} {factor}exp({self.epsilon.text(max_digits)})"

    def decimal(self, digits: int = DIGITS) -> str:
        """The value as a decimal, correctly rounded to `digits` significant digits."""
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


class RationalDelta(Delta):
    """A δ that is rational: it is also a number of Python's tower, equal to its `Fraction`."""

    @property
    def numerator(self) -> int:
        """The numerator of the value in lowest terms."""
        return self.a.numerator

    @property
    def denominator(self) -> int:
        """The denominator of the value in lowest terms."""
        return self.a.denominator


Rational.register(RationalDelta)


def delta_bound(raw: object, where: str = "delta") -> Fraction:
    """Read the δ of a question: a rational in [0, 1], also as a power of ten, or a `Delta` whose value is one.

    >>> delta_bound("0.01"), delta_bound("10^-6")
    (Fraction(1, 100), Fraction(1, 1000000))

    Raises:
        InputError: for an irrational δ, and for anything that is no number in [0, 1].

    """
    if isinstance(raw, Delta):
        if raw.rational is None:
            raise InputError(
                f"the δ {raw.text(60)} is irrational",
                where=where,
                wanted="a rational δ",
                tip=f"a fraction a little above {raw.decimal()}",
            )
        raw = raw.rational
    if isinstance(raw, str):
        raw = power_of_ten(raw) or raw
    return probability(raw, where, "δ")


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

    def __repr__(self) -> str:
        return f"<Loss {self.text(60)}>"

    def text(self, max_digits: int = MAX_DIGITS) -> str:
        """The text of the loss: `ln(5/2)`, `0`, `inf` or `-inf`."""
        if self.ratio is None:
            return "inf"
        if self.ratio == 0:
            return "-inf"
        return "0" if self.ratio == 1 else f"ln({exact_text(self.ratio, max_digits)})"

    def decimal(self, digits: int = DIGITS) -> str:
        """The loss in nats as a decimal, correctly rounded to `digits` significant digits."""
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


MAX_BALL_PRECISION = 1 << 14
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

    At `MAX_BALL_PRECISION` bits any finite enclosure does. `ball` computes the ball at the precision in force, and
    may raise `CoarseError` to ask for more; `positive` says that the number is at least 0.

    Raises:
        UndecidedError: where not even `MAX_BALL_PRECISION` bits give a finite ball.

    """
    from flint import ctx

    precision = 64 + 4 * digits
    while True:
        enclosure = None
        with ctx.workprec(precision), suppress(CoarseError):
            value = ball()
            enclosure = Enclosure.of(value, digits, positive=positive) if value.is_finite() else None
        if enclosure is not None and (certain(enclosure) or precision >= MAX_BALL_PRECISION):
            return enclosure
        if precision >= MAX_BALL_PRECISION:
            raise UndecidedError(f"{MAX_BALL_PRECISION:,} bits do not enclose a number")
        precision *= 2


NO_VALUE = "–"
"""The text of a number that does not exist, and of a cell that has nothing to say."""


class Value(Protocol):
    """A number with an exact form and a decimal: a δ, an ε, a privacy loss or an enclosure."""

    def text(self, max_digits: int = MAX_DIGITS) -> str:
        """The exact form."""
        ...

    def decimal(self, digits: int = DIGITS) -> str:
        """The decimal, correctly rounded."""
        ...


def exact_form(value: Fraction | Value, max_digits: int = MAX_DIGITS) -> str:
    """Return the exact form of a number; of an enclosure both ends."""
    return exact_text(value, max_digits) if isinstance(value, Fraction) else value.text(max_digits)


def decimal_form(value: Fraction | Value, digits: int = DIGITS) -> str:
    """Return the decimal of a number, correctly rounded; of an enclosure both ends, rounded outward."""
    return decimal_of(value, digits) if isinstance(value, Fraction) else value.decimal(digits)


def with_decimal(
    value: Fraction | Value | None,
    max_digits: int = MAX_DIGITS,
    digits: int = DIGITS,
    *,
    most: int | None = None,
    longer: str = "{decimal}",
) -> str:
    """Return the exact form with its decimal in brackets; once where both are the same text, `–` for None.

    An exact form of more than `most` characters gives way to `longer`, where `{decimal}` stands for the decimal and
    `{length}` for the number of these characters. An enclosure has no exact form: its two ends stand alone.

    >>> with_decimal(Fraction(3, 64)), with_decimal(Fraction(2)), with_decimal(None)
    ('3/64 (0.046875)', '2', '–')
    >>> with_decimal(Fraction(1, 3**20), digits=3, most=9, longer="about {decimal}")
    'about 2.87e-10'
    """
    if value is None:
        return NO_VALUE
    exact, decimal = exact_form(value, max_digits), decimal_form(value, digits)
    if exact == decimal or isinstance(value, Enclosure):
        return exact
    if most is not None and len(exact) > most:
        return longer.format(decimal=decimal, length=len(exact))
    return f"{exact} ({decimal})"


def plural(number: int, one: str, several: str = "") -> str:
    """A count with its noun, or with its verb; `several` is the form that goes with other counts than 1.

    >>> plural(1, "record"), plural(3, "record"), plural(1, "holds", "hold"), plural(0, "entry", "entries")
    ('1 record', '3 records', '1 holds', '0 entries')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"


FOR_SEVERAL = {"holds": "hold", "fails": "fail", "agrees": "agree", "disagrees": "disagree", "note": "notes"}
"""The first words of verdicts that have another form where there are several."""


def verdict_count(number: int, verdict: str) -> str:
    """A count of verdicts, each an adjective (vacuous), a note, or words that begin with a verb.

    >>> verdict_count(1, "holds once corrected"), verdict_count(2, "holds once corrected"), verdict_count(2, "vacuous")
    ('1 holds once corrected', '2 hold once corrected', '2 vacuous')
    """
    verb, _, rest = verdict.partition(" ")
    several = FOR_SEVERAL.get(verb, verb)
    return f"{plural(number, verb, several)} {rest}".rstrip()
