"""Formulas of bijections: Proposition 6 on random models (DMKB20), and formulas that are wrong."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import table_of, weights

import verifier as pk
from verifier.questions.properties.reducible import reducible

pytestmark = pytest.mark.quick

RIGHT: list[tuple[dict[str, Any], str, str]] = [
    ({"kind": "count", "value": 1}, "O - M1 + M2", ""),
    ({"kind": "sum"}, "O - M1 + M2", ""),
    ({"kind": "sum"}, "O", " + y{i} - x{i}"),
    ({"kind": "linear"}, "O", " + ({w})*(y{i} - x{i})"),
    ({"kind": "mean"}, "O", " + (y{i} - x{i})/n"),
    ({"kind": "harmonic-mean"}, "n/(n/O", " + 1/y{i} - 1/x{i}"),
]
"""A mechanism, how its formula begins, and what each known record i of weight w adds."""


@st.composite
def independent(draw: st.DrawFn, kind: dict[str, Any]) -> tuple[pk.Model, list[int], list[Any]]:
    """Independent positive records, some known, another one protected; which are known, and the weights of all."""
    values: list[Any] = draw(st.sampled_from([[1, 2], [1, 2, 3], [1, "1/2"]]))
    size = draw(st.sampled_from([2, 3])) if len(values) == 2 else 2
    laws = [draw(weights(len(values))) for _ in range(size)]
    target = draw(st.integers(0, size - 1))
    known = draw(st.lists(st.sampled_from([i for i in range(size) if i != target]), unique=True, min_size=1))
    factors: list[Any] = [draw(st.sampled_from([0, 1, 2, -1, "1/2"])) for _ in range(size)]
    if kind["kind"] == "linear":
        kind = {**kind, "weights": factors}
    model = pk.build(
        size=size,
        values=values,
        distribution={"independent": [table_of(values, law) for law in laws]},
        knowledge={"records": known},
        sensitive={"records": [target]},
        mechanism=kind,
    )
    return model, known, factors


@pytest.mark.parametrize(("kind", "begins", "adds"), RIGHT, ids=range(len(RIGHT)))
@given(data=st.data())
@settings(max_examples=12)
def test_proposition_6(kind: dict[str, Any], begins: str, adds: str, data: st.DataObject) -> None:
    model, known, factors = data.draw(independent(kind))
    formula = begins + "".join(adds.format(i=i, w=factors[i]) for i in known) + ")" * begins.count("(")
    assert reducible(model).verdict in {"holds", "vacuous"}
    assert pk.check_bijection(model, formula).verdict == reducible(model).verdict


MEANS = {
    "size": 2,
    "values": [1, 2],
    "distribution": {"iid": {1: "1/2", 2: "1/2"}},
    "knowledge": {"records": [0]},
    "sensitive": {"records": [1]},
}


def test_outputs_that_are_roots_are_unsupported() -> None:
    laws = {"independent": [{1: "1/2", 2: "1/2"}, {3: 1}]}
    keys = {**MEANS, "values": [1, 2, 3], "distribution": laws}
    found = pk.check_bijection(pk.build(**keys, mechanism={"kind": "quadratic-mean"}), "O")
    assert found.verdict == "unsupported"
    assert "sqrt(5) is a root" in str(found.reason)


@pytest.mark.parametrize(
    ("kind", "formula", "reason"),
    [
        ("sum", "O", "which is impossible given B₂|the probabilities"),
        ("sum", "2", "φ\\(3\\) = φ\\(2\\) = 2|impossible"),
        ("sum", "1/(O - 2)", "has no value"),
        ("sum", "O + y0 - 2*x0", "φ\\(2\\) = 2, but the probabilities|impossible"),
    ],
)
def test_a_wrong_formula_says_where(kind: str, formula: str, reason: str) -> None:
    model = pk.build(**MEANS, mechanism={"kind": kind})
    found = pk.check_bijection(model, formula)
    assert found.verdict == "fails"
    assert re.search(reason, str(found.reason))


def test_a_known_record_cannot_be_the_target() -> None:
    """Proposition 6 does not say that i is unknown: B = [1] excludes D(0) = 2."""
    model = pk.build(**{**MEANS, "sensitive": {"records": [0]}}, mechanism={"kind": "sum"})
    assert reducible(model).verdict == "fails"
    assert reducible(model, reading="ignore-impossible").verdict == "holds"


def test_every_permutation_of_a_small_model_agrees() -> None:
    """A formula holds iff the map that it makes is one of the bijections that Definition 14 allows."""
    model = pk.build(**MEANS, mechanism={"kind": "sum"})
    for shift, sign in product(range(-3, 4), (1, -1)):
        formula = f"{shift} + {sign}*O" if sign > 0 else f"{shift} - O"
        right = all(
            {shift + sign * (known + other): other for other in (1, 2)} == {known2 + other: other for other in (1, 2)}
            for known, known2 in ((1, 2), (2, 1))
        )
        assert (pk.check_bijection(model, formula).verdict == "holds") == right
    assert pk.check_bijection(model, "O + y0 - x0").verdict == "holds"


def test_other_knowledge_and_noise_are_unsupported() -> None:
    noisy = pk.build(
        **MEANS, mechanism={"kind": "count", "value": 1, "then": [{"kind": "geometric-noise", "p": "1/2"}]}
    )
    assert pk.check_bijection(noisy, "O").verdict == "unsupported"
    other = pk.build(**{**MEANS, "knowledge": {"kind": "parity", "value": 1}}, mechanism={"kind": "sum"})
    assert pk.check_bijection(other, "O").verdict == "unsupported"
