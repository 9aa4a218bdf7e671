"""Records that may be exchanged: a worst mechanism is taken constant on databases that are alike (proofs/worst.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from verifier.model import Database
from verifier.wings.search.linear_bounds import Form, WeightedPair

if TYPE_CHECKING:
    from verifier.wings.search.program import AssumedComparison

Shape = tuple[Fraction, frozenset[tuple[Database, Fraction]], frozenset[tuple[Database, Fraction]]]
Swap = tuple[int, int]


def shape_of(pair: WeightedPair, swap: Swap | None = None) -> Shape:
    """The share and both laws of a weighted pair, with two records exchanged: equal shapes are one inequality."""

    def moved(law: tuple[tuple[Database, Fraction], ...]) -> frozenset[tuple[Database, Fraction]]:
        return frozenset(law) if swap is None else frozenset((swapped(d, swap), x) for d, x in law)

    return pair.share, moved(pair.p), moved(pair.q)


def swapped(database: Database, swap: Swap) -> Database:
    """The database with two records exchanged."""
    i, j = swap
    exchanged = list(database)
    exchanged[i], exchanged[j] = exchanged[j], exchanged[i]
    return tuple(exchanged)


def _invariant(law: Mapping[Database, object], swap: Swap) -> bool:
    """Whether a law on databases stays the same with two records exchanged."""
    return all(law.get(swapped(database, swap)) == weight for database, weight in law.items())


@dataclass(frozen=True)
class Alike:
    """Classes of records; exchanging two records of a class changes neither the assumptions nor the objective."""

    classes: tuple[tuple[int, ...], ...]

    @property
    def swaps(self) -> list[Swap]:
        """Exchanges of two records of a class that generate all of them."""
        return [(i, j) for members in self.classes for i, j in pairwise(members)]

    def first(self, database: Database) -> Database:
        """The database with the values of each class in ascending order, which represents its orbit.

        >>> Alike(((0,), (1, 2, 3))).first((1, 2, 0, 1))
        (1, 0, 1, 2)
        """
        ordered = list(database)
        for members in self.classes:
            for i, value in zip(members, sorted(database[i] for i in members), strict=True):
                ordered[i] = value
        return tuple(ordered)


class Exchanges:
    """The exchanges of two records that map the set of assumed comparisons to itself."""

    def __init__(self, bounds: Sequence[AssumedComparison]) -> None:
        self.bounds = bounds
        self.index = {self._key(k): k for k in reversed(range(len(bounds)))}

    def _key(self, bound: int, swap: Swap | None = None) -> object:
        assumption = self.bounds[bound]
        return (
            assumption.E,
            assumption.delta,
            frozenset(Counter(shape_of(pair, swap) for pair in assumption.form.parts).items()),
        )

    @cached_property
    def size(self) -> int:
        """The number of records in the assumed comparisons; 0 where nothing is assumed."""
        return max((len(d) for bound in self.bounds for d in bound.form.databases), default=0)

    @cached_property
    def swaps(self) -> set[Swap]:
        """All exchanges (i, j), i < j, that map the set of assumed comparisons to itself."""
        every = range(len(self.bounds))
        return {s for s in combinations(range(self.size), 2) if all(self._key(k, s) in self.index for k in every)}

    def alike(self, form: Form) -> Alike:
        """The classes of records whose exchanges also leave each law of the objective unchanged."""
        return self.alike_for([dict(law) for pair in form.parts for law in (pair.p, pair.q)])

    def alike_for(self, laws: Sequence[Mapping[Database, object]]) -> Alike:
        """The classes of records whose exchanges also leave these functions of databases unchanged."""
        size = max(self.size, *(len(database) for law in laws for database in law))
        free = set(combinations(range(size), 2)) if not self.bounds else self.swaps
        kept = {s for s in free if all(_invariant(law, s) for law in laws)}
        classes: list[list[int]] = []
        for record in range(size):
            own_class = next((members for members in classes if (members[0], record) in kept), None)
            if own_class is None:
                classes.append([record])
            else:
                own_class.append(record)
        return Alike(tuple(map(tuple, classes)))

    def orbit(self, bound: int, pair: int, alike: Alike) -> list[tuple[int, int]]:
        """The numbers (bound, pair) of all pairs of laws that exchanges of alike records make of one pair."""
        orbit, waiting = {(bound, pair): None}, [(bound, pair)]
        while waiting:
            k, j = waiting.pop()
            for swap in alike.swaps:
                exchanged = self.index[self._key(k, swap)]
                shapes = [shape_of(pair, swap) for pair in self.bounds[k].form.parts]
                same = [at for at, pair in enumerate(self.bounds[exchanged].form.parts) if shape_of(pair) == shapes[j]]
                member = exchanged, same[shapes[:j].count(shapes[j])]
                if member not in orbit:
                    orbit[member] = None
                    waiting.append(member)
        return list(orbit)
