"""Foreign judges on definitions with a simulator: they find one, or find that there is none."""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest
from forging import Certificate, Forge, put
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier.engine import Engine
from verifier.errors import InputError, UnsupportedError
from verifier.evidence import certificate
from verifier.model import loads
from verifier.model.library import models_folder
from verifier.wings.judges.coq import coq
from verifier.wings.judges.judges import Opinion, available, judge
from verifier.wings.judges.smt import smt

needs_cvc5 = pytest.mark.skipif(not available("cvc5"), reason="cvc5 is not installed")
OF_OUTPUTS = ("zkpr", "cwpr", "typst")
OF_BELIEFS = ("ibcwpr", "ibddp")
KEYS = (*OF_OUTPUTS, *OF_BELIEFS)
FLIP = {"fails": "holds", "holds": "fails"}


@cache
def engine_of(seed: int) -> Engine:
    random = Random(seed)  # noqa: S311 - not a secret
    return Engine(loads(with_centres(random, PolicyModel(random, "lists")), ""))


def content(engine: Engine, key: str, **asked: Any) -> Certificate:
    return deepcopy(certificate(pk.check(engine.model, key, engine=engine, replay=False, **asked), engine))


def first(key: str, verdict: str, **asked: Any) -> Certificate:
    """The certificate of the first random model with this verdict whose smallest ε is above 0."""
    for seed in range(60):
        answer = pk.check(engine_of(seed).model, key, engine=engine_of(seed), replay=False, **asked)
        smallest = str(answer.tight_epsilon)
        if answer.verdict == verdict and smallest not in {"0", "inf"}:
            return deepcopy(certificate(answer, engine_of(seed)))
    raise AssertionError((key, verdict))


def told(evidence: Certificate, who: str = "z3") -> Opinion:
    return judge(smt(evidence), who, 300)


def missed(evidence: Certificate) -> set[str]:
    """The claims that z3 contradicts."""
    return {finding.claim for finding in told(evidence).differences}


ASKED: list[dict[str, Any]] = [{}, {"epsilon": "ln(2)"}, {"epsilon": "1/2"}, {"epsilon": "inf"}]
WITH_DELTA: list[dict[str, Any]] = [{"epsilon": "ln(2)", "delta": "1/5"}, {"epsilon": "inf", "delta": "1/7"}]


@pytest.mark.parametrize("key", KEYS)
def test_z3_confirms_every_part_of_the_answer(key: str) -> None:
    verdicts = set()
    for seed in (0, 3, 4, 6, 9):
        for asked in ASKED + (WITH_DELTA if key in OF_OUTPUTS else []):
            evidence = content(engine_of(seed), key, **asked)
            opinion = told(evidence)
            assert opinion.verdict == "agrees", (seed, asked, opinion.differences)
            assert len(opinion.findings) >= 3
            verdicts.add(evidence["answer"]["verdict"])
    assert verdicts == {"holds", "fails"}


@needs_cvc5
@pytest.mark.parametrize("key", KEYS)
def test_cvc5_confirms_the_same(key: str) -> None:
    for verdict in ("holds", "fails"):
        assert told(first(key, verdict, epsilon="ln(3/2)"), "cvc5").verdict == "agrees"


def test_z3_confirms_all_bundled_models_that_ask() -> None:
    verdicts = Counter[tuple[str, str]]()
    for path in sorted(models_folder().rglob("*.toml")):
        if not re.search(rf'definition *= *"({"|".join(KEYS)})"', path.read_text(encoding="utf-8")):
            continue
        model = pk.read(str(path))
        engine = Engine(model)
        for question in model.expectations:
            if question.definition in KEYS:
                asked = {name: value for name, value in question.question.items() if name in {"epsilon", "delta"}}
                evidence = content(engine, question.definition, **asked)
                opinion = told(evidence)
                assert opinion.verdict == "agrees", (path.name, question, opinion.differences)
                verdicts[question.definition, evidence["answer"]["verdict"]] += 1
    assert {key for key, _ in verdicts} == set(KEYS)
    assert verdicts.total() >= 34


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("verdict", ["holds", "fails"])
def test_the_other_verdict_is_refuted(key: str, verdict: str) -> None:
    evidence = first(key, verdict, epsilon="ln(3/2)")
    assert told(evidence).verdict == "agrees"
    evidence["answer"]["verdict"] = FLIP[verdict]
    assert any(claim.startswith(f"{key} ") for claim in missed(evidence))


