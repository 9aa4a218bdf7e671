"""Runs of mechanisms on every database at once, by rows of probabilities that are proportional.

The row of an output has its probability on each database. Outputs whose rows are proportional say the same about the
database, whatever its distribution: their ratios of likelihoods are alike, so that they are one output. Lists of
outputs of several runs are multisets, of which those with proportional rows are one output again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import comb, gcd, prod
from typing import TypeAlias

from verifier.errors import LimitError
from verifier.model import Database
from verifier.tables import Label, Law, label

MOST_CELLS = 1 << 18
"""Largest number of probabilities of all runs together."""
MOST_BITS = 1 << 30
"""Most bits of all of them together."""
Row: TypeAlias = tuple[int, ...]
"""The weights of an output on the databases, over a denominator for each database."""


def composed_laws(parts: Sequence[tuple[Mapping[Database, Law], int]]) -> dict[Database, Law]:
    """The law of all runs on each database: each mechanism, by its laws, with how often it is run.

    Raises:
        LimitError: for too many outputs of all runs together, before they are listed.

    """
    databases = [database for database in parts[0][0] if all(database in laws for laws, _ in parts)]
    single = [(merged(_rows(laws, databases)), times) for laws, times in parts]
    _refuse_many(parts, single, len(databases))
    listed = [merged(_lists(rows, times)) for rows, times in single]
    together = merged(tuple(map(prod, zip(*rows, strict=True))) for rows in product(*listed))
    names = [label(f"#{k}") for k in range(1, len(together) + 1)]
    return {
        database: Law.from_weights({name: row[k] for name, row in zip(names, together, strict=True)})
        for k, database in enumerate(databases)
    }


def _refuse_many(
    parts: Sequence[tuple[Mapping[Database, Law], int]], single: Sequence[tuple[list[Row], int]], databases: int
) -> None:
    """Refuse too many probabilities, or too long ones, before they are computed."""
    cells = prod(comb(times + len(rows) - 1, times) for rows, times in single) * databases
    runs = sum(times for _, times in single)
    if cells > MOST_CELLS:
        problem = f"{runs} runs have {cells:,} probabilities on {databases:,} databases"
        raise LimitError(problem, wanted=f"at most {MOST_CELLS:,}", tip="use fewer runs, records, values or outputs")
    bits = sum(times * max(law.denominator.bit_length() for law in laws.values()) for laws, times in parts)
    if cells * bits > MOST_BITS:
        problem = f"{runs} runs have {cells:,} probabilities of up to {bits:,} bits"
        raise LimitError(problem, wanted=f"at most {MOST_BITS:,} bits in all", tip="use fewer runs")


def _rows(laws: Mapping[Database, Law], databases: Sequence[Database]) -> Iterator[Row]:
    """The rows of the outputs, in the order in which they first come."""
    outputs: dict[Label, None] = {}
    for database in databases:
        outputs |= dict.fromkeys(laws[database].outcomes)
    weights = [dict(laws[database].items()) for database in databases]
    for output in outputs:
        yield tuple(law.get(output, 0) for law in weights)


def merged(rows: Iterable[Row]) -> list[Row]:
    """The rows, those that are proportional added up.

    >>> merged([(1, 2), (3, 1), (2, 4)])
    [(3, 6), (3, 1)]
    """
    sums: dict[Row, int] = {}
    for row in rows:
        shared = gcd(*row)
        if shared:
            direction = tuple(weight // shared for weight in row)
            sums[direction] = sums.get(direction, 0) + shared
    return [tuple(weight * times for weight in direction) for direction, times in sums.items()]


def _lists(rows: Sequence[Row], times: int) -> Iterator[Row]:
    """The rows of the multisets of outputs of so many runs: k!/Π cⱼ! · Π rowⱼ^cⱼ, for counts cⱼ that sum to k."""
    powers = [[tuple(weight**count for weight in row) for count in range(times + 1)] for row in rows]

    def rest(first: int, left: int, before: Row) -> Iterator[Row]:
        if first == len(rows) - 1:
            yield _times(before, powers[first][left], 1)
            return
        for count in range(left + 1):
            yield from rest(first + 1, left - count, _times(before, powers[first][count], comb(left, count)))

    return rest(0, times, tuple(1 for _ in rows[0]))


def _times(first: Row, second: Row, orders: int) -> Row:
    return tuple(x * y * orders for x, y in zip(first, second, strict=True))
