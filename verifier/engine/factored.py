"""Neighbours of a random sum: the law of the other records is a factor of both laws, and they differ in one factor.

The weights of the total of the other records are the coefficients of a polynomial A, those of what the record adds the
coefficients of R[a] and of R[b]. For e^ε = u/v the pair has

    δ(ε)·v·A(1)·R(1) = the positive coefficients of A·(v·R[a] - u·R[b]), added up,

where each total is an output of its own. Nothing is assumed about which of the others' values are worst: all their
multisets are tried, those once that are one up to names. The plain way is `ModelSums.neighbours`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import gcd
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from verifier.engine.enumerated import Neighbours
    from verifier.engine.knowledge_classes import KnowledgeClass
    from verifier.engine.sums import ModelSums

MOST_SPREAD = 64
"""The coefficients that a polynomial may have for each total that there may be."""
MOST_KEPT = 1 << 22
"""Coefficients of the laws of all classes up to which these are kept."""
MOST_RENAMED = 5
"""Up to this many values all their permutations are tried."""
Polynomial: TypeAlias = Any
"""An `fmpz_poly` of python-flint."""
Weights: TypeAlias = Mapping[int, int]
"""Integer weights by key."""


@dataclass(frozen=True, eq=False)
class Factored:
    """All pairs of databases that differ in one record, in the order of the plain way: by a, b, then by the others.

    `members` records have the same pairs. The k-th pair has the values `values[k // c]` and the others of the class
    `classes[k % c]`, where c is the number of classes.
    """

    base: ModelSums
    record: int
    members: int
    values: Sequence[tuple[int, int]]
    classes: Sequence[KnowledgeClass]

    def __len__(self) -> int:
        return len(self.values) * len(self.classes)

    @property
    def multiplicity(self) -> int:
        """How many ordered pairs of databases there are, those of one class counted each."""
        return len(self.values) * self.members * sum(known.members for known in self.classes)

    def neighbours(self, k: int) -> Neighbours:
        """The k-th pair, as the plain way lists it."""
        pair, known = divmod(k, len(self.classes))
        return self.base.pair(self.record, *self.values[pair], self.classes[known])

    @cached_property
    def _draws(self) -> list[Weights]:
        """What the record adds, value by value, from the least key on."""
        draws = [self.base.algebra.draws(self.record, v) for v in range(len(self.base.model.values))]
        low = min(key for draw in draws for key in draw)
        return [{key - low: weight for key, weight in draw.items()} for draw in draws]

    @cached_property
    def _others(self) -> dict[int, Weights]:
        """What another record adds, by the number of its law."""
        numbers = {number for known in self.classes for number, _ in known.open}
        return {number: self.base.knowledge.open_laws[number][0] for number in sorted(numbers)}

    @cached_property
    def step(self) -> int:
        """The largest step between keys that all keys are multiples of."""
        return gcd(*(key for law in (*self._draws, *self._others.values()) for key in law)) or 1

    @property
    def degree(self) -> int:
        """The largest degree of a law of the total."""
        others = max(max(law) for law in self._others.values()) if self._others else 0
        return (max(max(draw) for draw in self._draws) + others * (self.base.model.size - 1)) // self.step

    def _polynomial(self, weights: Weights) -> Polynomial:
        from flint import fmpz_poly

        coefficients = [0] * (max(weights) // self.step + 1)
        for key, weight in weights.items():
            coefficients[key // self.step] = weight
        return fmpz_poly(coefficients)

    @cached_property
    def _factors(self) -> list[Polynomial]:
        """R[v], value by value."""
        return [self._polynomial(draw) for draw in self._draws]

    @cached_property
    def _powers(self) -> dict[int, list[Polynomial]]:
        """The powers of what another record adds, from the 0th on, by the number of its law."""
        most: dict[int, int] = {}
        for known in self.classes:
            for number, times in known.open:
                most[number] = max(times, most.get(number, 0))
        powers: dict[int, list[Polynomial]] = {}
        for number, times in most.items():
            base = self._polynomial(self._others[number])
            powers[number] = [base**0]
            for _ in range(times):
                powers[number].append(powers[number][-1] * base)
        return powers

    @cached_property
    def _laws(self) -> dict[int, Polynomial]:
        """A, by the number of the class, as far as it is kept for the next ε."""
        return {}

    def _law(self, known: int) -> Polynomial:
        """A, the law of what the others of a class add, up to a constant that is added to the total."""
        law = self._laws.get(known)
        if law is None:
            law = self._factors[0] ** 0
            for number, times in self.classes[known].open:
                law *= self._powers[number][times]
            if len(self.classes) * self.degree <= MOST_KEPT:
                self._laws[known] = law
        return law

    @cached_property
    def firsts(self) -> list[int]:
        """The first of each class of pairs that are one up to the names of values and outputs, in their order."""
        if not self._renamings:
            return list(range(len(self)))
        at = {known.open: k for k, known in enumerate(self.classes)}
        pair_at = {pair: k for k, pair in enumerate(self.values)}
        moved = [
            (
                [pair_at.get((values[a], values[b]), -1) for a, b in self.values],
                [at[_renamed(known.open, numbers)] for known in self.classes],
            )
            for values, numbers in self._renamings
        ]
        size, firsts = len(self.classes), []
        for pair in range(len(self.values)):
            listed = [(pairs[pair], classes) for pairs, classes in moved if 0 <= pairs[pair] <= pair]
            firsts += [
                pair * size + known
                for known in range(size)
                if all((p, classes[known]) >= (pair, known) for p, classes in listed)
            ]
        return firsts

    @cached_property
    def _renamings(self) -> list[tuple[Sequence[int], Mapping[int, int]]]:
        """Permutations of the values that are undone by one of the totals, with what becomes of each law of another.

        R[σ(v)] is R[v] with the totals renamed by one and the same permutation, as for the k values of randomized
        response; the multisets of the others go over into one another. Without the identity.
        """
        model, shifts = self.base.model, {known.shift for known in self.classes}
        if len(model.values) > MOST_RENAMED or len(shifts) > 1 or len(model.present) < len(model.values):
            return []
        number_of = {frozenset(law.items()): number for number, law in self._others.items()}
        numbers = [number_of.get(frozenset(_least(draw).items())) for draw in self._draws]
        if None in numbers or len({min(draw) for draw in self._draws}) > 1 or len(set(numbers)) < len(numbers):
            return []
        keys = sorted({key for draw in self._draws for key in draw})
        columns = sorted(tuple(draw.get(key, 0) for draw in self._draws) for key in keys)
        found = []
        for values in permutations(range(len(numbers))):
            renamed = sorted(tuple(self._draws[v].get(key, 0) for v in values) for key in keys)
            if renamed == columns and values != tuple(range(len(numbers))):
                found.append((values, {numbers[v]: numbers[w] for v, w in enumerate(values)}))
        return found  # type: ignore[return-value]

    def deltas(self, u: int, v: int) -> list[Fraction]:
        """δ of each pair of `firsts` at e^ε = u/v; for v = 0 the mass of the totals that the second law never has."""
        possible = [self._possible(a, b) for a, b in self.values] if not v else [False] * len(self.values)
        total, found = self._factors[0](1), []
        for k in self.firsts:
            pair, known = divmod(k, len(self.classes))
            if possible[pair]:
                found.append(Fraction(0))
                continue
            law = self._law(known)
            a, b = (self._factors[value] for value in self.values[pair])
            gains = _positive((law * (v * a - u * b)).coeffs()) if v else _never(law * a, law * b)
            found.append(Fraction(int(gains), int(law(1) * total * (v or 1))))
        return found

    def _possible(self, a: int, b: int) -> bool:
        """Whether the record may add with the value b all that it may add with a."""
        return self._draws[a].keys() <= self._draws[b].keys()


def _positive(coefficients: Iterable[Any]) -> Any:
    return sum((c for c in coefficients if c > 0), 0)


def _never(first: Polynomial, second: Polynomial) -> Any:
    """The weight of the totals that are possible with the first law and impossible with the second."""
    p, q = first.coeffs(), second.coeffs()
    return sum((x for x, y in zip(p, q + [0] * (len(p) - len(q)), strict=False) if not y), 0)


def _least(draw: Weights) -> dict[int, int]:
    """The weights without their common factor, from the least key on, as classes of knowledge keep them."""
    low, shared = min(draw), gcd(*draw.values())
    return {key - low: weight // shared for key, weight in draw.items()}


def _renamed(left: Iterable[tuple[int, int]], numbers: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((numbers[number], times) for number, times in left))