@pytest.mark.parametrize("key", OF_OUTPUTS)
@pytest.mark.parametrize("claimed", ["ln(99)", "ln(101/100)", "0", "inf"])
def test_another_smallest_epsilon_is_refuted(key: str, claimed: str) -> None:
    evidence = first(key, "fails", epsilon="ln(7/6)")
    evidence["answer"]["tight_epsilon"] = claimed
    assert any("epsilon" in claim and "asked" not in claim for claim in missed(evidence))


@pytest.mark.parametrize("key", OF_BELIEFS)
@pytest.mark.parametrize("claimed", ["[0.001, 0.0011]", "[8.1, 8.2]", "0", "inf"])
def test_another_enclosure_is_refuted(key: str, claimed: str) -> None:
    evidence = first(key, "fails", epsilon="ln(7/6)")
    evidence["answer"]["tight_epsilon"] = claimed
    assert missed(evidence) & {
        "the upper end of the smallest epsilon is enough", "the lower end of the smallest epsilon is not enough",
        "the smallest epsilon is enough", "no finite epsilon is enough",
    }  # fmt: skip


@pytest.mark.parametrize("key", OF_OUTPUTS)
def test_another_smallest_delta_is_refuted(key: str) -> None:
    evidence = first(key, "fails", epsilon="ln(7/6)")
    for claimed, claim in (("1/9999", "the smallest delta is enough"), ("98/99", "no smaller delta is enough")):
        evidence["answer"]["tight_delta"] = claimed
        assert claim in missed(evidence)


@pytest.mark.parametrize("key", KEYS)
def test_another_mechanism_is_refuted(key: str) -> None:
    evidence = first(key, "holds", epsilon="ln(3)")
    shown = [str(database) for database, _ in evidence["mechanism"]]
    assert len(shown) > 1
    evidence["mechanism"] = [[database, {f"o{k}": "1"}] for k, (database, _) in enumerate(evidence["mechanism"])]
    assert told(evidence).verdict == "disagrees"


LEFT_OUT = """
size = 2
values = [0, 1]
distribution = [{ name = "t", iid = { 0 = "1/4", 1 = "3/4" } }]
[mechanism]
kind = "count"
value = 0
[policy]
gamma = "7/16"
"""


@pytest.mark.parametrize(
    ("forge", "claim"),
    [
        (put("policy", "gamma", "6/16"), "typst holds"),
        (put("answer", "verdict", "vacuous"), "nothing is compared"),
        (
            put("answer", "tight_epsilon", "ln(3)"),
            "no epsilon is enough whose e^epsilon is smaller by one part in 2^20",
        ),
    ],
)
def test_what_is_left_out_is_for_the_judge_to_find(forge: Forge, claim: str) -> None:
    """[1, 1] has 9/16, and the count tells its databases apart: 7/16 must be left out, no less."""
    engine = Engine(loads(LEFT_OUT, ""))
    evidence = content(engine, "typst", epsilon="ln(5)")
    assert told(evidence).verdict == "agrees"
    forge(evidence)
    assert claim in missed(evidence)


def test_where_everything_may_be_left_out_nothing_is_compared() -> None:
    engine = Engine(loads(LEFT_OUT.replace("7/16", "1"), ""))
    evidence = content(engine, "typst", epsilon="ln(5)")
    assert evidence["answer"]["verdict"] == "vacuous"
    assert told(evidence).verdict == "agrees"


@pytest.mark.parametrize("key", KEYS)
def test_nothing_is_told_of_the_evidence(key: str) -> None:
    evidence = first(key, "holds", epsilon="ln(3)")
    text = smt(evidence)
    del evidence["evidence"]
    assert smt(evidence) == text


@pytest.mark.parametrize("key", KEYS)
def test_coq_does_not_read_them(key: str) -> None:
    with pytest.raises(UnsupportedError, match="has no Coq"):
        coq(first(key, "fails", epsilon="ln(7/6)"))


@pytest.mark.parametrize("key", OF_BELIEFS)
def test_a_damaged_enclosure_is_refused(key: str) -> None:
    evidence = first(key, "holds", epsilon="ln(3)")
    for damaged in ("[2, 1]", "[1", "[x, y]", 7):
        evidence["answer"]["tight_epsilon"] = damaged
        with pytest.raises(InputError):
            smt(evidence)


@pytest.mark.parametrize("part", ["question", "answer", "worlds", "mechanism", "values", "policy"])
def test_a_damaged_certificate_is_refused(part: str) -> None:
    wrongs: list[Any] = [None, [], {}, "x", 7]
    for wrong in wrongs:
        evidence = first("cwpr", "holds", epsilon="ln(3)")
        evidence[part] = wrong
        with pytest.raises((InputError, UnsupportedError)):
            smt(evidence)
