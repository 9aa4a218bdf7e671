"""Definitions of one's own, from a Python file or a recipe: the same objects as the built-in ones.

A Python file makes `Definition` objects at its top level. A recipe is a TOML table that chooses what is compared, how
it is measured and how the knowledge values count; docs/own-definitions.md has an example of each.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from verifier.definitions.aggregation import AGGREGATIONS
from verifier.definitions.compare import COMPARISONS, Compare
from verifier.definitions.comparison import Family
from verifier.definitions.conventions import readings_of
from verifier.definitions.definition import Definition
from verifier.definitions.measure import MEASURES
from verifier.definitions.pairs import Pair
from verifier.definitions.registry import DEFINITIONS, register
from verifier.engine import Engine, Heard
from verifier.errors import InputError, PkdpError
from verifier.files import text_of
from verifier.model.place import Keys, Place, listed, string
from verifier.numbers import probability, shorten
from verifier.tables import Label, Law, in_order, label

GUIDE = "pkdp guide own-definitions has an example of each"
MOST_BYTES = 4 << 20
KINDS = {"conditional": "apkdp", "counterfactual": "cdp", "posterior": "ibcdp", "neighbours": "dp"}
"""The built-in definition whose readings a recipe may choose from."""


def load(path: str | Path) -> tuple[Definition, ...]:
    """Read the definitions of a Python file or a recipe (TOML), and register them.

    Raises:
        InputError: where the file is not there, raises an error, has no definition, or is no recipe.

    """
    file = Path(path)
    if file.suffix not in {".py", ".toml"}:
        raise InputError(f"given {file.name}", where=str(path), wanted="a file NAME.py or NAME.toml", tip=GUIDE)
    text = text_of(path, "a definition", most=MOST_BYTES, tip=GUIDE)
    found = _from_python(file) if file.suffix == ".py" else (_from_recipe(text, Place(str(path))),)
    return tuple(_registered(one, str(path)) for one in found)


def _registered(definition: Definition, where: str) -> Definition:
    try:
        return register(definition)
    except InputError as error:
        raise error.within(where) from None


def _from_python(file: Path) -> tuple[Definition, ...]:
    """The definitions that a module makes; those that it imports are not its own."""
    name = f"own_definition_{re.sub(r'[^0-9A-Za-z_]', '_', file.stem)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError("the file is no Python module", where=str(file), wanted="a definition", tip=GUIDE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that its dataclasses and pickles find it
    try:
        spec.loader.exec_module(module)
    except PkdpError as error:
        raise error.within(str(file)) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a user's file raises is told to the user
        raise InputError(
            f"the file raises {_told(error, file)}", where=str(file), wanted="a module", tip=GUIDE
        ) from None
    made = [one for one in vars(module).values() if isinstance(one, Definition) and one not in DEFINITIONS.values()]
    if not made:
        raise InputError(
            "the file makes no Definition", where=str(file), wanted="a Definition at its top level", tip=GUIDE
        )
    return tuple(_guarded(one, file) for one in dict.fromkeys(made))


def _told(error: BaseException, file: Path) -> str:
    """What was raised, and the last line of the file that led there."""
    lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == str(file)]
    at = f" (line {lines[-1]})" if lines else f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
    return f"{type(error).__name__}{at}: {error}"


def _guarded(definition: Definition, file: Path) -> Definition:
    """The definition, marked as one's own; an error in what it compares is told with its place."""
    compare = definition.compare
    if compare is None:
        raise InputError(f"{definition.key} compares nothing", where=str(file), wanted="`compare=`", tip=GUIDE)

    def told(engine: Engine, reading: str) -> Iterator[Family]:
        try:
            for family in compare(engine, reading):
                yield checked(family)
        except PkdpError as error:
            raise error.within(f"{file}: {definition.key}") from None
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a user's function raises is told to the user
            raise InputError(f"its `compare` raises {_told(error, file)}", where=f"{file}: {definition.key}") from None

    return replace(definition, compare=told, own=True)


def checked(family: object) -> Family:
    """A family whose comparisons have laws; anything else is refused."""
    if not isinstance(family, Family):
        raise InputError(f"given {shorten(family)}", wanted="`compare` to yield Family objects", tip=GUIDE)
    for one in family.comparisons:
        masses = [int(term.mass) for term in one.terms]
        labels = (one.a, one.b, one.output)
        if any(label is not None and not isinstance(label, Label) for label in labels):
            wanted = "labels such as engine.model.values[0], or None"
            raise InputError(f"given a comparison of {shorten(one.a)} with {shorten(one.b)}", wanted=wanted, tip=GUIDE)
        if not one.terms or min(masses) < 0 or sum(masses) > one.whole:
            raise InputError("given a comparison whose terms are none, or weigh more than `whole`", tip=GUIDE)
    return family


