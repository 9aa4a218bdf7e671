"""Program and checker on the same questions: every answer of the program is decided again, its numbers and witness too.

Over the bundled models and over random ones: a sample by default, all of them with `--whole`. A word other than
`confirmed` is looked into from the definition's text alone, and proofs/checker-decisions.md says who was wrong.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import drawn_models
import pytest

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.models import Model
from verifier.checker.numbers import BeyondLimits

ROOT = Path(__file__).parents[2]
MODELS = sorted((ROOT / "models").rglob("*.toml"))
QUESTIONS = [(None, "0"), ("0", "0"), ("ln(2)", "0"), ("1/2*ln(3)", "1/10"), ("1/10", "0"), ("inf", "1/10")]
CURVES = ("hockey-stick", "tail", "left-out")
MOST_DATABASES = 1 << 8
"""The most databases of a model of which all definitions are asked here; sums of many people have their own tests."""


def asked(model: Any, text: str, epsilon: str | None, delta: str, keys: list[str]) -> list[str]:
    """What is not confirmed, of all definitions at one (ε, δ)."""
    mine, wrong = Model(text), []
    for key in keys:
        measure = DEFINITIONS[key].measure
        if (epsilon is not None and measure in ("tradeoff", "predicate")) or (delta != "0" and measure not in CURVES):
            continue
        try:
            answer = pk.check(model, key, epsilon=epsilon, delta=Fraction(delta), replay=False).to_json()
        except pk.PkdpError:
            continue  # too large for the program
        answer = json.loads(answer) if isinstance(answer, str) else answer
        word = checked({**answer, "definition": key}, mine)
        if word.word == "rejected" or (word.word == "not checked" and not word.beyond):
            wrong.append(f"{key} at {epsilon}, {delta}: {word.word}: {word.why}")
    return wrong


@pytest.mark.sweep(25)
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_bundled_models(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    try:
        size = Model(text).size
    except BeyondLimits:
        pytest.skip("a family")
    model = pk.loads(text)
    if len(model.values) ** size > MOST_DATABASES:
        pytest.skip("many databases")
    for number in (0, 1 + len(text) % (len(QUESTIONS) - 1)):
        assert asked(model, text, *QUESTIONS[number], list(DEFINITIONS)) == []


@pytest.mark.sweep(20)
@pytest.mark.parametrize("seed", range(400))
def test_random_models(seed: int) -> None:
    text = drawn_models.model(seed)
    keys = [
        "dp",
        "np",
        "ppkdp",
        "cdp",
        "ibcdp",
        "tail-apkdp",
        "dps",
        "adp",
        "klpr",
        "rbpr",
        "safe",
        "dependency",
        "mpr",
        "baydp-ysn",
        "flpr",
    ]
    assert asked(pk.loads(text), text, *QUESTIONS[seed % len(QUESTIONS)], keys) == []
