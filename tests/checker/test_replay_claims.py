"""What proves K(t) ≤ b·t + c·t² is true of K itself, which Arb encloses; claims that just fail are not proved."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from verifier.checker import Beyond
from verifier.checker.judge import attains
from verifier.checker.laws import Law
from verifier.checker.measures import Scalar, logarithm
from verifier.checker.numbers import Written
from verifier.checker.survey.bounds import UNIT, Claim, Loss, _capped
from verifier.numbers import arb_of, ball_ends

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
TINY = Fraction(1, 1 << 80)
POINTS = [Fraction(k, 24) for k in range(25)]


@pytest.fixture(autouse=True)
def precise() -> Iterator[None]:
    with ctx.workprec(500):
        yield


def law(*weights: int) -> Law:
    return {o: Fraction(w, sum(weights)) for o, w in zip("xyz", weights, strict=False)}


FAR = [(law(1, 2980), law(1, 8_000_000)), (law(8_000_000, 1), law(1, 2980)), (law(1, 3000, 3000), law(5000, 1, 3000))]
"""Laws whose losses are up to 16 apart."""
WEIGHTS = st.lists(st.integers(1, 99), min_size=3, max_size=3).map(lambda weights: law(*weights))
LAWS = st.one_of(st.sampled_from(FAR), st.tuples(WEIGHTS, WEIGHTS))


def cumulants(p: Law, q: Law, t: Fraction) -> tuple[Any, Any]:
    """K(t) = ln Σ P·(P/Q)^t, and K'."""
    losses = [(arb_of(x), arb_of(x / q[o]).log()) for o, x in p.items()]
    weights = [x * (arb_of(t) * loss).exp() for x, loss in losses]
    mean = sum(w * loss for w, (_, loss) in zip(weights, losses, strict=True)) / sum(weights)
    return sum(weights).log(), mean


def holds(p: Law, q: Law, claim: Claim, points: list[Fraction]) -> bool:
    """Whether K is at most the parabola of the lower bounds at some points."""
    return all(ball_ends(cumulants(p, q, t)[0])[0] <= claim.b[0] * t + claim.c[0] * t * t for t in points if t > 0)


@given(LAWS, st.fractions(0, 1, max_denominator=12).filter(lambda delta: delta < 1))
def test_what_is_capped_is_a_law_below_a_multiple(laws: tuple[Law, Law], delta: Fraction) -> None:
    """min(P, x·Q), with one x, has the mass 1 - δ where P is not below Q but for δ."""
    p, q = laws
    if sum(max(ZERO, x - q[o]) for o, x in p.items()) <= delta:
        return
    capped = _capped(p, q, delta)
    assert capped is not None
    assert sum(capped.values()) == 1
    cut = {o: x * (1 - delta) for o, x in capped.items()}
    (multiple,) = {x / q[o] for o, x in cut.items() if x < p[o]} or {max(x / q[o] for o, x in p.items())}
    assert cut == {o: min(x, multiple * q[o]) for o, x in p.items()}


@pytest.mark.parametrize("delta", [Fraction(k, 12) for k in (1, 2, 3, 6, 8)])
def test_two_outputs_may_be_capped_by_one_multiple(delta: Fraction) -> None:
    """P = (6, 5, 1)/12 against Q = (1, 1, 10)/12: from δ = 1/12 on both first ones are, at (11 - 12·δ)/2."""
    capped = _capped(law(6, 5, 1), law(1, 1, 10), delta)
    assert capped is not None
    cut = {o: x * (1 - delta) for o, x in capped.items()}
    multiple = (11 - 12 * delta) / 2
    assert cut == {"x": multiple / 12, "y": multiple / 12, "z": Fraction(1, 12)}


@given(LAWS, st.fractions(0, 6, max_denominator=64))
def test_weights_and_values_of_k_are_enclosed(laws: tuple[Law, Law], t: Fraction) -> None:
    p, q = laws
    loss = Loss(p, q)
    for (low, high), (o, x) in zip(loss._weights(t), p.items(), strict=True):
        ends = ball_ends(arb_of(x) * (arb_of(t) * (arb_of(x / q[o]).log() - arb_of(loss.largest[0]))).exp())
        assert Fraction(low, UNIT) <= ends[1]
        assert Fraction(high, UNIT) >= ends[0]
    ends = ball_ends(cumulants(p, q, t)[0])
    assert loss.at(t)[0] <= ends[1]
    assert loss.at(t)[1] >= ends[0]


@given(LAWS, st.fractions(0, 3, max_denominator=16), st.fractions(0, 40, max_denominator=8), st.integers(1, 8))
def test_the_range_proves_what_is_true(laws: tuple[Law, Law], above: Fraction, c: Fraction, far: int) -> None:
    """K'(0)·t + R²/8·t² is enough, from the mean on."""
    p, q = laws
    loss = Loss(p, q)
    claim = Claim((loss.mean[1] + above, loss.mean[1] + above + 1), (c, c + 1))
    if claim._by_range(loss, Fraction(far)):
        assert holds(p, q, claim, [far * s for s in POINTS])
    enough = (loss.range**2 / 8, loss.range**2 / 8)
    assert Claim(claim.b, enough)._by_range(loss, Fraction(far))


