"""The domain of a model, against which its file is read: the values T, the size n, and how labels are spelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.errors import InputError, LimitError, one_of
from verifier.model.keys import Keys, Location, integer, listed
from verifier.model.kinds import KindSetting
from verifier.model.mechanism import Database
from verifier.model.multisets import check_number
from verifier.numbers import common_denominator, cut, plural, probability, shorten
from verifier.tables import Label, Law, Spelling, label

LAW = 'such as { yes = "3/4", no = "1/4" }'


@dataclass(frozen=True)
class Domain:
    """The values T and the size of a model, with the spelling of labels.

    Where databases have several sizes, `sizes` is the smallest and the largest, and `size` the largest.
    """

    values: tuple[Label, ...]
    size: int
    spelling: Spelling
    index: dict[str, int] = field(default_factory=dict)
    sizes: tuple[int, int] | None = None
    positive: bool = False
    """Whether every probability of a channel is read as a positive one: then its outputs are all that it names."""
    named: tuple[Label, ...] = ()
    """The outputs of the mechanism that `[policy]` names: its last noise keeps them apart from the tails."""
    thetas: tuple[str, ...] = ()
    """The names of the distributions, which `[policy]` may name."""

    def smaller(self) -> Domain:
        """The domain of samples: where databases have several sizes, samples have any size up to the largest."""
        return self if self.sizes is None else replace(self, sizes=(0, self.size))

    def entry(self, k: int, length: int) -> Domain:
        """The domain of a mechanism whose output is the k-th entry of a list of this length."""
        lists = (output.entries or () for output in self.named)
        return replace(self, named=tuple(entries[k] for entries in lists if len(entries) == length))

    def setting(self, location: Location) -> KindSetting:
        """The values, size and spelling that a kind of mechanism needs, with the location for its errors."""
        return KindSetting(self.values, self.size, str(location), self.spelling.known)

    def label(self, raw: object, location: Location) -> Label:
        """Read a label; it is spelled as where it first stood in the file."""
        return self.spelling(label(raw, str(location)))

    def value(self, raw: object, location: Location) -> int:
        """Read a value of T, as its position.

        Raises:
            InputError: for a label that is not in T.

        """
        text = label(raw, str(location)).text
        if text not in self.index:
            known = one_of((v.text for v in self.values), text).replace("one of", "one of `values`:", 1)
            raise InputError(f"{shorten(raw)} is not a value of the model", where=str(location), wanted=known)
        return self.index[text]

    def database(self, raw: object, location: Location) -> Database:
        """Read a database, a list of `size` values, as their positions; sorted where databases have several sizes.

        Raises:
            InputError: for a list of another length, and for a value that is not in T.

        """
        if self.sizes is not None:
            return self._multiset(raw, location, *self.sizes)
        row = listed(raw, location, f"a list of {self.size} values")
        if len(row) != self.size:
            raise InputError(
                f"the database has {plural(len(row), 'record')}",
                where=str(location),
                wanted=f"{self.size}, the `size`",
            )
        return tuple(self.value(value, location.at(f"record {i}", i)) for i, value in enumerate(row))

    def _multiset(self, raw: object, location: Location, first: int, last: int) -> Database:
        row = listed(raw, location, f"a list of {first} to {last} values")
        if not first <= len(row) <= last:
            raise InputError(
                f"the database has {plural(len(row), 'tuple')}",
                where=str(location),
                wanted=f"{first} to {last}, the `size`",
            )
        return tuple(sorted(self.value(value, location.at(f"tuple {i}", i)) for i, value in enumerate(row)))

    def record(self, raw: object, location: Location) -> int:
        """Read the index of a record, counted from 0.

        Raises:
            InputError: for anything that is no index of a record.

        """
        at = integer(raw, location, "the index of a record")
        if not 0 <= at < self.size:
            raise InputError(
                f"there is no record {shorten(at)}",
                where=str(location),
                wanted=f"0 to {self.size - 1}",
                tip="indices count from 0",
            )
        return at

    def records(self, raw: object, location: Location) -> Sequence[int]:
        """Read the indices of records: a list without repetition, or `{ from = a, to = b }`, in which b is included.

        Raises:
            InputError: for an index that is none, one that is listed twice, and a stretch that ends before it begins.

        """
        if isinstance(raw, dict):
            keys = Keys(raw, location, "a stretch such as { from = 0, to = 99 }")
            first, last = (keys.read(key, self.record) for key in ("from", "to"))
            keys.done()
            if last < first:
                raise InputError(
                    f"the stretch from {first} to {last} is empty", where=str(location), wanted="from ≤ to"
                )
            return range(first, last + 1)
        chosen = [self.record(index, location) for index in listed(raw, location, "a list of record indices")]
        if len(set(chosen)) != len(chosen):
            raise InputError(f"{chosen} repeats a record", where=str(location), wanted="each record at most once")
        return tuple(chosen)

    def chance(self, raw: object, location: Location) -> Fraction:
        """Read a probability in a channel, such as a rate or `keep`; with `positive` each is read as 1/2."""
        chance = probability(raw, str(location))
        return Fraction(1, 2) if self.positive else chance

    def value_law(self, raw: object, location: Location) -> Law:
        """Read a law on T; values that are left out have probability 0."""
        first = " or ".join(f'{{ {cut(value.text, 20)} = "1" }}' for value in self.values[:2])
        table = Keys(raw, location, "a table from values to probabilities", tip=f"such as {first}").left
        return self._law({self.values[self.value(key, location)]: weight for key, weight in table.items()}, location)

    def label_law(self, raw: object, location: Location) -> Law:
        """Read a law on labels."""
        table: Mapping[str, object] = Keys(raw, location, "a table from labels to probabilities", tip=LAW).left
        return self._law({self.label(key, location): weight for key, weight in table.items()}, location)

    def _law(self, table: Mapping[Label, object], location: Location) -> Law:
        """A law, refused before its sum where the numbers in it are too unlike."""
        probabilities = {
            outcome: probability(chance, str(location.at(cut(outcome.text), outcome.text)))
            for outcome, chance in table.items()
        }
        if self.positive:
            return Law.from_weights(dict.fromkeys(probabilities, 1))
        common_denominator((weight.denominator for weight in probabilities.values()), str(location))
        return Law.from_fractions(probabilities, str(location))


def make_domain(given_values: object, given_size: object, location: Location, limit: int) -> Domain:
    """Read `values` and `size`; `limit` is the largest size.

    Raises:
        InputError: for a size that is none, and for values that are none, or not distinct.
        LimitError: for a size above the limit, and for too many multisets.

    """
    at = location.at("size")
    sizes = _sizes(given_size, at)
    size = sizes[1] if sizes else _size(given_size, at, limit)
    if size > limit:
        raise LimitError(f"{shorten(size)} records are too many", where=str(at), wanted=_wanted(limit))
    location = location.at("values")
    spelling = Spelling()
    values: dict[Label, None] = {}
    for raw in listed(given_values, location, "a list of values such as [0, 1]"):
        if isinstance(raw, list | tuple):
            raise InputError(
                f"the list {shorten(raw)} is not a value", where=str(location), wanted="integers, strings or booleans"
            )
        new = label(raw, str(location))
        if new in values:
            raise InputError(
                f"the value {shorten(raw)} is given twice",
                where=str(location),
                wanted="values with distinct texts",
                tip='labels are compared by their text: 0 and "0" are one label',
            )
        values[spelling(new)] = None
    if not values:
        raise InputError("there are no values", where=str(location), wanted="at least one")
    if sizes is not None:
        check_number(len(values), *sizes, str(at))
    return Domain(tuple(values), size, spelling, {v.text: k for k, v in enumerate(values)}, sizes)


def _wanted(limit: int) -> str:
    return f"an integer from 1 to {limit:,}"


def _size(raw: object, location: Location, limit: int) -> int:
    """The number of records of every database."""
    if isinstance(raw, bool) or not isinstance(raw, int) or raw < 1:
        tip = "[0, 4] are all databases of no to four tuples" if isinstance(raw, list | tuple) else ""
        if isinstance(raw, str) and raw.strip().isdecimal():
            tip = "write it without quotes"
        raise InputError(
            f"{shorten(raw)} is not a number of records", where=str(location), wanted=_wanted(limit), tip=tip
        )
    return raw


def _sizes(raw: object, location: Location) -> tuple[int, int] | None:
    """`size = [from, to]`, or None where it is not two integers."""
    if not (isinstance(raw, list | tuple) and len(raw) == 2 and all(type(end) is int for end in raw)):
        return None
    first, last = raw
    if not 0 <= first <= last or last < 1:
        raise InputError(
            f"{shorten(list(raw))} is not a range of sizes",
            where=str(location),
            wanted="[from, to] with 0 ≤ from ≤ to and to ≥ 1",
            tip="[0, 4] are all databases of no to four tuples; one integer n is databases of exactly n records",
        )
    return first, last
