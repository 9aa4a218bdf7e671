"""Measures of DP22 that are a curve δ(ε): hockey stick, tail, and the hockey stick of what is left of a relaxed law.

At E = e^(c·ε) the curve of a group of rows is A - B·E, with A and B the chances of the outputs whose loss is above c·ε.
(DP22, Definitions 8 and 9, and section 3.1.)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from verifier.checker.logarithms import Bounds, order
from verifier.checker.numbers import Exponential, Weighted, above, average
from verifier.checker.random_pairs import events_of
from verifier.checker.rejected import Beyond
from verifier.checker.setting import Row
from verifier.checker.written import ONE, ZERO, epsilon


@lru_cache(1 << 10)
def power(text: str, scale: Fraction = ONE) -> Exponential:
    """E = e^(c·ε) of an ε that is 0, rational, r·ln(x) or infinite."""
    if epsilon(text).polynomial:
        raise Beyond("an ε that is the logarithm of an algebraic number is not compared here")
    return Exponential(text, scale)


class Line(NamedTuple):
    """The value A - B·E at one E: a probability less a multiple of another."""

    a: Fraction
    b: Fraction
    power: Exponential

    def over(self, bound: Fraction) -> int:
        """The sign of the line less a rational."""
        return self.power.sign(self.a - bound, self.b)

    def against(self, other: Line) -> int:
        """The sign of the line less another line, perhaps at another E."""
        if self.b == 0 or other.b == 0 or self.power.same(other.power):
            e = other.power if self.b == 0 else self.power
            return e.sign(self.a - other.a, self.b - other.b)
        return order(self.bounds, other.bounds)

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds of the line's value."""
        low, high = self.power.bounds(bits)
        return self.a - self.b * high, self.a - self.b * low


class Curve(NamedTuple):
    """How the curve δ(ε) of rows that count together is made.

    `tail` leaves B out of A - B·E; of one row's outputs, some of probability at most `left_out` under P may be dropped.
    """

    tail: bool = False
    left_out: Fraction | None = None

    def lines(self, rows: Sequence[Row], at: str, *, closed: bool = False) -> list[Line]:
        """The mean of the rows at an ε: one line, or one for each set of outputs that may be left out.

        `closed` takes the outputs whose loss is c·ε as well: the line to the left of ε.
        """
        e = power(at, rows[0].scale)
        if self.left_out is None:
            return [self._line(rows, e, frozenset(), closed=closed)]
        (row,) = rows
        sets = [frozenset(), *map(frozenset, events_of(list(row.p)))]
        mass = {outputs: sum((row.p[o] for o in outputs), ZERO) for outputs in sets}
        return [self._line(rows, e, outputs, closed=closed) for outputs in sets if mass[outputs] <= self.left_out]

    def _line(self, rows: Sequence[Row], e: Exponential, without: frozenset[str], *, closed: bool) -> Line:
        parts = []
        for row in rows:
            p = {o: x for o, x in row.p.items() if o not in without}
            parts.append((row.weight, above(Weighted(p, ONE), Weighted(row.q, ONE), e, closed=closed)))
        return Line(*average(parts, tail=self.tail).ends, e)

    def least(self, rows: Sequence[Row], at: str) -> Line:
        """The smallest δ of the rows at an ε: the least of their lines."""
        best, *others = self.lines(rows, at)
        for line in others:
            best = line if line.against(best) < 0 else best
        return best

    def exceeds(self, rows: Sequence[Row], at: str, bound: Fraction) -> bool:
        """Whether the rows need more than the bound at an ε."""
        return all(line.over(bound) > 0 for line in self.lines(rows, at))

    def needs(self, rows: Sequence[Row], at: str, bound: Fraction) -> bool:
        """Whether the rows need more than the bound at every smaller ε."""
        return rows[0].scale > 0 and all(
            line.over(bound) > 0 or (not self.tail and line.b > 0 and line.over(bound) == 0)
            for line in self.lines(rows, at, closed=True)
        )
