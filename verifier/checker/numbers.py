"""Exact numbers: how a certificate writes them, bounds of logarithms and exponentials, and the sign of a - b·e^ε.

A number has one text, and every other text is refused (proofs/FORMAT.md): `3/6`, `+1`, `01`, `0.5`, `1*ln(2)` and
`2*ln(3)` are no numbers. `number` and `signed` read rationals, `epsilon` an ε, `delta` a smallest δ, `ends` the
decimals of an enclosure.

Bounds are rational and never rounded to nearest: each function returns a lower and an upper one, and more `bits` bring
them closer. Two numbers are compared by their bounds (`order`) once it is known that they are not equal: that is
decided by integer powers (e^ε = x^r) or by Lindemann's theorem (e^v of a rational v ≠ 0 is no root of a rational).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isqrt
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Beyond, Rejected

Bounds: TypeAlias = tuple[Fraction, Fraction]
"""A lower and an upper bound of a number."""
ZERO, ONE = Fraction(0), Fraction(1)
MAX_BITS = 1 << 21
"""Most bits of an e^ε."""
MAX_IRRATIONAL_BITS = 1 << 14
"""Most bits of the x of an ε = r·ln(x) that is not the logarithm of a rational."""
WRITTEN_BITS = 1 << 20
"""Most bits of the x^m of ε = m·ln(x) where it is written as ln(x^m); m·ln(x) is the text of longer ones."""
MAX_FACTOR_BITS = 1 << 15
"""Most bits of such an m."""
DIGITS = 12
"""Significant digits of the ends of an enclosure."""
_RATIONAL = re.compile(r"(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")
_LOGARITHM = re.compile(r"(?:([^*]*)\*)?ln\(([0-9/]*)\)")
_ROOT = re.compile(r"ln\(root of ([^()\[\]]*) in \[([^,]*), ([^,]*)\]\)")
_DELTA = re.compile(r"([^ ]*) - (?:([^*]*)\*)?exp\((.*)\)")
_DECIMAL = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]*[1-9]))?(?:e(-[1-9][0-9]{0,4}))?")


class Written(NamedTuple):
    """An ε: `factor`, times ln(`argument`) where there is one; or ln of a root of a polynomial in an interval."""

    factor: Fraction
    argument: Fraction | None = None
    polynomial: tuple[int, ...] = ()
    """The coefficients, from the constant on."""
    interval: tuple[Fraction, Fraction] | None = None
    infinite: bool = False

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds of a finite ε; more bits bring them closer."""
        if self.interval is not None:
            low, high = root_in(self)(bits)
            return ln(low, bits)[0], ln(high, bits)[1]
        if self.argument is None:
            return self.factor, self.factor
        low, high = ln(self.argument, bits)
        return self.factor * low, self.factor * high


def root_in(written: Written) -> Callable[[int], Bounds]:
    """Bounds of the root in an interval."""
    from verifier.checker.roots import bisected

    return bisected(written.polynomial, *(written.interval or (ONE, ONE)))


def number(text: object) -> Fraction:
    """The rational of a text `p` or `p/q` ≥ 0 in lowest terms, in ASCII digits; a Fraction stays as it is."""
    if isinstance(text, Fraction):
        return text
    if not isinstance(text, str):
        raise Rejected(f"{_short(text)} is no number of the form p or p/q")
    return _rational(text)


@lru_cache(1 << 12)
def _rational(text: str) -> Fraction:
    match = _RATIONAL.fullmatch(text)
    if not match:
        raise Rejected(f"{_short(text)} is no number of the form p or p/q")
    top, bottom = long_integer(match[1]), long_integer(match[2] or "1")
    value = Fraction(top, bottom)
    if match[2] is not None and (bottom == 1 or value.denominator != bottom):
        raise Rejected(f"{_short(text)} is no number of the form p or p/q in lowest terms")
    return value


