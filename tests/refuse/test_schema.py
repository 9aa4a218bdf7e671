"""models/model.schema.json accepts every bundled model, and refuses what the registry has that is bad by shape."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import jsonschema
import pytest
from documents import site_modules
from examined import at_least_one

from verifier.model.library import models_folder
from verifier.model.read_mechanism import KINDS

from .registry import ENTRIES, Bad

with site_modules() as site:
    made = site("model_schema")
model_schema, schema_text = made.model_schema, made.schema_text
SCHEMA = jsonschema.Draft7Validator(model_schema())
LONG = 20_000
BY_SHAPE = re.compile(
    r"the key `\w+`( \w+)* is unknown|as an integer|true or false|Expected a list of (values|rows|databases|steps)|"
    r"distinct values, at least one|`\w+` and `\w+` are given together\. Expected one of the two|conditions without|"
    r"knowledge. needs a distribution"
)
MEANT = {"one knowledge with a name", "threshold above as a decimal", "count of a value twice"}
"""Bad for the reader alone: [knowledge] and [[knowledge]] have the same keys, 2.0 is an integer, 1 and "1" are two."""


def tables(entry: Bad) -> Any:
    """The tables of a file of the registry; None where it has none, or is bad in another way than by its shape."""
    content = entry.content
    plain = entry.arguments == ("check", "{file}") and entry.status == 2 and entry.file.endswith(".toml")
    if content is None or not plain or len(content) > LONG or not BY_SHAPE.search(entry.message.replace("\\", "")):
        return None
    try:
        return tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None


BAD = {entry.name: found for entry in ENTRIES if entry.name not in MEANT and (found := tables(entry)) is not None}


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(model_schema())


def test_the_file_is_that_of_the_program() -> None:
    assert (models_folder() / "model.schema.json").read_text(encoding="utf-8") == schema_text()
    assert set(json.loads(schema_text())["definitions"]["mechanism"]["properties"]["kind"]["enum"]) == set(KINDS)


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in models_folder().rglob("*.toml")}), ids=lambda one: one.name
)
def test_every_bundled_model_is_accepted(folder: Any) -> None:
    for path in at_least_one(sorted(folder.glob("*.toml"))):
        text = path.read_text(encoding="utf-8")
        if len(text) <= LONG:
            assert SCHEMA.is_valid(tomllib.loads(text)), path


@pytest.mark.parametrize("name", BAD)
def test_what_is_bad_by_shape_is_refused(name: str) -> None:
    assert not SCHEMA.is_valid(BAD[name])


def test_there_is_much_that_is_bad_by_shape() -> None:
    assert len(BAD) >= 32
