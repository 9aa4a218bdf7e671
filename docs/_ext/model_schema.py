"""models/model.schema.json: a JSON Schema (draft 7) of model files, for editors that complete keys and mark errors.

The keys of each table come from the declarations that its reader has. A schema sees the shape of a file alone: what it
accepts may still be refused, such as probabilities that do not sum to 1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verifier.model import student_question as student
from verifier.model.distribution import GROUP, NAME, PART, PARTS, SHAPES, Shape
from verifier.model.forms import (
    OTHERWISE,
    Form,
    Key,
    Kind,
    Schema,
    defined,
    described,
    keys_schema,
    list_schema,
    table_schema,
)
from verifier.model.parameters import ENDS
from verifier.model.people import STRETCHES
from verifier.model.policy import FIELDS
from verifier.model.read import (
    ANSWER,
    FAMILY_ANSWER,
    FUNCTION_ROW,
    GENERATED,
    KEYS,
    KNOWN_PARAMETERS,
    PARAMETER_LAW,
    PARAMETER_NAME,
    QUESTION,
    SECRET_VALUES,
    TEXT,
)
from verifier.model.read_mechanism import COMPONENT, DATABASE_ROW, KINDS, PROGRAM, SAMPLE
from verifier.model.steps import INPUT_ROW, STEPS
from verifier.model.table_files import FILE_SCHEMA

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
COUNT: Schema = {"type": "integer", "minimum": 1}
AFTER = {
    SAMPLE.name: described(SAMPLE.form.schema, SAMPLE.meaning),
    "then": {"description": "Steps, one after the other.", "type": "array", "items": defined("step")},
}
"""What may stand in a mechanism of every kind."""
ROWS: Schema = {"anyOf": [list_schema(keys_schema(DATABASE_ROW)), FILE_SCHEMA]}


def shape_schema(keys: tuple[Key, ...], shapes: Mapping[str, Form[Shape]]) -> Schema:
    """The schema of a table with these keys and one of the shapes."""
    return keys_schema(keys, {name: form.schema for name, form in shapes.items()}, one_of=[shapes])


SCHEMAS = {"part": shape_schema(PART, PARTS), "group": shape_schema(GROUP, PARTS)}
"""What the schemas of shapes have in common, by name."""


def of_kind(kind: Kind, common: Mapping[str, Schema]) -> Schema:
    """A table of a kind."""
    named = {"kind": {"const": kind.name}, **common}
    return {"title": kind.title, **keys_schema(kind.keys, named, ["kind"])}


def by_kind(kinds: Mapping[str, Schema], without: Schema) -> Schema:
    """The schema that `kind` names, else `without`; one alone is looked at, so that nested mechanisms stay quick."""

    def case(name: str) -> Schema:
        return {"properties": {"kind": {"const": name}}, "required": ["kind"]}

    return {
        "type": "object",
        "properties": {"kind": {"enum": list(kinds)}},
        "allOf": [
            *({"if": case(name), "then": schema} for name, schema in kinds.items()),
            {"if": {"not": {"required": ["kind"]}}, "then": without},
        ],
    }


def mechanism() -> Schema:
    """What may stand in [mechanism]: a table of rows, a program, or one of the kinds."""
    ways = {"table": ROWS, "rows": ROWS, PROGRAM.name: described(PROGRAM.form.schema, PROGRAM.meaning)}
    by_rows = keys_schema([OTHERWISE], {**ways, **AFTER}, one_of=[ways])
    return by_kind({name: of_kind(kind, AFTER) for name, kind in KINDS.items()}, by_rows)


def knowledge() -> Schema:
    """What may stand in [knowledge]: some records, the component of a mixture, or a channel."""
    more = {**AFTER, "name": TEXT}
    program = {PROGRAM.name: described(PROGRAM.form.schema, PROGRAM.meaning)}
    ways = {"table": ROWS, "rows": ROWS, **program, "records": defined("records")}
    kinds: dict[str, Schema] = {name: of_kind(kind, more) for name, kind in KINDS.items()}
    kinds[COMPONENT] = table_schema({"kind": {"const": COMPONENT}, "name": TEXT}, ["kind"])
    return by_kind(kinds, keys_schema([OTHERWISE], {**ways, **more}, one_of=[ways]))


def step() -> Schema:
    """What may stand in `then`: a list of rows, a kind of step, or the text of a function of the output."""
    ways = {**dict.fromkeys(("rows", "table"), list_schema(keys_schema(INPUT_ROW))), PROGRAM.name: PROGRAM.form.schema}
    return by_kind(
        {name: of_kind(kind, {}) for name, kind in STEPS.items()}, keys_schema([OTHERWISE], ways, one_of=[ways])
    )


def protected() -> Schema:
    """What may stand in [sensitive]: some records, or a function of the database."""
    function = list_schema(keys_schema(FUNCTION_ROW))
    predicates: Schema = {"type": "object", "additionalProperties": TEXT, "minProperties": 1}
    ways, order = {"rows": function, "table": function}, {"values": SECRET_VALUES.form.schema}
    return {
        "anyOf": [
            table_schema({"records": defined("records")}, ["records"]),
            table_schema({**ways, **order}, one_of=[ways]),
            table_schema({"where": predicates, **order}, ["where"]),
            table_schema(order, ["values"]),
        ]
    }


def normalization() -> Schema:
    """What may stand in [[normalization]]."""
    more = {
        "distribution": TEXT,
        "record": defined("record"),
        "parameters": list_schema(keys_schema([PARAMETER_NAME, PARAMETER_LAW]), 1),
        "table": list_schema(keys_schema(GENERATED)),
    }
    return keys_schema([KNOWN_PARAMETERS], more, ["parameters", "table"])


def expectation() -> Schema:
    """What may stand in [[expect]], of a model or of a family."""
    of_family = dict.fromkeys(FAMILY_ANSWER, TEXT)
    return table_schema({"definition": TEXT, **QUESTION, **ANSWER, **of_family}, ["definition"])


def student_question() -> Schema:
    """What may stand in [question]."""
    texts, parts = list_schema(TEXT), {"type": "array", "items": {"enum": list(student.PARTS)}}
    choices: Schema = {"type": "object", "additionalProperties": TEXT, "minProperties": 2}
    kinds: dict[str, Schema] = {"goal": TEXT, "number": TEXT, "choices": choices}
    more = {
        "text": described(TEXT, "What is asked, shown above the model."),
        "change": described(texts, f"The parts that a student may change, such as {student.EXAMPLE}."),
        "hide": parts,
        "hints": texts,
        "limit": table_schema(dict.fromkeys(student.LIMITS, COUNT)),
        "vary": list_schema({"type": "object"}),
    }
    return table_schema({**kinds, **more}, ["text"], one_of=[kinds])


def model_schema() -> dict[str, Any]:
    """The schema of a model file."""
    end: Schema = {"type": ["string", "integer", "number"]}
    sections: dict[str, Schema] = {
        "title": described(TEXT, "What the model is."),
        "source": described(TEXT, "Where it comes from."),
        "notes": described(TEXT, "Remarks, of several lines."),
        "size": {
            "description": "The number of records of a database; [0, 4] for databases of 0 to 4 records.",
            "anyOf": [
                COUNT,
                {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
            ],
        },
        "values": {"description": "The values of a record.", **list_schema(defined("value"), 1), "uniqueItems": True},
        "distribution": list_schema(shape_schema((NAME,), SHAPES), 1),
        "knowledge": {"anyOf": [knowledge(), list_schema(knowledge(), 1)]},
        "mechanism": defined("mechanism"),
        "sensitive": protected(),
        "normalization": list_schema(normalization()),
        "expect": list_schema(expectation()),
        "parameters": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                **table_schema({key: end for ends in ENDS for key in ends}),
                "allOf": [{"not": {"required": list(ends)}} for ends in ENDS],
            },
        },
        "conditions": list_schema(TEXT),
        "people": {"description": "Names of records.", "type": "object", "additionalProperties": STRETCHES.schema},
        "question": student_question(),
        "policy": table_schema({name: described(one.form.schema, one.meaning) for name, one in FIELDS.items()}),
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A model file of pkdp",
        **table_schema({key: sections[key] for key in KEYS}, ["size", "values", "mechanism"]),
        "dependencies": {"conditions": ["parameters"], "knowledge": ["distribution"]},
        "definitions": {**DEFINITIONS, **SCHEMAS, "mechanism": mechanism(), "step": step()},
    }


def schema_text() -> str:
    """The text of models/model.schema.json."""
    return json.dumps(model_schema(), ensure_ascii=False, indent=1) + "\n"
