"""Definitions of one's own, from a Python file or a recipe: the same objects as the built-in ones.

A Python file makes `Definition` objects at its top level; a recipe is read as the definitions of the texts are.
docs/own-definitions.md has an example of each.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from verifier.definitions.compared_kinds import Comparisons
from verifier.definitions.comparison import ComparisonSet, Pair
from verifier.definitions.definition import Definition
from verifier.definitions.registry import DEFINITIONS, GUIDE, read_definition, register
from verifier.engine import Engine, KnowledgeCase
from verifier.errors import InputError, PkdpError
from verifier.machine.files import text_of
from verifier.model.keys import Location
from verifier.numbers import probability, shorten
from verifier.tables import Label, Law, in_order, label

MOST_BYTES = 4 << 20


def load(path: str | Path) -> tuple[Definition, ...]:
    """Read the definitions of a Python file or a recipe (TOML), and register them.

    Raises:
        InputError: where the file is missing, raises an error, has no definition, or is no recipe.

    """
    file = Path(path)
    if file.suffix not in {".py", ".toml"}:
        raise InputError(
            f"{file.name} is not a file of a definition",
            where=str(path),
            wanted="a file NAME.py or NAME.toml",
            tip=GUIDE,
        )
    text = text_of(path, "a definition", most=MOST_BYTES, tip=GUIDE)
    definitions = (
        _from_python(file) if file.suffix == ".py" else (read_definition(text, Location(str(path)), own=True),)
    )
    return tuple(_registered(definition, str(path)) for definition in definitions)


def _registered(definition: Definition, where: str) -> Definition:
    try:
        return register(definition)
    except InputError as error:
        raise error.within(where) from None


def _from_python(file: Path) -> tuple[Definition, ...]:
    """The definitions that a module makes, without the built-in ones that it imports."""
    name = f"own_definition_{re.sub(r'[^0-9A-Za-z_]', '_', file.stem)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError("the file is not a Python module", where=str(file), wanted="a definition", tip=GUIDE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that its dataclasses and pickles find it
    try:
        spec.loader.exec_module(module)
    except PkdpError as error:
        raise error.within(str(file)) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a user's file raises is told to the user
        raise InputError(
            f"the file raises {_raised(error, file)}", where=str(file), wanted="a module", tip=GUIDE
        ) from None
    definitions = [
        value for value in vars(module).values() if isinstance(value, Definition) and value not in DEFINITIONS.values()
    ]
    if not definitions:
        raise InputError(
            "the file makes no Definition", where=str(file), wanted="a Definition at its top level", tip=GUIDE
        )
    return tuple(_guarded(definition, file) for definition in dict.fromkeys(definitions))


def _raised(error: BaseException, file: Path) -> str:
    """What was raised, and the last line of the file that led there."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    at = f" (line {lines[-1]})" if lines else f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
    return f"{type(error).__name__}{at}: {error}"


def _guarded(definition: Definition, file: Path) -> Definition:
    """The definition, marked as one's own; an error in what it compares is told with its place."""
    compare = definition.compare
    if compare is None:
        raise InputError(f"{definition.key} compares nothing", where=str(file), wanted="`compare=`", tip=GUIDE)
    if isinstance(compare, Comparisons) and compare.reads_policy:
        return replace(definition, own=True)

    def checked_compare(engine: Engine, reading: str) -> Iterator[ComparisonSet]:
        names: set[object] = set()
        try:
            for family in compare(engine, reading):
                yield named_apart(checked(family), names)
        except PkdpError as error:
            raise error.within(f"{file}: {definition.key}") from None
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a user's function raises is told to the user
            raise InputError(
                f"its `compare` raises {_raised(error, file)}", where=f"{file}: {definition.key}"
            ) from None

    return replace(definition, compare=checked_compare, own=True)


def checked(family: object) -> ComparisonSet:
    """Return what `compare` yields, after a check: comparisons with terms, weights up to `total`, and labels or None.

    Raises:
        InputError: with what is wrong.

    """
    if not isinstance(family, ComparisonSet):
        raise InputError(f"`compare` yields {shorten(family)}", wanted="ComparisonSet objects", tip=GUIDE)
    for comparison in family.comparisons:
        masses = [int(term.mass) for term in comparison.terms]
        labels = (comparison.a, comparison.b, comparison.output)
        if any(label is not None and not isinstance(label, Label) for label in labels):
            wanted = "labels such as engine.model.values[0], or None"
            raise InputError(
                f"a comparison names {shorten(comparison.a)} and {shorten(comparison.b)}", wanted=wanted, tip=GUIDE
            )
        if not comparison.terms or min(masses) < 0 or sum(masses) > comparison.total:
            raise InputError("a comparison has no terms, or terms that weigh more than `total`", tip=GUIDE)
    return family


def named_apart(family: ComparisonSet, names: set[object]) -> ComparisonSet:
    """Return a family of comparisons, of which none has one of the names before; they are added to `names`.

    Raises:
        InputError: for two comparisons that no witness could tell apart.

    """
    for comparison in family.comparisons:
        databases = None if comparison.databases is None else comparison.databases()
        first = comparison.terms[0].pair
        known = first.knowledge if len(comparison.terms) == 1 else None
        name = (comparison.distribution, comparison.record, comparison.a, comparison.b, comparison.output, databases,
                known, first.direction)  # fmt: skip
        if name in names:
            raise InputError(
                f"two comparisons of record {comparison.record} have the same values, databases and knowledge",
                wanted="comparisons that a witness can name",
                tip="say what the attacker knows: law_pair(P, Q, case) with a case of engine.factual(theta, secret)",
            )
        names.add(name)
    return family


def law_pair(
    p: Mapping[Any, Any] | Law, q: Mapping[Any, Any] | Law | None, knowledge: KnowledgeCase | None = None
) -> Pair:
    """P against Q from two tables of exact probabilities, or two laws; `q` is None where the second does not exist.

    P and Q map outputs to probabilities that sum to 1. `knowledge` is the case B̂ of `engine.factual(theta, secret)` to
    which they belong; witnesses and the independent checker name it. Leave it out where nothing is known.

    >>> pair = law_pair({"x": "3/4", "y": "1/4"}, {"x": "1/4", "y": "3/4"})
    >>> pair.profile.epsilon(0)
    <Epsilon ln(3)>

    Raises:
        InputError: for a table that is no law.

    """
    first, second = _law(p), None if q is None else _law(q)
    outputs = tuple(in_order({**first, **(second or {})}))
    return Pair(knowledge, outputs, _weights(first, outputs), None if second is None else _weights(second, outputs))


def _law(law: Mapping[Any, Any] | Law) -> dict[Label, Fraction]:
    if isinstance(law, Law):
        return dict(law.chances())
    law_table = {label(key, "a law"): probability(value, "a law") for key, value in law.items()}
    Law.from_fractions(law_table, "a law")
    return law_table


def _weights(law: Mapping[Label, Fraction], outputs: tuple[Label, ...]) -> tuple[int, ...]:
    shared = lcm(*(weight.denominator for weight in law.values()))
    return tuple(int(law.get(output, Fraction(0)) * shared) for output in outputs)
