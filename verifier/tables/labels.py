"""Labels: the values of records, knowledge and outputs, compared by their text."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, cast

from verifier.errors import InexactError, InputError, LimitError
from verifier.numbers import MAX_DIGITS_READ, DecimalLiteral, exact_text, shorten

Shown: TypeAlias = "int | str | bool | list[Shown]"
"""The form of a label in JSON."""

NO_ANSWER = "⊥"
MAX_LEVELS = 100
"""Most levels of lists in lists that a text may spell."""
_NUMBER = re.compile(r"(-?[0-9]{1,4300})(?:/([0-9]{1,4300}))?")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Label:
    """A value with its text, and its form in JSON (`shown`); two labels are equal iff their texts are.

    >>> Label("0", 0) == Label("0", "0"), label([1, "a"]).text, str(label(True))
    (True, '[1,"a"]', 'true')
    """

    text: str
    shown: Shown = field(compare=False)

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def entries(self) -> tuple[Label, ...] | None:
        """The entries of a list, whether it was spelled as one or as its text; None for what is no list.

        >>> label("[1, [true]]").entries == (label("1"), label([True])), label("[1").entries
        (True, None)
        """
        entries = self.shown if isinstance(self.shown, list) else _read_list(self.text)
        return None if entries is None else tuple(label(entry) for entry in entries)

    @property
    def order(self) -> tuple[object, ...]:
        """Numbers by size, then lists entry by entry, then texts; equal labels have equal orders."""
        entries = _read_list(self.text)
        return (*_order(self.text if entries is None else entries), self.text)


def _order(spelled: object) -> tuple[object, ...]:
    """Numbers, lists and texts in this order; equal ranks are told apart by the whole text."""
    if isinstance(spelled, list):
        return (1, tuple(_order(entry) for entry in spelled))
    if isinstance(spelled, bool):
        return (2, "true" if spelled else "false")
    if isinstance(spelled, int):
        return (0, spelled)
    number = _NUMBER.fullmatch(str(spelled))
    if number and (not number[2] or number[2].strip("0")):
        return (0, Fraction(int(number[1]), int(number[2] or 1)))
    return (2, str(spelled))


def label(raw: object, where: str = "") -> Label:
    """Make a label from an int, a str, a bool, a rational, or a list of these; floats and dates are refused.

    A text that spells a JSON list of labels is that list. In the text of a list each entry is written by its own text
    alone: bare where it reads as an integer, a boolean or a list, else in quotes.

    >>> label(3), label(Fraction(5, 2)).text
    (Label(text='3', shown=3), '5/2')
    >>> [label(raw).text for raw in ([1, 1], ["1", 1], "[1, 1]", '["1","1"]', ["01", "a"])]
    ['[1,1]', '[1,1]', '[1,1]', '[1,1]', '["01","a"]']

    Raises:
        InexactError: for a float, also for one in a model file.
        InputError: for any other object, for characters that are not printable, and for lists nested too deeply.
        LimitError: for a number of too many digits.

    """
    if isinstance(raw, Label):
        return raw
    if isinstance(raw, bool):
        return Label("true" if raw else "false", raw)
    if isinstance(raw, int):
        return Label(_digits(Fraction(raw), where), raw)
    if isinstance(raw, float | DecimalLiteral):
        raise InexactError(
            f"the {'float' if isinstance(raw, float) else 'decimal'} {raw!s} cannot be a label",
            where=where,
            wanted="an integer, a string or a boolean",
            tip=f'write "{raw!s}" in quotes if it is a name',
        )
    if isinstance(raw, str):
        return Label(_canonical(raw, where), raw)
    if isinstance(raw, Fraction):
        if raw.denominator == 1:
            return label(raw.numerator, where)
        text = _digits(raw, where)
        return Label(text, text)
    if isinstance(raw, list | tuple):
        entries = [label(entry, where) for entry in raw]
        return Label(_list_text(entry.text for entry in entries), [entry.shown for entry in entries])
    raise InputError(f"{shorten(raw)} cannot be a label", where=where, wanted="an integer, a string or a boolean")


def _canonical(text: str, where: str) -> str:
    """The text of the label that a string is: the string itself, or that of the list which it spells."""
    if not text.isprintable():
        raise InputError(f"{shorten(text)} cannot be shown", where=where, wanted="a label of printable characters")
    entries = _read_list(text, where)
    return text if entries is None else label(entries, where).text


def values_text(values: Iterable[Label]) -> str:
    """The text of a database, or of some of its records, for people: a list with a blank after each comma.

    A label that is itself a list, such as a knowledge value or an output, keeps its own text, without blanks: that text
    is its identity, and stands in model files and in JSON.

    >>> values_text([label("no"), label([0, 1])])
    '[no, [0,1]]'
    """
    return f"[{', '.join(value.text for value in values)}]"


def _list_text(entries: Iterable[str]) -> str:
    """The text of a list, from the texts of its entries."""
    return "[" + ",".join(map(_entry_text, entries)) + "]"


@lru_cache(maxsize=1 << 14)
def _entry_text(text: str) -> str:
    """An entry of a list as JSON: bare where its text reads as an integer, a boolean or a list."""
    bare = text in {"true", "false"} or _INTEGER.fullmatch(text) or _read_list(text) is not None
    return text if bare else json.dumps(text, ensure_ascii=False)


def _read_list(text: str, where: str = "") -> list[Shown] | None:
    """The JSON list of labels that a text spells; None for any other text.

    >>> _read_list('[1, "a"]'), _read_list("[1.5]"), _read_list("[null]"), _read_list("1")
    ([1, 'a'], None, None, None)
    """
    if not text.lstrip(" ").startswith("["):
        return None
    try:
        read = json.loads(text, parse_int=_read_integer, parse_constant=_no_label, parse_float=_no_label)
    except ValueError:
        return None
    except RecursionError:
        raise _too_deep(where) from None
    level, depth = [read], 0
    while level:
        depth += 1
        entries = [entry for label in level for entry in label]
        if not all(isinstance(e, int | list) or (isinstance(e, str) and e.isprintable()) for e in entries):
            return None
        level = [entry for entry in entries if isinstance(entry, list)]
    if depth > MAX_LEVELS:
        raise _too_deep(where)
    return cast("list[Shown]", read)


def _too_deep(where: str) -> InputError:
    return InputError("lists are nested too deeply", where=where, wanted=f"at most {MAX_LEVELS} levels")


def _read_integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS_READ else digits


def _no_label(text: str) -> object:
    raise ValueError(text)


def _digits(value: Fraction, where: str) -> str:
    """All digits of a number: a text that is cut would make one label of two."""
    text = exact_text(value, MAX_DIGITS_READ)
    if "…" in text:
        raise LimitError(
            f"a label is a number with {text[text.index('(') + 1 : -1]}",
            where=where,
            wanted=f"at most {MAX_DIGITS_READ:,} digits",
        )
    return text


def in_order(labels: Iterable[Label]) -> list[Label]:
    """Labels sorted: numbers by size, then lists, then texts.

    >>> [output.text for output in in_order([label("⊥"), label(10), label(9)])]
    ['9', '10', '⊥']
    """
    return sorted(labels, key=_remembered_order)


@lru_cache(maxsize=1 << 16)
def _remembered_order(label: Label) -> tuple[object, ...]:
    return label.order


class Spelling:
    """The spelling with which each label first stands in a file, and with which it is shown everywhere.

    >>> spelling = Spelling([label(0)])
    >>> spelling(label("0")).shown
    0
    """

    def __init__(self, known: Iterable[Label] = ()) -> None:
        self._first: dict[str, Label] = {}
        for label in known:
            self(label)

    def __call__(self, label: Label) -> Label:
        """The label as it was first spelled."""
        return self._first.setdefault(label.text, label)

    def known(self, label: Label) -> Label:
        """The label as it was first spelled, or as it is where it is new or was spelled as a list."""
        return label if isinstance(label.shown, list) else self._first.get(label.text, label)

    def __iter__(self) -> Iterator[Label]:
        return iter(self._first.values())


# --- half-lines -------------------------------------------------------------------------------------------------------
# The outcomes "< 0" and "> 7" in which the two tails of a geometric noise are lumped. A mechanism knows the texts of
# its own tails, so that a user's label "> 5" is a label like any other.

HALF_LINE = re.compile(r"([<>]) (0|-?[1-9][0-9]{0,4000})")
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,4000}")


def half_line(sign: str, bound: int) -> Label:
    """The label of a half-line, such as `"< 0"` or `"> 7"`."""
    return Label(f"{sign} {bound}", f"{sign} {bound}")


def splits(outcome: Label, named: Label, tails: Collection[str]) -> bool:
    """Whether `named` is a part of a lumped outcome, so that naming it would tell apart what is lumped.

    `tails` are the texts of the lumped tails of the mechanism; all other labels are single outputs.

    >>> from verifier.tables import label
    >>> [splits(label("> 2"), label(named), {"> 2"}) for named in (9, "> 5", 2, "x")]
    [True, True, False, False]
    >>> splits(label([["> 2"], "x"]), label('[[9],"x"]'), {"> 2"}), splits(label("> 2"), label(9), set())
    (True, False)
    """
    if not tails or outcome == named:
        return False
    return _has_tail(outcome, tails) and _meets(outcome, named, tails)


def _has_tail(outcome: Label, tails: Collection[str]) -> bool:
    entries = outcome.entries
    return outcome.text in tails if entries is None else any(_has_tail(entry, tails) for entry in entries)


def _meets(outcome: Label, named: Label, tails: Collection[str]) -> bool:
    """Whether some single output lies in both, a tail standing for all its integers."""
    tail = HALF_LINE.fullmatch(outcome.text) if outcome.text in tails else None
    if tail is not None:
        named_tail = HALF_LINE.fullmatch(named.text)
        if named_tail:
            return named_tail[1] == tail[1]
        if not INTEGER.fullmatch(named.text):
            return False
        return int(named.text) > int(tail[2]) if tail[1] == ">" else int(named.text) < int(tail[2])
    entries, named_entries = outcome.entries, named.entries
    if entries is None or named_entries is None:
        return outcome == named
    return len(entries) == len(named_entries) and all(map(lambda x, y: _meets(x, y, tails), entries, named_entries))
