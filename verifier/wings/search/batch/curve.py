"""Measures of two laws of columns at constant ε and δ: the hockey-stick divergence, the tail, the largest loss.

With P and Q of weights p and q and totals |P| and |Q|, e^ε = x/y, δ = u/w, and rows of total t:

    Σₒ max(0, p/(|P|·t) - x/y·q/(|Q|·t)) ≤ u/w    iff    w·Σₒ max(0, y·|Q|·p - x·|P|·q) ≤ u·y·|P|·|Q|·t.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from verifier.wings.search.batch.block import NO, YES, Column, ColumnPair, LawColumns, Mask

MOST_TRIMMED = 6
"""Largest number of outputs of which all sets are left out in turn."""


class ColumnMeasure(ABC):
    """The measure that a definition bounds for each pair of laws, for all models of a block at once.

    `factor` is e^ε, or ε itself where the measure is not `logarithmic`; None for ε = ∞, and for "some finite ε".
    """

    @property
    def logarithmic(self) -> bool:
        """Whether the measure is compared with e^ε, and not with ε."""
        return True

    @property
    def names_outputs(self) -> bool:
        """Whether the value depends on the names of the outputs."""
        return False

    def decides(self, outputs: int, scales: Collection[Fraction], *, of_databases: bool) -> bool:  # noqa: ARG002
        """Whether pairs of laws on so many outputs, at these multiples of ε, are decided in integers."""
        return True

    @abstractmethod
    def breaks(self, pair: ColumnPair, factor: Fraction | None, delta: Fraction, t: int) -> Mask:
        """The models in which the bound does not hold, whether they compare the pair or not.

        The weights of a law sum to its total times t.
        """

    @abstractmethod
    def size(self, weight: int, t: int, outputs: int, factor: Fraction | None, scale: Fraction) -> int:
        """A bound on the numbers that `breaks` computes, but for a factor of δ.

        `weight` bounds |P|·|Q|·t², and t is the rows' total.
        """


def power_of(factor: Fraction | None, scale: Fraction) -> tuple[int, int]:
    """The pair (x, y) with e^(c·b·ε) = x/y, for the multiple c of ε with denominator b; (1, 1) without a factor."""
    if factor is None:
        return 1, 1
    a = scale.numerator
    return factor.numerator**a, factor.denominator**a


def scaled(column: Column, factor: int) -> Column:
    """A column times a number."""
    return column if factor == 1 else column * factor


@dataclass(frozen=True)
class Curve(ColumnMeasure):
    """The hockey-stick divergence, or the `tail` P[loss > ε]; `pure` where δ is always 0: the largest loss."""

    tail: bool = False
    pure: bool = False

    def decides(self, outputs: int, scales: Collection[Fraction], *, of_databases: bool) -> bool:  # noqa: ARG002
        """Whether each multiple c of ε is an integer, so that e^(c·ε) is rational; the largest loss compares powers."""
        return self.pure or all(scale.denominator == 1 for scale in scales)

    def excess(self, pair: ColumnPair, factor: Fraction | None) -> Column:
        """The numerator of δ(ε); its denominator is |P|·t for tails and at ε = ∞, else y·|P|·|Q|·t."""
        total: Column | None = None
        x, y = power_of(factor, pair.scale)
        for p, q in zip(pair.p.weights, pair.q.weights, strict=True):
            if factor is None:
                gain = p * (q == 0)
            else:
                left = p * scaled(pair.q.total, y)
                right = q * scaled(pair.p.total, x)
                gain = p * (left > right) if self.tail else np.maximum(left - right, 0)
            total = gain if total is None else total + gain
        if total is None:
            raise ArithmeticError("a law has outputs")
        return total

    def surpasses(self, pair: ColumnPair, factor: Fraction | None) -> Mask:
        """The models with δ(ε) > 0, in which some output has P(o) > e^ε·Q(o)."""
        surpassed: Mask | None = None
        x, y = power_of(factor, pair.scale)
        root = pair.scale.denominator
        for p, q in zip(pair.p.weights, pair.q.weights, strict=True):
            if factor is None:
                lost = (p > 0) & (q == 0)
            elif root == 1:
                lost = p * scaled(pair.q.total, y) > q * scaled(pair.p.total, x)
            else:
                lost = (p * pair.q.total) ** root * y > (q * pair.p.total) ** root * x
            surpassed = lost if surpassed is None else surpassed | lost
        return NO if surpassed is None else surpassed

    def breaks(self, pair: ColumnPair, factor: Fraction | None, delta: Fraction, t: int) -> Mask:
        """The models with δ(ε) > δ."""
        if delta == 0:
            return self.surpasses(pair, factor)
        u, w = delta.numerator, delta.denominator
        allowed = pair.p.total * (u * t)
        if factor is not None and not self.tail:
            allowed = allowed * pair.q.total * power_of(factor, pair.scale)[1]
        broken: Mask = self.excess(pair, factor) * w > allowed
        return broken

    def size(self, weight: int, t: int, outputs: int, factor: Fraction | None, scale: Fraction) -> int:  # noqa: ARG002
        """A bound on the numbers in `breaks`, from Σₒ p ≤ |P|·t and Σₒ q ≤ |Q|·t."""
        size: int = 2 * max(power_of(factor, scale)) * weight**scale.denominator
        return size


HOCKEY_STICK, TAIL, RATIO = Curve(), Curve(tail=True), Curve(pure=True)


@dataclass(frozen=True)
class Trimmed(ColumnMeasure):
    """The least hockey-stick divergence after outputs of mass at most `error` under P are left out (RelDP)."""

    error: Fraction

    def decides(self, outputs: int, scales: Collection[Fraction], *, of_databases: bool) -> bool:
        """Whether the outputs are at most `MOST_TRIMMED`, and the divergence is decided."""
        return outputs <= MOST_TRIMMED and HOCKEY_STICK.decides(outputs, scales, of_databases=of_databases)

    def breaks(self, pair: ColumnPair, factor: Fraction | None, delta: Fraction, t: int) -> Mask:
        """The models with δ(ε) > δ whichever set of outputs is left out."""
        broken, outputs = YES, range(len(pair.p.weights))
        allowed = pair.p.total * (self.error.numerator * t)
        for number in range(len(outputs)):
            for chosen in combinations(outputs, number):
                kept = [o for o in outputs if o not in chosen]
                p, q = (LawColumns(tuple(law.weights[o] for o in kept), law.total) for law in (pair.p, pair.q))
                left = HOCKEY_STICK.breaks(ColumnPair(p, q, None, pair.scale), factor, delta, t)
                if chosen:
                    weight = sum(pair.p.weights[o] for o in chosen)
                    left = left | (weight * self.error.denominator > allowed)
                broken = broken & left
        # with error ≥ 1 all outputs may be left out, and nothing is bounded
        return broken if self.error < 1 else NO

    def size(self, weight: int, t: int, outputs: int, factor: Fraction | None, scale: Fraction) -> int:
        """A bound on the numbers of the divergence, and of the masses that are left out."""
        return HOCKEY_STICK.size(weight, t, outputs, factor, scale) * max(self.error.denominator, self.error.numerator)
