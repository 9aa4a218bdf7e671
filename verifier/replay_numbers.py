"""The numbers of the independent re-check: exact reading, and the sign of a - b·e^ε."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

PRECISION_LIMIT = 1 << 24
Law: TypeAlias = dict[str, Any]


class Rejected(Exception):  # noqa: N818 - it names the outcome
    """The certificate does not prove its answer; the message says why."""


def number(text: object) -> Fraction:
    """`p` or `p/q` in ASCII digits; everything else is rejected, but for what is read already."""
    if isinstance(text, Fraction):
        return text
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]+(/0*[1-9][0-9]*)?", text):
        raise Rejected(f"{text!r} is no number of the form p or p/q")
    return Fraction(*(_integer(digits) for digits in text.split("/")))


def _integer(digits: str) -> int:
    """Python reads at most 4300 digits at once."""
    return int(digits) if len(digits) <= 4000 else _integer(digits[:-4000]) * 10**4000 + int(digits[-4000:])


class Measure(dict[str, Any]):
    """Weights that need not sum to 1 and are compared as they are."""


def whole(law: dict[str, Any]) -> Any:
    """What the weights of a law are over: their sum, but 1 for a measure."""
    return 1 if isinstance(law, Measure) else sum(law.values())


class Exponential:
    """E = e^ε: a Fraction where rational, else ever narrower bounds."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.value: Fraction | None = None
        self.r, self.x = Fraction(1), None
        self.known: dict[int, tuple[tuple[int, int], int]] = {}
        found = re.fullmatch(r"(?:([0-9/]+)\*)?ln\(([0-9/]+)\)", text)
        if found:
            self.r, self.x = number(found[1] or "1"), number(found[2])
            if self.r == 0 or self.x <= 1:
                raise Rejected(f"ε = {text} is not above 0")
            if self.r == 1:
                self.value = self.x
        elif text != "inf":
            self.r = number(text)
            self.value = Fraction(1) if self.r == 0 else None

    def sign(self, a: Any, b: Any) -> int:
        """The sign of a - b·E; where E is infinite, b is 0."""
        if self.text == "inf":
            return int(a > 0) - int(a < 0)
        if self.value is not None:
            x, y = a * self.value.denominator, b * self.value.numerator
            return int(x > y) - int(x < y)
        if a == 0 or b == 0 or (a < 0) != (b < 0):
            return int(a > 0) - int(a < 0) or int(b < 0) - int(b > 0)
        precision, flip = 128, 1 if a > 0 else -1
        while precision < PRECISION_LIMIT:
            (low, high), scale = self.bounds(precision)
            x, y = abs(a) * scale, abs(b)
            if x > y * high or x < y * low:
                return flip if x > y * high else -flip
            precision *= 2
        raise Rejected(f"the sign of {a} - {b}*exp({self.text}) was not found")

    def bounds(self, precision: int) -> tuple[tuple[int, int], int]:
        """Integers around scale·E, and the scale."""
        if precision not in self.known:
            from flint import arb, ctx, fmpq

            with ctx.workprec(precision + 64):
                exponent = arb(fmpq(self.r.numerator, self.r.denominator))
                if self.x is not None:
                    exponent *= arb(fmpq(self.x.numerator, self.x.denominator)).log()
                scaled = exponent.exp() * (1 << precision)
                low, high = (int(str(end.unique_fmpz())) for end in (scaled.lower().floor(), scaled.upper().ceil()))
            self.known[precision] = (low, high), 1 << precision
        return self.known[precision]


def posteriors(first: dict[str, Law], second: dict[str, Law], mass: Law) -> Iterator[tuple[str, Law, Law]]:
    """Each output that both mechanisms can produce, with the weights of the record's values after it.

    `first` and `second` are the output laws by value of the record, `mass` are the weights of the values.
    """
    for t in dict.fromkeys(output for law in first.values() for output in law):
        x, y = ({v: law[t] * mass[v] for v, law in laws.items() if law.get(t)} for laws in (first, second))
        if x and y:
            yield t, x, y
