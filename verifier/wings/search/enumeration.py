"""All models of a scope up to renaming, each orbit once, the smallest first.

The order: records, values, outputs, knowledge values; then how many worlds are possible; the least common denominators
of θ and of the mechanism; then lexicographic, larger weights first, θ before the mechanism. The representative of an
orbit is its first model in this order. Since it is ordered by θ first, θ is the first of its own orbit, and the
mechanism is the first among its images under the renamings that leave θ alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import gcd

import numpy as np
from numpy.typing import NDArray

from verifier.wings.search.layers import positive_compositions, row_options
from verifier.wings.search.orbits import FULL, Symmetry, database_renamings, world_renamings
from verifier.wings.search.scope import Shape

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


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
    _, columns = world_renamings(shape, first_only=first_only, symmetry=symmetry)
    for wide in columns:
        for permutation in wide:
            weights = weights[_order(weights, weights[:, permutation]) >= 0]
    weights = weights[np.lexsort(tuple(-weights[:, k] for k in reversed(range(worlds))))]
    still = np.zeros((len(weights), len(columns)), dtype=np.bool_)
    alike = np.zeros(len(weights), dtype=np.int64)
    for g, wide in enumerate(columns):
        for permutation in wide:
            same = (weights == weights[:, permutation]).all(axis=1)
            still[:, g] |= same
            alike += same
    return Laws(weights.astype(np.int64), sum(map(len, columns)) // alike, still)


def _order(first: NDArray[np.int16], second: NDArray[np.int16]) -> NDArray[np.int16]:
    """Row by row: positive where the first is lexicographically larger, 0 where equal, else negative."""
    if not len(first):
        return np.zeros(0, dtype=np.int16)
    at = (first != second).argmax(axis=1)
    every = np.arange(len(first))
    difference: NDArray[np.int16] = first[every, at] - second[every, at]
    return difference


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


def stabilizer(laws_: Laws, law: int, shape: Shape, *, first_only: bool, symmetry: Symmetry) -> Permutations:
    """The renamings of Tⁿ that, with some renaming of B, leave θ number `law` unchanged."""
    group = database_renamings(shape.records, shape.values, first_only=first_only, symmetry=symmetry)
    return tuple(p for p, yes in zip(group, laws_.still[law], strict=True) if yes)
