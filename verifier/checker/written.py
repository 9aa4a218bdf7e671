"""Numbers as a certificate writes them: each has one text, and every other text is refused (proofs/FORMAT.md).

This is the gate of the independent re-check. `number` and `signed` read rationals, `epsilon` an ε, `delta` a smallest
δ, `ends` the decimals of an enclosure. So `3/6`, `+1`, `01`, `0.5`, `1*ln(2)` and `2*ln(3)` are no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import gcd, isqrt
from typing import Any, NamedTuple

from verifier.checker.logarithms import ln, rational_root
from verifier.checker.polynomials import bisected, chain, roots_in
from verifier.checker.rejected import Beyond, Rejected

ZERO, ONE = Fraction(0), Fraction(1)
MAX_BITS = 1 << 22
"""Most bits of an e^ε."""
MAX_IRRATIONAL_BITS = 1 << 14
"""Most bits of the x of an ε = r·ln(x) with an irrational e^ε."""
MAX_DEGREE = 64
"""Highest degree of a polynomial of which e^ε is a root."""
DIGITS = 12
"""Significant digits of the ends of an enclosure."""
_RATIONAL = re.compile(r"(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")
_LOGARITHM = re.compile(r"(?:([^*]*)\*)?ln\(([0-9/]*)\)")
_ROOT = re.compile(r"ln\(root of ([^()\[\]]*) in \[([^,]*), ([^,]*)\]\)")
_TERM = re.compile(r"(?:([1-9][0-9]*)(?:\*(?=x)|(?!x)))?(x(?:\^([1-9][0-9]{0,3}))?)?")
_DELTA = re.compile(r"([^ ]*) - (?:([^*]*)\*)?exp\((.*)\)")
_DECIMAL = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]*[1-9]))?(?:e(-[1-9][0-9]{0,4}))?")


EVENT = ("event", "probability_a", "probability_b")
"""The fields of evidence about an event."""


def need(fine: object, reason: str) -> None:
    """Reject for this reason, unless a condition is true."""
    if not fine:
        raise Rejected(reason)


def same(key: str, claimed: object, derived: object, who: str = "answer") -> None:
    """Reject a claimed value that is not the derived one."""
    if claimed != derived:
        raise Rejected(f"{key}: the {who} says {claimed!r}, the replay finds {derived!r}")


def agrees(table: Mapping[str, Any], who: str = "answer", /, **derived: object) -> None:
    """Reject a table of which a field is not what is derived."""
    for key, value in derived.items():
        same(key, table[key], value, who)


def lacks(evidence: Mapping[str, Any], *keys: str) -> None:
    """Reject evidence with a value in a field that does not apply."""
    for key in keys:
        need(evidence[key] is None, f"the evidence says {key} where there is none")


def protected(secrets: list[Any], size: int) -> list[int]:
    """The records that are protected; none where S is."""
    records = [secret for secret in secrets if type(secret) is int and 0 <= secret < size]
    distinct = records == secrets and len(set(records)) == len(records) > 0
    need(distinct or secrets == ["S"], "secrets must be distinct records, or S")
    return records


def shown(answer: Mapping[str, Any], subject: str, *, holds: bool) -> dict[str, Any]:
    """What an answer shows of all that is compared: the tightest where it holds, else the witness; never both."""
    key, other = ("tightest", "witness") if holds else ("witness", "tightest")
    need(
        answer[key] is not None and answer[other] is None,
        f"the answer must show one {subject}, the witness or the tightest",
    )
    return dict(answer[key])


class Written(NamedTuple):
    """An ε: `factor`, times ln(`argument`) where there is one; or ln of a root of a polynomial in an interval."""

    factor: Fraction
    argument: Fraction | None = None
    polynomial: tuple[int, ...] = ()
    """The coefficients, from the constant on."""
    interval: tuple[Fraction, Fraction] | None = None
    infinite: bool = False

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rational bounds of a finite ε; more bits bring them closer."""
        if self.interval is not None:
            low, high = bisected(self.polynomial, *self.interval)(bits)
            return ln(low, bits)[0], ln(high, bits)[1]
        if self.argument is None:
            return self.factor, self.factor
        low, high = ln(self.argument, bits)
        return self.factor * low, self.factor * high


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
    top, bottom = _integer(match[1]), _integer(match[2] or "1")
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


def _integer(digits: str) -> int:
    """Python reads at most 4300 digits at once."""
    return int(digits) if len(digits) <= 4000 else _integer(digits[:-4000]) * 10**4000 + int(digits[-4000:])


def _short(text: object) -> str:
    return repr(text[:60] if isinstance(text, str) else text)


def bits(value: Fraction) -> int:
    """The bits of the numerator and the denominator of a rational, together."""
    return value.numerator.bit_length() + value.denominator.bit_length()


# --- ε ------------------------------------------------------------------------------------------------------------


