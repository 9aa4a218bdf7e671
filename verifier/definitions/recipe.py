"""Reading a definition from data: which laws it compares, how the loss is measured, how knowledge values count.

The definitions of the texts (`entries/`) and recipes of one's own (docs/own-definitions.md) are TOML tables of one
form, and come in through this reader. A definition that is no list of given laws names the procedure that decides it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from verifier.definitions.aggregation import AGGREGATIONS
from verifier.definitions.compare import COMPARISONS, Compare, Comparing
from verifier.definitions.comparison import ComparisonSet
from verifier.definitions.conventions import readings_about
from verifier.definitions.definition import Decider, Definition
from verifier.definitions.divergence import Divergence, measure_named
from verifier.definitions.subjects import (
    ADDED_TUPLE,
    DEPENDENCY,
    RECODING,
    SIMULATED_BELIEFS,
    SIMULATOR,
    About,
)
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model.keys import Keys, Location, chosen, listed, string
from verifier.numbers import shorten
from verifier.tables import Label, label

PARTS = ("builder", "steps", "within", "restrict", "scale", "about", "view", "measure", "aggregation")
"""The parts of DP22's scheme, as the formula of a recipe without one names them."""
GUIDE = "docs/own-definitions.md has an example of each"


@dataclass(frozen=True)
class Procedure:
    """The function `name` of a file of this room, which few questions need; it is loaded when it is first called.

    `evidence` is the file of `verifier.evidence` that writes what its answers rest on beside the tables, or "".
    """

    file: str
    name: str
    evidence: str = ""

    def __call__(self, *arguments: Any) -> Any:
        """Return what the function does with these arguments."""
        return getattr(import_module(f"verifier.definitions.{self.file}"), self.name)(*arguments)


class OfTheTexts(NamedTuple):
    """Comparisons that only definitions of the texts may name.

    It has what they are about, their laws, their procedure, the kind of a witness, and what follows for a model.
    """

    about: About
    kind: str
    compare: Compare | None = None
    decider: Decider | None = None
    changes_size: bool = False
    recodes: bool = False
    replaces_a_record: bool = False


OVER_SIZES = Procedure("sizes", "decide_over_sizes")
OF_THE_TEXTS = {
    "one-tuple-apart": OfTheTexts(
        About(ADDED_TUPLE),
        "neighbours",
        Procedure("sizes", "one_tuple_apart"),
        OVER_SIZES,
        changes_size=True,
    ),
    "chosen-recodings": OfTheTexts(
        About(RECODING),
        "neighbours",
        Procedure("sizes", "chosen_recodings"),
        OVER_SIZES,
        changes_size=True,
        recodes=True,
    ),
    "two-mechanisms": OfTheTexts(About(DEPENDENCY), "dependency", Procedure("dependency", "dependent")),
    "simulator": OfTheTexts(
        About(SIMULATOR, "θ given B̂ and a value of a record with a simulator that sees the other records"),
        "simulator",
        decider=Procedure("simulated", "imitation", evidence="simulators"),
    ),
    "simulated-beliefs": OfTheTexts(
        About(SIMULATED_BELIEFS, "the belief about a record after an output with that after a simulator's"),
        "posterior",
        decider=Procedure("inferred", "inference", evidence="inferences"),
        replaces_a_record=True,
    ),
}
"""These comparisons by their names in entries."""


