"""Model files for tests, and every small change that can be made to an answer or a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import verifier as pk
from verifier.model.write import inline

Json = Any
Place = tuple[Any, ...]


def file_of(keys: Mapping[str, Any]) -> str:
    """The keys of `build` as a model file."""
    return "".join(f"{key} = {inline(value)}\n" for key, value in keys.items())


def written(folder: Path, text: str, name: str = "model.toml") -> pk.Model:
    """The text as a file, and the model in it."""
    (folder / name).write_text(text, encoding="utf-8")
    return pk.read(folder / name)


def leaves(value: Json, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every text, number and null with its place."""
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in entries:
            yield from leaves(one, (*place, key))
    else:
        yield place, value


def changed(one: Any) -> Iterator[Any]:
    """Other values of the same kind."""
    if isinstance(one, bool):
        yield not one
    elif isinstance(one, int):
        yield from (one + 1, one - 1)
    elif one is None:
        yield from ("0", "x", 0, [])
    elif one.replace("/", "").isdigit():
        yield from (x for x in ("0", "1", "1/7", "2/3", f"{one}0") if x != one)
    else:
        yield from (x for x in (f"{one}x", "", "0") if x != one)


def place_in(one: Any, place: Sequence[Any]) -> tuple[Any, Any]:
    """The table or list that has the last key of a place, and that key."""
    for key in place[:-1]:
        one = one[key]
    return one, place[-1]


def put(document: Json, place: Place, value: Any) -> Json:
    """The same with another value at a place."""
    other = deepcopy(document)
    target, key = place_in(other, place)
    target[key] = value
    return other


def mutants(document: Json) -> Iterator[tuple[Place, Any, Json]]:
    """Every change of one leaf."""
    for place, one in leaves(document):
        for value in changed(one):
            yield place, value, put(document, place, value)


def shorter(document: Json) -> Iterator[tuple[Place, Json]]:
    """Every document with one key, or one entry of a list, less."""
    for place, one in containers(document):
        for key in list(one) if isinstance(one, dict) else range(len(one)):
            other = deepcopy(document)
            target, _ = place_in(other, (*place, key))
            del target[key]
            yield (*place, key), other


def containers(value: Json, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every table and list with its place."""
    if isinstance(value, dict | list):
        yield place, value
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in list(entries):
            yield from containers(one, (*place, key))
