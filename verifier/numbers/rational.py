"""The gate for rational numbers: literal text in, `Fraction` out, nothing rounded on the way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from math import floor, gcd
from numbers import Integral, Rational, Real
from typing import cast

from verifier.errors import InexactError, InputError, LimitError, PkdpError
from verifier.numbers.likely import likely_number

MAX_DIGITS = 200
"""Most digits of an exact number; a longer number says how many digits it has."""
MAX_DIGITS_READ = 4300
"""Longest literal that is read; it is also Python's own default limit."""

MAX_DENOMINATOR_BITS = 1 << 17
"""Longest common denominator of a table of probabilities, in bits (about 39,000 digits)."""

_RATIO = re.compile(r"([+-]?[0-9]+)(?:/([0-9]+))?")
_DECIMAL = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?")


class Symbolic:
    """A number that is a function of parameters: it has no order, and its range is checked where it is made."""


class DecimalLiteral(str):
    """The literal text of a TOML float, kept so that `0.1` is one tenth and not the nearest double."""

    __slots__ = ()


def rational(raw: object, where: str = "", noun: str = "a number") -> Fraction:
    """Read an exact rational number.

    Accepted: `int`, `Fraction`, `Decimal`, `"p/q"`, `"p"`, and decimals read from their literal text.

    >>> rational("3/64"), rational("0.1"), rational(2), rational("25e-3")
    (Fraction(3, 64), Fraction(1, 10), Fraction(2, 1), Fraction(1, 40))
    >>> rational(0.1)
    Traceback (most recent call last):
    verifier.errors.InexactError: the float 0.1 is not an exact number. Expected a number as Fraction, int or str. \
Hint: write "0.1" in quotes, it is read exactly.

    Raises:
        InexactError: for a Python float.
        InputError: for anything else that is not a number.
        LimitError: for a literal of more than `MAX_DIGITS_READ` digits.

    """
    if isinstance(raw, bool):
        raise InputError(
            f"the boolean {shorten(raw)} is not a number", where=where, wanted=f'{noun} such as "1/3" or 0.25'
        )
    if isinstance(raw, int | Fraction):
        return Fraction(raw)
    if is_inexact(raw):
        raise inexact(raw, where, f"{noun} as Fraction, int or str")
    if isinstance(raw, Integral):  # an integer of another library
        return Fraction(int(raw))
    if isinstance(raw, Symbolic):
        return cast("Fraction", raw)
    if isinstance(raw, Decimal):
        raw = str(raw)
    if not isinstance(raw, str):
        raise InputError(f"{shorten(raw)} is not a number", where=where, wanted=f'{noun} such as "1/3" or 0.25')
    text = str(raw).strip()
    if isinstance(raw, DecimalLiteral):
        text = text.replace("_", "")
    if len(text) > MAX_DIGITS_READ:
        raise LimitError(
            f"the number is too long: {len(text):,} characters",
            where=where,
            wanted=f"at most {MAX_DIGITS_READ:,}",
            tip="shorten it; larger numbers can be built by the mechanism or the distribution",
        )
    ratio = _RATIO.fullmatch(text)
    if ratio:
        numerator, denominator = int(ratio[1]), int(ratio[2] or 1)
        if denominator == 0:
            raise InputError(f"{text} divides by 0", where=where, wanted=f"{noun} with a denominator that is not 0")
        return Fraction(numerator, denominator)
    decimal = _DECIMAL.fullmatch(text)
    if decimal:
        return _decimal(decimal, where)
    meant = likely_number(text)
    raise InputError(
        f"{shorten(text)} is not a number",
        where=where,
        wanted=f'{noun} such as "1/3", 0.25 or 1',
        tip=f"write {meant}" if meant else "a number is a fraction p/q of integers or a finite decimal",
    )


def is_inexact(raw: object) -> bool:
    """Whether an object is a floating-point number, of Python or of another library."""
    return isinstance(raw, Real) and not isinstance(raw, Rational)


def inexact(raw: object, where: str, wanted: str, tip: str = "") -> InexactError:
    """The error that refuses a floating-point number, with a tip how to write the number exactly."""
    text = float.__repr__(raw) if isinstance(raw, float) else str(raw)
    if text.strip("-") in {"inf", "nan"}:
        tip = tip or "write a finite number"
    tip = tip or f'write "{text}" in quotes, it is read exactly'
    return InexactError(f"the float {text} is not an exact number", where=where, wanted=wanted, tip=tip)


def number_or_none(raw: object) -> Fraction | None:
    """The exact number that a Python object stands for, for a comparison with `==`; None for any other object.

    Raises:
        InexactError: for a floating-point number, which is never called equal or different.

    """
    if isinstance(raw, bool):
        return None
    try:
        return rational(raw)
    except InexactError:
        raise
    except PkdpError:
        return None


def _decimal(match: re.Match[str], where: str) -> Fraction:
    sign, integer_part, part, exponent = match[1], match[2], match[3] or "", int(match[4] or 0)
    shift = exponent - len(part)
    if abs(shift) > MAX_DIGITS_READ:
        raise LimitError(
            f"the exponent {exponent:,} of the decimal is too large in size",
            where=where,
            wanted=f"at most {MAX_DIGITS_READ:,}",
        )
    value = Fraction(int(integer_part + part)) * Fraction(10) ** shift
    return -value if sign == "-" else value