def read_definition(text: str, location: Location, *, own: bool) -> Definition:
    """Read a definition from the text of a TOML table.

    Raises:
        InputError: where a key is unknown or missing, or a value is none of those that it can have.

    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=str(location), wanted="a recipe", tip=GUIDE) from None
    keys = Keys(table, location, "a recipe")
    if own and "builder" in table:
        return _own_scheme(keys, location)
    if not own and not {"builder", "centre", "undecided-because"}.isdisjoint(table):
        return _of_the_atlas(keys, location)
    key, title = (string(keys.take(name), location.at(name), f"the {name}") for name in ("key", "title"))
    choices: dict[str, Comparing | OfTheTexts] = {**COMPARISONS, **({} if own else OF_THE_TEXTS)}
    name = chosen(keys, location, "comparisons", choices)
    measure = measure_named(keys.take("measure", "hockey-stick"), str(location.at("measure")))
    aggregation = AGGREGATIONS[chosen(keys, location, "aggregation", AGGREGATIONS, "worst")]
    if aggregation.averages and name not in {"conditional", "counterfactual"}:
        raise InputError(
            f"given the average of {name} comparisons, which are for no B̂ in particular, or for one output each",
            where=str(location.at("aggregation")),
            wanted="worst",
        )

    def words(name: str) -> str:
        return string(keys.take(name, ""), location.at(name), f"the {name}", lines=name == "note")

    aliases = listed(keys.take("aliases", []), location.at("aliases"), "a list of names")
    definition = Definition(
        key,
        title,
        words("source"),
        words("formula"),
        choices[name].kind,
        measure=measure,
        aggregation=aggregation,
        aliases=tuple(string(alias, location.at("aliases"), "an alias") for alias in aliases),
        note=words("note"),
        vacuous=words("vacuous"),
        open=words("open"),
        own=own,
        compared=choices[name].about,
        latex=words("latex"),
        has_delta=not isinstance(measure, Divergence),
    )
    if name in OF_THE_TEXTS:
        of_the_texts = OF_THE_TEXTS[name]
        keys.done()
        return replace(
            definition,
            compare=of_the_texts.compare,
            decider=of_the_texts.decider,
            changes_size=of_the_texts.changes_size,
            recodes=of_the_texts.recodes,
            replaces_a_record=of_the_texts.replaces_a_record,
        )
    comparing = COMPARISONS[name]
    definition = replace(definition, compare=comparing, replaces_a_record=comparing.reach != "possible")
    if own:
        definition = _restricted(definition, comparing, keys, location)
    keys.done()
    return definition


def _of_the_atlas(keys: Keys, location: Location) -> Definition:
    """A definition of DP22's scheme, from its entry."""
    from verifier.definitions.scheme.recipe import read_scheme

    words = ("key", "title", "source", "formula", "dimensions")
    key, title, source, formula, dimensions = (
        string(keys.take(name), location.at(name), f"the {name}") for name in words
    )
    more: dict[str, Any] = {
        name: string(keys.take(name, ""), location.at(name), f"the {name}")
        for name in ("open", "note", "vacuous", "latex")
    }
    readings = Keys(keys.take("readings", {}), location.at("readings"), "a table of readings").left
    decider, has_delta = read_scheme(keys, location)
    keys.done()
    return Definition(
        key,
        title,
        source,
        formula,
        "scheme",
        decider=decider,
        own_readings=tuple((name, string(text, location, "a reading")) for name, text in readings.items()),
        has_delta=has_delta,
        dimensions=dimensions,
        **more,
    )


def _own_scheme(keys: Keys, location: Location) -> Definition:
    """A recipe of one's own from the parts of DP22's scheme: a builder, a view, a measure, an aggregation."""
    from verifier.definitions.scheme.recipe import read_scheme

    key, title = (string(keys.take(name), location.at(name), f"the {name}") for name in ("key", "title"))
    more: dict[str, Any] = {
        name: string(keys.take(name, ""), location.at(name), f"the {name}", lines=name == "note")
        for name in ("source", "formula", "open", "note", "vacuous", "latex")
    }
    aliases = listed(keys.take("aliases", []), location.at("aliases"), "a list of names")
    parts = {name: keys.left[name] for name in PARTS if name in keys.left}
    decider, has_delta = read_scheme(keys, location)
    keys.done()
    more["source"] = more["source"] or f"recipe {location.file.rpartition('/')[2]}"
    more["formula"] = more["formula"] or ", ".join(f"{name} {value}" for name, value in parts.items())
    return Definition(
        key,
        title,
        kind="scheme",
        decider=decider,
        aliases=tuple(string(alias, location.at("aliases"), "an alias") for alias in aliases),
        has_delta=has_delta,
        dimensions="",
        own=True,
        **more,
    )


def _restricted(definition: Definition, comparing: Comparing, keys: Keys, location: Location) -> Definition:
    """A recipe's own choices: a reading, and the pairs (a, b) that are compared."""
    readings = ("default", *readings_about((comparing.about.subject,)))
    reading = chosen(keys, location, "reading", readings, "default")
    pairs = keys.take("pairs", None)
    only = (
        None
        if pairs is None
        else frozenset(
            _pair(pair, location.at("pairs")) for pair in listed(pairs, location.at("pairs"), "a list of pairs [a, b]")
        )
    )
    restriction = "" if only is None else f", a and b only {', '.join(f'{a} and {b}' for a, b in sorted(only))}"
    bounded_by = "ε" if isinstance(definition.measure, Divergence) else "δ"
    formula = (
        f"{definition.measure.formula} ≤ {bounded_by} for {comparing.about.subject} laws "
        f"({reading} reading{restriction}), {definition.aggregation.formula}"
    )
    compare: Compare = replace(comparing, builder=partial(_in_reading, comparing, reading))
    return replace(
        definition,
        source=definition.source or f"recipe {location.file.rpartition('/')[2]}",
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
        raise InputError(f"given the value {shorten(unknown[0])}", where="pairs", wanted=wanted)
    for family in compare(engine, reading):
        kept = (comparison for comparison in family.comparisons if _texts(comparison.a, comparison.b) in pairs)
        yield replace(family, comparisons=tuple(kept))


def _texts(a: Label | None, b: Label | None) -> tuple[str, str]:
    return "" if a is None else a.text, "" if b is None else b.text


def _pair(pair: object, location: Location) -> tuple[str, str]:
    row = [label(value, str(location)).text for value in listed(pair, location, "a pair [a, b]")]
    if len(row) != 2 or row[0] == row[1]:
        raise InputError(f"given {shorten(pair)}", where=str(location), wanted="two different values [a, b]")
    return row[0], row[1]
