"""A document is a model file's tables as JSON: numbers are their exact texts, and the page never rounds one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from verifier.errors import InputError, Where
from verifier.model.read import tables_of
from verifier.model.table_files import MAX_LEVELS
from verifier.model.write import toml_text
from verifier.numbers import shorten

Document: TypeAlias = dict[str, Any]
"""The tables of a model file as JSON has them."""
SAFE = (1 << 53) - 1
"""The largest integer that a page can hold as a number."""


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
