"""Profiles of windows on shared outcomes, against the same pairs of laws written out one outcome at a time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

import pytest
from examined import at_least_one
from hypothesis import given
from hypothesis import strategies as st

from verifier.numbers import INFINITY, ZERO, Epsilon, Order, compare, epsilon
from verifier.profile import (
    Edges,
    Profile,
    Window,
    averaged,
    envelope,
    largest,
    lines_of,
    maximum,
    profile_of,
    weighted_sum,
)
from verifier.profile.shared import aligned
from verifier.tables import SumLaw, sum_law

EPSILONS = [ZERO, INFINITY, *map(epsilon, ("ln(2)", "ln(3)", "ln(3/2)", "ln(4)", "1/10", "1", "1/2*ln(3)"))]
Masses = list[tuple[Fraction, Fraction]]
"""(P, Q) of the outcomes that a window tells apart or lumps, in that order."""
KINDS = ("apart", "lump", "other lump")


@dataclass(frozen=True)
class Written:
    """A window, and the same pair of laws as a list of masses: the outcomes told apart, then the lumps."""

    window: Window
    apart: Masses
    lumps: Masses

    @property
    def masses(self) -> Masses:
        return self.apart + self.lumps

    @property
    def profile(self) -> Profile:
        """The profile of the written list, in integers."""
        p, q = zip(*self.masses, strict=True)
        whole = 1
        for mass in (*p, *q):
            whole *= mass.denominator
        return profile_of([int(x * whole) for x in p], [int(x * whole) for x in q])


@st.composite
def sums(draw: st.DrawFn) -> SumLaw:
    """The law of a sum, with gaps or without, with keys in a list or in a range."""
    parts = draw(
        st.lists(st.dictionaries(st.integers(-4, 6), st.integers(1, 4), min_size=1, max_size=3), min_size=1, max_size=3)
    )
    step = draw(st.sampled_from([1, 1, 2, 3]))
    law = sum_law([{key * step: weight for key, weight in part.items()} for part in parts])
    if draw(st.booleans()):
        return law
    kept = [(key, int(weight)) for key, weight in law.items()]
    return SumLaw([key for key, _ in kept], [weight for _, weight in kept])


@st.composite
def edges(draw: st.DrawFn) -> Edges:
    """Two sums on their common outcomes; often one is the other, moved."""
    first = draw(sums())
    second = first.shifted(draw(st.integers(-2, 2))) if draw(st.booleans()) else draw(sums())
    return Edges.between(first, second)


@st.composite
def windows(draw: st.DrawFn, on: Edges | None = None) -> Written:
    """A window: each outcome is told apart, or belongs to one of two lumps, whose outcomes need not be neighbours."""
    shared = draw(edges()) if on is None else on
    count = len(shared.keys)
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=count, max_size=count))
    stretches: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    for kind, run in groupby(range(count), lambda k: kinds[k]):
        ends = list(run)
        stretches[kind].append(shared.stretch(shared.keys[ends[0]], shared.keys[ends[-1]]))
    lumps = [stretches[kind] for kind in KINDS[1:] if stretches[kind]]
    masses = [
        (Fraction(int(p), int(shared.denominator)), Fraction(int(q), int(shared.denominator)))
        for p, q in zip(shared.p, shared.q, strict=True)
    ]
    lumped = [[masses[k] for k in range(count) if kinds[k] == kind] for kind in KINDS[1:] if stretches[kind]]
    return Written(
        Window(shared, tuple(stretches["apart"]), tuple(map(tuple, lumps))),
        [mass for mass, kind in zip(masses, kinds, strict=True) if kind == "apart"],
        [(sum((p for p, _ in lump), Fraction(0)), sum((q for _, q in lump), Fraction(0))) for lump in lumped],
    )


@st.composite
def several(draw: st.DrawFn) -> list[Written]:
    """Windows, some of them on the same outcomes."""
    shared = [draw(edges()) for _ in range(draw(st.integers(1, 2)))]
    return [draw(windows(draw(st.sampled_from(shared)))) for _ in range(draw(st.integers(1, 4)))]


def is_above(mass: tuple[Fraction, Fraction], e: Epsilon, *, closed: bool) -> bool:
    """Whether an outcome's privacy loss is above ε; with `closed` at least ε > 0, if it can be had at all."""
    p, q = mass
    if p == 0 or q == 0 or e.is_infinite:
        return p > 0 and q == 0
    return compare(p, q, e).settled() in ({Order.GREATER, Order.EQUAL} if closed else {Order.GREATER})


