"""An attack for every failure: the checker adds each witness up again, from the laws that it names.

That it rejects another event, law, probability or term: tests/checker/test_answers.py.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from random import Random
from typing import Any

import pytest
from added_up import is_shown
from strategies_policy import OUTPUTS, PolicyModel, with_centres

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.models import Model
from verifier.definitions import DEFINITIONS
from verifier.definitions.registry import ON_REQUEST
from verifier.engine import Engine
from verifier.model.library import models_folder
from verifier.model.write import inline
from verifier.wings.explore.answers import _cut

KEYS = tuple(dict.fromkeys([*DEFINITIONS, *ON_REQUEST, *(each.key for each in pk.atlas.values())]))
QUESTIONS = ((None, 0), ("ln(3/2)", 0), ("1/3", "1/10"), ("inf", 0), (0, 0))
SIMULATED = {"ddp", "ibddp", "zkpr", "czkpr", "cwpr", "typst", "ibcwpr"}
"""A failure is that no simulator is enough: a game (`tests` of ddp), or no event at all."""
ADDED_UP = {"gaussdp", "zcodp", "azcodp", "bcodp", "mcodp", "tcodp-bdrs", "tcodp-col"}
"""What is added up on a grid, too: curves over all real orders, and of the Gaussian law."""


def failures(model: pk.Model, number: int) -> list[dict[str, Any]]:
    """The answers `fails` of all definitions, each at two of the questions."""
    engine, found = Engine(model), []
    for position, key in enumerate(KEYS):
        for k in (0, 2):
            epsilon, delta = QUESTIONS[(position + k + number) % len(QUESTIONS)]
            try:
                answer = pk.check(model, key, epsilon=epsilon, delta=delta, engine=engine, replay=False)
            except pk.LimitError:
                continue
            if answer.verdict == "fails":
                found.append(answer.to_json())
    return found


def shown(text: str, answers: list[dict[str, Any]]) -> Counter[str]:
    """How many failures of each measure are confirmed, with all that a witness names."""
    measures: Counter[str] = Counter()
    for answer in answers:
        if answer["definition"] in SIMULATED or (answer["definition"] == "dps" and "β" in (answer["reason"] or "")):
            continue
        assert answer["witness"] is not None, answer
        if answer["definition"] in ADDED_UP:
            assert is_shown(pk.loads(text), answer), answer
        word = checked(answer, Model(text))
        assert word.word == "confirmed", (word.why, answer)
        measures[answer["witness"]["measure"]] += 1
    return measures


def with_views(random: Random, text: str) -> str:
    """The file with a view for each block, where it has blocks."""
    blocks = tomllib.loads(text)["policy"].get("blocks", [])
    views = [{output: random.choice("mn") for output in OUTPUTS} for _ in blocks]
    return f"{text}views = {inline(views)}\n" if views else text


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(48))
def test_every_failure_on_a_random_model_is_shown_by_its_witness(seed: int) -> None:
    random, kind = Random(seed), ("lists", "gaps", "multisets")[seed % 3]  # noqa: S311
    drawn = PolicyModel(random, kind)
    text = with_centres(random, drawn) if kind == "lists" and seed % 2 else drawn.text
    text = with_views(random, text)
    assert shown(text, failures(pk.loads(text), seed)).total() > 10


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("DMKB20/composition/proposition-9-given-the-knowledge", "dependency"),
        ("LQS12/algorithm-1", "dps"),
        ("LQS12/theorem-3.11", "safe"),
        ("atlas/leak-image", "bldp"),
        ("atlas/leak-image", "subdp"),
        ("relations/tails-do-not-mix", "cdp"),
    ],
)
def test_every_failure_on_a_bundled_model_is_shown_by_its_witness(name: str, key: str) -> None:
    text = (models_folder() / f"{name}.toml").read_text(encoding="utf-8")
    model = pk.loads(text)
    shown(text, failures(model, 1))
    answer = pk.check(model, key, epsilon=0)
    assert answer.verdict == "fails"
    assert shown(text, [answer.to_json()]).total() == 1


def test_another_law_is_not_accepted() -> None:
    """What is added up here can fail: other laws, and probabilities, are not what the witness says."""
    model = pk.read(models_folder() / "atlas" / "exponential-noisy-max.toml")
    answer = pk.check(model, "zcodp", epsilon="1/2").to_json()
    assert is_shown(model, answer)
    witness = answer["witness"]
    for field, other in (("laws", witness["laws"][::-1]), ("terms", witness["terms"][1:])):
        with pytest.raises(AssertionError):
            is_shown(model, {**answer, "witness": {**witness, field: other}})
    assert not is_shown(model, {**answer, "epsilon": "4/5"})


def test_numbers_that_are_added_up_are_never_cut() -> None:
    model = pk.read(models_folder() / "DMKB20" / "example-7-twelve-voters.toml")
    answer = pk.check(model, "ppkdp", epsilon="ln(2)")
    cut, whole = answer.to_json(8), answer.to_json(10**6)
    assert "…" in cut["tight_delta"]
    assert cut["witness"]["terms"] == [
        {**term, "delta": cut_term["delta"]}
        for term, cut_term in zip(whole["witness"]["terms"], cut["witness"]["terms"], strict=True)
    ]
    assert "…" in cut["witness"]["value"]


def test_a_page_cuts_long_numbers_of_the_evidence() -> None:
    long = "1/" + "7" * 3000
    shown = _cut({"probability_a": long, "event": [long], "terms": [{"weight": long}]})
    assert len(shown["probability_a"]) < 300
    assert len(shown["terms"][0]["weight"]) < 300
    assert shown["event"] == [long]