@pytest.mark.parametrize(("p", "q"), FAR)
def test_the_range_proves_nothing_with_less_than_an_eighth_of_its_square(p: Law, q: Law) -> None:
    loss = Loss(p, q)
    proved = [
        Claim((loss.mean[1], loss.mean[1]), (c, c))._by_range(loss, ONE)
        for c in (loss.range / 4, loss.range**2 / 8 - TINY, loss.range**2 / 8)
    ]
    assert proved == [False, False, True]
    between = (loss.range**2 / 8 - TINY, loss.range**2 / 8)
    assert not Claim((loss.mean[1], loss.mean[1]), between)._by_range(loss, ONE)


def touching(p: Law, q: Law, at: Fraction, below: Fraction) -> Claim:
    """The parabola that touches K at a point, as steep as K there, made smaller by so much."""
    value, slope = (ball_ends(ball)[0] for ball in cumulants(p, q, at))
    c = (slope * at - value) / at**2 + below
    b = slope - 2 * c * at
    return Claim((b, b + 1), (c, c))


@pytest.mark.parametrize("width", [Fraction(1, 1 << k) for k in (4, 8, 12)])
@pytest.mark.parametrize("at", [Fraction(k, 5) for k in (1, 2, 3, 4, 6, 8, 11)])
@pytest.mark.parametrize(("p", "q"), FAR)
def test_a_parabola_below_k_at_one_point_is_never_proved(p: Law, q: Law, at: Fraction, width: Fraction) -> None:
    """Neither by a chord nor by how K bends, on intervals around it; also where b is known between bounds alone."""
    claim, loss = touching(p, q, at, TINY), Loss(p, q)
    low, high = at - width, at + width
    ends = loss.at(low)[1], loss.at(high)[1]
    assert not claim._bends(loss, low, high, *ends)


@given(LAWS, st.fractions(0, 2, max_denominator=16), st.fractions(0, 9, max_denominator=16), st.integers(0, 40))
def test_bends_prove_what_is_true(laws: tuple[Law, Law], b: Fraction, c: Fraction, place: int) -> None:
    p, q = laws
    loss, claim = Loss(p, q), Claim((b, b + 1), (c, c))
    low, high = Fraction(1 + place, 16), Fraction(2 + place, 16)
    ends = loss.at(low)[1], loss.at(high)[1]
    if claim._bends(loss, low, high, *ends):
        assert holds(p, q, claim, [low + s * (high - low) for s in POINTS])


def test_a_rise_is_proved_for_all_values_between_the_bounds() -> None:
    """t² rises by 2 at 1; a K that rises from 0 at 1/2 to something between 1/2 and 1 may do so too slowly."""
    claim = Claim((ZERO, ZERO), (ONE, ONE))
    assert not claim._rises(HALF, ONE, (ZERO, ZERO), (HALF, ONE))
    assert not claim._rises(HALF, ONE, (ZERO, HALF), (ONE, ONE))
    assert claim._rises(HALF, ONE, (ZERO, ZERO), (ONE, ONE))


def moments(**known: Fraction | tuple[Fraction, Fraction]) -> Any:
    """A loss of which the moments alone are asked; it is the constant 0 but for these."""
    zero = dict.fromkeys(("variance", "third", "skew", "kurtosis", "range"), ZERO)
    return SimpleNamespace(**{**zero, "mean": (ZERO, ZERO), "at": lambda _: (ZERO, ZERO), **known})


MOMENT = st.fractions(-4, 4, max_denominator=8)


@given(MOMENT, MOMENT, MOMENT, st.fractions(0, 2, max_denominator=8), st.sampled_from([HALF, ONE, Fraction(2)]))
def test_four_moments_prove_what_their_sum_says(
    skew: Fraction, kurtosis: Fraction, c: Fraction, spread: Fraction, t: Fraction
) -> None:
    """Var/2 + s·κ₃/6 + s²·κ₄/24 ≤ c for all s up to t; where κ₄ is not negative, it is enough at t."""
    loss = moments(skew=12 * skew, kurtosis=24 * kurtosis, variance=2 * spread)
    told = Claim((ZERO, ZERO), (c, c))._fourth(loss, t)
    sums = [spread + 2 * s * max(ZERO, skew) + s * s * kurtosis for s in (t * point for point in POINTS)]
    if told:
        assert max(sums) <= c
    elif kurtosis >= 0:
        assert max(sums) > c
    assert not Claim((-ONE, ZERO), (c, c))._fourth(loss, t)


def test_a_sum_that_is_largest_before_the_end_is_not_proved_at_the_end() -> None:
    """S - s² is 1/4 at 1/2, and 0 at 1."""
    loss = moments(skew=Fraction(6), kurtosis=Fraction(-24))
    proved = [Claim((ZERO, ZERO), (c, c))._fourth(loss, ONE) for c in (ZERO, Fraction(1, 8), Fraction(1, 4))]
    assert proved == [False, False, True]


def test_near_0_a_hundred_points_are_looked_at() -> None:
    """A loss of mean 0 and variance 2 is below γ·t from t = γ down."""
    loss, last = moments(variance=Fraction(2)), Fraction(1, 1 << 99)
    assert Claim((last, last), (ZERO, ZERO))._near(loss, ONE) == last
    with pytest.raises(Beyond, match="too near"):
        Claim((last / 2, last / 2), (ZERO, ZERO))._near(loss, ONE)


@pytest.mark.parametrize(
    ("amount", "attained"), [(logarithm(Fraction(2)), False), (logarithm(ONE), True), (Scalar(plain=ZERO), True)]
)
def test_no_row_that_needs_more_attains_a_claim_of_nothing(amount: Scalar, attained: bool) -> None:  # noqa: FBT001
    nothing = Written(ZERO)
    assert attains(amount, nothing, nothing, "0") == attained
