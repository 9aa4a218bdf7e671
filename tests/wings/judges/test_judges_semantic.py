"""Foreign judges on semantic privacy: they find the prior under which too much is told, or find that there is none."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from typing import Any

import pytest
from forging import Certificate

import verifier as pk
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.evidence import certificate
from verifier.model import loads
from verifier.model.library import models_folder
from verifier.wings.judges.coq import coq
from verifier.wings.judges.judges import available, judge
from verifier.wings.judges.smt import smt

needs_cvc5 = pytest.mark.skipif(not available("cvc5"), reason="cvc5 is not installed")
MODELS = [f"axioms/semantic-{name}" for name in ("pair", "mixed", "rare", "small", "constant", "first")]
MODELS += [f"atlas/{name}" for name in ("levels", "membership", "never-drawn", "tour-missing")]
ASKED: list[dict[str, Any]] = [{}, {"epsilon": "1/40"}, {"epsilon": "1/2"}, {"epsilon": "inf"}]
UPPER, LOWER = (
    "the upper end of the smallest epsilon is enough",
    "the lower end of the smallest epsilon is not enough",
)


def of_file(name: str, **asked: Any) -> Certificate:
    return content(pk.read(str(models_folder() / f"{name}.toml")), **asked)


def content(model: pk.Model, **asked: Any) -> Certificate:
    engine = Engine(model)
    return deepcopy(certificate(pk.check(model, "sempr", engine=engine, replay=False, **asked), engine))


def missed(evidence: Certificate) -> set[str]:
    """The claims that z3 contradicts."""
    return {finding.claim for finding in judge(smt(evidence), "z3", 300).differences}


@pytest.mark.parametrize("who", ["z3", pytest.param("cvc5", marks=needs_cvc5)])
def test_the_judges_confirm_every_part_of_the_answer(who: str) -> None:
    verdicts = set()
    for name, asked in product(MODELS if who == "z3" else MODELS[:2], ASKED):
        evidence = of_file(name, **asked)
        opinion = judge(smt(evidence), who, 300)
        assert opinion.verdict == "agrees", (name, asked, opinion.differences)
        verdicts.add(evidence["answer"]["verdict"])
    assert verdicts == {"holds", "fails"}


@pytest.mark.parametrize(("epsilon", "verdict"), [("639/1000", "fails"), ("16/25", "holds"), ("641/1000", "holds")])
def test_the_other_verdict_is_refuted(epsilon: str, verdict: str) -> None:
    evidence = of_file("axioms/semantic-pair", epsilon=epsilon)
    assert evidence["answer"]["verdict"] == verdict
    evidence["answer"]["verdict"] = "fails" if verdict == "holds" else "holds"
    assert missed(evidence) == {f"sempr {evidence['answer']['verdict']}"}


@pytest.mark.parametrize(
    ("claimed", "claim"),
    [
        ("639/1000", "the smallest epsilon is enough"),
        ("641/1000", "no epsilon is enough that is smaller by one part in 2^20"),
        ("0", "the smallest epsilon is enough"),
        ("[0.63, 0.639]", UPPER),
        ("[0.641, 0.642]", LOWER),
    ],
)
def test_another_smallest_epsilon_is_refuted(claimed: str, claim: str) -> None:
    evidence = of_file("axioms/semantic-pair", epsilon="3/4")
    assert not missed(evidence)
    evidence["answer"]["tight_epsilon"] = claimed
    assert missed(evidence) == {claim}


def test_another_mechanism_is_refuted() -> None:
    evidence = of_file("axioms/semantic-small", epsilon="1/20")
    assert not missed(evidence)
    first, second, *rest = evidence["mechanism"]
    evidence["mechanism"] = [[first[0], {"other": "1"}], second, *rest]
    assert "sempr holds" in missed(evidence)


def test_where_no_database_holds_a_record_nothing_is_compared() -> None:
    """There is no prior then: the replay says so as well."""
    model = loads('size = 1\nvalues = ["-"]\nmechanism = { kind = "identity" }\npolicy = { absent = "-" }\n', "")
    answer = pk.check(model, "sempr", epsilon="1/2", replay=True)
    assert answer.verdict == "vacuous"
    evidence = content(model, epsilon="1/2")
    assert judge(smt(evidence), "z3", 300).verdict == "agrees"
    evidence["mechanism"].append([["x"], {"x": "1"}])
    evidence["values"].append("x")
    assert missed(evidence) == {"nothing is compared"}


def test_what_is_not_exported_says_why() -> None:
    with pytest.raises(UnsupportedError, match="a rational number is compared"):
        smt(of_file("axioms/semantic-pair", epsilon="ln(2)"))
    with pytest.raises(UnsupportedError):
        coq(of_file("axioms/semantic-pair", epsilon="1/2"))
