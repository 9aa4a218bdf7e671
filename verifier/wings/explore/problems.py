"""What is wrong with a document, said where the page can show it: in its cell, else above the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.errors import LimitError, Path, PkdpError, UndecidedError, UnsupportedError

KEYS = frozenset({"title", "source", "notes", "size", "values", "distribution", "knowledge", "mechanism", "sensitive"})
Document = dict[str, Any]
"""The tables of a model file as JSON has them."""
KINDS: tuple[tuple[type[PkdpError], str], ...] = (
    (LimitError, "limit"),
    (UnsupportedError, "unsupported"),
    (UndecidedError, "unsupported"),
)


def problem(error: PkdpError, document: Any = None) -> dict[str, Any]:
    """An error in its parts; `path` leads to the cell of the document, where it is in one.

    >>> problem(LimitError("given 7 records", where="size", wanted="at most 5"))["kind"]
    'limit'
    """
    path = None if error.path is None else _field(error.path, document) or path_in(document, error.path)
    return {
        "where": error.where,
        "path": path,
        "message": error.message,
        "wanted": error.wanted,
        "tip": error.tip,
        "kind": next((kind for one, kind in KINDS if isinstance(error, one)), "input"),
    }


def _field(path: Path, document: Any) -> list[str | int] | None:
    """The path of a field of the question, which is in no document."""
    asked = len(path) and path[0] not in KEYS and not (isinstance(document, Mapping) and path[0] in document)
    return list(path) if asked else None


def path_in(document: Any, path: Path) -> list[str | int] | None:
    """A path as the document has it; None where it is the whole document.

    A list of one table may be a table, so that its position is left out; `rows` may be called `table`; what is not
    there ends the path, but for the key that is missing.

    >>> path_in({"distribution": {"iid": {"0": "1"}}}, ("distribution", 0, "iid", "1"))
    ['distribution', 'iid', '1']
    """
    found: list[str | int] = []
    here = document
    for key in path:
        if isinstance(key, int):
            if isinstance(here, Mapping):
                continue
            if not (isinstance(here, Sequence) and not isinstance(here, str) and key < len(here)):
                break
            here = here[key]
        elif isinstance(here, Mapping):
            name = _named(here, key)
            here = here.get(name)
            found.append(name)
            if here is None:
                break
            continue
        else:
            break
        found.append(key)
    return found or None


def _named(table: Mapping[str, Any], key: str) -> str:
    """The key under which something stands: `rows` and `table` are one."""
    other = {"rows": "table", "table": "rows"}.get(key)
    return other if key not in table and other in table and other is not None else key
