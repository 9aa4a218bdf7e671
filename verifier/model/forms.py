"""Forms: what a value in a model file may be, against the domain of its model (T, the size n, how labels are spelled).

A form reads a value, refuses others, and has a JSON Schema. A `Key` is a key of a table with its form and its meaning,
and a `Kind` a name with keys, an output and an example. The reader, the refusals, models/FORMAT.md, the explorer's
forms and models/model.schema.json are made from them; the independent checker has a reader of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from verifier.errors import InputError, LimitError, one_of
from verifier.model.keys import Keys, Location, chosen, integer, listed, of_length, string
from verifier.model.kinds import KindSetting
from verifier.model.mechanism import Database
from verifier.model.multisets import check_number
from verifier.numbers import INFINITY, common_denominator, cut, plural, probability, rational, shorten
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
    observer: str = ""
    """Who sees some draws of the program beside its output; nobody where it is empty."""
    people: Mapping[str, tuple[range, ...]] = field(default_factory=dict)
    """The stretches of records that `[people]` names."""

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


Read = TypeVar("Read")
Made = TypeVar("Made")
Schema: TypeAlias = Mapping[str, Any]
"""A JSON Schema (draft 7) of the values that a form reads; `#/definitions/…` are in `docs/_ext/model_schema.py`."""


def defined(name: str) -> Schema:
    """The schema that `DEFINITIONS` has under a name."""
    return {"$ref": f"#/definitions/{name}"}


@dataclass(frozen=True)
class Form(Generic[Read]):
    """What a value may be: `read` returns it from (domain, value, location), or refuses it; `schema` is for editors."""

    read: Callable[[Domain, Any, Location], Read]
    schema: Schema

    def then(self, change: Callable[[Domain, Read, Location], Made]) -> Form[Made]:
        """The form of a value that is changed after it was read, or refused."""
        read = self.read
        return Form(lambda domain, raw, location: change(domain, read(domain, raw, location), location), self.schema)

    def to(self, change: Callable[[Read], Made]) -> Form[Made]:
        """The form of a value that is changed after it was read."""
        return self.then(lambda _domain, value, _location: change(value))

    def where(self, holds: Callable[[Read], bool], wanted: str) -> Form[Read]:
        """The form of a value for which something holds; `wanted` says what."""
        before = self.read

        def read(domain: Domain, raw: Any, location: Location) -> Read:
            value = before(domain, raw, location)
            if not holds(value):
                raise InputError(f"{shorten(raw)} does not fit", where=str(location), wanted=wanted)
            return value

        return Form(read, self.schema)

    def limited(self, **keywords: Any) -> Form[Read]:
        """The form with more keywords in its schema, for what an editor can see."""
        return Form(self.read, {**self.schema, **keywords})


def names(*known: str) -> Form[str]:
    """One of some names."""
    few = " or ".join(f'"{name}"' for name in known) if len(known) < 3 else ""
    return Form(lambda _, raw, location: chosen(raw, location, known, few), {"enum": list(known)})


def whole(noun: str, low: int | None = None) -> Form[int]:
    """An integer, at least `low`."""
    least = {} if low is None else {"minimum": low}
    return Form(lambda _, raw, location: integer(raw, location, noun, low), {"type": "integer", **least})


def words(noun: str) -> Form[str]:
    """A text on one line."""
    return Form(lambda _, raw, location: string(raw, location, noun), {"type": "string"})


def each(form: Form[Read], wanted: str, *, step: str = "") -> Form[tuple[Read, ...]]:
    """A list, each of whose entries has a form; `step` is what an entry is called in a location."""

    def read(domain: Domain, raw: Any, location: Location) -> tuple[Read, ...]:
        entries = listed(raw, location, wanted)
        return tuple(form.read(domain, entry, location.at(f"{step} {n}".strip(), n)) for n, entry in enumerate(entries))

    return Form(read, {"type": "array", "items": form.schema})


def flat(form: Form[Read], wanted: str) -> Form[tuple[Read, ...]]:
    """A list, each of whose entries has a form, and is named in messages by the list's own location."""

    def read(domain: Domain, raw: Any, location: Location) -> tuple[Read, ...]:
        return tuple(form.read(domain, entry, location) for entry in listed(raw, location, wanted))

    return Form(read, {"type": "array", "items": form.schema})


def row(wanted: str, *forms: Form[Any]) -> Form[tuple[Any, ...]]:
    """A list of so many entries, each of a form of its own."""

    def read(domain: Domain, raw: Any, location: Location) -> tuple[Any, ...]:
        entries = of_length(raw, len(forms), location, wanted)
        return tuple(form.read(domain, entry, location) for form, entry in zip(forms, entries, strict=True))

    schemas = [form.schema for form in forms]
    fixed = {"minItems": len(forms), "maxItems": len(forms)}
    return Form(read, {"type": "array", "items": schemas, "additionalItems": False, **fixed})


