"""Labels: what databases, knowledge and outputs are made of, compared by their text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from verifier.errors import InexactError, InputError, LimitError
from verifier.numbers import MAX_DIGITS_READ, DecimalLiteral, exact_text, shorten

Shown: TypeAlias = "int | str | bool | list[Shown]"
"""What a label is shown as in JSON."""

NO_ANSWER = "⊥"
_NUMBER = re.compile(r"(-?[0-9]{1,4000})(?:/([0-9]{1,4000}))?")


@dataclass(frozen=True, slots=True)
class Label:
    """A value with a text; two labels are equal iff their texts are.

    >>> Label("0", 0) == Label("0", "0"), label([1, "a"]).text, str(label(True))
    (True, '[1,"a"]', 'true')
    """

    text: str
    shown: Shown = field(compare=False)

    def __str__(self) -> str:
        return self.text

    @property
    def order(self) -> tuple[object, ...]:
        """Numbers by size, then lists element by element, then texts; equal labels have equal orders."""
        parsed: object = self.text
        if self.text.startswith("["):
            with suppress(ValueError, RecursionError):
                parsed = json.loads(self.text)
        elif isinstance(self.shown, int) and not isinstance(self.shown, bool):
            parsed = self.shown
        return (*_order(parsed), self.text)


def _order(parsed: object) -> tuple[object, ...]:
    """Numbers, lists and texts in this order; equal ranks are told apart by the whole text."""
    if isinstance(parsed, list):
        return (1, tuple(_order(part) for part in parsed))
    if isinstance(parsed, int) and not isinstance(parsed, bool):
        return (0, parsed)
    found = _NUMBER.fullmatch(parsed) if isinstance(parsed, str) else None
    if found and (not found[2] or found[2].strip("0")):
        return (0, Fraction(int(found[1]), int(found[2] or 1)))
    return (2, str(parsed))


def label(given: object, where: str = "") -> Label:
    """Make a label from an int, a str, a bool, a rational, or a list of these; floats and dates are refused.

    >>> label(3), label(Fraction(5, 2)).text
    (Label(text='3', shown=3), '5/2')
    """
    if isinstance(given, Label):
        return given
    if isinstance(given, bool):
        return Label("true" if given else "false", given)
    if isinstance(given, int):
        return Label(_digits(Fraction(given), where), given)
    if isinstance(given, float | DecimalLiteral):
        raise InexactError(
            f"given the float {given}" if isinstance(given, float) else f"given the decimal {given!s}",
            where=where,
            wanted="an integer, a string or a boolean as a label",
            tip=f'write "{given!s}" in quotes if it is a name',
        )
    if isinstance(given, str):
        if not given.isprintable():
            raise InputError(f"given {shorten(given)}", where=where, wanted="a label of printable characters")
        return Label(given, given)
    if isinstance(given, Fraction):
        if given.denominator == 1:
            return label(given.numerator, where)
        text = _digits(given, where)
        return Label(text, text)
    if isinstance(given, list | tuple):
        parts = [label(part, where) for part in given]
        shown: list[Shown] = [part.shown for part in parts]
        return Label(json.dumps(shown, ensure_ascii=False, separators=(",", ":")), shown)
    raise InputError(f"given {shorten(given)}", where=where, wanted="an integer, a string or a boolean as a label")


def _digits(value: Fraction, where: str) -> str:
    """All digits of a number: a text that is cut would make one label of two."""
    text = exact_text(value, MAX_DIGITS_READ)
    if "…" in text:
        raise LimitError(
            f"given a number with {text[text.index('(') + 1 : -1]} as a label",
            where=where,
            wanted=f"at most {MAX_DIGITS_READ:,} digits",
        )
    return text


def in_order(labels: Iterable[Label]) -> list[Label]:
    """Labels sorted: numbers by size, then lists, then texts.

    >>> [one.text for one in in_order([label("⊥"), label(10), label(9)])]
    ['9', '10', '⊥']
    """
    return sorted(labels, key=_remembered_order)


@lru_cache(maxsize=1 << 16)
def _remembered_order(one: Label) -> tuple[object, ...]:
    return one.order


class Spelling:
    """Remembers how each label was first spelled in a file, so that it is shown like that everywhere.

    >>> spelling = Spelling([label(0)])
    >>> spelling(label("0")).shown
    0
    """

    def __init__(self, known: Iterable[Label] = ()) -> None:
        self._first: dict[str, Label] = {}
        for one in known:
            self(one)

    def __call__(self, one: Label) -> Label:
        """The label as it was first spelled."""
        return self._first.setdefault(one.text, one)

    def known(self, one: Label) -> Label:
        """The label as it was first spelled, if it was; a list stays a list."""
        return one if isinstance(one.shown, list) else self._first.get(one.text, one)

    def __iter__(self) -> Iterator[Label]:
        return iter(self._first.values())
