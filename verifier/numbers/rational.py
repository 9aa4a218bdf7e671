"""The gate for rational numbers: literal text in, `Fraction` out, nothing rounded on the way; and back to text.

A decimal beside an exact form is for reading only. It is correctly rounded, half to even, with 12 significant digits by
default, and made from the exact number, never the other way round. python-flint, which divides long numbers faster, is
imported only when it is needed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from decimal import Context, Decimal
from fractions import Fraction
from math import floor, gcd, lcm
from numbers import Integral, Rational, Real
from typing import Any, cast

from verifier.errors import InexactError, InputError, LimitError, PkdpError

LONGEST = 40
"""Largest number of characters of a text that gets a hint."""
_SIGNS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{FRACTION SLASH}": "/", "\N{DIVISION SLASH}": "/"})
_MEANT_DECIMAL = re.compile(r"([+-]?)([0-9]*)([.,]?)([0-9]*)(%?)")
_MEANT_RATIO = re.compile(r"[+-]?[0-9]+/[0-9]+")
_RAISED = re.compile("[\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT ZERO}¹²³\N{SUPERSCRIPT FOUR}-\N{SUPERSCRIPT NINE}]+")
_POWER_OF_TEN = re.compile(r"(?:([0-9]+(?:\.[0-9]+)?)\s*[*·×]\s*)?10\s*(?:\^|\*\*)\s*\(?([+-]?[0-9]{1,6})\)?")


def power_of_ten(text: str) -> str | None:
    """The decimal that a power of ten is, as it is read; None for any other text.

    >>> [power_of_ten(text) for text in ("10^-6", "2*10**-7", "5·10⁻⁶", "10^(-6)", "1e-6", "2^-6")]
    ['1e-6', '2e-7', '5e-6', '1e-6', None, None]
    """
    if len(text) > LONGEST:
        return None
    plain = _RAISED.sub(lambda found: f"^{unicodedata.normalize('NFKC', found[0])}", text.strip())
    found = _POWER_OF_TEN.fullmatch(plain.translate(_SIGNS))
    return f"{found[1] or 1}e{found[2]}" if found else None


def likely_number(text: str) -> str | None:
    """The number that a text most likely means, as it is to be written; None where there is none, or more than one.

    A comma is the point of a decimal, but for one before three digits: it may separate thousands.

    >>> [likely_number(text) for text in ("40%", "12,5 %", ".4", "0,4", "1,5", "-.5", "3.", "½", "1 / 3")]
    ['0.4', '0.125', '0.4', '0.4', '1.5', '-0.5', '3', '1/2', '1/3']
    >>> [likely_number(text) for text in ("1,500", "0,500", "1,000.5", "a third", "1/2%", ",", "1½", "0.1e", "4/1 0")]
    [None, '0.500', None, None, None, None, None, None, None]
    """
    if len(text) > LONGEST:
        return None
    if power := power_of_ten(text):
        return power
    plain = re.sub("\\s*([/%\N{FRACTION SLASH}\N{DIVISION SLASH}])\\s*", r"\1", text.strip())
    if len(plain) == 1 or not any(unicodedata.decomposition(sign).startswith("<fraction>") for sign in plain):
        plain = unicodedata.normalize("NFKC", plain)
    plain = plain.translate(_SIGNS)
    if _MEANT_RATIO.fullmatch(plain):
        return plain
    found = _MEANT_DECIMAL.fullmatch(plain)
    if found is None or not (found[2] or found[4]):
        return None
    sign, whole, mark, part, percent = found.groups()
    if mark == "," and (not part or (len(part) == 3 and whole.lstrip("0"))):
        return None
    number = f"{sign}{whole or '0'}{'.' if part else ''}{part}"
    if not percent:
        return number
    return format(Decimal(number).scaleb(-2, Context(prec=2 * LONGEST)).normalize(Context(prec=2 * LONGEST)), "f")


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


def refuse_other_sum(total: Fraction, summands: str, where: str) -> None:
    """Refuse probabilities that do not sum to 1; `summands` names them in the message.

    Raises:
        InputError: with the sum.

    """
    if total == 1:
        return
    tip = ""
    if not isinstance(total, Symbolic):
        side = "more" if total > 1 else "less"
        tip = f"the sum is {side} than 1 by {exact_text(abs(total - 1), 40)}; nothing is ever normalized"
    raise InputError(f"{summands} sum to {shorten(total)}", where=where, wanted="the sum 1 exactly", tip=tip)


def common_denominator(denominators: Iterable[int], where: str = "") -> int:
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
                f"the common denominator of the probabilities has more than {MAX_DENOMINATOR_BITS:,} bits",
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
    """A text for a message, cut where it is long, and seen where it is empty."""
    if not text:
        return '""'
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


def quotient(top: Any, bottom: Any) -> Any:
    """top/bottom of integers or functions: a fraction where both are integers.

    >>> from verifier.numbers import Function
    >>> p = Function.parameter("p")
    >>> print(quotient(2, 6), quotient(2, p), quotient(p, 6))
    1/3 (2)/(p) 1/6*p
    """
    return top / bottom if isinstance(top, Symbolic) or isinstance(bottom, Symbolic) else Fraction(top, bottom)


def inverses(numbers: Mapping[Any, Any]) -> dict[Any, Any]:
    """c/x for each number x of a table: c is the least common multiple where every x is an integer, else 1.

    >>> inverses({"a": 4, "b": 6})
    {'a': 3, 'b': 2}
    """
    try:
        shared = lcm(*numbers.values())
    except TypeError:
        return {key: quotient(1, x) for key, x in numbers.items()}
    return {key: shared // x for key, x in numbers.items()}


LONG = 4096
"""Bits from which python-flint divides faster than Python, its import aside."""


def fmpq_of(value: Fraction | int) -> Any:
    """A number as a rational of python-flint."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


