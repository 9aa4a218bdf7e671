"""Numbers as they are written: ε, polynomials, and the numbers of an answer, which are compared with what is found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .numbers import (
    FIRST_BITS,
    INFINITY,
    MOST_BITS,
    MOST_DIGITS,
    RATIONAL,
    ZERO,
    Bounds,
    Line,
    Log,
    Number,
    Rejected,
    Wrong,
    afford,
    ln,
    rational,
    require,
)
from .polynomials import NEAR, End, LogOfRoot, factors, in_integers, roots, sign_at

MOST_DEGREE = 128
"""The largest degree of a polynomial that is read."""
ROOT = "ln(root of "
"""How the logarithm of a root begins."""


TERM = r"(?:([0-9]+(?:/[0-9]+)?)\*?)?(?:([xE])(?:\^([0-9]+))?)?"


def polynomial(text: object) -> tuple[Fraction, ...]:
    """The coefficients of `-1/2 + 3*E^2`, or `2*x^2 - 3`, the constant first."""
    signed = f" + {text}" if not str(text).startswith("-") else f" - {str(text)[1:]}"
    out: dict[int, Fraction] = defaultdict(Fraction)
    end = 0
    for match in re.finditer(rf" ([+-]) {TERM}", signed):
        side, c, x, power = match.groups()
        degree = int(power or 1) if x else 0
        if match.start() != end or not (c or x) or degree > MOST_DEGREE:
            break
        out[degree] += rational(c or 1) * (1 if side == "+" else -1)
        end = match.end()
    if end != len(signed):
        raise Wrong(f"{str(text)[:60]!r} is no polynomial", expected="a text such as 2*x^2 - 3")
    return tuple(out[k] for k in range(max(out) + 1))


@lru_cache(1 << 10)
def log_of_root(text: str, place: str) -> Number:
    """`ln(root of x^2 - x - 1 in [1, 2])`: the interval has one root, by Sturm's chain, and the root is at least 1."""
    wanted = "ln(root of x^2 - x - 1 in [1, 2])"
    match = re.fullmatch(r"ln\(root of ([^()\[\]]+) in \[([^,\s]+), ([^,\s]+)\]\)", text)
    if match is None:
        raise Wrong(f"{place}: {text[:60]!r} is no ε", expected=wanted)
    written, low, high = in_integers(polynomial(match[1])), rational(match[2]), rational(match[3])
    afford(len(written) ** 3 * max(len(text), 1), "the roots of a polynomial")
    every = factors(written)[0] if len(written) > 1 and 0 < low < high else ()
    if not every or not sign_at(every, low) or roots(every, low, high) != 1:
        raise Wrong(f"{place}: {text[:60]!r} does not name one root above 0", expected="an interval with one root")
    end = End(low, high, every) if sign_at(every, high) else End(high, high)
    if end.sign_of((-1, 1)) < 0:
        raise Wrong(f"{place}: {text[:60]} is below 0")
    for _ in range(NEAR):
        end = end.narrowed()
    return ln(end.low) if end.low == end.high else LogOfRoot(end)


def epsilon_of(text: object, place: str = "epsilon") -> Number:
    """ε as it is asked: inf, a rational, r*ln(p/q), r*ln(p/q)/s; -r*ln(p/q) of p/q ≤ 1; ln(root of … in [l, u])."""
    if str(text).startswith(ROOT):
        return log_of_root(str(text), place)
    compact = str(text).replace(" ", "")
    if compact == "inf":
        return INFINITY
    if match := re.fullmatch(rf"(-)?(?:({RATIONAL})\*)?ln\(({RATIONAL})\)(?:/([0-9]+))?", compact):
        if any(part and len(part) > MOST_DIGITS for part in match.groups()):
            raise Wrong(f"{place}: a number has too many digits")
        times, x, over = rational(match[2] or 1), rational(match[3]), int(match[4] or 1)
        if not x or not over or (times and x != 1 and (x < 1) != bool(match[1])):
            raise Wrong(f"{place}: {compact[:60]} is no ε ≥ 0")
        return ln(max(x, 1 / x), times / over)
    value = rational(text, place)
    if value < 0:
        raise Wrong(f"{place}: {value} is below 0")
    return Log(value)