def probability(raw: object, where: str = "", noun: str = "a probability") -> Fraction:
    """Read a rational in [0, 1]; a function of parameters is returned as it is.

    >>> probability("1/3")
    Fraction(1, 3)

    Raises:
        InexactError, InputError, LimitError: as `rational` does; InputError also for a number outside [0, 1].

    """
    value = rational(raw, where, noun)
    if isinstance(value, Symbolic):
        return value
    if value < 0:
        raise InputError(f"{shorten(value)} is negative", where=where, wanted=f"{noun} in [0, 1]")
    if value > 1:
        raise InputError(f"{shorten(value)} is more than 1", where=where, wanted=f"{noun} in [0, 1]")
    return value


def refuse_other_sum(total: Fraction, summands: str, where: str = "") -> None:
    """Refuse probabilities that do not sum to 1; `summands` names them in the message.

    Raises:
        InputError: with the sum.

    """
    if total == 1:
        return
    tip = ""
    if not isinstance(total, Symbolic):
        side = "more" if total > 1 else "less"
        tip = f"the sum is {side} than 1 by {exact_text(abs(total - 1), 40)}; nothing is ever normalised"
    raise InputError(f"{summands} sum to {shorten(total)}", where=where, wanted="the sum 1 exactly", tip=tip)


def common_denominator(denominators: Iterable[int], where: str = "", noun: str = "the probabilities") -> int:
    """The least common multiple of some denominators.

    >>> common_denominator([2, 3, 4])
    12

    Raises:
        LimitError: where it has more than `MAX_DENOMINATOR_BITS` bits, so that no exact sum would end.

    """
    shared = 1
    for denominator in denominators:
        shared *= denominator // gcd(shared, denominator)
        if shared.bit_length() > MAX_DENOMINATOR_BITS:
            raise LimitError(
                f"the common denominator of {noun} has more than {MAX_DENOMINATOR_BITS:,} bits",
                where=where,
                wanted="shorter or like denominators",
            )
    return shared


def shorten(value: object, length: int = 60) -> str:
    """Text of anything for a message, cut where it is long.

    >>> shorten("x" * 100, 12), shorten([True, {"a": "1/2"}])
    ('"xxxxxxxxxxx… (102 characters)', '[true, { a = "1/2" }]')
    """
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return exact_text(Fraction(value), length)
    try:
        return cut(_spelled(value), length)
    except (ValueError, RecursionError):
        return f"a {type(value).__name__} that is too large to show"


def cut(text: str, length: int = 60) -> str:
    """A text for a message, cut where it is long."""
    return text if len(text) <= length else f"{text[:length]}… ({len(text):,} characters)"


def _spelled(value: object) -> str:
    """A value as a model file spells it; what no file can hold as Python shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | Fraction):
        return exact_text(Fraction(value))
    if isinstance(value, DecimalLiteral):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, date | time):
        return f"the {type(value).__name__} {value}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_spelled(entry) for entry in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_spelled(entry)}" for key, entry in value.items()) + " }" if value else "{}"
    return repr(value)


def exact_text(value: Fraction, max_digits: int = MAX_DIGITS) -> str:
    """`p/q` in lowest terms, or `p`; cut, and saying so, where it has more than `max_digits` digits.

    >>> exact_text(Fraction(6, 128)), exact_text(Fraction(4)), exact_text(Fraction(1, 3**50), 20)
    ('3/64', '4', '1/7178979876… (25 digits)')
    """
    if isinstance(value, Symbolic):
        return str(value)
    numerator, denominator = integer_text(value.numerator), integer_text(value.denominator)
    text = numerator if denominator == "1" else f"{numerator}/{denominator}"
    digits = len(text) - ("/" in text) - ("-" in text)
    if digits <= max_digits:
        return text
    keep = max(1, max_digits // 2)

    def cut(part: str) -> str:
        return part if len(part) <= keep else part[:keep] + "…"

    short = cut(numerator) if denominator == "1" else f"{cut(numerator)}/{cut(denominator)}"
    return f"{short} ({digits:,} digits)"


def integer_text(value: int) -> str:
    """Decimal digits of an integer of any size (Python's `str` stops at 4,300 digits)."""
    if value.bit_length() < 10_000:
        return str(value)
    from flint import fmpz

    return str(fmpz(value))


def simplest(low: Fraction, high: Fraction | None = None, *, least: bool = False, most: bool = False) -> Fraction:
    """The rational with the smallest denominator (of these the smallest) above `low`, and below `high` if given.

    With `least`, `low` itself is among them; with `most`, `high` is.

    >>> [str(simplest(Fraction(3, 2), high)) for high in (None, Fraction(2), Fraction(8, 5))]
    ['2', '5/3', '11/7']
    >>> str(simplest(Fraction(3, 16), Fraction(1, 4), least=True)), str(simplest(Fraction(1), least=True))
    ('1/5', '1')
    >>> str(simplest(Fraction(314, 100), Fraction(315, 100), least=True, most=True))
    '22/7'
    """
    integer_part = floor(low)
    if least and low == integer_part:
        return low
    if high is None or integer_part + 1 < high or (most and integer_part + 1 == high):
        return Fraction(integer_part + 1)
    # low < x < high <= integer_part + 1: look at 1/(x - integer_part), whose bounds swap
    remainder = simplest(
        1 / (high - integer_part), None if low == integer_part else 1 / (low - integer_part), least=most, most=least
    )
    return integer_part + 1 / remainder


def latex_of(value: Fraction) -> str:
    r"""A rational for a LaTeX formula.

    >>> latex_of(Fraction(3, 64))
    '\\frac{3}{64}'
    """
    text = exact_text(value)
    if "/" not in text or "…" in text:
        return text if "…" not in text else rf"\text{{{text}}}"
    top, bottom = text.split("/")
    sign = "-" if top.startswith("-") else ""
    return rf"{sign}\frac{{{top.lstrip('-')}}}{{{bottom}}}"
