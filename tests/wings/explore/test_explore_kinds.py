"""Mechanisms that the page begins: every kind and every step has first keys, for the values and the size at hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from exploring import Page, served

import verifier as pk
from verifier.model.read_mechanism import KINDS
from verifier.model.steps import STEPS
from verifier.wings.explore.mechanism_forms import from_template, templates

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
        ({}, "program", "template"),
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


SMALLEST = {
    "randomized-response": "ln(3)",
    "noisy-count": "ln(2)",
    "noisy-max": "ln(44/17)",
    "sparse-vector": "ln(508/43)",
    "propose-test-release": "inf",
    "shuffled-reports": "ln(3)",
    "subsampled-sum": "ln(3/2)",
    "rejection": "ln(16/7)",
    "rounded-count": "inf",
    "two-tables": "inf",
}
"""The smallest ε of dp at δ = 0 of each template, for two records of two values."""


@pytest.mark.parametrize("name", SMALLEST)
@pytest.mark.parametrize("values", [["no", "yes"], [0, 1]])
def test_a_template_is_decided_and_re_checked(name: str, values: list[Any]) -> None:
    model = pk.build(
        size=2, values=values, distribution={"iid": "uniform"}, mechanism={"program": from_template(name, values)}
    )
    answer = pk.check(model, pk.dp)
    assert (str(answer.tight_epsilon), answer.replayed) == (SMALLEST[name], True)


def test_a_template_is_about_the_values_of_the_model(page: Page) -> None:
    """The words VALUE and VALUES are filled once: a value that is called so stays."""
    assert set(SMALLEST) == set(templates())
    assert '["VALUE", "a \\"b\\""]' in from_template("noisy-max", ["VALUE", 'a "b"'])
    assert "count(True)" in from_template("noisy-count", [False, True])
    for name in templates():
        keys = page.post("kind", document={**DOCUMENT, "values": [1, 2]}, kind="program", template=name)["keys"]
        assert "problems" not in page.post("passport", document={**DOCUMENT, "mechanism": keys})
        assert f'"{name}": "' in page.ask("GET", "/static/program.js")[2].decode()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("def f(db, rng):\n    return rng.laplace(1)\n", [2, 12]),
        ("def f(db, rng):\n  x = 1\n  retrun x\n", [3, 10]),
        ("def f(db, rng):\n    return db[7]\n", [2, 12]),
        ("", None),
    ],
)
def test_a_refusal_of_a_program_names_line_and_column(page: Page, text: str, place: list[int] | None) -> None:
    (problem,) = page.post("passport", document={**DOCUMENT, "mechanism": {"program": text}})["problems"]
    assert (problem["path"], problem["place"]) == (["mechanism", "program"], place)
