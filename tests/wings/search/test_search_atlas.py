"""Searches about definitions of DP22: as if each model were asked by itself, with the policy of the search."""

from __future__ import annotations

from typing import Any

import model_ways
import pytest
from model_ways import enumerate_models, tally
from policies import RECORDS

import verifier as pk
from verifier.engine import Engine
from verifier.errors import InputError, MachineError
from verifier.model import build
from verifier.questions.check import check
from verifier.questions.statement import Holds
from verifier.wings.search import workers
from verifier.wings.search.orbits import FULL, NONE
from verifier.wings.search.policies import names_nothing, policy_keys, policy_text
from verifier.wings.search.scope import Scope

STEPS = 4
LN2 = "(epsilon=ln(2))"


@pytest.mark.parametrize(
    ("key", "other", "policy"),
    [
        ("klpr", "dp", {}),
        ("dp", "klpr", {}),
        ("renyidp", "dp", {"order": 2}),
        ("renyidp", "klpr", {"order": "3/2"}),
        ("klpr", "renyidp", {"order": 2}),
        ("osdp", "dp", {"sensitive": [0]}),
        ("osdp", "dp", {"sensitive": [1]}),
        ("dp", "osdp", {"sensitive": [0]}),
        ("flpr", "dp-any", {}),
        ("iddp", "dp", {"scale": [[[0, 1], "2"]]}),
        ("reldp", "dp", {"error": "1/4"}),
    ],
)
def test_the_search_finds_what_a_tally_of_each_model_shows(key: str, other: str, policy: dict[str, Any]) -> None:
    sizes: dict[str, Any] = {"records": 1, "weights": 1, "mechanism_weights": STEPS}
    asked = [f"{name}{LN2}" for name in (key, other)]
    told = tally(asked, pk.Scope(**sizes), policy=policy or None)
    result = pk.search(satisfies=asked[0], violates=asked[1], policy=policy or None, **sizes)
    assert result.hit.undecided == 0
    assert (result.verdict == "separated") == (tuple(told.questions) in told.separations())
    if result.model is not None:
        answers = [pk.check(result.model, name, epsilon="ln(2)") for name in (key, other)]
        assert [answer.verdict for answer in answers] == ["holds", "fails"]
        assert [entry.definition for entry in result.model.expectations] == [key, other]
        if not policy:
            assert "[policy]" not in result.model.text
    assert result.to_json().get("policy") == (policy_text(policy) or None)


def test_the_orbits_are_those_of_the_symmetry() -> None:
    """Without a field that names a value, renamed models are looked at once; with one, each by itself."""
    sizes: dict[str, Any] = {"records": 1, "weights": 1, "mechanism_weights": STEPS, "exhaust": True}
    renamed = pk.search(satisfies=f"reldp{LN2}", policy="error = '1/4'", **sizes)
    named = pk.search(satisfies=f"reldp{LN2}", policy="error = '1/4'\nsensitive = [0]", **sizes)
    assert names_nothing("error = '1/4'")
    assert not names_nothing("sensitive = [0]")
    assert not names_nothing("distance = [[[0], [1], 1]]")
    assert not names_nothing("distance = 'largest'")
    assert names_nothing("distance = 'hamming'")
    assert renamed.hit.size.models == named.hit.size.models == named.hit.size.orbits > renamed.hit.size.orbits
    assert 0 < renamed.hit.found < named.hit.found


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (7, "7 is not a table"),
        ({"order": 1}, "1 does not fit. Expected an order above 1"),
    ],
)
def test_a_policy_that_some_model_cannot_have_is_refused(policy: object, words: str) -> None:
    with pytest.raises(pk.InputError, match=words):
        pk.search(satisfies="np(0)", policy=policy)


@pytest.mark.parametrize("count", range(1, 8))
def test_a_table_of_outputs_is_refused_before_the_work_or_never(count: int) -> None:
    """Mechanisms put out u, then u and v, then u, v and w: the table names all that come, or only such as come."""
    named = {output for place, output in enumerate("uvw") if count >> place & 1}
    policy = {"tests": [dict.fromkeys(sorted(named), "1")], "divergence": "total-variation"}
    scope: dict[str, Any] = {"records": 1, "outputs": 3, "weights": 2, "jobs": 1}
    if all(named <= set(come) or named >= set(come) for come in ("u", "uv", "uvw")):
        assert pk.search(claim="cbdp(0) => dp(0)", policy=policy, **scope).model is not None
        return
    with pytest.raises(pk.InputError, match=r"policy=, in models of 1 record, .* the mechanism never puts out"):
        pk.search(claim="cbdp(0) => dp(0)", policy=policy, **scope)


def test_a_condition_is_asked_without_epsilon() -> None:
    policy = {"tradeoff": [["0", "1"], ["1/2", "1/2"], ["1", "0"]]}
    result = pk.search(satisfies=f"dp{LN2}", violates="fdp", policy=policy, records=1, mechanism_weights=3, weights=1)
    assert result.model is not None
    assert pk.check(result.model, "fdp").verdict == "fails"


def test_several_processes_keep_the_policy() -> None:
    asked: dict[str, Any] = {"satisfies": f"osdp{LN2}", "violates": f"dp{LN2}", "records": 1, "weights": 1}
    results = [pk.search(**asked, policy="sensitive = [0]", mechanism_weights=STEPS, jobs=jobs) for jobs in (1, 2)]
    assert [result.text for result in results] == [results[0].text] * 2
    assert results[0].text is not None


def test_a_checkpoint_is_of_its_policy(tmp_path: Any) -> None:
    asked: dict[str, Any] = {"satisfies": f"osdp{LN2}", "violates": f"dp{LN2}", "records": 1, "weights": 1}
    pk.search(**asked, policy="sensitive = [0]", checkpoint=tmp_path / "kept")
    with pytest.raises(pk.InputError):
        pk.search(**asked, policy="sensitive = [1]", checkpoint=tmp_path / "kept")


# --- one pass over many models with all definitions: as if each model were asked by itself ---------------------------


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
    *("baydp-ysn(epsilon=ln(2))", "np(ln(2))", "cdp(ln(2), 1/10)", "ibcdp(0, 1/10)", "zcodp(epsilon=1/2)"),
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
    right = model_ways.tally_of

    def fewer(*asked: Any) -> Any:
        ways = right(*asked)
        ways.popitem()
        return ways

    monkeypatch.setattr(model_ways, "tally_of", fewer)
    with pytest.raises(MachineError, match="Burnside"):
        tally(ALIKE, SMALL)
