"""What every engine delivers: exact joint weights of knowledge, sensitive value and output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from verifier.model import Database
from verifier.tables import Label, Law

Weights: TypeAlias = dict[Label, int]


@dataclass(frozen=True)
class Joint:
    """P[B = B̂, S = s, O = o] as integers over one denominator, for one θ and one sensitive attribute.

    `cells[B̂][s][o]` holds the positive weights; B̂ comes in the order of first appearance. O is the output of
    M(D), or of M(D with i set to b) for a counterfactual.
    """

    denominator: int
    cells: Mapping[Label, Mapping[Label, Weights]]

    def probability(self, knowledge: Label) -> Fraction:
        """P[B = B̂]."""
        weight = sum(sum(outputs.values()) for outputs in self.cells[knowledge].values())
        return Fraction(weight, self.denominator)

    def mass(self, knowledge: Label, value: Label) -> int:
        """The weight of B = B̂ and S = s."""
        return sum(self.cells[knowledge].get(value, {}).values())

    def value_mass(self, value: Label) -> int:
        """The weight of S = s."""
        return sum(self.mass(knowledge, value) for knowledge in self.cells)


@dataclass(frozen=True)
class Neighbours:
    """Two output laws on databases that differ in one record; equal pairs are lumped."""

    record: int
    a: int
    b: int
    first: Law
    second: Law
    multiplicity: int
    database: Database
    """The first database (with a at the record) of the lumped pairs, in lexicographic order."""
