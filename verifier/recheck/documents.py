"""Documents of proofs: question, answer and what proves it, beside the model file, which the checker reads itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from os.path import commonpath
from pathlib import Path
from typing import Any

from verifier.model import Database, Model
from verifier.model.library import models_folder
from verifier.model.parameters import UNNAMED, Family
from verifier.model.read import STANDARD_INPUT, loads_any
from verifier.model.write import toml_text
from verifier.recheck import setting_text, text_of
from verifier.recheck.texts import number_text

WIDTH = 120
"""Largest number of characters of a value that is written on one line."""


def document_text(document: Mapping[str, Any] | list[Any]) -> str:
    """The text of the file of a document, or of answers: JSON that a reader can read."""
    return written(document) + "\n"


def source_of(model: Model, beside: Path) -> dict[str, Any]:
    """The keys of an answer that say which model it is about: its file, named from the place `beside`, or its text.

    Raises:
        UnsupportedError: where the model was made in Python, and its tables are too large to be written.

    """
    if model.sha256 and model.path not in {"", STANDARD_INPUT} and not model.files:
        return {"model": model_name(model.path, beside), "sha256": model.sha256}
    return {"model_text": text_of(model)[0]}


def head(
    kind: str, subject: Model | Family, beside: Path | None = None, parameters: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The first keys of a document: its kind, and the model file with its hash, named from the place `beside`.

    Of a file with `[parameters]`, `parameters` are the values that were set. Without a place the text of the file
    stands in the document; so does a text for what came from no file, and for a part of a model.

    Raises:
        UnsupportedError: for a model of no file that names pairs of θ, each with several functions of what is known.

    """
    path = subject.path if isinstance(subject, Model) else subject.location.file
    points = isinstance(subject, Model) and bool(subject.files)
    from_file = bool(subject.sha256) and path not in {"", STANDARD_INPUT, UNNAMED} and not points
    if beside is not None and from_file and (parameters or _is_whole(subject)):
        named = {"model": model_name(path, beside), "sha256": subject.sha256}
        return {"kind": kind, **named, **({"parameters": dict(parameters)} if parameters else {})}
    if isinstance(subject, Model):
        text = subject.text if subject.text and _is_whole(subject) else setting_text(subject)
    else:
        text = toml_text({**subject.raw, "parameters": {name: {} for name in subject.names}})
    return {"kind": kind, "model_text": text}


def _is_whole(subject: Model | Family) -> bool:
    """Whether a model is all that its file says, without a value for a parameter, or fewer distributions or records."""
    if isinstance(subject, Family) or not subject.text:
        return True
    source = loads_any(subject.text, subject.path)
    return isinstance(source, Model) and all(
        len(getattr(source, name)) == len(getattr(subject, name)) for name in ("thetas", "secrets")
    )


def comparison_entry(
    model: Model, terms: Iterable[tuple[Any, Iterable[Any], Iterable[Any]]], scale: Any, chance_text: Any = number_text
) -> dict[str, Any]:
    """A comparison as a document names it: its multiple of ε, and terms of a share and two laws on databases."""
    return {
        "scale": number_text(scale),
        "terms": [
            [number_text(share), law_entry(model, p, chance_text), law_entry(model, q, chance_text)]
            for share, p, q in terms
        ],
    }


def law_entry(model: Model, law: Iterable[tuple[Database, Any]], chance_text: Any) -> list[list[Any]]:
    """A law on databases, or a column of a mechanism: each database with its probability."""
    return [[model.shown(database), chance_text(chance)] for database, chance in sorted(law, key=lambda row: row[0])]


def model_name(file: str, beside: Path | None) -> str:
    """The path of a model: from the repository where it is bundled; else from the folder that holds both files."""
    path, folder = Path(file).absolute().resolve(), models_folder().resolve()
    if path.is_relative_to(folder):
        return f"models/{path.relative_to(folder).as_posix()}"
    return path.relative_to(commonpath([path.parent, (beside or Path()).absolute().resolve()])).as_posix()


def written(value: Any, depth: int = 0, before: int = 0) -> str:
    """A value as JSON text, keys in their order; one that does not fit on one line has an entry on each line.

    >>> print(written({"a": [1, 2], "b": ["x" * 60, "y" * 60]}))
    {
     "a": [1, 2],
     "b": [
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
     ]
    }
    """
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or depth + before + len(flat) < WIDTH:
        return flat
    inner = ",\n".join(_entries(value, depth + 1))
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{inner}\n{' ' * depth}{last}"


def _entries(value: Mapping[str, Any] | list[Any], depth: int) -> Iterator[str]:
    if isinstance(value, list):
        for entry in value:
            yield " " * depth + written(entry, depth)
        return
    for key, entry in value.items():
        name = json.dumps(key, ensure_ascii=False) + ": "
        yield " " * depth + name + written(entry, depth, len(name))
