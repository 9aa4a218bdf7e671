"""Reading a definition from data: what it compares, how the loss is measured, how the cases count together.

The definitions of the texts and of DP22 (`entries/`) and recipes of one's own (docs/own-definitions.md) are TOML tables
of one form, and come in through this reader: a `builder` with its own keys, a view, a measure and an aggregation; or a
`centre`, which says what a simulator is told; or the reason why no model decides it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from verifier.definitions.builders.resolve import COMPARISONS, Comparing
from verifier.definitions.compared_kinds import Compare, Comparisons, NotDecided
from verifier.definitions.comparison import AGGREGATIONS, ComparisonSet
from verifier.definitions.conventions import readings_about
from verifier.definitions.definition import Definition
from verifier.definitions.measures.divergence import Divergence, measure_named
from verifier.engine import Engine
from verifier.errors import InputError
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
        from verifier.definitions.scheme import read_scheme

        scheme, has_delta = read_scheme(keys, builders)
        return _definition(scheme, named, has_delta=has_delta)
    name = keys.read(word, chosen, builders)
    measure = measure_named(keys.take("measure", "hockey-stick"), str(keys.location.at("measure")))
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
