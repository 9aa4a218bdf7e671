"""The tail of the privacy loss against P[loss > ε] counted outcome by outcome."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.numbers import INFINITY, ZERO, epsilon, log_epsilon
from verifier.profile import Steps, highest, profile_of

Pairs = tuple[list[int], list[int]]
LEVELS = [Fraction(0), Fraction(1, 7), Fraction(1, 3), Fraction(1, 2), Fraction(1)]


@st.composite
def laws(draw: st.DrawFn) -> Pairs:
    """Two laws as integer weights on the same outputs."""
    length = draw(st.integers(1, 6))
    weights = st.lists(st.integers(0, 6), min_size=length, max_size=length).filter(any)
    return draw(weights), draw(weights)


def tail(pair: Pairs, factor: Fraction | None) -> Fraction:
    """P of the outputs with P(o) > E·Q(o); of those that Q cannot produce where E is None."""
    p, q = pair
    return sum(
        (
            Fraction(x, sum(p))
            for x, y in zip(p, q, strict=True)
            if x and (y == 0 if factor is None else x * sum(q) > factor * y * sum(p))
        ),
        Fraction(0),
    )


def factors(*curves: Steps) -> list[Fraction]:
    """1, the steps, between them, beyond them."""
    ends = sorted({Fraction(1), *(e for curve in curves for e in curve.breakpoints)})
    return [*ends, *((x + y) / 2 for x, y in pairwise(ends)), ends[-1] + 1, Fraction(1001, 1000)]


def steps_of(pair: Pairs) -> Steps:
    return Steps.of(profile_of(*pair))


def at(curve: Steps, factor: Fraction) -> Fraction:
    value = curve.delta(log_epsilon(factor)).rational
    assert value is not None
    return value


@given(laws())
def test_the_value_is_the_mass_of_the_outputs_above(pair: Pairs) -> None:
    curve = steps_of(pair)
    for factor in factors(curve):
        assert at(curve, factor) == tail(pair, factor)
    assert curve.delta(INFINITY).rational == tail(pair, None)
    assert curve.is_zero == (tail(pair, Fraction(1)) == 0)


@pytest.mark.parametrize("text", ["1/10", "1", "1/2*ln(2)"])
@given(pair=laws())
def test_irrational_parameters_pick_the_outputs_above(text: str, pair: Pairs) -> None:
    low, high = epsilon(text).exp_bracket(200)
    value = steps_of(pair).delta(text).rational
    assert value == tail(pair, low) == tail(pair, high)


@given(laws(), st.sampled_from(LEVELS))
def test_the_inverse_is_the_smallest_epsilon(pair: Pairs, level: Fraction) -> None:
    """At it the tail is small enough, and at no breakpoint or middle before."""
    curve = steps_of(pair)
    least = curve.epsilon(level)
    if least.is_infinite:
        assert tail(pair, None) > level
        return
    assert least.exp is not None
    assert tail(pair, least.exp) <= level
    assert all(tail(pair, factor) > level for factor in factors(curve) if factor < least.exp)


@given(laws())
def test_the_pieces_are_the_steps(pair: Pairs) -> None:
    curve = steps_of(pair)
    assert curve.segments[0][0] == ZERO
    for start, value, slope in curve.segments:
        assert start.exp is not None
        assert (value, slope) == (tail(pair, start.exp), Fraction(0))
    assert all(value > after for value, after in pairwise(curve.values))
    assert all(e < after for e, after in pairwise(curve.breakpoints))
    assert all(e > 1 for e in curve.breakpoints)


@given(st.lists(laws(), min_size=1, max_size=4))
def test_the_highest_is_pointwise(pairs: list[Pairs]) -> None:
    """A function that is the same everywhere is the same object, in whichever order the curves come."""
    curves = [steps_of(pair) for pair in pairs]
    worst = highest(curves)
    for factor in factors(worst, *curves):
        assert at(worst, factor) == max(tail(pair, factor) for pair in pairs)
    assert worst.delta(INFINITY).rational == max(tail(pair, None) for pair in pairs)
    assert worst == highest(reversed(curves)) == highest([worst, *curves])
    assert all(value > after for value, after in pairwise(worst.values))
    assert len(worst.values) == len(worst.breakpoints) + 1
