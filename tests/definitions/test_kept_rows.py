"""What definitions of one model share, against each definition with an engine of its own that keeps nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one

from verifier import atlas, build, read
from verifier.definitions import scheme
from verifier.definitions.builders import relations, rows, views
from verifier.questions.atlas import atlas_of
from verifier.questions.check import check

MODELS = Path(__file__).parents[2] / "models" / "atlas"


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["tour-missing", "near-copies", "leak-image", "shares"])
def test_definitions_that_share_rows_answer_as_each_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = read(MODELS / f"{name}.toml")
    shared = {entry.key: entry.verdict.to_json() for entry in atlas_of(model, epsilon="ln(2)", replay=False)}
    kept = {entry.key: entry.verdict.to_json() for entry in atlas_of(model, replay=False)}
    for module in (rows, relations, scheme, views):
        monkeypatch.setattr(module, "MOST_KEPT", 0)
    alone = {key: check(model, key, replay=False).to_json() for key in atlas}
    assert kept == alone
    assert {key: answer["tight_epsilon"] for key, answer in shared.items()} == {
        key: answer["tight_epsilon"] for key, answer in alone.items()
    }


def test_an_answer_is_spelled_as_its_own_model() -> None:
    """Equal labels of two models, 1 and "1", are spelled otherwise; what was asked before plays no part."""
    spelled: tuple[list[Any], ...] = ([0, 1], ["0", "1"], [0, 1])
    for values in at_least_one(spelled):
        model = build(
            size=2,
            values=values,
            distribution={"iid": {0: "1/3", 1: "2/3"}},
            mechanism={"kind": "threshold-count", "value": 1, "above": 1},
        )
        answer = check(model, atlas["infpr"], epsilon=0).to_json()
        shown = answer["witness"]["event"]
        assert {type(value) for database in shown for value in database} == {type(values[0])}
