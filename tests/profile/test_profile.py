"""The privacy profile against the sum formula, pointwise, at its breakpoints, between and beyond them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier.numbers import INFINITY, ZERO, Order, epsilon, log_epsilon
from verifier.profile import NO_LOSS, Profile, maximum, profile_of, weighted_sum

pytestmark = pytest.mark.quick


Pairs = tuple[list[int], list[int]]
DELTAS = [Fraction(0), Fraction(1, 7), Fraction(1, 3), Fraction(1, 2), Fraction(1)]


@st.composite
def laws(draw: st.DrawFn) -> Pairs:
    """Two laws as integer weights on the same outputs."""
    length = draw(st.integers(1, 6))
    ones = st.lists(st.integers(0, 9), min_size=length, max_size=length).filter(any)
    return draw(ones), draw(ones)


def value(pair: Pairs, factor: Fraction) -> Fraction:
    """Σ max(0, P - E·Q)."""
    p, q = pair
    return sum(
        (max(Fraction(0), Fraction(x, sum(p)) - factor * Fraction(y, sum(q))) for x, y in zip(p, q, strict=True)),
        Fraction(0),
    )


def points(*curves: Profile) -> list[Fraction]:
    """1, all breakpoints, between them, beyond them."""
    at = sorted({Fraction(1), *(e for curve in curves for e in curve.breakpoints)})
    middles = [(x + y) / 2 for x, y in pairwise(at)]
    return [*at, *middles, at[-1] + 1, 10 * at[-1], Fraction(1001, 1000)]


def at(curve: Profile, factor: Fraction) -> Fraction:
    """δ of a profile at a rational e^ε."""
    found = curve.delta(log_epsilon(factor)).rational
    assert found is not None
    return found


@given(st.lists(laws(), min_size=1, max_size=4))
def test_the_maximum_is_pointwise(pairs: list[Pairs]) -> None:
    curves = [profile_of(*pair) for pair in pairs]
    worst = maximum(curves)
    for factor in points(worst, *curves):
        assert at(worst, factor) == max(at(curve, factor) for curve in curves)
    assert worst == maximum(reversed(curves))
    assert maximum([worst, *curves]) == worst
    assert maximum([worst, NO_LOSS]) == worst


@given(st.lists(st.tuples(laws(), st.integers(0, 4)), min_size=1, max_size=4), st.integers(0, 3))
def test_the_weighted_sum_is_pointwise(terms: list[tuple[Pairs, int]], rest: int) -> None:
    total = sum(w for _, w in terms) + rest or 1
    weighted = [(Fraction(w, total), profile_of(*pair)) for pair, w in terms]
    average = weighted_sum(weighted)
    for factor in points(average, *(curve for _, curve in weighted)):
        assert at(average, factor) == sum((w * at(curve, factor) for w, curve in weighted), Fraction(0))
    assert average.delta(INFINITY).a == sum((w * c.delta(INFINITY).a for w, c in weighted), Fraction(0))
    assert weighted_sum(reversed(weighted)) == average


@given(st.lists(laws(), min_size=1, max_size=3), st.sampled_from(DELTAS))
def test_the_inverse_is_the_smallest_epsilon(pairs: list[Pairs], delta: Fraction) -> None:
    for curve in [profile_of(*pairs[0]), maximum([profile_of(*pair) for pair in pairs])]:
        least = curve.epsilon(delta)
        if least.is_infinite:
            assert curve.delta(INFINITY).a > delta
            continue
        assert curve.delta(least).order(delta) in {Order.LESS, Order.EQUAL}
        factor = least.exp
        assert factor is not None
        if factor > 1:
            assert at(curve, factor) == delta
            for smaller in (factor - (factor - 1) / 10**9, (factor + 1) / 2, Fraction(1)):
                assert at(curve, smaller) > delta


@given(laws())
def test_the_ends_of_the_inverse(pair: Pairs) -> None:
    curve = profile_of(*pair)
    assert curve.epsilon(Fraction(1)) == ZERO
    p, q = pair
    losing = any(x and not y for x, y in zip(p, q, strict=True))
    assert curve.epsilon(Fraction(0)).is_infinite == losing
    if not losing:
        largest = max(Fraction(x * sum(q), y * sum(p)) for x, y in zip(p, q, strict=True) if y)
        assert curve.epsilon(Fraction(0)) == log_epsilon(largest)
    distance = at(curve, Fraction(1))
    assert curve.epsilon(distance) == ZERO
    assert curve.is_zero == (distance == 0)


@given(laws(), st.integers(1, 5), st.integers(1, 5))
def test_equal_profiles_are_equal_objects(pair: Pairs, k: int, m: int) -> None:
    """Scaled, permuted, with an output split in equal proportion: the same object."""
    p, q = pair
    curve = profile_of(p, q)
    assert profile_of([x * k for x in p], [y * m for y in q]) == curve
    assert profile_of(p[::-1], q[::-1]) == curve
    split = profile_of([x * 3 for x in p[1:]] + [p[0], 2 * p[0]], [y * 3 for y in q[1:]] + [q[0], 2 * q[0]])
    assert split == curve
    assert hash(split) == hash(curve)
    assert maximum([curve]) == weighted_sum([(Fraction(1), curve)]) == curve


@given(laws(), laws())
def test_unequal_profiles_differ_somewhere(one: Pairs, other: Pairs) -> None:
    x, y = profile_of(*one), profile_of(*other)
    assert (x == y) == all(at(x, e) == at(y, e) for e in points(x, y))


@given(laws())
def test_the_points_have_their_form(pair: Pairs) -> None:
    curve = profile_of(*pair)
    assert curve.points[0][0] == 0
    slopes = [Fraction(p2 - p1, q2 - q1) for (q1, p1), (q2, p2) in pairwise(curve.points)]
    assert all(x > y for x, y in pairwise(slopes))
    assert all(slope > 1 for slope in slopes)
    assert list(curve.breakpoints) == slopes[::-1]


@pytest.mark.parametrize("text", ["1/10", "1", "1/2*ln(2)", "2/5*ln(3)", "7/3*ln(5/4)", "1/1000000"])
@given(pair=laws())
def test_irrational_epsilons_pick_the_outputs_above(text: str, pair: Pairs) -> None:
    """A - B·e^ε with the masses of the outputs with P > e^ε·Q, decided here by a narrow bracket."""
    e = epsilon(text)
    low, high = e.exp_bracket(200)
    assert high - low < Fraction(1, 2**150)
    p, q = pair
    a = b = Fraction(0)
    for x, y in zip(p, q, strict=True):
        one, two = Fraction(x, sum(p)), Fraction(y, sum(q))
        assert (one > two * high) or (one < two * low) or one == two == 0
        if one > two * high:
            a, b = a + one, b + two
    found = profile_of(p, q).delta(e)
    assert (found.a, found.b) == (a, b)


@pytest.mark.parametrize(("p", "q"), [([1], [1, 2]), ([0], [1]), ([1], [0]), ([], [])])
def test_what_is_no_pair_of_laws_is_refused(p: list[int], q: list[int]) -> None:
    with pytest.raises(pk.InputError):
        profile_of(p, q)


def test_weights_of_no_law_are_refused() -> None:
    curve = profile_of([1, 0], [0, 1])
    for weights in ([Fraction(-1, 2)], [Fraction(2, 3), Fraction(1, 2)]):
        with pytest.raises(pk.InputError):
            weighted_sum([(w, curve) for w in weights])
    assert weighted_sum([]) == NO_LOSS == maximum([])


def test_a_profile_by_hand() -> None:
    """P = (1/2, 1/4, 1/4, 0), Q = (1/8, 1/8, 1/4, 1/2): bends at 4 and 2."""
    curve = profile_of([4, 2, 2, 0], [1, 1, 2, 4])
    assert (curve.denominator, curve.points) == (8, ((0, 0), (1, 4), (2, 6)))
    assert curve.breakpoints == (Fraction(2), Fraction(4))
    assert [at(curve, Fraction(e)) for e in (1, 2, 3, 4, 9)] == [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), 0, 0]
    assert str(curve.epsilon(Fraction(1, 8))) == "ln(3)"


@given(laws(), st.integers(0, 3), st.integers(0, 3))
def test_a_part_of_a_law_has_the_outputs_that_are_given(pair: Pairs, missing: int, beyond: int) -> None:
    """With totals above the sums; an output that neither can produce, and totals given as they are, change nothing."""
    p, q = pair
    totals = sum(p) + missing, sum(q) + beyond
    part = profile_of(p, q, *totals)
    for factor in points(part):
        assert at(part, factor) == sum(
            max(Fraction(0), Fraction(x, totals[0]) - factor * Fraction(y, totals[1]))
            for x, y in zip(p, q, strict=True)
        )
    assert part == profile_of([*p, 0], [*q, 0], *totals)
    assert part == profile_of([*p, 0], [*q, beyond], totals[0])


@given(laws(), st.sampled_from([1, 200, 5000]), st.data())
def test_long_weights_are_ordered_exactly(pair: Pairs, bits: int, data: st.DataObject) -> None:
    """Ratios that no leading digits tell apart, and weights of very different length."""
    shifts = data.draw(st.lists(st.sampled_from([0, bits]), min_size=len(pair[0]), max_size=len(pair[0])))
    p = [(x << bits) + (x and data.draw(st.integers(0, 2))) for x in pair[0]]
    q = [(y << shift) + (y and data.draw(st.integers(0, 2))) for y, shift in zip(pair[1], shifts, strict=True)]
    curve = profile_of(p, q)
    for factor in points(curve)[:4]:
        assert at(curve, factor) == value((p, q), factor)
    slopes = [Fraction(p2 - p1, q2 - q1) for (q1, p1), (q2, p2) in pairwise(curve.points)]
    assert all(slope > after for slope, after in pairwise(slopes))
    assert maximum([curve, profile_of(*pair)]) == maximum([profile_of(*pair), curve, curve])


@pytest.mark.parametrize(("p", "q"), [([2, -1], [1, 1]), ([1, 1], [2, -1])])
def test_weights_below_zero_are_refused(p: list[int], q: list[int]) -> None:
    with pytest.raises(pk.InputError):
        profile_of(p, q)


@pytest.mark.parametrize("totals", [(3, 4), (4, 3), (0, 4), (4, 0)])
def test_totals_below_the_sums_are_refused(totals: tuple[int, int]) -> None:
    with pytest.raises(pk.InputError):
        profile_of([1, 3], [2, 2], *totals)


@given(laws())
def test_a_line_is_the_outputs_above(pair: Pairs) -> None:
    """P(S) and Q(S) of the outputs with P > e^ε·Q; with `closed`, above ε = 0, of those where they are equal, too."""
    p, q = pair
    curve = profile_of(p, q)
    masses = [(Fraction(x, sum(p)), Fraction(y, sum(q))) for x, y in zip(p, q, strict=True) if x]
    for factor in points(curve):
        e = log_epsilon(factor)
        above = [mass for mass in masses if mass[0] > factor * mass[1]]
        least = above + [mass for mass in masses if mass[0] == factor * mass[1] and factor > 1]
        for event, line in ((above, curve.line(e)), (least, curve.line(e, closed=factor > 1))):
            assert [Fraction(part, curve.denominator) for part in line] == [
                sum(x) for x in zip((0, 0), *event, strict=True)
            ]
    only = sum(x for x, y in masses if not y)
    for closed in (False, True):
        assert [Fraction(part, curve.denominator) for part in curve.line(INFINITY, closed=closed)] == [only, 0]


@pytest.mark.parametrize("direction", [1, -1])
def test_the_inverse_on_a_curve_of_many_pieces(direction: int) -> None:
    """The largest (P(S) - δ)/Q(S) over all events of the outputs whose ratios are above a level, and at least 1."""
    p, q = [(7 * k * k) % 61 + k for k in range(1, 24)], [(5 * k) % 17 + 24 - k for k in range(1, 24)]
    pairs = [(Fraction(x, sum(p)), Fraction(y, sum(q))) for x, y in list(zip(p, q, strict=True))[::direction]]
    curve = profile_of(p, q)
    events = [
        (sum(x for x, y in pairs if x >= ratio * y), sum(y for x, y in pairs if x >= ratio * y))
        for ratio in {x / y for x, y in pairs}
    ]
    assert len(curve.points) > 8
    for k in range(60):
        delta = Fraction(k, 101)
        assert curve.epsilon(delta) == log_epsilon(max(Fraction(1), *((x - delta) / y for x, y in events)))


@pytest.mark.parametrize("reverse", [False, True])
def test_ratios_that_agree_in_three_hundred_bits_are_in_order(reverse: bool) -> None:  # noqa: FBT001
    """Their leading bits are the same, and neither order in which they are given is taken for theirs."""
    n = 1 << 400
    outputs = [(n + 2, n), (n + 1, n)]
    p, q = zip(*(reversed(outputs) if reverse else outputs), strict=True)
    curve = profile_of(p, q, 4 * n, 4 * n)
    assert curve.points == ((0, 0), (n, n + 2), (2 * n, 2 * n + 3))
    assert curve.breakpoints == (1 + Fraction(1, n), 1 + Fraction(2, n))


def test_a_curve_that_meets_another_at_epsilon_zero_alone_adds_no_point() -> None:
    """2 - e^ε is at most 1, and equal to it at ε = 0: the slope between their points is 1."""
    level, falling = profile_of([1, 3], [0, 4]), profile_of([2, 2], [1, 3])
    assert level.points == ((0, 1),)
    assert falling.points == ((0, 0), (1, 2))
    assert maximum([level, falling]) == maximum([falling, level]) == level
