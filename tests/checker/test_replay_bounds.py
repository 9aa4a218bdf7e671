"""Bounds that the replay makes itself contain what Arb encloses much more narrowly; and what is compared by them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from verifier.checker import enclosed, logarithms
from verifier.checker.curves import power
from verifier.checker.numbers import Exponential
from verifier.checker.rejected import Beyond
from verifier.checker.scalars import Scalar, logarithm
from verifier.checker.written import MAX_BITS, Written
from verifier.numbers import arb_of, ball_ends

ONE = Fraction(1)
BITS = st.sampled_from([8, 24, 61, 128])
MANY = 700


@pytest.fixture(autouse=True)
def precise() -> Iterator[None]:
    with ctx.workprec(MANY):
        yield


def numbers(most: int) -> st.SearchStrategy[Fraction]:
    """Rationals of either sign, many of them very near 0 or a whole number."""
    near = st.builds(lambda k, s, p: k + Fraction(s, 1 << p), st.integers(-most, most), st.integers(-3, 3), BITS)
    return st.one_of(near, st.fractions(-most, most, max_denominator=10**6))


def encloses(bounds: tuple[Fraction, Fraction], ball: Any) -> None:
    low, high = ball_ends(ball)
    assert bounds[0] <= high
    assert bounds[1] >= low


@given(numbers(40), BITS)
def test_exponentials(value: Fraction, bits: int) -> None:
    low, high = logarithms.exp(value, bits)
    encloses((low, high), arb_of(value).exp())
    assert low <= high <= low + max(low, ONE) / (1 << max(0, bits - 10))
    assert high >= 1 + value
    assert low <= 1 / (1 - value) if value < 1 else low >= 2


@pytest.mark.parametrize("bits", [8, 24, 128])
@pytest.mark.parametrize("sign", [1, -1])
def test_exponentials_of_numbers_nearer_to_0_than_the_bounds_are_narrow(bits: int, sign: int) -> None:
    for places in range(bits, bits + 40):
        value = Fraction(sign, 1 << places)
        low, high = logarithms.exp(value, bits)
        assert low <= 1 / (1 - value)
        assert high >= 1 + value


@given(numbers(40).filter(bool).map(abs), BITS)
def test_logarithms(value: Fraction, bits: int) -> None:
    low, high = logarithms.ln(value, bits)
    encloses((low, high), arb_of(value).log())
    assert low <= high <= low + (1 + abs(low)) / (1 << max(0, bits - 10))


@given(numbers(40).filter(bool).map(abs), st.integers(1, 7), BITS)
def test_roots(value: Fraction, degree: int, bits: int) -> None:
    low, high = logarithms.root(value, degree, bits)
    assert low**degree <= value <= high**degree
    assert high - low <= Fraction(1, 1 << max(0, bits - 4))


@given(st.one_of(st.integers(0, 1 << 200), st.builds(lambda k, d: k**d, st.integers(0, 999), st.integers(1, 9))), BITS)
def test_whole_roots(value: int, degree: int) -> None:
    root = logarithms.floor_root(value, degree)
    assert root**degree <= value < (root + 1) ** degree


@given(numbers(6), BITS)
def test_the_normal_law(x: Fraction, bits: int) -> None:
    low, high = enclosed.normal(x, bits)
    encloses((low, high), (1 + (arb_of(x) / arb(2).sqrt()).erf()) / 2)
    assert 0 <= low <= high <= 1
    assert high - low <= Fraction(1, 1 << (bits - 1))


@given(st.fractions(0, 1, max_denominator=10**4).filter(lambda p: 0 < p < 1), st.sampled_from([16, 40]))
def test_quantiles_of_the_normal_law(chance: Fraction, bits: int) -> None:
    """By the law at both ends, which rises."""
    low, high = enclosed.quantile(chance, bits)
    below, above = ((1 + (arb_of(end) / arb(2).sqrt()).erf()) / 2 for end in (low, high))
    assert ball_ends(below)[0] <= chance <= ball_ends(above)[1]
    assert high - low <= Fraction(1, 1 << (bits - 2))


# --- measures of which only bounds are known --------------------------------------------------------------------------


def chances(*weights: int) -> dict[str, Fraction]:
    return {o: Fraction(w, sum(weights)) for o, w in zip("xyz", weights, strict=False) if w}


LAWS = st.lists(st.integers(1, 6), min_size=3, max_size=3).map(lambda weights: chances(*weights))
TESTS = st.dictionaries(st.sampled_from("xyz"), st.fractions(-2, 2, max_denominator=4))


@given(LAWS, LAWS, st.lists(TESTS, min_size=1, max_size=3), BITS)
def test_the_largest_of_several_tests_bounds_a_capacity(
    p: dict[str, Fraction], q: dict[str, Fraction], tests: list[dict[str, Fraction]], bits: int
) -> None:
    """E_P[h] - E_Q[e^(h - 1)], a function that is missing somewhere being 0 there."""
    values = [
        sum(
            (arb_of(x) * arb_of(h.get(o, Fraction(0))) - arb_of(q[o]) * arb_of(h.get(o, Fraction(0)) - 1).exp())
            for o, x in p.items()
        )
        for h in tests
    ]
    low, high = enclosed._Capacity(p, q, tests).bounds(bits)
    most = [max(ball_ends(value)[k] for value in values) for k in (0, 1)]
    assert low <= most[1]
    assert high >= most[0]
    assert high - low <= Fraction(1, 1 << max(0, bits - 10))


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(4, 3), Fraction(2)])
def test_the_divergence_of_a_single_output(order: Fraction) -> None:
    """P is certain: all divergences are the logarithm of 1/Q there."""
    divergence = enclosed.renyi_of(order, chances(1), chances(1, 2))
    assert divergence.sign(Written(ONE, Fraction(3))) == 0
    assert enclosed.renyi_of(order, chances(1, 1), chances(1)).infinite


# --- comparisons ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number",
    [Scalar(logarithms=((ONE, Fraction(2)), (ONE, Fraction(3)))), Scalar(logarithms=((ONE, Fraction(6)),))],
    ids=["a sum", "one logarithm"],
)
def test_sums_of_logarithms_are_compared_by_powers_after_two_bounds(number: Scalar) -> None:
    """The logarithm of 6 against (1 ± 1/2^n) times itself: bounds of 64 and 256 bits tell n = 100, no power n = 500."""
    six = Fraction(6)
    assert number.sign(Written(ONE, six)) == 0
    for bits in (10, 100):
        near = Fraction(1, 1 << bits)
        assert [number.sign(Written(ONE + s * near, six)) for s in (-1, 1)] == [1, -1]
    with pytest.raises(Beyond, match="too long"):
        number.sign(Written(ONE + Fraction(1, 1 << 500), six))


@pytest.mark.parametrize("scale", [ONE, Fraction(2), Fraction(1, 3)])
def test_a_number_is_compared_with_a_multiple_of_epsilon(scale: Fraction) -> None:
    number = logarithm(Fraction(5)).over(scale)
    signs = [number.sign(Written(ONE / scale, Fraction(x))) for x in (4, 5, 6)]
    assert signs == [1, 0, -1]
    assert [number.sign(Written(r / scale)) for r in (Fraction(8, 5), Fraction(5, 3))] == [1, -1]


@pytest.mark.parametrize("k", [2, MAX_BITS // 4, MAX_BITS // 4 + 1])
def test_a_root_near_1_is_compared(k: int) -> None:
    """1 against the root of degree k of 2, whose powers may be too long to be compared."""
    assert power(f"1/{k}*ln(2)").sign(ONE, ONE) == -1


class Between(enclosed.Enclosed):
    """A number between two others, of which no more bits are known."""

    def __init__(self, low: int, high: int) -> None:
        self.ends = Fraction(low), Fraction(high)

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:  # noqa: ARG002 - however many
        return self.ends


def test_a_number_that_may_be_at_its_bound_is_not_told_from_it() -> None:
    number = Between(1, 2)
    assert [number.sign(Written(Fraction(x))) for x in (0, 3)] == [1, -1]
    for end in (1, 2):
        with pytest.raises(Beyond, match="too near"):
            number.sign(Written(Fraction(end)))


@pytest.mark.parametrize("scale", [Fraction(1, 2), ONE, Fraction(3)])
def test_multiples_of_an_infinite_epsilon_are_infinite(scale: Fraction) -> None:
    assert power("inf", scale).infinite
    assert not power("inf", Fraction(0)).infinite
    assert power("inf", Fraction(0)).value == 1


def test_powers_of_long_numbers_are_not_compared() -> None:
    """Neither of a long number against a short one nor conversely: a third of the limit is too long for cubes."""
    third, long = Exponential("1/3*ln(2)"), 1 << MAX_BITS // 3
    assert third._short(1, 1)
    assert third._short(long >> 9, long >> 9)
    assert [third._short(long, 1), third._short(1, long), third._short(long, long)] == [False, False, False]
