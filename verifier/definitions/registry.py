"""The registry of definitions by key, of the texts, of DP22 and of one's own; which are one notion; their conventions.

Those of the texts and of DP22 are files in `entries`, each read when its definition is first asked for, by the reader
that recipes of one's own have. Where a definition is listed (an overview, a group of the site, DP22's keys) its file
says. The independent checker never reads them: it has its own table of what each compares.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from verifier.definitions.compared_kinds import READS_POLICY, compared_by
from verifier.definitions.conventions import CHOICES, Choice, readings_about
from verifier.definitions.definition import Definition
from verifier.definitions.measures.curves import TAIL
from verifier.definitions.recipe import read_definition
from verifier.errors import InputError, one_of
from verifier.model.field_words import hint_of
from verifier.model.keys import Location, string
from verifier.numbers import shorten

ENTRIES = Path(__file__).with_name("entries")
FOLDER = ENTRIES / "dp22"


@cache
def table_of(file: Path) -> Mapping[str, Any]:
    """The table of a definition's file, as it is written."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


class Alias(NamedTuple):
    """A definition of DP22 that the project has under a key of its own, from another text."""

    key: str
    """The project's own key."""
    dimensions: str
    place: str
    """Where it stands in DP22, with the texts that are cited there."""


OF_TEXTS = {file.stem: table_of(file) for file in sorted(ENTRIES.glob("*.toml"))}
"""The tables of the definitions that are from a text other than DP22, by the project's keys."""
OVERVIEW = tuple(
    sorted((key for key in OF_TEXTS if "overview" in OF_TEXTS[key]), key=lambda key: OF_TEXTS[key]["overview"])
)
"""The definitions of an overview, in its order; the others are decided where they are asked for."""
ALIASES: Mapping[str, Alias] = {
    one["dp22"]["key"]: Alias(key, one["dp22"]["dimensions"], one["dp22"]["place"])
    for key, one in OF_TEXTS.items()
    if "dp22" in one
}
"""The definitions of DP22 that have no file in `entries/dp22`, by DP22's keys."""


class Entries(MutableMapping[str, Definition]):
    """Definitions by key: files, each read when its definition is first asked for, and definitions that are added."""

    def __init__(self, files: Iterable[Path]) -> None:
        """Take the files; each is named after the key of its definition."""
        self._known: dict[str, Definition | Path] = {file.stem: file for file in files}

    def __getitem__(self, key: str) -> Definition:
        known = self._known[key]
        if isinstance(known, Path):
            self._known[key] = known = read_definition(
                known.read_text(encoding="utf-8"), Location(known.name), own=False
            )
        return known

    def __setitem__(self, key: str, definition: Definition) -> None:
        self._known[key] = definition

    def __delitem__(self, key: str) -> None:
        del self._known[key]

    def __contains__(self, key: object) -> bool:
        return key in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return f"<Entries {', '.join(self._known)}>"


DEFINITIONS = Entries(ENTRIES / f"{key}.toml" for key in OVERVIEW)
"""The definitions of an overview and those of one's own, by key, in the order in which they were registered."""
ON_REQUEST = Entries(ENTRIES / f"{key}.toml" for key in OF_TEXTS if key not in OVERVIEW)
"""Definitions that are no part of an overview, since they need models of a special form; decided on request."""
OF_DP22 = Entries(sorted(FOLDER.glob("*.toml")))
"""The definitions of DP22 that are none of the texts', by DP22's keys; `atlas` has all, by their dimensions."""
PROPERTIES = ("k-anonymity", "strongly-safe")
"""Names that users may take for definitions: properties, which have a verdict but neither ε nor δ."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def register(definition: Definition) -> Definition:
    """Add a definition of one's own and return it; it replaces an earlier one of one's own with the same key.

    Raises:
        InputError: for a key or alias that is no name, or that another definition has, and for a text that is no line.

    """
    names = (definition.key, *definition.aliases)
    for name in names:
        if len(name) > 40 or not _NAME.fullmatch(name):
            raise InputError(
                f"{shorten(name)} cannot name a definition",
                wanted="small letters, digits and single hyphens, such as group-dp",
            )
    for part in ("title", "source", "formula", "note", "vacuous", "open"):
        string(getattr(definition, part), Location(definition.key).at(part), f"the {part}", lines=part == "note")
    known = {name: one for one in _plain().values() for name in (one.key, *one.aliases)}
    for name in names:
        other = known.get(name)
        replaces = other is not None and other.own and definition.own and other.key == definition.key
        if name in OF_DP22 or (other is not None and not replaces):
            raise InputError(f"there is already a definition with the name {name}", wanted="another `key`")
    DEFINITIONS[definition.key] = definition
    return definition


def _plain() -> dict[str, Definition]:
    """The definitions of the texts and of one's own."""
    return {**DEFINITIONS, **ON_REQUEST}


