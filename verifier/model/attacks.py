"""What is refused in the text of a file before it is parsed: nesting and numbers that would exhaust the parser."""

from __future__ import annotations

import re

from verifier.errors import InputError, LimitError
from verifier.numbers import MAX_DIGITS_READ

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
        raise InputError("given a byte order mark", where=where, wanted="UTF-8 without it", tip="save it without BOM")
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
            f"given a number of {len(match[0]):,} digits",
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