def line_of(masses: Masses, e: Epsilon, *, closed: bool) -> tuple[Fraction, Fraction]:
    """(P(S), Q(S)) of the outcomes whose loss is above ε."""
    event = [mass for mass in masses if is_above(mass, e, closed=closed)]
    return sum((p for p, _ in event), Fraction(0)), sum((q for _, q in event), Fraction(0))


@given(sums(), sums())
def test_edges_are_two_laws_on_the_union_of_their_keys(first: SumLaw, second: SumLaw) -> None:
    shared = Edges.between(first, second)
    for law, weights in ((first, shared.p), (second, shared.q)):
        mine = {key: Fraction(int(weight), int(law.total)) for key, weight in law.items()}
        its = {
            key: Fraction(int(weight), int(shared.denominator))
            for key, weight in zip(shared.keys, weights, strict=True)
        }
        assert {key: mass for key, mass in its.items() if mass} == mine
        assert set(first.keys) | set(second.keys) <= set(shared.keys) | {
            key for law in (first, second) for key, weight in zip(law.keys, law.weights, strict=True) if not weight
        }
    assert list(shared.keys) == sorted(set(shared.keys))


@pytest.mark.parametrize("apart", [3, 40, 1 << 40, 1 << 62])
def test_keys_far_apart_are_listed_without_what_lies_between_them(apart: int) -> None:
    """Two coins, one of which is shifted by more than any list is long."""
    coin = sum_law([{0: 1, 1: 2}])
    keys, p, q = aligned(coin, coin.shifted(apart))
    assert {k: (int(x), int(y)) for k, x, y in zip(keys, p, q, strict=True) if x or y} == {
        0: (1, 0), 1: (2, 0), apart: (0, 1), apart + 1: (0, 2),
    }  # fmt: skip
    assert len(keys) <= 80


@given(edges(), st.integers(-12, 20), st.integers(-12, 20))
def test_a_stretch_has_the_keys_between_two(shared: Edges, low: int, high: int) -> None:
    start, stop = shared.stretch(low, high)
    assert list(range(start, stop)) == [k for k, key in enumerate(shared.keys) if low <= key <= high]


