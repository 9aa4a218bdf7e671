"""Thresholds, the smallest e^ε or δ at which a definition holds, for all models of a block at once.

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
from verifier.wings.search.batch_measure import Query, averages, compared, row_total
from verifier.wings.search.batch_number import ColumnNumber, together
from verifier.wings.search.enumeration import Layer

MOST_EVENTS = 6
"""Largest number of outcomes (2⁶ events) for which the smallest ε is computed at δ > 0."""


@dataclass(frozen=True)
class ColumnRatio:
    """The threshold num/den ≥ 0 of each model; ∞ where den is 0."""

    num: Column
    den: Column

    @property
    def finite(self) -> Mask:
        """The models whose threshold is finite."""
        mask: Mask = self.den > 0
        return mask

    def at_most(self, threshold: ColumnRatio, own_power: int = 1, other_power: int = 1) -> Mask:
        """The models in which self^(1/own_power) ≤ threshold^(1/other_power), for a finite threshold.

        This is decided as self^other_power ≤ threshold^own_power.
        """
        mask: Mask = (
            self.num**other_power * threshold.den**own_power <= threshold.num**own_power * self.den**other_power
        )
        return mask

    def larger(self, num: Column, den: Column, where: Mask | None) -> ColumnRatio:
        """The larger of this ratio and num/den in the models of `where`; 0/0 and negative numbers are left out."""
        better = num * self.den > self.num * den
        if where is not None:
            better = better & where
        return ColumnRatio(np.where(better, num, self.num), np.where(better, den, self.den))


def constant(block: Block, value: Fraction) -> ColumnRatio:
    """The threshold `value`, for all models of a block."""
    kind = block.law[0][0].dtype
    return ColumnRatio(np.full((1, 1), value.numerator, dtype=kind), np.full((1, 1), value.denominator, dtype=kind))


def can_tell_epsilon(query: Query, layer: Layer, outputs: int) -> bool:
    """Whether blocks decide the smallest ε of a query at its δ."""
    if not query.supported or query.reading == "infinite-loss":
        return False
    if query.listing is not None and not query.listing.tells_epsilon(layer.row_total):
        return False
    if query.delta == 0:
        return True
    outcomes = layer.shape.values if query.beliefs else outputs
    if query.averages:
        outcomes *= layer.shape.knowledge
    return not query.tail and outcomes <= MOST_EVENTS


def epsilon_size(query: Query, layer: Layer) -> int:
    """A bound on the numerators and denominators of the smallest e^ε."""
    if isinstance(query.measure, ColumnNumber):
        weight = (layer.law_total * layer.row_total) ** 2
        return query.measure.largest(weight, layer.row_total, layer.shape.outputs)
    size = 2 * (layer.law_total * layer.row_total) ** 2 * query.delta.denominator
    return size * lcm(*range(1, layer.law_total + 1)) if query.averages and query.delta else size


def smallest_factor(block: Block, query: Query) -> ColumnRatio:
    """The smallest e^ε ≥ 1 at which the definition holds with its δ (DMKB20, Definition 1: for each event S).

    P(S) - E·Q(S) ≤ δ for all S, hence E ≥ (P(S) - δ)/Q(S); at δ = 0 for single outcomes. Averages and tails at δ = 0
    ask the same of each B̂.
    """
    best = constant(block, Fraction(1))
    if query.averages and query.delta:
        return _average_factor(block, query, best)
    t = row_total(block, query)
    u, w = query.delta.numerator, query.delta.denominator
    for pair in compared(block, query):
        if isinstance(query.measure, ColumnNumber):
            best = best.larger(*query.measure.value(*together(pair, t)), pair.where)
            continue
        outcomes = list(zip(pair.p.weights, pair.q.weights, strict=True))
        for p, q in _events(outcomes) if u else outcomes:
            # over the denominators |P|·t and |Q|·t: E ≥ (w·p - u·|P|·t)·|Q| / (w·|P|·q)
            num = (p * w - pair.p.total * (u * t)) * pair.q.total
            best = best.larger(num, q * pair.p.total * w, pair.where)
    return best


def _events(outcomes: list[tuple[Column, Column]]) -> Iterator[tuple[Column, Column]]:
    """The pairs (P(S), Q(S)) of every event S that is not empty."""
    sums: list[tuple[Column, Column]] = []
    for p, q in outcomes:
        sums += [(p, q), *((x + p, y + q) for x, y in list(sums))]
    yield from sums


def _average_factor(block: Block, query: Query, best: ColumnRatio) -> ColumnRatio:
    """The smallest e^ε of an average at δ > 0: an event is a set of pairs (B̂, output), B̂ possible with both values."""
    t, common = block.row_total, block.common
    u, w = query.delta.numerator, query.delta.denominator
    for case, group in query.groups(block):
        outcomes = []
        for row in group.rows:
            p, q = case.law(row.p[0]), case.law(row.q[0])
            share = block.shares[q.total.astype(np.int64)]
            outcomes += [
                (x * (q.total > 0) * common, y * p.total * share)
                for x, y in zip(p.weights, q.weights, strict=True)
            ]  # fmt: skip
        for p_, q_ in _events(outcomes):
            best = best.larger(p_ * w - case.record_mass(group.a) * (u * t * common), q_ * w, None)
    return best


def smallest_delta(block: Block, query: Query) -> ColumnRatio:
    """The smallest δ at which the definition holds with its ε."""
    best = constant(block, Fraction(0))
    linear = query.factor is not None and not query.tail
    y = query.factor.denominator if query.factor is not None and linear else 1
    if query.averages:
        for total, den, where in averages(block, query):
            best = best.larger(total, den, where)
        return best
    t = row_total(block, query)
    for pair in compared(block, query):
        den = pair.p.total * (t * y)
        best = best.larger(query.curve.excess(pair, query.factor), den * pair.q.total if linear else den, pair.where)
    return best
