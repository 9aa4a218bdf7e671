"""Forms: what a value in a model file may be. A form reads a value, refuses others, and has a JSON Schema.

A `Field` is a key with its form, its words and an example. The reader, the refusals, models/FORMAT.md, the explorer's
forms and models/model.schema.json are made from it; the independent checker has a reader of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from verifier.errors import InputError
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, chosen, integer, listed, of_length, string
from verifier.numbers import INFINITY, probability, rational, shorten
from verifier.tables import Label

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
                raise InputError(f"given {shorten(raw)}", where=str(location), wanted=wanted)
            return value

        return Form(read, self.schema)

    def limited(self, **keywords: Any) -> Form[Read]:
        """The form with more keywords in its schema, for what an editor can see."""
        return Form(self.read, {**self.schema, **keywords})


def names(*known: str) -> Form[str]:
    """One of some names."""
    return Form(lambda _, raw, location: chosen(raw, location, known), {"enum": list(known)})


def whole(noun: str, low: int | None = None) -> Form[int]:
    """An integer, at least `low`."""
    least = {} if low is None else {"minimum": low}
    return Form(lambda _, raw, location: integer(raw, location, noun, low), {"type": "integer", **least})


def words(noun: str) -> Form[str]:
    """A text on one line."""
    return Form(lambda _, raw, location: string(raw, location, noun), {"type": "string"})


def each(form: Form[Read], wanted: str, *, least: int = 0) -> Form[tuple[Read, ...]]:
    """A list, each of whose entries has a form."""

    def read(domain: Domain, raw: Any, location: Location) -> tuple[Read, ...]:
        entries = listed(raw, location, wanted)
        if len(entries) < least:
            raise InputError(f"given {shorten(raw)}", where=str(location), wanted=wanted)
        return tuple(form.read(domain, entry, location.at(f"{n}", n)) for n, entry in enumerate(entries))

    return Form(read, {"type": "array", "items": form.schema, **({"minItems": least} if least else {})})


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
            raise InputError(f"no entry for the value {missing[0]}", where=str(location), wanted="one for each value")
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
