"""Numbers of a certificate: e^ε as a rational, as a root of a polynomial, or between two rationals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from verifier.errors import InputError, LimitError

BITS = 96
"""Bits of the bounds of e^ε: their distance is at most 2^-BITS times the lower bound, or times 1 if that is below 1."""
LARGEST = 1 << 10
"""Largest rational ε, exponent or degree whose e^ε is written out."""
BELOW = 1 - Fraction(1, 1 << 20)
"""The factor by which a number is smaller that is shown not to be enough."""


def number(text: object) -> Fraction:
    """Read a rational number from a text `p` or `p/q`, which may have the sign -.

    >>> number("-3/64")
    Fraction(-3, 64)
    """
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]+(/0*[1-9][0-9]*)?", text):
        raise InputError(f"{text!r} is not a number", where="the certificate", wanted="a number of the form p or p/q")
    return Fraction(text)


@dataclass(frozen=True)
class Factor:
    """The number e^ε, in one of four kinds.

    A `rational` one has its value as `low` and `high`; a `root` has a polynomial (constant term first) with exactly one
    root from `low` to `high`; of a transcendental one (`between`) the two bounds are known; `inf` has no value.
    """

    text: str
    kind: Literal["rational", "root", "between", "inf"]
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    polynomial: tuple[Fraction, ...] = ()


def factor(text: str) -> Factor:
    """Read ε and bound e^ε.

    >>> factor("ln(3/2)").low, factor("1/2*ln(2)").polynomial
    (Fraction(3, 2), (Fraction(-2, 1), Fraction(0, 1), Fraction(1, 1)))
    >>> e = factor("1")
    >>> e.kind, Fraction("2.718281828459045") < e.low < e.high < Fraction("2.718281828459046")
    ('between', True)
    """
    if text == "inf":
        return Factor(text, "inf")
    if text == "0":
        return Factor(text, "rational", Fraction(1), Fraction(1))
    if match := re.fullmatch(r"ln\(([0-9/]+)\)", text):
        value = number(match[1])
        return Factor(text, "rational", value, value)
    if match := re.fullmatch(r"([0-9/]+)\*ln\(([0-9/]+)\)", text):
        power, argument = number(match[1]), number(match[2])
        _refuse_large(max(power.numerator, power.denominator), text)
        value = argument**power.numerator
        polynomial = (-value, *[Fraction(0)] * (power.denominator - 1), Fraction(1))
        return Factor(text, "root", *_bisected(polynomial, Fraction(0), max(value, Fraction(1))), polynomial)
    if match := re.fullmatch(r"ln\(root of (.+) in \[([0-9/]+), ([0-9/]+)\]\)", text):
        polynomial = _polynomial(match[1])
        return Factor(text, "root", *_bisected(polynomial, number(match[2]), number(match[3])), polynomial)
    if re.fullmatch(r"[0-9/]+", text):
        return Factor(text, "between", *exponential(number(text)))
    raise InputError(
        f"ε = {text} cannot be read", where="the certificate", wanted="0, p/q, ln(p/q), r*ln(p/q), ln(root of …), inf"
    )


def _refuse_large(size: Fraction | int, text: str) -> None:
    if size > LARGEST:
        raise LimitError(f"ε = {text} is too large", wanted=f"numbers up to {LARGEST}, since e^ε is written out")


def _polynomial(text: str) -> tuple[Fraction, ...]:
    """The coefficients of `5*x^2 + 8*x - 22`, constant term first."""
    terms: dict[int, int] = {}
    unread = re.sub(r"([+-]?) ?(?:([0-9]+)(\*x)?|(x))(?:\^([0-9]+))? ?", lambda match: _term(match, terms), text)
    if unread or not terms or max(terms) == 0:
        raise InputError(
            f"{text} is not a polynomial", where="the certificate", wanted="a polynomial such as 5*x^2 + 8*x - 22"
        )
    return tuple(Fraction(terms.get(k, 0)) for k in range(max(terms) + 1))


def _term(match: re.Match[str], terms: dict[int, int]) -> str:
    sign, size, times, alone, power = match.groups()
    degree = int(power or "1") if times or alone else 0
    _refuse_large(degree, "ln(root of …)")
    terms[degree] = terms.get(degree, 0) + int(size or "1") * (-1 if sign == "-" else 1)
    return ""


def at(polynomial: Sequence[Fraction], x: Fraction) -> Fraction:
    """The value of a polynomial at x; its coefficients are listed with the constant term first."""
    value = Fraction(0)
    for c in reversed(polynomial):
        value = value * x + c
    return value


def _bisected(polynomial: Sequence[Fraction], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Narrow rational bounds of the only root from `low` to `high`."""
    if at(polynomial, low) * at(polynomial, high) > 0:
        raise InputError("a polynomial has the same sign at both ends", where="the certificate")
    positive = at(polynomial, high) > 0
    while (high - low) * (1 << BITS) > max(low, Fraction(1)):
        middle = (low + high) / 2
        above = at(polynomial, middle)
        if above == 0:
            return middle, middle
        if (above > 0) == positive:
            high = middle
        else:
            low = middle
    return low, high


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rational bounds of e^x for x ≥ 0, from the sum of xᵏ/k! and a bound on its tail.

    With y = x/2ᵐ ≤ 1/2, e^y lies between s = Σ yᵏ/k! for k ≤ N and s + 2·y^(N+1)/(N+1)!. Both bounds are squared m
    times, each time rounded away from e^x.

    Raises:
        LimitError: for x above `LARGEST`.

    """
    _refuse_large(x, str(x))
    y, doublings = x, 0
    while y > Fraction(1, 2):
        y, doublings = y / 2, doublings + 1
    bits = BITS + 2 * doublings + 8 + int(2 * x)
    term = total = Fraction(1)
    k = 0
    while term * (1 << bits) > 1:
        k += 1
        term = term * y / k
        total += term
    low, high = _down(total, bits), -_down(-(total + 2 * term), bits)
    for _ in range(doublings):
        low, high = _down(low * low, bits), -_down(-(high * high), bits)
    return low, high


def _down(value: Fraction, bits: int) -> Fraction:
    return Fraction((value.numerator << bits) // value.denominator, 1 << bits)


@dataclass(frozen=True)
class Amount:
    """A smallest δ of the form a - b·e^ε."""

    a: Fraction
    b: Fraction


def amount(text: str, epsilon: str) -> Amount | None:
    """Read a smallest δ such as `3/64` or `3/8 - 1/5*exp(ε)`, with the asked ε; None for an enclosure.

    >>> amount("3/8 - 1/5*exp(1/10)", "1/10")
    Amount(a=Fraction(3, 8), b=Fraction(1, 5))
    """
    if text.startswith("["):
        return None
    match = re.fullmatch(r"(-?[0-9/]+)(?: ([+-]) (?:([0-9/]+)\*)?exp\((.*)\))?", text)
    if not match or (match[4] is not None and match[4] != epsilon):
        raise InputError(
            f"δ = {text} cannot be read", where="the certificate", wanted=f"p/q, or p/q - r*exp({epsilon})"
        )
    b = Fraction(0) if match[2] is None else number(match[3] or "1") * (1 if match[2] == "-" else -1)
    return Amount(number(match[1]), b)
