"""From a model file to its tables: what would exhaust the parser is refused, and slips of TOML get a tip."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.machine.files import text_of
from verifier.model.keys import Location
from verifier.numbers import MAX_DIGITS_READ, DecimalLiteral

MAX_FILE_BYTES = 4 << 20
REQUIRED = ("size", "values", "[mechanism]")
SEVERAL = ("distribution", "normalization", "expect")
"""The keys of lists of tables, of which each table has a header in double brackets."""
SINGLE = ("mechanism", "sensitive", "policy", "parameters")
"""The keys of one table, with a header in single brackets."""
GUIDE = "help(pk.build) lists the keys"
SHORTER = "a large distribution is written shorter as `iid`, `independent`, `mixture` or `network`"


def file_text(path: str | Path) -> str:
    """The text of a model file, within the limits.

    Raises:
        InputError: where it is no regular file, is too large, or is not UTF-8.

    """
    return text_of(path, "a model file", most=MAX_FILE_BYTES, tip='pk.read("MODEL.toml")', large=SHORTER)


def tables_of(text: str, path: str = "") -> dict[str, Any]:
    """The tables of a model file, with the literal text of each number.

    Raises:
        InputError: for what is no TOML.

    """
    refuse_attacks(text, path or "model")
    try:
        table = tomllib.loads(text, parse_float=DecimalLiteral)
    except tomllib.TOMLDecodeError as error:
        tip = toml_tip(text, str(error)) or GUIDE
        raise InputError(
            f"the text is not valid TOML: {error}", where=path or "model", wanted="a TOML file", tip=tip
        ) from None
    if not table:
        raise InputError("the file is empty", where=path or "model", wanted=", ".join(REQUIRED), tip=GUIDE)
    _refuse_brackets(table, Location(path or "model"))
    return table


def _refuse_brackets(tables: Mapping[str, Any], location: Location) -> None:
    """Refuse `[distribution]` for `[[distribution]]`, and `[[mechanism]]` for `[mechanism]`."""
    for key, value in tables.items():
        several = isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)
        if (key in SEVERAL and isinstance(value, dict)) or (key in SINGLE and several):
            single = key in SINGLE
            raise InputError(
                f"`{key}` is {'a list of tables' if single else 'one table'}",
                where=str(location.at(key)),
                wanted="one table" if single else "a list of tables",
                tip=f"write [{key}] in single brackets" if single else f"write [[{key}]] in double brackets",
            )


# --- what is refused before it is parsed: nesting and numbers that would exhaust the parser ------------------------

MAX_LEVELS = 100

# Possessive repeats keep nothing to come back to, so that a text of megabytes needs no memory.
_QUOTED = re.compile(
    r'''"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5}|\Z)|"(?:[^"\\\n]++|\\.)*+"?'''
    r"""|'''(?:[^']++|'{1,2}(?!'))*+(?:'{3,5}|\Z)|'[^'\n]*+'?"""
    r"|\#[^\n]*+",
    re.DOTALL,
)
_BRACKET = re.compile(r"[\[\]{}]")
_PARTS = re.compile(rf"(?:\.[^.\n\[\]{{}},=]*+){{{MAX_LEVELS}}}")
_DIGITS = re.compile(rf"[0-9][0-9_]{{{MAX_DIGITS_READ},}}+|0[xob][0-9A-Fa-f_]{{{MAX_DIGITS_READ * 4 // 5},}}+")


def refuse_attacks(text: str, where: str) -> None:
    """Refuse a text that would exhaust the parser of TOML.

    Raises:
        InputError: where brackets are nested, or keys dotted, more than 100 levels deep; for a byte order mark.
        LimitError: where a number outside quotes has too many digits.

    """
    if text.startswith("\ufeff"):
        raise InputError(
            "the text begins with a byte order mark", where=where, wanted="UTF-8 without it", tip="save it without BOM"
        )
    bare = bare_text(text)
    depth = most_nested(bare)
    if depth > MAX_LEVELS:
        raise InputError(f"brackets are nested {depth:,} deep", where=where, wanted=f"at most {MAX_LEVELS} levels")
    if match := _PARTS.search(bare):
        raise InputError(
            f"a key has more than {MAX_LEVELS} parts",
            where=f"{where}: line {_line(bare, match)}",
            wanted=f"at most {MAX_LEVELS} levels",
        )
    if match := _DIGITS.search(bare):
        raise LimitError(
            f"a number has {len(match[0]):,} digits",
            where=f"{where}: line {_line(bare, match)}",
            wanted=f"at most {MAX_DIGITS_READ:,}",
        )


def bare_text(text: str) -> str:
    """A text of TOML without its comments and without what stands in quotes; its lines keep their numbers.

    >>> bare_text('a = "b" # c')
    'a = "" '
    """
    return _QUOTED.sub(_emptied, text)


def most_nested(bare: str) -> int:
    """The deepest nesting of brackets in a text without quotes.

    >>> most_nested("a = [[1], {b = 2}]")
    2
    """
    depth = deepest = 0
    for bracket in _BRACKET.finditer(bare):
        if bracket[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth = max(0, depth - 1)
    return deepest


def _emptied(quoted: re.Match[str]) -> str:
    """What is left of a string or a comment: quotes, and the line ends."""
    return "" if quoted[0].startswith("#") else '""' + "\n" * quoted[0].count("\n")


def _line(bare: str, match: re.Match[str]) -> int:
    return bare.count("\n", 0, match.start()) + 1


# --- tips on the line that the parser names ------------------------------------------------------------------------

_LINE = re.compile(r"at line ([0-9]+), column ([0-9]+)")
_HEADER = re.compile(r"\s*\[\[?[^\[\],]*\]?\]?\s*")
_BEFORE = r"(?:^|[=\[,])\s*"
_AFTER = r"\s*(?=[,\]}]|$)"
_FRACTION = re.compile(_BEFORE + r"([+-]?[0-9]+ ?/ ?[0-9]+)")
_POINT = re.compile(_BEFORE + r"[+-]?(\.[0-9]+)")
_NAME = re.compile(_BEFORE + r"((?!(?:true|false|inf|nan)\b)[^\W0-9][\w-]*)" + _AFTER)
_COMMA = re.compile(r",\s*\}")
_LONGEST = 10_000


def toml_tip(text: str, error: str) -> str:
    r"""A tip on the line of a TOML error, or nothing.

    >>> toml_tip("values = [0, 1]\nlow = 1/6", "Expected newline (at line 2, column 8)")
    'a fraction stands in quotes: "1/6"'
    """
    position = _LINE.search(error)
    lines = bare_text(text).split("\n")
    if position is None or int(position[1]) > len(lines):
        return ""
    line = lines[int(position[1]) - 1]
    if len(line) > _LONGEST or _HEADER.fullmatch(line):
        return ""
    if fraction := _FRACTION.search(line):
        return f'a fraction stands in quotes: "{fraction[1].replace(" ", "")}"'
    if point := _POINT.search(line):
        return f"a decimal starts with a digit: 0{point[1]}"
    if name := _NAME.search(line):
        if name[1] in {"True", "False"}:
            return f"write {name[1].lower()}"
        return f'names stand in quotes: "{name[1]}"'
    if any(quote in line for quote in "“”„"):
        return 'write straight quotes: "'
    if _COMMA.search(line):
        return "no comma stands before } (TOML 1.0)"
    if line.lstrip()[:1] not in {"{", "["} and line.count("{") > line.count("}"):
        return "{ … } must be on one line (TOML 1.0)"
    if "key part" in error and int(position[2]) > len(line.rstrip()) > 0 and line.rstrip().endswith(","):
        return "{ … } must be on one line (TOML 1.0); only [ … ] may go over several"
    return ""
