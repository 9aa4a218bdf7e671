"""Definitions with a simulator: by hand, against a plain linear program, and by their laws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from linear import feasible, rows_of, smallest_delta
from strategies import Case, cases

import verifier as pk
from verifier.checker import answers as replay
from verifier.definitions.simulated import SimulatorWitness
from verifier.engine import Engine
from verifier.evidence import certificate
from verifier.numbers import Epsilon, log_epsilon
from verifier.show.answers import verdict_sheet

READINGS = ("default", "index-free", "per-distribution", "per-knowledge")
SMALL = 60
"""Most unknowns of a plain program in a test."""
FLIP = {"rows": [
    {"database": [0], "outputs": {"x": "2/3", "y": "1/3"}},
    {"database": [1], "outputs": {"x": "1/3", "y": "2/3"}},
]}  # fmt: skip
COIN = {"iid": {0: "1/2", 1: "1/2"}}


def model(**keys: Any) -> pk.Model:
    return pk.build(**{"size": 1, "values": [0, 1], "distribution": COIN, **keys})


def small(case: Case, reading: str) -> Any:
    assume(case.plain.secrets is not None)
    rows = rows_of(case.plain, reading)
    contexts = {c for _, given_ in rows for c in given_}
    outputs = {o for law, _ in rows for o in law}
    assume(len(contexts) * (len(outputs) + 1) + 2 * len(rows) * (len(outputs) + 1) <= SMALL)
    return rows


# --- by hand ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mechanism", "delta", "expected"),
    [
        (FLIP, 0, "ln(3/2)"),  # max(√2, 2/3 + 2/3, 1/(1/3 + 1/3))
        ({"kind": "constant", "output": "c"}, 0, "0"),
        ({"kind": "identity"}, 0, "inf"),
        ({"kind": "identity"}, "1/2", "0"),
        ({"kind": "identity"}, "1/3", "inf"),
        (FLIP, "1/6", "0"),
        # P = (2/3, 1/3) and its mirror: s = (1/2, 1/2) is best, 2/3 - E/2 ≤ 1/12 and 1/2 - E/3 ≤ 1/12
        (FLIP, "1/12", "ln(5/4)"),
    ],
)
def test_one_context(mechanism: Any, delta: Any, expected: str) -> None:
    found = pk.check(model(mechanism=mechanism), "ddp", delta=delta)
    assert (found.tight_epsilon, found.replayed) == (
        Epsilon("inf") if expected == "inf" else pk.epsilon(expected),
        True,
    )


def test_a_root_that_is_no_root_of_a_rational() -> None:
    rows = [
        {"database": [0], "outputs": {"x": "1/2", "y": "1/2"}},
        {"database": [1], "outputs": {"x": "1/5", "y": "4/5"}},
    ]
    found = pk.check(model(mechanism={"rows": rows}), "ddp", delta="1/20")
    # s(x) = q: 1/2 - E·q ≤ 1/20 and q - E/5 ≤ 1/20 meet where E(E/5 + 1/20) = 9/20
    assert str(found.tight_epsilon) == "ln(root of 4*x^2 + x - 9 in [13/10, 7/5])"
    assert found.tight_epsilon == pk.epsilon(str(found.tight_epsilon))
    again = pk.check(model(mechanism={"rows": rows}), "ddp", delta="1/20", epsilon=found.tight_epsilon)
    assert (again.verdict, again.replayed) == ("holds", True)
    less = pk.check(model(mechanism={"rows": rows}), "ddp", delta="1/20", epsilon="ln(138/100)")
    more = pk.check(model(mechanism={"rows": rows}), "ddp", delta="1/20", epsilon="ln(139/100)")
    assert (less.verdict, more.verdict) == ("fails", "holds")


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


def test_what_the_simulator_may_know() -> None:
    """n = 2, M tells D(0): without the index the simulator cannot tell a missing record 0 from a missing record 1."""
    one = model(
        size=2,
        distribution={"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]},
        mechanism={"rows": [{"database": [v, v], "output": v} for v in (0, 1)]},
    )
    assert str(pk.check(one, "ddp", reading="index-free").tight_epsilon) == "0"
    known = model(mechanism={"kind": "identity"}, knowledge={"records": [0]})
    assert str(pk.check(known, "ddp").tight_epsilon) == "inf"
    assert str(pk.check(known, "ddp", reading="per-knowledge").tight_epsilon) == "0"
    two = [{"name": "no", "iid": {0: 1}}, {"name": "yes", "iid": {1: 1}}]
    sure = model(distribution=two, mechanism={"kind": "identity"})
    assert str(pk.check(sure, "ddp").tight_epsilon) == "inf"
    assert str(pk.check(sure, "ddp", reading="per-distribution").tight_epsilon) == "0"


def test_the_index_counts() -> None:
    table = [{"database": [a, b], "probability": "1/2"} for a, b in ((0, 1), (1, 0))]
    one = model(size=2, distribution={"table": table}, mechanism={"kind": "identity"})
    assert str(pk.check(one, "ddp").tight_epsilon) == "0"
    # the one value 1 left: [0, 1] without 0, or [1, 0] without 1
    assert str(pk.check(one, "ddp", reading="index-free").tight_epsilon) == "inf"


def test_cdp_as_printed_does_not_imply_ddp() -> None:
    """CDP compares only values that are possible given B̂; the simulator is not told B̂ (DMKB20, after Definition 5)."""
    rows = [{"database": [v], "output": "yes" if v == 2 else "no"} for v in (0, 1, 2)]
    one = pk.build(
        size=1,
        values=[0, 1, 2],
        distribution={"iid": dict.fromkeys((0, 1, 2), "1/3")},
        mechanism={"rows": rows},
        knowledge={"rows": rows},
    )
    assert str(pk.check(one, "cdp").tight_epsilon) == "0"
    found = pk.check(one, "ddp", epsilon="inf", delta="49/100")
    assert (found.verdict, str(found.tight_delta)) == ("fails", "1/2")
    assert str(pk.check(one, "ddp", reading="per-knowledge").tight_epsilon) == "0"
    assert str(pk.check(one, "cdp", reading="all-values").tight_epsilon) == "inf"


def test_a_protected_function_is_no_record() -> None:
    rows = [{"database": [v], "value": "s"} for v in (0, 1)]
    found = pk.check(model(mechanism=FLIP, sensitive={"rows": rows}), "ddp")
    assert found.verdict == "unsupported"
    assert "[sensitive]" in str(found.reason)


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


# --- against a plain program ------------------------------------------------------------------------------


@pytest.mark.sweep(3)
@given(cases(max_size=2))
@settings(max_examples=25, deadline=None)
def test_the_smallest_delta_is_that_of_a_plain_program(case: Case) -> None:
    for reading in READINGS:
        rows = small(case, reading)
        one = pk.build(**case.keys)
        for E in (Fraction(1), Fraction(5, 2)):
            found = pk.check(one, "ddp", epsilon=log_epsilon(E), reading=reading)
            assert found.tight_delta == smallest_delta(rows, E)


@pytest.mark.sweep(3)
@given(cases(max_size=2))
@settings(max_examples=25, deadline=None)
def test_the_smallest_epsilon_is_enough_and_no_smaller_one(case: Case) -> None:
    rows = small(case, "default")
    for delta in (Fraction(0), Fraction(1, 9)):
        found = pk.check(pk.build(**case.keys), "ddp", delta=delta)
        tight = found.tight_epsilon
        assert isinstance(tight, Epsilon)
        if tight.is_infinite:
            assert not feasible(rows, Fraction(10**6), delta)
            continue
        low, high = tight.exp_bracket(40)
        assert feasible(rows, high, delta)
        assert tight == 0 or not feasible(rows, low - Fraction(1, 1 << 40), delta)


# --- laws -------------------------------------------------------------------------------------------------


@given(cases(max_size=2))
@settings(max_examples=40, deadline=None)
def test_cdp_for_all_values_implies_ddp(case: Case) -> None:
    """The simulator sets the missing record to one value of T."""
    one = pk.build(**case.keys)
    engine = Engine(one)
    for epsilon in ("0", "ln(2)", "inf"):
        strong = pk.check(one, "cdp", epsilon=epsilon, reading="all-values", engine=engine, replay=False)
        weak = pk.check(one, "ddp", epsilon=epsilon, engine=engine, replay=False)
        if strong.tight_delta is not None and weak.tight_delta is not None:
            assert weak.tight_delta <= strong.tight_delta  # type: ignore[operator]


@given(cases(max_size=2))
@settings(max_examples=40, deadline=None)
def test_cdp_implies_ddp_for_a_simulator_that_is_told_the_knowledge(case: Case) -> None:
    assume(len(case.keys["distribution"]) == 1)
    one = pk.build(**case.keys)
    for epsilon in ("0", "ln(2)"):
        strong = pk.check(one, "cdp", epsilon=epsilon, replay=False)
        weak = pk.check(one, "ddp", epsilon=epsilon, reading="per-knowledge", replay=False)
        if strong.tight_delta is not None and weak.tight_delta is not None:
            assert weak.tight_delta <= strong.tight_delta  # type: ignore[operator]


@given(cases(max_size=2))
@settings(max_examples=25, deadline=None)
def test_a_simulator_that_is_told_more_is_better(case: Case) -> None:
    assume(case.plain.secrets is not None)
    one = pk.build(**case.keys)
    found = {r: pk.check(one, "ddp", epsilon="ln(3/2)", reading=r, replay=False).tight_delta for r in READINGS}
    assert found["index-free"] >= found["default"]  # type: ignore[operator]
    assert found["default"] >= found["per-distribution"]  # type: ignore[operator]
    assert found["default"] >= found["per-knowledge"]  # type: ignore[operator]


# --- the replay -------------------------------------------------------------------------------------------


def test_what_leaves_nothing_to_answer_needs_no_test() -> None:
    """At δ = 0 the checker sees for itself that two values exclude each other's outputs."""
    engine = Engine(model(mechanism={"kind": "identity"}))
    told = certificate(pk.check(engine.model, "ddp", engine=engine), engine)
    replay.replay(told)
    told["evidence"]["needed"] = []
    replay.replay(told)
