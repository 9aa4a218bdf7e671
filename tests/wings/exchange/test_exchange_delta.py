"""Exchange rates with δ: the worst mechanism at each ε′, the rate at δ = 0, and proved to the checker."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rates import PAIR, TWINS, agreeing
from strategies import Case, cases
from strategies_policy import PolicyModel

import verifier as pk
from verifier.definitions import find
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.numbers import log_epsilon
from verifier.wings.exchange import program as exchange_program
from verifier.wings.exchange.delta import program as delta_curve
from verifier.wings.exchange.delta.decide import exchange_delta
from verifier.wings.exchange.rate import COMPUTED, exchange
from verifier.wings.exchange.rows import linear_rows

ZERO, ONE = Fraction(0), Fraction(1)
HOCKEY = ("dp", "np", "apkdp", "cdp")
names = st.sampled_from(HOCKEY)
factors = st.sampled_from((ONE, Fraction(2), Fraction(3, 2), Fraction(5)))
deltas = st.sampled_from((ZERO, Fraction(1, 10), Fraction(1, 3), Fraction(7, 8), ONE))
places = st.fractions(1, 12, max_denominator=30)


def of_records(definition: str, case: Case) -> bool:
    return case.plain.secrets is not None or definition not in {"dp", "cdp"}


def few(case: Case) -> bool:
    databases: int = len(case.plain.values) ** case.plain.size
    return databases <= 4


# --- against the worst mechanism at one ε′ ----------------------------------------------------------------------------


@given(case=cases(max_size=3), source=names, target=names, x=factors, delta=deltas, y=places)
@settings(max_examples=30, deadline=None)
def test_the_curve_is_the_worst_mechanism_at_each_point(
    case: Case, source: str, target: str, x: Fraction, delta: Fraction, y: Fraction
) -> None:
    """`pk.worst` has another linear program, with M(d)(o) as variables and any number of outputs."""
    assume(of_records(source, case) and of_records(target, case) and ("dp" not in {source, target} or few(case)))
    model = pk.build(**case.keys)
    answer = exchange_delta(model, source, target, epsilon=log_epsilon(x), delta=delta)
    assert answer.replayed
    assuming = f"{source}({log_epsilon(x)}, {delta})"
    for at in {y, *(piece.start for piece in answer.pieces)}:
        most = pk.worst(model, assuming=assuming, maximise=f"{target} delta at {log_epsilon(at)}").optimum
        assert answer.delta(log_epsilon(at)) == most


# --- laws -------------------------------------------------------------------------------------------------------------


@given(case=cases(max_size=2).filter(few), source=names, target=names, x=factors.filter(lambda x: x > 1))
@settings(max_examples=30, deadline=None)
def test_without_delta_it_reaches_zero_at_the_rate(case: Case, source: str, target: str, x: Fraction) -> None:
    """The smallest ε′ at which (ε, 0)-A gives δ′ = 0 is the exchange rate, which another program over a cone gives."""
    assume(of_records(source, case) and of_records(target, case))
    model = pk.build(**case.keys)
    answer = exchange_delta(model, source, target, epsilon=log_epsilon(x))
    assert answer.profile.epsilon(0) == exchange(model, source, target, epsilon=log_epsilon(x)).tight_epsilon


# --- known curves -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [ONE, Fraction(2), Fraction(7, 3)])
@pytest.mark.parametrize("delta", [ZERO, Fraction(1, 10), Fraction(1, 4), Fraction(2, 3)])
def test_group_privacy(x: Fraction, delta: Fraction) -> None:
    """Two records at once: an event of chance t has at most f(t) after one record, f(f(t)) after two.

    f(t) = min(1, x·t + δ, 1 - (1 - δ - t)/x), the trade-off of (ε, δ)-DP. The field's bound, (1 + e^ε)·δ at 2·ε, is
    the exact one only where δ is small.
    """

    def after(t: Fraction) -> Fraction:
        return min(ONE, x * t + delta, 1 - (1 - delta - t) / x)

    bend = (1 - delta) / (1 + x)
    before = [(bend - delta) / x, 1 - delta - x * (1 - bend), 1 - delta - x * delta]
    chances = [t for t in (ZERO, ONE, bend, 1 - delta, *before) if 0 <= t <= 1]
    answer = exchange_delta(TWINS, "dp", "np", epsilon=log_epsilon(x), delta=delta)
    for y in (ONE, Fraction(5, 4), Fraction(3, 2), x, x * x, x * x + 1):
        assert answer.delta(log_epsilon(y)) == max(after(after(t)) - y * t for t in chances)
    assert answer.delta("inf") == after(after(ZERO))
    assert not min(ONE, (1 + x) * delta) < answer.delta(log_epsilon(x * x))


def test_another_kind_of_epsilon() -> None:
    """ε′ may be any number: δ′ is a formula in e^ε′ where this is irrational."""
    answer = exchange_delta(TWINS, "dp", "np", epsilon="ln(2)", delta="1/10")
    assert str(answer.delta("1/2")) == "7/10 - 1/10*exp(1/2)"
    assert str(answer.delta("2")) == "3/10"


# --- multiples of ε ---------------------------------------------------------------------------------------------------


def at_distance(first: str, second: str) -> pk.Model:
    """One record with three values at given distances from each other."""
    policy = {"distance": [[[0], [1], first], [[1], [2], second], [[0], [2], first]]}
    return pk.build(size=1, values=[0, 1, 2], mechanism={"kind": "sum"}, policy=policy)


@pytest.mark.parametrize("c", ["1", "2", "1/2"])
def test_a_multiple_of_epsilon(c: str) -> None:
    """One multiple c of ε′ is a change of the variable: δ′ at ε′ is that of `dp`, which has the same pairs, at c·ε′."""
    model = at_distance(c, c)
    scaled = exchange_delta(model, "dp", "psdp", epsilon="ln(4)", delta="1/10")
    plain = exchange_delta(model, "dp", "dp", epsilon="ln(4)", delta="1/10")
    assert scaled.replayed
    assert [piece.start for piece in scaled.pieces] == [piece.start for piece in plain.pieces]
    for y in (Fraction(4), Fraction(9, 4), Fraction(16)):
        assert scaled.delta(log_epsilon(y, 1 / Fraction(c))) == plain.delta(log_epsilon(y))
    back = exchange_delta(model, "psdp", "dp", epsilon=log_epsilon(Fraction(4), 1 / Fraction(c)), delta="1/10")
    assert back.verdict == ("unsupported" if c == "2" and back.epsilon.exp is None else COMPUTED)
    if back.verdict == COMPUTED:
        assert back.profile == plain.profile


def test_no_difference_and_a_multiple() -> None:
    """A distance of 0 compares at ε′ = 0, whatever ε′ is: the curve falls to no less than that."""
    model = at_distance("0", "2")
    answer = exchange_delta(model, "dp", "psdp", epsilon="ln(2)", delta="1/10")
    assert answer.replayed
    most = exchange_delta(model, "dp", "dp", epsilon="ln(2)", delta="1/10").delta(0)
    assert answer.delta("inf") == answer.delta(0) == most == Fraction(2, 5)


def test_several_multiples_are_unsupported() -> None:
    answer = exchange_delta(at_distance("1", "2"), "dp", "psdp", epsilon="ln(2)", delta="1/10")
    assert (answer.verdict, answer.exit_status) == ("unsupported", 3)
    assert "1·ε′ and 2·ε′" in str(answer.reason)
    back = exchange_delta(at_distance("1", "2"), "psdp", "dp", epsilon="ln(2)", delta="1/10")
    assert back.verdict == COMPUTED
    assert back.replayed


# --- the atlas --------------------------------------------------------------------------------------------------------


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(9))
def test_pairs_of_the_atlas(seed: int) -> None:
    """Ratio definitions may be assumed at δ = 0; the replay lists the same rows, and the model's mechanism is below."""
    random = Random(seed)  # noqa: S311
    model = pk.loads(PolicyModel(random, ("lists", "gaps", "multisets")[seed % 3]).text)
    with_delta = [key for key in (*HOCKEY, "adp", "psdp", "dnpr", "pbdp") if has_rows(model, key)]
    without = [
        key
        for key in ("dp-any", "grdp", "osdp", "flpr", "pfpr", "anpr", "mpr", "cordp", "ppkdp")
        if has_rows(model, key)
    ]
    assert with_delta
    for source, target in product(random.sample(with_delta + without, 2), random.sample(with_delta, 1)):
        delta = Fraction(1, 8) if source in with_delta else ZERO
        answer = exchange_delta(model, source, target, epsilon="ln(4)", delta=delta)
        if answer.verdict == "unsupported":
            assert "not rational" in str(answer.reason) or "·ε′ and" in str(answer.reason)
            continue
        assert answer.replayed
        if pk.check(model, source, epsilon="ln(4)", delta=delta).verdict == "holds" and answer.verdict == COMPUTED:
            for epsilon in ("0", "ln(2)", "ln(4)", "ln(9)"):
                assert not answer.delta(epsilon) < pk.check(model, target, epsilon=epsilon).tight_delta


