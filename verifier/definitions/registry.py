"""The registry: the definitions of the texts and those of one's own come in through one door."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches

from verifier.definitions.definition import Definition
from verifier.errors import InputError
from verifier.model.place import Place, string
from verifier.numbers import shorten

DEFINITIONS: dict[str, Definition] = {}
"""Every definition that is decided, by its key, in the order in which they were registered."""
ON_REQUEST: dict[str, Definition] = {}
"""Decided where they are asked for, but no part of a passport: they ask for models of a special form."""
ANNOUNCED: dict[str, Definition] = {}
"""Definitions that are named, but not decided by this version."""
PROPERTIES = ("k-anonymity", "strongly-safe")
"""What has a verdict and neither ε nor δ, and so is no definition here."""
MEANT = {
    "pure-dp": "dp at δ = 0",
    "eps-dp": "dp at δ = 0",
    "epsilon-dp": "dp at δ = 0",
    "approximate-dp": "dp with a δ",
    "approx-dp": "dp with a δ",
    "central-dp": "dp",
    "differential-privacy": "dp",
    "noiseless-privacy": "np",
}
"""What usual names say that are none here."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def register(definition: Definition, *, on_request: bool = False) -> Definition:
    """Add a definition, or replace one of one's own by the same key.

    Raises:
        InputError: for a key that is no name, or that a definition of the texts has.

    """
    names = (definition.key, *definition.aliases)
    for name in names:
        if len(name) > 40 or not _NAME.fullmatch(name):
            raise InputError(
                f"given the name {shorten(name)} of a definition",
                wanted="small letters, digits and single hyphens, such as group-dp",
            )
    for part in ("title", "source", "formula", "note", "vacuous", "open"):
        string(getattr(definition, part), Place(definition.key).at(part), f"the {part}", lines=part == "note")
    for other in {**DEFINITIONS, **ON_REQUEST, **ANNOUNCED}.values():
        taken = [name for name in names if name in {other.key, *other.aliases}]
        if taken and not (other.own and definition.own and other.key == definition.key):
            raise InputError(f"given a second definition with the name {taken[0]}", wanted="another `key`")
    (ON_REQUEST if on_request else DEFINITIONS)[definition.key] = definition
    return definition


def find(name: object) -> Definition:
    """A definition by its key or an alias; one of one's own is registered when it is first asked for.

    Raises:
        InputError: for an unknown name.

    """
    if isinstance(name, Definition):
        every, own = {**DEFINITIONS, **ON_REQUEST, **ANNOUNCED}, replace(name, own=True)
        known = every.get(name.key)
        return known if known in {name, own} and known is not None else register(own)
    every = {**DEFINITIONS, **ON_REQUEST, **ANNOUNCED}
    text = str(name).strip().lower()
    for definition in every.values():
        if text == definition.key or text in definition.aliases:
            return definition
    raise InputError(
        f"given the definition {shorten(name)}", wanted=f"one of {', '.join(every)}", tip=_tip(text[:100], every)
    )


def _tip(text: str, every: dict[str, Definition]) -> str:
    """What may be meant by a name that none has; a definition is suggested by its key, which the lists have."""
    if text in PROPERTIES:
        return "pkdp anonymity decides it"
    if text.replace("_", "-").replace(" ", "-") in MEANT:
        return f"is {MEANT[text.replace('_', '-').replace(' ', '-')]} meant?"
    keys = {name: one.key for one in every.values() for name in (one.key, *one.aliases)}
    near = get_close_matches(text, keys, 1)
    if not near:
        return "pkdp definitions lists them"
    alias = "" if near[0] == keys[near[0]] else f", also called {near[0]},"
    return f"is {keys[near[0]]}{alias} meant? pkdp definitions lists them"
