"""Renamings that map the rows of A to rows of A: rows of B that differ by one have the same rate.

A renaming permutes the databases, by exchanging records, or values, in all of them at once. Where it maps the set of
lines a - x^c·b to itself, it maps the cone of A to itself; so a row and its renaming have the same largest p·m / q·m
over it, and a proof for the one becomes a proof for the other when the rows in it are renamed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import factorial
from typing import Protocol, Self, TypeAlias, TypeVar

from verifier.model import Database
from verifier.wings.exchange.program import Program
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.search.linear_bounds import DatabaseLaw

MOST_RENAMINGS = 150
"""Largest number of renamings that are tried; of more, those of values, or of records alone, are left out."""
Renaming = Mapping[Database, Database]
Tick: TypeAlias = Callable[[int, int], object] | None


class Proved(Protocol):
    """What is proved of a row: its rate, its largest gain, or the pieces of its curve."""

    @property
    def row(self) -> LinearRow:
        """The row."""
        ...

    def renamed(self, row: LinearRow, lines: Callable[[int], int], databases: Renaming) -> Self:
        """The same proof for a renaming of the row, with the lines and databases renamed."""
        ...


Proof = TypeVar("Proof", bound=Proved)


class Renamings:
    """The renamings that map the lines of a program to lines of it; so a proof for one row proves its renamings."""

    def __init__(self, program: Program) -> None:
        self.lines = {number: frozenset(program.lines[number].items()) for number in program.kept}
        self.numbers = {line: number for number, line in reversed(self.lines.items())}
        self.renamings = [renaming for renaming in _all(program.databases) if self._keeps(renaming)]

    def _keeps(self, renaming: Renaming) -> bool:
        """Whether a renaming maps each line to a line."""
        return all(frozenset((renaming[d], c) for d, c in line) in self.numbers for line in self.numbers)

    def proofs(
        self,
        rows: Sequence[LinearRow],
        prove: Callable[[LinearRow], Proof],
        tick: Tick = None,
        known: dict[Hashable, tuple[Proof, Renaming]] | None = None,
    ) -> Iterator[Proof]:
        """A proof of each row, in order; one of rows that differ by a renaming is made, and `known` keeps it."""
        known = {} if known is None else known
        for number, row in enumerate(rows, 1):
            if row.key not in known:
                proof = prove(row)
                for key, renaming in zip(self.keys(row), self.renamings, strict=True):
                    known.setdefault(key, (proof, renaming))
            proof, renaming = known[row.key]
            yield proof if proof.row is row else proof.renamed(row, partial(self.line, renaming), renaming)
            if tick:
                tick(number, len(rows))

    def line(self, renaming: Renaming, number: int) -> int:
        """The number of the line that a renaming makes of a line."""
        return self.numbers[frozenset((renaming[database], c) for database, c in self.lines[number])]

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