def signed(text: object) -> Fraction:
    """The rational of a text as `number` reads it, with a minus sign where it is below 0."""
    if not isinstance(text, str) or not text.startswith("-"):
        return number(text)
    if text == "-0":
        raise Rejected("'-0' is no number: 0 has no sign")
    return -number(text[1:])


def long_integer(digits: str) -> int:
    """Python reads at most 4300 digits at once."""
    return int(digits) if len(digits) <= 4000 else long_integer(digits[:-4000]) * 10**4000 + int(digits[-4000:])


def _short(text: object) -> str:
    return repr(text[:60] if isinstance(text, str) else text)


def bits(value: Fraction) -> int:
    """The bits of the numerator and the denominator of a rational, together."""
    return value.numerator.bit_length() + value.denominator.bit_length()


# --- ε ------------------------------------------------------------------------------------------------------------


def epsilon(text: object) -> Written:
    """The ε ≥ 0 of a text: `inf`, a rational, `ln(p/q)`, `r*ln(x)` with another e^ε, or ln of a root.

    In `r*ln(x)` x is no power of a rational, so that no other r and x give the same ε. Where r is no integer, e^ε is
    irrational; where it is one, e^ε = x^r is a rational of more than 2^20 bits.
    """
    if not isinstance(text, str):
        raise Rejected(f"{_short(text)} is no ε")
    if text == "inf":
        return Written(Fraction(0), infinite=True)
    if match := _ROOT.fullmatch(text):
        from verifier.checker.roots import root_of

        return Written(ONE, None, *root_of(match[1], number(match[2]), number(match[3])))
    match = _LOGARITHM.fullmatch(text)
    factor = number((match[1] if match[1] is not None else "1") if match else text)
    argument = number(match[2]) if match else None
    if argument is not None and (factor == 0 or argument <= 1):
        raise Rejected(f"ε = {text[:60]} is not above 0")
    long = match is not None and argument is not None and factor != 1 and factor.denominator == 1
    if long and argument is not None:
        _not_large(factor, argument, text)
    elif factor * bits(argument or Fraction(1)) > MAX_BITS or bits(factor) > MAX_BITS:
        raise Beyond(f"e^ε is too large at ε = {text[:60]}")
    if match and argument is not None and match[1] is not None:
        if bits(argument) > MAX_IRRATIONAL_BITS:
            raise Beyond(f"ε = {text[:60]} has a long logarithm")
        length = max(map(int.bit_length, argument.as_integer_ratio()))
        written = factor.denominator == 1 and factor * length <= WRITTEN_BITS
        if written or _is_power(argument):
            raise Rejected(f"ε = {text[:60]} is not in its canonical form: ln(p/q), or r*ln(x) with the smallest x")
    return Written(factor, argument)


def _not_large(factor: Fraction, argument: Fraction, text: str) -> None:
    """Refuse m·ln(x) above 2^20, and long m and x, before anything is computed with them."""
    if bits(factor) > MAX_FACTOR_BITS or bits(argument) > MAX_IRRATIONAL_BITS:
        raise Beyond(f"ε = {text[:60]} has a long factor, or a long logarithm")
    if factor * ln(argument, 64 + bits(factor))[1] > WRITTEN_BITS:
        raise Beyond(f"e^ε is too large at ε = {text[:60]}")


@lru_cache(1 << 8)
def _is_power(value: Fraction) -> bool:
    """Whether a rational above 1 is the square, the cube, … of a rational."""
    return any(
        _may_be_power(value, k) and rational_root(value, k) is not None
        for k in range(2, value.numerator.bit_length() + 1)
        if _is_prime(k)
    )


def _is_prime(k: int) -> bool:
    return all(k % divisor for divisor in range(2, isqrt(k) + 1))