@pytest.mark.parametrize("text", ["1/10", "1", "1/2*ln(2)", "7/3*ln(5/4)"])
def test_the_mask_tells_apart_what_only_long_numbers_do(text: str) -> None:
    """Weights next to e^ε times the other, on both sides, too near for the first digits to tell."""
    e = epsilon(text)
    low, high = e.exp_bracket(400)
    for bits in (10, 90, 100, 150, 300):
        below, above = int(low * (1 << bits)), -int(-high * (1 << bits) // 1)
        weights = [above, below, 0, 5, 0]
        shared = Edges(range(5), weights, [1 << bits, 1 << bits, 1 << bits, 0, 0], 1 << (bits + 3))
        assert shared.mask(e) == shared.mask(e, closed=True) == [True, False, False, True, False]


def test_sums_on_other_places_of_one_line_are_kept_apart() -> None:
    """Keys 0, 2, 4 and 1, 3: no step of the first leads to a key of the second."""
    even, odd = sum_law([{0: 1, 2: 2, 4: 1}]), sum_law([{1: 3, 3: 1}])
    pairs = [(1, 0), (0, 3), (2, 0), (0, 1), (1, 0)]
    for shared, turn in ((Edges.between(even, odd), 1), (Edges.between(odd, even), -1)):
        assert list(shared.keys) == [0, 1, 2, 3, 4]
        assert [(int(p), int(q))[::turn] for p, q in zip(shared.p, shared.q, strict=True)] == pairs


@given(windows(), st.sampled_from(EPSILONS), st.booleans())
def test_a_line_and_an_event_are_those_of_the_written_laws(written: Written, e: Epsilon, closed: bool) -> None:  # noqa: FBT001
    window = written.window
    whole = int(window.denominator)
    a, b = window.line(e, closed=closed)
    assert (Fraction(int(a), whole), Fraction(int(b), whole)) == line_of(written.masses, e, closed=closed)
    assert closed or window.line(e) == window.line(e, closed=False)
    assert closed or window.event(e) == window.event(e, closed=False)
    positions, lumps = window.event(e, closed=closed)
    told = [k for i, j in window.apart for k in range(i, j)]
    assert positions == [k for k, mass in zip(told, written.apart, strict=True) if is_above(mass, e, closed=closed)]
    assert lumps == [k for k, mass in enumerate(written.lumps) if is_above(mass, e, closed=closed)]


@given(windows())
def test_the_profile_is_that_of_the_written_laws(written: Written) -> None:
    assert written.window.profile == written.profile


@given(several(), st.data())
def test_an_average_is_the_weighted_sum(terms: list[Written], data: st.DataObject) -> None:
    weights = [data.draw(st.integers(1, 3)) for _ in terms]
    whole = sum(weights) + data.draw(st.integers(0, 2))
    curve = averaged([(w, one.window) for w, one in zip(weights, terms, strict=True)], whole)
    assert envelope([curve]) == weighted_sum(
        [(Fraction(w, whole), one.profile) for w, one in zip(weights, terms, strict=True)]
    )


@given(several(), st.sampled_from(EPSILONS), st.booleans(), st.data())
def test_added_lines_are_those_of_the_windows(
    terms: list[Written],
    e: Epsilon,
    closed: bool,  # noqa: FBT001
    data: st.DataObject,
) -> None:
    weights = [data.draw(st.integers(1, 3)) for _ in terms]
    lines = lines_of([(w, one.window) for w, one in zip(weights, terms, strict=True)], e, closed=closed)
    assert set(lines) == {one.window.edges for one in terms}
    for shared, (a, b) in lines.items():
        mine = [
            (w, line_of(one.masses, e, closed=closed))
            for w, one in zip(weights, terms, strict=True)
            if one.window.edges is shared
        ]
        assert Fraction(int(a), int(shared.denominator)) == sum(w * line[0] for w, line in mine)
        assert Fraction(int(b), int(shared.denominator)) == sum(w * line[1] for w, line in mine)


@given(several())
def test_the_largest_windows_have_the_maximum_of_all(terms: list[Written]) -> None:
    kept = largest([one.window for one in terms])
    assert 1 <= len(kept) <= len(terms)
    assert envelope(kept) == maximum(one.profile for one in terms)


@given(several())
def test_what_a_window_refines_is_nowhere_above_it(terms: list[Written]) -> None:
    """Post-processing; and a window refines itself and the one that lumps all."""
    for one in at_least_one(terms):
        for other in terms:
            if one.window.refines(other.window):
                assert maximum([one.profile, other.profile]) == one.profile
        shared = one.window.edges
        everything = shared.stretch(shared.keys[0], shared.keys[-1])
        assert one.window.refines(one.window)
        assert one.window.refines(Window(shared, (), ((everything,),)))
        assert Window(shared, (everything,)).refines(one.window)
        assert not Window(shared, (), ((everything,),)).refines(Window(shared, (everything,)))


def test_only_what_another_window_refines_is_left_out() -> None:
    """Of four windows on one pair of laws the two that no other refines are looked at."""
    law = sum_law([{0: 3, 1: 1}] * 3)
    shared = Edges.between(law, law.shifted(1))
    low, high, middle = shared.stretch(0, 1), shared.stretch(3, 4), shared.stretch(2, 2)
    left, right = Window(shared, (low, middle), ((high,),)), Window(shared, (middle, high), ((low,),))
    both, mixed = Window(shared, (middle,), ((low,), (high,))), Window(shared, (), ((low, high), (middle,)))
    assert len(largest([both, left, mixed, right])) == 2
    assert [left.refines(one) for one in (left, right, both, mixed)] == [True, False, True, True]
    assert [both.refines(one) for one in (left, right, both, mixed)] == [False, False, True, True]
    assert [mixed.refines(one) for one in (left, right, both, mixed)] == [False, False, False, True]
    others = [Window(shared, (), ((low, middle), (high,))), Window(shared, (), ((middle, high), (low,)))]
    assert [mixed.refines(one) or one.refines(mixed) for one in others] == [False, False]
    assert not left.refines(Window(Edges.between(law, law.shifted(1)), (low, middle), ((high,),)))


def test_two_parameters_are_not_taken_for_one_another() -> None:
    """Sums are kept by parameter and by side: asked for another, and for the first once more, they are its own."""
    law = sum_law([{0: 3, 1: 1}] * 2)
    shared = Edges.between(law.shifted(1), law)
    window = Window(shared, (shared.stretch(0, 3),))
    third, sixth = epsilon("ln(3/2)"), epsilon("ln(6)")
    asked = [(ZERO, False), (third, True), (third, False), (sixth, False), (sixth, True), (ZERO, False), (third, False)]
    lines = [(16, 7), (16, 7), (7, 1), (1, 0), (7, 1), (16, 7), (7, 1)]
    assert [tuple(map(int, window.line(e, closed=closed))) for e, closed in asked] == lines
    lump = Window(shared, (), ((shared.stretch(1, 2),),))
    assert tuple(map(int, lump.line(ZERO))) == (15, 7)
    assert [tuple(map(int, window.line(e, closed=closed))) for e, closed in asked] == lines
