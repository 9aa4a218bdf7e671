"""Loops of tests that must find something to look at: an assertion inside a loop over nothing passes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")


def at_least_one(items: Iterable[Item]) -> list[Item]:
    """The items, of which there must be one: `for model in at_least_one(models):` fails where there are no models."""
    found = list(items)
    assert found, "there is nothing to look at"
    return found
