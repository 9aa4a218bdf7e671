"""The numbers of the independent re-check: exact reading, and the sign of a - b·e^ε."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.replay.written import MAX_BITS, Rejected, bits, epsilon, number, signed

PRECISION_LIMIT = 1 << 24
PATIENCE = 1 << 12
"""Bits of precision after which powers are compared exactly."""
MAX_DEGREE = 10_000
Law: TypeAlias = dict[str, Any]
Pair: TypeAlias = tuple[Fraction, Any, Law, "Law | None", str]
"""Weight, knowledge (with t for posteriors), P, Q (None where it does not exist), direction; P and Q up to a factor."""
Compared: TypeAlias = tuple[str | None, Any, "str | None", "str | None", Any, list[Pair]]
"""θ, record, a, b, neighbours, pairs."""


Bounds: TypeAlias = Callable[[int], tuple[Fraction, Fraction]]


def polynomial_of(text: str) -> tuple[list[Fraction], Bounds]:
    """A polynomial with the root E = e^ε, and bounds of E, where ε is 0 or the logarithm of an algebraic number."""
    written = epsilon(text)
    if written.interval is not None:
        polynomial = [Fraction(c) for c in written.polynomial]
        return polynomial, _bisected(polynomial, *written.interval)
    power, argument = written.factor, written.argument
    if written.infinite or (argument is None and power):
        raise Rejected(f"ε = {text} is not the logarithm of an algebraic number")
    if argument is None or power == 1:
        value = argument or Fraction(1)
        return [-value, Fraction(1)], lambda _: (value, value)
    if power.denominator > MAX_DEGREE or power.numerator * bits(argument) > MAX_BITS:
        raise Rejected(f"ε = {text[:60]} has a long power")
    value = argument**power.numerator
    polynomial = [-value, *[Fraction(0)] * (power.denominator - 1), Fraction(1)]
    return polynomial, _bisected(polynomial, Fraction(1), value)


def _bisected(polynomial: list[Fraction], low: Fraction, high: Fraction) -> Bounds:
    """Bounds of a root in [low, high], where the polynomial changes its sign."""

    def at(x: Fraction) -> Fraction:
        total = Fraction(0)
        for c in reversed(polynomial):
            total = total * x + c
        return total

    known = [low, high]

    def bounds(precision: int) -> tuple[Fraction, Fraction]:
        while known[1] - known[0] > Fraction(1, 1 << precision):
            middle = (known[0] + known[1]) / 2
            known[0 if at(middle) * at(known[1]) <= 0 else 1] = middle
        return known[0], known[1]

    return bounds


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
        self.root: Bounds | None = None
        self.known: dict[int, tuple[tuple[int, int], int]] = {}
        written = epsilon(text)
        if written.interval is not None:
            self.root = polynomial_of(text)[1]
        elif not written.infinite:
            self.r, self.x = written.factor, written.argument
            if self.x is not None and self.r == 1:
                self.value = self.x
            elif self.x is None and self.r == 0:
                self.value = Fraction(1)

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
            if precision == PATIENCE and self.x is not None and self._short(a, b):
                # by integer powers: |a|^k against |b|^k·x^m, where E = x^(m/k)
                x, y = abs(a) ** self.r.denominator, abs(b) ** self.r.denominator * self.x**self.r.numerator
                return flip * (int(x > y) - int(x < y))
            (low, high), scale = self.bounds(precision)
            x, y = abs(a) * scale, abs(b)
            if x > y * high or x < y * low:
                return flip if x > y * high else -flip
            precision *= 2
        raise Rejected(f"the sign of {a} - {b}*exp({self.text}) was not found")

    def _short(self, a: Any, b: Any) -> bool:
        """Whether the powers of both are looked at."""
        return max(bits(Fraction(a)), bits(Fraction(b))) * self.r.denominator < MAX_BITS

    def bounds(self, precision: int) -> tuple[tuple[int, int], int]:
        """Integers around scale·E, and the scale."""
        if precision not in self.known and self.root is not None:
            scale = 1 << precision
            below, above = self.root(precision)
            ends = below.numerator * scale // below.denominator, -(-above.numerator * scale // above.denominator)
            self.known[precision] = ends, scale
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


def _line(pair: Pair, e: Exponential, *, closed: bool = False) -> tuple[Fraction, Fraction]:
    """(A, B) with the pair's δ at E equal to A - B·E: P and Q of the outputs with P > E·Q (or ≥)."""
    _, _, p, q, _ = pair
    if q is None:
        return Fraction(1), Fraction(0)
    total, other = whole(p), whole(q)
    if total != other:
        p, q = {o: x * other for o, x in p.items()}, {o: y * total for o, y in q.items()}
        total *= other
    a = b = 0
    for output in {**p, **q}:
        x, y = p.get(output, 0), q.get(output, 0)
        sign = int(x > 0 and y == 0) if e.text == "inf" else e.sign(x, y)
        if sign > 0 or (closed and sign == 0 and e.text != "inf"):
            a, b = a + x, b + y
    return Fraction(a, total), Fraction(b, total)


def line_of(compared: Compared, e: Exponential, *, tail: bool, closed: bool = False) -> tuple[Fraction, Fraction]:
    """(A, B) with δ = A - B·E, the tail form without B."""
    lines = [(pair[0], *_line(pair, e, closed=closed)) for pair in compared[5]]
    b = Fraction(0) if tail else sum((w * y for w, _, y in lines), Fraction(0))
    return sum((w * x for w, x, _ in lines), Fraction(0)), b


__all__ = [
    "Compared", "Exponential", "Law", "Measure", "Pair", "Rejected", "line_of", "number", "polynomial_of",
    "posteriors", "signed", "whole",
]  # fmt: skip