def has_rows(model: pk.Model, key: str) -> bool:
    try:
        linear_rows(model, find(key), 1 << 14)
    except UnsupportedError:
        return False
    return True


@pytest.mark.parametrize(
    ("source", "target", "delta", "reason"),
    [
        ("np", "ibcdp", "0", "posteriors with posteriors"),
        ("np", "klpr", "0", "the measure kl"),
        ("np", "dp-any", "0", "dp-any has no δ"),
        ("dp-any", "np", "1/10", "dp-any has no δ"),
        ("np", "ppkdp", "0", "bounds an average"),
        ("ppkdp", "np", "1/10", "bounds an average"),
        ("np", "tail-apkdp", "0", "no hockey-stick divergence"),
        ("tail-apkdp", "np", "1/10", "no hockey-stick divergence"),
        ("np", "advpr", "0", "a probability of a belief"),
        ("advpr", "np", "1/10", "a probability of a belief"),
    ],
)
def test_unsupported_says_why(source: str, target: str, delta: str, reason: str) -> None:
    answer = exchange_delta(TWINS, source, target, epsilon="ln(2)", delta=delta)
    assert (answer.verdict, answer.exit_status, answer.pieces) == ("unsupported", 3, ())
    assert reason in str(answer.reason)
    assert "unsupported" in str(answer)
    with pytest.raises(UnsupportedError, match="no curve"):
        answer.delta("ln(2)")


