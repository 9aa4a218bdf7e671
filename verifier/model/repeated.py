"""Sequences in which one item is repeated, stored as the item and its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


@dataclass(frozen=True)
class Repeated(Sequence[Item], Generic[Item]):
    """The sequence of one item, repeated `times` times: ten million identical records need one law.

    >>> votes = Repeated("yes", 10**7)
    >>> len(votes), votes[-1], list(votes[:2])
    (10000000, 'yes', ['yes', 'yes'])
    """

    item: Item
    times: int

    def __len__(self) -> int:
        return self.times

    def __iter__(self) -> Iterator[Item]:
        return (self.item for _ in range(self.times))

    @overload
    def __getitem__(self, at: int) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> Repeated[Item]: ...

    def __getitem__(self, at: int | slice) -> Item | Repeated[Item]:
        if isinstance(at, slice):
            return Repeated(self.item, len(range(self.times)[at]))
        range(self.times)[at]  # an index outside is an IndexError
        return self.item


def groups_of(items: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """The different items of a sequence, each with the number of its places; items are told apart by identity.

    >>> list(groups_of(Repeated("a", 3)))
    [('a', 3)]
    """
    if isinstance(items, Repeated):
        yield items.item, items.times
        return
    groups: dict[int, list[Item]] = {}
    for item in items:
        groups.setdefault(id(item), []).append(item)
    for alike in groups.values():
        yield alike[0], len(alike)
