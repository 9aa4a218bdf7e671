"""One pass over many models with all definitions: as if each model were asked by itself."""

from __future__ import annotations

from typing import Any

import pytest
from policies import RECORDS

from verifier.engine import Engine
from verifier.errors import InputError, MachineError
from verifier.model import build
from verifier.questions.check import check
from verifier.questions.statement import Holds
from verifier.wings.search import tally as passes
from verifier.wings.search import workers
from verifier.wings.search.enumeration import enumerate_models
from verifier.wings.search.orbits import FULL, NONE
from verifier.wings.search.policies import policy_keys, policy_text
from verifier.wings.search.scope import Scope
from verifier.wings.search.tally import tally

FIELDS = ("divergence", "error", "gamma", "graph", "order", "sensitive")
POLICY = {name: RECORDS[name] for name in FIELDS} | {"absent": 0, "prior": {"1": "1"}}
QUESTIONS = (
    *(
        "osdp(epsilon=ln(2))",
        "asdp(epsilon=ln(2))",
        "ubodp(epsilon=ln(2))",
        "bfpr(epsilon=0)",
        "renyidp(epsilon=ln(2))",
    ),
    *("divdp(epsilon=1/2)", "reldp(ln(2), 1/10)", "adp(ln(2), 1/4)", "randp(epsilon=ln(2))", "wbdp(0, 1/3)"),
    *("baydp-ysn(epsilon=ln(2))", "np(ln(2))", "cdp(ln(2), 1/10)", "zcodp(epsilon=1/2)"),
)
SMALL = Scope(2, 2, 2, 1, weights=2, mechanism_weights=1)
ALIKE = ["np(ln(2))", "klpr(epsilon=ln(2))", "dp(ln(3), 1/10)", "rbpr(epsilon=ln(2))", "baydp-ysn(epsilon=ln(2))"]


@pytest.mark.parametrize(
    ("questions", "policy", "scope"),
    [
        (QUESTIONS, POLICY, SMALL),
        (QUESTIONS, POLICY, Scope(1, 2, 2, 2, weights=2, mechanism_weights=2, first_only=True)),
        (ALIKE, {}, SMALL),
        (ALIKE, {}, Scope(1, 2, 3, 1, weights=2, mechanism_weights=3)),
    ],
)
def test_the_ways_are_those_of_each_model_by_itself(questions: list[str], policy: dict[str, Any], scope: Scope) -> None:
    text = policy_text(policy)
    told = tally(questions, scope, policy=policy or None)
    of_model = {}
    listed: dict[tuple[str, ...], list[Any]] = {}
    for candidate, models in enumerate_models(scope, NONE if policy else FULL):
        engine = Engine(build(**candidate.keys(), **policy_keys(text)))
        verdicts = []
        for question in told.questions:
            assert isinstance(question, Holds)
            asked = {"epsilon": question.epsilon, "delta": question.delta, "engine": engine, "replay": False}
            verdicts.append(check(engine.model, question.definition, **asked).verdict)  # type: ignore[arg-type]
            if question.definition == "zcodp":
                verdicts[-1] = "open"
        of_model[candidate] = verdicts
        way = listed.setdefault(tuple(verdicts), [0, 0, candidate])
        way[0] += models
        way[1] += 1
    assert {verdicts: list(way) for verdicts, way in told.ways.items()} == listed
    assert len(listed) > 3
    separations = told.separations()
    for a, first in enumerate(told.questions):
        for b, second in enumerate(told.questions):
            such = (model for model, v in of_model.items() if (v[a], v[b]) == ("holds", "fails"))
            assert separations.get((first, second)) == next(such, None)


def test_what_is_no_question_is_refused() -> None:
    for wrong in ([], ["np(e)"], ["acceptable"], ["np(0) and dp(0)"]):
        with pytest.raises(InputError, match="definitions at constant"):
            tally(wrong, SMALL)


def test_several_processes_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = tally(QUESTIONS, SMALL, policy=POLICY)
    monkeypatch.setattr(workers, "ALONE", 0)
    assert tally(QUESTIONS, SMALL, policy=POLICY, jobs=2) == alone


def test_a_model_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = passes.tally_of

    def fewer(*asked: Any) -> Any:
        ways = right(*asked)
        ways.popitem()
        return ways

    monkeypatch.setattr(passes, "tally_of", fewer)
    with pytest.raises(MachineError, match="Burnside"):
        tally(ALIKE, SMALL)
