"""What every part of a model file is read against: the values T, the size n, and how labels are spelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from verifier.errors import InputError
from verifier.model.kinds import Setting
from verifier.model.mechanism import Database
from verifier.model.place import Keys, Place, integer, listed, many
from verifier.numbers import common_denominator, cut, probability, shorten
from verifier.tables import Label, Law, Spelling, label


@dataclass(frozen=True)
class Scope:
    """The values and the size of a model."""

    values: tuple[Label, ...]
    size: int
    spelling: Spelling
    index: dict[str, int] = field(default_factory=dict)

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
        """A list of `size` values."""
        row = listed(given, place, f"a list of {self.size} values")
        if len(row) != self.size:
            raise InputError(
                f"given a database of {many(len(row), 'record')}", where=str(place), wanted=f"{self.size}, the `size`"
            )
        return tuple(self.value(one, place.at(f"record {i}")) for i, one in enumerate(row))

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
        read = {one: probability(given, str(place.at(cut(one.text)))) for one, given in table.items()}
        common_denominator((weight.denominator for weight in read.values()), str(place))
        return Law.from_fractions(read, str(place))


def make_scope(given_values: object, given_size: object, place: Place, limit: int) -> Scope:
    """Read `values` and `size`."""
    from verifier.errors import LimitError, UnsupportedError

    at = place.at("size")
    if isinstance(given_size, list | tuple) and len(given_size) == 2 and all(type(one) is int for one in given_size):
        raise UnsupportedError(
            "`size = [from, to]` (databases of several sizes) is not supported yet",
            where=str(at),
            wanted="one integer",
        )
    size = integer(given_size, at, "the number of records", 1)
    if size > limit:
        raise LimitError(f"given {shorten(size)} records", where=str(at), wanted=f"at most {limit:,} in this version")
    place = place.at("values")
    spelling = Spelling()
    values: list[Label] = []
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
        values.append(spelling(new))
    if not values:
        raise InputError("given no values", where=str(place), wanted="at least one")
    return Scope(tuple(values), size, spelling, {v.text: k for k, v in enumerate(values)})
