"""The registry of definitions by key: those of the texts, and those of one's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches

from verifier.definitions.definition import Definition
from verifier.errors import InputError, one_of
from verifier.model.keys import Location, string
from verifier.numbers import shorten

DEFINITIONS: dict[str, Definition] = {}
"""The definitions of a passport and those of one's own, by key, in the order in which they were registered."""
ON_REQUEST: dict[str, Definition] = {}
"""Definitions that are no part of a passport, since they need models of a special form; decided on request."""
PROPERTIES = ("k-anonymity", "strongly-safe")
"""Names that users may take for definitions: properties, which have a verdict but neither ε nor δ."""
MEANT = {
    "pure-dp": "dp at δ = 0",
    "eps-dp": "dp at δ = 0",
    "epsilon-dp": "dp at δ = 0",
    "approximate-dp": "dp with a δ",
    "approx-dp": "dp with a δ",
    "central-dp": "dp",
    "differential-privacy": "dp",
    "noiseless-privacy": "np",
    "causal-dp": "cdp",
    "rdp": "renyidp",
    "renyi": "renyidp",
    "renyi-dp": "renyidp",
    "zcdp": "zcodp (cdp is causal DP here)",
    "concentrated-dp": "zcodp, or mcodp,",
    "mcdp": "mcodp",
    "tcdp": "tcodp-bdrs, or tcodp-col,",
    "gdp": "gaussdp",
    "gaussian-dp": "gaussdp",
    "f-dp": "fdp",
    "kl-privacy": "klpr",
    "one-sided-dp": "osdp",
    "pufferfish": "pfpr",
    "blowfish": "bfpr",
    "random-dp": "randp",
    "probabilistic-dp": "prodp",
    "zero-knowledge": "zkpr",
    "membership-privacy": "mpr",
}
"""Usual names that are no keys here, with what they mean."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def register(definition: Definition, *, on_request: bool = False) -> Definition:
    """Add a definition and return it; one of one's own replaces an earlier one with the same key.

    Raises:
        InputError: for a key or alias that is no name, or that another definition has, and for a text that is no line.

    """
    names = (definition.key, *definition.aliases)
    for name in names:
        if len(name) > 40 or not _NAME.fullmatch(name):
            raise InputError(
                f"given the name {shorten(name)} of a definition",
                wanted="small letters, digits and single hyphens, such as group-dp",
            )
    for part in ("title", "source", "formula", "note", "vacuous", "open"):
        string(getattr(definition, part), Location(definition.key).at(part), f"the {part}", lines=part == "note")
    others = {**DEFINITIONS, **ON_REQUEST}
    for registered in {**others, **_atlas()}.values() if definition.own else others.values():
        taken = [name for name in names if name in {registered.key, *registered.aliases}]
        if taken and not (registered.own and definition.own and registered.key == definition.key):
            raise InputError(f"given a second definition with the name {taken[0]}", wanted="another `key`")
    (ON_REQUEST if on_request else DEFINITIONS)[definition.key] = definition
    return definition


def _atlas() -> Mapping[str, Definition]:
    """The definitions of DP22, which are read when a name is none of the others."""
    from verifier.definitions.atlas import atlas

    return atlas.entries


def find(name: object) -> Definition:
    """The definition with this key or alias; for a `Definition` itself this one, registered if it is one's own.

    Raises:
        InputError: for an unknown name.

    """
    from verifier.definitions.atlas import atlas

    if isinstance(name, Definition):
        every, own = {**DEFINITIONS, **ON_REQUEST}, replace(name, own=True)
        # `get` would make the message of a key that is missing, and read every entry for it
        known = every.get(name.key) or (atlas[name.key] if name.key in atlas else None)  # noqa: SIM401
        return known if known in {name, own} and known is not None else register(own)
    every = {**DEFINITIONS, **ON_REQUEST}
    text = str(name).strip().lower()
    for definition in every.values():
        if text == definition.key or text in definition.aliases:
            return definition
    if text in atlas:
        return atlas[text]
    keys = dict.fromkeys([*every, *_atlas()])
    raise InputError(f"given the definition {shorten(name)}", wanted=one_of(keys, name), tip=_tip(text[:100], every))


def is_known(name: object) -> bool:
    """Whether a name is the key or an alias of a definition."""
    try:
        find(name)
    except InputError:
        return False
    return True


def _tip(text: str, every: dict[str, Definition]) -> str:
    """The tip for a name that no definition has: the definition that is probably meant, by its key."""
    if text in PROPERTIES:
        return f"pk.{text.replace('-', '_')} decides it"
    if text.replace("_", "-").replace(" ", "-") in MEANT:
        return f"is {MEANT[text.replace('_', '-').replace(' ', '-')]} meant?"
    keys = {name: definition.key for definition in every.values() for name in (definition.key, *definition.aliases)}
    near = get_close_matches(text, [*keys, *_atlas()], 1)
    if near and near[0] not in keys:
        return f"is {near[0]} meant? pkdp check MODEL --atlas lists the definitions of DP22"
    if not near:
        return "pk.DEFINITIONS lists them"
    alias = "" if near[0] == keys[near[0]] else f", also called {near[0]},"
    return f"is {keys[near[0]]}{alias} meant? pk.DEFINITIONS lists them"
