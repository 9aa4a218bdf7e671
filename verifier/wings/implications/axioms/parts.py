"""The parts of a definition, read from its entry: the axes that its axioms follow from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from verifier.definitions.atlas import ALIASES, FOLDER, atlas
from verifier.definitions.definitions import ENTRIES, PASSPORT
from verifier.errors import InputError, one_of
from verifier.numbers import shorten
from verifier.wings.implications.axioms.facts import Part

CENTRES = ("simulator", "simulated-beliefs")
"""Values of `comparisons` in an entry that name a simulator, which is a centre."""
OWN_VIEW = ("beliefs", "membership", "clients", "events-of-outputs")
"""Builders that have a view of their own."""


@cache
def keys() -> tuple[str, ...]:
    """The keys of all definitions whose axioms are derived: those of the atlas, then those of the passport alone.

    >>> len(keys()), keys()[-1]
    (99, 'safe')
    """
    known = {other for other, _ in ALIASES.values()}
    return (*atlas, *(key for key in PASSPORT if key not in known))


def named(name: str) -> str:
    """The key of a definition from its name: DP22's key where it has one, else the project's.

    Raises:
        InputError: for a name that is no definition.

    """
    text = name.strip().lower()
    if text in keys():
        return text
    for key, (other, _) in ALIASES.items():
        if text == other or text in atlas[key].aliases:
            return key
    raise InputError(f"given the definition {shorten(name)}", wanted=one_of(keys(), name))


@cache
def entry(key: str) -> Mapping[str, Any]:
    """The table of a definition's file in `definitions/entries`."""
    own = ENTRIES / f"{ALIASES[key][0] if key in ALIASES else key}.toml"
    file = FOLDER / f"{key}.toml"
    return tomllib.loads((own if key in ALIASES or not file.is_file() else file).read_text(encoding="utf-8"))


def undecided_because(key: str) -> str:
    """The reason why a definition is not decided; empty where it is."""
    return str(entry(key).get("undecided-because", ""))


def parts_of(key: str) -> tuple[Part, ...]:
    """The parts of a decided definition: builder, view, measure and aggregation, or a centre alone.

    >>> [part.name for part in parts_of("prodp")], [part.name for part in parts_of("npr")]
    (['relation', 'outputs', 'tail', 'worst'], ['conditional', 'outputs', 'hockey-stick', 'worst'])
    """
    fields = entry(key)
    if "centre" in fields:
        return (Part("centre", fields["centre"]),)
    if fields.get("comparisons") in CENTRES:
        return (Part("centre", fields["comparisons"]),)
    builder = str(fields.get("builder") or fields["comparisons"])
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
