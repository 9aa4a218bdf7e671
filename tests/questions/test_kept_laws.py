"""Laws of definitions on random models: those that are theorems are kept, those that the papers refute are broken."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import hypothesis.strategies as st
import pytest
from examined import at_least_one
from hypothesis import assume, given, settings
from strategies import Case, cases, channels, mechanisms, weights

import verifier as pk
from verifier.model.library import models_folder
from verifier.questions.laws import _sum_of_epsilons, dependence

EPSILONS = [None, "0", "ln(2)", "1/10", "inf"]
CLOSED = ["dp", "np", "apkdp", "ppkdp", "cdp"]
"""The definitions of the mean excess, closed under both axioms; beliefs and tail forms are refuted below."""
UNIFORM = {"iid": {0: "1/2", 1: "1/2"}}
BITS: dict[str, Any] = {"size": 3, "values": [0, 1], "distribution": UNIFORM}
PARITY = {"kind": "parity", "value": 1}
XOR = {"table": [{"database": [x ^ y, x, y], "probability": "1/4"} for x, y in product((0, 1), repeat=2)]}


def asked(definition: str, case: Case) -> None:
    """Definitions that do not apply to the model say nothing."""
    assume(pk.check(pk.build(**case.keys), definition).verdict in {"holds", "fails"})


@settings(max_examples=24)
@given(st.data(), cases(max_size=2), st.sampled_from(CLOSED), st.sampled_from(EPSILONS))
def test_post_processing_is_kept(data: st.DataObject, case: Case, definition: str, epsilon: str | None) -> None:
    """DMKB20, Proposition 5; DP22, Definition 3."""
    asked(definition, case)
    step = data.draw(channels(case.keys["mechanism"], case.keys["values"], case.keys["size"]))
    test = pk.keeps_post_processing(pk.build(**case.keys), definition, step, epsilon=epsilon)
    assert test.kept, test


@settings(max_examples=24)
@given(st.data(), cases(max_size=2), st.sampled_from(CLOSED), st.sampled_from(EPSILONS))
def test_convexity_is_kept(data: st.DataObject, case: Case, definition: str, epsilon: str | None) -> None:
    """DMKB20, Proposition 5; DP22, Definition 3."""
    asked(definition, case)
    quiet = mechanisms(case.keys["values"], case.keys["size"]).filter(lambda one: "noise" not in str(one))
    assume("noise" not in str(case.keys["mechanism"]))
    weight = data.draw(weights(2))[0]
    test = pk.keeps_convexity(pk.build(**case.keys), definition, data.draw(quiet), weight=weight, epsilon=epsilon)
    assert test.kept or any(one.verdict == "unsupported" for one in test.premises), test


@settings(max_examples=16)
@given(st.data(), cases(max_size=2), st.sampled_from([None, ("ln(2)", "ln(3/2)"), ("0", "1/2*ln(3)"), ("1/3", "1/3")]))
def test_dp_composes(data: st.DataObject, case: Case, epsilons: tuple[str, str] | None) -> None:
    asked("dp", case)
    other = data.draw(mechanisms(case.keys["values"], case.keys["size"]))
    test = pk.keeps_sequential(pk.build(**case.keys), "dp", other, epsilons=epsilons)
    assert test.kept or test.reason, test


@st.composite
def apart(draw: st.DrawFn) -> tuple[dict[str, Any], list[tuple[list[int], Any]]]:
    """Independent groups of records, of which some records are known, and a mechanism on each group."""
    table = [
        {"database": list(d), "probability": p}
        for d, p in zip(product([0, 1], repeat=2), draw(weights(4)), strict=True)
    ]
    groups = {"groups": [{"size": 2, "table": table}, {"iid": dict(enumerate(draw(weights(2))))}]}
    known = draw(st.lists(st.sampled_from(range(3)), unique=True))
    keys = {"size": 3, "values": [0, 1], "distribution": groups, "knowledge": {"records": known}, "mechanism": PARITY}
    return keys, [([1, 0], draw(mechanisms([0, 1], 2))), ([2], draw(mechanisms([0, 1], 1)))]


@settings(max_examples=16)
@given(apart(), st.sampled_from(CLOSED), st.sampled_from([None, "ln(2)"]))
def test_independent_parts_compose_at_no_cost(
    case: tuple[dict[str, Any], list[tuple[list[int], Any]]], definition: str, epsilon: str | None
) -> None:
    test = pk.keeps_parallel(pk.build(**case[0]), definition, case[1], epsilon=epsilon)
    assert test.kept or (test.reason and "vacuous" in test.reason), test
    assert test.measured == test.allowed


@settings(max_examples=30)
@given(cases(max_size=3))
def test_dependence_against_the_definition(case: Case) -> None:
    """P[D(0) = x, rest = y | B̂] = P[D(0) = x | B̂]·P[rest = y | B̂], cell by cell."""
    model = pk.build(**case.keys)
    assume(model.size > 1)
    rest = list(range(1, model.size))
    for theta in at_least_one(model.thetas):
        cells: dict[str, dict[tuple[Any, ...], Fraction]] = {}
        for row in case.plain.worlds[theta.name]:
            cell = cells.setdefault(row.knowledge, {})
            cell[row.database] = cell.get(row.database, Fraction(0)) + row.p
        free = True
        for cell in cells.values():
            total = sum(cell.values())
            for x, y in product({d[0] for d in cell}, {d[1:] for d in cell}):
                one = sum(p for d, p in cell.items() if d[0] == x) / total
                other = sum(p for d, p in cell.items() if d[1:] == y) / total
                free &= cell.get((x, *y), Fraction(0)) / total == one * other
        assert (dependence(model, theta, [[0], rest]) == "") == free


@given(*[st.sampled_from(["0", "ln(2)", "ln(9/4)", "1/2*ln(3)", "2/3*ln(5)", "inf"])] * 2)
def test_sums_of_epsilons(x: str, y: str) -> None:
    one, other = pk.epsilon(x), pk.epsilon(y)
    found = _sum_of_epsilons(one, other)
    if found.is_infinite:
        assert one.is_infinite or other.is_infinite
        return
    sixths = [Fraction(1) if each == 0 else each.argument ** int(6 * each.coefficient) for each in (one, other, found)]
    assert sixths[0] * sixths[1] == sixths[2]


def test_a_sum_without_a_form_is_refused() -> None:
    model = pk.build(**BITS, mechanism=PARITY)
    with pytest.raises(pk.InputError, match="two logarithms, or two rationals"):
        pk.keeps_sequential(model, "dp", PARITY, epsilons=("ln(2)", "1/3"))


# --- what the papers say fails, and what they say holds ---------------------------------------------------------


def test_uncertainty_does_not_compose() -> None:
    """DMKB20, Example 8; LQS12, section 2: each count is private alone, both together reveal a vote."""
    voters = {"size": 4, "values": [0, 1], "distribution": UNIFORM, "sensitive": {"records": [0]}}
    model = pk.build(**voters, mechanism={"kind": "count", "value": 1})
    others = {"kind": "part", "records": [1, 2, 3], "of": {"kind": "count", "value": 1}}
    for definition in ("np", "apkdp", "ppkdp"):
        test = pk.keeps_sequential(model, definition, others, epsilons=("ln(3)", "0"))
        assert (test.kept, str(test.measured), str(test.allowed)) == (False, "1", "1/8")
    assert pk.keeps_sequential(model, "dp", others).kept  # inf ≤ inf


@pytest.mark.parametrize(
    ("keys", "parts", "why"),
    [
        ({"knowledge": pk.on_records([1, 2], PARITY)}, ([0, 1], [2]), "given B = 0, the parts"),
        ({"distribution": XOR},
         ([1], [2]), "in no part"),
        ({}, ([0, 1], [1, 2]), "not disjoint"),
    ],
)  # fmt: skip
def test_parts_that_are_independent_under_theta_alone(keys: dict[str, Any], parts: Any, why: str) -> None:
    """Disjoint records, independent under θ; what is known, or a record outside, ties them together.

    Each mechanism alone tells nothing of record 0, both together reveal it (the last pair of parts overlaps).
    """
    model = pk.build(**{**BITS, "sensitive": {"records": [0]}, "mechanism": PARITY, **keys})
    test = pk.keeps_parallel(model, "np", [(records, PARITY) for records in parts])
    assert test.kept is None
    assert test.reason is not None
    assert why in test.reason
    if why != "not disjoint":
        assert [one.tight_epsilon for one in test.premises] == [0, 0]
        assert test.conclusion.tight_epsilon == "inf"


PRIOR = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
COPIES: dict[str, Any] = {"size": 2, "values": [0, 1, 2], "distribution": PRIOR, "sensitive": {"records": [0]}}
EVERY = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]


def test_beliefs_are_not_closed_under_post_processing() -> None:
    """IBCDP as printed, at ε = 0: every output names D(0), before and after it is set to 2; merged outputs do not.

    By hand: P[D(0) = 0 | M(D) ∈ {c, d}] = 3/4, and 1/4 after D(0) is set to 2, which no database has.
    """
    before, after = (pk.read(models_folder() / "composition" / f"ibcdp-{name}.toml") for name in ("tells", "merged"))
    step = {"rows": [{"input": o, "output": "u"} for o in "cd"], "otherwise": "w"}
    test = pk.keeps_post_processing(before, "ibcdp", step)
    assert (test.kept, [str(one.tight_epsilon) for one in test.premises]) == (False, ["0"])
    assert str(test.conclusion.tight_epsilon) == str(pk.check(after, "ibcdp").tight_epsilon) == "ln(3)"
    assert test.conclusion.replayed
    assert pk.keeps_post_processing(before, "ibcdp", step, reading="possible-values").kept


def coin(zero: dict[str, str], one: dict[str, str]) -> Any:
    return {"rows": [{"database": [0], "outputs": zero}, {"database": [1], "outputs": one}]}


@pytest.mark.parametrize("definition", ["dp", "apkdp", "ppkdp", "cdp"])
def test_tail_forms_are_closed_under_neither(definition: str) -> None:
    """DP22, Proposition 2 (of probabilistic DP, convexity); by hand at ε = ln(2), where the mean forms keep both."""
    base: dict[str, Any] = {"size": 1, "values": [0, 1], "distribution": UNIFORM}
    first = coin({"x": "1/2", "y": "1/4", "z": "1/4"}, {"x": "1/16", "y": "1/4", "z": "11/16"})
    step = {"rows": [{"input": "z", "output": "z"}], "otherwise": "xy"}
    low = coin({"x": "1/8", "z": "7/8"}, {"x": "1/32", "z": "31/32"})
    high = coin({"x": "1/2", "z": "1/2"}, {"x": "1/4", "z": "3/4"})
    for key, kept in ((f"tail-{definition}", False), (definition, True)):
        merged = pk.keeps_post_processing(pk.build(**base, mechanism=first), key, step, epsilon="ln(2)")
        chosen = pk.keeps_convexity(pk.build(**base, mechanism=low), key, high, epsilon="ln(2)")
        assert (merged.kept, chosen.kept) == (kept, kept)
        if not kept:
            assert [str(one) for one in (merged.allowed, merged.measured)] == ["11/16", "3/4"]
            assert [str(one) for one in (chosen.allowed, chosen.measured)] == ["1/8", "5/16"]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from verifier.cli.main import run

    first, second = (
        str(models_folder() / "composition" / f"proposition-9-{name}.toml") for name in ("first", "second")
    )
    for name, status, told in (("sequential", 1, False), ("convexity", 0, True)):
        with pytest.raises(SystemExit) as stop:
            run(["relations", "--axioms", name, first, "--with", second, "--definition", "np", "--json"])
        found = json.loads(capsys.readouterr().out)
        assert (stop.value.code, found["kept"], len(found["premises"])) == (status, told, 2)
    asked = ["relations", "--axioms", "sequential", first, "--with", second, "--definition", "np"]
    with pytest.raises(SystemExit) as stop:
        run([*asked, "--epsilon", "0", "--epsilon", "ln(2)"])
    shown = " ".join(capsys.readouterr().out.split())
    assert (stop.value.code, "sequential composition broken: found 1, allowed 0" in shown) == (1, True)


def test_a_law_that_says_nothing() -> None:
    known = pk.build(**BITS, mechanism=PARITY, knowledge={"records": [0, 1, 2]})
    test = pk.keeps_convexity(known, "np", {"kind": "sum"})
    assert (test.kept, test.reason) == (None, "np is vacuous: " + str(pk.check(known, "np").reason))
    with pytest.raises(TypeError, match="says nothing"):
        bool(test)
    with pytest.raises(pk.InputError, match="there is no step"):
        pk.keeps_post_processing(known, "np")


def test_the_examples_of_parts_and_choices() -> None:
    folder = models_folder() / "composition"
    parts = pk.read(folder / "disjoint-parts.toml")
    of = [([2 * k, 2 * k + 1], {"kind": "count", "value": 1, "then": [{"kind": "geometric-noise", "p": p}]})
          for k, p in enumerate(("1/3", "1/2"))]  # fmt: skip
    test = pk.keeps_parallel(parts, "apkdp", of, epsilon="ln(3/2)")
    assert (test.kept, test.measured) == (True, pk.check(parts, "apkdp", epsilon="ln(3/2)").tight_delta)
    hidden, told = (pk.read(folder / f"{name}.toml") for name in ("choice", "choice-shown"))
    steps = [{"rows": [{"input": f'["{k}","{v}"]', "output": v} for k in ("#1", "#2") for v in ("no", "yes")]}]
    for definition in ("apkdp", "dp"):
        after = pk.check(
            pk.with_mechanism(told, pk.post_process(told.mechanism, *steps)), definition, epsilon="ln(3/2)"
        )
        assert after.tight_delta == pk.check(hidden, definition, epsilon="ln(3/2)").tight_delta
