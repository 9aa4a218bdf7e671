"""The model files that come with the package, as the page lists them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.model.bundled import bundled
from verifier.model.read import file_text
from verifier.numbers import plural, shorten
from verifier.wings.explore.document import document_of
from verifier.wings.explore.request_fields import field_of


@cache
def examples() -> tuple[dict[str, Any], ...]:
    """Every model file with its title and source."""
    return tuple(_entry(name, path) for name, path in sorted(bundled().items(), key=lambda item: item[1]))


def _entry(name: str, path: Path) -> dict[str, Any]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    size = tables["size"]
    family = f", for every {', '.join(tables['parameters'])}" if "parameters" in tables else ""
    records = f"{size[0]} to {plural(size[1], 'record')}" if isinstance(size, list) else plural(size, "record")
    return {
        "id": name,
        "group": name.rpartition("/")[0],
        "title": tables.get("title", path.stem),
        "source": tables.get("source", ""),
        "size_note": f"{records}{family}",
    }


def example(name: object) -> dict[str, Any]:
    """The document and the text of one bundled model file.

    Raises:
        InputError: for the name of no bundled file.

    """
    path = bundled().get(str(name))
    if path is None:
        raise InputError(f"given the example {shorten(name)}", where=field_of("id"), wanted="one of /api/examples")
    text = file_text(path)
    return {"document": document_of(text), "text": text}
