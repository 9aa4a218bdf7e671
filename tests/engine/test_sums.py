"""The engine without a table gives the answers of the table, `==`."""

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import verifier as pk
from verifier.engine import Engine
from verifier.engine.sums import supports
from verifier.questions.losses import loss

VALUES = ([0, 1], [0, 1, 2])
MECHANISMS: list[dict[str, Any]] = [
    {"kind": "count", "value": 1},
    {"kind": "threshold-count", "value": 1, "above": 1},
    {"kind": "threshold-count", "value": 1, "above": 0, "otherwise": "2"},
    {"kind": "sum"},
    {"kind": "mean"},
    {"kind": "linear"},
    {"kind": "parity", "value": 1},
    {"kind": "maximum"},
    {"kind": "minimum"},
    {"kind": "mode"},
    {"kind": "histogram"},
    {"kind": "k-anonymous-histogram", "k": 2},
    {"kind": "k-anonymous-histogram", "k": 1, "keep": ">", "values": [1]},
    {"kind": "quadratic-mean"},
    {"kind": "count", "value": 0, "then": [{"kind": "geometric-noise", "p": "1/3"}]},
    {"kind": "sum", "then": [{"kind": "geometric-noise", "p": "2/5"}]},
    {"kind": "threshold-count", "value": 1, "above": 0, "then": [{"kind": "geometric-noise", "p": "1/2"}]},
    {"kind": "count", "value": 1, "sample": "1/2", "then": [{"kind": "geometric-noise", "p": "1/2"}]},
    {"kind": "all", "of": [{"kind": "count", "value": 1}, {"kind": "parity", "value": 0}]},
    {"kind": "all", "of": [{"kind": "count", "value": 1}, {"kind": "linear"}]},
    {"kind": "count", "value": 1, "sample": "1/3"},
    {"kind": "histogram", "sample": "2/3"},
    {"kind": "sum", "then": [{"rows": [{"input": 2, "outputs": {"x": "1/3", "y": "2/3"}}], "otherwise": "x"}]},
    {"kind": "randomized-response", "keep": "1/2"},
    {"kind": "constant", "output": "c"},
    {"kind": "part", "records": [0], "of": {"kind": "count", "value": 1}},
    {"kind": "all", "of": [{"kind": "part", "records": [0], "of": {"kind": "sum"}}, {"kind": "parity", "value": 1}]},
    {"kind": "adaptive", "first": {"kind": "parity", "value": 1}, "next": {"0": {"kind": "count", "value": 1}},
     "otherwise": {"kind": "count", "value": 0, "sample": "1/3"}},
    {"kind": "choice", "of": [{"weight": "1/3", "mechanism": {"kind": "count", "value": 1}},
                              {"weight": "2/3", "mechanism": {"kind": "parity", "value": 0, "sample": "1/2"}}]},
    {"kind": "choice", "shown": True, "of": [
        {"weight": "1/4", "mechanism": {"kind": "sum", "then": [{"kind": "geometric-noise", "p": "1/2"}]}},
        {"weight": "3/4", "mechanism": {"kind": "part", "of": {"kind": "minimum"}}}]},
]  # fmt: skip


def weighted(mechanism: dict[str, Any], size: int) -> dict[str, Any]:
    if mechanism["kind"] == "linear":
        return {**mechanism, "weights": [["1/2", 2, "-1/3", 1][i] for i in range(size)]}
    if mechanism["kind"] == "all":
        return {**mechanism, "of": [weighted(one, size) for one in mechanism["of"]]}
    return mechanism


@st.composite
def laws(draw: st.DrawFn, outcomes: list[Any]) -> dict[Any, str]:
    weights = draw(st.lists(st.integers(0, 3), min_size=len(outcomes), max_size=len(outcomes)).filter(any))
    return {v: f"{w}/{sum(weights)}" for v, w in zip(outcomes, weights, strict=True)}


