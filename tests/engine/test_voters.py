"""Identical voters, at any number: the cheapest way is taken, it answers as the table does, and none is left out."""

from fractions import Fraction
from math import comb
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from test_sums import MECHANISMS, VALUES, laws, weighted

import verifier as pk
from verifier.engine import Engine
from verifier.wings.explore.desk import Desk

ASKED = [(None, "0"), ("ln(2)", "0"), ("0", "0"), ("inf", "1/2"), (None, "1/20"), ("ln(3/2)", "1/10"), ("1/3", "1/7")]


def document(size: int, **more: Any) -> dict[str, Any]:
    return {
        "size": size,
        "values": [0, 1],
        "distribution": [{"iid": {"0": "9/10", "1": "1/10"}}],
        "mechanism": {"kind": "count", "value": 1},
        **more,
    }


def shown(answer: pk.Verdict) -> dict[str, Any]:
    """The whole answer, but for the way it was found and the contexts of a simulator, of which one stands for many."""
    found = answer.to_json(10**6)
    for evidence in (found["witness"], found["tightest"]):
        if evidence:
            evidence["simulator"] = {str(one["answers"]) for one in evidence["simulator"] or ()}
    return {key: value for key, value in found.items() if key not in {"method", "replayed"}}


@st.composite
def independent_models(draw: st.DrawFn) -> dict[str, Any]:
    values = draw(st.sampled_from(VALUES))
    size = draw(st.integers(1, 4 if len(values) == 2 else 3))
    several = draw(st.booleans())
    shape = {"independent": [draw(laws(values)) for _ in range(size)]} if several else {"iid": draw(laws(values))}
    known = draw(st.lists(st.integers(0, size - 1), unique=True, max_size=size))
    return {
        "size": size,
        "values": values,
        "distribution": shape,
        "mechanism": weighted(draw(st.sampled_from(MECHANISMS)), size),
        **({"knowledge": {"records": known}} if known else {}),
    }


@given(independent_models(), st.sampled_from(ASKED), st.sampled_from(["default", "per-distribution", "per-knowledge"]))
@settings(max_examples=45, deadline=None)
def test_a_simulator_without_a_table_is_that_of_the_table(keys: dict[str, Any], asked: Any, reading: str) -> None:
    model = pk.build(**keys)
    epsilon, delta = asked
    answers = []
    for way in ("rows", "sum"):
        engine = Engine(model, force=way)
        try:
            answers.append(shown(pk.check(model, "ddp", epsilon=epsilon, delta=delta, reading=reading, engine=engine)))
        except pk.UnsupportedError:
            return
        except pk.LimitError:
            answers.append({})
    assert answers[0] == answers[1]


def test_of_a_count_the_simulator_is_half_way() -> None:
    """At ε = 0 the smallest δ is half of the distance between both laws; no law of a count can be imitated at δ = 0."""
    size = 300
    model = pk.build(**document(size))
    answer = pk.check(model, "ddp", epsilon=0)
    law = [Fraction(comb(size - 1, k) * 9 ** (size - 1 - k), 10 ** (size - 1)) for k in range(size)]
    none = Fraction(0)
    distance = sum((max(none, x - y) for x, y in zip([*law, none], [none, *law], strict=True)), none)
    assert answer.tight_delta == distance / 2
    assert (answer.method, str(answer.tight_epsilon)) == ("sum", "inf")
    assert answer.comparisons == 4 * size


@pytest.mark.sweep(2)
@pytest.mark.parametrize("known", [0, 2])
def test_no_number_of_voters_is_left_out(known: int) -> None:
    """The page and the command line answer each of them, and the way does not go back and forth."""
    ways = []
    for size in [*range(1, 301), 500, 1000, 2000, 4000, 4096, 5000, 7000, 10_000, 100_000]:
        more = {"knowledge": {"records": list(range(min(known, size)))}} if known else {}
        opened = Desk().open(document(size, **more))
        ways.append(opened.engine.method)
        Engine(opened.model).admit()
    assert ways == sorted(ways, key=["table", "sum", "enclosure"].index)
    assert set(ways) == {"table", "sum", "enclosure"}


def test_the_cost_is_known_before_any_work() -> None:
    model = pk.build(**document(21, mechanism={"kind": "identity"}))
    engine = Engine(model)
    assert engine.method == "table"
    assert "2,097,152 worlds, 21 protected, 2 values" in str(engine.table_cost)
    assert engine.milliseconds > 10_000
    assert Engine(pk.build(**document(1000))).milliseconds < 1000


def test_what_is_too_much_for_a_simulator_is_refused_before_the_work() -> None:
    values = list(range(100))
    model = pk.build(
        size=2, values=values, distribution={"iid": dict.fromkeys(values, "1/100")}, mechanism={"kind": "identity"}
    )
    for size_of in (model, pk.build(**document(60_000))):
        with pytest.raises(pk.LimitError, match="rows"):
            pk.check(size_of, "ddp")
