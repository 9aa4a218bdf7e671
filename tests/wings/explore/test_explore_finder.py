"""The page's search, in steps: the models of `pk.search` in its order, however the steps are cut."""

from __future__ import annotations

from typing import Any

import pytest

import verifier as pk
from verifier.model.bundled import bundled
from verifier.wings.explore import finder
from verifier.wings.explore.routes import Session
from verifier.wings.search import orbits
from verifier.wings.search.scope import Scope

TINY: dict[str, Any] = {"weights": 2, "mechanism_weights": 1}
CASES: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("np(0) and not cdp(0)", "true", TINY, {"satisfies": "np(0) and not cdp(0)"}),
    ("np(e) => cdp(e)", "false", TINY, {"claim": "np(e) => cdp(e)"}),
    ("dp(0) => cdp(0)", "false", {"records": 1, "knowledge": 2, **TINY}, {"claim": "dp(0) => cdp(0)"}),
    ("np(0)", "false", {"records": 1, "outputs": 3}, {"violates": "np(0)"}),
]  # fmt: skip


def asked(statement: str, truth: str, sizes: dict[str, Any], among: str = "small", at: object = None) -> dict[str, Any]:
    fields = {"statement": statement, "truth": truth, "among": among, "sizes": sizes, "at": at}
    answer = Session().post("find", fields)
    answer.pop("milliseconds")
    return answer


def steps(statement: str, truth: str, sizes: dict[str, Any], among: str = "small") -> list[dict[str, Any]]:
    """All answers, each asked for from the place of the one before."""
    every = [asked(statement, truth, sizes, among)]
    while every[-1].get("at") is not None:
        every.append(asked(statement, truth, sizes, among, every[-1]["at"]))
    return every


@pytest.mark.parametrize("budget", [0, 10**12])
@pytest.mark.parametrize(("statement", "truth", "sizes", "search"), CASES)
def test_it_finds_what_the_search_finds_and_goes_on_to_the_last(
    statement: str,
    truth: str,
    sizes: dict[str, Any],
    search: dict[str, Any],
    budget: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finder, "BUDGET", budget)
    every = steps(statement, truth, sizes)
    first = next((k for k, answer in enumerate(every) if answer["found"]), len(every) - 1)
    until = every[: first + 1]
    hit = pk.search(**search, **sizes).hit
    assert (sum(one["looked"] for one in until), sum(one["models"] for one in until)) == (hit.orbits, hit.checked)
    whole = pk.search(**search, **sizes, exhaust=True).hit
    assert sum(len(one["found"]) for one in every) == whole.found
    assert (sum(one["looked"] for one in every), sum(one["models"] for one in every)) == (whole.orbits, whole.checked)
    assert every[0]["size"] == {"models": whole.size.models, "orbits": whole.size.orbits}
    assert {*(len(one["found"]) for one in every)} <= {0, 1}


def test_the_examples_that_answer_are_those_that_the_package_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "bundled", lambda: {name: path for name, path in USUAL.items() if "example-4" in name})
    found = [
        one["id"]
        for answer in steps("np(0) and not cdp", "true", {"records": 2}, "examples")
        for one in answer["found"]
    ]
    assert found == ["DMKB20/example-4-repaired"]


def test_a_found_model_has_the_verdicts_that_the_statement_claims() -> None:
    (found,) = next(answer["found"] for answer in steps("np(e, d) => cdp(2*e, d/2)", "false", TINY) if answer["found"])
    model = pk.loads(str(Session().post("write", {"document": found["document"]})["text"]))
    assert {one["verdict"] for one in found["claimed"]} == {"holds", "fails"}
    for one in found["claimed"]:
        asked = one["question"]
        answer = pk.check(model, asked["definition"], epsilon=asked["epsilon"], delta=asked["delta"])
        assert answer.verdict == one["verdict"], one["text"]


@pytest.mark.parametrize("budget", [0, 10**12])
def test_the_end_names_the_sizes_that_can_be_larger(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They have the time of a request, too: one that ends goes on at the next size."""
    monkeypatch.setattr(finder, "BUDGET", budget)
    every = steps("dp(0) => cdp(0)", "false", {"records": 1, "knowledge": 2, **TINY})
    ends = [one for one in every if "raise" in one]
    larger = [one for answer in ends for one in answer["raise"]]
    assert len(ends) == (1 if budget else 1 + len(finder.SIZES)), "one size each, after the request that looked last"
    assert {"name": "records", "size": 2} in [{"name": one["name"], "size": one["size"]} for one in larger]
    assert len({one["name"] for one in larger}) == len(larger) > 2
    for one in larger:
        sizes = {"records": 1, "knowledge": 2, **TINY, one["name"]: one["size"]}
        assert asked("dp(0) => cdp(0)", "false", sizes)["size"]["orbits"] == one["models"]


def test_the_largest_scope_is_counted_without_its_renamings(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,880 renamings of the 625 databases of 4 records: their cycles depend on a few dozen pairs of renamings."""
    made: list[int] = []
    really = orbits.cycles

    def counted(p: orbits.Permutation) -> list[list[int]]:
        made.append(len(p))
        return really(p)

    monkeypatch.setattr(orbits, "cycles", counted)
    for cached in (orbits._cycle_types, orbits._count_at_most):
        cached.cache_clear()
    assert orbits.count(Scope(4, 5, 1, 1, 1, 1)).orbits == 40
    assert made.count(625) == 35


def test_an_example_that_is_not_decided_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {name: USUAL[name] for name in ("DMKB20/example-4-repaired", "atlas/one-coin")}
    monkeypatch.setattr(finder, "bundled", lambda: chosen)
    every = steps("np(0) and not cdp", "true", {"records": 2}, "examples")
    ((which, reason),) = [(one["which"], one["reason"]) for answer in every for one in answer["open"]]
    assert which == "atlas/one-coin"
    assert "this definition is about distributions, but the model has none" in reason


USUAL = bundled()
WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"statement": ""}, "there is no statement"),
    ({"statement": "np(0) and"}, "ends too early"),
    ({"truth": "maybe"}, "is unknown"),
    ({"among": []}, "is unknown"),
    ({"sizes": {"people": 2}}, "these are not sizes"),
    ({"sizes": {"records": 10**9}}, "is too many"),
    ({"sizes": {"values": 5}}, "more than 100,000 such models"),
    ({"sizes": {"records": 4, "values": 5, "outputs": 6, "weights": 900}}, "more than 100,000 such models"),
    ({"at": [0, -1]}, "not a place of a search"),
    ({"at": "end"}, "not a place of a search"),
    ({"statement": "(" * 5000}, ""),
)


@pytest.mark.parametrize(("wrong", "said"), WRONG)
def test_a_wrong_field_is_refused_before_any_work(wrong: dict[str, Any], said: str) -> None:
    usual = {"statement": "np(0)", "truth": "true", "among": "small", "sizes": {}}
    (problem,) = Session().post("find", {**usual, **wrong})["problems"]
    assert said in problem["message"]
