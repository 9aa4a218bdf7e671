"""What docs/search.md shows is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

from verifier.definitions.atlas import atlas
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import Holds
from verifier.wings.search.batch.statement import is_batched

PAGE = "docs/search.md"


def test_every_property_is_listed() -> None:
    text = (Path(__file__).resolve().parents[3] / PAGE).read_text(encoding="utf-8")
    for feature in PROPERTIES.values():
        assert f"| `{feature.key}` | {feature.text} | {feature.source} |" in text


def test_the_keys_that_blocks_decide_are_listed() -> None:
    text = (Path(__file__).resolve().parents[3] / PAGE).read_text(encoding="utf-8")
    listed = text.partition("<!-- in blocks -->")[2].partition("<!-- /in blocks -->")[0]
    in_blocks = sorted(key for key in atlas if is_batched(Holds(atlas[key].key, None)))
    assert re.sub(r"\s+", " ", listed).strip() == ", ".join(f"`{key}`" for key in in_blocks)
    assert len(in_blocks) >= 60
