"""Errors about a document as JSON, with the path to the cell where the page shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.errors import LimitError, Path, PkdpError, UndecidedError, UnsupportedError, with_commands

KEYS = frozenset(
    {"title", "source", "notes", "size", "values", "distribution", "knowledge", "mechanism", "sensitive", "policy"}
)
MOST_SECONDS = 30
"""Most seconds for one question; questions that are admitted take about one."""
FIX = re.compile(r"write (\S+)|is `([^`]+)` meant\?")
"""Hints that are one text to write in the place of the one that is refused: the page offers it as a button."""
PLACE = re.compile(r"\bprogram, line (\d+), column (\d+)")
"""The line and the column of a program's text, both counted from 1, as errors about programs name them."""
KINDS: tuple[tuple[type[PkdpError], str], ...] = (
    (LimitError, "limit"),
    (UnsupportedError, "unsupported"),
    (UndecidedError, "unsupported"),
)


def too_long() -> LimitError:
    """The error of a question that takes longer than a page waits."""
    return LimitError(
        "the answer takes too long for a page",
        wanted=f"at most {MOST_SECONDS} seconds",
        tip="use fewer records, values or digits; save the file and run pkdp check for larger models",
    )


def ended() -> UndecidedError:
    """The error of a question whose work came to an end by itself, without an answer."""
    return UndecidedError(
        "the work ended without an answer", tip="it may have needed too much memory: use a smaller model"
    )


def problem(error: PkdpError, document: Any = None) -> dict[str, Any]:
    """An error as JSON; `path` leads to the cell of the document that is wrong, None where there is none.

    `fix` is the text that the hint tells to write in its place, where it tells one; `place` is the line and the column
    of a program's text.

    >>> problem(LimitError("7 records are too many", where="size", wanted="at most 5"))["kind"]
    'limit'
    >>> from verifier.errors import InputError
    >>> problem(InputError("40% is not a number", tip="write 0.4"))["fix"]
    '0.4'
    """
    fix = FIX.fullmatch(error.tip)
    place = PLACE.search(error.where)
    path = None if error.path is None else _field(error.path, document) or path_in(document, error.path)
    return {
        "where": error.where,
        "path": path,
        "message": with_commands(error.message),
        "wanted": with_commands(error.wanted),
        "tip": with_commands(error.tip),
        "fix": fix and (fix[1] or fix[2]),
        "place": place and [int(place[1]), int(place[2])],
        "kind": next((kind for error_type, kind in KINDS if isinstance(error, error_type)), "input"),
    }


def _field(path: Path, document: Any) -> list[str | int] | None:
    """The path where it is a field of the question, not of the document; else None."""
    is_field = len(path) and path[0] not in KEYS and not (isinstance(document, Mapping) and path[0] in document)
    return list(path) if is_field else None


def path_in(document: Any, path: Path) -> list[str | int] | None:
    """The path as the document has it; None where it leads to the whole document.

    A list of one table may be a table, so that its position is left out; `rows` may be called `table`; what is not
    there ends the path, but for the key that is missing.

    >>> path_in({"distribution": {"iid": {"0": "1"}}}, ("distribution", 0, "iid", "1"))
    ['distribution', 'iid', '1']
    """
    path_found: list[str | int] = []
    table = document
    for key in path:
        if isinstance(key, int):
            if isinstance(table, Mapping):
                continue
            if not (isinstance(table, Sequence) and not isinstance(table, str) and key < len(table)):
                break
            table = table[key]
        elif isinstance(table, Mapping):
            name = _named(table, key)
            table = table.get(name)
            path_found.append(name)
            if table is None:
                break
            continue
        else:
            break
        path_found.append(key)
    return path_found or None


def _named(table: Mapping[str, Any], key: str) -> str:
    """The key that the table has: `rows` and `table` are two names of one key."""
    alias = {"rows": "table", "table": "rows"}.get(key)
    return alias if key not in table and alias in table and alias is not None else key
