"""Exact full columns of a product of independent records: the limbs are multiplied out in numpy.

The project does not need them, since its engine never lists the rows of a product; they are here so that explicit
tables can be compared with explicit tables. The rows of a product are blocks: each is a shorter column times one small
integer. A limb of w bits times a factor of 63 - w bits stays inside a word; one carry pass makes it canonical again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as cartesian
from math import prod

import numpy as np

from verifier.tables.columns import WIDEST, WORD, Codes, WideColumn, layout

FEW = 256
"""So many rows are made with Python integers."""
MANY = 16
"""About so many blocks are made at a time, so that each is long."""
BLOCK = 1 << 14
"""Rows that are multiplied at a time, so that they stay in the cache."""


def product_column(records: Sequence[Sequence[int]]) -> WideColumn:
    """All rows of a product, in lexicographic order: `records[i]` has the weight of each value.

    >>> column = product_column([[3, 10**9], [1, 10**9], [5, 10**9]])
    >>> column.grouped(np.array([0, 0, 0, 0, 0, 0, 0, 1]), 2)[1] == 10**27
    True
    """
    widest = min(WIDEST, WORD - max(max(weights) for weights in records).bit_length())
    if widest < 1:
        raise OverflowError("a record's weight is larger than a word leaves room for")
    width, count = layout(prod(sum(weights) for weights in records).bit_length(), widest)
    cut, rows = len(records), [1]
    while cut and len(rows) * len(records[cut - 1]) <= FEW:
        cut -= 1
        rows = [w * row for w in records[cut] for row in rows]
    limbs = _cut(rows, width, count)
    room = 1 << (WORD - width) if count > 1 else 1 << WORD
    while cut:
        scalars = [1]
        while cut and len(scalars) < MANY and max(records[cut - 1]) * max(scalars) <= room:
            cut -= 1
            scalars = [w * scalar for w in records[cut] for scalar in scalars]
        limbs = _expanded(limbs, scalars, width)
    return WideColumn(limbs, width)


def _cut(rows: list[int], width: int, count: int) -> tuple[Codes, ...]:
    mask = (1 << width) - 1
    lower = [np.array([(row >> (width * k)) & mask for row in rows], dtype=np.int64) for k in range(count - 1)]
    return (*lower, np.array([row >> (width * (count - 1)) for row in rows], dtype=np.int64))


def _expanded(limbs: tuple[Codes, ...], scalars: list[int], width: int) -> tuple[Codes, ...]:
    """The column once for each scalar, multiplied by it, one after the other."""
    length, mask, last = len(limbs[0]), (1 << width) - 1, len(limbs) - 1
    result = tuple(np.empty(length * len(scalars), dtype=np.int64) for _ in limbs)
    carry, shifted = np.empty((2, min(BLOCK, length)), dtype=np.int64)
    for j, start in cartesian(range(len(scalars)), range(0, length, BLOCK)):
        stop = min(start + BLOCK, length)
        for k, (limb, whole) in enumerate(zip(limbs, result, strict=True)):
            out = whole[j * length + start : j * length + stop]
            np.multiply(limb[start:stop], scalars[j], out=out)
            if k:
                np.add(out, carry[: len(out)], out=out)
            if k < last:
                np.right_shift(out, width, out=shifted[: len(out)])
                np.bitwise_and(out, mask, out=out)
                carry, shifted = shifted, carry
    return result


def codes_of(steps: Sequence[int]) -> Codes:
    """The code of each row of binary records, in lexicographic order: the sum of the steps of its ones."""
    return np.add.outer(_small(steps[: len(steps) // 2]), _small(steps[len(steps) // 2 :])).ravel()


def _small(steps: Sequence[int]) -> Codes:
    codes = np.zeros(1, dtype=np.int64)
    for step in steps:
        codes = np.add.outer(codes, np.array([0, step], dtype=np.int64)).ravel()
    return codes