def _by_key(key: str) -> Definition | None:
    """The definition with this key, of which alone the file is read."""
    for entries in (DEFINITIONS, ON_REQUEST, OF_DP22):
        if key in entries:
            return entries[key]
    return _by_key(ALIASES[key].key) if key in ALIASES else None


def find(name: object) -> Definition:
    """The definition with this key or alias; for a `Definition` itself this one, registered if it is one's own.

    Raises:
        InputError: for an unknown name.

    """
    if isinstance(name, Definition):
        known, own = _by_key(name.key), replace(name, own=True)
        return known if known in {name, own} and known is not None else register(own)
    text = str(name).strip().lower()
    known = _by_key(text) or next((one for one in _plain().values() if text in one.aliases), None)
    if known is None:
        keys = dict.fromkeys([*DEFINITIONS, *ON_REQUEST, *OF_DP22])
        raise InputError(f"the definition {shorten(name)} is unknown", wanted=one_of(keys, name), tip=_tip(text[:100]))
    return known


def is_known(name: object) -> bool:
    """Whether a name is the key or an alias of a definition."""
    try:
        find(name)
    except InputError:
        return False
    return True


def _tip(text: str) -> str:
    """The tip for a name that no definition has: the definition that is probably meant, by its key."""
    if text in PROPERTIES:
        return f"pk.{text.replace('-', '_')} decides it"
    if hint := hint_of(text):
        return hint
    keys = {name: one.key for one in _plain().values() for name in (one.key, *one.aliases)}
    near = get_close_matches(text, [*keys, *OF_DP22], 1)
    if near and near[0] not in keys:
        return f"is {near[0]} meant? pk.atlas lists the definitions of DP22"
    if not near:
        return "pk.DEFINITIONS lists them"
    alias = "" if near[0] == keys[near[0]] else f", also called {near[0]},"
    return f"is {keys[near[0]]}{alias} meant? pk.DEFINITIONS lists them"


def entry_of(key: str) -> Mapping[str, Any]:
    """The table of the file of a definition, by its own key or by DP22's."""
    own = ALIASES[key].key if key in ALIASES else key
    return OF_TEXTS[own] if own in OF_TEXTS else table_of(FOLDER / f"{key}.toml")


def named(key: str) -> Definition:
    """The definition of the texts with this key, for `verifier.definitions.KEY`.

    Raises:
        AttributeError: where no definition of the texts has this key.

    """
    definition = DEFINITIONS.get(key) or ON_REQUEST.get(key)
    if definition is None or definition.own:
        raise AttributeError(f"module 'verifier.definitions' has no attribute {key!r}")
    return definition


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


# --- the conventions of definitions -----------------------------------------------------------------------------------


def keys_about(subjects: tuple[str, ...]) -> Iterator[str]:
    """Yield the keys of the definitions that compare each subject, without their tail forms; a property's own name."""
    for subject in subjects:
        keys = [one.key for one in _plain().values() if compared_by(one)[-1:] == (subject,)]
        yield from keys or [subject]


def subjects_of(name: str) -> tuple[str, ...]:
    """The subjects of the definition with this key; of a property its own name."""
    if name in OF_DP22:
        return (name, READS_POLICY)
    definition = DEFINITIONS.get(name) or ON_REQUEST.get(name)
    return (name,) if definition is None else compared_by(definition)


@dataclass(frozen=True)
class Convention(Choice):
    """A choice of `definitions.conventions`, with the definitions and properties that it is about."""

    @property
    def applies(self) -> tuple[str, ...]:
        """The keys of the definitions and properties that the convention is about."""
        return tuple(keys_about(self.about))

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        """The name and meaning of each other reading; the meaning begins with its keys if it is not for all."""
        return tuple(
            (name, f"{', '.join(keys_about(about))}: {meaning}" if about else meaning)
            for name, meaning, about in self.alternatives
        )

    def fields(self) -> dict[str, Any]:
        """The key, question, choice and source, the keys that it applies to, and the other readings."""
        texts = {name: getattr(self, name) for name in ("key", "question", "choice", "source")}
        return {**texts, "applies": self.applies, "readings": dict(self.readings)}


CONVENTIONS = tuple(Convention(**vars(choice)) for choice in CHOICES)
"""Every convention that can change a verdict."""


def readings_of(name: str) -> dict[str, str]:
    """The readings besides `default`, name and meaning, of the definition or property with this name."""
    return readings_about(subjects_of(name))


def conventions_of(definition: str) -> list[Convention]:
    """The conventions on which the verdict of the definition or property with this name rests."""
    subjects = set(subjects_of(definition))
    return [convention for convention in CONVENTIONS if subjects & set(convention.about)]
