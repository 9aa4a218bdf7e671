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
from verifier.definitions.scheme.rows import Listing
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


class Laws(NamedTuple):
    """What a definition compares: the fields of a `Definition` that follow from the name of its comparisons.

    They are what it is about, its laws, its procedure, the kind of a witness, and what follows for a model.
    """

    compared: About
    kind: str
    compare: Compare | None = None
    decider: Decider | None = None
    changes_size: bool = False
    recodes: bool = False
    replaces_a_record: bool = False


OVER_SIZES = Procedure("sizes", "decide_over_sizes")
OF_THE_TEXTS = {
    "one-tuple-apart": Laws(
        About(ADDED_TUPLE), "neighbours", Procedure("sizes", "one_tuple_apart"), OVER_SIZES, changes_size=True
    ),
    "chosen-recodings": Laws(
        About(RECODING),
        "neighbours",
        Procedure("sizes", "chosen_recodings"),
        OVER_SIZES,
        changes_size=True,
        recodes=True,
    ),
    "two-mechanisms": Laws(About(DEPENDENCY), "dependency", Procedure("dependency", "dependent")),
    "simulator": Laws(
        About(SIMULATOR, "θ given B̂ and a value of a record with a simulator that sees the other records"),
        "simulator",
        decider=Procedure("simulated", "imitation", evidence="simulators"),
    ),
    "simulated-beliefs": Laws(
        About(SIMULATED_BELIEFS, "the belief about a record after an output with that after a simulator's"),
        "posterior",
        decider=Procedure("inferred", "inference", evidence="inferences"),
        replaces_a_record=True,
    ),
}
"""The comparisons that only definitions of the texts may name, by their names in entries."""


def _given_laws(comparing: Comparing) -> Laws:
    """The comparisons that recipes may name, too."""
    return Laws(comparing.about, comparing.kind, comparing, replaces_a_record=comparing.reach != "possible")


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
        return _own_scheme(keys)
    if not own and not {"builder", "centre", "undecided-because"}.isdisjoint(table):
        return _of_the_atlas(keys)
    texts = _required(keys, "key", "title")
    name = keys.read("comparisons", chosen, {**COMPARISONS, **({} if own else OF_THE_TEXTS)})
    measure = measure_named(keys.take("measure", "hockey-stick"), str(location.at("measure")))
    aggregation = AGGREGATIONS[keys.read("aggregation", chosen, AGGREGATIONS, default="worst")]
    if aggregation.averages and name not in {"conditional", "counterfactual"}:
        raise InputError(
            f"given the average of {name} comparisons, which are for no B̂ in particular, or for one output each",
            where=str(location.at("aggregation")),
            wanted="worst",
        )
    has_delta = not isinstance(measure, Divergence)
    named: dict[str, Any] = {**_described(keys), **texts, "own": own, "has_delta": has_delta}
    laws = OF_THE_TEXTS[name] if name in OF_THE_TEXTS else _given_laws(COMPARISONS[name])
    definition = Definition(measure=measure, aggregation=aggregation, **named, **laws._asdict())
    if own:
        definition = _restricted(definition, COMPARISONS[name], keys)
    keys.done()
    return definition


def _required(keys: Keys, *names: str) -> dict[str, Any]:
    """The texts that a definition must have, by name."""
    return {name: keys.read(name, string, f"the {name}") for name in names}


def _described(keys: Keys) -> dict[str, Any]:
    """The other texts of a definition, empty where they are left out, and its other names."""
    words = ("source", "formula", "note", "vacuous", "open", "latex")
    texts = {name: keys.read(name, string, f"the {name}", lines=name == "note", default="") for name in words}
    aliases = keys.read("aliases", listed, "a list of names", default=[])
    return {**texts, "aliases": tuple(string(alias, keys.location.at("aliases"), "an alias") for alias in aliases)}


def _of_the_atlas(keys: Keys) -> Definition:
    """A definition of DP22's scheme, from its entry."""
    from verifier.definitions.scheme.recipe import read_scheme

    texts = _required(keys, "key", "title", "source", "formula", "dimensions")
    named = {**_described(keys), **texts}
    readings = keys.read("readings", Keys, "a table of readings", default={}).left
    scheme, has_delta = read_scheme(keys)
    keys.done()
    own_readings = tuple((name, string(text, keys.location, "a reading")) for name, text in readings.items())
    return _of_rows(scheme, own_readings=own_readings, has_delta=has_delta, **named)


def _own_scheme(keys: Keys) -> Definition:
    """A recipe of one's own from the parts of DP22's scheme: a builder, a view, a measure, an aggregation."""
    from verifier.definitions.scheme.recipe import read_scheme

    texts = _required(keys, "key", "title")
    named = {**_described(keys), **texts}
    parts = {name: keys.left[name] for name in PARTS if name in keys.left}
    scheme, has_delta = read_scheme(keys)
    keys.done()
    named["source"] = named["source"] or _source(keys)
    named["formula"] = named["formula"] or ", ".join(f"{name} {value}" for name, value in parts.items())
    return _of_rows(scheme, has_delta=has_delta, dimensions="", own=True, **named)


def _of_rows(scheme: Decider | Listing, **named: Any) -> Definition:
    """A definition that lists its rows by a scheme, or that a procedure decides."""
    from verifier.definitions.scheme.decide import KIND, ROWS

    if isinstance(scheme, Listing):
        return Definition(kind=KIND, compare=scheme, compared=ROWS, **named)
    return Definition(kind=KIND, decider=scheme, compared=ROWS, **named)


def _source(keys: Keys) -> str:
    """The source of a recipe of one's own that names none: its file."""
    return f"recipe {keys.location.file.rpartition('/')[2]}"


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
        source=definition.source or _source(keys),
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
