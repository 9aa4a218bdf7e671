"""All models of a scope up to renaming, each orbit once, the smallest first.

The order: records, values, outputs, knowledge values; then how many worlds are possible; the least common denominators
of θ and of the mechanism; then lexicographic, larger weights first, θ before the mechanism. The representative of an
orbit is its first model in this order. Since it is ordered by θ first, θ is the first of its own orbit, and the
mechanism is the first among its images under the renamings that leave θ alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, gcd

import numpy as np
from numpy.typing import NDArray

from verifier.errors import LimitError
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.orbits import FULL, Symmetry, database_renamings
from verifier.wings.search.scope import Scope, Shape

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

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


@dataclass(frozen=True, eq=False)
class Laws:
    """Representatives of the θ of a layer up to renaming, in order.

    `weights[l, d * knowledge + b]` is the weight of a world; `size[l]` is the number of θ in the orbit; `still[l, g]`
    says whether renaming number g of Tⁿ, with some renaming of B, leaves θ unchanged.
    """

    weights: Integers
    size: Integers
    still: Mask


@dataclass(frozen=True, eq=False)
class Mechanisms:
    """Representatives of mechanisms under some renamings of Tⁿ and all of the outputs, in order.

    `rows[m, d]` is the number of the row of database d; `size[m]` is the number of mechanisms in the orbit.
    """

    code: Integers
    rows: NDArray[np.int32]
    size: Integers


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


@lru_cache(maxsize=8)
def laws(shape: Shape, support: int, law_total: int, *, first_only: bool, symmetry: Symmetry) -> Laws:
    """The θ of a layer, one of each orbit, in order.

    >>> laws(Shape(2, 2, 1, 1), 2, 2, first_only=False, symmetry=FULL).weights.tolist()
    [[1, 1, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0]]
    """
    worlds = shape.databases * shape.knowledge
    compositions = np.array(positive_compositions(law_total, support), dtype=np.int16).reshape(-1, support)
    places = np.array(list(combinations(range(worlds), support)), dtype=np.int16).reshape(-1, support)
    table = np.zeros((len(places), len(compositions), worlds), dtype=np.int16)
    np.put_along_axis(
        table,
        np.broadcast_to(places[:, None, :], (len(places), len(compositions), support)).astype(np.int64),
        np.broadcast_to(compositions[None, :, :], (len(places), len(compositions), support)),
        axis=2,
    )
    weights = table.reshape(-1, worlds)
    of_each = weights.reshape(-1, shape.databases, shape.knowledge).sum(axis=1)
    weights = weights[of_each.min(axis=1, initial=law_total) > 0]
    group = database_renamings(shape.records, shape.values, first_only=first_only, symmetry=symmetry)
    of_knowledge = symmetry.of_knowledge(shape.knowledge)
    columns = [[[d * shape.knowledge + b for d in p for b in q] for q in of_knowledge] for p in group]
    for wide in columns:
        for permutation in wide:
            weights = weights[_order(weights, weights[:, permutation]) >= 0]
    weights = weights[np.lexsort(tuple(-weights[:, k] for k in reversed(range(worlds))))]
    still = np.zeros((len(weights), len(group)), dtype=np.bool_)
    alike = np.zeros(len(weights), dtype=np.int64)
    for g, wide in enumerate(columns):
        for permutation in wide:
            same = (weights == weights[:, permutation]).all(axis=1)
            still[:, g] |= same
            alike += same
    return Laws(weights.astype(np.int64), len(group) * len(of_knowledge) // alike, still)


def _order(first: NDArray[np.int16], second: NDArray[np.int16]) -> NDArray[np.int16]:
    """Row by row: positive where the first is lexicographically larger, 0 where equal, else negative."""
    if not len(first):
        return np.zeros(0, dtype=np.int16)
    at = (first != second).argmax(axis=1)
    every = np.arange(len(first))
    difference: NDArray[np.int16] = first[every, at] - second[every, at]
    return difference


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


Permutations = tuple[tuple[int, ...], ...]
WHOLE = 1 << 21
"""Largest number of mechanisms of a shape that are made at once and kept; larger shapes are made in parts."""


def mechanisms(
    outputs: int, row_total: int, group: Permutations, begin: int, end: int, symmetry: Symmetry = FULL
) -> Mechanisms:
    """The mechanisms with numbers from `begin` to `end` that are the first of their orbit.

    The number has one digit for each database, the first one most significant; digit k is row number k.

    >>> mechanisms(2, 1, ((0, 1), (1, 0)), 0, 4).rows.tolist()
    [[0, 1]]
    """
    if len(row_options(outputs, row_total)) ** len(group[0]) > WHOLE:
        return _some_mechanisms(outputs, row_total, group, begin, end, symmetry)
    representatives = _all_mechanisms(outputs, row_total, group, symmetry)
    chosen = slice(*np.searchsorted(representatives.code, (begin, end)))
    return Mechanisms(representatives.code[chosen], representatives.rows[chosen], representatives.size[chosen])


@lru_cache(maxsize=24)
def _all_mechanisms(outputs: int, row_total: int, group: Permutations, symmetry: Symmetry) -> Mechanisms:
    number, step = len(row_options(outputs, row_total)) ** len(group[0]), 1 << 16
    chunks = [
        _made(outputs, row_total, group, begin, min(begin + step, number), symmetry)
        for begin in range(0, number, step)
    ]  # fmt: skip
    code, rows, size = (np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("code", "rows", "size"))
    return Mechanisms(code, rows, size)


def _made(outputs: int, row_total: int, group: Permutations, begin: int, end: int, symmetry: Symmetry) -> Mechanisms:
    options = row_options(outputs, row_total)
    base, databases = len(options), len(group[0])
    row_number = {row: k for k, row in enumerate(options)}
    powers = np.array([base ** (databases - 1 - d) for d in range(databases)], dtype=np.int64)
    code = np.arange(begin, end, dtype=np.int64)
    used = np.array([sum(1 << o for o, weight in enumerate(row) if weight) for row in options], dtype=np.int64)
    common = np.array([gcd(*row) for row in options], dtype=np.int64)
    rows = code[:, None] // powers % base
    keep = np.bitwise_or.reduce(used[rows], axis=1) == (1 << outputs) - 1
    keep &= np.gcd.reduce(common[rows], axis=1) == 1
    code, rows = code[keep], rows[keep]
    alike = np.zeros(len(code), dtype=np.int64)
    of_outputs = symmetry.of_outputs(outputs)
    for r in of_outputs:
        renamed = np.array([row_number[tuple(row[o] for o in r)] for row in options], dtype=np.int64)
        for p in group:
            renamed_code = renamed[rows][:, p] @ powers
            keep = renamed_code >= code
            if not keep.all():
                code, rows, alike, renamed_code = code[keep], rows[keep], alike[keep], renamed_code[keep]
            alike += renamed_code == code
    return Mechanisms(code, rows.astype(np.int32), len(group) * len(of_outputs) // alike)


_some_mechanisms = lru_cache(maxsize=64)(_made)


def forget() -> None:
    """Clear the caches of distributions and mechanisms."""
    for kept in (laws, _all_mechanisms, _some_mechanisms):
        kept.cache_clear()


def stabilizer(laws_: Laws, law: int, shape: Shape, *, first_only: bool, symmetry: Symmetry) -> Permutations:
    """The renamings of Tⁿ that, with some renaming of B, leave θ number `law` unchanged."""
    group = database_renamings(shape.records, shape.values, first_only=first_only, symmetry=symmetry)
    return tuple(p for p, yes in zip(group, laws_.still[law], strict=True) if yes)


def candidate(layer: Layer, law: Integers, rows: NDArray[np.int32], *, first_only: bool) -> Candidate:
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


def enumerate_models(scope: Scope, symmetry: Symmetry = FULL) -> Iterator[tuple[Candidate, int]]:
    """Every orbit once, in order, as its first model and the number of models in it.

    >>> every = list(enumerate_models(Scope(2, 2, 2, 1, weights=2, mechanism_weights=1)))
    >>> len(every), sum(size for _, size in every), every[0][0].law
    (34, 159, (1, 0))
    """
    admit(scope)
    for shape in scope.shapes():
        for layer in layers(shape, scope):
            representatives = laws(
                shape, layer.support, layer.law_total, first_only=scope.first_only, symmetry=symmetry
            )
            for k in range(len(representatives.size)):
                group = stabilizer(representatives, k, shape, first_only=scope.first_only, symmetry=symmetry)
                for begin in range(0, codes(layer), 1 << 18):
                    end = min(begin + (1 << 18), codes(layer))
                    batch = mechanisms(shape.outputs, layer.row_total, group, begin, end, symmetry)
                    for rows, size in zip(batch.rows, batch.size, strict=True):
                        model = candidate(layer, representatives.weights[k], rows, first_only=scope.first_only)
                        yield model, int(representatives.size[k] * size)
