"""Aggregations: how the knowledge values of one comparison count together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from verifier.definitions.comparison import Comparison, ComparisonSet, Term
from verifier.definitions.pools import Columns


def _each(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    """Every pair of laws on its own: for each (a, b) by B̂, both directions of each B̂ together.

    Comparisons with the same a, b and output are the directions of one; their k-th terms have the same B̂, so that
    zipping the terms yields the directions of the first B̂, then those of the second: the order of witnesses.
    """
    for _, block in groupby(comparisons, key=lambda comparison: (comparison.a, comparison.b, comparison.output)):
        alike = list(block)
        for terms in zip(*(comparison.terms for comparison in alike), strict=True):
            for comparison, term in zip(alike, terms, strict=True):
                members = term.members
                if members == comparison.total == term.mass == len(comparison.terms) == 1:
                    yield comparison  # it has one pair of laws already
                    continue
                yield replace(
                    comparison, terms=(Term(1, term.pair),), multiplicity=comparison.multiplicity * members, total=1
                )


def _together(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    yield from (comparison for comparison in comparisons if comparison.terms)


@dataclass(frozen=True)
class Aggregation:
    """How the knowledge values of a comparison count: the worst alone, or all by their weights."""

    key: str
    formula: str
    source: str
    averages: bool
    """Whether a comparison stays an average over knowledge values."""

    def of(self, family: ComparisonSet) -> ComparisonSet:
        """The comparisons that a definition bounds one by one, by δ or, for a divergence, by ε."""
        if isinstance(family.comparisons, Columns):
            return family  # neighbours have no knowledge values
        split = _together if self.averages else _each
        return replace(family, comparisons=tuple(split(family.comparisons)))


WORST = Aggregation(
    "worst", "for all B̂", "DMKB20, Definition 12: an active attacker chooses what she knows", averages=False
)
AVERAGE = Aggregation(
    "average",
    "on average over B̂, with the weights P[B̂ | θ, D(i) = a]",
    "DMKB20, Definition 13: a passive attacker is given what she knows",
    averages=True,
)
AGGREGATIONS: dict[str, Aggregation] = {aggregation.key: aggregation for aggregation in (WORST, AVERAGE)}
