"""Neighbours of shuffled reports as polynomials: every answer is that of the pairs of databases, listed one by one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import kinds, reports

import verifier as pk
from verifier.definitions.decide import decide
from verifier.definitions.neighbour_pools import Factors
from verifier.definitions.registry import find
from verifier.engine import Engine
from verifier.numbers import epsilon

pytestmark = pytest.mark.quick

SHUFFLED = [
    *((2, n, str(delta)) for n, delta in ((2, "3/16"), (3, "9/64"), (4, "27/256"), (5, "81/1024"))),
    *((2, n, delta) for n, delta in ((8, "2187/65536"), (12, "177147/16777216"))),
    (3, 10, "79664/9765625"),
]
"""Values, records, and δ at e^ε = 2 where each report is ln(3)-DP: of two values (3/4)^n/3, of three by summing."""


def shuffled(size: int, values: int, **keys: Any) -> pk.Model:
    return pk.build(size=size, values=list(range(values)), mechanism={"kind": "shuffle", "epsilon": "ln(3)", **keys})


@pytest.mark.parametrize(("values", "size", "delta"), SHUFFLED)
def test_shuffled_reports_hide_more_in_a_larger_crowd(values: int, size: int, delta: str) -> None:
    model = shuffled(size, values)
    answer = pk.check(model, "dp", epsilon="ln(2)", engine=Engine(model, force="sum"), replay=False)
    assert answer.tight_delta == delta


@st.composite
def models(draw: st.DrawFn) -> dict[str, Any]:
    """Up to four records, with a local randomizer of up to three reports; some of them sampled, or not protected."""
    values = list(range(draw(st.integers(2, 3))))
    size = draw(st.integers(1, 4 if len(values) == 2 else 3))
    mechanism = {"kind": "shuffle", "reports": draw(reports(values))}
    if draw(st.booleans()):
        mechanism["sample"] = draw(st.sampled_from(["1/2", "1/10", "1"]))
    elif draw(st.booleans()):
        mechanism = draw(kinds(values, size).filter(lambda spec: "sample" in spec or spec["kind"] == "shuffle"))
    keys: dict[str, Any] = {"size": size, "values": values, "mechanism": mechanism}
    if draw(st.booleans()):
        keys["sensitive"] = {"records": [draw(st.integers(0, size - 1))]}
    if draw(st.integers(0, 3)) == 0:
        keys["policy"] = {"absent": 0}
    return keys


@settings(max_examples=60)
@given(models(), st.sampled_from(["dp", "tail-dp", "dp"]), st.sampled_from(["default", "one-order"]))
def test_polynomials_answer_as_the_listed_databases(keys: dict[str, Any], definition: str, reading: str) -> None:
    model = pk.build(**keys)
    plain, fast = (Engine(model, force=way) for way in ("rows", "sum"))
    for at in (None, "0", "ln(2)", "ln(1000001/1000000)", "1/3", "1/2*ln(3)", "inf"):
        for delta in ("0", "1/7"):
            asked: dict[str, Any] = {"epsilon": None if at is None else epsilon(at), "delta": Fraction(delta)}
            one, other = (decide(engine, find(definition), reading=reading, **asked) for engine in (plain, fast))
            for key in ("verdict", "tight_delta", "tight_epsilon", "multiplicity", "empty"):
                assert getattr(one, key) == getattr(other, key), key
            mine, its = one.witness or one.tightest, other.witness or other.tightest
            assert (mine and mine.to_json()) == (its and its.to_json())
    assert one.profile == other.profile


def test_the_pairs_are_those_of_the_sums_in_their_order() -> None:
    """And the worst of them has not the same value at all other records."""
    for model in (shuffled(5, 3), shuffled(4, 2, sample="1/3")):
        engine = Engine(model, force="sum")
        plain = [(pair, members) for pair, members in engine.neighbours()]
        (factored,) = at_least_one(engine.factored() or [])
        assert len(plain) == len(factored)
        assert factored.multiplicity == sum(pair.multiplicity * members for pair, members in plain)
        for k, (pair, members) in at_least_one(enumerate(plain)):
            other = factored.neighbours(k)
            assert (pair.record, pair.a, pair.b, pair.multiplicity) == (
                other.record,
                other.a,
                other.b,
                other.multiplicity,
            )
            assert members == factored.members
            assert pair.database() == other.database()
    found = pk.check(shuffled(10, 3), "dp", epsilon="ln(2)", replay=False).witness
    assert found is not None
    assert found.databases is not None
    assert [str(value) for value in found.databases[0][1:]].count("2") == 7


CYCLE = {"0": {"x": "1/2", "y": "1/3", "z": "1/6"}, "1": {"y": "1/2", "z": "1/3", "x": "1/6"}}
SKEW = {"0": {"x": "1/2", "y": "1/2"}, "1": {"x": "1/4", "y": "3/4"}}


@pytest.mark.parametrize(
    ("values", "keys", "firsts"),
    [
        (2, {"epsilon": "ln(3)"}, 6),
        (3, {"epsilon": "ln(3)"}, 21),
        (2, {"reports": SKEW}, 12),
        (3, {"reports": {**CYCLE, "2": {"z": "1/2", "x": "1/3", "y": "1/6"}}}, 2 * 21),
        (3, {"reports": {**SKEW, "2": {"x": "1/8", "y": "7/8"}}}, 6 * 21),
    ],
)
def test_pairs_that_are_one_up_to_names_are_looked_at_once(values: int, keys: dict[str, Any], firsts: int) -> None:
    """Where the values can be renamed and the reports with them: all of them, those of a cycle, or none."""
    mechanism = {"kind": "shuffle", **keys}
    model = pk.build(size=6, values=list(range(values)), mechanism=mechanism)
    (set_of_all,) = find("dp").sets(Engine(model, force="sum"), "default")
    pool = set_of_all.comparisons
    assert isinstance(pool, Factors)
    assert len(pool.firsts) == firsts
    for at in map(epsilon, ("0", "ln(5/4)", "ln(2)")):
        everyone = {one.line(at).delta(at) for one in pool}
        assert {one.line(at).delta(at) for one in pool.firsts} == everyone


@pytest.mark.parametrize(
    ("keys", "paid"),
    [
        ({"kind": "shuffle", "epsilon": "ln(3)"}, True),
        ({"kind": "count", "value": 1, "sample": "1/2"}, True),
        ({"kind": "count", "value": 1}, False),
        ({"kind": "count", "value": 1, "sample": "1/2", "then": [{"kind": "geometric-noise", "p": "1/2"}]}, False),
        ({"kind": "threshold-count", "value": 1, "above": 1, "sample": "1/2"}, False),
        ({"kind": "randomized-response", "keep": "1/2"}, False),
    ],
)
def test_where_polynomials_are_taken(keys: dict[str, Any], paid: bool) -> None:  # noqa: FBT001
    model = pk.build(size=3, values=[0, 1], mechanism=keys)
    assert (Engine(model, force="sum").factored() is not None) == paid


def test_without_a_distribution_sums_are_taken_before_a_table_of_databases() -> None:
    """A table of the databases of twenty records is long, and of two it is not."""
    assert Engine(shuffled(20, 2)).method == "sum"
    assert Engine(shuffled(2, 2)).method == "table"
    assert Engine(pk.build(size=20, values=[0, 1], mechanism={"kind": "count", "value": 1})).method == "table"
