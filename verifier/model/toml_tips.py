"""Tips for what is not valid TOML: the usual mistakes, found on the line that the parser names."""

from __future__ import annotations

import re

from verifier.model.attacks import bare_text

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
