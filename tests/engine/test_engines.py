"""The plain engine and the fast one: the same joint weights, in the same order, on every model that both take."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import VALUES, channels, kinds, knowledges, shapes, weights

import verifier as pk
from verifier.engine import Engine, Joint
from verifier.tables.columns import WideColumn

pytestmark = pytest.mark.quick


Cells = dict[str, dict[str, dict[str, Fraction]]]


def cells(joint: Joint) -> Cells:
    """The probabilities of a joint table, keyed by texts."""
    return {
        known.text: {
            value.text: {o.text: Fraction(w, joint.denominator) for o, w in outputs.items()}
            for value, outputs in cell.items()
        }
        for known, cell in joint.cells.items()
    }


def same(model: pk.Model) -> None:
    """Factual and counterfactual tables of both engines agree, the order of the knowledge too."""
    rows, columns = Engine(model, force="rows"), Engine(model, force="columns")
    for theta in model.thetas:
        for secret in model.secrets:
            pairs = [(rows.factual(theta, secret), columns.factual(theta, secret))]
            pairs += [
                (rows.counterfactual(theta, secret, b), columns.counterfactual(theta, secret, b))
                for b in range(len(model.values))
            ]
            for one, other in pairs:
                assert cells(one) == cells(other)
            fact = cells(pairs[0][0])
            assert [k.text for k in pairs[0][0].cells] == [k.text for k in pairs[0][1].cells]
            assert sum(o for c in fact.values() for v in c.values() for o in v.values()) == 1
            for b, (changed, _) in zip(model.values, pairs[1:], strict=True):
                found = cells(changed)
                for known, cell in fact.items():  # the mass of (B, S) stays, and S = b is not asked for
                    masses = {v: sum(outputs.values()) for v, outputs in cell.items() if v != b.text}
                    assert masses == {v: sum(outputs.values()) for v, outputs in found.get(known, {}).items()}
    for definition in (pk.apkdp, pk.ppkdp, pk.cdp):
        answers = [
            pk.check(model, definition, epsilon="ln(3/2)", delta="1/20", engine=engine, replay=False).to_json()
            for engine in (rows, columns)
        ]
        assert answers[0] == answers[1]


@st.composite
def sums(draw: st.DrawFn) -> dict[str, Any]:
    """Models whose mechanism and knowledge are sums over the records."""
    values = draw(st.sampled_from(VALUES))
    size = draw(st.integers(1, 4 if len(values) == 2 else 3))
    mechanism = draw(kinds(values, size, deterministic=True))
    if draw(st.booleans()):
        mechanism["then"] = [draw(channels(mechanism, values, size))]
    keys: dict[str, Any] = {"size": size, "values": values, "mechanism": mechanism}
    knowledge = draw(knowledges(values, size, deterministic=True))
    allowed: tuple[str, ...] = ("table", "iid", "independent", "mixture", "network")
    if draw(st.integers(0, 3)) == 0:
        knowledge, allowed = {"kind": "component"}, ("mixture",)
    if knowledge is not None:
        keys["knowledge"] = knowledge
    keys["distribution"] = draw(shapes(values, size, allowed))[0]
    if knowledge is None and "table" in keys["distribution"]:
        for row in keys["distribution"]["table"]:
            row["knowledge"] = draw(st.sampled_from("zxy"))
    return keys


@pytest.mark.sweep(2)
@given(sums())
@settings(max_examples=60)
def test_the_engines_agree(keys: dict[str, Any]) -> None:
    same(pk.build(**keys))


@st.composite
def larger(draw: st.DrawFn) -> dict[str, Any]:
    several: list[list[Any]] = [[0, 1], [0, 1, 2], ["a", "b", "c"]]
    values = draw(st.sampled_from(several))
    size = draw(st.integers(5, 10 if len(values) == 2 else 6))
    some = draw(st.lists(st.sampled_from(range(size)), unique=True, max_size=3))
    kind = draw(st.sampled_from(["count", "threshold-count", "histogram", "parity", "mode", "maximum"]))
    mechanism: dict[str, Any] = {"kind": kind}
    if kind in {"count", "threshold-count", "parity"}:
        mechanism["value"] = values[-1]
    if kind == "threshold-count":
        mechanism["above"] = 2
    if kind in {"count", "threshold-count"} and draw(st.booleans()):
        mechanism["then"] = [{"kind": "geometric-noise", "p": "2/3"}]
    laws = [draw(weights(len(values), 10**12)) for _ in range(size)]
    parts = [{str(v): str(p) for v, p in zip(values, law, strict=True)} for law in laws]
    distribution: dict[str, Any] = {"independent": parts}
    if draw(st.booleans()):
        distribution = {"mixture": [{"weight": "2/7", "independent": parts}, {"weight": "5/7", "iid": parts[0]}]}
    return {
        "size": size,
        "values": values,
        "distribution": distribution,
        "knowledge": draw(st.sampled_from([{"records": some}, {"kind": "count", "value": values[0]}])),
        "sensitive": {"records": [draw(st.integers(0, size - 1))]},
        "mechanism": mechanism,
    }


@pytest.mark.sweep(2)
@given(larger())
@settings(max_examples=20)
def test_the_engines_agree_on_larger_models(keys: dict[str, Any]) -> None:
    same(pk.build(**keys))


def test_the_fast_engine_refuses_what_it_cannot_do() -> None:
    model = pk.build(size=1, values=[0, 1], distribution={"iid": {0: 1}}, mechanism=lambda d: d[0])
    engine = Engine(model, force="columns")
    with pytest.raises(pk.UnsupportedError):
        engine.factual(model.thetas[0], model.secrets[0])


def test_too_large_a_model_is_refused_before_the_work() -> None:
    model = pk.build(
        size=40, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "count", "value": 1}
    )
    with pytest.raises(pk.LimitError, match=r"1,099,511,627,776 worlds"):
        pk.check(model, "apkdp", epsilon=0, engine=Engine(model, force="table"))
    assert pk.check(model, "apkdp", epsilon=0).method == "sum"
    few = pk.build(size=3, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "identity"})
    with pytest.raises(pk.LimitError):
        pk.check(few, "apkdp", epsilon=0, engine=Engine(few, max_rows=7))
    assert pk.check(few, "apkdp", epsilon=0, engine=Engine(few, max_rows=8)).verdict == "fails"


@given(st.lists(st.tuples(st.integers(0, 2**200), st.integers(0, 5)), min_size=1, max_size=40))
def test_wide_columns_add_exactly(rows: list[tuple[int, int]]) -> None:
    import numpy as np

    totals = [0] * 6
    for weight, code in rows:
        totals[code] += weight
    assert WideColumn.of([w for w, _ in rows]).grouped(np.array([c for _, c in rows]), 6) == totals


@pytest.mark.parametrize("bits", [62, 63, 64, 120, 126])
def test_wide_columns_do_not_overflow_at_the_widest_limb(bits: int) -> None:
    import numpy as np

    for length in (1, 2, 3, 4, 5, 1023, 1024, 1025):
        full = [(1 << bits) - 1 - k % 2 for k in range(length)]
        assert WideColumn.of(full).grouped(np.zeros(length, dtype=np.int64), 1) == [sum(full)]
