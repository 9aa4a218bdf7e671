"""Mechanisms that the page begins: every kind and every step has first keys, for the values and the size at hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from exploring import Page, served

from verifier.model.read_mechanism import KINDS
from verifier.model.steps import STEPS

DOCUMENT: dict[str, Any] = {
    "size": 2,
    "values": [1, 2],
    "distribution": [{"iid": {"1": "1/2", "2": "1/2"}}],
    "mechanism": {"kind": "identity"},
}


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with served() as found:
        yield found


@pytest.mark.parametrize(("kind", "step"), [*((kind, False) for kind in KINDS), *((kind, True) for kind in STEPS)])
def test_the_model_takes_the_first_keys_of_a_kind(page: Page, kind: str, step: bool) -> None:  # noqa: FBT001
    keys = {"kind": kind, **page.post("kind", document=DOCUMENT, kind=kind, step=step)["keys"]}
    mechanism = {"kind": "maximum", "then": [keys]} if step else keys
    assert "problems" not in page.post("passport", document={**DOCUMENT, "mechanism": mechanism})


@pytest.mark.parametrize(
    ("change", "kind", "field"),
    [
        ({}, "counts", "kind"),
        ({}, None, "kind"),
        ({}, ["count"], "kind"),
        ({"values": []}, "count", "values"),
        ({"size": "two"}, "count", "size"),
        ({"size": []}, "count", "size"),
        ({"size": 10**12}, "linear", "size"),
    ],
)
def test_no_mechanism_begins_without_a_kind_a_size_and_values(
    page: Page, change: dict[str, Any], kind: object, field: str
) -> None:
    (problem,) = page.post("kind", document={**DOCUMENT, **change}, kind=kind)["problems"]
    assert problem["path"] == [field]


def test_databases_of_several_sizes_count_as_their_largest(page: Page) -> None:
    keys = page.post("kind", document={**DOCUMENT, "size": [0, 3]}, kind="linear")["keys"]
    assert keys == {"weights": ["1", "1", "1"]}
