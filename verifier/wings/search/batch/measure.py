"""Definitions at constant ε and δ, for all models of a block at once.

The builders of the definitions say which laws are compared, in DP22's scheme by a listing (`wings.search.batch_rows`);
here a weight is a column, with an entry for each model. A measure of columns says what is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from verifier.definitions import CURVES, Definition, find
from verifier.definitions.builders.resolve import BACKWARD, Comparing, NamedRow, RowGroup, comparing, posterior
from verifier.wings.search.batch.block import (
    NO,
    Block,
    BlockCase,
    Column,
    ColumnPair,
    Mask,
    integers_up_to,
    sum_of_columns,
)
from verifier.wings.search.batch.curve import HOCKEY_STICK, TAIL, ColumnMeasure, Curve
from verifier.wings.search.batch.rows import Listing
from verifier.wings.search.layers import Layer
from verifier.wings.search.policies import absent_value


@dataclass(frozen=True)
class Query:
    """A definition in a reading at e^ε (None for ε = ∞, and for "some finite ε", which asks the same) and δ.

    A definition of DP22 has its `listing`. Where its measure is not logarithmic, ε stands in the place of e^ε.
    """

    definition: str
    factor: Fraction | None
    delta: Fraction
    reading: str = "default"
    listing: Listing | None = None

    @cached_property
    def notion(self) -> Definition:
        """The definition that the query names."""
        return find(self.definition)

    @property
    def supported(self) -> bool:
        """Whether blocks can answer: by a listing, or by a builder of rows and a curve, for a reading that exists."""
        if self.listing is not None:
            return True
        rows, notion = comparing(self.notion), self.notion
        return rows is not None and notion.measure in CURVES.values() and self.reading in notion.readings

    @cached_property
    def compares(self) -> Comparing:
        """The comparisons of a supported definition."""
        rows = comparing(self.notion)
        if rows is None:
            raise TypeError(f"{self.definition} lists no rows")
        return rows

    @cached_property
    def beliefs(self) -> bool:
        """Whether laws of D(i) are compared, instead of laws of outputs."""
        return self.listing is None and self.compares.view is posterior.view

    @cached_property
    def averages(self) -> bool:
        """Whether the average over B̂, or over the cases of a group, is bounded."""
        return self.notion.aggregation.averages if self.listing is None else self.listing.averages

    @property
    def tail(self) -> bool:
        """Whether the definition bounds P[loss > ε], and not the mean excess of the loss over ε."""
        return self.measure is TAIL

    @cached_property
    def y(self) -> int:
        """The denominator of e^ε where it multiplies a law; 1 for a tail, and at ε = ∞."""
        return self.factor.denominator if self.linear and self.factor is not None else 1

    @property
    def linear(self) -> bool:
        """Whether δ is a sum of weights of P and of Q, so that |Q| is in its denominator."""
        return self.factor is not None and not self.tail

    @cached_property
    def measure(self) -> ColumnMeasure:
        """The measure that is bounded for each pair of laws."""
        if self.listing is not None:
            return self.listing.measure
        return TAIL if self.notion.measure is CURVES["tail"] else HOCKEY_STICK

    @cached_property
    def curve(self) -> Curve:
        """The measure of a definition that has δ as a function of ε."""
        if not isinstance(self.measure, Curve):
            raise TypeError(f"{self.definition} bounds no curve")
        return self.measure

    def bound(self, layer: Layer) -> int:
        """A bound on the absolute values of the numbers in an answer.

        p, q ≤ total·t, totals ≤ total, and so are sums over outputs; averages over B̂ have the factor Λ, those over
        cases the denominator of their shares.
        """
        mass, t, shares = layer.law_total, layer.row_total, 1
        scales = {Fraction(1)}
        if self.listing is not None:
            mass, scales = 1 if self.listing.of_databases else mass, self.listing.scales or scales
            shares = self.listing.shares
        elif self.averages:
            shares = lcm(*range(1, mass + 1))
        outputs = layer.shape.outputs
        largest = max(self.measure.size((mass * t) ** 2, t, outputs, self.factor, scale) for scale in scales)
        return largest * shares * max(self.delta.denominator, self.delta.numerator, 1)

    def groups(self, block: Block) -> Iterator[tuple[BlockCase, RowGroup]]:
        """The groups of rows that the definition compares, record by record."""
        for case in block.cases():
            for group in self.compares.builder(case, self.reading):
                yield case, group


def compared(block: Block, query: Query) -> Iterator[ColumnPair]:
    """The pairs of laws of a definition that does not average."""
    if query.listing is not None:
        yield from query.listing.pairs(block)
        return
    for case, group in query.groups(block):
        for row in group.rows:
            for pair in _beliefs(case, row) if query.beliefs else _outputs(case, row):
                for order in group.orders:
                    yield ColumnPair(pair.q, pair.p, pair.where) if order == BACKWARD else pair


def _outputs(case: BlockCase, row: NamedRow) -> Iterator[ColumnPair]:
    """The laws of outputs that a row names."""
    yield ColumnPair(case.law(row.p[0]), case.law(row.q[0]), case.where(row.where))


def _beliefs(case: BlockCase, row: NamedRow) -> Iterator[ColumnPair]:
    """P[S = v | M(D) = o] on both sides of a row, for each output that both can produce."""
    where = case.where(row.where)
    laws = tuple([case.law(name).weights for name in names] for names in (row.p, row.q))
    for o in range(case.block.shape.outputs):
        first, second = (tuple(weights[o] for weights in side) for side in laws)
        yield ColumnPair.of_posteriors(first, second, where)


def row_total(block: Block, query: Query) -> int:
    """The factor t of the laws that are compared: their weights sum to t times their total.

    It is 1 for posteriors, which are laws of D(i), and for laws given a leak, whose total is the sum of their weights.
    """
    if query.listing is not None:
        return query.listing.row_total(block)
    return 1 if query.beliefs else block.row_total


def fails(block: Block, query: Query) -> Mask:
    """The models of the block in which the definition fails; where it compares nothing it does not fail."""
    if query.averages:
        return _average_fails(block, query)
    if query.listing is not None and query.listing.leaves_out:
        return _too_many_fail(block, query, query.listing)
    broken, t = NO, row_total(block, query)
    for pair in compared(block, query):
        broken = broken | _breaks(pair, query, t)
    return broken


def _breaks(pair: ColumnPair, query: Query, t: int) -> Mask:
    """The models in which a pair of laws is compared and breaks the bound."""
    broken = query.measure.breaks(pair, query.factor, query.delta, t)
    return broken if pair.where is None else broken & pair.where


def _too_many_fail(block: Block, query: Query, listing: Listing) -> Mask:
    """The models in which cases fail whose shares of a group are more than γ together."""
    failing, t = NO, listing.row_total(block)
    kind = integers_up_to(listing.shares * listing.gamma.denominator)
    for group in listing.groups:
        left_out: Column = np.zeros((1, 1), dtype=kind)
        for case in group:
            broken = NO
            for pair in (pair for row in case.rows for pair in listing.seen(block, row)):
                broken = broken | _breaks(pair, query, t)
            left_out = left_out + broken.astype(kind) * int(case.share * listing.shares)
        failing = failing | (left_out * listing.gamma.denominator > listing.gamma.numerator * listing.shares)
    return failing


def _average_fails(block: Block, query: Query) -> Mask:
    """The models where Σ over B̂ of P[B̂ | D(i) = a]·δ(ε), or Σ over cases of share·δ(ε), exceeds δ for some i, a, b."""
    failing = NO
    for total, denominator, where in averages(block, query):
        broken = total * query.delta.denominator > denominator * query.delta.numerator
        failing = failing | (broken if where is None else broken & where)
    return failing


def averages(block: Block, query: Query) -> Iterator[tuple[Column, Column, Mask | None]]:
    """Numerator and denominator of the average δ(ε) of each comparison, and where it is asked (None: everywhere).

    The share of B̂ is |P|/m with m the mass of a. Over the denominator y·t·Λ·m each B̂ has excess·Λ/|Q|. Where |Q| = 0
    all of P counts, if the row is compared there at all. Cases of a listing have shares that are numbers.
    """
    t, y = block.row_total, query.y
    if query.listing is not None:
        yield from _shared(block, query, query.listing, y * t)
        return
    common = block.common if query.linear else 1
    for case, group in query.groups(block):
        summands: list[Column] = []
        for row in group.rows:
            p, q = case.law(row.p[0]), case.law(row.q[0])
            share = block.shares[q.total.astype(np.int64)] if query.linear else q.total > 0
            summands.append(query.curve.excess(ColumnPair(p, q), query.factor) * share)
            if row.q[0].event not in row.where:
                summands.append(p.total * (q.total == 0) * (t * y * common))
        if summands:
            yield sum_of_columns(summands), case.record_mass(group.a) * (t * y * common), case.where(group.where)


def _shared(
    block: Block, query: Query, listing: Listing, denominator: int
) -> Iterator[tuple[Column, Column, Mask | None]]:
    """The average δ(ε) of the cases of each group: laws of single databases, whose totals are 1."""
    for group in listing.groups:
        summands = [
            query.curve.excess(pair, query.factor) * int(case.share * listing.shares)
            for case in group
            for row in case.rows
            for pair in listing.seen(block, row)
        ]
        yield sum_of_columns(summands), np.full((1, 1), denominator * listing.shares, dtype=summands[0].dtype), None


def empty(block: Block, query: Query) -> Mask:
    """The models in which a definition compares nothing.

    Unless records may be missing, beliefs are always compared: for i, B̂ and a possible b = D(i), M(D) and M(D with i
    set to b) have a common output.
    """
    if query.beliefs and absent_value(block.policy) is None:
        return NO
    compared = NO
    for where in _places(block, query):
        if where is None:
            return NO
        compared = compared | where
    return ~compared


def _places(block: Block, query: Query) -> Iterator[Mask | None]:
    """The models in which each row is compared; None stands for all models."""
    if query.listing is not None:
        yield from (pair.where for pair in query.listing.pairs(block))
        return
    if query.beliefs:
        yield from (pair.where for pair in compared(block, query))
        return
    for case, group in query.groups(block):
        for row in group.rows:
            yield case.where((*row.where, *group.where))