@pytest.mark.parametrize("source", ["ppkdp", "tail-apkdp", "advpr"])
def test_what_is_linear_without_delta_is_assumed_without_delta(source: str) -> None:
    answer = exchange_delta(TWINS, source, "np", epsilon="ln(2)")
    assert answer.verdict == COMPUTED
    assert answer.replayed
    assert answer.profile.epsilon(0) == exchange(TWINS, source, "np", epsilon="ln(2)").tight_epsilon


# --- nothing compared, limits -----------------------------------------------------------------------------------------


def test_sides_without_rows() -> None:
    known = pk.build(size=2, values=[0, 1], distribution=PAIR, knowledge={"records": [0]}, mechanism={"kind": "sum"})
    to_nothing = exchange_delta(known, "dp", "np", epsilon="ln(2)", delta="1/10")
    assert (to_nothing.verdict, to_nothing.exit_status, to_nothing.pieces) == ("vacuous", 0, ())
    assert to_nothing.delta("ln(2)") == 0
    assert to_nothing.replayed
    from_nothing = exchange_delta(known, "np", "dp", epsilon="ln(2)", delta="1/10")
    assert from_nothing.verdict == COMPUTED
    assert from_nothing.delta("inf") == ONE
    assert "every mechanism" in str(from_nothing.reason)


def test_what_is_no_question() -> None:
    with pytest.raises(InputError, match="a finite ε"):
        exchange_delta(TWINS, "np", "cdp", epsilon="inf", delta="1/10")
    for delta in ("-1/10", "11/10"):
        with pytest.raises(InputError, match="delta"):
            exchange_delta(TWINS, "np", "cdp", epsilon="ln(2)", delta=delta)
    assert "not rational" in str(exchange_delta(TWINS, "np", "cdp", epsilon="1/2", delta="1/10").reason)
    assert exchange_delta(TWINS, "np", "dp", epsilon=0, delta="1/10").verdict == COMPUTED


def test_limits_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(exchange_program, "Simplex", never)
    nine = pk.build(size=9, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    with pytest.raises(LimitError, match="rows"):
        exchange_delta(nine, "np", "dp", epsilon="ln(2)", delta="1/10")
    with pytest.raises(LimitError, match="512 databases"):
        exchange_delta(nine, "dp", "np", epsilon="ln(2)", delta="1/10")
    with pytest.raises(LimitError, match="worlds"):
        exchange_delta(nine, "np", "cdp", epsilon="ln(2)", delta="1/10", max_rows=100)


def test_a_curve_that_bends_too_often_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delta_curve, "MAX_POINTS", 2)
    with pytest.raises(LimitError, match="more than 2"):
        exchange_delta(agreeing("3/4"), "cdp", "np", epsilon="ln(2)", delta="1/20")


def test_an_answer_is_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(exchange_delta(TWINS, "dp", "np", epsilon="ln(2)", delta="1/10"))
