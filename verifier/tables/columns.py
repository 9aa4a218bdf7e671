"""Wide integer columns: exact sums of large weights, grouped by a code, at the speed of numpy's int64.

A weight of many bits is cut into limbs that are so narrow that no group of the column can overflow a 64-bit
word: with r rows, a limb has 63 - ceil(log2 r) bits. Grouping then is one exact `add.at` a limb, and the
big integers are put together once a group, not once a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WideColumn:
    """Non-negative integers of any size, one a row, as limbs of `width` bits (least significant first).

    >>> column = WideColumn.of([2**100, 1, 2**100 + 5])
    >>> column.grouped(np.array([1, 0, 1]), 2) == [1, 2**101 + 5]
    True
    """

    limbs: tuple[Codes, ...]
    width: int

    @classmethod
    def of(cls, weights: Sequence[int]) -> WideColumn:
        """Cut Python integers into limbs."""
        width = 63 - max(1, len(weights) - 1).bit_length()
        largest = max(weights, default=0)
        mask = (1 << width) - 1
        count = max(1, -(-largest.bit_length() // width))
        if count == 1:
            return cls((np.array(weights, dtype=np.int64),), width)
        limbs = tuple(
            np.fromiter(((w >> (width * k)) & mask for w in weights), dtype=np.int64, count=len(weights))
            for k in range(count)
        )
        return cls(limbs, width)

    def __len__(self) -> int:
        return len(self.limbs[0])

    def accumulate(self, codes: Codes, totals: Sequence[Codes]) -> None:
        """Add each row's limbs to `totals[limb][code]`; exact while at most `len(self)` rows share a total."""
        for limb, total in zip(self.limbs, totals, strict=True):
            np.add.at(total, codes, limb)

    def zeros(self, groups: int) -> list[Codes]:
        """Empty totals, one array a limb."""
        return [np.zeros(groups, dtype=np.int64) for _ in self.limbs]

    def whole(self, totals: Sequence[Codes]) -> list[int]:
        """Put the limbs of each total together into one integer."""
        result: list[int] = totals[0].tolist()
        for k, total in enumerate(totals[1:], start=1):
            shift = self.width * k
            result = [low + (high << shift) for low, high in zip(result, total.tolist(), strict=True)]
        return result

    def grouped(self, codes: Codes, groups: int) -> list[int]:
        """The exact sum of the rows of each code in 0 … groups - 1."""
        totals = self.zeros(groups)
        self.accumulate(codes, totals)
        return self.whole(totals)
