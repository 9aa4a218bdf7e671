"""Neighbours of a mechanism that is a table, as columns: every law is kept once, and a pair of laws is two numbers.

All databases are looked at once each, not once for every record and pair of values; which of them are neighbours is
then a matter of positions in an array with one axis a record. The plain way is `rows.neighbours`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product as cartesian

import numpy as np

from verifier.engine.enumerated import Neighbours, refuse_databases, scaled
from verifier.model import Database, Model
from verifier.tables import Label, Law
from verifier.tables.columns import Codes

MAX_CELLS = 1 << 22
"""Most cells of a column: the outputs, times the pairs of one record."""
SHORT = 1 << 31
"""Denominators below this have products that are int64."""


@dataclass
class NeighbourLaws:
    """The different output laws, numbered, as columns of integer weights, each over its own denominator."""

    laws: list[Law] = field(default_factory=list)
    outputs: dict[Label, int] = field(default_factory=dict)
    _rows: dict[tuple[Label, ...], list[int]] = field(default_factory=dict)
    _numbers: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)

    def number(self, law: Law) -> int:
        """The number of a law; a new one is kept."""
        rows = self._rows.get(law.outcomes)
        if rows is None:
            rows = [self.outputs.setdefault(outcome, len(self.outputs)) for outcome in law.outcomes]
            self._rows[law.outcomes] = rows
        number = self._numbers.setdefault((id(rows), law.weights), len(self.laws))
        if number == len(self.laws):
            self.laws.append(law)
        return number

    @cached_property
    def denominators(self) -> Codes:
        """The denominators of the laws: as int64 where all are short, else as Python integers."""
        longest = max(law.denominator for law in self.laws)
        return np.array([law.denominator for law in self.laws], dtype=np.int64 if longest < SHORT else object)

    @cached_property
    def weights(self) -> Codes:
        """The weights of the laws: a row for each output, a column for each law."""
        columns = []
        for law in self.laws:
            column = [0] * len(self.outputs)
            for row, weight in zip(self._rows[law.outcomes], law.weights, strict=True):
                column[row] = weight
            columns.append(column)
        return np.ascontiguousarray(np.array(columns, dtype=self.denominators.dtype).T)


@dataclass(frozen=True, eq=False)
class Adjacent:
    """All pairs of databases that differ in one record, those with equal laws lumped, in the order of the plain way.

    The k-th pair replaces a by b, `values[k]` = (a, b); its laws have the numbers `first[k]` and `second[k]`.
    """

    model: Model
    record: int
    table: NeighbourLaws
    values: list[tuple[int, int]]
    first: Codes
    second: Codes
    counts: list[int]
    contexts: list[int]
    """The first of the lumped contexts: its position among the databases without the record."""

    @cached_property
    def multiplicity(self) -> int:
        """How many ordered pairs of databases there are."""
        return sum(self.counts)

    def neighbours(self, k: int) -> Neighbours:
        """The k-th pair, as the plain way lists it."""
        a, b = self.values[k]
        first, second = (self.table.laws[int(laws[k])] for laws in (self.first, self.second))
        return Neighbours(self.record, a, b, *scaled(first, second), self.counts[k], lambda: self._database(k))

    def _database(self, k: int) -> Database:
        number, context, others_of = len(self.model.values), self.contexts[k], []
        for _ in range(self.model.size - 1):
            context, value = divmod(context, number)
            others_of.append(value)
        others_of.reverse()
        return (*others_of[: self.record], self.values[k][0], *others_of[self.record :])


def adjacent(model: Model, max_rows: int, *, one_order: bool = False) -> Iterator[Adjacent] | None:
    """The pairs of each protected record; None where their columns would be too long.

    Raises:
        LimitError: where there are too many databases.
        UnsupportedError: for the first database for which the mechanism is not defined.

    """
    refuse_databases(model, max_rows)
    size, number = model.size, len(model.values)
    records = model.protected_records
    if not records or len(model.present) < 2:
        return None
    table, law = NeighbourLaws(), model.mechanism.law
    before = records[0]  # in the order of the plain way, which names the same database where the mechanism has no law
    numbers = [
        table.number(law((*others[:before], value, *others[before:])))
        for others in cartesian(range(number), repeat=size - 1)
        for value in range(number)
    ]
    if len(table.outputs) * number**size * (number - 1) > MAX_CELLS:
        return None
    databases = np.moveaxis(np.array(numbers, dtype=np.int64).reshape((number,) * size), -1, before)
    pairs = [(a, b) for a, b in cartesian(model.present, repeat=2) if a < b or (a > b and not one_order)]
    by_record = ((record, np.moveaxis(databases, record, 0).reshape(number, -1)) for record in records)
    return (_of_record(model, table, record, laws, pairs) for record, laws in by_record)


def _of_record(
    model: Model, table: NeighbourLaws, record: int, laws: Codes, replaced: list[tuple[int, int]]
) -> Adjacent:
    """The pairs of one record, from the number of the law for each of its values in each context."""
    values: list[tuple[int, int]] = []
    counts: list[int] = []
    contexts: list[int] = []
    pairs = []
    for a, b in replaced:
        _, first, times = np.unique(laws[a] * len(table.laws) + laws[b], return_index=True, return_counts=True)
        order = np.argsort(first)
        chosen = first[order]
        pairs.append(laws[[a, b]][:, chosen])
        contexts += chosen.tolist()
        counts += times[order].tolist()
        values += [(a, b)] * len(chosen)
    first_laws, second_laws = np.concatenate(pairs, axis=1)
    return Adjacent(model, record, table, values, first_laws, second_laws, counts, contexts)
