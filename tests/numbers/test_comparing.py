"""ε and δ as numbers: compared exactly with each other, with numbers and with texts, and never with a float."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import verifier as pk
from verifier.numbers import Enclosure

E = pk.epsilon
NOISY = pk.build(
    size=1,
    values=[0, 1],
    distribution={"iid": {0: "3/4", 1: "1/4"}},
    mechanism=lambda d: {"yes": "3/4", "no": "1/4"} if d[0] else {"yes": "1/4", "no": "3/4"},
)
FOUND = pk.check(NOISY, "np", epsilon="ln(2)").tight_delta
QUARTER = Fraction(1, 4)


def test_a_tight_delta_is_a_number() -> None:
    found: Any = FOUND
    for same in (QUARTER, "1/4", "0.25", Decimal("0.25"), pk.Delta.of(QUARTER, Fraction(0), E(1))):
        assert found == same
        assert same == found
        assert not found != same  # noqa: SIM202
        assert not found < same
        assert found <= same
        assert found >= same
    for more in (Fraction(1, 3), 1, "1/3", pk.Delta.of(Fraction(1), Fraction(0), E(1))):
        assert found != more
        assert found < more
        assert more > found
    assert sorted([found, Fraction(0), Fraction(1)]) == [0, found, 1]
    assert hash(found) == hash(QUARTER)
    assert {found} == {QUARTER}
    assert float(found) == 0.25


def test_a_tight_epsilon_is_a_number() -> None:
    tight = pk.check(NOISY, "np").tight_epsilon
    assert tight is not None
    assert tight == "ln(3)"
    assert tight == "1/2*ln(9)"
    assert tight != 1
    assert tight > 1
    assert 1 < tight < "11/10"
    assert tight < E("inf")
    assert E("inf") == "inf"
    assert not E("inf") < "inf"
    assert E(0) > -1
    assert E(2) == 2 == E("2")
    assert {E("1/2")} == {Fraction(1, 2)}
    assert hash(E("2*ln(3)")) == hash(E("ln(9)"))
    assert sorted([E("inf"), E("ln(2)"), E("1/2*ln(3)"), E(0), E("7/10")]) == ["0", "1/2*ln(3)", "ln(2)", "7/10", "inf"]
    assert float(tight) == math.log(3)
    assert float(E("inf")) == math.inf


@pytest.mark.parametrize("number", [FOUND, E("ln(2)")], ids=["delta", "epsilon"])
def test_a_float_is_never_compared(number: Any) -> None:
    questions: list[Callable[[], bool]] = [
        lambda: number == 0.25,
        lambda: number < 0.25,
        lambda: number >= 0.25,
        lambda: number > 0.25,
    ]
    for one in questions:
        with pytest.raises(pk.InexactError, match=r'Hint: write "0\.25" in quotes'):
            one()
    assert number != "no number"
    assert number != None  # noqa: E711
    assert number != [1]
    assert number != True  # noqa: E712


FORMS = st.one_of(
    st.fractions(0, 5, max_denominator=50).map(E),
    st.builds(
        lambda x, r: E(f"{r}*ln({x})"),
        st.fractions(1, 40, max_denominator=30),
        st.fractions(0, 4, max_denominator=6),
    ),
)


@settings(deadline=None)
@given(FORMS, FORMS)
def test_epsilons_are_ordered_like_their_balls(x: pk.Epsilon, y: pk.Epsilon) -> None:
    assert (x < y) + (x == y) + (x > y) == 1
    (low, high), (below, above) = x.bracket(400), y.bracket(400)
    if x < y:
        assert high < below
    elif x == y:
        assert low <= above
        assert below <= high
        assert str(x) == str(y)
        assert hash(x) == hash(y)


def delta(a: str, b: str, at: str) -> pk.Delta:
    return pk.Delta.of(Fraction(a), Fraction(b), E(at))


def test_deltas_at_different_epsilons() -> None:
    root = delta("1", "1/3", "1/2*ln(2)")
    assert root == delta("1", "1/6", "3/2*ln(2)")
    assert hash(root) == hash(delta("1", "1/6", "3/2*ln(2)"))
    assert root == delta("1", "1/9", "1/2*ln(18)")
    assert root != delta("1", "1/3", "1/2*ln(3)")
    assert root > delta("1", "1/3", "1/2*ln(3)")
    assert root != delta("1", "1/3", "1/3*ln(2)")
    assert root < delta("1", "1/3", "1/10") < Fraction(2, 3)
    assert root != delta("1", "1/3", "1/10")
    assert root > Fraction(1, 2)
    assert Fraction(1, 2) < root
    assert root != Fraction(1, 2)
    assert delta("1/2", "0", "1/2*ln(2)") < root
    assert float(root) == pytest.approx(1 - math.sqrt(2) / 3, abs=1e-15)


@settings(deadline=None)
@given(*[st.fractions(-2, 2, max_denominator=9)] * 4, FORMS, FORMS)
def test_deltas_are_ordered_like_their_brackets(
    a: Fraction, b: Fraction, c: Fraction, d: Fraction, x: pk.Epsilon, y: pk.Epsilon
) -> None:
    left, right = pk.Delta.of(a, b, x), pk.Delta.of(c, d, y)
    assert (left < right) + (left == right) + (left > right) == 1
    assert (left == right) == (right == left)
    if left == right:
        assert hash(left) == hash(right)
    ends = [(one.a - one.b * end, one) for one in (left, right) for end in one.epsilon.exp_bracket(400)]
    lows = min(v for v, one in ends if one is left), min(v for v, one in ends if one is right)
    highs = max(v for v, one in ends if one is left), max(v for v, one in ends if one is right)
    if left < right:
        assert lows[0] < highs[1]
    if left == right:
        assert lows[0] <= highs[1]
        assert lows[1] <= highs[0]


def test_a_profile_takes_what_check_takes() -> None:
    curve = pk.check(NOISY, "np").profile
    for same in ("ln(2)", "1/2*ln(4)", E("ln(2)")):
        assert curve.delta(same) == QUARTER
    assert curve.delta(0) == curve.delta(Fraction(0)) == "1/2"
    assert curve.delta("inf") == 0
    for bound in ("1/4", "0.25", QUARTER, FOUND, Decimal("0.25")):
        assert curve.epsilon(bound) == "ln(2)"
    with pytest.raises(pk.InexactError):
        curve.delta(0.5)
    with pytest.raises(pk.InputError, match="more than 1"):
        curve.epsilon("3/2")
    with pytest.raises(pk.InputError, match=r"the δ .* is irrational.*Hint: a fraction a little above 0\.47"):
        curve.epsilon(curve.delta("1/10"))


def test_the_tightest_parameters_can_be_asked_again() -> None:
    answer = pk.check(NOISY, "np", epsilon="ln(2)")
    assert pk.check(NOISY, "np", epsilon=answer.epsilon, delta=answer.tight_delta).verdict == "holds"
    assert pk.check(NOISY, "np", epsilon=answer.tight_epsilon).verdict == "holds"


@given(low=st.fractions(-3, 3), width=st.fractions(0, 1), bits=st.integers(1, 80))
def test_an_enclosure_around_rationals_is_as_narrow_as_its_bits(low: Fraction, width: Fraction, bits: int) -> None:
    around = Enclosure.around(low, low + width, bits)
    unit = Fraction(1, 1 << bits)
    assert low - unit < around.low.value <= low
    assert low + width <= around.high.value < low + width + unit


def test_ends_that_are_not_dyadic_are_refused() -> None:
    with pytest.raises(ArithmeticError, match="1/3 is no dyadic rational"):
        Enclosure.between(Fraction(1, 3), Fraction(1, 2))
