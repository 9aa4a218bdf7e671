"""Reading model files that may have `[parameters]`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from verifier.errors import InputError, printable
from verifier.model.keys import Location, sections, string
from verifier.model.model import Model
from verifier.model.parameters import UNNAMED, Family, read_parameters
from verifier.model.read import build_tables, of_tables
from verifier.model.toml import file_text, tables_of


def read_any(path: str | Path) -> Model | Family:
    """Read a model file: a model, or where it has `[parameters]` a family.

    Raises:
        InputError, LimitError: as `read` does, and for parameters that are none.

    """
    return loads_any(file_text(path), str(path))


def loads_any(text: str, path: str = "") -> Model | Family:
    r"""Read the text of a model file, with or without `[parameters]`.

    >>> coin = '''
    ... size = 1
    ... values = [0, 1]
    ... [parameters]
    ... p = { above = "0", below = "1" }
    ... [[distribution]]
    ... iid = { 0 = "1 - p", 1 = "p" }
    ... [mechanism]
    ... kind = "sum"
    ... '''
    >>> family = loads_any(coin)
    >>> str(family.parameters[0]), family.names
    ('0 < p < 1', ('p',))
    """
    tables = tables_of(text, path)
    location = Location(path or UNNAMED)
    if "parameters" not in tables:
        if "conditions" in tables:
            raise InputError(
                "there are conditions without [parameters]", where=str(location), wanted="both, or neither"
            )
        return of_tables(tables, text, path)
    parameters, side = read_parameters(tables.pop("parameters"), tables.pop("conditions", []), location)
    untitled = printable(Path(path).stem) if path else "family"
    title = string(tables.get("title", untitled), location.at("title"), "a title")
    digest = hashlib.sha256(text.encode()).hexdigest()

    def make(member: Mapping[str, Any]) -> Model:
        model = build_tables(member, location, path=path, sha256=digest, text=text)
        return replace(model, tables=member)

    expected = _expected(tables.pop("expect", []), location)
    family = Family(parameters, side, tables, location, make, title, digest, expected)
    _refuse_unused(family)
    return family


def _refuse_unused(family: Family) -> None:
    """A parameter that no probability depends on is a slip."""
    used = frozenset[str]().union(*(expression.names for _, expression in family.expressions))
    for name in family.names:
        if name not in used:
            raise InputError(
                f"the parameter {name} stands in no probability",
                where=str(family.location.at("[parameters]", "parameters", name)),
                wanted=f'an expression such as "1 - {name}"',
            )


QUESTION, ANSWER = ("epsilon", "delta", "reading"), ("holds", "fails", "vacuous", "undecided")
"""What the expectation of a family says of its question beside the definition, and what it may promise, in words."""


def _expected(raw: object, location: Location) -> tuple[Mapping[str, str], ...]:
    """The promised answers: for which values of the parameter a definition holds, in words."""
    expectations = []
    for keys in sections(raw, location, "[[expect]]"):
        at = keys.location
        promised = {"definition": string(keys.take("definition"), at, "the name of a definition")}
        promised |= {key: str(keys.take(key)) for key in (*QUESTION, *ANSWER) if keys.has(key)}
        keys.done()
        if not promised.keys() & set(ANSWER):
            raise InputError("there is no answer", where=str(at), wanted=f"at least one of {', '.join(ANSWER)}")
        expectations.append(promised)
    return tuple(expectations)


def named(model: Model, parameter_values: str) -> Model:
    """The model with `parameter_values`, a text such as `p = 1/3`, added to its title."""
    return replace(model, title=f"{model.title} ({parameter_values})")
