"""Thresholds: from which e^ε, or from which δ, a definition holds, for all models of a block at once.

A threshold is a fraction num/den of integer columns; ∞ is n/0 with n > 0. Fractions are compared by products; their
bounds are stated, so that integers can be chosen that do not overflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from verifier.wings.search.batch import Block, Column, Mask
from verifier.wings.search.batch_measure import Asked, averages, compared, excess
from verifier.wings.search.enumeration import Layer

MOST_EVENTS = 6
"""Up to so many outcomes (2⁶ events) are looked at where the smallest ε is asked at δ > 0."""


@dataclass(frozen=True)
class Threshold:
    """num/den, not negative; ∞ where den is 0."""

    num: Column
    den: Column

    @property
    def finite(self) -> Mask:
        """Whether some value is enough."""
        found: Mask = self.den > 0
        return found

    def at_most(self, other: Threshold, mine: int = 1, its: int = 1) -> Mask:
        """Whether self^(1/mine) ≤ other^(1/its), for another that is finite: self^its ≤ other^mine."""
        found: Mask = self.num**its * other.den**mine <= other.num**mine * self.den**its
        return found

    def larger(self, num: Column, den: Column, where: Mask | None) -> Threshold:
        """The larger of this and num/den; 0/0 and negative numbers are no candidates."""
        better = num * self.den > self.num * den
        if where is not None:
            better = better & where
        return Threshold(np.where(better, num, self.num), np.where(better, den, self.den))


def constant(block: Block, value: Fraction) -> Threshold:
    """The same number for all models."""
    kind = block.law[0][0].dtype
    return Threshold(np.full((1, 1), value.numerator, dtype=kind), np.full((1, 1), value.denominator, dtype=kind))


def can_tell_epsilon(asked: Asked, layer: Layer, outputs: int) -> bool:
    """Whether the smallest ε at a δ is told by blocks."""
    if not asked.supported or asked.reading == "infinite-loss":
        return False
    if asked.delta == 0:
        return True
    outcomes = layer.shape.values if asked.beliefs else outputs
    if asked.averages:
        outcomes *= layer.shape.knowledge
    return not asked.tail and outcomes <= MOST_EVENTS


def epsilon_size(asked: Asked, layer: Layer) -> int:
    """No numerator or denominator of the smallest e^ε is larger."""
    size = 2 * (layer.law_total * layer.row_total) ** 2 * asked.delta.denominator
    return size * lcm(*range(1, layer.law_total + 1)) if asked.averages and asked.delta else size


def smallest_factor(block: Block, asked: Asked) -> Threshold:
    """The smallest e^ε ≥ 1 at which the definition holds with δ (DMKB20, Definition 1: for each event S).

    P(S) - E·Q(S) ≤ δ for all S, hence E ≥ (P(S) - δ)/Q(S); at δ = 0 for single outcomes. Averages and tails at δ = 0
    ask the same of each B̂.
    """
    best = constant(block, Fraction(1))
    if asked.averages and asked.delta:
        return _average_factor(block, asked, best)
    t = 1 if asked.beliefs else block.row_total
    u, w = asked.delta.numerator, asked.delta.denominator
    for one in compared(block, asked):
        outcomes = list(zip(one.p.weights, one.q.weights, strict=True))
        for p, q in _events(outcomes) if u else outcomes:
            # over the denominators |P|·t and |Q|·t: E ≥ (w·p - u·|P|·t)·|Q| / (w·|P|·q)
            num = (p * w - one.p.total * (u * t)) * one.q.total
            best = best.larger(num, q * one.p.total * w, one.where)
    return best


def _events(outcomes: list[tuple[Column, Column]]) -> Iterator[tuple[Column, Column]]:
    """(P(S), Q(S)) of every event S that is not empty."""
    sums: list[tuple[Column, Column]] = []
    for p, q in outcomes:
        sums += [(p, q), *((x + p, y + q) for x, y in list(sums))]
    yield from sums


def _average_factor(block: Block, asked: Asked, best: Threshold) -> Threshold:
    """An average at δ > 0: an event is a set of pairs (B̂, output), over the B̂ that are possible with both values."""
    t, common = block.row_total, block.common
    u, w = asked.delta.numerator, asked.delta.denominator
    for case, group in asked.groups(block):
        outcomes = []
        for row in group.rows:
            p, q = case.law(row.p[0]), case.law(row.q[0])
            share = block.shares[q.total.astype(np.int64)]
            outcomes += [
                (x * (q.total > 0) * common, y * p.total * share)
                for x, y in zip(p.weights, q.weights, strict=True)
            ]  # fmt: skip
        for p_, q_ in _events(outcomes):
            best = best.larger(p_ * w - case.whole(group.a) * (u * t * common), q_ * w, None)
    return best


def delta_size(asked: Asked, layer: Layer) -> int:
    """No numerator or denominator of the smallest δ is larger."""
    return asked.bound(layer)


def smallest_delta(block: Block, asked: Asked) -> Threshold:
    """The smallest δ at which the definition holds at ε."""
    best = constant(block, Fraction(0))
    linear = asked.factor is not None and not asked.tail
    y = asked.factor.denominator if asked.factor is not None and linear else 1
    if asked.averages:
        return _average_delta(block, asked, best)
    t = 1 if asked.beliefs else block.row_total
    for one in compared(block, asked):
        den = one.p.total * (t * y)
        best = best.larger(excess(one, asked), den * one.q.total if linear else den, one.where)
    return best


def _average_delta(block: Block, asked: Asked, best: Threshold) -> Threshold:
    for total, den, where in averages(block, asked):
        best = best.larger(total, den, where)
    return best
