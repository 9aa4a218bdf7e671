"""The first values of the fields of `[policy]`: each is read, and a definition that reads them can then be asked."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import verifier as pk
from verifier.definitions.atlas import atlas
from verifier.model.library import models_folder
from verifier.model.policy import FIELDS
from verifier.model.write import toml_text
from verifier.show.axis_words import fields_read

NAMES = (
    "atlas/tour",
    "atlas/tour-missing",
    "atlas/tour-sizes",
    "atlas/mechanism-alone",
    "course/household-season",
    "DMKB20/example-4-repaired",
)
OF_DISTRIBUTIONS = {"theta-pairs", "theta-distances"}
OF_RECORDS = {"absent", "record", "dependence", "levels", "blocks", "adversaries", "agg", "coupled", "views", "secrets"}


def tables(name: str) -> dict[str, Any]:
    """The tables of a bundled model without its own policy and answers."""
    found = tomllib.loads((models_folder() / f"{name}.toml").read_text(encoding="utf-8"), parse_float=str)
    return {key: value for key, value in found.items() if key not in {"policy", "expect"}}


def with_examples(name: str, fields: tuple[str, ...]) -> pk.Model:
    """The model with the first values of these fields, where it has them."""
    plain = tables(name)
    model = pk.loads(toml_text(plain))
    policy = {field: example for field in fields if (example := FIELDS[field].example(model)) is not None}
    return pk.loads(toml_text({**plain, "policy": policy} if policy else plain))


@pytest.mark.parametrize("name", NAMES)
def test_every_field_has_a_value_that_is_read(name: str) -> None:
    plain = pk.loads(toml_text(tables(name)))
    missing = {field for field in FIELDS if FIELDS[field].example(plain) is None}
    allowed = OF_RECORDS if plain.sizes is not None else set()
    assert missing <= allowed | (OF_DISTRIBUTIONS if len(plain.thetas) < 2 else set())
    policy = with_examples(name, tuple(FIELDS)).policy
    assert {field for field in FIELDS if not policy.has(field)} == missing


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", NAMES)
def test_no_field_is_missing_after_its_value_was_added(name: str) -> None:
    decided = 0
    for key in atlas:
        fields = fields_read(atlas[key])
        answer = pk.check(with_examples(name, tuple(field for field in fields if fields[field])), key, replay=False)
        missing = "in [policy], which the file does not give" in (answer.reason or "")
        assert not missing or any(FIELDS[field].example(answer.model) is None for field in fields), key
        decided += answer.verdict in {"holds", "fails", "vacuous"}
    assert decided >= 15


def test_every_field_is_said_in_words() -> None:
    words = [FIELDS[field].meaning for field in FIELDS]
    assert all(text.endswith(".") for text in words)
    assert len(set(words)) == len(words)