def _may_be_power(value: Fraction, k: int) -> bool:
    """False where a rational is no k-th power by its remainders, which is far quicker to see than by its root.

    Of a prime p = m·k + 1 that does not divide y, (y^k)^m = y^(p - 1) has the remainder 1 (Fermat).
    """
    primes = (m * k + 1 for m in range(2, 80, 2) if _is_prime(m * k + 1))
    return all(
        pow(part, (p - 1) // k, p) in {0, 1}
        for p, _ in zip(primes, range(4), strict=False)
        for part in value.as_integer_ratio()
    )


def logarithm_of(power: Fraction) -> str:
    """The text of the ε with a rational e^ε ≥ 1."""
    return "0" if power == 1 else f"ln({power})"


# --- δ ------------------------------------------------------------------------------------------------------------


def delta(text: object) -> tuple[Fraction, Fraction, str]:
    """The a, b and text of ε of a smallest δ = a - b·e^ε; it is written as `a` where b = 0, else e^ε is irrational."""
    match = _DELTA.fullmatch(text) if isinstance(text, str) else None
    if not match:
        return number(text), Fraction(0), ""
    a, b, exponent = number(match[1]), number(match[2] if match[2] is not None else "1"), epsilon(match[3])
    if not b or match[2] == "1" or rational(exponent):
        raise Rejected(f"{_short(text)} is not in its canonical form: a, or a - b*exp(ε) with an irrational e^ε")
    return a, b, match[3]


def rational(exponent: Written) -> bool:
    """Whether e^ε is rational, or infinite."""
    plain = exponent.factor == 0 if exponent.argument is None else exponent.factor == 1
    return exponent.infinite or (plain and not exponent.polynomial)


def ends(text: str) -> Bounds:
    """The decimal ends of an enclosure `[l, u]`, at most two units of the 12th digit apart; of a number, it twice."""
    if not text.startswith("["):
        return number(text), number(text)
    low, high = _interval(text)
    exponent = magnitude(high)
    if not 0 < low < high <= low + 2 * Fraction(10) ** (exponent + 1 - DIGITS):
        raise Rejected(f"{text[:60]} is no enclosure with ends that agree to {DIGITS} digits")
    return low, high


def magnitude(value: Fraction) -> int:
    """The place of the first digit of a rational ≥ 0: the k with 10^k ≤ x < 10^(k + 1); 0 for 0."""
    if not value:
        return 0
    k = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100000 - 2
    while value >= Fraction(10) ** (k + 1):  # 0.30103 is the logarithm of 2: the guess is too small by 1 to 3
        k += 1
    return k


def wide_ends(text: str) -> Bounds:
    """The decimal ends of an enclosure `[l, u]`, however far they are apart; of `0`, 0 twice."""
    if text == "0":
        return ZERO, ZERO
    low, high = _interval(text)
    if not low < high:
        raise Rejected(f"{text[:60]} is no enclosure with ends in order")
    return low, high


def _interval(text: str) -> Bounds:
    """The two decimals of a text `[l, u]`."""
    low, comma, high = text[1:-1].partition(", ")
    if not text.startswith("[") or not text.endswith("]") or not comma:
        raise Rejected(f"{text[:60]} is no enclosure [l, u]")
    return decimal(low), decimal(high)


def amount(text: str) -> None:
    """Reject a text that is no ε, no δ and no enclosure."""
    if text.startswith("["):
        ends(text)
    elif " - " in text and not text.startswith("ln("):  # a root has a polynomial, with signs of its own
        delta(text)
    else:
        epsilon(text)


def decimal(text: str) -> Fraction:
    """The value of a decimal without needless zeros; below 1e-5 it has an exponent, as `5.7e-561`."""
    match = _DECIMAL.fullmatch(text)
    if not match:
        raise Rejected(f"{text[:60]} is no decimal in its canonical form")
    places = match[2] or ""
    value = Fraction(long_integer(match[1] + places), 10 ** len(places))
    if match[3] is not None:
        value, valid = value * Fraction(10) ** int(match[3]), 1 <= value < 10
    else:
        valid = True
    if not valid or (value and (value < Fraction(1, 10**5)) != (match[3] is not None)):
        raise Rejected(f"{text[:60]} is no decimal in its canonical form")
    return value


# --- bounds -------------------------------------------------------------------------------------------------------

PRECISIONS = (64, 256, 1024, 4096)
"""Bits of the bounds by which two numbers are told apart; whether they are equal is asked after the second."""


def order(
    x: Callable[[int], Bounds],
    y: Callable[[int], Bounds],
    precisions: Sequence[int] = PRECISIONS,
    equal: Callable[[], bool] = lambda: False,
) -> int:
    """The sign of x - y, of two numbers by their bounds, which get closer until they part.

    Raises:
        Beyond: where they do not part.

    """
    for k, bits in enumerate(precisions):
        (low, high), (below, above) = x(bits), y(bits)
        if low > above or high < below:
            return 1 if low > above else -1
        if k == 1 and equal():
            return 0
    raise Beyond("two numbers are too near each other")


def down(value: Fraction, bits: int) -> Fraction:
    """The largest multiple of 2^-bits that is not above the value."""
    return Fraction((value.numerator << bits) // value.denominator, 1 << bits)


def up(value: Fraction, bits: int) -> Fraction:
    """The smallest multiple of 2^-bits that is not below the value."""
    return -down(-value, bits)


def _artanh(z: Fraction, bits: int) -> tuple[int, int]:
    """Bounds of 2^bits·(z + z³/3 + z⁵/5 + …), for 0 ≤ z ≤ 1/3, in integers.

    All divisions round down for the lower bound and up for the upper one. What is left out after z^k/k is at most
    z^(k+2)·9/8.
    """
    below, above = (z.numerator << bits) // z.denominator, -((-z.numerator << bits) // z.denominator)
    square_below, square_above = (below * below) >> bits, -((-above * above) >> bits)
    low = high = 0
    k = 1
    while above > 1:
        low, high = low + below // k, high - (-above // k)
        below, above, k = (below * square_below) >> bits, -((-above * square_above) >> bits), k + 2
    return low, high + 2 * above


@lru_cache(1 << 12)
def ln(value: Fraction, bits: int) -> Bounds:
    """Bounds of the logarithm of x = 2^k·m > 0, k times the one of 2 plus 2·artanh((m - 1)/(m + 1)), with 1 ≤ m ≤ 2.

    Raises:
        Beyond: for x ≤ 0, which comes from bounds of a positive number that are too coarse.

    """
    if value <= 0:
        raise Beyond("a number is too near 0 for its logarithm")
    if value < 1:
        low, high = ln(1 / value, bits)
        return -high, -low
    k = value.numerator.bit_length() - value.denominator.bit_length()
    if value.numerator < value.denominator << k:
        k -= 1
    top, bottom = value.numerator, value.denominator << k
    below, above = _artanh(Fraction(top - bottom, top + bottom), bits)
    two_below, two_above = _artanh(Fraction(1, 3), bits)
    return Fraction(below + k * two_below, 1 << (bits - 1)), Fraction(above + k * two_above, 1 << (bits - 1))


@lru_cache(1 << 12)
def exp(value: Fraction, bits: int) -> Bounds:
    """Bounds of e^v for a rational v: 2^k·e^r, with r = v - k·ln(2), 0 ≤ r < 3/4, by the series at r/16.

    What is left out after z^k/k! is less than that term, since z ≤ 1/16.
    """
    working = bits + 16 + max(0, int(abs(value)).bit_length())
    low_two, high_two = ln(Fraction(2), working)
    k = int(value / low_two) - (value < 0)
    ends = [value - k * two for two in ((high_two, low_two) if k >= 0 else (low_two, high_two))]
    below = max(0, (ends[0].numerator << working) // ends[0].denominator) >> 4
    above = (-((-ends[1].numerator << working) // ends[1].denominator) >> 4) + 1
    low = high = term_below = term_above = 1 << working
    j = 0
    while term_above > 1:
        j += 1
        term_below, term_above = (term_below * below >> working) // j, -(-term_above * above >> working) // j + 1
        low, high = low + term_below, high + term_above
    high += term_above
    for _ in range(4):
        low, high = low * low >> working, -(-high * high >> working)
    scale = Fraction(2) ** (k - working)
    return low * scale, high * scale


def root(value: Fraction, degree: int, bits: int) -> Bounds:
    """Bounds of the degree-th root of a rational ≥ 0."""
    if degree == 1:
        return value, value
    scaled = (value.numerator << (bits * degree)) // value.denominator
    floor = floor_root(scaled, degree)
    low = Fraction(floor, 1 << bits)
    return low, low if low**degree == value else Fraction(floor + 1, 1 << bits)


def floor_root(value: int, degree: int) -> int:
    """The largest integer whose degree-th power is at most the value, by Newton's steps from above."""
    if degree >= value.bit_length():
        return min(value, 1)
    above = 1 << (value.bit_length() // degree + 1)
    while True:
        lower = ((degree - 1) * above + value // above ** (degree - 1)) // degree
        if lower >= above:
            return above
        above = lower


def rational_root(value: Fraction, degree: int) -> Fraction | None:
    """The degree-th root of a rational ≥ 0, where it is rational."""
    top, bottom = (floor_root(part, degree) for part in value.as_integer_ratio())
    return Fraction(top, bottom) if (top**degree, bottom**degree) == value.as_integer_ratio() else None


# --- e^ε ----------------------------------------------------------------------------------------------------------

PRECISION_LIMIT = 1 << 13
"""Bits of the bounds of e^ε at which a sign is given up (`Beyond`)."""
PATIENCE = 1 << 12
"""Bits of precision after which powers are compared exactly."""
MOST_POWERS = 256
LEADING = 256
"""Bits of long integers that are compared first."""


def polynomial_of(text: str) -> list[Fraction]:
    """A polynomial with the root E = e^ε, where ε is 0 or the logarithm of an algebraic number."""
    written = epsilon(text)
    if written.polynomial:
        return [Fraction(c) for c in written.polynomial]
    power, argument = written.factor, written.argument
    if written.infinite or (argument is None and power):
        raise Rejected(f"ε = {text} is not the logarithm of an algebraic number")
    base = argument or ONE
    if power.denominator > MOST_POWERS or power.numerator * bits(base) > MAX_BITS:
        raise Beyond(f"ε = {text[:60]} has a long power")
    return [-(base**power.numerator), *[ZERO] * (power.denominator - 1), ONE]


def rational_power(text: str) -> Fraction:
    """e^ε, which is rational."""
    value = Exponential(text).value
    if value is None:
        raise Rejected(f"e^ε is not rational for ε = {text[:60]}")
    return value


def _needless(a: Any, b: Any) -> int:
    """How many last bits of two integers play no part unless a/b is very near E."""
    return max(a.bit_length(), b.bit_length()) - LEADING if type(a) is type(b) is int else 0


class Exponential:
    """E = e^(c·ε) for a multiple c of ε: a Fraction where it is rational, else ever narrower bounds."""

    def __init__(self, text: str, scale: Fraction = ONE) -> None:
        written = epsilon(text)
        self.text, self.infinite = text, written.infinite and scale > 0
        self.r = written.factor * scale
        self.x = written.argument if self.r else None
        self.root = root_in(written) if written.interval else None
        self.known: dict[int, tuple[tuple[int, int], int]] = {}

    @cached_property
    def value(self) -> Fraction | None:
        """E, where it is rational: 1 for ε = 0, x^r where the root of x is; a rational ε ≠ 0 has no rational power.

        None for a power of more than 2^20 bits, too, which `sign` compares by its bounds.
        """
        if self.infinite or self.root or (self.x is None and self.r):
            return None
        base = rational_root(self.x or ONE, self.r.denominator)
        if base is not None and self.r.numerator > 1 and bits(base) * self.r.numerator > WRITTEN_BITS:
            return None
        return None if base is None else base**self.r.numerator

    def sign(self, a: Any, b: Any) -> int:
        """The sign of a - b·E; where E is infinite, of -b, then of a.

        Raises:
            Beyond: where the bounds of E do not part a from b·E.

        """
        if self.infinite:
            return int(b < 0) - int(b > 0) or int(a > 0) - int(a < 0)
        if self.value is not None:
            x, y = a * self.value.denominator, b * self.value.numerator
            return int(x > y) - int(x < y)
        if a == 0 or b == 0 or (a < 0) != (b < 0):
            return int(a > 0) - int(a < 0) or int(b < 0) - int(b > 0)
        precision, flip = 128, 1 if a > 0 else -1
        while precision < PRECISION_LIMIT:
            if precision == PATIENCE and self.x is not None and self._short(a, b) and not self._longer(a, b):
                # by integer powers: |a|^k against |b|^k·x^m, where E = x^(m/k)
                x, y = abs(a) ** self.r.denominator, abs(b) ** self.r.denominator * self.x**self.r.numerator
                return flip * (int(x > y) - int(x < y))
            (low, high), scale = self.scaled(precision)
            if precision == 128 and (cut := _needless(a, b)) > 0:  # x ≤ |a|/2^cut < x + 1, and so for y and |b|
                x, y = abs(a) >> cut, abs(b) >> cut
                if x * scale > (y + 1) * high:
                    return flip
                if (x + 1) * scale < y * low:
                    return -flip
            x, y = abs(a) * scale, abs(b)
            if x > y * high or x < y * low:
                return flip if x > y * high else -flip
            precision *= 2
        raise Beyond(f"a probability is too near a multiple of exp({self.text[:60]})")

    def _short(self, a: Any, b: Any) -> bool:
        """Whether the powers of both numbers are short enough to be compared."""
        return max(bits(Fraction(a)), bits(Fraction(b))) * self.r.denominator < MAX_BITS

    def _longer(self, a: Any, b: Any) -> bool:
        """Whether E^k = x^m has more bits than |a/b|^k, so that these are two numbers, which close bounds part."""
        top = (self.x or ONE).numerator.bit_length() - 1
        return top * self.r.numerator > bits(Fraction(a) / Fraction(b)) * self.r.denominator

    def same(self, other: Exponential) -> bool:
        """Whether this E and another are one number; e^v of a rational v ≠ 0 is no power of a rational."""
        if self.infinite or other.infinite:
            return self.infinite == other.infinite
        if self.root is not None or other.root is not None:
            return self.text == other.text
        if self.value is not None or other.value is not None:
            return self.value == other.value
        if self.x is None or other.x is None or (self.x, self.r) == (other.x, other.r):
            return self.x == other.x and self.r == other.r
        up, down = self.r.numerator * other.r.denominator, other.r.numerator * self.r.denominator
        if bits(self.x) * up + bits(other.x) * down > MAX_BITS:
            raise Beyond("a power of e^ε is too long")
        return bool(self.x**up == other.x**down)

    def bounds(self, precision: int) -> Bounds:
        """Rational bounds of a finite E."""
        if self.infinite:
            raise Beyond("an infinite e^ε has no bounds")
        (low, high), scale = self.scaled(precision)
        return Fraction(low, scale), Fraction(high, scale)

    def scaled(self, precision: int) -> tuple[tuple[int, int], int]:
        """Two integers around scale·E, and the scale 2^precision."""
        if precision not in self.known:
            if self.root is not None:
                below, above = self.root(precision)
            else:
                guarded = precision + 32 + int(self.r).bit_length()
                low, high = (ONE, ONE) if self.x is None else ln(self.x, guarded)
                below, above = exp(self.r * low, guarded)[0], exp(self.r * high, guarded)[1]
            scale = 1 << precision
            self.known[precision] = (int(down(below, precision) * scale), int(up(above, precision) * scale)), scale
        return self.known[precision]
