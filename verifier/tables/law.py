"""Labels, compared by their text, and probability laws on finitely many of them, in canonical form.

A label is the value of a record, of knowledge or an output. Laws have mixtures, products, and images under channels.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import gcd, lcm
from typing import TypeAlias, cast

from verifier.errors import InexactError, InputError, LimitError
from verifier.numbers import (
    MAX_DIGITS_READ,
    DecimalLiteral,
    Symbolic,
    exact_text,
    probability,
    quotient,
    refuse_other_sum,
    shorten,
)
from verifier.tables.weights import gathered

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


MOST_WRITTEN, MOST_RUNS = 12, 24
"""Longest list whose entries are all written for people, and most runs of equal entries of a longer one."""


def runs_text(values: Sequence[Label], written: str = "") -> str:
    """The text of a database, or of what is known of one, for people: a long list by its runs of equal entries.

    A list in which runs save nothing is written whole up to `MOST_RUNS` entries. `written` is the text of a list that
    is written whole, by default that of `values_text`.

    >>> runs_text([label("no")] * 20 + [label("yes")]), runs_text([label("no")] * 3)
    ('[20 × no, yes]', '[no, no, no]')
    """
    pieces = []
    for value, group in groupby(values):
        times = len(list(group))
        pieces.append(f"{times} × {value.text}" if times > 1 else value.text)
    most = MOST_WRITTEN if 2 * len(pieces) <= len(values) else MOST_RUNS
    if len(values) <= most:
        return written or values_text(values)
    return f"[{', '.join(pieces if len(pieces) <= MOST_RUNS else [*pieces[:MOST_RUNS], '…'])}]"


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


@dataclass(frozen=True, slots=True)
class Law:
    """A probability law on finitely many labels: sorted, positive integer weights over one denominator.

    The weights have no common factor, so that equal laws are equal objects. Make one with `Law.of`, which
    refuses what is no law; nothing is normalized.

    >>> from verifier.tables.law import label
    >>> coin = Law.of({label("odd"): "1/2", label("even"): "1/2"})
    >>> coin.weights, coin.denominator, coin.probability(label("odd"))
    ((1, 1), 2, Fraction(1, 2))
    """

    outcomes: tuple[Label, ...]
    weights: tuple[int, ...]
    denominator: int

    @classmethod
    def of(cls, table: Mapping[Label, object], where: str = "") -> Law:
        """Read a table of exact probabilities.

        Raises:
            InputError: where it is empty, an entry is negative, or the exact sum is not 1.

        """
        return cls.from_fractions(
            {key: probability(value, f"{where}, {key.text}" if where else key.text) for key, value in table.items()},
            where,
        )

    @classmethod
    def from_fractions(cls, table: Mapping[Label, Fraction], where: str = "") -> Law:
        """The law with these probabilities.

        Raises:
            InputError: where they do not sum to 1, or one is negative.

        """
        refuse_other_sum(sum(table.values(), Fraction(0)), "the probabilities", where)
        denominator = lcm(*(value.denominator for value in table.values()))
        return cls.from_integers(
            {key: value.numerator * (denominator // value.denominator) for key, value in table.items()},
            denominator,
        )

    @classmethod
    def from_integers(cls, weights: Mapping[Label, int], denominator: int) -> Law:
        """The law with these weights over a denominator.

        >>> from verifier.tables.law import label
        >>> Law.from_integers({label(0): 2, label(1): 4}, 6).denominator
        3

        Raises:
            InputError: where a weight is negative, or the denominator is not the sum of the weights.

        """
        try:
            negative = denominator <= 0 or min(weights.values()) < 0
        except TypeError:  # functions of parameters have no order
            negative = any(weight < 0 for weight in weights.values() if not isinstance(weight, Symbolic))
        if negative or sum(weights.values()) != denominator:
            raise InputError(
                f"weights are negative, or sum to {shorten(sum(weights.values()))} over {shorten(denominator)}",
                wanted="non-negative weights with the sum of the denominator",
            )
        return cls._clean(dict(weights), denominator)

    @classmethod
    def from_weights(cls, weights: Mapping[Label, int]) -> Law:
        """The law proportional to non-negative integer weights, such as those of the outcomes in an event.

        >>> from verifier.tables.law import label
        >>> Law.from_weights({label(0): 2, label(1): 4}).weights
        (1, 2)
        """
        return cls.from_integers(weights, sum(weights.values()))

    @classmethod
    def point(cls, outcome: Label) -> Law:
        """The law of a constant."""
        return cls((outcome,), (1,), 1)

    @classmethod
    def mixed(cls, weighted_laws: Sequence[tuple[int, Law]]) -> Law:
        """The mixture Σ (weight/sum of the weights)·law, with integer weights.

        >>> from verifier.tables.law import label
        >>> Law.mixed([(1, Law.point(label(0))), (3, Law.point(label(1)))]).weights
        (1, 3)
        """
        shared = lcm(*(law.denominator for _, law in weighted_laws))
        result: dict[Label, int] = {}
        for weight, law in weighted_laws:
            scale = weight * (shared // law.denominator)
            for outcome, part in law.items():
                result[outcome] = result.get(outcome, 0) + scale * part
        return cls._clean(result, shared * sum(weight for weight, _ in weighted_laws))

    @classmethod
    def _clean(cls, weights: dict[Label, int], denominator: int) -> Law:
        support = in_order(key for key, weight in weights.items() if weight)
        try:
            shared = gcd(denominator, *weights.values())
        except TypeError:  # functions of parameters: their quotients, which are of a field
            return cls(tuple(support), tuple(quotient(weights[key], denominator) for key in support), 1)
        return cls(tuple(support), tuple(weights[key] // shared for key in support), denominator // shared)

    def relabelled(self, spell: Callable[[Label], Label]) -> Law:
        """The same law with its labels spelled otherwise; their texts stay."""
        return Law(tuple(map(spell, self.outcomes)), self.weights, self.denominator)

    def probability(self, outcome: Label) -> Fraction:
        """P[X = outcome], for X with this law."""
        probability: Fraction = quotient(dict(self.items()).get(outcome, 0), self.denominator)
        return probability

    def items(self) -> Iterable[tuple[Label, int]]:
        """The support with its integer weights."""
        return zip(self.outcomes, self.weights, strict=True)

    def chances(self) -> Iterator[tuple[Label, Fraction]]:
        """The support with its probabilities.

        >>> from verifier.tables.law import label
        >>> dict(Law.from_weights({label("u"): 1, label("v"): 3}).chances())[label("v")]
        Fraction(3, 4)
        """
        return ((outcome, Fraction(weight, self.denominator)) for outcome, weight in self.items())

    def then(self, channel: Callable[[Label], Law]) -> Law:
        """The law of the output of a channel whose input has this law.

        >>> from verifier.tables.law import label
        >>> Law.point(label(0)).then(lambda x: Law.of({x: "1/3", label(1): "2/3"})).probability(label(1))
        Fraction(2, 3)
        """
        if len(self.outcomes) == 1:
            return channel(self.outcomes[0])
        return Law.mixed([(weight, channel(outcome)) for outcome, weight in self.items()])


def product(laws: Iterable[Law], combine: Callable[[tuple[Label, ...]], Label]) -> Law:
    """The law of the label that `combine` makes of independent draws, one from each law."""
    table: dict[tuple[Label, ...], int] = {(): 1}
    denominator = 1
    for law in laws:
        table = {(*key, outcome): weight * part for key, weight in table.items() for outcome, part in law.items()}
        denominator *= law.denominator
    return Law.from_integers(gathered((combine(key), weight) for key, weight in table.items()), denominator)
