"""Records that may be exchanged: a worst mechanism is taken constant on databases that are alike (proofs/worst.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from verifier.model import Database
from verifier.wings.search.forms import Form, Part

if TYPE_CHECKING:
    from verifier.wings.search.program import Bound

Shape = tuple[Fraction, frozenset[tuple[Database, Fraction]], frozenset[tuple[Database, Fraction]]]
Swap = tuple[int, int]


def shape_of(part: Part, swap: Swap | None = None) -> Shape:
    """What of a part counts: its share and both laws, with two records exchanged."""

    def moved(law: tuple[tuple[Database, Fraction], ...]) -> frozenset[tuple[Database, Fraction]]:
        return frozenset(law) if swap is None else frozenset((swapped(d, swap), x) for d, x in law)

    return part.share, moved(part.p), moved(part.q)


def swapped(database: Database, swap: Swap) -> Database:
    """The database with two records exchanged."""
    i, j = swap
    found = list(database)
    found[i], found[j] = found[j], found[i]
    return tuple(found)


def _invariant(law: dict[Database, Fraction], swap: Swap) -> bool:
    """Whether a law on databases stays the same with two records exchanged."""
    return all(law.get(swapped(database, swap)) == weight for database, weight in law.items())


@dataclass(frozen=True)
class Alike:
    """Classes of records; exchanging two of one class changes neither what is assumed nor the objective."""

    classes: tuple[tuple[int, ...], ...]

    @property
    def swaps(self) -> list[Swap]:
        """Exchanges that generate all others."""
        return [(i, j) for one in self.classes for i, j in pairwise(one)]

    def first(self, database: Database) -> Database:
        """The database with the values of each class in order: one of each orbit.

        >>> Alike(((0,), (1, 2, 3))).first((1, 2, 0, 1))
        (1, 0, 1, 2)
        """
        found = list(database)
        for one in self.classes:
            for i, value in zip(one, sorted(database[i] for i in one), strict=True):
                found[i] = value
        return tuple(found)


class Symmetry:
    """The exchanges of two records that leave the assumed comparisons as a whole alone."""

    def __init__(self, bounds: Sequence[Bound]) -> None:
        self.bounds = bounds
        self.index = {self._key(k): k for k in reversed(range(len(bounds)))}

    def _key(self, bound: int, swap: Swap | None = None) -> object:
        one = self.bounds[bound]
        return one.E, one.delta, frozenset(Counter(shape_of(part, swap) for part in one.form.parts).items())

    @cached_property
    def size(self) -> int:
        """The number of records."""
        return max((len(d) for one in self.bounds for d in one.form.databases), default=0)

    @cached_property
    def swaps(self) -> set[Swap]:
        """All of them."""
        every = range(len(self.bounds))
        return {s for s in combinations(range(self.size), 2) if all(self._key(k, s) in self.index for k in every)}

    def alike(self, form: Form) -> Alike:
        """The classes that also leave each part of the objective alone."""
        size = max(self.size, *map(len, form.databases))
        free = set(combinations(range(size), 2)) if not self.bounds else self.swaps
        laws = [dict(law) for part in form.parts for law in (part.p, part.q)]
        kept = {s for s in free if all(_invariant(law, s) for law in laws)}
        classes: list[list[int]] = []
        for record in range(size):
            mine = next((one for one in classes if (one[0], record) in kept), None)
            if mine is None:
                classes.append([record])
            else:
                mine.append(record)
        return Alike(tuple(map(tuple, classes)))

    def orbit(self, bound: int, part: int, alike: Alike) -> list[tuple[int, int]]:
        """All (bound, part) that exchanges make of one."""
        found, waiting = {(bound, part): None}, [(bound, part)]
        while waiting:
            k, j = waiting.pop()
            for swap in alike.swaps:
                image = self.index[self._key(k, swap)]
                shapes = [shape_of(part, swap) for part in self.bounds[k].form.parts]
                same = [at for at, one in enumerate(self.bounds[image].form.parts) if shape_of(one) == shapes[j]]
                one = image, same[shapes[:j].count(shapes[j])]
                if one not in found:
                    found[one] = None
                    waiting.append(one)
        return list(found)