def fraction_of(value: Any) -> Fraction:
    """A rational of python-flint as a fraction."""
    return Fraction(int(value.p), int(value.q))


def polynomial_of(coefficients: Sequence[Any]) -> Any:
    """The polynomial of python-flint over the rationals with these coefficients, the constant term first."""
    from flint import fmpq_poly

    return fmpq_poly([c if isinstance(c, int) else fmpq_of(c) for c in coefficients])


def coefficients(polynomial: Any) -> tuple[Fraction, ...]:
    """The coefficients of a polynomial in one unknown, the constant term first."""
    return tuple(map(fraction_of, polynomial.coeffs()))


def lowest(weights: Sequence[int]) -> tuple[int, ...]:
    """Integer weights divided by their common factor; fractions, and functions of parameters, are left as they are.

    >>> lowest((6, 0, 4)), lowest((3 * 10**2000, 10**2001))
    ((3, 0, 2), (3, 10))
    """
    try:
        short = max(weights).bit_length() < LONG
    except (TypeError, AttributeError):
        if any(isinstance(w, Fraction | Symbolic) for w in weights):
            return tuple(weights)
        raise
    if short:
        shared = gcd(*weights) or 1
        return tuple(w // shared for w in weights)
    from flint import fmpz

    long = [fmpz(w) for w in weights]
    common = fmpz(0)
    for w in long:
        common = common.gcd(w)
    return tuple(int(w // common) for w in long)


def arb_of(value: Fraction) -> Any:
    """An Arb ball around a rational, at the precision in force."""
    from flint import arb

    return arb(fmpq_of(value))


def ball_ends(ball: Any) -> tuple[Fraction, Fraction]:
    """The exact rational ends of a finite Arb ball.

    >>> from flint import arb
    >>> [str(end) for end in ball_ends(arb(3) / 4)]
    ['3/4', '3/4']
    """
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    return middle - radius, middle + radius


def _dyadic(exact_ball: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in exact_ball.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


DIGITS = 12
"""Significant digits of a decimal where no number of digits is asked for."""
Bracket = Callable[[int], tuple[Fraction, Fraction]]
"""A precision in bits in, rational lower and upper bounds out; the width goes to 0."""


def decimal_of(value: Fraction, digits: int = DIGITS) -> str:
    """Round a rational correctly (half to even) to `digits` significant digits.

    >>> decimal_of(Fraction(3, 64)), decimal_of(Fraction(2, 3)), decimal_of(Fraction(1, 10**6))
    ('0.046875', '0.666666666667', '1e-6')
    """
    if value == 0:
        return "0"
    mantissa, exponent = _round(abs(value), digits)
    return ("-" if value < 0 else "") + layout(mantissa, exponent, digits)


def decimal_between(bracket: Bracket, digits: int = DIGITS, precision: int = 64) -> str:
    """Round an irrational number correctly to `digits` significant digits, from brackets at growing precision.

    The loop ends because an irrational number is no tie: some bracket lies between two ties.
    """
    while True:
        low, high = bracket(precision)
        if low * high > 0:
            below, above = decimal_of(low, digits), decimal_of(high, digits)
            if below == above:
                return below
        precision *= 2


def _round(value: Fraction, digits: int) -> tuple[int, int]:
    """Mantissa of exactly `digits` digits and exponent with value ~ mantissa * 10**exponent."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = bits * 30103 // 100000 - digits
    while True:
        scaled = value / Fraction(10) ** exponent
        mantissa, remainder = divmod(scaled.numerator, scaled.denominator)
        if mantissa >= 10**digits:
            exponent += 1
        elif mantissa < 10 ** (digits - 1):
            exponent -= 1
        else:
            break
    twice = 2 * remainder
    if twice > scaled.denominator or (twice == scaled.denominator and mantissa % 2 == 1):
        mantissa += 1
    if mantissa == 10**digits:
        mantissa, exponent = mantissa // 10, exponent + 1
    return mantissa, exponent


def layout(mantissa: int, exponent: int, digits: int) -> str:
    """The text of mantissa·10^exponent, a mantissa of `digits` digits: plain from 10^-5 to 10^15, else as `2.5e-9`."""
    figures = str(mantissa).rstrip("0")
    leading = exponent + digits - 1
    if -5 <= leading < 15:
        if leading < 0:
            return "0." + "0" * (-leading - 1) + figures
        digits_before = figures[: leading + 1].ljust(leading + 1, "0")
        part = figures[leading + 1 :]
        return f"{digits_before}.{part}" if part else digits_before
    return f"{figures[0]}.{figures[1:]}e{leading}" if len(figures) > 1 else f"{figures}e{leading}"
