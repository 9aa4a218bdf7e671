"""Program and checker on the same questions: every answer of the program is decided again, its numbers and witness too.

Over the bundled models and over random ones: a sample by default, all of them with `--whole`. A word other than
`confirmed` is looked into from the definition's text alone, and proofs/checker-decisions.md says who was wrong.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import islice, product
from pathlib import Path
from typing import Any

import drawn_models
import drawn_tables
import pytest

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.judge import Decision
from verifier.checker.models import Model
from verifier.checker.numbers import BeyondLimits
from verifier.checker.sums import SUMS

ROOT = Path(__file__).parents[2]
MODELS = sorted((ROOT / "models").rglob("*.toml"))
ROOT_OF = "ln(root of x^2 - x - 1 in [1, 2])"
QUESTIONS = [
    (None, "0"),
    ("0", "0"),
    ("ln(2)", "0"),
    ("1/2*ln(3)", "1/10"),
    ("1/10", "0"),
    ("inf", "1/10"),
    (ROOT_OF, "1/10"),
]
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
        if epsilon == ROOT_OF and answer["verdict"] == "undecided":
            continue  # the program does not compare multiples of such an ε
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


MANY_OUTPUTS = 200
"""Up to so many outputs, all of a law are compared, and every question is asked."""
OF_TABLES = ["ppkdp", "apkdp", "np", "dp", "cdp", "tail-ppkdp"]


@pytest.mark.sweep(40)
@pytest.mark.parametrize("seed", range(0, 2000, 4))
def test_random_tables_of_counts(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Laws of each database, then answers: by a table of databases, and by sums over people in the same cells."""
    model = text = None
    for one in range(seed, seed + 4):
        drawn = drawn_tables.model(one)
        try:
            model, text = pk.loads(drawn), drawn
        except pk.PkdpError:
            continue  # such as kept noise that changes nothing
        mine, most = Model(text), 0
        positions = product(range(len(model.values)), repeat=model.size)
        for database, there in zip(mine.databases(), positions, strict=True):
            law, found = model.mechanism.law(there), mine.mechanism.law(database)
            most = max(most, len(law.outcomes))
            # A tail that the checker cuts elsewhere is looked up among all its outputs: of a large law, some outputs.
            for o, weight in islice(law.items(), 0, None, 1 if most <= MANY_OUTPUTS else most // 20):
                assert found.event([o.text]) == Fraction(weight, law.denominator), (text, database, o)
            if most > MANY_OUTPUTS:
                model = None  # noise in several cells: minutes for all that is asked below
                break
    if model is None or text is None:
        pytest.skip("the program refuses all four, or the last has many outputs")
    question = QUESTIONS[seed // 4 % len(QUESTIONS)]
    assert asked(model, text, *question, OF_TABLES) == []

    def by_sums(self: Decision) -> list[Any]:
        self.summed = True
        return list(SUMS[self.definition.listing](self.asked))

    monkeypatch.setattr(Decision, "_listed", by_sums)
    assert asked(model, text, *question, OF_TABLES) == []