@st.composite
def shapes(draw: st.DrawFn, values: list[int], size: int) -> dict[str, Any]:
    kind = draw(st.sampled_from(["iid", "independent", "groups", "network", "table"]))
    if kind == "iid":
        return {"iid": draw(laws(values))}
    if kind == "independent":
        return {"independent": [draw(laws(values)) for _ in range(size)]}
    if kind == "network":
        nodes = [{"record": 0, "table": draw(laws(values))}]
        for i in range(1, size):
            if draw(st.booleans()):
                nodes.append({"record": i, "table": draw(laws(values))})
            else:
                rows = [{"when": [v], "table": draw(laws(values))} for v in values]
                nodes.append({"record": i, "given": [draw(st.integers(0, i - 1))], "rows": rows})
        return {"network": nodes}
    if kind == "groups" and size > 1:
        pairs = [
            {"database": list(d), "probability": p} for d, p in draw(laws(list(product(values, repeat=2)))).items()
        ]
        parts: list[dict[str, Any]] = [{"size": 2, "times": size // 2, "table": pairs}]
        if size % 2:
            parts.insert(draw(st.integers(0, 1)), {"iid": draw(laws(values))})
        return {"groups": parts}
    every = draw(laws(list(product(values, repeat=size))))
    return {"table": [{"database": list(d), "probability": p} for d, p in every.items()]}


@st.composite
def models(draw: st.DrawFn) -> dict[str, Any]:
    values = draw(st.sampled_from(VALUES))
    size = draw(st.integers(1, 4 if len(values) == 2 else 3))
    mixed = draw(st.booleans())
    distribution = draw(shapes(values, size))
    if mixed:
        parts = [
            {"name": "x", "weight": "1/3", **distribution},
            {"name": "y", "weight": "2/3", **draw(shapes(values, size))},
        ]
        distribution = {"mixture": parts}
    knowledge: dict[str, Any] | None = draw(
        st.sampled_from([None, {"records": draw(st.lists(st.integers(0, size - 1), unique=True, max_size=size))}])
    )
    if mixed and draw(st.booleans()):
        knowledge = {"kind": "component"}
    mechanism = weighted(draw(st.sampled_from(MECHANISMS)), size)
    keys = {"size": size, "values": values, "distribution": distribution, "mechanism": mechanism}
    if draw(st.integers(0, 3)) == 0:
        some = st.lists(st.integers(0, size - 1), unique=True, max_size=size)
        return {**keys, "knowledge": [{"records": draw(some)}, {"name": "other", **(knowledge or {"records": [0]})}]}
    return keys if knowledge is None else {**keys, "knowledge": knowledge}


def is_plain(keys: dict[str, Any]) -> bool:
    """Whether both engines list knowledge values in one order, and name outputs alike."""
    shape = keys["distribution"]
    return ("iid" in shape or "independent" in shape) and "geometric-noise" not in str(keys["mechanism"])


@settings(max_examples=60)
@given(models(), st.sampled_from(["np", "ppkdp", "cdp", "dp", "ibcdp", "tail-ppkdp", "tail-cdp", "tail-dp"]))
def test_the_sums_give_the_answers_of_the_table(keys: dict[str, Any], definition: str) -> None:
    model = pk.build(**keys)
    table, sums = Engine(model, force="rows"), Engine(model, force="sum")
    for reading in ("default", "one-order"):
        for epsilon, delta in (("ln(3/2)", "1/20"), ("1/10", 0), ("inf", "1/3"), (None, 0)):
            one, other = (
                pk.check(model, definition, epsilon=epsilon, reading=reading, delta=delta, engine=e, replay=False)
                for e in (table, sums)
            )
            assert other.method == "sum" or other.verdict == "vacuous"
            noisy = definition == "ibcdp" and "noise" in str(keys["mechanism"])  # tails of noise are lumped otherwise
            for key in ("verdict", "tight_delta", "tight_epsilon", *(() if noisy else ("multiplicity", "empty"))):
                assert getattr(one, key) == getattr(other, key), key
            if one.tight_epsilon is not None:
                assert one.profile == other.profile
            if is_plain(keys) and "ppkdp" not in definition:
                mine, its = one.witness or one.tightest, other.witness or other.tightest
                assert (mine and mine.to_json()) == (its and its.to_json())
            elif other.witness is not None and epsilon == "ln(3/2)" and "ppkdp" not in definition:
                found = other.witness
                assert isinstance(found.probability_a, Fraction)
                assert isinstance(found.probability_b, Fraction)
                q = 0 if definition.startswith("tail-") else found.probability_b
                assert found.value == found.probability_a - Fraction(3, 2) * q


@given(models())
def test_every_answer_of_the_sums_is_derived_again(keys: dict[str, Any]) -> None:
    model = pk.build(**keys)
    engine = Engine(model, force="sum")
    for definition in ("np", "ppkdp", "cdp"):
        answer = pk.check(model, definition, epsilon="ln(2)", delta="1/7", engine=engine)
        statistic = model.mechanism.statistic
        named = statistic is not None and statistic.operations is not None
        assert answer.replayed is (True if named else None)


@given(models())
def test_losses_are_those_of_the_table(keys: dict[str, Any]) -> None:
    if not is_plain(keys):
        return
    model = pk.build(**keys)
    one, other = (loss(model, record=0, engine=Engine(model, force=way)) for way in ("rows", "sum"))
    mine = {(row.distribution, row.knowledge): row for row in one.knowledge}
    for found in other.knowledge:
        its = mine[found.distribution, found.knowledge]
        assert (found.rows, found.excludes) == (its.rows, its.excludes)
    assert sum(found.probability for found in other.knowledge) == len(model.thetas)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("definition", ["np", "ppkdp", "cdp", "dp"])
@pytest.mark.parametrize("mechanism", [m for m in MECHANISMS if m["kind"] != "randomized-response"], ids=str)
def test_all_small_databases_of_pairs(definition: str, mechanism: dict[str, Any]) -> None:
    """Two pairs of which one value each is known, and a mixture that says the same twice."""
    pair = [
        {"database": list(d), "probability": p}
        for d, p in zip(product([0, 1], repeat=2), ["1/2", "1/8", "1/8", "1/4"], strict=True)
    ]
    shape = {"groups": [{"size": 2, "times": 2, "table": pair}]}
    for distribution in (
        shape,
        {"mixture": [{"weight": "1/2", **shape}, {"weight": "1/2", "iid": {0: "1/3", 1: "2/3"}}]},
    ):
        keys: dict[str, Any] = {
            "size": 4,
            "values": [0, 1],
            "distribution": distribution,
            "knowledge": {"records": [0, 2]},
        }
        model = pk.build(**keys, mechanism=weighted(mechanism, 4))
        one, other = (
            pk.check(model, definition, epsilon="ln(2)", engine=Engine(model, force=way), replay=False)
            for way in ("rows", "sum")
        )
        assert (one.tight_delta, one.profile, one.multiplicity) == (
            other.tight_delta,
            other.profile,
            other.multiplicity,
        )


def test_a_thousand_voters() -> None:
    """No table has 2^1000 rows; the law of the count is a binomial one."""
    model = pk.build(
        size=1000,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        mechanism={"kind": "count", "value": 1},
    )
    engine = Engine(model)
    answer = pk.check(model, "np", epsilon="inf", engine=engine)
    assert (answer.method, answer.replayed, answer.comparisons, answer.multiplicity) == ("sum", True, 2, 2000)
    assert answer.tight_delta == Fraction(1, 2**999)
    # P[count = k | 0]/P[count = k | 1] = (1000 - k)/k is above 2 for k ≤ 333
    wanted = sum(Fraction(comb(999, k) - 2 * (comb(999, k - 1) if k else 0), 2**999) for k in range(334))
    assert pk.check(model, "np", epsilon="ln(2)", engine=engine).tight_delta == wanted


def test_which_engine_is_taken() -> None:
    def method(size: int, **more: Any) -> str:
        model = pk.build(size=size, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, **more)
        return Engine(model).method

    count: dict[str, Any] = {"mechanism": {"kind": "count", "value": 1}}
    assert [method(size, **count) for size in (4, 9, 10, 15, 400, 10**7)] == [*["table"] * 2, *["sum"] * 3, "enclosure"]
    assert method(16, mechanism={"kind": "identity"}) == "table"  # a sum with as many totals as worlds
    assert method(16, mechanism=lambda votes: votes[0]) == "table"
    assert method(400, **count, knowledge={"kind": "parity", "value": 1}) == "table"


# --- what a review found ------------------------------------------------------------------------------------

COIN = {0: "1/2", 1: "1/2"}
COUNT = {"kind": "count", "value": 1}


def both(definition: str, epsilon: str | None = "ln(2)", reading: str = "default", **keys: Any) -> list[pk.Verdict]:
    model = pk.build(**keys)
    return [
        pk.check(
            model, definition, epsilon=epsilon, reading=reading, engine=Engine(model, force=way), replay=way == "sum"
        )
        for way in ("rows", "sum")
    ]


@pytest.mark.parametrize("size", [1, 11, pytest.param(15, marks=pytest.mark.sweep(0))])
def test_totals_that_are_far_apart(size: int) -> None:
    one, other = both(
        "np",
        size=size,
        values=[0, 10**9],
        distribution={"iid": {0: "1/2", 10**9: "1/2"}},
        mechanism={"kind": "sum"},
    )
    assert (one.tight_delta, one.profile) == (other.tight_delta, other.profile)


def test_a_lost_law_with_noise_names_the_outputs_of_the_mechanism() -> None:
    one, other = both(
        "ppkdp",
        "1/10",
        "infinite-loss",
        size=2,
        values=[0, 1],
        distribution={"iid": {0: "1/3", 1: "2/3"}},
        knowledge={"records": [0, 1]},
        mechanism={"kind": "sum", "then": [{"kind": "geometric-noise", "p": "2/3"}]},
    )
    assert one.tight_delta == other.tight_delta == 1
    assert one.witness is not None
    assert other.witness is not None
    assert {o.text for t in other.witness.terms or () for o in t.event} == {"0", "1", "2", "< 0", "> 2"}


def test_groups_that_become_too_large_are_left_to_the_table() -> None:
    rows = [{"database": [v] * 15, "probability": "1/2"} for v in (0, 1)]
    parts = [{"weight": "1/2", "table": rows}, {"weight": "1/2", "iid": COIN}]
    model = pk.build(size=15, values=[0, 1], distribution={"mixture": parts}, mechanism=COUNT)
    answer, forced = (
        pk.check(model, "np", epsilon="0", engine=engine, replay=False)
        for engine in (Engine(model), Engine(model, force="columns"))
    )
    assert answer.method == "table"
    assert answer.tight_delta == forced.tight_delta


def test_work_that_would_not_end_is_refused() -> None:
    parity = pk.build(size=10**6, values=[0, 1], distribution={"iid": COIN}, mechanism={"kind": "parity", "value": 1})
    told = pk.build(size=10**6, values=[0, 1], distribution={"iid": COIN}, mechanism={"kind": "identity"})
    for model in (parity, told):
        with pytest.raises(pk.LimitError):
            pk.check(model, "np", epsilon=1, replay=False)
    few = pk.build(size=2, values=[0, 1], distribution={"iid": COIN}, mechanism=COUNT)
    with pytest.raises(pk.LimitError, match="inf"):
        pk.check(few, "np", epsilon=10**20)


def test_groups_of_independent_records_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mixture of a million independent records is refused by its size, before any list of a million is made."""
    coins = [{"weight": "1/2", "iid": {0: p, 1: q}} for p, q in (("1/2", "1/2"), ("1/3", "2/3"))]
    model = pk.build(
        size=10**6, values=[0, 1], distribution={"mixture": coins}, mechanism={"kind": "count", "value": 1}
    )
    monkeypatch.setattr("verifier.engine.sums.components", None)
    assert supports(model)
    with pytest.raises(pk.LimitError, match="worlds, more than the limit"):
        pk.check(model, "np")
