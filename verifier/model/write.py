"""The text of a model file from its tables; reading the text gives the same tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.errors import InputError
from verifier.numbers import shorten

WIDE = 110
"""Characters of a line, where its parts can stand on lines of their own."""
HEAD = ("title", "source", "notes", "size", "values", "conditions")
ORDER = (
    *HEAD, "parameters", "people", "distribution", "knowledge", "sensitive", "mechanism", "normalization", "policy",
    "expect", "question",
)  # fmt: skip
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def toml_text(tables: Mapping[str, Any]) -> str:
    r"""The text of a model file, from its tables.

    >>> print(toml_text({"size": 1, "values": ["a b"], "distribution": [{"iid": {"a b": "1"}}]}))
    size   = 1
    values = ["a b"]
    <BLANKLINE>
    [[distribution]]
    iid = { "a b" = "1" }
    <BLANKLINE>

    Raises:
        InputError: for a value that no model file can hold.

    """
    keys = sorted(tables, key=lambda key: ORDER.index(key) if key in ORDER else len(ORDER))
    plain = [key for key in keys if not _is_section(tables[key])]
    width = max((len(_key(key)) for key in plain), default=0)
    lines = [
        f"{_key(key):<{width}} = {_block(tables[key]) if key == 'notes' else _value(tables[key])}" for key in plain
    ]
    for key in keys:
        if key in plain:
            continue
        several = isinstance(tables[key], list)
        for table in tables[key] if several else [tables[key]]:
            lines += ["", f"[[{_key(key)}]]" if several else f"[{_key(key)}]", *_section(table)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_section(raw: Any) -> bool:
    """Whether something is a table, or a list of tables, with a header of its own."""
    tables = raw if isinstance(raw, list) else [raw]
    return bool(tables) and all(isinstance(table, Mapping) for table in tables)


def _section(table: Mapping[str, Any]) -> list[str]:
    width = max((len(_key(key)) for key in table), default=0)
    return [
        f"{_key(key):<{width}} = {_block(value) if key == 'program' else _value(value)}" for key, value in table.items()
    ]


def _block(raw: Any) -> str:
    """A text of several lines as one block."""
    if not isinstance(raw, str) or "\n" not in raw or _HIDDEN.search(raw):
        return _value(raw)
    inside = raw.replace("\\", "\\\\").replace('"""', '""\\"')
    inside = inside[:-1] + '\\"' if inside.endswith('"') else inside
    return f'"""\n{inside}"""'


def _value(raw: Any, indent: str = "") -> str:
    """A value; a long list has a line for each part."""
    short = inline(raw)
    if len(indent) + len(short) <= WIDE:
        return short
    if isinstance(raw, Mapping):
        entries = (f"{_key(key)} = {_value(value, indent)}" for key, value in raw.items())
        return "{ " + ", ".join(entries) + " }"
    if isinstance(raw, list | tuple):
        return "[\n" + "".join(f"{indent}  {line},\n" for line in _lines(raw, f"{indent}  ")) + f"{indent}]"
    return short


def _lines(raw: Sequence[Any], indent: str) -> list[str]:
    """A part a line; of single values as many as there is space for."""
    if any(isinstance(entry, Mapping | list | tuple) for entry in raw):
        return [_value(entry, indent) for entry in raw]
    lines = [""]
    for entry in map(inline, raw):
        if lines[-1] and len(indent) + len(lines[-1]) + len(entry) + 3 > WIDE:
            lines.append("")
        lines[-1] += f", {entry}" if lines[-1] else entry
    return lines


def inline(raw: Any) -> str:
    """The text of a value of TOML on one line.

    >>> inline({"database": [0, True], "outputs": {"u": "1/2", "é": "1/2"}})
    '{ database = [0, true], outputs = { u = "1/2", "é" = "1/2" } }'
    """
    if isinstance(raw, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {inline(value)}" for key, value in raw.items()) + " }" if raw else "{}"
    if isinstance(raw, list | tuple):
        return f"[{', '.join(map(inline, raw))}]"
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, int):
        return str(raw)
    if isinstance(raw, str):
        return json.dumps(str(raw), ensure_ascii=False).replace("\x7f", "\\u007f")
    raise InputError(f"{shorten(raw)} does not fit into a file", wanted="texts, integers, booleans, lists and tables")


def _key(key: object) -> str:
    text = str(key)
    return text if _BARE.fullmatch(text) else inline(text)
