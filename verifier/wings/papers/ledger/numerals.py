"""The numbers that a text states, as exact values: `1/2`, `0.5` and `50 %` are one number, and so are ln 4 and 2·ln 2.

What is a number of the text and what is a name is one rule, written in proofs/README.md: digits that refer (Theorem 3,
section 2.4, D(0), β₂, DMKB20) are names; and 0 and 1 by themselves are constants of every formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache, cached_property
from typing import TypeAlias

Logarithm: TypeAlias = tuple[tuple[int, Fraction], ...]
"""The number q·ln(r), q and r > 0 rational, as the exponent of each prime in r^q: equal numbers have one form."""
DIGITS = 60
"""The number of digits to which a stated decimal is compared with a logarithm."""
LARGEST_POWER = 4000
"""The largest exponent; a power with a larger one, and a longer text, is compared as text."""
PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
UP = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"

KINDS = (
    r"(?:sub)?section|§|definition|theorem|proposition|lemma|corollary|example|figure|table|algorithm|equation"
    r"|condition|appendix|page|footnote|question|item|assumption|remark|steps?|lines?|column|row|records?|index|indices"
    r"|vote|notebook|reference|case|part|round|displays?|property|properties"
)
MORE = r"(?:,|,? and|,? or|,? to|–|-) ?(?:its |of )?"
LIST = r"\(?[A-Z]?\.?\d+(?:\.\d+)*\)?(?:\([a-z0-9]\))?"
NAMES = re.compile(
    rf"(?<![A-Za-z])(?:{KINDS})(?:s|es)?['’]?s? {LIST}(?:{MORE}{LIST}(?![\w/%]| ?[·^]))*"
    r"|(?<!\w)(?:models/|proofs/)?[\w.-]+(?:/[\w.+-]+)+(?<![\d.])"  # files: folder/name
    r"|(?<!\w)[\w-]+\.(?:toml|py|md|json)"
    r"|(?<![\d/])\b[A-Z]+\d\d(?:/[\w.+-]+)?"  # texts, and models in their folders
    r"|(?<![\w.])[a-z]{4,}(?:-[a-z]+)*-\d+(?:\.\d+)?(?:-\w+)*"  # a model by its last name
    r"|(?<!\w)A\.\d(?:\.\d)*"  # parts of an appendix
    r"|\b0/0\b|\bln ?\(?0\b\)?"  # what has no value
    r"|\[\d+(?:, ?\d+)*\](?=[^\w]|$)(?<!\d\])"  # citations are no lists of values
    r"|(?<![\w])[A-ZÀ-ÿ]̂?[₀-₉]*\(\d+\)"  # D(0): a record
    r"|(?<=[A-Za-zα-ωΑ-Ωφθϑ])[₀-₉]+"  # β₂
    r"|(?<![\w^])[A-Za-zα-ωΑ-Ω]+\d+(?![\d.]*\d*/)(?!\w)",  # x1
    re.IGNORECASE,
)
INTEGER = r"\d{1,3}(?:,\d{3})+(?![\d,]*\d)|\d+"
DECIMAL = rf"(?:{INTEGER})(?:\.\d+)?(?:…|\.\.\.)?"
RATIONAL = r"\d+(?:\.\d+)?(?:/\d+)?"
TERM = re.compile(
    rf"(?P<ln>(?:(?P<times>{RATIONAL})[ ·*]?)?\bln ?(?:\((?P<of>{RATIONAL})\)(?:/(?P<by>\d+))?|(?P<bare>{RATIONAL})))"
    rf"|(?P<scaled>(?P<mantissa>\d+(?:\.\d+)?)(?:…)?(?:·10(?:\^\(?(?P<ten>-?\d+)\)?|(?P<upten>[{UP}]+))|e(?P<e>[+-]?\d+)))"
    rf"|(?P<power>(?P<base>{INTEGER})(?:\^\(?(?P<exponent>-?\d+)\)?(?![\w/])|(?P<up>[{UP}]+)))"
    rf"|(?P<fraction>(?P<numerator>{INTEGER})/(?P<denominator>{INTEGER})(?!\.?\d))"
    rf"|(?P<percent>{DECIMAL}) ?%"
    rf"|(?P<zeros>0\d+)(?!\.?\d)"
    rf"|(?P<decimal>{DECIMAL})"
)
WORDS = {
    "half": Fraction(1, 2), "halves": Fraction(1, 2), "quarter": Fraction(1, 4), "two": Fraction(2),
    "twice": Fraction(2), "double": Fraction(2), "three": Fraction(3), "four": Fraction(4), "five": Fraction(5),
    "six": Fraction(6),
    "seven": Fraction(7), "eight": Fraction(8), "nine": Fraction(9), "ten": Fraction(10), "eleven": Fraction(11),
    "twelve": Fraction(12), "hundred": Fraction(100), "thousand": Fraction(1000), "million": Fraction(10**6),
}  # fmt: skip
WORD = re.compile(rf"(?<!\bthe )(?<!\bthese )(?<!\bother )(?<!\bfirst )\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)
"""A number in words; but for `the two`, which refers back to what was counted before."""
STATED = re.compile(r"= ?$")
"""The text before a 0 or a 1 that is the value of something: an equals sign."""
LOOKED_BACK = 3
"""The most characters that `STATED` matches: the sign, a space, and the end of the line that `$` allows."""
WHOLE = re.compile(r"(?! ?[-+·^*/−]|\()")
"""The place after such a 0 or 1, where no sign of a formula follows."""


@dataclass(frozen=True)
class Numeral:
    """A number as a text states it, with its exact value; a decimal also stands for each number that rounds to it.

    `cut` says that it may have been cut off instead of rounded, and `start` is its position in the text.
    """

    text: str
    value: Fraction | Logarithm | str
    places: int | None = None
    """Places after the point of a decimal that may be rounded; None for every other number."""
    cut: bool = False
    start: int = 0
    is_constant: bool = False
    """Whether it is a 0 or a 1 that no quantity equals: a constant of a formula, which needs no source."""

    @property
    def end(self) -> int:
        """The position after the number in its text."""
        return self.start + len(self.text)

    @cached_property
    def as_decimal(self) -> Decimal | None:
        """The value to `DIGITS` digits; None where the number is kept as a text."""
        if isinstance(self.value, Fraction):
            return Context(prec=DIGITS).divide(Decimal(self.value.numerator), Decimal(self.value.denominator))
        return _decimal(self.value) if isinstance(self.value, tuple) else None

    def is_met_by(self, recorded: Numeral) -> bool:
        """Whether the recorded number equals this number, or rounds to this decimal."""
        if self.value == recorded.value:
            return True
        if isinstance(self.value, tuple) and isinstance(recorded.value, Fraction):
            return recorded.value > 1 and self.value == _logarithm(recorded.value, Fraction(1))
        if self.places is None or not isinstance(self.value, Fraction) or recorded.as_decimal is None:
            return False
        scale = Decimal(1).scaleb(-self.places)
        wide = Context(prec=10 * DIGITS)
        stated = wide.divide(Decimal(self.value.numerator), Decimal(self.value.denominator))
        ways = (ROUND_DOWN, ROUND_HALF_EVEN) if self.cut else (ROUND_HALF_EVEN,)
        if abs(recorded.as_decimal) > 2 * abs(stated):
            return False
        return any(recorded.as_decimal.quantize(scale, rounding=way, context=wide) == stated for way in ways)


def numerals(text: str) -> Iterator[Numeral]:
    """The numbers that a text states, in digits and in words; those in names of statements, records and files are none.

    >>> [number.text for number in numerals("Theorem 3 at n = 1,000 and D(0): δ₁ = 1/8, 50 %, from ln(3/2) on")]
    ['1,000', '1/8', '50 %', 'ln(3/2)']
    >>> half, percent, four, two = numerals("0.5 and 50 %, ln 4 and 2·ln 2")
    >>> half.value == percent.value, four.value == two.value
    (True, True)

    """
    without = NAMES.sub(lambda name: "\x00" * len(name[0]), text)
    for term in TERM.finditer(without):
        number = _numeral(term)
        if number.value in (0, 1) and not (
            STATED.search(without, max(0, term.start() - LOOKED_BACK), term.start())
            and WHOLE.match(without, term.end())
        ):
            number = replace(number, is_constant=True)
        yield number
    for word in WORD.finditer(without):
        yield Numeral(word[0], WORDS[word[0].lower()], start=word.start())


def _numeral(term: re.Match[str]) -> Numeral:
    text, start = term[0], term.start()
    if len(text) > LARGEST_POWER:
        return Numeral(text, text, start=start)
    if term["ln"]:
        times = Fraction(term["times"] or "1") / int(term["by"] or 1)
        return Numeral(text, _logarithm(Fraction(term["of"] or term["bare"]), times), start=start)
    if term["scaled"]:
        ten = int((term["ten"] or term["e"] or term["upten"]).translate(PLAIN))
        if abs(ten) > LARGEST_POWER:
            return Numeral(text, text, start=start)
        mantissa = term["mantissa"]
        places = max(0, len(mantissa.partition(".")[2]) - ten)
        return Numeral(text, Fraction(mantissa) * Fraction(10) ** ten, places, cut=True, start=start)
    if term["power"]:
        base, exponent = int(_bare(term["base"])), int((term["exponent"] or term["up"]).translate(PLAIN))
        if abs(exponent) > LARGEST_POWER or not base:
            return Numeral(text, text, start=start)
        return Numeral(text, Fraction(base) ** exponent, start=start)
    if term["fraction"]:
        below = int(_bare(term["denominator"]))
        value = Fraction(int(_bare(term["numerator"])), below) if below else text
        return Numeral(text, value, start=start)
    if term["zeros"]:
        return Numeral(text, text, start=start)
    number = term["percent"] or term["decimal"]
    bare = _bare(number)
    digits = bare.partition(".")[2]
    places = len(digits) + (2 if term["percent"] else 0)
    value = Fraction(bare) / (100 if term["percent"] else 1)
    rounded = bool(digits or term["percent"])
    return Numeral(text, value, places if rounded else None, cut=number.endswith(("…", "...")), start=start)


def _bare(number: str) -> str:
    return number.replace(",", "").replace("…", "").rstrip(".")


def _logarithm(of: Fraction, times: Fraction) -> Logarithm | str:
    """ln(of)·times as exponents of primes; its text where `of` is not positive."""
    if of <= 0:
        return f"{times}·ln({of})"
    exponents: dict[int, Fraction] = {}
    for number, sign in ((of.numerator, 1), (of.denominator, -1)):
        for prime, power in _factors(number):
            exponents[prime] = exponents.get(prime, Fraction(0)) + sign * power * times
    return tuple(sorted((prime, power) for prime, power in exponents.items() if power))


@cache
def _factors(number: int) -> tuple[tuple[int, int], ...]:
    """The prime factors of a number with their powers; a factor above a million stays as it is."""
    powers = []
    prime = 2
    while prime * prime <= number and prime <= 10**6:
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        if power:
            powers.append((prime, power))
        prime += 1
    return (*powers, (number, 1)) if number > 1 else tuple(powers)


@cache
def _decimal(value: Logarithm) -> Decimal:
    wide = Context(prec=DIGITS)
    total = Decimal(0)
    for prime, power in value:
        part = wide.multiply(wide.ln(Decimal(prime)), Decimal(power.numerator))
        total = wide.add(total, wide.divide(part, Decimal(power.denominator)))
    return total
