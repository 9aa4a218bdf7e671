"""Reading a definition from data: which laws it compares, how the loss is measured, how knowledge values count.

The definitions of the texts (`entries/`) and recipes of one's own (docs/own-definitions.md) are TOML tables of one
form, and come in through this reader. A definition that is no list of given laws names the procedure that decides it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from verifier.definitions.aggregation import AGGREGATIONS
from verifier.definitions.compare import COMPARISONS, Compare, Comparing
from verifier.definitions.comparison import Family
from verifier.definitions.conventions import readings_about
from verifier.definitions.definition import Decider, Definition
from verifier.definitions.dependency import dependent
from verifier.definitions.divergence import Divergence, measure_named
from verifier.definitions.inferred import inference
from verifier.definitions.simulated import imitation
from verifier.definitions.sizes import chosen_recodings, decide_over_sizes, one_tuple_apart
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model.place import Keys, Place, listed, string
from verifier.numbers import shorten
from verifier.tables import Label, label

GUIDE = "pkdp guide own-definitions has an example of each"
OF_THE_TEXTS: dict[str, tuple[Compare | None, Decider | None, str]] = {
    "one-tuple-apart": (one_tuple_apart, decide_over_sizes, "neighbours"),
    "chosen-recodings": (chosen_recodings, decide_over_sizes, "neighbours"),
    "two-mechanisms": (dependent, None, "dependency"),
    "simulator": (None, imitation, "simulator"),
    "simulated-beliefs": (None, inference, "posterior"),
}
"""Comparisons of the texts' definitions alone: the laws, the procedure that decides, and what a witness compares."""


def read_definition(text: str, place: Place, *, own: bool) -> Definition:
    """Read a definition from the text of a TOML table.

    Raises:
        InputError: where a key is unknown or missing, or a choice is none.

    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=str(place), wanted="a recipe", tip=GUIDE) from None
    keys = Keys(table, place, "a recipe")
    key, title = (string(keys.take(name), place.at(name), f"the {name}") for name in ("key", "title"))
    choices = dict(COMPARISONS) if own else {**COMPARISONS, **OF_THE_TEXTS}
    kind = _chosen(keys, place, "comparisons", choices)
    measure = measure_named(keys.take("measure", "hockey-stick"), str(place.at("measure")))
    aggregation = AGGREGATIONS[_chosen(keys, place, "aggregation", AGGREGATIONS, "worst")]
    if aggregation.averages and kind not in {"conditional", "counterfactual"}:
        raise InputError(
            f"given the average of {kind} comparisons, which are for no B̂ in particular, or for one output each",
            where=str(place.at("aggregation")),
            wanted="worst",
        )

    def words(name: str) -> str:
        return string(keys.take(name, ""), place.at(name), f"the {name}", lines=name == "note")

    aliases = listed(keys.take("aliases", []), place.at("aliases"), "a list of names")
    definition = Definition(
        key,
        title,
        words("source"),
        words("formula"),
        kind,
        measure=measure,
        aggregation=aggregation,
        aliases=tuple(string(alias, place.at("aliases"), "an alias") for alias in aliases),
        note=words("note"),
        vacuous=words("vacuous"),
        open=words("open"),
        own=own,
        latex=words("latex"),
    )
    if kind in OF_THE_TEXTS:
        compare, decider, witness = OF_THE_TEXTS[kind]
        keys.done()
        return replace(
            definition,
            kind=witness,
            compare=compare,
            decider=decider,
            changes_size=decider is decide_over_sizes,
            recodes=compare is chosen_recodings,
            replaces_a_record=decider is inference,
        )
    comparing = COMPARISONS[kind]
    definition = replace(definition, compare=comparing, replaces_a_record=comparing.reach != "possible")
    if own:
        definition = _restricted(definition, comparing, keys, place)
    keys.done()
    return definition


def _restricted(definition: Definition, comparing: Comparing, keys: Keys, place: Place) -> Definition:
    """A recipe's own choices: a reading, and the pairs (a, b) that are compared."""
    readings = ("default", *readings_about((comparing.kind,)))
    reading = _chosen(keys, place, "reading", readings, "default")
    pairs = keys.take("pairs", None)
    only = (
        None
        if pairs is None
        else frozenset(
            _pair(pair, place.at("pairs")) for pair in listed(pairs, place.at("pairs"), "a list of pairs [a, b]")
        )
    )
    restriction = "" if only is None else f", a and b only {', '.join(f'{a} and {b}' for a, b in sorted(only))}"
    bounded_by = "ε" if isinstance(definition.measure, Divergence) else "δ"
    formula = (
        f"{definition.measure.formula} ≤ {bounded_by} for {comparing.kind} laws ({reading} reading{restriction}), "
        f"{definition.aggregation.formula}"
    )
    compare: Compare = replace(comparing, builder=partial(_in_reading, comparing, reading))
    return replace(
        definition,
        source=definition.source or f"recipe {place.file.rpartition('/')[2]}",
        formula=definition.formula or formula,
        compare=compare if only is None else partial(_only, compare, only),
    )


def _in_reading(comparing: Comparing, reading: str, case: Any, _asked: str) -> Iterator[Any]:
    """The rows of a builder in the reading that a recipe chose."""
    return comparing.builder(case, reading)


def _only(compare: Compare, pairs: frozenset[tuple[str, str]], engine: Engine, reading: str) -> Iterator[Family]:
    """The comparisons of the listed values a and b alone."""
    known = {value.text for secret in engine.model.secrets for value in secret.domain}
    unknown = sorted({text for pair in pairs for text in pair} - known)
    if unknown:
        wanted = f"values of this model: {', '.join(sorted(known)[:12])}"
        raise InputError(f"given the value {shorten(unknown[0])}", where="pairs", wanted=wanted)
    for family in compare(engine, reading):
        kept = (each for each in family.comparisons if _texts(each.a, each.b) in pairs)
        yield replace(family, comparisons=tuple(kept))


def _texts(a: Label | None, b: Label | None) -> tuple[str, str]:
    return "" if a is None else a.text, "" if b is None else b.text


def _chosen(
    keys: Keys, place: Place, key: str, known: Mapping[str, object] | tuple[str, ...], default: Any = None
) -> str:
    """A name among those that are known."""
    name = keys.take(key) if default is None else keys.take(key, default)
    if not isinstance(name, str) or name not in known:
        raise InputError(f"given {shorten(name)}", where=str(place.at(key)), wanted=f"one of {', '.join(known)}")
    return name


def _pair(pair: object, place: Place) -> tuple[str, str]:
    row = [label(value, str(place)).text for value in listed(pair, place, "a pair [a, b]")]
    if len(row) != 2 or row[0] == row[1]:
        raise InputError(f"given {shorten(pair)}", where=str(place), wanted="two different values [a, b]")
    return row[0], row[1]
