"""What every part of a model file is read against: the values T, the size n, and how labels are spelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.errors import InputError, LimitError
from verifier.model.kinds import Setting
from verifier.model.mechanism import Database
from verifier.model.multisets import check_number
from verifier.model.place import Keys, Place, integer, listed, many
from verifier.numbers import common_denominator, cut, probability, shorten
from verifier.tables import Label, Law, Spelling, label


@dataclass(frozen=True)
class Scope:
    """The values and the size of a model; of databases of several sizes `sizes`, and `size` is the largest."""

    values: tuple[Label, ...]
    size: int
    spelling: Spelling
    index: dict[str, int] = field(default_factory=dict)
    sizes: tuple[int, int] | None = None
    positive: bool = False
    """Whether every probability of a channel is read as a positive one: then its outputs are all that it names."""

    def smaller(self) -> Scope:
        """The same for a sample of the databases, which may have any smaller size."""
        return self if self.sizes is None else replace(self, sizes=(0, self.size))

    def setting(self, place: Place) -> Setting:
        """What a kind of mechanism is given."""
        return Setting(self.values, self.size, str(place), self.spelling.known)

    def label(self, given: object, place: Place) -> Label:
        """A label, as it was first spelled."""
        return self.spelling(label(given, str(place)))

    def value(self, given: object, place: Place) -> int:
        """The position of a value in T."""
        text = label(given, str(place)).text
        if text not in self.index:
            known = ", ".join(v.text for v in self.values[:12])
            raise InputError(f"given the value {shorten(given)}", where=str(place), wanted=f"one of `values`: {known}")
        return self.index[text]

    def database(self, given: object, place: Place) -> Database:
        """A list of `size` values; as a multiset, in the order of T, where databases have several sizes."""
        if self.sizes is not None:
            return self._multiset(given, place, *self.sizes)
        row = listed(given, place, f"a list of {self.size} values")
        if len(row) != self.size:
            raise InputError(
                f"given a database of {many(len(row), 'record')}", where=str(place), wanted=f"{self.size}, the `size`"
            )
        return tuple(self.value(one, place.at(f"record {i}", i)) for i, one in enumerate(row))

    def _multiset(self, given: object, place: Place, first: int, last: int) -> Database:
        row = listed(given, place, f"a list of {first} to {last} values")
        if not first <= len(row) <= last:
            raise InputError(
                f"given a database of {many(len(row), 'tuple')}",
                where=str(place),
                wanted=f"{first} to {last}, the `size`",
            )
        return tuple(sorted(self.value(one, place.at(f"tuple {i}", i)) for i, one in enumerate(row)))

    def record(self, given: object, place: Place) -> int:
        """An index of a record, counted from 0."""
        at = integer(given, place, "the index of a record")
        if not 0 <= at < self.size:
            raise InputError(
                f"given the record {shorten(at)}",
                where=str(place),
                wanted=f"0 to {self.size - 1}",
                tip="indices count from 0",
            )
        return at

    def records(self, given: object, place: Place) -> Sequence[int]:
        """A list of distinct indices, or a stretch `{ from = a, to = b }` with both ends."""
        if isinstance(given, dict):
            keys = Keys(given, place, "a stretch such as { from = 0, to = 99 }")
            first, last = (self.record(keys.take(key), place.at(key)) for key in ("from", "to"))
            keys.done()
            if last < first:
                raise InputError(f"given the stretch from {first} to {last}", where=str(place), wanted="from ≤ to")
            return range(first, last + 1)
        chosen = [self.record(one, place) for one in listed(given, place, "a list of record indices")]
        if len(set(chosen)) != len(chosen):
            raise InputError(f"given {chosen}", where=str(place), wanted="each record at most once")
        return tuple(chosen)

    def chance(self, given: object, place: Place) -> Fraction:
        """A probability that a channel is given."""
        read = probability(given, str(place))
        return Fraction(1, 2) if self.positive else read

    def value_law(self, given: object, place: Place) -> Law:
        """A law on T; values left out have probability 0."""
        table = Keys(given, place, "a table from values to probabilities").left
        return self._law({self.values[self.value(key, place)]: weight for key, weight in table.items()}, place)

    def label_law(self, given: object, place: Place) -> Law:
        """A law on labels."""
        table: Mapping[str, object] = Keys(given, place, "a table from labels to probabilities").left
        return self._law({self.label(key, place): weight for key, weight in table.items()}, place)

    def _law(self, table: Mapping[Label, object], place: Place) -> Law:
        """A law, refused before its sum where the numbers in it are too unlike."""
        read = {one: probability(given, str(place.at(cut(one.text), one.text))) for one, given in table.items()}
        if self.positive:
            return Law.from_weights(dict.fromkeys(read, 1))
        common_denominator((weight.denominator for weight in read.values()), str(place))
        return Law.from_fractions(read, str(place))


def make_scope(given_values: object, given_size: object, place: Place, limit: int) -> Scope:
    """Read `values` and `size`."""
    at = place.at("size")
    sizes = _sizes(given_size, at)
    size = sizes[1] if sizes else _size(given_size, at, limit)
    if size > limit:
        raise LimitError(f"given {shorten(size)} records", where=str(at), wanted=_wanted(limit))
    place = place.at("values")
    spelling = Spelling()
    values: dict[Label, None] = {}
    for one in listed(given_values, place, "a list of values such as [0, 1]"):
        if isinstance(one, list | tuple):
            raise InputError(f"given {shorten(one)}", where=str(place), wanted="integers, strings or booleans")
        new = label(one, str(place))
        if new in values:
            raise InputError(
                f"given {shorten(one)} twice",
                where=str(place),
                wanted="values with distinct texts",
                tip='labels are compared by their text: 0 and "0" are one label',
            )
        values[spelling(new)] = None
    if not values:
        raise InputError("given no values", where=str(place), wanted="at least one")
    if sizes is not None:
        check_number(len(values), *sizes, str(at))
    return Scope(tuple(values), size, spelling, {v.text: k for k, v in enumerate(values)}, sizes)


def _wanted(limit: int) -> str:
    return f"an integer from 1 to {limit:,}: the number of records"


def _size(given: object, place: Place, limit: int) -> int:
    """The number of records of every database."""
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        tip = "[0, 4] are all databases of no to four tuples" if isinstance(given, list | tuple) else ""
        if isinstance(given, str) and given.strip().isdecimal():
            tip = "write it without quotes"
        raise InputError(f"given {shorten(given)}", where=str(place), wanted=_wanted(limit), tip=tip)
    return given


def _sizes(given: object, place: Place) -> tuple[int, int] | None:
    """`size = [from, to]`, or None where it is not two integers."""
    if not (isinstance(given, list | tuple) and len(given) == 2 and all(type(one) is int for one in given)):
        return None
    first, last = given
    if not 0 <= first <= last or last < 1:
        raise InputError(
            f"given size = {shorten(list(given))}",
            where=str(place),
            wanted="[from, to] with 0 ≤ from ≤ to and to ≥ 1",
            tip="[0, 4] are all databases of no to four tuples; one integer n is databases of exactly n records",
        )
    return first, last
