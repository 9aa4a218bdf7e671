"""Several runs of a mechanism: the curve of the plain list of outputs, k·ε for DP, Theorem 6, and what explodes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.errors import InputError, LimitError
from verifier.model.compose import compose, with_mechanism
from verifier.model.library import models_folder
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order, reals
from verifier.wings.implications.compose import proportional
from verifier.wings.implications.compose import runs as composing
from verifier.wings.implications.compose.runs import compose_runs, runs_of

FOLDER = models_folder() / "composition"
BITS: dict[str, Any] = {"size": 2, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}}
RESPONSE = pk.build(**BITS, mechanism={"kind": "randomized-response", "keep": "1/2"})


def few_outputs(model: pk.Model) -> bool:
    return all(len(model.mechanism.law(d).outcomes) <= 4 for d in model.mechanism.all_databases())


@given(case=cases(max_size=2), times=st.sampled_from((2, 3)))
@settings(max_examples=40)
def test_the_curve_is_that_of_the_plain_list(case: Case, times: int) -> None:
    """Lists that differ in their order alone are one output: the curve is that of `kind = "all"`."""
    model = pk.build(**case.keys)
    assume(few_outputs(model))
    plain = with_mechanism(model, compose(*[model.mechanism] * times))
    for composed in at_least_one(compose_runs(model, times).definitions):
        answer = pk.check(plain, composed.definition)
        together = composed.together
        assert (answer.verdict, answer.tight_epsilon) == (together.verdict, together.tight_epsilon)
        assert answer.has_profile == together.has_profile
        if answer.has_profile:
            assert answer.profile == together.profile


@given(case=cases(max_size=2), times=st.sampled_from((2, 3)))
@settings(max_examples=40)
def test_added_parameters_are_enough_for_dp_and_theorem_6_for_apkdp(case: Case, times: int) -> None:
    model = pk.build(**case.keys)
    assume(few_outputs(model))
    for composed in at_least_one(compose_runs(model, times, definitions=("dp", "apkdp")).definitions):
        exact = composed.together.tight_epsilon
        if composed.definition == "dp":
            assert composed.exceeds is False or composed.together.verdict in {"unsupported", "vacuous"}
            assert not any(point.exceeds for point in composed.points)
        elif composed.theorem_epsilon is not None and isinstance(exact, Epsilon):
            assert not composed.theorem_epsilon < exact
            assert composed.printed_epsilon is None or not composed.printed_epsilon < composed.theorem_epsilon
        for point in composed.points:
            if point.theorem_delta is not None and isinstance(point.exact_delta, Delta):
                assert point.exact_delta <= point.theorem_delta


def test_two_runs_tell_what_one_hides() -> None:
    model = pk.read(FOLDER / "two-runs.toml")
    answers = {composed.definition: composed for composed in compose_runs(model, 2).definitions}
    for name in ("np", "apkdp", "ppkdp", "cdp"):
        assert (str(answers[name].single.tight_epsilon), answers[name].together.tight_epsilon) == ("ln(2)", INFINITY)
        assert answers[name].exceeds
    assert not answers["dp"].exceeds
    assert answers["apkdp"].theorem_epsilon == INFINITY


def deterministic(size: int) -> list[dict[tuple[int, ...], str]]:
    databases = list(product((0, 1), repeat=size))
    return [dict(zip(databases, outputs, strict=True)) for outputs in product("uv", repeat=len(databases))]


def exploding_pairs(size: int, records: list[int]) -> list[tuple[Any, Any]]:
    """Pairs of deterministic mechanisms with a finite ε each, together with none."""
    keys = {**BITS, "size": size, "sensitive": {"records": records}}

    def needs(*tables: dict[tuple[int, ...], str]) -> object:
        model = pk.build(**keys, mechanism=lambda d: "".join(table[d] for table in tables))
        return pk.check(model, "np", replay=False).tight_epsilon

    private = [table for table in deterministic(size) if needs(table) != INFINITY]
    return [(x, y) for x, y in product(private, repeat=2) if needs(x, y) == INFINITY]


def test_the_smallest_pair_of_mechanisms() -> None:
    """Deterministic mechanisms first: none on one bit, none on two bits that are both protected; then the bundled."""
    assert exploding_pairs(1, [0]) == []
    assert exploding_pairs(2, [0, 1]) == []
    pairs = exploding_pairs(2, [0])
    parity = {d: "uv"[sum(d) % 2] for d in product((0, 1), repeat=2)}
    second = {d: "uv"[d[1]] for d in product((0, 1), repeat=2)}
    assert (parity, second) in pairs
    assert len(pairs) == 8
    assert pk.check(pk.read(FOLDER / "smallest-pair.toml"), "np").tight_epsilon == INFINITY


def test_limits_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(proportional, "_lists", never)
    with pytest.raises(LimitError, match="probabilities"):
        runs_of(pk.build(**{**BITS, "size": 4}, mechanism={"kind": "randomized-response", "keep": "1/2"}), 20)
    with pytest.raises(LimitError, match="databases"):
        runs_of(pk.build(**{**BITS, "size": 40}, mechanism={"kind": "sum"}), 2)
    for times in (1, 0, 65, "2", True):
        with pytest.raises(InputError, match="an integer from 2 to 64"):
            compose_runs(RESPONSE, times)  # type: ignore[arg-type]


def test_unsupported_and_vacuous_definitions_are_said() -> None:
    known = pk.build(**BITS, knowledge={"records": [0, 1]}, mechanism={"kind": "sum"})
    answers = {composed.definition: composed for composed in compose_runs(known, 2).definitions}
    assert answers["np"].together.verdict == "vacuous"
    assert answers["dp"].together.verdict != "vacuous"
    assert answers["np"].exceeds is None


def test_epsilons_are_added_exactly() -> None:
    assert str(composing.sum_of(pk.epsilon("ln(2)"), pk.epsilon("ln(3)"))) == "ln(6)"
    assert composing.sum_of(ZERO, INFINITY) == INFINITY
    assert composing.sum_of(pk.epsilon("1/2"), pk.epsilon("1/2")) == 1
    assert composing.sum_of(pk.epsilon("1/2*ln(2)"), pk.epsilon("1/3*ln(3)")) == "1/6*ln(72)"
    assert composing.sum_of(pk.epsilon("1/2*ln(2)"), ZERO) == "1/2*ln(2)"
    assert composing.sum_of(ZERO, pk.epsilon("1/2")) == "1/2"
    assert composing.sum_of(pk.epsilon("1/2"), pk.epsilon("ln(3)")) is None
    assert composing.sum_of(None, ZERO) is None
    assert reals.times(pk.epsilon("1/2*ln(2)"), Fraction(2)) == pk.epsilon("ln(2)")
    assert Fraction(1) == reals.times(ZERO, Fraction(3)).exp


def test_nothing_to_compare_is_no_addition() -> None:
    """A definition that is not decided here, alone, is neither `adds` nor `exceeds`; beside another it is a note."""
    model = pk.read(FOLDER / "two-runs.toml")
    nothing = compose_runs(model, 2, definitions=["bldp"])
    assert (nothing.verdict, nothing.exit_status) == ("unsupported", 3)
    both = compose_runs(model, 2, definitions=["bldp", "dp"])
    assert (both.verdict, both.exit_status) == ("adds", 0)


def test_a_comparison_that_is_open_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = compose_runs(RESPONSE, 2, definitions=["dp"])
    assert answer.verdict == "adds"
    monkeypatch.setattr(Delta, "order", lambda *_: Order.UNDECIDED)
    assert {point.exceeds for point in answer.definitions[0].points} == {None}
    assert (answer.verdict, answer.exit_status) == ("undecided", 3)


def test_theorem_6_is_left_out_where_its_runs_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of m outputs two runs have m(m + 1)/2 lists, each of which meets m outputs of the third run."""
    model = pk.read(FOLDER / "two-runs.toml")
    plain = compose_runs(model, 3, definitions=["apkdp"])
    assert (plain.definitions[0].theorem_epsilon, plain.without_theorem) == (INFINITY, "")
    cells = sum(m * m * (m + 1) // 2 for m in (len(law.outcomes) for _, law in composing._laws(model)))
    monkeypatch.setattr(composing, "MOST_CELLS", cells - 1)
    limited = compose_runs(model, 3, definitions=["apkdp"])
    assert limited.definitions[0].theorem_epsilon is None
    assert limited.without_theorem.startswith("Theorem 6 is not asked: ")
    assert limited.definitions[0].together.tight_epsilon == plain.definitions[0].together.tight_epsilon
