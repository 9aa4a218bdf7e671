"""The independent re-check of simulators that leave the same beliefs: answers are accepted, forged ones are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
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
from verifier.checker import Rejected
from verifier.checker.numbers import wide_ends
from verifier.definitions import inferred
from verifier.engine import Engine
from verifier.evidence import certificate, has_certificate, replayed
from verifier.model import loads
from verifier.model.library import models_folder

SEED_OF_A_FINITE_EPSILON = 700
KEYS = ("ibcwpr", "ibddp")
EPSILONS = (None, "0", "ln(2)", "ln(3/2)", "1/3*ln(2)", "1/2", "inf")


@cache
def engine_of(seed: int) -> Engine:
    """A random model; in every second one Γ has the value of each record, with the others to tell."""
    random = Random(seed)  # noqa: S311 - not a secret
    model = PolicyModel(random, "lists")
    text = with_centres(random, model)
    if seed % 2:
        lines = text.splitlines()[:-1]
        others = {i: [j for j in range(model.size) if j != i] for i in range(model.size)}
        each = [f"{{ agg = {{ records = {others[i]} }}, priv = {{ records = [{i}] }} }}" for i in others if others[i]]
        each = each or ['{ agg = "constant", priv = { records = [0] } }']
        text = "\n".join([*lines, f"coupled = [{', '.join(each)}]", ""])
    return Engine(loads(text, ""))


def answers(seed: int, key: str, count: int = 2) -> Iterator[tuple[pk.Answer, dict[str, Any]]]:
    """Some answers of a definition on a random model, with their certificates."""
    random, engine = Random(f"{seed} {key}"), engine_of(seed)  # noqa: S311
    for epsilon in random.sample(EPSILONS, count):
        answer = pk.check(engine.model, key, epsilon=epsilon, engine=engine, replay=False)
        if answer.verdict in {"holds", "fails"} and has_certificate(answer, engine):
            yield answer, certificate(answer, engine)


@pytest.mark.parametrize("key", KEYS)
def test_answers_on_random_models_are_accepted(key: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(700, 730):
        for answer, evidence in answers(seed, key):
            assert refusal(evidence) is None, (seed, answer)
            met[answer.verdict] += 1
            met["enclosed"] += evidence["evidence"]["needed"] is not None and answer.verdict == "holds"
    assert all(met[word] > 2 for word in ("holds", "fails", "enclosed"))


@pytest.mark.parametrize("name", ["guesses-apart", "guesses-merged", "guesses-mixed", "guesses-other"])
@pytest.mark.parametrize("key", KEYS)
def test_answers_on_bundled_models_are_accepted(name: str, key: str) -> None:
    engine = Engine(pk.read(models_folder() / "axioms" / f"{name}.toml"))
    for epsilon in (None, "0", "ln(3/2)", "1/2"):
        answer = pk.check(engine.model, key, epsilon=epsilon, engine=engine, replay=False)
        assert replayed(answer, engine).replayed, epsilon


def test_the_ends_are_those_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the smallest ε is near 0, or only known to a few bits, its two ends are proved all the same."""
    monkeypatch.setattr(inferred, "WITHIN", 3)
    for seed in range(700, 712):
        for key in KEYS:
            for answer, evidence in answers(seed, key):
                assert refusal(evidence) is None, (seed, answer)


