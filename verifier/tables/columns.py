"""Wide integer columns: exact sums of large weights, grouped by a code, at the speed of numpy's int64.

A weight of many bits is cut into limbs. The sum of all rows is known beforehand, so the top limb may use all the bits
that this sum leaves it; the lower limbs leave room for carries: they are added up over stretches of rows so short
that no word can overflow, and what exceeds their width is then carried upwards (`proofs/engines.md`). So grouping
is one exact `add.at` a limb, and big integers are put together once a group, not once a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]
WORD = 63
"""Bits of an int64 that a non-negative number may use."""
WIDEST = 48
"""The widest lower limb: stretches then have 2^15 - 1 rows."""


@dataclass(frozen=True, slots=True)
class WideColumn:
    """Non-negative integers of any size, one a row: limbs of `width` bits below a top limb, an int64 each.

    >>> column = WideColumn.of([2**100, 1, 2**100 + 5])
    >>> column.grouped(np.array([1, 0, 1]), 2) == [1, 2**101 + 5]
    True
    """

    limbs: tuple[Codes, ...]
    width: int

    @classmethod
    def of(cls, weights: Sequence[int]) -> WideColumn:
        """Cut Python integers into limbs."""
        width, count = layout(sum(weights).bit_length())
        if count == 1:
            return cls((np.array(weights, dtype=np.int64),), width)
        mask, top = (1 << width) - 1, width * (count - 1)
        lower = tuple(
            np.fromiter(((w >> (width * k)) & mask for w in weights), dtype=np.int64, count=len(weights))
            for k in range(count - 1)
        )
        return cls((*lower, np.fromiter((w >> top for w in weights), dtype=np.int64, count=len(weights))), width)

    def grouped(self, codes: Codes, groups: int) -> list[int]:
        """The exact sum of the rows with each code 0 … groups - 1; `codes` has the code of each row."""
        totals = [np.zeros(groups, dtype=np.int64) for _ in self.limbs]
        last, rows = len(self.limbs) - 1, len(codes)
        stretch = (1 << (WORD - self.width)) - 1 if last else max(rows, 1)
        for start in range(0, rows, stretch):
            part = codes[start : start + stretch]
            for total, limb in zip(totals, self.limbs, strict=True):
                np.add.at(total, part, limb[start : start + stretch])
            for k in range(last):
                totals[k + 1] += totals[k] >> self.width
                totals[k] &= (1 << self.width) - 1
        result: list[int] = totals[last].tolist()
        for total in reversed(totals[:last]):
            result = [(top << self.width) + below for top, below in zip(result, total.tolist(), strict=True)]
        return result


def layout(bits: int, widest: int = WIDEST) -> tuple[int, int]:
    """Width and number of limbs for a column whose rows sum to less than 2^bits.

    >>> layout(60), layout(109), layout(200)
    ((63, 1), (46, 2), (46, 4))
    """
    if bits <= WORD:
        return WORD, 1
    lower = -(-(bits - WORD) // widest)
    return -(-(bits - WORD) // lower), lower + 1
