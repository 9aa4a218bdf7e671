"""From the tables of a model file to its text; what is read from that text is again these tables."""

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
ORDER = (*HEAD, "parameters", "distribution", "knowledge", "sensitive", "mechanism", "normalization", "expect")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def toml_text(tables: Mapping[str, Any]) -> str:
    r"""The text of a model file.

    >>> print(toml_text({"size": 1, "values": ["a b"], "distribution": [{"iid": {"a b": "1"}}]}))
    size   = 1
    values = ["a b"]
    <BLANKLINE>
    [[distribution]]
    iid = { "a b" = "1" }
    <BLANKLINE>

    Raises:
        InputError: for what no model file can hold.

    """
    keys = sorted(tables, key=lambda key: ORDER.index(key) if key in ORDER else len(ORDER))
    plain = [key for key in keys if not _is_section(tables[key])]
    width = max((len(_key(key)) for key in plain), default=0)
    lines = [
        f"{_key(key):<{width}} = {_notes(tables[key]) if key == 'notes' else _value(tables[key])}" for key in plain
    ]
    for key in keys:
        if key in plain:
            continue
        several = isinstance(tables[key], list)
        for one in tables[key] if several else [tables[key]]:
            lines += ["", f"[[{_key(key)}]]" if several else f"[{_key(key)}]", *_section(one)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_section(given: Any) -> bool:
    """Whether something is a table, or a list of tables, with a head of its own."""
    tables = given if isinstance(given, list) else [given]
    return bool(tables) and all(isinstance(one, Mapping) for one in tables)


def _section(table: Mapping[str, Any]) -> list[str]:
    width = max((len(_key(key)) for key in table), default=0)
    return [f"{_key(key):<{width}} = {_value(one)}" for key, one in table.items()]


def _notes(given: Any) -> str:
    """A text of several lines as one block."""
    if not isinstance(given, str) or "\n" not in given or _HIDDEN.search(given):
        return _value(given)
    inside = given.replace("\\", "\\\\").replace('"""', '""\\"')
    inside = inside[:-1] + '\\"' if inside.endswith('"') else inside
    return f'"""\n{inside}"""'


def _value(given: Any, indent: str = "") -> str:
    """A value; a long list has a line for each part."""
    short = inline(given)
    if len(indent) + len(short) <= WIDE:
        return short
    if isinstance(given, Mapping):
        parts = (f"{_key(key)} = {_value(one, indent)}" for key, one in given.items())
        return "{ " + ", ".join(parts) + " }"
    if isinstance(given, list | tuple):
        return "[\n" + "".join(f"{indent}  {line},\n" for line in _lines(given, f"{indent}  ")) + f"{indent}]"
    return short


def _lines(given: Sequence[Any], indent: str) -> list[str]:
    """A part a line; of single values as many as there is space for."""
    if any(isinstance(one, Mapping | list | tuple) for one in given):
        return [_value(one, indent) for one in given]
    lines = [""]
    for one in map(inline, given):
        if lines[-1] and len(indent) + len(lines[-1]) + len(one) + 3 > WIDE:
            lines.append("")
        lines[-1] += f", {one}" if lines[-1] else one
    return lines


def inline(given: Any) -> str:
    """A value on one line.

    >>> inline({"database": [0, True], "outputs": {"u": "1/2", "é": "1/2"}})
    '{ database = [0, true], outputs = { u = "1/2", "é" = "1/2" } }'
    """
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {inline(one)}" for key, one in given.items()) + " }" if given else "{}"
    if isinstance(given, list | tuple):
        return f"[{', '.join(map(inline, given))}]"
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int):
        return str(given)
    if isinstance(given, str):
        return json.dumps(str(given), ensure_ascii=False).replace("\x7f", "\\u007f")
    raise InputError(f"given {shorten(given)}", wanted="texts, integers, booleans, lists and tables")


def _key(key: object) -> str:
    text = str(key)
    return text if _BARE.fullmatch(text) else inline(text)
