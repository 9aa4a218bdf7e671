"""Statements of the pages in words, held against what is computed."""

from pathlib import Path

import pytest

import verifier as pk
from verifier.model.library import models_folder
from verifier.show.witnesses import in_words, witness_words

pytestmark = pytest.mark.quick


ROOT = Path(__file__).resolve().parents[2]


def test_the_choice_of_a_recoding_is_told_and_not_seen() -> None:
    """LQS12, Definition 3.10: A_m is compared, and a k-anonymization does not put out what it chose."""
    answer = pk.check(pk.read(models_folder() / "LQS12" / "algorithm-1.toml"), "safe", epsilon="ln(2)", replay=False)
    assert answer.witness is not None
    assert "sees" not in in_words(answer)
    assert "is told that the recoding is wide" in in_words(answer)
    assert "M(" not in witness_words(answer.witness, definition="safe")


def test_the_first_model_with_noise_needs_what_its_page_says() -> None:
    noisy = pk.build(
        size=4,
        values=["no", "yes"],
        distribution={"iid": {"no": "1/2", "yes": "1/2"}},
        knowledge={"records": [0, 1]},
        sensitive={"records": [3]},
        mechanism={"kind": "count", "value": "yes", "then": [{"kind": "geometric-noise", "p": "1/2"}]},
    )
    assert {one.verdict for one in pk.overview(noisy, epsilon="ln(2)")} == {"holds"}
    found = {name: str(pk.check(noisy, name, epsilon="1/2").tight_delta) for name in ("ddp", "np", "cdp", "dp")}
    assert found["ddp"] == "0"
    page = (ROOT / "docs" / "first-model.md").read_text(encoding="utf-8")
    for name in ("np", "cdp", "dp"):
        assert f"`{found[name].partition(' (')[0]}`" in page, name
