"""Measures of DP22 that are a curve δ(ε): hockey stick, tail, and the hockey stick of what is left of a relaxed law.

At E = e^(c·ε) the curve of a group of rows is A - B·E, with A and B the chances of the outputs whose loss is above c·ε.
(DP22, Definitions 8 and 9, and section 3.1.)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from verifier.replay.logarithms import Bounds, exp, root
from verifier.replay.random_pairs import events_of
from verifier.replay.rejected import Beyond
from verifier.replay.setting import Row
from verifier.replay.written import MAX_BITS, Written, bits, epsilon

ZERO, ONE = Fraction(0), Fraction(1)
PRECISIONS = (64, 256, 1024, 4096)


class Power:
    """E = e^(c·ε) of an ε that is 0, rational, r·ln(x) or infinite."""

    def __init__(self, at: Written, scale: Fraction = ONE) -> None:
        if at.polynomial:
            raise Beyond("an ε that is the logarithm of an algebraic number is not compared here")
        self.factor, self.argument = at.factor * scale, at.argument if at.factor * scale else None
        self.infinite = at.infinite and scale > 0
        if at.infinite:
            self.factor = ZERO

    @cached_property
    def value(self) -> Fraction | None:
        """E as a rational: 1 for ε = 0, x^r for an integer r; else None, although 4^(1/2) is one too."""
        if self.infinite:
            return None
        if self.argument is None:
            return None if self.factor else ONE
        if self.factor.denominator > 1:
            return None
        return self.raised(self.argument)

    def raised(self, base: Fraction) -> Fraction:
        """base^m, for the exponent m/k of E = x^(m/k)."""
        if bits(base) * self.factor.numerator > MAX_BITS:
            raise Beyond("a power of e^ε is too long")
        return base**self.factor.numerator

    def bounds(self, precision: int) -> Bounds:
        """Rational bounds of a finite E."""
        if self.infinite:
            raise Beyond("an infinite e^ε has no bounds")
        if self.argument is None:
            return exp(self.factor, precision)
        return root(self.raised(self.argument), self.factor.denominator, precision)

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of a - b·E; where E is infinite, of -b, then of a."""
        if self.infinite:
            return (b < 0) - (b > 0) or (a > 0) - (a < 0)
        if self.value is not None:
            x, y = a, b * self.value
            return (x > y) - (x < y)
        if a == 0 or b == 0 or (a < 0) != (b < 0):
            return (a > 0) - (a < 0) or (b < 0) - (b > 0)
        flip = 1 if a > 0 else -1
        if self.argument is not None:  # |a|^k against |b|^k·x^m, where E = x^(m/k)
            k = self.factor.denominator
            if (bits(a) + bits(b)) * k > MAX_BITS:
                raise Beyond("the powers that are to be compared are too long")
            x, y = abs(a) ** k, abs(b) ** k * self.raised(self.argument)
            return flip * ((x > y) - (x < y))
        for precision in PRECISIONS:
            low, high = self.bounds(precision)
            if abs(a) > abs(b) * high or abs(a) < abs(b) * low:
                return flip if abs(a) > abs(b) * high else -flip
        raise Beyond("two numbers are too near each other")

    def same(self, other: Power) -> bool:
        """Whether this E and another are one number; e^v of a rational v ≠ 0 is no power of a rational."""
        if self.infinite or other.infinite:
            return self.infinite == other.infinite
        ours, theirs = self.factor, other.factor
        if self.argument is None and other.argument is None:
            return ours == theirs
        if (self.argument is None and ours) or (other.argument is None and theirs):
            return False
        x, y = self.argument or ONE, other.argument or ONE
        up, down = ours.numerator * theirs.denominator, theirs.numerator * ours.denominator
        if bits(x) * up + bits(y) * down > MAX_BITS:
            raise Beyond("a power of e^ε is too long")
        return bool(x**up == y**down)


class Line(NamedTuple):
    """The value A - B·E at one E: a probability less a multiple of another."""

    a: Fraction
    b: Fraction
    power: Power

    def over(self, bound: Fraction) -> int:
        """The sign of the line less a rational."""
        return self.power.sign(self.a - bound, self.b)

    def against(self, other: Line) -> int:
        """The sign of the line less another line, perhaps at another E."""
        if self.b == 0 or other.b == 0 or self.power.same(other.power):
            power = other.power if self.b == 0 else self.power
            return power.sign(self.a - other.a, self.b - other.b)
        for precision in PRECISIONS:
            low, high = self.power.bounds(precision)
            below, above = other.power.bounds(precision)
            least = self.a - other.a - self.b * high + other.b * below
            most = self.a - other.a - self.b * low + other.b * above
            if least > 0 or most < 0:
                return 1 if least > 0 else -1
        raise Beyond("two numbers are too near each other")


class Curve(NamedTuple):
    """How the curve δ(ε) of rows that count together is made.

    `tail` leaves B out of A - B·E; of one row's outputs, some of probability at most `left_out` under P may be dropped.
    """

    tail: bool = False
    left_out: Fraction | None = None

    def lines(self, rows: Sequence[Row], at: Written, *, closed: bool = False) -> list[Line]:
        """The mean of the rows at an ε: one line, or one for each set of outputs that may be left out.

        `closed` takes the outputs whose loss is c·ε as well: the line to the left of ε.
        """
        power = Power(at, rows[0].scale)
        if self.left_out is None:
            return [self._line(rows, power, frozenset(), closed=closed)]
        (row,) = rows
        sets = [frozenset(), *map(frozenset, events_of(list(row.p)))]
        mass = {outputs: sum((row.p[o] for o in outputs), ZERO) for outputs in sets}
        return [self._line(rows, power, outputs, closed=closed) for outputs in sets if mass[outputs] <= self.left_out]

    def _line(self, rows: Sequence[Row], power: Power, without: frozenset[str], *, closed: bool) -> Line:
        a = b = ZERO
        for row in rows:
            for o, x in row.p.items():
                y = row.q.get(o, ZERO)
                if o not in without and power.sign(x, y) >= (not closed):
                    a, b = a + row.weight * x, b + row.weight * (ZERO if self.tail else y)
        return Line(a, b, power)

    def least(self, rows: Sequence[Row], at: Written) -> Line:
        """The smallest δ of the rows at an ε: the least of their lines."""
        best, *others = self.lines(rows, at)
        for line in others:
            best = line if line.against(best) < 0 else best
        return best

    def exceeds(self, rows: Sequence[Row], at: Written, bound: Fraction) -> bool:
        """Whether the rows need more than the bound at an ε."""
        return all(line.over(bound) > 0 for line in self.lines(rows, at))

    def needs(self, rows: Sequence[Row], at: Written, bound: Fraction) -> bool:
        """Whether the rows need more than the bound at every smaller ε."""
        return rows[0].scale > 0 and all(
            line.over(bound) > 0 or (not self.tail and line.b > 0 and line.over(bound) == 0)
            for line in self.lines(rows, at, closed=True)
        )


def scaled(text: str, scale: Fraction, claimed: str) -> bool:
    """Whether the ε that is claimed is `scale` times the ε in `text`."""
    if text == "inf":
        return claimed == ("inf" if scale else "0")
    if claimed == "inf":
        return False
    return Power(epsilon(text), scale).same(Power(epsilon(claimed)))
