"""The parts of each definition, read from its entry: what axioms and implications are derived from.

Axioms follow from the builder, view, measure and aggregation, or from a centre; implications from the rows that the
builder makes with its fields, and from the same other parts.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from verifier.definitions.atlas import atlas
from verifier.definitions.registry import ALIASES, OVERVIEW, entry_of
from verifier.errors import InputError, one_of
from verifier.numbers import shorten
from verifier.wings.implications.axioms.facts import Part

OWN_VIEW = ("beliefs", "membership", "clients", "events-of-outputs")
"""Builders that have a view of their own."""


@cache
def keys() -> tuple[str, ...]:
    """The keys of all definitions whose axioms are derived: those of the atlas, then those of the overview alone.

    >>> len(keys()), keys()[-1]
    (99, 'safe')
    """
    known = {alias.key for alias in ALIASES.values()}
    return (*atlas, *(key for key in OVERVIEW if key not in known))


def named(name: str) -> str:
    """The key of a definition from its name: DP22's key where it has one, else the project's.

    Raises:
        InputError: for a name that is no definition.

    """
    text = name.strip().lower()
    if text in keys():
        return text
    for key, alias in ALIASES.items():
        if text == alias.key or text in atlas[key].aliases:
            return key
    raise InputError(f"the definition {shorten(name)} is unknown", wanted=one_of(keys(), name))


def undecided_because(key: str) -> str:
    """The reason why a definition is not decided; empty where it is."""
    return str(entry_of(key).get("undecided-because", ""))


def equal_to(key: str) -> str:
    """The key of the definition that this one is on every finite model; empty where it is one of its own.

    >>> equal_to("indcdp"), equal_to("czkpr"), equal_to("indpr")
    ('dp-any', 'zkpr', '')
    """
    return str(entry_of(key).get("equal-to", ""))


def parts_of(key: str) -> tuple[Part, ...]:
    """The parts of a decided definition: builder, view, measure and aggregation, or a centre alone.

    >>> [part.name for part in parts_of("prodp")], [part.name for part in parts_of("npr")]
    (['relation', 'outputs', 'tail', 'worst'], ['conditional', 'outputs', 'hockey-stick', 'worst'])
    """
    fields = entry_of(key)
    if "centre" in fields:
        return (Part("centre", fields["centre"]),)
    builder = str(fields["builder"])
    view = [] if builder in OWN_VIEW else [Part("view", fields.get("view", "outputs"))]
    if builder == "beliefs":
        builder = f"beliefs-about-{fields['about']}"
    if builder == "clients" and fields.get("together"):
        builder = "clients-together"
    return (
        Part("builder", builder),
        *view,
        Part("measure", fields.get("measure", "hockey-stick")),
        Part("aggregation", fields.get("aggregation", "worst")),
    )


class Node(NamedTuple):
    """A choice of parts, which is a definition, or a step in a chain from one to another.

    A definition that has no such parts (a simulator) is a node with its key alone.
    """

    rows: str
    view: str = "outputs"
    measure: str = ""
    aggregation: str = "worst"
    key: str = ""

    @property
    def text(self) -> str:
        """The parts in a few words."""
        if self.key:
            return self.key
        beside = "" if self.aggregation == "worst" else f", {self.aggregation}"
        seen = "" if self.view == "outputs" else f", {self.view}"
        return f"({self.rows}; {self.measure}{beside}{seen})"


ONE_ORDER = ("relation change sensitive", "relation remove sensitive", "relation add levels")
"""The names of rows whose pairs of laws come in one order alone; all others come in both orders."""
SCALES = frozenset({"distance", "tailored", "levels", "values", "scaled"})
"""The words in the names of rows that multiply ε, each row by a number of its own."""
BUILDER_NAMES = ("steps", "within", "restrict", "scale", "about", "cells")
"""The fields of an entry whose values are part of the name of its rows."""


@cache
def decided() -> tuple[str, ...]:
    """The keys of the definitions that are decided, in the order of the atlas; those equal to another are left out.

    >>> len(decided()), decided()[0]
    (94, 'dp-any')
    """
    return tuple(key for key in keys() if not undecided_because(key) and not equal_to(key))


def passport_key(key: str) -> str:
    """The project's key of a definition with DP22's key `key`, or `key` itself where they are the same.

    >>> passport_key("npr"), passport_key("osdp")
    ('np', 'osdp')
    """
    return ALIASES[key].key if key in ALIASES else key


def matrix_key(key: str) -> str:
    """DP22's key of a definition with the project's key `key`, or `key` itself where DP22 has no other.

    Of a definition that is another one on every finite model it is the key of that one.

    >>> matrix_key("np"), matrix_key("osdp"), matrix_key("simcdp")
    ('npr', 'osdp', 'dp-any')
    """
    known = next((atlas_key for atlas_key, alias in ALIASES.items() if alias.key == key), key)
    return (equal_to(known) if known in keys() else "") or known


def rows_of(key: str) -> str:
    """The name of a definition's rows: its builder with what it restricts.

    >>> rows_of("osdp"), rows_of("mpr"), rows_of("npr")
    ('relation change sensitive', 'membership in-upper out-lower out-upper in-lower', 'conditional')
    """
    fields = entry_of(key)
    words = [str(fields["builder"])]
    for name in BUILDER_NAMES:
        value = fields.get(name, "")
        words += [str(part) for part in value] if isinstance(value, list) else [str(value)] if value else []
    if fields.get("scaled"):
        words.append("scaled")
    if fields.get("together"):
        words = ["clients-together"]
    return " ".join(words)


@cache
def node_of(key: str) -> Node:
    """The node of a decided definition.

    >>> node_of("prodp").text, node_of("zkpr").text
    ('(relation; tail)', 'zkpr')
    """
    fields = entry_of(key)
    if "centre" in fields:
        return Node("", key=key)
    return Node(
        rows_of(key),
        str(fields.get("view", "outputs")),
        str(fields.get("measure", "hockey-stick")),
        str(fields.get("aggregation", "worst")),
    )
