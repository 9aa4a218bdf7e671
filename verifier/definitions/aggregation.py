"""Aggregations: how the knowledge values of one comparison count together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from verifier.definitions.comparison import Comparison, Family, Term
from verifier.definitions.pools import Columns


def _each(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    """Every pair of laws on its own: for each (a, b) by B̂, both directions of each B̂ together."""
    for _, block in groupby(comparisons, key=lambda one: (one.a, one.b, one.output)):
        alike = list(block)
        for terms in zip(*(one.terms for one in alike), strict=True):
            for one, term in zip(alike, terms, strict=True):
                members = term.pair.heard.members if term.pair.heard else 1
                if members == one.whole == term.mass == len(one.terms) == 1:
                    yield one  # it is alone already
                    continue
                yield replace(one, terms=(Term(1, term.pair),), multiplicity=one.multiplicity * members, whole=1)


def _together(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    yield from (one for one in comparisons if one.terms)


@dataclass(frozen=True)
class Aggregation:
    """The worst knowledge value counts, or all count by their weights."""

    key: str
    formula: str
    source: str
    split: Callable[[Sequence[Comparison]], Iterator[Comparison]]

    @property
    def averages(self) -> bool:
        """Whether a comparison stays an average over knowledge values."""
        return self.split is _together

    def of(self, family: Family) -> Family:
        """The comparisons that are bounded by δ one by one."""
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
AGGREGATIONS: dict[str, Aggregation] = {one.key: one for one in (WORST, AVERAGE)}
