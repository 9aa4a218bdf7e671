"""Which definitions are one notion: they compare the same laws, measured and counted alike (np with δ is apkdp)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

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


def notions(definitions: Iterable[Definition]) -> list[Definition]:
    """The first definition of each notion."""
    firsts: list[Definition] = []
    for definition in definitions:
        if not any(one_notion(definition, first) for first in firsts):
            firsts.append(definition)
    return firsts
