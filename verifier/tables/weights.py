"""Weights by key, added up: in integers, fractions, or any ring; keys stay in the order of their first appearance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")
Place = TypeVar("Place", bound=Hashable)
Weight = TypeVar("Weight", bound=Any)


def gathered(pairs: Iterable[tuple[Key, Weight]]) -> dict[Key, Weight]:
    """The total weight of each key, from pairs (key, weight).

    >>> gathered([("x", 1), ("y", 2), ("x", 3)])
    {'x': 4, 'y': 2}
    """
    totals: dict[Key, Weight] = {}
    for key, weight in pairs:
        totals[key] = totals[key] + weight if key in totals else weight
    return totals


def grouped(triples: Iterable[tuple[Place, Key, Weight]]) -> dict[Place, dict[Key, Weight]]:
    """The total weight of each key in each group, from triples (group, key, weight).

    >>> grouped([("left", "x", 1), ("right", "x", 2), ("left", "x", 3)])
    {'left': {'x': 4}, 'right': {'x': 2}}
    """
    places: dict[Place, dict[Key, Weight]] = {}
    for group, key, weight in triples:
        totals = places.setdefault(group, {})
        totals[key] = totals[key] + weight if key in totals else weight
    return places


def collected(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """The items of each key, in their order, from pairs (key, item).

    >>> collected([("even", 2), ("odd", 3), ("even", 4)])
    {'even': [2, 4], 'odd': [3]}
    """
    items: dict[Key, list[Item]] = {}
    for key, item in pairs:
        items.setdefault(key, []).append(item)
    return items


def convolved(
    law: Mapping[Key, Weight], part: Iterable[tuple[Key, Weight]], add: Callable[[Key, Key], Key]
) -> dict[Key, Weight]:
    """The law of the sum of two independent elements, where `add` adds them.

    >>> convolved({0: 1, 1: 2}, [(0, 3), (1, 4)], int.__add__)
    {0: 3, 1: 10, 2: 8}
    """
    part = list(part)
    totals: dict[Key, Weight] = {}
    for x, p in law.items():
        for y, q in part:
            key = add(x, y)
            totals[key] = totals[key] + p * q if key in totals else p * q
    return totals
