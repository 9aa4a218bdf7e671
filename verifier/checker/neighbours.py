"""Neighbours: one record is changed, added or removed; or the entries of a vector of numbers move by at most 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from .mechanisms import Database
from .numbers import Label, Unsupported, Wrong, afford, number

if TYPE_CHECKING:
    from .comparisons import Asked

OF_VECTORS: dict[str, Callable[[list[Fraction]], bool]] = {
    "every-entry-by-one": lambda apart: True,
    "one-entry": lambda apart: len(apart) == 1,
    "one-direction": lambda apart: min(apart) > 0 or max(apart) < 0,
}
"""What relations of vectors of answers say of the differences that are not 0, each of which is at most 1."""
RELATIONS = ("change", "add-remove", "any", *OF_VECTORS)
"""What `[policy] neighbours` may be."""


def replacing(database: Database, record: int, *values: Label) -> Database:
    """A database with a value in place of a record; without one the record is gone."""
    return (*database[:record], *values, *database[record + 1 :])


class Move(NamedTuple):
    """Two databases of which one record differs: from a to b, None where it is not there; of vectors all are None."""

    first: Database
    second: Database
    record: int | None
    a: Label | None
    b: Label | None

    @property
    def is_change(self) -> bool:
        """Whether the record is there before and after."""
        return self.a is not None and self.b is not None


def moves(asked: Asked, which: str | None = None) -> Iterator[Move]:
    """Ordered pairs of neighbours by the name of their relation; None: what [policy] says."""
    which = asked.relation(which)
    if which in OF_VECTORS:
        yield from _of_vectors(asked, which)
        return
    for move in _steps(asked):
        if which == "any" or move.is_change == (which == "change"):
            yield move


def _steps(asked: Asked) -> Iterator[Move]:
    m, records = asked.model, asked.records
    every = m.databases()
    afford(len(every) * len(m.values) * max(len(records), 1), "the pairs of databases that differ in one record")
    if m.many:
        for d in every:
            for a in dict.fromkeys(d):
                at = d.index(a)
                rest = replacing(d, at)
                yield from (Move(d, m.home.ordered((*rest, b)), None, a, b) for b in m.values if b != a)
                if len(rest) >= m.home.least:
                    yield Move(d, rest, None, a, None)
                    yield Move(rest, d, None, None, a)
        return
    there: Callable[[Label], Label | None] = lambda v: None if v == m.absent else v  # noqa: E731
    for d in every:
        for i in records:
            yield from (Move(d, replacing(d, i, b), i, there(d[i]), there(b)) for b in m.values if b != d[i])


def _of_vectors(asked: Asked, which: str) -> Iterator[Move]:
    """Ordered pairs of vectors that agree outside the protected records, and differ by at most 1 everywhere."""
    m, free = asked.model, set(asked.records)
    if m.many or m.absent is not None:
        raise Unsupported("a vector of answers has one size, and none of its entries is absent")
    try:
        numbers = {v: number(v) for v in m.values}
    except Wrong:
        raise Unsupported("the values are no numbers, so that none is near another") from None
    every = m.databases()
    afford(len(every) ** 2, "the pairs of databases")
    for d, e in permutations(every, 2):
        at = differing(d, e)
        apart = [numbers[e[i]] - numbers[d[i]] for i in at]
        if free.issuperset(at) and all(abs(x) <= 1 for x in apart) and OF_VECTORS[which](apart):
            one = (at[0], d[at[0]], e[at[0]]) if len(at) == 1 else (None, None, None)
            yield Move(d, e, *one)


def differing(d: Database, e: Database) -> list[int]:
    """The records that differ."""
    return [i for i, (a, b) in enumerate(zip(d, e, strict=True)) if a != b]
