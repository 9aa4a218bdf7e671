"""Reading model files that may have `[parameters]`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.model.model import Model
from verifier.model.parameters import Family, read_parameters
from verifier.model.place import Place
from verifier.model.read import build_tables, file_text, loads, tables_of


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
    if "parameters" not in tables:
        return loads(text, path)
    place = Place(path or "model")
    parameters, side = read_parameters(tables.pop("parameters"), tables.pop("conditions", []), place)
    title = tables.get("title")
    if not isinstance(title, str):
        title = Path(path).stem if path else "family"
    digest = hashlib.sha256(text.encode()).hexdigest()
    make = partial(_member, place=place, path=path, sha256=digest, text=text)
    expected = tables.pop("expect", [])
    if expected:
        raise InputError("given [[expect]]", where=str(place), wanted="a family without promised answers")
    return Family(parameters, side, tables, place, make, title, digest)


def _member(tables: Mapping[str, Any], *, place: Place, path: str, sha256: str, text: str) -> Model:
    return build_tables(tables, place, path=path, sha256=sha256, text=text)


def named(model: Model, shown: str) -> Model:
    """The model with the values of its parameters in its title."""
    return replace(model, title=f"{model.title} ({shown})")