class Claimed:
    """A number of an answer: q + Σ c·ln x + e·exp(ε), an ε, an enclosure, or ∞; not `readable` in another form."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.log, self.times, self.power = ZERO, Fraction(0), ""
        self.ends: Bounds | None = None
        self.infinite = text == "inf"
        self.readable = self.infinite or self._read(text)

    def _read(self, text: str) -> bool:
        if match := re.fullmatch(r"\[(\S+), (\S+)\]", text):
            self.ends = rational(match[1]), rational(match[2])
            return True
        at = 0
        # One term after another: an optional sign, an optional factor, then ln(…), exp(…) or nothing.
        term = re.compile(
            rf"\s*([+-]?)\s*(?:({RATIONAL})(?:\*(?=ln|exp)|(?!\*)))?(?:ln\(({RATIONAL})\)|exp\(([^()]*(?:\([^()]*\))?)\))?"
        )
        while at < len(text):
            match = term.match(text, at)
            if match is None or match.end() == at or not (match[2] or match[3] or match[4]) or (at and not match[1]):
                return False
            c = rational(match[2] or 1) * (-1 if match[1] == "-" else 1)
            if match[3]:
                self.log = self.log + ln(rational(match[3]), c)
            elif match[4]:
                if self.power and self.power != match[4]:
                    return False
                self.times, self.power = self.times + c, match[4]
            else:
                self.log = self.log + Log(c)
            at = match.end()
        return True


def decimal_fits(text: str, bounds: Callable[[int], Bounds]) -> bool:
    """Whether a decimal is within half a unit of its last digit of a number; exactly half a unit away is accepted."""
    if match := re.fullmatch(r"\[(\S+), (\S+)\]", text):
        low, high = rational(match[1]), rational(match[2])
    else:
        match = re.fullmatch(r"-?[0-9]+(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,9}))?", text)
        if match is None:
            return False
        unit = Fraction(10) ** (int(match[2] or 0) - len(match[1] or "")) / 2
        low, high = rational(text) - unit, rational(text) + unit
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        least, most = bounds(bits)
        if low <= least and most <= high:
            return True
        if most < low or least > high:
            return False
        bits *= 2
    return True


def fits(text: str, decimal: Any, number: Number) -> bool:
    """Whether a text is the exact form of a number, or encloses it; a form that is cut rests on its decimal."""
    claim = Claimed(text)
    if claim.infinite or number.infinite:
        return claim.infinite == number.infinite
    if not claim.readable and "…" in text:
        return decimal is not None
    if text.startswith(ROOT):
        return number == epsilon_of(text)
    if not claim.readable:
        return False
    if claim.ends:
        return decimal_fits(text, number.bounds)
    if claim.power:
        line = getattr(number, "line", None)
        if not isinstance(line, Line) or claim.log.logs:
            return False
        return (line.a, -line.b) == (claim.log.rational, claim.times) and epsilon_of(claim.power) == line.power.epsilon
    return number == claim.log


def require_number(answer: Mapping[str, Any], name: str, number: Number | None, strict: bool = True) -> str | None:
    """Refuse a claimed number that is another one, None where there is none; not `strict`, return the name there."""
    text, decimal = answer.get(name), answer.get(f"{name}_decimal")
    if number is None:
        given = decimal if text is None else text
        require(given is None or not strict, f"the answer has a {name} of {str(given)[:60]}, and there is none")
        return None if given is None else name
    if not isinstance(text, str) or not fits(text, decimal, number):
        raise Rejected(f"{name} is {str(number)[:200]}, and the answer says {str(text)[:200]}")
    near = decimal == "inf" if number.infinite else decimal is None or decimal_fits(str(decimal), number.bounds)
    if not near and decimal is not None:
        raise Rejected(f"{name}_decimal is not {number}: the answer says {str(decimal)[:60]}")
    return None
