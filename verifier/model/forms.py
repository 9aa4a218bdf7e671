"""Forms: what a value in a model file may be. A form reads a value, refuses others, and has a JSON Schema.

A `Key` is a key of a table with its form and its meaning, and a `Kind` a name with keys, an output and an example. The
reader, the refusals, models/FORMAT.md, the explorer's forms and models/model.schema.json are made from them; the
independent checker has a reader of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from verifier.errors import InputError
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, chosen, integer, listed, of_length, string
from verifier.model.kinds import KindSetting
from verifier.numbers import INFINITY, probability, rational, shorten
from verifier.tables import Label, Law

Read = TypeVar("Read")
Made = TypeVar("Made")
Schema: TypeAlias = Mapping[str, Any]
"""A JSON Schema (draft 7) of the values that a form reads; `#/definitions/…` are in `verifier.model.schema`."""


def defined(name: str) -> Schema:
    """The schema that `DEFINITIONS` has under a name."""
    return {"$ref": f"#/definitions/{name}"}


DEFINITIONS: dict[str, Schema] = {
    "value": {"description": "A value of a record, one of `values`.", "type": ["string", "integer", "boolean"]},
    "label": {
        "description": "A text, an integer, a boolean, or a list of labels.",
        "anyOf": [
            {"type": ["string", "integer", "boolean"]},
            {"type": "array", "items": {"$ref": "#/definitions/label"}},
        ],
    },
    "number": {
        "description": 'An exact number: 2, 0.1, "1/3", "0.1".',
        "type": ["string", "number"],
    },
    "probability": {
        "description": 'An exact probability: "1/3", 0.1; in a family also an expression such as "1 - p".',
        "anyOf": [{"type": "string", "minLength": 1}, {"type": "number", "minimum": 0, "maximum": 1}],
    },
    "epsilon": {
        "description": 'An exact ε in nats: "ln(3)", "2*ln(3)", 0.',
        "type": ["string", "number"],
    },
    "record": {"description": "The index of a record, from 0.", "type": "integer", "minimum": 0},
    "records": {
        "description": "Indices of records, from 0: a list, or a stretch with both ends included.",
        "anyOf": [
            {"type": "array", "items": {"$ref": "#/definitions/record"}, "uniqueItems": True},
            {
                "type": "object",
                "properties": {"from": {"$ref": "#/definitions/record"}, "to": {"$ref": "#/definitions/record"}},
                "required": ["from", "to"],
                "additionalProperties": False,
            },
        ],
    },
    "database": {
        "description": "The values of all records.",
        "type": "array",
        "items": {"$ref": "#/definitions/value"},
    },
}
"""What several schemas have in common, by name."""


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
