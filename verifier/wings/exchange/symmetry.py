"""Renamings that map the rows of A to rows of A: rows of B that differ by one have the same rate.

A renaming permutes the databases, by exchanging records, or values, in all of them at once. Where it maps the set of
lines a - x^c·b to itself, it maps the cone of A to itself; so a row and its renaming have the same largest p·m / q·m
over it, and a proof for the one becomes a proof for the other when the rows in it are renamed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from verifier.model import Database
from verifier.wings.exchange.program import Bounded
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.search.forms import DatabaseLaw

MOST_RENAMINGS = 150
"""Largest number of renamings that are tried; of more, those of values, or of records alone, are left out."""
Renaming = Mapping[Database, Database]
Times = TypeVar("Times")
Multipliers: TypeAlias = tuple[tuple[int, Times], ...]
Proved = TypeVar("Proved", bound=Bounded)
"""The type of what is proved of a row: its rate, or its largest gain."""


class HasLines(Protocol):
    """A cone or polytope that lines cut out, with numbers or functions as coefficients."""

    kept: list[int]

    @property
    def lines(self) -> Sequence[Mapping[Database, Any]]:
        """The coefficients of each line, by database."""
        ...

    @property
    def places(self) -> Mapping[Database, int]:
        """The numbers of the databases."""
        ...


class Renamings(Generic[Proved]):
    """The renamings that map a cone to itself, with the known rates of rows up to renaming."""

    def __init__(self, cone: HasLines) -> None:
        self.lines = {number: frozenset(cone.lines[number].items()) for number in cone.kept}
        self.numbers = {line: number for number, line in reversed(self.lines.items())}
        self.renamings = [renaming for renaming in _all(list(cone.places)) if self._keeps(renaming)]
        self.known: dict[Hashable, tuple[Proved, Renaming]] = {}

    def _keeps(self, renaming: Renaming) -> bool:
        """Whether a renaming maps each line to a line."""
        return all(frozenset((renaming[d], c) for d, c in line) in self.numbers for line in self.numbers)

    def rate(self, row: LinearRow) -> Proved | None:
        """The rate of a row that is a renaming of a row with known rate, without its column; None for another row."""
        if row.key not in self.known:
            return None
        rate, renaming = self.known[row.key]
        return replace(rate, row=row, multipliers=self.moved(rate.multipliers, renaming), column=None)

    def moved(self, multipliers: Multipliers[Times], renaming: Renaming) -> Multipliers[Times]:
        """Multipliers of lines by their numbers, each moved to the renamed line."""
        return tuple(
            (self.numbers[frozenset((renaming[d], c) for d, c in self.lines[number])], times)
            for number, times in multipliers
        )

    def forget(self) -> None:
        """Forget all rates, before another question."""
        self.known.clear()

    def learn(self, rate: Proved) -> None:
        """Keep the rate of a row, for all its renamings."""
        for key, renaming in zip(self.keys(rate.row), self.renamings, strict=True):
            self.known.setdefault(key, (rate, renaming))

    def keys(self, row: LinearRow) -> Iterator[Hashable]:
        """The keys of a row's images under the renamings, in their order."""
        for renaming in self.renamings:
            yield _renamed(row.p, renaming), _renamed(row.q, renaming), row.scale


def _renamed(law: DatabaseLaw, renaming: Renaming) -> frozenset[tuple[Database, Fraction]]:
    return frozenset((renaming[database], chance) for database, chance in law)


def _all(databases: Sequence[Database]) -> list[Renaming]:
    """The renamings of values, and of records where all databases have one size, that permute the databases."""
    sizes, values = {len(database) for database in databases}, sorted({v for database in databases for v in database})
    every = set(databases)
    size = max(sizes, default=0)
    ordered = len(sizes) == 1
    of_records = list(permutations(range(size))) if ordered and factorial(size) <= MOST_RENAMINGS else [()]
    few = len(of_records) * factorial(len(values)) <= MOST_RENAMINGS
    of_values = [dict(zip(values, image, strict=True)) for image in permutations(values)] if few else [{}]
    renamings: list[Renaming] = []
    for records, names in product(of_records, of_values):
        renaming = {database: _image(database, records, names, ordered=ordered) for database in databases}
        if set(renaming.values()) == every:
            renamings.append(renaming)
    return renamings


def _image(database: Database, records: Sequence[int], names: Mapping[int, int], *, ordered: bool) -> Database:
    moved = [database[i] for i in records] if records else database
    image = [names.get(v, v) for v in moved]
    return tuple(image if ordered else sorted(image))