def table(key: Form[Any], form: Form[Read], wanted: str) -> Form[tuple[tuple[Any, Read], ...]]:
    """A table whose keys have one form and whose values another, as pairs in the order of the file."""

    def read(domain: Domain, raw: Any, location: Location) -> tuple[tuple[Any, Read], ...]:
        entries = Keys(raw, location, wanted).left.items()
        return tuple(
            (key.read(domain, name, location), form.read(domain, entry, location.at(name))) for name, entry in entries
        )

    return Form(read, {"type": "object", "additionalProperties": form.schema})


def by_value(form: Form[Read]) -> Form[tuple[Read, ...]]:
    """A table that has an entry for each value of T, as a list in their order."""

    def in_order(domain: Domain, entries: tuple[tuple[int, Read], ...], location: Location) -> tuple[Read, ...]:
        given = dict(entries)
        missing = [value.text for v, value in enumerate(domain.values) if v not in given]
        if missing:
            raise InputError(f"the value {missing[0]} has no entry", where=str(location), wanted="one for each value")
        return tuple(given[v] for v in range(len(domain.values)))

    return table(VALUE, form, "a table with a key for each value").then(in_order)


VALUE: Form[int] = Form(Domain.value, defined("value"))
DISTINCT_VALUES: Form[tuple[int, ...]] = (
    each(VALUE, "a list of values")
    .where(lambda values: bool(values) and len(set(values)) == len(values), "distinct values, at least one")
    .limited(minItems=1, uniqueItems=True)
)
LABEL: Form[Label] = Form(Domain.label, defined("label"))
DATABASE = Form(Domain.database, defined("database"))
RECORD: Form[int] = Form(Domain.record, defined("record"))
RECORDS = Form(Domain.records, defined("records"))
RATIONAL: Form[Fraction] = Form(lambda _, raw, location: rational(raw, str(location)), defined("number"))
PROBABILITY: Form[Fraction] = Form(lambda _, raw, location: probability(raw, str(location)), defined("probability"))
AT_LEAST_ZERO = RATIONAL.where(lambda number: number >= 0, "a number that is at least 0")
MULTIPLE: Form[Fraction | None] = Form(
    lambda domain, raw, location: None if raw == INFINITY.text() else AT_LEAST_ZERO.read(domain, raw, location),
    defined("number"),
)
"""A multiple of ε; `"inf"`, which demands nothing, is read as None."""
CHANCE: Form[Fraction] = Form(Domain.chance, defined("probability"))
"""A probability in a channel; where every probability is read as a positive one, it is read as 1/2."""


def law_schema(of: str) -> Schema:
    """The schema of a law on values, labels or outputs."""
    words = f"A table from {of} to probabilities, which sum to 1."
    return {"description": words, "type": "object", "additionalProperties": defined("probability"), "minProperties": 1}


LAW_OF_VALUES: Form[Law] = Form(Domain.value_law, law_schema("values"))
LAW_OF_LABELS: Form[Law] = Form(Domain.label_law, law_schema("labels"))
LAW_OF_OUTPUTS: Form[Law] = Form(Domain.label_law, law_schema("outputs"))


UNIFORM = "uniform"
"""The law of a record, as a word: all values alike."""


def _law_of_record(domain: Domain, raw: object, location: Location) -> Law:
    """The law of a record: a table, or `"uniform"` for equal probabilities of all values."""
    if isinstance(raw, str):
        chosen(raw, location, (UNIFORM,), f'a table of probabilities, or "{UNIFORM}"')
        return Law.from_weights(dict.fromkeys(domain.values, 1))
    return LAW_OF_VALUES.read(domain, raw, location)


LAW_OF_RECORD: Form[Law] = Form(_law_of_record, {"anyOf": [{"const": UNIFORM}, LAW_OF_VALUES.schema]})


def record_law(law: Law, values: tuple[Label, ...]) -> tuple[tuple[int, ...], int]:
    """A record's law as one integer weight a value, over one denominator."""
    at = dict(law.items())
    return tuple(at.get(v, 0) for v in values), law.denominator


def _flag(_domain: Domain, raw: Any, location: Location) -> bool:
    if not isinstance(raw, bool):
        raise InputError(f"{shorten(raw)} is neither true nor false", where=str(location), wanted="true or false")
    return raw


FLAG = Form(_flag, {"type": "boolean"})
REQUIRED: Any = object()
"""The default of a key that must be there."""