def law_pair(p: Mapping[Any, Any] | Law, q: Mapping[Any, Any] | Law | None, knowledge: Heard | None = None) -> Pair:
    """P against Q from two tables of exact probabilities, or two laws; `q` is None where the second does not exist.

    >>> pair = law_pair({"x": "3/4", "y": "1/4"}, {"x": "1/4", "y": "3/4"})
    >>> pair.profile.epsilon(0)
    <Epsilon ln(3)>
    """
    first, second = _law(p), None if q is None else _law(q)
    outputs = tuple(in_order({**first, **(second or {})}))
    return Pair(knowledge, outputs, _weights(first, outputs), None if second is None else _weights(second, outputs))


def _law(given: Mapping[Any, Any] | Law) -> dict[Label, Fraction]:
    if isinstance(given, Law):
        return {outcome: Fraction(weight, given.denominator) for outcome, weight in given.items()}
    found = {label(key, "a law"): probability(value, "a law") for key, value in given.items()}
    Law.from_fractions(found, "a law")
    return found


def _weights(law: Mapping[Label, Fraction], outputs: tuple[Label, ...]) -> tuple[int, ...]:
    shared = lcm(*(weight.denominator for weight in law.values()))
    return tuple(int(law.get(one, Fraction(0)) * shared) for one in outputs)


def _from_recipe(text: str, place: Place) -> Definition:
    """A choice of comparisons × measure × aggregation, with the pairs (a, b) restricted where the recipe says so."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=str(place), wanted="a recipe", tip=GUIDE) from None
    keys = Keys(table, place, "a recipe")
    key, title = (string(keys.take(one), place.at(one), f"the {one}") for one in ("key", "title"))
    kind = _chosen(keys, place, "comparisons", COMPARISONS)
    measure = MEASURES[_chosen(keys, place, "measure", MEASURES, "hockey-stick")]
    aggregation = AGGREGATIONS[_chosen(keys, place, "aggregation", AGGREGATIONS, "worst")]
    readings = ("default", *readings_of(KINDS[kind]))
    reading = _chosen(keys, place, "reading", readings, "default")
    if aggregation.averages and kind not in {"conditional", "counterfactual"}:
        raise InputError(
            f"given the average of {kind} comparisons, which are for no B̂ in particular, or for one output each",
            where=str(place.at("aggregation")),
            wanted="worst",
        )
    pairs = keys.take("pairs", None)
    source = string(keys.take("source", f"recipe {Path(place.file).name}"), place.at("source"), "the source")
    note = string(keys.take("note", ""), place.at("note"), "a note", lines=True)
    keys.done()
    only = (
        None
        if pairs is None
        else frozenset(
            _pair(one, place.at("pairs")) for one in listed(pairs, place.at("pairs"), "a list of pairs [a, b]")
        )
    )
    said = "" if only is None else f", a and b only {', '.join(f'{a} and {b}' for a, b in sorted(only))}"
    return Definition(
        key,
        title,
        source,
        f"{measure.formula} ≤ δ for {kind} laws ({reading} reading{said}), {aggregation.formula}",
        kind,
        _restricted(COMPARISONS[kind], reading, only),
        measure,
        aggregation,
        note=note,
        replaces_a_record=kind != "conditional",
        own=True,
    )


def _chosen(
    keys: Keys, place: Place, key: str, known: Mapping[str, object] | tuple[str, ...], default: Any = None
) -> str:
    given = keys.take(key) if default is None else keys.take(key, default)
    if not isinstance(given, str) or given not in known:
        raise InputError(f"given {shorten(given)}", where=str(place.at(key)), wanted=f"one of {', '.join(known)}")
    return given


def _pair(given: object, place: Place) -> tuple[str, str]:
    row = [label(one, str(place)).text for one in listed(given, place, "a pair [a, b]")]
    if len(row) != 2 or row[0] == row[1]:
        raise InputError(f"given {shorten(given)}", where=str(place), wanted="two different values [a, b]")
    return row[0], row[1]


def _restricted(compare: Compare, reading: str, only: frozenset[tuple[str, str]] | None) -> Compare:
    """The comparisons in the recipe's reading, of the listed values a and b alone."""

    def chosen(engine: Engine, _reading: str) -> Iterator[Family]:
        known = {value.text for secret in engine.model.secrets for value in secret.domain}
        unknown = sorted({text for pair in only or () for text in pair} - known)
        if unknown:
            wanted = f"values of this model: {', '.join(sorted(known)[:12])}"
            raise InputError(f"given the value {shorten(unknown[0])}", where="pairs", wanted=wanted)
        for family in compare(engine, reading):
            kept = (one for one in family.comparisons if only is None or _texts(one.a, one.b) in only)
            yield replace(family, comparisons=tuple(kept))

    return chosen


def _texts(a: Label | None, b: Label | None) -> tuple[str, str]:
    return "" if a is None else a.text, "" if b is None else b.text
