"""The result of every engine: exact joint weights of knowledge, sensitive value and output."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from verifier.engine.pushforward import Pushforward
from verifier.model import Database
from verifier.tables import Integer, Label, Law, in_order

Weights: TypeAlias = Mapping[Label, int]
Output: TypeAlias = "Weights | Pushforward"
"""An output law up to a factor: weights by label, or the pushforward of the law of a sum."""


class InOrder(dict[Label, int]):
    """Weights by label whose labels are in order, so that nobody needs to sort them again."""

    @classmethod
    def of(cls, weights: Weights) -> InOrder:
        """The weights with their labels in order."""
        return weights if isinstance(weights, InOrder) else cls((o, weights[o]) for o in in_order(weights))


@dataclass(frozen=True, eq=False)
class KnowledgeCase:
    """One knowledge value B̂, or a class of them, with the sensitive values s that are possible under it.

    `laws[s]` is the law of the output given B̂ and S = s, up to a factor; `masses[s]` is the weight of (B̂, s). Where
    knowledge values are lumped, B̂ is the first of its class, `members` their number, and the masses are of the class.
    """

    key: Hashable
    name: Callable[[], Label]
    laws: Mapping[Label, Output]
    masses: Mapping[Label, Integer]
    members: int = 1

    @cached_property
    def label(self) -> Label:
        """The knowledge value B̂, or the first of its class; made when it is asked for."""
        return self.name()

    def weights(self, value: Label) -> Weights:
        """The output law given B̂ and S = value, up to a factor, as weights by label."""
        law = self.laws[value]
        return law.weights if isinstance(law, Pushforward) else law


class Joint:
    """The joint law P[B = B̂, S = s, O = o], as integers over one denominator, of one θ and one sensitive attribute.

    Knowledge values come in order of first appearance. O is M(D), or M(D with i set to b) for a counterfactual.
    """

    def __init__(self, cases: Iterable[KnowledgeCase], denominator: Integer | None = None) -> None:
        self.cases = {case.key: case for case in cases}
        self.denominator = denominator or sum(sum(case.masses.values()) for case in self.cases.values())

    @classmethod
    def of(cls, denominator: int, cells: Mapping[Label, Mapping[Label, Weights]]) -> Joint:
        """The joint law with the positive weights `cells[B̂][s][o]` over a denominator."""
        return cls(
            (
                KnowledgeCase(
                    known,
                    lambda known=known: known,  # type: ignore[misc]
                    {s: InOrder.of(law) for s, law in cell.items()},
                    {s: sum(law.values()) for s, law in cell.items()},
                )
                for known, cell in cells.items()
            ),
            denominator,
        )

    @classmethod
    def gathered(cls, denominator: int, weighted_laws: Iterable[tuple[Law, Label, Law, int]]) -> Joint:
        """The joint law that is a sum of terms (law of B, s, law of O, factor), B and O independent within each term.

        The weight of (B̂, s, o) is Σ factor·(weight of B̂)·(weight of o) over the terms with this s. Terms with the same
        B̂, s and law of O are one: their factors are added before any output is looked at.
        """
        terms: dict[tuple[Label, Label], dict[tuple[int, tuple[int, ...]], tuple[Law, int]]] = {}
        for known_law, value, output, factor in weighted_laws:
            for known, part in known_law.items():
                laws = terms.setdefault((known, value), {})
                key = id(output.outcomes), output.weights  # a law that is kept here keeps its outcomes
                so_far = laws.get(key)
                laws[key] = output, factor * part + (so_far[1] if so_far else 0)
        cells: dict[Label, dict[Label, dict[Label, int]]] = {}
        for (known, value), laws in terms.items():
            cell: dict[Label, int] = cells.setdefault(known, {}).setdefault(value, {})
            for output, factor in laws.values():
                for outcome, weight in output.items():
                    cell[outcome] = cell.get(outcome, 0) + factor * weight
        return cls.of(denominator, cells)

    @cached_property
    def cells(self) -> dict[Label, dict[Label, Weights]]:
        """The output laws, output by output: `cells[B̂][s][o]`, up to a factor for each B̂ and s."""
        return {case.label: {s: case.weights(s) for s in case.laws} for case in self.cases.values()}

    def probability(self, case: KnowledgeCase) -> Fraction:
        """P[B = B̂]; for a class of knowledge values, the sum over its members."""
        return Fraction(int(sum(case.masses.values())), int(self.denominator))

    def value_mass(self, value: Label) -> Integer:
        """The weight of S = value, over the denominator of the joint law."""
        return sum(case.masses.get(value, 0) for case in self.cases.values())


@dataclass(frozen=True)
class Neighbours:
    """Two output laws on databases that differ in one record; equal pairs are lumped."""

    record: int
    a: int
    b: int
    first: Output
    second: Output
    multiplicity: int
    database: Callable[[], Database]
    """The first database (with a at the record) of the lumped pairs, in lexicographic order."""
