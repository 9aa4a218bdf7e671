"""The definitions by key, of the texts, of DP22 and of one's own; how each is read; which are one notion; conventions.

Those of the texts and of DP22 are files in `entries`, each read when it is first asked for; recipes of one's own
(docs/own-definitions.md) are tables of the same form, and come in through the same reader: a `builder` with its own
keys, a view, a measure and an aggregation; or a `centre`, which says what a simulator is told; or the reason why no
model decides it. Where a definition is listed (an overview, a group of the site, DP22's keys) its file says. The
independent checker never reads them: it has its own table of what each compares.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from verifier.definitions.builders.resolve import COMPARISONS, Comparing
from verifier.definitions.compared_kinds import READS_POLICY, Compare, Comparisons, NotDecided, compared_by
from verifier.definitions.comparison import AGGREGATIONS, HOCKEY_STICK, TAIL, ComparisonSet
from verifier.definitions.conventions import CHOICES, Choice, readings_about
from verifier.definitions.definition import NEEDS, Definition
from verifier.definitions.measures.divergence import Divergence, measure_named
from verifier.definitions.scheme import read_scheme
from verifier.engine import Engine
from verifier.errors import InputError, one_of
from verifier.model.field_words import hint_of
from verifier.model.keys import Keys, Location, chosen, listed, string
from verifier.numbers import shorten
from verifier.tables import Label, label

PARTS = ("builder", "steps", "within", "restrict", "scale", "about", "view", "measure", "aggregation")
"""The keys of parts, in the order in which they stand for the formula of a recipe of one's own that has none."""
TEXTS = ("source", "formula", "plainly", "note", "vacuous", "open", "latex")
LISTED = ("overview", "dp22", "told-apart")
"""Keys of an entry that say where it is listed; `registry` and `separations` read them."""
GUIDE = "docs/own-definitions.md has an example of each"


def _later(file: str, name: str, *arguments: str) -> Callable[[], Comparisons]:
    """Makes an object of the class `name` of a file of this room, which few questions need, when it is called."""

    def made() -> Comparisons:
        comparisons: Comparisons = getattr(import_module(f"verifier.definitions.{file}"), name)(*arguments)
        return comparisons

    return made


OF_THEIR_OWN: Mapping[str, Callable[[], Comparisons]] = {
    "one-tuple-apart": _later("builders.sizes", "OneTupleApart"),
    "chosen-recodings": _later("builders.sizes", "ChosenRecodings"),
    "two-mechanisms": _later("builders.dependent", "Dependency"),
}
"""What the texts' entries alone may name by `builder`: each is a `Comparisons` with a file of its own."""
CENTRES: dict[str, Callable[[], Comparisons]] = {
    "simulator": _later("centres.simulator_ddp", "Simulator"),
    "simulated-beliefs": _later("centres.simulator_ibddp", "SimulatedBeliefs"),
    **{name: _later("centres.centre", "Centre", name) for name in ("without-a-record", "coupled-worlds", "typical")},
    "inferred-coupled-worlds": _later("centres.centre", "InferredCentre"),
}
"""What a simulator imitates and is told, by the names of `centre` in entries."""


def read_definition(text: str, location: Location, *, own: bool) -> Definition:
    """Read a definition from the text of a TOML table.

    Raises:
        InputError: where a key is unknown or missing, or a value is none of those that it can have.

    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            f"the text is not valid TOML: {error}", where=str(location), wanted="a recipe", tip=GUIDE
        ) from None
    keys = Keys(table, location, "a recipe")
    named = _described(keys, own=own)
    parts = {name: keys.left[name] for name in PARTS if name in keys.left}
    definition = _of_parts(keys, named, own=own)
    keys.done()
    if own:
        formula = definition.formula or ", ".join(f"{name} {value}" for name, value in parts.items())
        source = definition.source or f"recipe {location.file.rpartition('/')[2]}"
        definition = replace(definition, formula=formula, source=source)
    return definition


def _described(keys: Keys, *, own: bool) -> dict[str, Any]:
    """The texts of a definition, and its other names; one's own may leave most of them out."""
    needed = ("key", "title") if own else ("key", "title", "source", "formula")
    named: dict[str, Any] = {name: keys.read(name, string, f"the {name}") for name in needed}
    for name in TEXTS:
        if name in named:
            continue
        named[name] = keys.read(name, string, f"the {name}", lines=name == "note", default="")
    aliases = keys.read("aliases", listed, "a list of names", default=[])
    named["aliases"] = tuple(string(alias, keys.location.at("aliases"), "an alias") for alias in aliases)
    if not own:
        named["equal_to"] = keys.read("equal-to", string, "a key", default="")
        named["dimensions"] = keys.read("dimensions", string, "the dimensions", default="")
        named["group"] = keys.read("group", string, "a group", default="")
        for name in LISTED:
            keys.take(name, None)
        readings = keys.read("readings", Keys, "a table of readings", default={}).left
        named["own_readings"] = tuple(
            (name, string(text, keys.location, "a reading")) for name, text in readings.items()
        )
    return {**named, "own": own}


