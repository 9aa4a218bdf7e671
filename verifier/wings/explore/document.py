"""A document is a model file's tables as JSON: numbers are their exact texts, and the page never rounds one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from verifier.errors import InputError, LimitError, Where
from verifier.model.read import tables_of
from verifier.model.write import toml_text
from verifier.numbers import MAX_DIGITS_READ, DecimalLiteral, shorten
from verifier.wings.explore.problems import Document

MAX_LEVELS = 100
SAFE = (1 << 53) - 1
"""The largest integer that a page can hold as a number."""


def read_json(text: str) -> Any:
    """The JSON value of a request's body; a number with a point keeps its literal text.

    >>> read_json('{"probability": 0.1, "size": 2}')
    {'probability': '0.1', 'size': 2}

    Raises:
        InputError: for a text that is no JSON, and for a key that stands twice in one table.

    """
    try:
        return json.loads(
            text, parse_float=DecimalLiteral, parse_int=_integer, parse_constant=_constant, object_pairs_hook=_table
        )
    except json.JSONDecodeError as error:
        raise InputError(f"the text is not valid JSON: {error.msg}", wanted="JSON") from None
    except RecursionError:
        raise InputError("lists or tables are nested too deeply", wanted=f"at most {MAX_LEVELS} levels") from None


def _table(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    """A table of JSON, in which each key stands once, as in a model file."""
    table = dict(entries)
    if len(table) < len(entries):
        twice = next(key for key, number in Counter(key for key, _ in entries).items() if number > 1)
        raise InputError(f"the key {shorten(twice)} is given twice", wanted="each key once in a table")
    return table


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS_READ:
        raise LimitError(f"a number has {len(digits):,} digits", wanted=f"at most {MAX_DIGITS_READ:,}")
    return int(digits)


def _constant(name: str) -> Any:
    raise InputError(f"{name} is not a number", wanted="a finite number")


def document_of(text: str) -> Document:
    r"""The document of a model file's text.

    >>> document_of('size = 1\nvalues = ["a"]')
    {'size': 1, 'values': ['a']}

    Raises:
        InputError: for a text that is no TOML, and for values that a page cannot hold.

    """
    document: Document = _kept(tables_of(text), (), 0)
    return document


def tables_from(document: Any) -> Document:
    """The tables that a document holds, for the reader of model files.

    Raises:
        InputError: for a value that is no document.

    """
    if not isinstance(document, Mapping):
        raise InputError(f"{shorten(document)} is not a table", where="document", wanted="a table of keys")
    tables: Document = _kept(document, (), 0)
    return tables


def text_of(document: Any) -> str:
    """The text of the model file of a document, without `[[expect]]`, whose answers were about the original file."""
    tables = tables_from(document)
    return toml_text({key: value for key, value in tables.items() if key != "expect"})


def _kept(value: Any, path: tuple[str | int, ...], level: int) -> Any:
    """A copy of plain tables, lists, texts, integers and booleans."""
    if level > MAX_LEVELS:
        raise InputError("lists or tables are nested too deeply", wanted=f"at most {MAX_LEVELS} levels")
    if isinstance(value, Mapping):
        return {_text(key, path): _kept(entry, (*path, key), level + 1) for key, entry in value.items()}
    if isinstance(value, list):
        return [_kept(entry, (*path, k), level + 1) for k, entry in enumerate(value)]
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) > SAFE:
            raise InputError(
                f"the integer {shorten(value)} is too large",
                where=_where(path),
                wanted=f"at most {SAFE:,}, so that the page keeps every digit",
                tip="write it in quotes where it is a name or a probability, or use pkdp check",
            )
        return value
    wanted = "texts, integers, booleans, lists and tables"
    raise InputError(
        f"{'null' if value is None else shorten(value)} does not fit into a model file",
        where=_where(path),
        wanted=wanted,
    )


def _text(text: str, path: tuple[str | int, ...]) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{ascii(text)[:60]} is not Unicode", where=_where(path), wanted="a Unicode text") from None
    return text


def _where(path: tuple[str | int, ...]) -> str:
    words = ", ".join(f"entry {step + 1}" if isinstance(step, int) else step for step in path)
    return Where(words, path) if path else ""
