"""The engine without a table gives the answers of the table, `==`."""

from fractions import Fraction
from math import comb
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

import verifier as pk
from verifier.engine import Engine

VALUES = ([0, 1], [0, 1, 2])


@st.composite
def laws(draw: st.DrawFn, values: list[int]) -> dict[int, str]:
    weights = draw(st.lists(st.integers(0, 5), min_size=len(values), max_size=len(values)).filter(any))
    return {v: f"{w}/{sum(weights)}" for v, w in zip(values, weights, strict=True)}


@st.composite
def models(draw: st.DrawFn) -> dict[str, Any]:
    values = draw(st.sampled_from(VALUES))
    size = draw(st.integers(1, 4))

    def independent() -> dict[str, Any]:
        return {"independent": [draw(laws(values)) for _ in range(size)]}

    distribution: dict[str, Any] = independent()
    mixed = draw(st.booleans())
    if mixed:
        distribution = {
            "mixture": [
                {"name": "x", "weight": "1/3", **independent()},
                {"name": "y", "weight": "2/3", **independent()},
            ]
        }
    knowledge: dict[str, Any] | None = draw(
        st.sampled_from([None, {"records": draw(st.lists(st.integers(0, size - 1), unique=True, max_size=size))}])
    )
    if mixed and draw(st.booleans()):
        knowledge = {"kind": "component"}
    mechanism: dict[str, Any] = draw(
        st.sampled_from(
            [
                {"kind": "count", "value": 1},
                {"kind": "threshold-count", "value": 1, "above": 1},
                {"kind": "sum"},
                {"kind": "mean"},
                {"kind": "linear", "weights": [["1/2", 2, "-1/3", 1][i] for i in range(size)]},
                {"kind": "parity", "value": 1},
                {"kind": "maximum"},
                {"kind": "minimum"},
                {"kind": "mode"},
                {"kind": "histogram"},
                {"kind": "k-anonymous-histogram", "k": 2},
                {"kind": "quadratic-mean"},
                {"kind": "count", "value": 0, "then": [{"kind": "geometric-noise", "p": "1/3"}]},
                {"kind": "all", "of": [{"kind": "count", "value": 1}, {"kind": "parity", "value": 0}]},
                {"kind": "count", "value": 1, "sample": "1/3"},
                {"kind": "histogram", "sample": "2/3"},
                {"kind": "randomized-response", "keep": "1/2"},
            ]
        )
    )
    if "sample" in mechanism or "keep" in mechanism:
        knowledge = None if knowledge is None or "records" in knowledge else knowledge
    keys = {"size": size, "values": values, "distribution": distribution, "mechanism": mechanism}
    return keys if knowledge is None else {**keys, "knowledge": knowledge}


@given(models())
def test_the_sums_give_the_answers_of_the_table(keys: dict[str, Any]) -> None:
    model = pk.build(**keys)
    table, sums = Engine(model, force="rows"), Engine(model, force="sum")
    for definition in ("np", "ppkdp", "cdp"):
        for reading in ("default", "one-order"):
            for epsilon in ("ln(3/2)", "1/10", None):
                one, other = (
                    pk.check(model, definition, epsilon=epsilon, reading=reading, delta="1/20", engine=e, replay=False)
                    for e in (table, sums)
                )
                assert other.method == "sum" or other.verdict == "vacuous"
                for key in ("verdict", "tight_delta", "tight_epsilon", "multiplicity", "empty"):
                    assert getattr(one, key) == getattr(other, key) or (definition == "ppkdp" and key == "multiplicity")
                if one.tight_epsilon is not None:
                    assert one.profile == other.profile
                if one.witness and other.witness and definition != "ppkdp":
                    mine, its = one.witness.to_json(), other.witness.to_json()
                    assert mine == its


@given(models())
def test_classes_keep_all_the_mass(keys: dict[str, Any]) -> None:
    model = pk.build(**keys)
    table, sums = Engine(model, force="rows"), Engine(model, force="sum")
    theta = model.thetas[0]
    for secret in model.secrets:
        one, other = table.factual(theta, secret), sums.factual(theta, secret)
        assert sum(other.probability(known) for known in other.cells) == 1
        assert sum(other.multiplicity(known) for known in other.cells) == len(one.cells)
        assert {known.text for known in other.cells} <= {known.text for known in one.cells}
        for value in secret.domain:
            assert other.value_mass(value) * one.denominator == one.value_mass(value) * other.denominator


def test_a_thousand_voters() -> None:
    """No table has 2^1000 rows; the law of the count is a binomial one."""
    model = pk.build(
        size=1000,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        sensitive={"records": [999]},
        mechanism={"kind": "count", "value": 1},
    )
    engine = Engine(model, force="sum")
    answer = pk.check(model, "np", epsilon="inf", engine=engine)
    assert (answer.method, answer.replayed, answer.comparisons) == ("sum", None, 2)
    assert answer.tight_delta == Fraction(1, 2**999)
    # P[count = k | 0]/P[count = k | 1] = (1000 - k)/k is above 2 for k ≤ 333
    wanted = sum(Fraction(comb(999, k) - 2 * (comb(999, k - 1) if k else 0), 2**999) for k in range(334))
    assert pk.check(model, "np", epsilon="ln(2)", engine=engine).tight_delta == wanted


@pytest.mark.parametrize("size", [30, 200])
def test_known_records_are_classes(size: int) -> None:
    model = pk.build(
        size=size,
        values=[0, 1],
        distribution={"iid": {0: "9/10", 1: "1/10"}},
        knowledge={"records": list(range(20))},
        sensitive={"records": [size - 1]},
        mechanism={"kind": "threshold-count", "value": 1, "above": 12},
    )
    answer = pk.check(model, "apkdp", epsilon="ln(2)", engine=Engine(model, force="sum"))
    assert (answer.comparisons, answer.multiplicity) == (2 * 21, 2 * 2**20)