def epsilon(text: object) -> Written:
    """The ε ≥ 0 of a text: `inf`, a rational, `ln(p/q)`, `r*ln(x)` with an irrational e^ε, or ln of a root.

    In `r*ln(x)` r is no integer, and x no power of a rational: so e^ε is irrational, and no other r and x give it.
    """
    if not isinstance(text, str):
        raise Rejected(f"{_short(text)} is no ε")
    if text == "inf":
        return Written(Fraction(0), infinite=True)
    if match := _ROOT.fullmatch(text):
        return _root_of(match[1], number(match[2]), number(match[3]))
    match = _LOGARITHM.fullmatch(text)
    factor = number((match[1] if match[1] is not None else "1") if match else text)
    argument = number(match[2]) if match else None
    if argument is not None and (factor == 0 or argument <= 1):
        raise Rejected(f"ε = {text[:60]} is not above 0")
    if factor * bits(argument or Fraction(1)) > MAX_BITS or bits(factor) > MAX_BITS:
        raise Beyond(f"e^ε is too large at ε = {text[:60]}")
    if match and argument is not None and match[1] is not None:
        if bits(argument) > MAX_IRRATIONAL_BITS:
            raise Beyond(f"ε = {text[:60]} has a long logarithm")
        if factor.denominator == 1 or _is_power(argument):
            raise Rejected(f"ε = {text[:60]} is not in its canonical form: ln(p/q), or r*ln(x) with the smallest x")
    return Written(factor, argument)


@lru_cache(1 << 8)
def _is_power(value: Fraction) -> bool:
    """Whether a rational above 1 is the square, the cube, … of a rational."""
    return any(
        rational_root(value, k) is not None
        for k in range(2, value.numerator.bit_length() + 1)
        if all(k % divisor for divisor in range(2, isqrt(k) + 1))
    )


def logarithm_of(power: Fraction) -> str:
    """The text of the ε with a rational e^ε ≥ 1."""
    return "0" if power == 1 else f"ln({power})"


def _root_of(text: str, low: Fraction, high: Fraction) -> Written:
    """An irreducible polynomial with its one root in an interval."""
    terms = _terms(text)
    degree = max(power for _, power in terms)
    coefficients = [0] * (degree + 1)
    for coefficient, power in terms:
        coefficients[power] = coefficient
    written = [power for _, power in terms]
    if written != sorted(set(written), reverse=True) or coefficients[degree] < 0 or gcd(*coefficients) != 1:
        raise Rejected(f"{text[:60]} is no polynomial in its canonical form: powers that fall, no common factor")
    if len(terms) == 2 and coefficients[0] < 0:  # c*x^k - d
        raise Rejected(f"the root of {text[:60]} is written as ln(p/q) or r*ln(x)")
    from flint import fmpz_poly

    _, factors = fmpz_poly(coefficients).factor()
    if degree < 2 or len(factors) != 1 or factors[0][1] != 1:
        raise Rejected(f"{text[:60]} is no irreducible polynomial of degree 2 or more")
    sturm = chain(tuple(coefficients))  # irreducible: no rational is a root, and none is repeated
    if not low < high or high <= 1 or not roots_in(sturm, low, high) == roots_in(sturm, max(low, ONE), high) == 1:
        raise Rejected(f"{text[:60]} has no certain root in the interval: it must hold exactly one, above 1")
    return Written(Fraction(1), None, tuple(coefficients), (low, high))


def _terms(text: str) -> list[tuple[int, int]]:
    """The coefficient and the power of each term of `2*x^3 - x + 1`."""
    terms = []
    for position, term in enumerate(re.split(r" (?=[+-] )", text)):
        sign = -1 if term.startswith("-") else 1
        plain = term[2:] if position else term.removeprefix("-")
        written = _TERM.fullmatch(plain)
        if not plain or not written or (written[1] == "1" and written[2]) or written[3] == "1":
            raise Rejected(f"{text[:60]} is no polynomial in its canonical form")
        power = int(written[3] or "1") if written[2] else 0
        if power > MAX_DEGREE:
            raise Rejected(f"{text[:60]} is no polynomial of degree {MAX_DEGREE} or less")
        terms.append((sign * _integer(written[1] or "1"), power))
    return terms


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


def ends(text: str) -> tuple[Fraction, Fraction]:
    """The decimal ends of an enclosure `[l, u]`, at most two units of the 12th digit apart; of a number, it twice."""
    if not text.startswith("["):
        return number(text), number(text)
    bounds = text[1:-1].split(", ")
    if len(bounds) != 2 or not text.endswith("]"):
        raise Rejected(f"{text[:60]} is no enclosure [l, u]")
    low, high = map(decimal, bounds)
    exponent = 0
    while high and high * 10**-exponent < 1:
        exponent -= 1
    while high * Fraction(10) ** -exponent >= 10:
        exponent += 1
    if not 0 < low < high <= low + 2 * Fraction(10) ** (exponent + 1 - DIGITS):
        raise Rejected(f"{text[:60]} is no enclosure with ends that agree to {DIGITS} digits")
    return low, high


def wide_ends(text: str) -> tuple[Fraction, Fraction]:
    """The decimal ends of an enclosure `[l, u]`, however far they are apart; of `0`, 0 twice."""
    if text == "0":
        return Fraction(0), Fraction(0)
    bounds = text[1:-1].split(", ")
    if not text.startswith("[") or not text.endswith("]") or len(bounds) != 2:
        raise Rejected(f"{text[:60]} is no enclosure [l, u]")
    low, high = map(decimal, bounds)
    if not low < high:
        raise Rejected(f"{text[:60]} is no enclosure with ends in order")
    return low, high


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
    value = Fraction(_integer(match[1] + places), 10 ** len(places))
    if match[3] is not None:
        value, fine = value * Fraction(10) ** int(match[3]), 1 <= value < 10
    else:
        fine = True
    if not fine or (value and (value < Fraction(1, 10**5)) != (match[3] is not None)):
        raise Rejected(f"{text[:60]} is no decimal in its canonical form")
    return value
