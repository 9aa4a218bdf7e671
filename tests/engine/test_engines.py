"""Every source of laws gives the answers of the worlds that are listed one by one, `==`; which source is taken."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import VALUES, composed, kinds, knowledges, shapes, steps, table_of, weights

import verifier as pk
from verifier.engine import Engine
from verifier.engine.sums import supports
from verifier.questions.losses import loss
from verifier.tables.columns import WideColumn
from verifier.wings.explore.open_documents import OpenDocuments

pytestmark = pytest.mark.quick

COIN = {0: "1/2", 1: "1/2"}
COUNT = {"kind": "count", "value": 1}
KNOWN = {
    "size": 3,
    "values": [0, 1],
    "distribution": {"iid": COIN},
    "knowledge": {"records": [0, 1, 2]},
    "mechanism": {"kind": "maximum"},
}
IN_CLASSES = {
    "size": 3,
    "values": [0, 1, 2],
    "distribution": {"iid": {0: "1/6", 1: "1/3", 2: "1/2"}},
    "knowledge": {"records": [0, 1]},
    "sensitive": {"records": [2]},
    "mechanism": {"kind": "threshold-count", "value": 1, "above": 1},
}
"""Several values of the known records leave the same, and weigh together."""
SHAPES = ("iid", "independent", "network", "table", "chain", "counts", "groups", "mixture")
ASKED = [
    *(("ln(3/2)", "1/20"), ("1/10", "0"), ("inf", "1/3"), (None, "0"), ("ln(2)", "0"), ("0", "0"), (None, "1/20")),
    *(("ln(3/2)", "1/10"), ("1/3", "1/7")),
]


def voters(size: int, **more: Any) -> pk.Model:
    """Records that are 1 with probability 1/10."""
    return pk.build(**{**document(size), **more})


def document(size: int, **more: Any) -> dict[str, Any]:
    keys = {"size": size, "values": [0, 1], "distribution": [{"iid": {"0": "9/10", "1": "1/10"}}], "mechanism": COUNT}
    return {**keys, **more}


# --- random models ----------------------------------------------------------------------------------------


def parts(values: list[Any], size: int) -> Any:
    """Mechanisms that are a sum over the records, but for what a step makes of it."""
    plain = kinds(values, size)
    return st.one_of(plain, plain.flatmap(lambda spec: steps(spec, values, size)))


@st.composite
def mechanisms(draw: st.DrawFn, values: list[Any], size: int) -> dict[str, Any]:
    which = draw(st.sampled_from(["part", "part", "composed", "all"]))
    if which == "all":
        return {"kind": "all", "of": [draw(parts(values, size)) for _ in "12"]}
    return draw(parts(values, size) if which == "part" else composed(values, size, parts))


@st.composite
def distributions(draw: st.DrawFn, values: list[Any], size: int, among: tuple[str, ...]) -> dict[str, Any]:
    kind = draw(st.sampled_from(among))
    if kind == "mixture":
        inside = distributions(values, size, SHAPES[:-1])
        return {"mixture": [{"name": n, "weight": w, **draw(inside)} for n, w in (("up", "1/3"), ("down", "2/3"))]}
    if kind != "groups":
        return draw(shapes(values, size, (kind,)))[0]
    pairs, single = (draw(shapes(values, n, (shape,)))[0] for n, shape in ((2, "table"), (1, "iid")))
    listed = [{"size": 2, "times": size // 2, **pairs}] if size > 1 else []
    return {"groups": draw(st.permutations([*listed, *([single] if size % 2 else [])]))}


@st.composite
def models(draw: st.DrawFn, among: tuple[str, ...] = SHAPES) -> dict[str, Any]:
    """Small models in which mechanism and knowledge are sums over the records, mostly."""
    values = draw(st.sampled_from(VALUES))
    size = draw(st.integers(1, 4 if len(values) == 2 else 3))
    keys: dict[str, Any] = {"size": size, "values": values, "mechanism": draw(mechanisms(values, size))}
    keys["distribution"] = draw(distributions(values, size, among))
    if draw(st.booleans()):  # the worst of all records hides what is wrong of another
        keys["sensitive"] = {"records": [draw(st.integers(0, size - 1))]}
    some = st.lists(st.integers(0, size - 1), unique=True, max_size=size).map(lambda known: {"records": known})
    known = draw(st.one_of(some, some, knowledges(values, size, deterministic=True)))
    if "mixture" in keys["distribution"] and draw(st.booleans()):
        known = {"kind": "component"}
    if draw(st.integers(0, 3)) == 0:
        return {**keys, "knowledge": [draw(some), {"name": "other", **(known or {"records": [0]})}]}
    return keys if known is None else {**keys, "knowledge": known}


@st.composite
def larger(draw: st.DrawFn) -> dict[str, Any]:
    """Models of five to eight records, whose weights are long."""
    values = draw(st.sampled_from(VALUES))
    size = draw(st.integers(5, 8 if len(values) == 2 else 5))
    laws = [table_of(values, draw(weights(len(values), 10**12))) for _ in range(size)]
    shares = {"mixture": [{"weight": "2/7", "independent": laws}, {"weight": "5/7", "iid": laws[0]}]}
    known = draw(st.lists(st.sampled_from(range(size)), unique=True, max_size=3))
    return {
        "size": size,
        "values": values,
        "distribution": draw(st.sampled_from([{"independent": laws}, shares])),
        "knowledge": draw(st.sampled_from([{"records": known}, {"kind": "count", "value": values[0]}])),
        "sensitive": {"records": [draw(st.integers(0, size - 1))]},
        "mechanism": draw(mechanisms(values, size)),
    }


def is_plain(keys: dict[str, Any]) -> bool:
    """Whether sums list knowledge values in the order of a table, and name outputs alike."""
    shape = keys["distribution"]
    return ("iid" in shape or "independent" in shape) and "geometric-noise" not in str(keys["mechanism"])


def asked(engine: Engine, definition: str, question: tuple[str | None, str], reading: str, **more: Any) -> pk.Verdict:
    """The answer of one source; what it cannot list is not looked at."""
    epsilon, delta = question
    try:
        found = pk.check(engine.model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine, **more)
    except pk.LimitError:
        assume(condition=False)
        raise
    assume(found.verdict != "unsupported")
    return found


@settings(max_examples=45)
@given(
    st.one_of(models(), models(), models(), larger()),
    st.sampled_from(["np", "apkdp", "ppkdp", "cdp", "ibcdp", "tail-ppkdp", "tail-cdp"]),
)
def test_columns_give_the_answers_of_the_rows(keys: dict[str, Any], definition: str) -> None:
    model = pk.build(**keys)
    for question in at_least_one(ASKED[:4]):
        one, other = (
            asked(Engine(model, force=way), definition, question, "default", replay=False)
            for way in ("columns", "rows")
        )
        assert one.to_json() == other.to_json()
        assert one.tight_epsilon is None or one.profile == other.profile


@settings(max_examples=90)
@given(models(), st.sampled_from(["np", "ppkdp", "cdp", "dp", "ibcdp", "tail-ppkdp", "tail-cdp", "tail-dp"]))
@example(KNOWN, "ibcdp")
@example(IN_CLASSES, "ppkdp")
def test_the_sums_give_the_answers_of_the_table(keys: dict[str, Any], definition: str) -> None:
    """And the checker derives them again."""
    model = pk.build(**keys)
    assume(supports(model))
    rows, sums = Engine(model, force="rows"), Engine(model, force="sum")
    for reading, question in at_least_one(product(("default", "one-order"), ASKED[:4])):
        derived = definition in {"np", "ppkdp", "cdp"} and question == ASKED[0]
        one = asked(rows, definition, question, reading, replay=False)
        other = asked(sums, definition, question, reading, replay=derived)
        assert other.method == "sum" or other.verdict == "vacuous"
        assert not derived or other.replayed
        noisy = definition == "ibcdp" and "noise" in str(keys["mechanism"])  # tails of noise are lumped otherwise
        for key in ("verdict", "tight_delta", "tight_epsilon", *(() if noisy else ("multiplicity", "empty"))):
            assert getattr(one, key) == getattr(other, key), key
        if one.tight_epsilon is not None:
            assert one.profile == other.profile
        if is_plain(keys) and "ppkdp" not in definition:
            mine, its = one.witness or one.tightest, other.witness or other.tightest
            assert (mine and mine.to_json()) == (its and its.to_json())


@given(models(("iid", "independent")).filter(is_plain))
def test_losses_are_those_of_the_table(keys: dict[str, Any]) -> None:
    model = pk.build(**{key: value for key, value in keys.items() if key != "sensitive"})
    assume(supports(model))
    one, other = (loss(model, record=0, engine=Engine(model, force=way)) for way in ("rows", "sum"))
    mine = {(row.distribution, row.knowledge): row for row in one.knowledge}
    for found in other.knowledge:
        its = mine[found.distribution, found.knowledge]
        assert (found.rows, found.excludes) == (its.rows, its.excludes)
    assert sum(found.probability for found in other.knowledge) == len(model.thetas)


def shown(answer: pk.Verdict, *, events: bool) -> dict[str, Any]:
    """The answer, but for the way it was found and the contexts of a simulator, of which one stands for many.

    Without `events` also for the outputs of its tests: of noisy ones a part may prove as much as all. So may each of
    several outputs that a simulator may never answer, where ε is infinite.
    """
    found = answer.to_json(10**6)
    for evidence in (found["witness"], found["tightest"]):
        if evidence:
            evidence["simulator"] = {str(one["answers"]) for one in evidence["simulator"] or ()}
            any_event = not events or evidence["at_epsilon"] == "inf"
            evidence["tests"] = len(evidence["tests"] or ()) if any_event else evidence["tests"]
    return {key: value for key, value in found.items() if key not in {"method", "replayed"}}


@settings(max_examples=45)
@given(
    models(("iid", "independent")),
    st.sampled_from(ASKED),
    st.sampled_from(["default", "per-distribution", "per-knowledge"]),
)
def test_a_simulator_without_a_table_is_that_of_the_table(keys: dict[str, Any], question: Any, reading: str) -> None:
    model = pk.build(**keys)
    assume(supports(model))
    answers = [asked(Engine(model, force=way), "ddp", question, reading) for way in ("sum", "rows")]
    one, other = (shown(answer, events=is_plain(keys)) for answer in answers)
    assert one == other


# --- large models, and the way that is taken --------------------------------------------------------------


def test_a_thousand_voters() -> None:
    """No table has 2^1000 rows; the law of the count is a binomial one."""
    engine = Engine(voters(1000, distribution={"iid": COIN}))
    answer = pk.check(engine.model, "np", epsilon="inf", engine=engine)
    assert (answer.method, answer.replayed, answer.comparisons, answer.multiplicity) == ("sum", True, 2, 2000)
    assert answer.tight_delta == Fraction(1, 2**999)
    # P[count = k | 0]/P[count = k | 1] = (1000 - k)/k is above 2 for k ≤ 333
    wanted = sum(Fraction(comb(999, k) - 2 * (comb(999, k - 1) if k else 0), 2**999) for k in range(334))
    assert pk.check(engine.model, "np", epsilon="ln(2)", engine=engine).tight_delta == wanted


def test_of_a_count_the_simulator_is_half_way() -> None:
    """At ε = 0 the smallest δ is half of the distance between both laws; no law of a count can be imitated at δ = 0."""
    size = 300
    answer = pk.check(voters(size), "ddp", epsilon=0)
    law = [Fraction(comb(size - 1, k) * 9 ** (size - 1 - k), 10 ** (size - 1)) for k in range(size)]
    none = Fraction(0)
    distance = sum((max(none, x - y) for x, y in zip([*law, none], [none, *law], strict=True)), none)
    assert answer.tight_delta == distance / 2
    assert (answer.method, str(answer.tight_epsilon)) == ("sum", "inf")
    assert answer.comparisons == 4 * size


def test_which_engine_is_taken() -> None:
    assert [Engine(voters(size)).method for size in (4, 9, 10, 15, 400, 10**7)] == [
        *["table"] * 2, *["sum"] * 3, "enclosure",
    ]  # fmt: skip
    for size, more in (
        (16, {"mechanism": {"kind": "identity"}}),  # a sum with as many totals as worlds
        (16, {"mechanism": lambda votes: votes[0]}),
        (400, {"knowledge": {"kind": "parity", "value": 1}}),
    ):
        assert Engine(voters(size, **more)).method == "table"


@pytest.mark.sweep(2)
@pytest.mark.parametrize("known", [0, 2])
def test_no_number_of_voters_is_left_out(known: int) -> None:
    """The page and the command line answer each of them, and the way does not go back and forth."""
    ways = []
    for size in [*range(1, 30, 2), 60, 100, 300, 1000, 4000, 4096, 7000, 100_000]:
        more = {"knowledge": {"records": list(range(min(known, size)))}} if known else {}
        opened = OpenDocuments().open(document(size, **more))
        ways.append(opened.engine.method)
        Engine(opened.model).admit()
    assert ways == sorted(ways, key=["table", "sum", "enclosure"].index)
    assert set(ways) == {"table", "sum", "enclosure"}


def test_the_cost_is_known_before_any_work() -> None:
    engine = Engine(voters(21, mechanism={"kind": "identity"}))
    assert engine.method == "table"
    assert "2,097,152 worlds, 21 protected, 2 values" in str(engine.table_cost)
    assert engine.milliseconds > 10_000
    assert Engine(voters(1000)).milliseconds < 1000


def test_groups_that_become_too_large_are_left_to_the_table() -> None:
    rows = [{"database": [v] * 15, "probability": "1/2"} for v in (0, 1)]
    model = voters(15, distribution={"mixture": [{"weight": "1/2", "table": rows}, {"weight": "1/2", "iid": COIN}]})
    answer, forced = (
        pk.check(model, "np", epsilon="0", engine=engine, replay=False)
        for engine in (Engine(model), Engine(model, force="columns"))
    )
    assert answer.method == "table"
    assert answer.tight_delta == forced.tight_delta


# --- refusals ---------------------------------------------------------------------------------------------


def test_the_fast_engine_refuses_what_it_cannot_do() -> None:
    engine = Engine(voters(1, mechanism=lambda votes: votes[0]), force="columns")
    with pytest.raises(pk.UnsupportedError):
        engine.factual(engine.model.thetas[0], engine.model.secrets[0])


def test_too_large_a_model_is_refused_before_the_work() -> None:
    model = voters(40)
    with pytest.raises(pk.LimitError, match=r"1,099,511,627,776 worlds"):
        pk.check(model, "apkdp", epsilon=0, engine=Engine(model, force="table"))
    assert pk.check(model, "apkdp", epsilon=0).method == "sum"
    few = voters(3, mechanism={"kind": "identity"})
    with pytest.raises(pk.LimitError):
        pk.check(few, "apkdp", epsilon=0, engine=Engine(few, max_rows=7))
    assert pk.check(few, "apkdp", epsilon=0, engine=Engine(few, max_rows=8)).verdict == "fails"


def test_work_that_would_not_end_is_refused() -> None:
    for mechanism in ({"kind": "parity", "value": 1}, {"kind": "identity"}):
        with pytest.raises(pk.LimitError):
            pk.check(voters(10**6, mechanism=mechanism), "np", epsilon=1, replay=False)
    with pytest.raises(pk.LimitError, match="inf"):
        pk.check(voters(2), "np", epsilon=10**20)


def test_groups_of_independent_records_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mixture of a million independent records is refused by its size, before any list of a million is made."""
    coins = [{"weight": "1/2", "iid": {0: p, 1: q}} for p, q in (("1/2", "1/2"), ("1/3", "2/3"))]
    model = voters(10**6, distribution={"mixture": coins})
    monkeypatch.setattr("verifier.engine.sums.components", None)
    assert supports(model)
    with pytest.raises(pk.LimitError, match="worlds, more than the limit"):
        pk.check(model, "np")


def test_what_is_too_much_for_a_simulator_is_refused_before_the_work() -> None:
    law = {"iid": dict.fromkeys(range(100), "1/100")}
    identity = pk.build(size=2, values=list(range(100)), distribution=law, mechanism={"kind": "identity"})
    for model in (identity, voters(60_000)):
        with pytest.raises(pk.LimitError, match=r"numbers|outputs|values"):
            pk.check(model, "ddp")


# --- columns of long numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [62, 63, 64, 120, 126])
def test_wide_columns_do_not_overflow_at_the_widest_limb(bits: int) -> None:
    import numpy as np

    for length in (1, 2, 3, 4, 5, 1023, 1024, 1025):
        full = [(1 << bits) - 1 - k % 2 for k in range(length)]
        assert WideColumn.of(full).grouped(np.zeros(length, dtype=np.int64), 1) == [sum(full)]
