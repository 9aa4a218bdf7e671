"""Labels: what databases, knowledge and outputs are made of, compared by their text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

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
        if isinstance(self.shown, list | int) and not isinstance(self.shown, bool):
            return _order(self.shown)
        if self.text.startswith("["):
            try:
                return _order(json.loads(self.text))
            except (ValueError, RecursionError):
                return (2, self.text)
        return _order(self.text)


def _order(shown: Any) -> tuple[object, ...]:
    if isinstance(shown, list):
        return (1, tuple(_order(part) for part in shown))
    if isinstance(shown, bool):
        return (2, "true" if shown else "false")
    if isinstance(shown, int):
        return (0, shown, str(shown) if abs(shown) < 1 << 64 else "")
    found = _NUMBER.fullmatch(shown) if isinstance(shown, str) else None
    if found and (not found[2] or found[2].strip("0")):
        value = Fraction(int(found[1]), int(found[2] or 1))
        return (0, value, shown if abs(value) < 1 << 64 else "")
    return (2, str(shown))


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

    def __iter__(self) -> Iterator[Label]:
        return iter(self._first.values())