def _of_parts(keys: Keys, named: dict[str, Any], *, own: bool) -> Definition:
    """The definition by its centre, or by its builder, view, measure and aggregation."""
    if not own and keys.has("undecided-because"):
        return _definition(NotDecided(keys.read("undecided-because", string, "a reason")), named)
    if not own and keys.has("centre"):
        return _definition(CENTRES[keys.read("centre", chosen, CENTRES)](), named)
    word = "comparisons" if own and keys.has("comparisons") and not keys.has("builder") else "builder"
    builders: dict[str, Any] = {**COMPARISONS, **({} if own else OF_THEIR_OWN)}
    if word == "builder" and keys.left.get(word) not in tuple(builders):
        scheme, has_delta = read_scheme(keys, builders)
        return _definition(scheme, named, has_delta=has_delta)
    name = keys.read(word, chosen, builders)
    measure = (
        measure_named(keys.take("measure"), str(keys.location.at("measure"))) if keys.has("measure") else HOCKEY_STICK
    )
    aggregation = AGGREGATIONS[keys.read("aggregation", chosen, AGGREGATIONS, default="worst")]
    comparisons = OF_THEIR_OWN[name]() if name in OF_THEIR_OWN else COMPARISONS[name]
    if aggregation.averages and not (isinstance(comparisons, Comparing) and comparisons.lists_knowledge):
        raise InputError(
            f"{name} comparisons have no average: they are for no B̂ in particular, or for one output each",
            where=str(keys.location.at("aggregation")),
            wanted="worst",
        )
    has_delta = not isinstance(measure, Divergence)
    definition = _definition(comparisons, named, measure=measure, aggregation=aggregation, has_delta=has_delta)
    return _restricted(definition, COMPARISONS[name], keys) if own else definition


def _definition(comparisons: Comparisons, named: Mapping[str, Any], **measured: Any) -> Definition:
    """The definition that compares this."""
    replaces = comparisons.replaces_a_record
    return Definition(kind=comparisons.kind, compare=comparisons, replaces_a_record=replaces, **named, **measured)


def _restricted(definition: Definition, comparing: Comparing, keys: Keys) -> Definition:
    """A recipe's own choices: a reading, and the pairs (a, b) that are compared."""
    readings = ("default", *readings_about((comparing.about.subject,)))
    reading = keys.read("reading", chosen, readings, default="default")
    only = None
    if keys.has("pairs"):
        pairs = keys.read("pairs", listed, "a list of pairs [a, b]")
        only = frozenset(_pair(pair, keys.location.at("pairs")) for pair in pairs)
    restriction = "" if only is None else f", a and b only {', '.join(f'{a} and {b}' for a, b in sorted(only))}"
    bounded_by = "ε" if isinstance(definition.measure, Divergence) else "δ"
    formula = (
        f"{definition.measure.formula} ≤ {bounded_by} for {comparing.about.subject} laws "
        f"({reading} reading{restriction}), {definition.aggregation.formula}"
    )
    compare: Compare = replace(comparing, builder=partial(_in_reading, comparing, reading))
    return replace(
        definition,
        formula=definition.formula or formula,
        compare=compare if only is None else partial(_only, compare, only),
    )


def _in_reading(comparing: Comparing, reading: str, case: Any, _asked: str) -> Iterator[Any]:
    """The rows of a builder in the reading that a recipe chose."""
    return comparing.builder(case, reading)


def _only(compare: Compare, pairs: frozenset[tuple[str, str]], engine: Engine, reading: str) -> Iterator[ComparisonSet]:
    """The comparisons of the listed values a and b alone."""
    known = {value.text for secret in engine.model.secrets for value in secret.domain}
    unknown = sorted({text for pair in pairs for text in pair} - known)
    if unknown:
        wanted = f"values of this model: {', '.join(sorted(known)[:12])}"
        raise InputError(f"the value {shorten(unknown[0])} is unknown", where="pairs", wanted=wanted)
    for one in compare(engine, reading):
        kept = (comparison for comparison in one.comparisons if _texts(comparison.a, comparison.b) in pairs)
        yield replace(one, comparisons=tuple(kept))


def _texts(a: Label | None, b: Label | None) -> tuple[str, str]:
    return "" if a is None else a.text, "" if b is None else b.text


def _pair(pair: object, location: Location) -> tuple[str, str]:
    row = [label(value, str(location)).text for value in listed(pair, location, "a pair [a, b]")]
    if len(row) != 2 or row[0] == row[1]:
        raise InputError(
            f"{shorten(pair)} is not a pair of values", where=str(location), wanted="two different values [a, b]"
        )
    return row[0], row[1]


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
        if name in OF_DP22 or name in _aliases_of_dp22() or (other is not None and not replaces):
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
        if name.called:
            return name
        known, own = _by_key(name.key), replace(name, own=True)
        return known if known in {name, own} and known is not None else register(own)
    text = str(name).strip().lower()
    known = _by_key(text) or next((one for one in _plain().values() if text in one.aliases), None)
    known = known or _by_key(_aliases_of_dp22().get(text, ""))
    if known is None:
        keys = dict.fromkeys([*DEFINITIONS, *ON_REQUEST, *OF_DP22])
        raise InputError(f"the definition {shorten(name)} is unknown", wanted=one_of(keys, name), tip=_tip(text[:100]))
    return replace(known, called=text) if text in NEEDS else known


def find_for_all(name: object) -> Definition:
    """The definition with this key or alias, where no model is asked.

    Raises:
        InputError: for an unknown name, and for one that means its definition for some models or questions alone.

    """
    found = find(name)
    if found.called and found.called not in ALIASES:
        raise InputError(
            f"{found.called} is {found.key} for some models or questions alone", wanted=f"{found.key}, which is for all"
        )
    return found


@cache
def _aliases_of_dp22() -> Mapping[str, str]:
    """The keys of the definitions of DP22 that have a file, by their other names."""
    return {alias: file.stem for file in sorted(FOLDER.glob("*.toml")) for alias in table_of(file).get("aliases", ())}


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
