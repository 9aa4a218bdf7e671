"""The independent re-check of simulated centres (DP22, section 8): answers are accepted, forged ones are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from filing import certified, refusal, rejection, written
from filing import replayed as replayed_file
from forging import named_forgery
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier.checker.judge import IMITATED
from verifier.engine import Engine
from verifier.evidence import certificate, has_certificate, replayed
from verifier.model import loads
from verifier.model.library import models_folder

EPSILONS = (None, "0", "ln(2)", "ln(3/2)", "1/3*ln(2)", "1/2", "inf")
DELTAS = ("0", "0", "1/20", "1/4")
DECIDED = {"holds", "fails", "vacuous"}


@cache
def engine_of(seed: int) -> Engine:
    random = Random(seed)  # noqa: S311 - not a secret
    return Engine(loads(with_centres(random, PolicyModel(random, "lists")), ""))


def answers(seed: int, key: str) -> Iterator[tuple[pk.Answer, dict[str, Any]]]:
    """Two answers of a definition on a random model, with their certificates."""
    random, engine = Random(f"{seed} {key}"), engine_of(seed)  # noqa: S311
    for _ in range(2):
        epsilon, delta = random.choice(EPSILONS), random.choice(DELTAS)
        answer = pk.check(engine.model, key, epsilon=epsilon, delta=delta, engine=engine, replay=False)
        if answer.verdict in DECIDED and has_certificate(answer, engine):
            yield answer, certificate(answer, engine)


# --- answers are accepted ---------------------------------------------------------------------------------------------


@pytest.mark.sweep(4)
@pytest.mark.parametrize("part", range(4))
def test_answers_on_random_models_are_accepted(part: int) -> None:
    met: Counter[tuple[str, str]] = Counter()
    for seed in range(12 * part, 12 * part + 12):
        for key in IMITATED:
            for answer, evidence in answers(seed, key):
                assert refusal(evidence) is None, (seed, key, answer)
                met[key, answer.verdict] += 1
    assert all(met[key, verdict] > 1 for key in IMITATED for verdict in ("holds", "fails"))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("axioms/aggregates-front.toml", "zkpr"), ("axioms/aggregates-mixed.toml", "zkpr"),
        ("atlas/one-coin.toml", "zkpr"), ("axioms/guesses-apart.toml", "cwpr"), ("axioms/shares-a.toml", "typst"),
        ("axioms/shares-mixed.toml", "typst"),
    ],
)  # fmt: skip
def test_answers_on_bundled_models_are_accepted(name: str, key: str) -> None:
    engine = Engine(pk.read(models_folder() / name))
    for epsilon in EPSILONS:
        answer = pk.check(engine.model, key, epsilon=epsilon, engine=engine, replay=False)
        assert replayed(answer, engine).replayed, epsilon


# --- forged answers are refused ---------------------------------------------------------------------------------------


def forgeries(evidence: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every claim and every piece of evidence, changed one at a time."""
    answer, shown = evidence["answer"], evidence["evidence"]

    changed = partial(named_forgery, evidence)

    value: str | None
    for verdict in sorted(DECIDED - {answer["verdict"]}):
        yield changed("verdict", "answer", "verdict", verdict)
    for value in ("0", "ln(7/3)", "inf", "[0.123456789012, 0.123456789013]"):
        if value != answer["tight_epsilon"]:
            yield changed("tight ε", "answer", "tight_epsilon", value)
    for value in ("1/17", "99/100", None):
        if value != answer["tight_delta"]:
            yield changed("tight δ", "answer", "tight_delta", value)
    yield changed("comparisons", "answer", "comparisons", answer["comparisons"] + 2)
    yield changed("empty", "answer", "empty", 1)
    yield changed("a witness", "answer", "witness", {})
    for key, entries in shown.items():
        if entries is None:
            yield changed("evidence of nothing", "evidence", key, [])
            continue
        yield changed("no evidence", "evidence", key, None)
        yield changed("an entry less", "evidence", key, entries[1:])
        yield changed("an entry twice", "evidence", key, [*entries, entries[0]])
        yield changed("another choice", "evidence", key, 0, 1, 9)
        yield changed("another group", "evidence", key, 0, 0, "sideways")
        if entries[0][3] and "enough" in key:
            yield changed("another law", "evidence", key, 0, 3, 0, 1, {"y": "1/2"})
            yield changed("a context less", "evidence", key, 0, 3, entries[0][3][1:])
        if entries[0][3] and "needed" in key:
            yield changed("no tests", "evidence", key, 0, 3, [])
            yield changed("an impossible row", "evidence", key, 0, 3, 0, 3, "nothing of the kind")
            yield changed("a negative weight", "evidence", key, 0, 3, 0, 6, ["-1"])


@pytest.mark.parametrize("key", IMITATED)
def test_forged_answers_are_refused(key: str) -> None:
    tried: Counter[str] = Counter()
    for seed in range(300, 308):
        for answer, evidence in answers(seed, key):
            for name, forged in forgeries(evidence):
                assert refusal(forged) is not None, (name, seed, answer)
                tried[name] += 1
    assert all(tried[name] > 2 for name in ("verdict", "tight ε", "tight δ", "no evidence", "another law", "no tests"))


def test_another_mechanism_is_refused() -> None:
    """Where the laws of the mechanism are moved, most answers change, and the replay says so."""
    refused = counted = 0
    for seed in range(400, 412):
        for key in IMITATED:
            for answer, evidence in answers(seed, key):
                if answer.verdict == "vacuous" or evidence["answer"]["tight_epsilon"] in {"inf", "0"}:
                    continue
                laws = [law for _, law in evidence["mechanism"]]
                moved = [[row[0], laws[k - 1]] for k, row in enumerate(evidence["mechanism"])]
                counted += 1
                refused += refusal({**evidence, "mechanism": moved}) is not None
    assert counted > 12
    assert refused == counted


# --- certificate files, against their model file ----------------------------------------------------------------------


@pytest.mark.parametrize("key", IMITATED)
def test_files_are_compared_with_their_model(key: str, tmp_path: Path) -> None:
    random = Random(3)  # noqa: S311
    model = written(tmp_path, with_centres(random, PolicyModel(random, "lists")))
    evidence = certified(model, tmp_path, key, epsilon="ln(2)")
    assert replayed_file(evidence, tmp_path).uncompared == ""
    assert "the policy" in str(rejection({**evidence, "policy": {**evidence["policy"], "gamma": "1/7"}}, tmp_path))
    assert "evidence" in str(rejection({k: v for k, v in evidence.items() if k != "evidence"}, tmp_path))
    extra = {**evidence["evidence"], "more": None}
    assert "unknown" in str(rejection({**evidence, "evidence": extra}, tmp_path))
