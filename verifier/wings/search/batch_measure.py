"""Definitions at constant ε and δ, for all models of a block at once.

What is compared comes from the builders of the definitions; here a weight is a column, one entry a model. With P and Q
of weights p and q and totals |P| and |Q|, e^ε = x/y, δ = u/w, and rows of total t:

    Σₒ max(0, p/(|P|·t) - x/y·q/(|Q|·t)) ≤ u/w    iff    w·Σₒ max(0, y·|Q|·p - x·|P|·q) ≤ u·y·|P|·|Q|·t.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from verifier.definitions import CURVES, TAIL, Definition, find
from verifier.definitions.compare import Comparing, comparing, posterior
from verifier.definitions.rows import BACKWARD, Group, Row
from verifier.wings.search.batch import NO, Block, BlockCase, Column, Law, Mask, added
from verifier.wings.search.enumeration import Layer


@dataclass(frozen=True)
class Asked:
    """A definition in a reading at e^ε (None for ε = ∞, and for "some finite ε", which asks the same) and δ."""

    definition: str
    factor: Fraction | None
    delta: Fraction
    reading: str = "default"

    @cached_property
    def means(self) -> Definition:
        """The definition itself."""
        return find(self.definition)

    @property
    def supported(self) -> bool:
        """Whether blocks can answer it: rows of a builder, and a measure of events."""
        rows, means = comparing(self.means), self.means
        return rows is not None and means.measure in CURVES.values() and self.reading in means.readings

    @property
    def compares(self) -> Comparing:
        """The comparisons of a supported definition."""
        rows = comparing(self.means)
        if rows is None:
            raise TypeError(f"{self.definition} lists no rows")
        return rows

    @property
    def beliefs(self) -> bool:
        """Whether laws of D(i) are compared, instead of laws of outputs."""
        return self.compares.view is posterior.view

    @property
    def averages(self) -> bool:
        """Whether the average over B̂ is bounded."""
        return self.means.aggregation.averages

    @property
    def tail(self) -> bool:
        """Whether P[loss > ε] is bounded."""
        return self.means.measure is TAIL

    def bound(self, layer: Layer) -> int:
        """No number in the answer is larger in absolute value.

        p, q ≤ total·t, totals ≤ total, and so are sums over outputs; averages over B̂ have the factor Λ.
        """
        x, y = (self.factor.numerator, self.factor.denominator) if self.factor is not None else (1, 1)
        mass, t = layer.law_total, layer.row_total
        largest = max(x, y) * (mass * t) ** 2 * (lcm(*range(1, mass + 1)) if self.averages else 1)
        return 2 * largest * max(self.delta.denominator, self.delta.numerator, 1)

    def groups(self, block: Block) -> Iterator[tuple[BlockCase, Group]]:
        """What the definition compares, record by record."""
        for case in block.cases():
            for group in self.compares.builder(case, self.reading):
                yield case, group


@dataclass(frozen=True)
class Compared:
    """P against Q where `where` is true, or everywhere; P counts with a share p.total of `whole`."""

    p: Law
    q: Law
    where: Mask | None = None


def excess(one: Compared, asked: Asked) -> Column:
    """The numerator of δ(ε), over |P|·t for tails and ε = ∞, else over y·|P|·|Q|·t."""
    total: Column | None = None
    for p, q in zip(one.p.weights, one.q.weights, strict=True):
        if asked.factor is None:
            part = p * (q == 0)
        else:
            x, y = asked.factor.numerator, asked.factor.denominator
            left = p * _scaled(one.q.total, y)
            right = q * _scaled(one.p.total, x)
            part = p * (left > right) if asked.tail else np.maximum(left - right, 0)
        total = part if total is None else total + part
    if total is None:
        raise ArithmeticError("a law has outputs")
    return total


def _scaled(column: Column, factor: int) -> Column:
    return column if factor == 1 else column * factor


def _surpasses(one: Compared, asked: Asked) -> Mask:
    """Whether some output has p·e^-ε > q: that δ(ε) > 0."""
    found: Mask | None = None
    for p, q in zip(one.p.weights, one.q.weights, strict=True):
        if asked.factor is None:
            part = (p > 0) & (q == 0)
        else:
            x, y = asked.factor.numerator, asked.factor.denominator
            part = p * _scaled(one.q.total, y) > q * _scaled(one.p.total, x)
        found = part if found is None else found | part
    return NO if found is None else found


def _breaks(one: Compared, asked: Asked, t: int) -> Mask:
    """Whether δ(ε) > δ."""
    if asked.delta == 0:
        found = _surpasses(one, asked)
    else:
        u, w = asked.delta.numerator, asked.delta.denominator
        allowed = one.p.total * (u * t)
        if asked.factor is not None and not asked.tail:
            allowed = allowed * one.q.total * asked.factor.denominator
        found = excess(one, asked) * w > allowed
    return found if one.where is None else found & one.where


def compared(block: Block, asked: Asked) -> Iterator[Compared]:
    """What a definition with the worst case bounds one by one."""
    for case, group in asked.groups(block):
        for row in group.rows:
            for pair in _beliefs(case, row) if asked.beliefs else _outputs(case, row):
                for order in group.orders:
                    yield Compared(pair.q, pair.p, pair.where) if order == BACKWARD else pair


def _outputs(case: BlockCase, row: Row) -> Iterator[Compared]:
    """The laws of outputs that a row names."""
    yield Compared(case.law(row.p[0]), case.law(row.q[0]), case.where(row.where))


def _beliefs(case: BlockCase, row: Row) -> Iterator[Compared]:
    """P[S = v | M(D) = o] on both sides of a row, for each output that both can produce."""
    where = case.where(row.where)
    laws = tuple([case.law(name).weights for name in names] for names in (row.p, row.q))
    for o in range(case.block.shape.outputs):
        first, second = (tuple(weights[o] for weights in side) for side in laws)
        p, q = Law(first, added(first)), Law(second, added(second))
        both = (p.total > 0) & (q.total > 0)
        yield Compared(p, q, both if where is None else both & where)


def fails(block: Block, asked: Asked) -> Mask:
    """In which models of the block the definition fails; where nothing is compared it does not."""
    if asked.averages:
        return _average_fails(block, asked)
    # posteriors are laws of D(i): their totals are their own, without the factor t
    t = 1 if asked.beliefs else block.row_total
    broken = NO
    for pair in compared(block, asked):
        broken = broken | _breaks(pair, asked, t)
    return broken


def _average_fails(block: Block, asked: Asked) -> Mask:
    """Σ over B̂ of P[B̂ | D(i) = a]·δ(ε) > δ, for some i, a ≠ b."""
    found = NO
    for total, denominator, where in averages(block, asked):
        broken = total * asked.delta.denominator > denominator * asked.delta.numerator
        found = found | (broken if where is None else broken & where)
    return found


def averages(block: Block, asked: Asked) -> Iterator[tuple[Column, Column, Mask | None]]:
    """The average δ(ε) over B̂ as a fraction of columns, for each comparison, and where it is asked (None: everywhere).

    The share of B̂ is |P|/m with m the mass of a. Over the denominator y·t·Λ·m each B̂ has excess·Λ/|Q|. Where |Q| = 0
    all of P is lost, if the row is compared there at all.
    """
    t = block.row_total
    linear = asked.factor is not None and not asked.tail
    y = asked.factor.denominator if asked.factor is not None and linear else 1
    common = block.common if linear else 1
    for case, group in asked.groups(block):
        parts: list[Column] = []
        for row in group.rows:
            p, q = case.law(row.p[0]), case.law(row.q[0])
            share = block.shares[q.total.astype(np.int64)] if linear else q.total > 0
            parts.append(excess(Compared(p, q), asked) * share)
            if row.q[0].event not in row.where:
                parts.append(p.total * (q.total == 0) * (t * y * common))
        if parts:
            yield added(parts), case.whole(group.a) * (t * y * common), case.where(group.where)


def empty(block: Block, asked: Asked) -> Mask:
    """In which models a definition compares nothing.

    Beliefs are always compared: for i, B̂ and a possible b = D(i), M(D) and M(D with i set to b) have a common output.
    """
    if asked.beliefs:
        return NO
    some = NO
    for case, group in asked.groups(block):
        for row in group.rows:
            where = case.where((*row.where, *group.where))
            if where is None:
                return NO
            some = some | where
    return ~some
