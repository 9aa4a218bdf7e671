"""ε as an exact real number: `0`, `ln(p/q)`, `r*ln(p/q)`, a rational, `ln(root of … in [l, u])`, or `inf`.

In canonical form e^ε is either rational or irrational, and the form says which:

* `ln(x)` with x rational: e^ε = x.
* `m*ln(y)` with an integer m > 1 and y no perfect power, where y^m has more than 2^20 bits: e^ε = y^m is rational, and
  is never written out. Once it is known that a rational is another number, bounds of two logarithms tell them apart.
* `r*ln(y)` with r = m/k in lowest terms, k > 1, and y no perfect power: e^ε = y^(m/k) is irrational, since
  y^m is a k-th power only if y is one.
* a rational ε > 0: e^ε is transcendental (Lindemann 1882).
* `ln(root of … in [l, u])`: e^ε is an irrational algebraic number of which no power is rational (its minimal polynomial
  is no q*x^k - p); the smallest ε of a definition with a simulator can be one.

So e^ε and 1 are linearly independent over ℚ whenever e^ε is not rational, and every comparison of A with
B*e^ε (A, B rational, not both 0) is decided by finitely many refinements. `proofs/epsilon.md` has the proof.
Where e^ε = y^m is not written out, only an A/B of as many bits can be equal to it, and then both are at hand.

Equal ε are equal objects. The three forms have e^ε rational, algebraic and irrational, transcendental, so none
equals another. Where y1^(m1/k1) = y2^(m2/k2), the exponents of the primes in y1 and y2 are proportional; both lists
have no common factor and y1, y2 > 1, so y1 = y2, and then m1/k1 = m2/k2. Two ε that are different objects are
therefore told apart by finitely many refinements. (A root is told apart from the others by its minimal polynomial.)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, total_ordering
from typing import Any, Literal, Protocol

from verifier.errors import InexactError, InputError, LimitError, PkdpError
from verifier.numbers.algebraic import Algebraic, read_root
from verifier.numbers.powers import primitive_root
from verifier.numbers.rational import (
    DIGITS,
    MAX_DIGITS,
    MAX_DIGITS_READ,
    arb_of,
    ball_ends,
    decimal_between,
    decimal_of,
    exact_text,
    inexact,
    is_inexact,
    latex_of,
    likely_number,
    power_of_ten,
    rational,
    shorten,
)

MAX_POWER_BITS = 1 << 20
"""Largest e^ε, in bits, that is written out as a rational number; and the largest ε that is a multiple of a log."""

TOO_LARGE = f"e^ε has more than {MAX_POWER_BITS:,} bits"
MAX_FACTOR_BITS = 1 << 15
"""Longest rational factor of ε, in bits."""

MAX_PRECISION = 1 << 24
"""Bits at which a refinement gives up. The proof says that it is never reached by a decidable question of
sensible size; reaching it is answered `UNDECIDED`, never guessed."""

_TOKEN = re.compile(r"\s*(?:(ln|log|exp|inf)|([0-9][0-9.]*(?:[eE][+-]?[0-9]+)?)|(.))", re.DOTALL)


@total_ordering
@dataclass(frozen=True, eq=False)
class Epsilon:
    """An exact ε ≥ 0 in nats, in canonical form; make it with `epsilon(...)`.

    It is compared exactly with an ε, a number, or a text such as `"ln(2)"`; `inf` is the largest. As a key of a set or
    a dictionary it is found by an equal ε or number, not by its text.

    >>> str(epsilon("2*ln(3)/5")), str(epsilon("ln(1)")), str(epsilon("2*ln(3)")), str(epsilon("0.1"))
    ('2/5*ln(3)', '0', 'ln(9)', '1/10')
    >>> epsilon("1/2*ln(2)") < epsilon("7/20"), epsilon("2*ln(3)") == "ln(9)", epsilon("inf") > 10**9
    (True, True, True)
    """

    kind: Literal["log", "rational", "inf", "root"]
    _coefficient: Fraction = Fraction(0)
    _argument: Fraction = Fraction(1)
    root: Algebraic | None = None

    @property
    def coefficient(self) -> Fraction:
        """The rational ε itself, or the r of r·ln(x).

        Raises:
            ArithmeticError: for ∞ and for the logarithm of a root, which have none.

        """
        if self.kind in {"inf", "root"}:
            raise ArithmeticError(f"ε = {self.text(60)} is neither rational nor r·ln(x) of a rational x")
        return self._coefficient

    @property
    def argument(self) -> Fraction:
        """The x of r·ln(x); an ε of another form raises an ArithmeticError."""
        if self.kind != "log":
            raise ArithmeticError(f"ε = {self.text(60)} is not r·ln(x) of a rational x")
        return self._argument

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Epsilon {self.text(60)}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, bool):
            return NotImplemented
        try:
            epsilon_of_other = epsilon(other)
        except InexactError:
            raise
        except PkdpError:
            return NotImplemented
        if self._parts == epsilon_of_other._parts:
            return True
        pair = self, epsilon_of_other
        return any(x.is_log_of(y.exp) for x, y in (pair, pair[::-1]) if x.long_power and y.exp is not None)

    @property
    def _parts(self) -> tuple[object, ...]:
        return self.kind, self._coefficient, self._argument, self.root

    def __hash__(self) -> int:
        long = self._argument.numerator.bit_length() > MAX_POWER_BITS // 2
        if self.kind == "log" and (long or self.long_power):  # one number, written out where it was given so, and not
            return hash("log")
        return hash(self.coefficient if self.kind == "rational" else self._parts)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Epsilon | str):
            number = rational(other, "", "an ε to compare with")
            if number < 0:
                return False
            other = number
        epsilon_of_other = epsilon(other)
        return self != epsilon_of_other and _before(self, epsilon_of_other)

    def __float__(self) -> float:
        """The nearest double, for drawings only: it decides nothing."""
        if self.kind == "inf":
            return math.inf
        value = self.coefficient if self.kind == "rational" else Fraction(self.decimal(40))
        return value.numerator / value.denominator

    def sympy(self) -> Any:
        """The value as an exact number of sympy; `oo` for ∞.

        Raises:
            ArithmeticError: for the logarithm of a root of a polynomial.

        """
        from sympy import Rational, log, oo

        if self.kind == "inf":
            return oo
        factor = Rational(self.coefficient.numerator, self.coefficient.denominator)
        if self.kind == "rational":
            return factor
        return factor * log(Rational(self.argument.numerator, self.argument.denominator))

    def mpmath(self, digits: int = DIGITS) -> Any:
        """The value as a number of mpmath, correctly rounded to so many digits."""
        return mpf_of(self, digits)

    def text(self, max_digits: int = MAX_DIGITS) -> str:
        """The canonical text, such as `2/5*ln(3)`; a number of more than `max_digits` digits is cut and says so."""
        if self.kind == "inf":
            return "inf"
        if self.kind == "rational":
            return exact_text(self.coefficient, max_digits)
        if self.root is not None:
            return f"ln({self.root.text(max_digits)})"
        inside = f"ln({exact_text(self.argument, max_digits)})"
        return inside if self.coefficient == 1 else f"{exact_text(self.coefficient, max_digits)}*{inside}"

    @property
    def is_infinite(self) -> bool:
        """Whether ε = ∞: then only outputs that the other law cannot produce count."""
        return self.kind == "inf"

    @property
    def long_power(self) -> bool:
        """Whether e^ε is a rational of more than 2^20 bits: y^m, which is not written out."""
        return self.kind == "log" and self.coefficient != 1 and self.coefficient.denominator == 1

    def is_log_of(self, value: Fraction) -> bool:
        """Whether e^ε, a long power, is a rational number; only one that is as long can be."""
        if not self.long_power:
            return False
        pairs = list(zip(self.argument.as_integer_ratio(), value.as_integer_ratio(), strict=True))
        times = int(self.coefficient)
        alike = all((y.bit_length() - 1) * times < x.bit_length() <= y.bit_length() * times for y, x in pairs)
        return alike and all(x == y**times for y, x in pairs)

    def power(self) -> tuple[Fraction, int]:
        """The p and k with e^ε = p^(1/k), of r·ln(x).

        Raises:
            LimitError: where p has more than 2^20 bits.

        """
        bits = max(self.argument.numerator.bit_length(), self.argument.denominator.bit_length())
        if bits * self.coefficient.numerator > MAX_POWER_BITS:
            raise LimitError(f"a power of e^ε has more than {MAX_POWER_BITS:,} bits at ε = {self.text(60)}")
        return self.argument**self.coefficient.numerator, self.coefficient.denominator

    @property
    def exp(self) -> Fraction | None:
        """e^ε where it is rational and written out, else None (irrational, infinite, or a `long_power`)."""
        if self.kind == "log" and self.coefficient == 1:
            return self.argument
        return Fraction(1) if self.kind == "rational" and self.coefficient == 0 else None

    @property
    def rational_exp(self) -> Fraction | None:
        """e^ε where it is rational, else None.

        Raises:
            LimitError: where it is a rational of more than 2^20 bits.

        """
        return self.power()[0] if self.long_power else self.exp

    def bracket(self, precision: int) -> tuple[Fraction, Fraction]:
        """Rational bounds (low, high) of a finite ε, from an Arb ball at `precision` bits."""
        if self.kind == "rational":
            return self.coefficient, self.coefficient
        if self.root is not None:
            ends = self.root.bracket(precision)
            return ln_bracket(ends[0], precision)[0], ln_bracket(ends[1], precision)[1]
        low, high = ln_bracket(self.argument, precision)
        return low * self.coefficient, high * self.coefficient

    def exp_bracket(self, precision: int) -> tuple[Fraction, Fraction]:
        """Rational bounds (low, high) of e^ε for a finite ε, from an Arb ball at `precision` bits.

        Raises:
            LimitError: for an ε above 2^20, whose e^ε has too many bits.

        """
        from flint import ctx

        if self.exp is not None:
            return self.exp, self.exp
        if self.root is not None:
            return self.root.bracket(precision)
        if self._huge:
            raise LimitError(TOO_LARGE, tip='use "inf"')
        guard = max(0, self.coefficient.numerator.bit_length() - self.coefficient.denominator.bit_length() + 1)
        with ctx.workprec(precision + guard * (self.kind == "log")):
            r = arb_of(self.coefficient)
            if self.kind == "log":
                r *= arb_of(self.argument).log()
            return ball_ends(r.exp())

    @cached_property
    def _huge(self) -> bool:
        """Whether a rational, or r·ln(x) with x > 1 and r no 0, is above 2^20; it is not 2^20, so that bounds tell."""
        if self.kind == "log" and self.coefficient * self.argument.numerator.bit_length() < MAX_POWER_BITS:
            return False  # ln(x) is less than the bits of x
        precision = 64
        while True:
            low, high = self.bracket(precision)
            if low > MAX_POWER_BITS or high <= MAX_POWER_BITS:
                return low > MAX_POWER_BITS
            precision *= 2

    def decimal(self, digits: int = DIGITS) -> str:
        """ε in nats as a decimal, correctly rounded to `digits` significant digits.

        >>> epsilon("ln(5/2)").decimal(), epsilon("1/3").decimal(), epsilon("inf").decimal()
        ('0.916290731874', '0.333333333333', 'inf')
        """
        if self.kind == "inf":
            return "inf"
        if self.kind == "rational":
            return decimal_of(self.coefficient, digits)
        return decimal_between(self.bracket, digits)

    @cached_property
    def latex(self) -> str:
        """ε for a LaTeX formula."""
        if self.kind == "inf":
            return r"\infty"
        if self.kind == "rational":
            return latex_of(self.coefficient)
        if self.root is not None:
            return rf"\ln\left(\text{{{self.root.text(60)}}}\right)"
        inside = (
            rf"\ln {latex_of(self.argument)}"
            if self.argument.denominator == 1
            else (rf"\ln\left({latex_of(self.argument)}\right)")
        )
        return inside if self.coefficient == 1 else rf"{latex_of(self.coefficient)}\,{inside}"


ZERO = Epsilon("rational")
INFINITY = Epsilon("inf")


def log_epsilon(argument: Fraction, coefficient: Fraction = Fraction(1), where: str = "") -> Epsilon:
    """ε = r·ln(x) in nats, in canonical form, for rationals x and r.

    >>> str(log_epsilon(Fraction(9, 4), Fraction(1, 2))), str(log_epsilon(Fraction(9, 2), Fraction(1, 2)))
    ('ln(3/2)', '1/2*ln(9/2)')

    >>> log_epsilon(Fraction(100001, 100000), Fraction(100000)) < log_epsilon(Fraction(3))
    True

    Raises:
        InputError: for x ≤ 0, and where r·ln(x) is negative.

    """
    if argument <= 0:
        raise InputError(
            f"ln({exact_text(argument)}) is not defined", where=where, wanted="the ln of a positive number"
        )
    if argument < 1:
        argument, coefficient = 1 / argument, -coefficient
    if argument == 1 or coefficient == 0:
        return ZERO
    if coefficient < 0:
        raise InputError("ε is negative", where=where, wanted="ε ≥ 0", tip="use ln(q/p) for -ln(p/q)")
    if coefficient == 1:
        return Epsilon("log", coefficient, argument)
    base, exponent = primitive_root(argument)
    coefficient *= exponent
    if coefficient.denominator == 1:
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if bits * coefficient.numerator <= MAX_POWER_BITS:
            return Epsilon("log", Fraction(1), base**coefficient.numerator)
    return Epsilon("log", coefficient, base)


def root_epsilon(root: Fraction | Algebraic, where: str = "") -> Epsilon:
    """ε = ln(root) in nats, in canonical form, for a rational or algebraic root ≥ 1.

    >>> print(root_epsilon(read_root("root of 2*x^2 - 9 in [2, 3]")))
    1/2*ln(9/2)

    Raises:
        InputError: for a root below 1.

    """
    if isinstance(root, Fraction):
        return log_epsilon(root, Fraction(1), where)
    if root < 1:
        raise InputError("ε is negative", where=where, wanted="ε ≥ 0")
    ends, between = (root.polynomial[0], root.polynomial[-1]), root.polynomial[1:-1]
    if not any(between):  # q*x^k - p
        return log_epsilon(Fraction(-ends[0], ends[1]), Fraction(1, len(root.polynomial) - 1), where)
    return Epsilon("root", root=root)


def epsilon(raw: object, where: str = "") -> Epsilon:
    """Read ε: `"ln(p/q)"`, `"r*ln(p/q)"`, a rational, `"ln(root of … in [l, u])"`, or `"inf"`; floats are refused.

    >>> epsilon("ln(2.5)"), epsilon(0) == epsilon("ln(1)"), epsilon("ln(root of x^2 - x - 1 in [1, 2])")
    (<Epsilon ln(5/2)>, True, <Epsilon ln(root of x^2 - x - 1 in [8/5, 17/10])>)

    Raises:
        InexactError: for a floating-point number.
        InputError: for a negative ε, for `log`, and for anything that is none of these forms.
        LimitError: for a number that is too long to be exact.

    """
    if isinstance(raw, Epsilon):
        return raw
    if is_inexact(raw):
        raise inexact(raw, where, 'ε as "ln(p/q)", a Fraction, an int or a str', _logarithm(raw))
    if isinstance(raw, str):
        place: object = where
        return _read(raw.strip(), where if isinstance(place, str) else str(place))
    value = rational(raw, where, "ε")
    if value < 0:
        raise InputError(f"ε = {shorten(value)} is negative", where=where, wanted="ε ≥ 0")
    return Epsilon("rational", value)


@lru_cache(maxsize=256)
def _read(text: str, where: str) -> Epsilon:
    """The ε of a text; equal texts give one object, so that values cached with it are found again."""
    if text in {"inf", "∞", "oo"}:
        return INFINITY
    if text.startswith("ln(root of ") and text.endswith(")"):
        return root_epsilon(read_root(text[3:-1], where), where)
    value, argument = _product(power_of_ten(text) or text, where)
    if argument is not None:
        found = log_epsilon(argument, value, where)
        if found._huge:  # noqa: SLF001 - refused here, where its place is known
            raise LimitError(TOO_LARGE, where=where, tip='use "inf"')
        return found
    if value < 0:
        raise InputError(f"ε = {shorten(value)} is negative", where=where, wanted="ε ≥ 0")
    return Epsilon("rational", value)


def _logarithm(raw: object) -> str:
    """A tip where a float looks like the logarithm of a simple number; it decides nothing else."""
    if not isinstance(raw, float) or not 0 < raw < 100:
        return 'write "inf" in quotes' if raw == math.inf else ""
    near = Fraction(math.exp(raw)).limit_denominator(100)
    if near <= 0 or math.log(near) != raw:
        return ""
    return f'"ln({exact_text(near)})" is exact; the float is not'


def _before(x: Epsilon, y: Epsilon) -> bool:
    """Whether x < y, for two different ε."""
    if x.is_infinite or y.is_infinite:
        return y.is_infinite
    if x.exp is not None and y.exp is not None:
        return x.exp < y.exp
    precision = 64
    while precision <= MAX_PRECISION:
        (low, high), (below, above) = x.bracket(precision), y.bracket(precision)
        if high < below or above < low:
            return high < below
        precision *= 2
    raise LimitError(f"{x.text(40)} and {y.text(40)} agree on more than {MAX_PRECISION:,} bits")


def _product(text: str, where: str) -> tuple[Fraction, Fraction | None]:
    """Read `r`, `ln(x)`, `r*ln(x)`, `ln(x)/s`, … into (r, x)."""
    matches = [match for match in _TOKEN.finditer(text) if match.lastindex]
    tokens = [match[match.lastindex or 0] for match in matches]
    wanted = '"ln(p/q)", "r*ln(p/q)", a rational, or "inf"'

    def refuse(tip: str = "") -> InputError:
        meant = likely_number(text)
        tip = tip or (f"write {meant}" if meant else "for example ln(2), 2/5*ln(3), 1/10")
        return InputError(f"ε = {shorten(text)} cannot be read", where=where, wanted=wanted, tip=tip)

    def number_in(start: int, end: int, noun: str) -> Fraction:
        part = text[start:end]
        meant = likely_number(part)
        if meant and meant != part.strip():  # the hint is the whole text, with that number in it
            raise refuse(f"write {text[:start]}{meant}{text[end:]}")
        return rational(part, where, noun)

    if len(text) > MAX_DIGITS_READ:
        raise LimitError(f"ε is too long: {len(text):,} characters", where=where, wanted=f"at most {MAX_DIGITS_READ:,}")
    if "log" in tokens:
        raise refuse("log has several bases; the natural logarithm is written ln")
    if not tokens:
        raise refuse()
    coefficient, argument, position, operation = Fraction(1), None, 0, "*"
    if tokens[0] == "-":
        coefficient, position = Fraction(-1), 1
    while True:
        token = tokens[position] if position < len(tokens) else ""
        if token == "ln" and argument is None and operation == "*":  # noqa: S105
            try:
                close = tokens.index(")", position)
            except ValueError:
                digits = next((follower for follower in tokens[position + 1 :] if follower[:1].isdigit()), "")
                write = f"write ln({digits})" if "(" not in tokens and digits else ""
                raise refuse(write or "a parenthesis is missing") from None
            if tokens[position + 1] != "(":
                raise refuse("write ln(2) with parentheses")
            argument = number_in(matches[position + 1].end(), matches[close].start(), "the ln of a number")
            position = close + 1
        elif token[:1].isascii() and token[:1].isdigit():
            number = number_in(matches[position].end() - len(token), matches[position].end(), "ε")
            if operation == "/" and number == 0:
                raise refuse("the denominator is 0")
            coefficient = coefficient * number if operation == "*" else coefficient / number
            if max(coefficient.numerator.bit_length(), coefficient.denominator.bit_length()) > MAX_FACTOR_BITS:
                raise LimitError(f"ε = {shorten(text)} is too long", where=where, wanted="a shorter number")
            position += 1
        else:
            raise refuse()
        if position == len(tokens):
            return coefficient, argument
        operation, position = tokens[position], position + 1
        if operation not in {"*", "/"}:
            raise refuse()


class InDigits(Protocol):
    """A number that gives its decimal, correctly rounded."""

    def decimal(self, digits: int) -> str:
        """The decimal of so many significant digits."""
        ...


def mpf_of(number: InDigits, digits: int) -> Any:
    """A number of mpmath from the decimal of an exact one, in enough bits for so many digits; it decides nothing."""
    from mpmath import mp, mpf

    with mp.workdps(digits):
        return mpf(number.decimal(digits))


def ln_bracket(value: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    """Rational bounds (low, high) of ln(value) for a value > 0, from an Arb ball at `precision` bits."""
    from flint import ctx

    with ctx.workprec(precision):
        return ball_ends(arb_of(value).log())
