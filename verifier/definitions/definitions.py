"""The definitions of the texts, each a file in `entries/`, and which definitions are one notion.

The files are read as one's own definitions are. The independent replay never reads them: it has its own table of what
each definition compares.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from verifier.definitions.definition import Definition
from verifier.definitions.measure import TAIL
from verifier.definitions.recipe import read_definition
from verifier.definitions.registry import DEFINITIONS, ON_REQUEST, find, register
from verifier.model.keys import Location

ENTRIES = Path(__file__).with_name("entries")
PASSPORT = (
    "dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp", "ddp",
    "tail-dp", "tail-apkdp", "tail-ppkdp", "tail-cdp", "dps", "safe",
)  # fmt: skip
"""The definitions of a passport, in its order; the others are decided where they are asked for."""


def _register_all() -> None:
    on_request = sorted({file.stem for file in ENTRIES.glob("*.toml")} - set(PASSPORT))
    for key in (*PASSPORT, *on_request):
        file = ENTRIES / f"{key}.toml"
        definition = read_definition(file.read_text(encoding="utf-8"), Location(file.name), own=False)
        register(definition, on_request=key not in PASSPORT)


_register_all()
dependency = ON_REQUEST["dependency"]


def named(key: str) -> Definition:
    """The definition of the texts with this key, for `verifier.definitions.KEY`.

    Raises:
        AttributeError: where no definition of the texts has this key.

    """
    definition = DEFINITIONS.get(key) or ON_REQUEST.get(key)
    if definition is None or definition.own:
        raise AttributeError(f"module 'verifier.definitions' has no attribute {key!r}")
    return definition


__getattr__ = named


def one_notion(first: Definition, second: Definition) -> bool:
    """Whether two definitions differ in name only: equal laws, measure and aggregation.

    >>> from verifier.definitions import DEFINITIONS
    >>> one_notion(DEFINITIONS["np"], DEFINITIONS["apkdp"]), one_notion(DEFINITIONS["np"], DEFINITIONS["ppkdp"])
    (True, False)
    """
    of_first, of_second = ((one.compare, one.measure, one.aggregation) for one in (first, second))
    return of_first == of_second


def is_tail(key: str) -> bool:
    """Whether the definition with this key bounds P[loss > ε], as the tail forms do."""
    return find(key).measure is TAIL


def tail_of(tail: Definition, notion: Definition) -> bool:
    """Whether `tail` is the tail form of `notion`: equal laws and aggregation, but measured by P[loss > ε]."""
    same_laws = (tail.compare, tail.aggregation) == (notion.compare, notion.aggregation)
    return same_laws and tail.measure is TAIL and notion.measure is not TAIL


def notions(definitions: Iterable[Definition]) -> list[Definition]:
    """The definitions without those that differ from an earlier one in name only."""
    firsts: list[Definition] = []
    for definition in definitions:
        if not any(one_notion(definition, first) for first in firsts):
            firsts.append(definition)
    return firsts
