"""The definitions of DP22 on the page: listed by dimension, answered as by the program, with their cards and fields."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from exploring import Page, served

import verifier as pk
from verifier.definitions.atlas import DIMENSIONS, atlas
from verifier.model.library import models_folder
from verifier.questions.atlas import atlas_of


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with served() as found:
        yield found


def whole(page: Page, **asked: Any) -> Any:
    """The passport when all of it is decided."""
    while True:
        found = page.post("passport", budget=400, **asked)
        assert "problems" not in found
        if not found["pending"]:
            return found


def test_the_dimensions_are_listed(page: Page) -> None:
    found = page.get("/api/dimensions")
    assert {one["letter"]: one["name"] for one in found} == {k: v for k, v in DIMENSIONS.items() if k}
    assert sum(one["definitions"] for one in found) == sum(len(atlas.dimensions(key)) for key in atlas)


@pytest.mark.parametrize("letters", ["N", "V", "QV"])
def test_the_definitions_of_a_dimension_are_answered_as_by_the_program(page: Page, letters: str) -> None:
    model = pk.read(models_folder() / "atlas" / "tour.toml")
    entries = [
        entry
        for entry in atlas_of(model, epsilon="ln(2)", delta="1/8", replay=False)
        if set(letters) <= set(entry.dimensions)
    ]
    found = whole(page, document=page.document("atlas/tour"), dimension=letters, epsilon="ln(2)", delta="1/8")
    assert found["dimension"] == letters
    for row, entry in zip(found["rows"], entries, strict=True):
        answer = entry.verdict
        assert (row["key"], row["verdict"], row["reason"]) == (answer.definition, answer.verdict, answer.reason)
        assert (row["smallest_epsilon"] is None) == (answer.tight_epsilon is None or answer.verdict == "vacuous")
    assert "tabular" in found["latex"]
    assert any(note.startswith("The verdicts are at ε = ln(2) where a definition has an ε") for note in found["notes"])
    assert {row["replayed"] for row in found["rows"] if row["verdict"] in {"holds", "fails"}} >= {True}


def test_what_is_no_dimension_is_refused_at_its_field(page: Page) -> None:
    found = page.post("passport", document=page.document("atlas/one-coin"), dimension="X")
    assert (found["problems"][0]["path"], found["problems"][0]["message"]) == (["dimension"], 'given the dimension "X"')


def test_an_answer_has_the_card_and_the_fields_that_are_read(page: Page) -> None:
    document = page.document("atlas/mechanism-alone")
    found = page.post("answer", document=document, definition="renyidp", epsilon="ln(2)")
    about = found["about"]
    assert (found["verdict"], about["dimensions"], about["has_epsilon"], about["has_delta"]) == (
        "unsupported",
        "Q",
        True,
        False,
    )
    assert "needs `order` in [policy]" in found["reason"]
    assert ["builder", "It compares two neighbours of the file, which differ in one record."] in about["card"]
    assert not {"formula", "to copy"} & {name for name, _ in about["card"]}
    assert "<math" in about["mathml"]
    (order,) = [field for field in about["policy"] if field["needed"]]
    assert (order["field"], order["example"]) == ("order", 2)
    decided = page.post(
        "answer", document={**document, "policy": {"order": order["example"]}}, definition="renyidp", epsilon="ln(2)"
    )
    assert (decided["verdict"], decided["tight_epsilon"], decided["replayed"]) == ("fails", "ln(7/3)", True)
    assert decided["words"]
    assert decided["highlight"]["side_a"].startswith("the database [")
    assert decided["profile_reason"] == "this definition has no δ, and so no curve δ(ε)"


def test_a_definition_of_the_texts_has_its_card_of_dp22(page: Page) -> None:
    about = page.post("answer", document=page.document("atlas/one-coin"), definition="dp")["about"]
    assert (about["dimensions"], about["policy"]) == ("N", [])
    assert "view" in dict(about["card"])
    about = page.post("answer", document=page.document("atlas/one-coin"), definition="tail-dp")["about"]
    assert (about["dimensions"], about["card"]) == (None, [])


def test_a_condition_is_asked_without_epsilon(page: Page) -> None:
    document = page.document("atlas/tour")
    found = page.post("answer", document=document, definition="fdp", epsilon="ln(2)", delta="1/8")
    assert (found["verdict"], found["epsilon"], found["delta"]) == ("holds", None, "0")
    assert found["about"]["has_epsilon"] is False


def test_the_two_laws_of_a_witness_without_databases_are_named(page: Page) -> None:
    found = page.post("answer", document=page.document("atlas/tour"), definition="dnpr", epsilon="0")
    marks = found["highlight"]
    assert {marks["side_a"], marks["side_b"]} == {'M(D) in "summer"', 'M(D) in "winter"'}
    assert marks["rows_a"] == marks["rows_b"] == []
    assert marks["outputs"]


def test_every_definition_of_dp22_is_answered_on_the_page(page: Page) -> None:
    """No definition ends in a problem of the server, and what is missing is named with a field or a reason."""
    document = page.document("atlas/near-copies")
    for key in atlas:
        found = page.post("answer", document=document, definition=key, epsilon="ln(2)")
        assert "problems" not in found, key
        assert found["verdict"] != "unsupported" or found["reason"], key


def test_a_wrong_field_of_the_policy_is_marked_there(page: Page) -> None:
    document = copy.deepcopy(page.document("atlas/tour"))
    document["policy"]["order"] = "1"
    found = page.post("answer", document=document, definition="renyidp")
    assert found["problems"][0]["path"] == ["policy", "order"]