def forgeries(evidence: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every claim and every piece of evidence, changed one at a time."""
    answer, shown = evidence["answer"], evidence["evidence"]

    changed = partial(named_forgery, evidence)

    for verdict in {"holds", "fails", "vacuous"} - {answer["verdict"]}:
        yield changed("verdict", "answer", "verdict", verdict)
    for value in ("[0.00001, 0.00002]", "[9, 10]", "0", "ln(2)"):
        if value != answer["tight_epsilon"]:
            yield changed("tight ε", "answer", "tight_epsilon", value)
    yield changed("tight δ", "answer", "tight_delta", "0")
    yield changed("δ", "question", "delta", "1/20")
    yield changed("comparisons", "answer", "comparisons", 2)
    for key in ("enough", "needed"):
        if shown[key] is not None:
            yield changed("no evidence", "evidence", key, None)
            yield changed("an irrational e^ε", "evidence", key, "at", "1/2")
    if shown["enough"] is not None:
        listed = shown["enough"]["answers"]
        yield changed("an output less", "evidence", "enough", "answers", listed[1:])
        yield changed("an output that says nothing", "evidence", "enough", "answers", 0, 1, [])
        if answer["tight_epsilon"] != "0":
            yield changed("a smaller ε", "evidence", "enough", "at", "0")
    if shown["needed"] is not None:
        yield changed("another output", "evidence", "needed", "output", "never")
        yield changed("another row", "evidence", "needed", "row", 0, "sideways")
        yield changed("a larger ε", "evidence", "needed", "at", "ln(1000000000000000000000000)")
        yield changed("no row that never answers", "evidence", "needed", {**shown["needed"], "row": ["?", "?", 0]})
        if answer["tight_epsilon"] != "inf":
            never = changed("no ε is enough", "evidence", {"enough": None, "needed": {**shown["needed"], "at": "inf"}})
            never[1]["evidence"]["needed"]["multipliers"] = []
            never[1]["answer"] |= {"tight_epsilon": "inf", "verdict": "fails"}
            if answer["verdict"] == "holds":
                yield never
        if shown["needed"]["multipliers"]:
            yield changed("no multipliers", "evidence", "needed", "multipliers", [])
            yield changed("a negative one", "evidence", "needed", "multipliers", 0, 5, "-1")


def nothing_answers(evidence: dict[str, Any]) -> bool:
    """Whether the multipliers show that an output is never answered, whatever ε is."""
    forged = deepcopy(evidence)
    forged["evidence"] = {"enough": None, "needed": {**evidence["evidence"]["needed"], "at": "ln(1000000000000)"}}
    forged["answer"] |= {"tight_epsilon": None, "verdict": "fails"}
    forged["question"]["epsilon"] = "ln(2)"
    return refusal(forged) is None


@pytest.mark.parametrize("key", KEYS)
def test_forged_answers_are_refused(key: str) -> None:
    tried: Counter[str] = Counter()
    for seed in range(730, 760):
        for answer, evidence in answers(seed, key):
            for name, forged in forgeries(evidence):
                if name != "a larger ε" or not nothing_answers(evidence):
                    assert refusal(forged) is not None, (name, seed, answer)
                    tried[name] += 1
    assert all(tried[name] > 2 for name in ("verdict", "tight ε", "a smaller ε", "no multipliers", "an output less"))


@pytest.mark.parametrize("key", KEYS)
def test_another_mechanism_is_refused(key: str) -> None:
    refused = counted = 0
    for seed in range(700, 720):
        for answer, evidence in answers(seed, key):
            if answer.verdict == "holds" and evidence["evidence"]["needed"] is not None:
                laws = [law for _, law in evidence["mechanism"]]
                moved = [[row[0], laws[k - 1]] for k, row in enumerate(evidence["mechanism"])]
                counted += 1
                refused += refusal({**evidence, "mechanism": moved}) is not None
    assert refused == counted > 2


@pytest.mark.parametrize("key", KEYS)
def test_files_are_compared_with_their_model(key: str, tmp_path: Path) -> None:
    random = Random(SEED_OF_A_FINITE_EPSILON)  # noqa: S311
    model = written(tmp_path, with_centres(random, PolicyModel(random, "lists")))
    evidence = certified(model, tmp_path, key)
    assert replayed_file(evidence, tmp_path).uncompared == ""
    assert "evidence" in str(rejection({k: v for k, v in evidence.items() if k != "evidence"}, tmp_path))
    claims = {**evidence["answer"], "tight_epsilon": "1/2"}
    assert "no enclosure" in str(rejection({**evidence, "answer": claims}, tmp_path))


def test_wide_enclosures_have_one_text() -> None:
    assert wide_ends("0") == (Fraction(0), Fraction(0))
    for text in ("[0, 0]", "[2, 1]", "[1, 1]", "[1,2]", "1/2", "[1, 2", "[01, 2]", "[1, 2, 3]"):
        with pytest.raises(Rejected):
            wide_ends(text)
