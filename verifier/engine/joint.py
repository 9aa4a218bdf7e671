"""What every engine delivers: exact joint weights of knowledge, sensitive value and output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from verifier.model import Database
from verifier.tables import Label, Law

Weights: TypeAlias = dict[Label, int]


@dataclass(frozen=True)
class Joint:
    """P[B = B̂, S = s, O = o] as integers over one denominator, for one θ and one sensitive attribute.

    `cells[B̂][s][o]`, times `factors[B̂, s]` where it is given, are the positive weights; B̂ comes in the order of first
    appearance. O is the output of M(D), or of M(D with i set to b) for a counterfactual. Where knowledge values are
    lumped into classes, B̂ is the first of its class and `members[B̂]` their number; the weights are of the class.
    """

    denominator: int
    cells: Mapping[Label, Mapping[Label, Weights]]
    factors: Mapping[tuple[Label, Label], int] = field(default_factory=dict)
    members: Mapping[Label, int] = field(default_factory=dict)

    def probability(self, knowledge: Label) -> Fraction:
        """P[B = B̂], or of its class."""
        return Fraction(sum(self.mass(knowledge, value) for value in self.cells[knowledge]), self.denominator)

    def mass(self, knowledge: Label, value: Label) -> int:
        """The weight of B = B̂ and S = s."""
        return sum(self.cells[knowledge].get(value, {}).values()) * self.factors.get((knowledge, value), 1)

    def multiplicity(self, knowledge: Label) -> int:
        """How many knowledge values are lumped with B̂, itself included."""
        return self.members.get(knowledge, 1)

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
