"""An attack for every failure: each witness is added up again by separate code, from the laws that it names."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from added_up import is_shown
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier.definitions import DEFINITIONS
from verifier.definitions.registry import ON_REQUEST
from verifier.engine import Engine

KEYS = tuple(dict.fromkeys([*DEFINITIONS, *ON_REQUEST, *(each.key for each in pk.atlas.values())]))
QUESTIONS = ((None, 0), ("ln(3/2)", 0), ("1/3", "1/10"), ("inf", 0), (0, 0))
SIMULATED = {"ddp", "ibddp", "zkpr", "cwpr", "typst", "ibcwpr"}
"""A failure is that no simulator is enough: a game (`tests` of ddp), or no event at all."""


def failures(model: pk.Model, number: int) -> list[dict[str, Any]]:
    """The answers `fails` of all definitions, each at two of the questions."""
    engine, found = Engine(model), []
    for position, key in enumerate(KEYS):
        for k in (0, 2):
            epsilon, delta = QUESTIONS[(position + k + number) % len(QUESTIONS)]
            try:
                answer = pk.check(model, key, epsilon=epsilon, delta=delta, engine=engine)
            except pk.LimitError:
                continue
            if answer.verdict == "fails":
                found.append(answer.to_json())
    return found


def check_all(model: pk.Model, answers: list[dict[str, Any]]) -> Counter[str]:
    """Every failure but those of simulators is shown by what its witness says."""
    measures: Counter[str] = Counter()
    for answer in answers:
        key, witness = answer["definition"], answer["witness"]
        if key in SIMULATED or (key == "dps" and "β" in (answer["reason"] or "")):
            continue
        assert witness is not None, answer
        assert is_shown(model, answer), answer
        measures[witness["measure"]] += 1
    return measures


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(48))
def test_every_failure_on_a_random_model_is_shown_by_its_witness(seed: int) -> None:
    random, kind = Random(seed), ("lists", "gaps", "multisets")[seed % 3]  # noqa: S311
    drawn = PolicyModel(random, kind)
    model = pk.loads(with_centres(random, drawn) if kind == "lists" and seed % 2 else drawn.text)
    assert check_all(model, failures(model, seed)).total() > 10
