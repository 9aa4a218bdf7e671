"""Which definitions are one notion: they compare the same laws, measured and counted alike (np with δ is apkdp)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from verifier.definitions.measure import TAIL
from verifier.definitions.registry import find

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition


def one_notion(first: Definition, second: Definition) -> bool:
    """Whether two definitions differ in name only.

    >>> from verifier.definitions import DEFINITIONS
    >>> one_notion(DEFINITIONS["np"], DEFINITIONS["apkdp"]), one_notion(DEFINITIONS["np"], DEFINITIONS["ppkdp"])
    (True, False)
    """
    same_laws = (first.compare, first.decider) == (second.compare, second.decider)
    return same_laws and (first.measure, first.aggregation) == (second.measure, second.aggregation)


def is_tail(key: str) -> bool:
    """Whether a definition counts the mass of losses above ε, as the tail forms do."""
    return find(key).measure is TAIL


def tail_of(tail: Definition, other: Definition) -> bool:
    """Whether one is the tail form of the other: the same laws, counted alike, measured in two ways."""
    same_laws = (tail.compare, tail.aggregation) == (other.compare, other.aggregation)
    return same_laws and tail.measure is TAIL and other.measure is not TAIL


def notions(definitions: Iterable[Definition]) -> list[Definition]:
    """The first definition of each notion."""
    firsts: list[Definition] = []
    for definition in definitions:
        if not any(one_notion(definition, first) for first in firsts):
            firsts.append(definition)
    return firsts
