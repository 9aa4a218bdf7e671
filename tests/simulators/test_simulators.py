"""Definitions with a simulator: by hand, and by their laws."""

from __future__ import annotations

from typing import Any

import pytest
from filing import file_of
from hypothesis import assume
from rechecked import document_of, refused
from strategies import Case

import verifier as pk
from verifier.definitions.centres.simulator_ddp import SimulatorWitness
from verifier.engine import Engine
from verifier.recheck import fields_of
from verifier.show.answers import verdict_sheet

READINGS = ("default", "index-free", "per-distribution", "per-knowledge")
FLIP = {"rows": [
    {"database": [0], "outputs": {"x": "2/3", "y": "1/3"}},
    {"database": [1], "outputs": {"x": "1/3", "y": "2/3"}},
]}  # fmt: skip
COIN = {"iid": {0: "1/2", 1: "1/2"}}


def model(**keys: Any) -> pk.Model:
    return pk.build(**{"size": 1, "values": [0, 1], "distribution": COIN, **keys})


def small(case: Case) -> None:
    """Leave out what takes long."""
    assume(case.plain.secrets is not None)
    assume(len(case.plain.values) ** case.plain.size <= 4)


# --- by hand ----------------------------------------------------------------------------------------------


def test_example_2_the_simulator_reads_the_duplicate() -> None:
    table = [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]
    one = model(size=2, distribution={"table": table}, mechanism={"kind": "identity"})
    found = pk.check(one, "ddp", epsilon=0)
    assert (found.verdict, str(found.tight_epsilon), found.replayed) == ("holds", "0", True)
    assert isinstance(found.tightest, SimulatorWitness)
    shown = found.tightest.to_json()["simulator"]
    assert shown[0] == {
        "record": 0, "others": [0], "distribution": None, "knowledge": None, "answers": {"[0,0]": "1"},
    }  # fmt: skip


def test_the_answer_in_words_and_json() -> None:
    one = model(mechanism=FLIP)
    holds, fails = pk.check(one, "ddp"), pk.check(one, "ddp", epsilon="1/10")
    first, second = ({row[0]: row[1] for row in verdict_sheet(one).rows} for one in (holds, fails))
    words = first | {"fails": second["witness"]}
    assert words["tightest"].startswith("This simulator is enough at ε = ln(3/2), δ = 0: in every context it answers x")
    assert "No smaller ε is enough" in words["tightest"]
    assert holds.reason is fails.reason is None
    assert words["fails"].startswith("No simulator passes these tests even at the larger ε = ln(7/6): ")
    shown = holds.to_json()["tightest"]
    assert (shown["kind"], shown["contexts"], shown["a"], shown["event"]) == ("simulator", 1, None, None)
    assert {test["direction"] for test in shown["tests"]} == {"simulator against mechanism"}
    with pytest.raises(pk.UnsupportedError, match=r"the whole profile of ddp is not known.*answer\.delta_at"):
        _ = holds.profile
    assert str(holds.delta_at(pk.epsilon(0))) == "1/6"
    assert [str(holds.delta_at(pk.epsilon(e))) for e in ("ln(3/2)", "41/100", "1", "inf")] == ["0"] * 4


def test_an_epsilon_just_below_the_smallest_one_is_beaten() -> None:
    """The simulator answers x and y with 1/2 each, and y has the probability 1/(2·u/v): u/v is enough, and no less.

    u/v is above e by less than 2^-50: the tests are those of some e^ε between them.
    """
    u, v = 28245729, 10391023
    law = {"x": f"{2 * u - v}/{2 * u}", "y": f"{v}/{2 * u}"}
    rows = [{"database": [0], "outputs": law}, {"database": [1], "outputs": {"x": law["y"], "y": law["x"]}}]
    found = pk.check(model(mechanism={"rows": rows}), "ddp", epsilon=1)
    assert (found.verdict, found.replayed, str(found.tight_epsilon)) == ("fails", True, f"ln({u}/{v})")
    assert found.witness is not None
    assert pk.epsilon(1) < found.witness.epsilon < found.tight_epsilon


def test_too_many_answers_are_refused_before_the_work() -> None:
    outputs = {f"o{k}": f"{1 + k}/3240" for k in range(80)}
    other = {f"o{k}": f"{80 - k * k % 79 if k else 81}" for k in range(80)}
    total = sum(int(w) for w in other.values())
    laws = [outputs, {o: f"{w}/{total}" for o, w in other.items()}]
    rows = [{"database": [v], "outputs": law} for v, law in enumerate(laws)]
    one = model(mechanism={"rows": rows})
    assert pk.check(one, "ddp").verdict == "holds"  # one context: a handful of outputs matters
    assert pk.check(one, "ddp", delta="1/100").replayed
    pairs = [{"database": [a, b], "probability": f"{1 + a + 2 * b}/10"} for a in (0, 1) for b in (0, 1)]
    told = [{"database": [a, b], "outputs": laws[a ^ b]} for a in (0, 1) for b in (0, 1)]
    two = pk.build(size=2, values=[0, 1], distribution={"table": pairs}, mechanism={"rows": told})
    with pytest.raises(pk.LimitError, match="probabilities to choose"):
        pk.check(two, "ddp", delta="1/100")


# --- laws -------------------------------------------------------------------------------------------------


# --- the checker -------------------------------------------------------------------------------------------


def test_what_leaves_nothing_to_answer_needs_no_test() -> None:
    """At δ = 0 the checker sees for itself that two values exclude each other's outputs."""
    keys = {"size": 1, "values": [0, 1], "distribution": [COIN], "mechanism": {"kind": "identity"}}
    engine = Engine(pk.build(**keys))
    answer = pk.check(engine.model, "ddp", engine=engine, replay=False)
    told = {**document_of(answer), **fields_of(answer, engine)}
    assert refused(told, file_of(keys)) is None
