"""Aggregations: how the knowledge values of one comparison count together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from verifier.definitions.comparison import Comparison, ComparisonSet, Term
from verifier.definitions.pools import Columns


def _each(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    """Every pair of laws on its own: for each (a, b) by B̂, both directions of each B̂ together."""
    for _, block in groupby(comparisons, key=lambda comparison: (comparison.a, comparison.b, comparison.output)):
        alike = list(block)
        for terms in zip(*(comparison.terms for comparison in alike), strict=True):
            for comparison, term in zip(alike, terms, strict=True):
                members = term.pair.case.members if term.pair.case else 1
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
    split: Callable[[Sequence[Comparison]], Iterator[Comparison]]

    @property
    def averages(self) -> bool:
        """Whether a comparison stays an average over knowledge values."""
        return self.split is _together

    def of(self, family: ComparisonSet) -> ComparisonSet:
        """The comparisons that a definition bounds one by one, by δ or, for a divergence, by ε."""
        if isinstance(family.comparisons, Columns):
            return family  # neighbours have no knowledge values
        return replace(family, comparisons=tuple(self.split(family.comparisons)))


WORST = Aggregation("worst", "for all B̂", "DMKB20, Definition 12: an active attacker chooses what she knows", _each)
AVERAGE = Aggregation(
    "average",
    "on average over B̂, with the weights P[B̂ | θ, D(i) = a]",
    "DMKB20, Definition 13: a passive attacker is given what she knows",
    _together,
)
AGGREGATIONS: dict[str, Aggregation] = {aggregation.key: aggregation for aggregation in (WORST, AVERAGE)}
