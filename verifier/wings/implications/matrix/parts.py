"""The parts of each definition as the matrix of implications reads them: rows, view, measure and aggregation."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from verifier.definitions.atlas import ALIASES
from verifier.wings.implications.axioms.parts import CENTRES, entry, keys, undecided_because


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
BUILDER_NAMES = ("steps", "within", "restrict", "scale", "about", "cells")
"""The fields of an entry whose values are part of the name of its rows."""


@cache
def decided() -> tuple[str, ...]:
    """The keys of the definitions that are decided, in the order of the atlas.

    >>> len(decided()), decided()[0]
    (94, 'dp-any')
    """
    return tuple(key for key in keys() if not undecided_because(key))


def passport_key(key: str) -> str:
    """The project's key of a definition with DP22's key `key`, or `key` itself where they are the same.

    >>> passport_key("npr"), passport_key("osdp")
    ('np', 'osdp')
    """
    return ALIASES[key][0] if key in ALIASES else key


def matrix_key(key: str) -> str:
    """DP22's key of a definition with the project's key `key`, or `key` itself where DP22 has no other.

    >>> matrix_key("np"), matrix_key("osdp")
    ('npr', 'osdp')
    """
    return next((atlas_key for atlas_key, (other, _) in ALIASES.items() if other == key), key)


def rows_of(key: str) -> str:
    """The name of a definition's rows: its builder with what it restricts, or the kind of its comparisons.

    >>> rows_of("osdp"), rows_of("mpr"), rows_of("npr")
    ('relation change sensitive', 'membership in-upper out-lower out-upper in-lower', 'conditional')
    """
    fields = entry(key)
    builder = fields.get("builder")
    if builder is None:
        return str(fields["comparisons"])
    words = [str(builder)]
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
    fields = entry(key)
    if "centre" in fields or fields.get("comparisons") in CENTRES:
        return Node("", key=key)
    return Node(
        rows_of(key),
        str(fields.get("view", "outputs")),
        str(fields.get("measure", "hockey-stick")),
        str(fields.get("aggregation", "worst")),
    )
