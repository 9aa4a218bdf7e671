"""A definition of parts that exist is one file: in a copy of the package, one more entry is found in every list."""

from __future__ import annotations

from typing import Any

import pytest
from copies import copied, said

ENTRY = """\
key = "seen"
title = "what is seen hardly depends on a record"
plainly = "The attacker sees nearly the same outputs, in total variation, whether a record is a or b."
group = "By total variation"
overview = 14
aliases = ["seen-tv"]
source = "this test"
builder = "conditional"
measure = "total-variation"
formula = "½·Σ |M(D) | θ, B̂, D(i)=a - M(D) | θ, B̂, D(i)=b| ≤ ε for all θ, B̂, i, a, b"
vacuous = "for every θ, i and B̂, the record has one possible value"
[dp22]
key = "seenpr"
dimensions = "QB"
place = "nowhere"
[told-apart]
npr = { model = "one-coin", answers = ["1/4", "ln(2)"] }
"""
LOOKS = """
import json
import verifier as pk
from verifier.definitions.atlas import atlas
from verifier.definitions.separations import told_apart
from verifier.model.library import models_folder
from verifier.show.cards import card_json
model = pk.read(models_folder() / "DMKB20" / "example-1-side.toml")
import definition_pages, api_pages, atlas_pages
from generated import conventions_page
print(json.dumps({
    "Python": pk.seen.key,
    "its names": [name for name in pk.__all__ if name == "seen"],
    "overview": [one.definition for one in pk.overview(model, replay=False)][-1],
    "smallest": str(pk.check(model, "seen-tv", replay=False).tight_epsilon),
    "as np has it at 0": str(pk.check(model, "np", epsilon="0", replay=False).tight_delta),
    "atlas": [key for key in atlas if atlas[key].key == "seen"],
    "group": definition_pages.grouped()["By total variation"],
    "told apart": told_apart()["seenpr"].separations[0].model,
    "card": card_json(pk.seen)["plainly"] or "",
    "definitions.md": "`seen`" in conventions_page(),
    "page": "nearly the same outputs, in total variation" in dict(definition_pages.pages())["definitions/seen.md"],
    "index": "seen.md" in dict(definition_pages.pages())["definitions/index.md"],
    "reference": "pk.seen" in dict(api_pages.pages())["api/ask.md"],
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the package says that has the one file more."""
    return said(copied(tmp_path_factory.mktemp("copy"), ("definitions/entries/seen.toml", "", ENTRY)), LOOKS)


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("Python", "seen"),
        ("its names", ["seen"]),
        ("overview", "seen"),
        ("atlas", ["seenpr"]),
        ("group", ["seen"]),
        ("told apart", "one-coin"),
        ("card", "The attacker sees nearly the same outputs, in total variation, whether a record is a or b."),
        ("definitions.md", True),
        ("page", True),
        ("index", True),
        ("reference", True),
    ],
)
def test_a_definition_is_found_by_its_entry_alone(found: dict[str, Any], where: str, what: object) -> None:
    assert found[where] == what


def test_it_is_decided_by_its_parts(found: dict[str, Any]) -> None:
    """Total variation is δ at ε = 0 of the same output distributions."""
    assert found["smallest"] == found["as np has it at 0"]
    assert found["smallest"] not in {"0", "1"}
