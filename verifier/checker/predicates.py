"""Predicates of a model file, read by cutting: a text is split at `or`, then at `and`, outside of brackets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from .numbers import Label, Wrong, afford

Condition = Callable[[Sequence[Label]], bool]
MOST_LETTERS = 4096
WORD = re.compile(r"""\s*("[^"]*"|'[^']*'|[<>!]=|[=<>()\[\],]|[^\s"'=<>!()\[\],]+)""")
RESERVED = {"record", "count", "of", "in", "and", "or", "not", *"()[],=<>", "!=", "<=", ">="}


def condition(text: str, values: Sequence[Label], many: bool) -> Condition:
    """The predicate that a text says; `many`: databases have several sizes, and no record has a place."""
    if len(text) > MOST_LETTERS:
        raise Wrong("a predicate is very long")
    words, at = [], 0
    while text[at:].strip():
        found = WORD.match(text, at)
        if not found:
            raise Wrong(f"the predicate {text[:60]!r} has signs of another kind")
        words.append(found[1])
        at = found.end()
    return _parsed(words, values, many, 0)


def parts(table: Mapping[str, str], values: Sequence[Label], many: bool) -> Callable[[Sequence[Label]], Label]:
    """The protected function of `where`: the name of the predicate that holds, or `other`."""
    conditions = {str(name): condition(text, values, many) for name, text in table.items()}
    if "other" in conditions:
        raise Wrong("[sensitive] where: `other` is the rest")

    def name_of(database: Sequence[Label]) -> Label:
        names = [name for name, holds in conditions.items() if holds(database)]
        if len(names) > 1:
            raise Wrong(f"[sensitive] where: {names[:2]} both hold of one database")
        return names[0] if names else "other"

    return name_of


def _parsed(words: list[str], values: Sequence[Label], many: bool, level: int) -> Condition:
    afford(1 << min(level // 4, 60), "the brackets of a predicate")
    for joint, all_of in (("or", False), ("and", True)):
        pieces = _cut(words, joint)
        if len(pieces) > 1:
            inner = [_parsed(piece, values, many, level + 1) for piece in pieces]
            if all_of:
                return lambda database: all(holds(database) for holds in inner)
            return lambda database: any(holds(database) for holds in inner)
    if words[:1] == ["not"]:
        negated = _parsed(words[1:], values, many, level + 1)
        return lambda database: not negated(database)
    if words[:1] == ["("] and words[-1] == ")":
        return _parsed(words[1:-1], values, many, level + 1)
    return _atom(words, values, many)


def _cut(words: list[str], joint: str) -> list[list[str]]:
    """The pieces between a word, outside of brackets."""
    pieces: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += (word == "(") - (word == ")")
        if depth < 0:
            raise Wrong("a predicate closes a bracket that is not open")
        if word == joint and not depth:
            pieces.append([])
        else:
            pieces[-1].append(word)
    if depth:
        raise Wrong("a predicate leaves a bracket open")
    return pieces


def _atom(words: list[str], values: Sequence[Label], many: bool) -> Condition:
    """`record 0 = a`, `record 0 != a`, `record 0 in [a, b]`, `count of a >= 2`, `count of [a, b] >= 2`."""

    def named(listed: list[str]) -> set[Label]:
        inside = listed[1:-1:2] if listed[:1] == ["["] and listed[-1] == "]" else listed
        commas = listed[2:-1:2] if inside is not listed else []
        names = {word[1:-1] if word[0] in "\"'" else word for word in inside}
        if not names or names - set(values) or any(x != "," for x in commas) or RESERVED & set(inside):
            raise Wrong(f"a predicate names no value by {' '.join(listed)[:60]!r}")
        return names

    match words:
        case ["record", index, "in", "[", *_]:
            place, wanted, equal = _number(index), named(words[3:]), True
        case ["record", index, ("=" | "!=") as sign, value]:
            place, wanted, equal = _number(index), named([value]), sign == "="
        case ["count", "of", *listed, ("=" | "!=" | "<" | ">" | "<=" | ">=") as sign, number]:
            counted, least = named(listed), _number(number)
            if len(listed) > 1 and listed[0] != "[":
                raise Wrong("count is of one value, or of a list")
            return lambda database: _compared(sum(v in counted for v in database), sign, least)
        case _:
            raise Wrong(f"a predicate says {' '.join(words)[:60]!r}")
    if many:
        raise Wrong("a predicate names a record of a multiset")
    return lambda database: (database[place] in wanted) is equal


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Wrong(f"a predicate has {text[:60]!r} in place of an integer")
    return int(text)


def _compared(x: int, sign: str, y: int) -> bool:
    return {"=": x == y, "!=": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}[sign]
