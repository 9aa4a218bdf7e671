"""models/model.schema.json: a JSON Schema (draft 7) of model files, for editors that complete keys and mark errors.

Mechanisms, steps and `[policy]` come from their declarations; the keys of the other tables stand here, and a test
keeps them in step with their readers. A schema sees the shape of a file alone: what it accepts may still be refused,
such as probabilities that do not sum to 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from verifier.model.forms import DEFINITIONS, FLAG, LABEL, Key, Kind, Schema, defined
from verifier.model.policy import FIELDS
from verifier.model.read import ANSWER, KEYS, QUESTION
from verifier.model.read_mechanism import COMPONENT, KINDS, SAMPLE
from verifier.model.steps import STEPS

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 1}


def table(
    properties: Mapping[str, Schema], required: Iterable[str] = (), one_of: Iterable[Iterable[str]] = ()
) -> dict[str, Any]:
    """A table of these keys alone; of each group in `one_of` it has exactly one."""
    groups = [{"oneOf": [{"required": [key]} for key in group]} for group in one_of]
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
        **({"allOf": groups} if groups else {}),
    }


def rows(items: Schema, least: int = 0) -> Schema:
    """A list of tables."""
    return {"type": "array", "items": items, "minItems": least}


def described(schema: Schema, words: str) -> Schema:
    """A schema with words that an editor shows; a reference has none of its own in draft 7."""
    return {"description": words, **({"allOf": [schema]} if "$ref" in schema else schema)}


def of_keys(keys: Iterable[Key], common: Mapping[str, Schema], required: Iterable[str]) -> dict[str, Any]:
    """A table of declared keys, and of common ones."""
    properties, needed, groups = dict(common), list(required), []
    for key in keys:
        both = [key] if key.instead is None else [key, key.instead]
        properties |= {one.name: described(one.form.schema, one.meaning) for one in both}
        if key.instead is not None:
            groups.append([one.name for one in both])
        elif key.required:
            needed.append(key.name)
    return table(properties, needed, groups)


def of_kind(kind: Kind, common: Mapping[str, Schema]) -> dict[str, Any]:
    """A table of a kind."""
    return {"title": kind.title, **of_keys(kind.keys, {"kind": {"const": kind.name}, **common}, ["kind"])}


def law(keys: str) -> Schema:
    """A table from `keys` to probabilities."""
    words = f"A table from {keys} to probabilities, which sum to 1."
    return {"description": words, "type": "object", "additionalProperties": defined("probability"), "minProperties": 1}


OUTPUT = {"output": defined("label"), "outputs": law("outputs")}
OTHERWISE = {"otherwise": {"anyOf": [LABEL.schema, law("outputs")]}}
AFTER = {
    "sample": described(SAMPLE.form.schema, SAMPLE.meaning),
    "then": {"description": "Steps, one after the other.", "type": "array", "items": defined("step")},
}
DATABASE_ROWS = rows(table({"database": defined("database"), **OUTPUT}, ["database"], [OUTPUT]))
INPUT_ROWS = rows(table({"input": defined("label"), **OUTPUT}, ["input"], [OUTPUT]))


def by_kind(kinds: Mapping[str, Schema], without: Schema) -> dict[str, Any]:
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


def mechanism() -> dict[str, Any]:
    """What may stand in [mechanism]: a table of rows, or one of the kinds."""
    by_rows = {"table": DATABASE_ROWS, "rows": DATABASE_ROWS, **OTHERWISE, **AFTER}
    kinds = {name: of_kind(kind, AFTER) for name, kind in KINDS.items()}
    return by_kind(kinds, table(by_rows, one_of=[("table", "rows")]))


def knowledge() -> dict[str, Any]:
    """What may stand in [knowledge]: some records, the component of a mixture, or a channel."""
    more = {**AFTER, "name": TEXT}
    by_rows = {"table": DATABASE_ROWS, "rows": DATABASE_ROWS, "records": defined("records"), **OTHERWISE, **more}
    kinds: dict[str, Schema] = {name: of_kind(kind, more) for name, kind in KINDS.items()}
    kinds[COMPONENT] = table({"kind": {"const": COMPONENT}, "name": TEXT}, ["kind"])
    return by_kind(kinds, table(by_rows, one_of=[("table", "rows", "records")]))


def shapes(row: Mapping[str, Schema], **common: Schema) -> dict[str, Any]:
    """A table with one of the shapes of a distribution; `row` are the keys of a row of an explicit table."""
    inside = defined("shape")
    node = {
        "record": defined("record"),
        "given": defined("records"),
        "table": law("values"),
        "rows": rows(table({"when": rows(defined("value")), "table": law("values")}, ["when", "table"])),
    }
    found: dict[str, Schema] = {
        "table": rows(table(row, ["database", "probability"]), 1),
        "iid": law("values"),
        "independent": rows(law("values"), 1),
        "mixture": rows({"allOf": [inside, {"required": ["weight"]}]}, 1),
        "network": rows(table(node, ["record"]), 1),
        "groups": rows(inside, 1),
    }
    return table({**common, **found}, one_of=[found])


def expectation() -> Schema:
    """What may stand in [[expect]], of a model or of a family."""
    integers = {"record", "k", "comparisons", "multiplicity", "empty", "largest"}
    of_model = {key: {"type": "integer"} if key in integers else {} for key in (*QUESTION, *ANSWER)}
    of_family = dict.fromkeys(("holds", "fails", "vacuous", "undecided"), TEXT)
    described_keys: dict[str, Schema] = {**of_model, **of_family, "definition": TEXT, "acceptable": FLAG.schema}
    return table(described_keys, ["definition"])


def model_schema() -> dict[str, Any]:
    """The schema of a model file."""
    world = {"database": defined("database"), "probability": defined("probability")}
    columns = {"knowledge": defined("label"), "sensitive": defined("label")}
    function = rows(table({"database": defined("database"), "value": defined("label")}, ["database", "value"]))
    end: Schema = {"type": ["string", "integer", "number"]}
    generated = {"when": rows(defined("label")), "database": defined("database"), **columns}
    parameter = table({"name": TEXT, "table": law("labels")}, ["name", "table"])
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
        "values": {"description": "The values of a record.", **rows(defined("value"), 1), "uniqueItems": True},
        "distribution": rows(shapes({**world, **columns}, name=TEXT), 1),
        "knowledge": {"anyOf": [knowledge(), rows(knowledge(), 1)]},
        "mechanism": defined("mechanism"),
        "sensitive": table(
            {"records": defined("records"), "rows": function, "table": function}, one_of=[("records", "rows", "table")]
        ),
        "normalization": rows(
            table(
                {
                    "distribution": TEXT,
                    "record": defined("record"),
                    "parameters": rows(parameter, 1),
                    "table": rows(table(generated, ["when", "database"])),
                    "knowledge": rows(TEXT),
                },
                ["parameters", "table"],
            )
        ),
        "expect": rows(expectation()),
        "parameters": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": table({"from": end, "above": end, "to": end, "below": end}),
        },
        "conditions": rows(TEXT),
        "policy": table({name: described(one.form.schema, one.meaning) for name, one in FIELDS.items()}),
    }
    by_rows = {"rows": INPUT_ROWS, "table": INPUT_ROWS, **OTHERWISE}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A model file of pkdp",
        **table({key: sections[key] for key in KEYS}, ["size", "values", "mechanism"]),
        "definitions": {
            **DEFINITIONS,
            "mechanism": mechanism(),
            "step": by_kind(
                {name: of_kind(kind, {}) for name, kind in STEPS.items()}, table(by_rows, one_of=[("rows", "table")])
            ),
            "shape": shapes(world, name=TEXT, weight=defined("probability"), times=COUNT, size=COUNT),
        },
    }


def schema_text() -> str:
    """The text of models/model.schema.json."""
    return json.dumps(model_schema(), ensure_ascii=False, indent=1) + "\n"