@dataclass(frozen=True)
class Key:
    """A key of a table: its name, the form of its value, and its meaning in a few words.

    `default` is the value where the key is left out, as a file writes it; None for what the meaning says. `instead` is
    another key that may be there in its place, and may have an `instead` itself: exactly one of them is there, all give
    the same kind of value, and `tip` shows them.
    """

    name: str
    form: Form[Any]
    meaning: str
    default: Any = REQUIRED
    instead: Key | None = None
    tip: str = ""

    @property
    def required(self) -> bool:
        """Whether the key must be there."""
        return self.default is REQUIRED

    @property
    def ways(self) -> tuple[Key, ...]:
        """The keys of which exactly one is there: this one, and those that may be there in its place."""
        return (self,) if self.instead is None else (self, *self.instead.ways)

    def read(self, keys: Keys, domain: Domain) -> Any:
        """Take the key from a table, and read its value.

        Raises:
            InputError: where the key is missing, or its value has another form.

        """
        there = self
        if self.instead is not None:
            ways = {way.name: way for way in self.ways}
            there = ways[keys.one_of(ways, self.tip)]
        elif not self.required and not keys.has(self.name) and self.default is None:
            return None
        raw = keys.take(there.name) if there.required else keys.take(there.name, there.default)
        return there.form.read(domain, raw, keys.location.at(there.name))


def values_of(keys: Keys, declared: Iterable[Key], domain: Domain) -> dict[str, Any]:
    """Take declared keys from a table: the value of each, by the name of its key.

    Raises:
        InputError: where a key is missing, or its value has another form.

    """
    return {key.name: key.read(keys, domain) for key in declared}


def table_schema(
    properties: Mapping[str, Schema], required: Iterable[str] = (), one_of: Iterable[Iterable[str]] = ()
) -> Schema:
    """The schema of a table of these keys alone; of each group in `one_of` it has exactly one."""
    groups = [{"oneOf": [{"required": [key]} for key in group]} for group in one_of]
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
        **({"allOf": groups} if groups else {}),
    }


def list_schema(items: Schema, least: int = 0) -> Schema:
    """The schema of a list, such as one of tables."""
    return {"type": "array", "items": items, "minItems": least}


def described(schema: Schema, words: str) -> Schema:
    """A schema with words that an editor shows; a reference has none of its own in draft 7."""
    return {"description": words, **({"allOf": [schema]} if "$ref" in schema else schema)}


def keys_schema(
    declared: Iterable[Key],
    more: Mapping[str, Schema] | None = None,
    required: Iterable[str] = (),
    one_of: Iterable[Iterable[str]] = (),
) -> Schema:
    """The schema of a table of declared keys and of `more`; `required` and `one_of` are about the latter."""
    properties, needed, groups = dict(more or {}), list(required), [list(group) for group in one_of]
    for key in declared:
        properties |= {way.name: described(way.form.schema, way.meaning) for way in key.ways}
        if key.instead is not None:
            groups.append([way.name for way in key.ways])
        elif key.required:
            needed.append(key.name)
    return table_schema(properties, needed, groups)


OUTPUT = Key(
    "output",
    LABEL.to(Law.point),
    "the output",
    instead=Key("outputs", LAW_OF_OUTPUTS, "the law of the output"),
    tip="`output` is one label, `outputs` a table of probabilities",
)
"""The law of a row: one label, or a table of probabilities."""


def _otherwise(domain: Domain, raw: Any, location: Location) -> Law:
    form: Form[Law] = LAW_OF_OUTPUTS if isinstance(raw, dict) else OUTPUT.form
    return form.read(domain, raw, location)


OTHERWISE = Key(
    "otherwise",
    Form(_otherwise, {"anyOf": [LABEL.schema, LAW_OF_OUTPUTS.schema]}),
    "the output of what has no row, or its law",
    None,
)


@dataclass(frozen=True)
class Place:
    """Where a mechanism is read: the domain of its databases, and the location in the file."""

    domain: Domain
    location: Location

    @property
    def setting(self) -> KindSetting:
        """The values, size and spelling that a kind needs."""
        return self.domain.setting(self.location)


@dataclass(frozen=True)
class Kind:
    """A kind of mechanism or of step: its name, what it is called in a list, its output in words, and its keys.

    `{key}` in the output is the value of a key. `build` makes it from its place and the values of its keys, by their
    names; `example` are keys of a first mechanism of the kind, for the values and the size of a model. `any_size` says
    that it is defined on any number of records, and treats them alike: what a sample, and databases of several sizes,
    ask for. `needs` says what the values must be, such as `numbers`. `asked` is how `pkdp new` asks for its keys, where
    it offers the kind: `VALUE above NUMBER` for the keys `value` and `above`, `p|epsilon NUMBER` for one of two.
    """

    name: str
    title: str
    output: str
    build: Callable[..., Any]
    keys: tuple[Key, ...] = ()
    example: Callable[[Sequence[Any], int], Mapping[str, Any]] = lambda _values, _size: {}
    any_size: bool = False
    needs: str = ""
    asked: str | None = None

    def read(self, keys: Keys, place: Place, *more: Any) -> Any:
        """Make the mechanism, or the step, that the keys of a table describe."""
        values = values_of(keys, self.keys, place.domain)
        return self.build(place, *more, **{name.replace("-", "_"): value for name, value in values.items()})
