"""Groups of records that are independent of all others, each with its joint law, as a model file gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from verifier.checker.labels import ONE, Uncovered
from verifier.checker.made import Database
from verifier.checker.numbers import Rejected

MOST = 1 << 20
"""Most worlds of one θ that are listed."""
Group = tuple[tuple[int, ...], dict[Database, Fraction]]
"""Records that are independent of all others, and their joint law."""


def law_of(table: dict[Database, Fraction]) -> dict[Database, Fraction]:
    """The law without databases of probability 0; the probabilities must sum to 1."""
    if sum(table.values()) != 1:
        raise Rejected("the model file has a table of probabilities that is no law")
    return {database: p for database, p in table.items() if p}


def joined(groups: Sequence[Group], most: int = MOST) -> Iterator[tuple[Database, Fraction]]:
    """The databases of independent groups that make up all records, with their probabilities."""
    if prod(len(law) for _, law in groups) > most:
        raise Uncovered("a distribution with very many worlds")
    order = [i for records, _ in groups for i in records]
    places = [order.index(i) for i in sorted(order)]
    for chosen in product(*(law.items() for _, law in groups)):
        values = [v for row, _ in chosen for v in row]
        yield tuple(values[k] for k in places), prod((p for _, p in chosen), start=ONE)
