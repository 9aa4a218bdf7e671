"""The layers of a scope, in the order of the search, and what both ways to count share: weights, rows, a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, gcd

from verifier.errors import LimitError
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.scope import Scope, Shape

MAX_LAWS = 1 << 23
"""Largest number of θ of one layer, since they are held in memory."""
MAX_CODES = 1 << 62
"""Largest number of mechanisms of one shape, since each has a number of 64 bits."""


@dataclass(frozen=True, order=True)
class Layer:
    """The models of one shape with `support` possible worlds and these least common denominators of θ and of rows."""

    shape: Shape
    support: int
    law_total: int
    row_total: int


def divisors(total: int) -> list[int]:
    """The divisors of a positive integer, in increasing order."""
    return [k for k in range(1, total + 1) if total % k == 0]


def layers(shape: Shape, scope: Scope) -> Iterator[Layer]:
    """The layers of a shape in order; a layer may have no model."""
    most = min(scope.weights, shape.databases * shape.knowledge)
    for support in range(shape.knowledge, most + 1):
        for law_total in divisors(scope.weights):
            if law_total >= support:
                for row_total in divisors(scope.mechanism_weights):
                    yield Layer(shape, support, law_total, row_total)


def laws_made(layer: Layer) -> int:
    """A bound on the number of θ of a layer before symmetry, which are held in memory."""
    worlds = layer.shape.databases * layer.shape.knowledge
    return comb(worlds, layer.support) * comb(layer.law_total - 1, layer.support - 1)


def admit(scope: Scope) -> None:
    """Refuse a scope whose tables of θ or numbers of mechanisms would be too large, before any work.

    Raises:
        LimitError: with the shape and the number.

    """
    for shape in scope.shapes():
        for layer in layers(shape, scope):
            if laws_made(layer) > MAX_LAWS:
                raise LimitError(
                    f"{shape.records} records, {shape.values} values, {shape.knowledge} knowledge values with "
                    f"{layer.support} possible worlds have {laws_made(layer):,} distributions",
                    where="scope",
                    wanted=f"at most {MAX_LAWS:,} at once",
                    tip="use fewer records, values or knowledge values, or a coarser grid (weights)",
                )
            if len(row_options(shape.outputs, layer.row_total)) ** shape.databases > MAX_CODES:
                raise LimitError(
                    f"{shape.records} records, {shape.values} values, {shape.outputs} outputs have more than 2^62 "
                    "mechanisms",
                    where="scope",
                    wanted="fewer",
                    tip="use fewer records, values or outputs, or a coarser grid (mechanism weights)",
                )


def positive_compositions(total: int, count: int) -> list[tuple[int, ...]]:
    """All tuples of `count` positive integers with the sum `total` and without a common factor.

    >>> positive_compositions(4, 2)
    [(1, 3), (3, 1)]
    """
    cuts = ((0, *chosen, total) for chosen in combinations(range(1, total), count - 1))
    compositions = (tuple(b - a for a, b in pairwise(cut)) for cut in cuts)
    return [weights for weights in compositions if gcd(*weights) == 1]


@lru_cache(maxsize=64)
def row_options(outputs: int, total: int) -> tuple[tuple[int, ...], ...]:
    """All rows of a mechanism, larger weights first.

    >>> row_options(2, 2)
    ((2, 0), (1, 1), (0, 2))
    """
    if outputs == 1:
        return ((total,),)
    return tuple(
        (first, *following) for first in range(total, -1, -1) for following in row_options(outputs - 1, total - first)
    )


def codes(layer: Layer) -> int:
    """The number of mechanisms before symmetry, with those of smaller shapes and denominators."""
    return int(len(row_options(layer.shape.outputs, layer.row_total)) ** layer.shape.databases)


def candidate(layer: Layer, law: Iterable[int], rows: Iterable[int], *, first_only: bool) -> Candidate:
    """The model of a layer with these weights of θ and these numbers of rows."""
    options = row_options(layer.shape.outputs, layer.row_total)
    shape = layer.shape
    return Candidate(
        shape.records,
        shape.values,
        shape.outputs,
        shape.knowledge,
        layer.law_total,
        layer.row_total,
        tuple(int(weight) for weight in law),
        tuple(options[int(row)] for row in rows),
        first_only,
    )
