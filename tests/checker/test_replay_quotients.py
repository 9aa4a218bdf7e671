"""Polynomials and quotients of the checker: signs on intervals, against the roots that FLINT finds."""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random

import pytest
from examined import at_least_one
from flint import fmpz_poly

from verifier.checker import Rejected
from verifier.checker import roots as polynomials
from verifier.checker.exchange.quotients import (
    Quotient,
    Root,
    Stretch,
    is_never_negative,
    is_never_zero,
    order,
    read_quotient,
    root,
    roots_inside,
    sign_at,
)
from verifier.numbers import Algebraic, roots_between

End = Fraction | Algebraic


def product(random: Random, factors: int) -> list[int]:
    """A polynomial with repeated factors of degree 1 and 2."""
    total = fmpz_poly([random.choice((-2, -1, 1, 3))])
    for _ in range(factors):
        factor = fmpz_poly([random.randint(-5, 5) for _ in range(random.randint(2, 3))])
        total *= (factor if factor.degree() >= 1 else fmpz_poly([1, 1])) ** random.choice((1, 1, 2, 3))
    return [int(c) for c in total.coeffs()]


def in_replay(end: End) -> Fraction | Root:
    return end if isinstance(end, Fraction) else root(end.polynomial, end.low, end.high)


def signs_inside(listed: list[int], low: End, high: End) -> set[int]:
    """The signs that a polynomial has strictly between two points, by all of its roots."""
    first, last = (end if isinstance(end, Fraction) else end.bracket(80)[side] for side, end in ((1, low), (0, high)))
    roots = [
        first,
        *(r if isinstance(r, Fraction) else r.bracket(90)[0] for r in roots_between(listed, first, last)),
        last,
    ]
    inside = {0} if any(r not in {first, last} for r in roots) else set()
    for a, b in itertools.pairwise(roots):
        if a < b:
            value = polynomials.value(tuple(listed), (a + b) / 2)
            inside.add((value > 0) - (value < 0))
    return inside


@pytest.mark.parametrize("seed", range(60))
def test_signs_on_intervals(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    listed, other = product(random, 3), product(random, 2)
    points: list[End] = [
        *roots_between(other, Fraction(-20), Fraction(20)),
        Fraction(random.randint(-9, 9), 4),
        Fraction(5),
    ]
    points += [point for point in roots_between(listed, Fraction(-20), Fraction(20)) if random.random() < 0.5]
    points = sorted(dict.fromkeys(points), key=lambda x: x if isinstance(x, Fraction) else x.bracket(99)[0])
    for low, high in at_least_one(itertools.pairwise(points)):
        where = Stretch(in_replay(low), in_replay(high), low_closed=False, high_closed=False)
        signs = signs_inside(listed, low, high)
        assert is_never_negative(tuple(listed), where) == (-1 not in signs)
        assert is_never_zero(tuple(listed), where) == (0 not in signs)
        assert order(where.low, where.high) == -1  # type: ignore[arg-type]
    for point in points:
        value = point.sign(listed) if isinstance(point, Algebraic) else polynomials.sign(tuple(listed), point)
        assert sign_at(tuple(listed), in_replay(point)) == value


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("at", [Fraction(1), Fraction(3, 2), Fraction(0)])
def test_a_square_that_is_0_in_the_middle_is_never_negative(at: Fraction, *, closed: bool) -> None:
    """(x - a)² on an interval around a, and 1/8 less."""
    where = Stretch(at - 1, at + 1, low_closed=closed, high_closed=closed)
    square = tuple(int(4 * c) for c in (at * at, -2 * at, Fraction(1)))
    assert is_never_negative(square, where)
    assert not is_never_zero(square, where)
    assert not is_never_negative((2 * square[0] - 1, *(2 * c for c in square[1:])), where)


@pytest.mark.parametrize("seed", range(40))
def test_intervals_without_an_end(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    listed = product(random, 3)
    low = Fraction(random.randint(-5, 5))
    signs = signs_inside(listed, low, Fraction(10**9))
    where = Stretch(low, None, low_closed=False, high_closed=False)
    assert is_never_negative(tuple(listed), where) == (-1 not in signs)
    assert is_never_zero(tuple(listed), where) == (0 not in signs)
    both = Stretch(None, None, low_closed=False, high_closed=False)
    everywhere = signs_inside(listed, Fraction(-(10**9)), Fraction(10**9))
    assert is_never_negative(tuple(listed), both) == (-1 not in everywhere)


@pytest.mark.parametrize("seed", range(20))
def test_quotients_are_a_field(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    f, g, h = (Quotient(tuple(product(random, 2)), tuple(product(random, 1))) for _ in range(3))
    assert (f + g) * h == f * h + g * h
    assert f - g == -(g - f)
    assert f / g * g == f
    assert hash(f * g / g) == hash(f)
    x = Fraction(101, 7)
    assert (f + g / h).at(x) == f.at(x) + g.at(x) / h.at(x)
    assert 1 / g == Quotient(g.bottom, g.top)


def test_constants_are_as_good_as_numbers() -> None:
    half = read_quotient([Fraction(1, 2)], [Fraction(1)])
    assert half == Fraction(1, 2)
    assert {half: 1}[Fraction(1, 2)] == 1  # type: ignore[index]
    assert not Quotient(())


def test_poles_are_seen() -> None:
    pole = Quotient((1,), (-1, 1))  # 1/(x - 1)
    assert pole.is_positive(Stretch(Fraction(1), Fraction(2), low_closed=False, high_closed=True))
    assert not pole.is_never_negative(Stretch(Fraction(1), Fraction(2), low_closed=True, high_closed=True))
    removable = Quotient((-1, 0, 1), (-1, 1))  # (x² - 1)/(x - 1)
    assert removable.is_positive(Stretch(Fraction(0), Fraction(2), low_closed=True, high_closed=True))
    with pytest.raises(Rejected, match="a pole"):
        pole.at(Fraction(1))


def test_ends_that_are_none() -> None:
    for listed, low, high in (((-2, 0, 1), 2, 3), ((-2, 0, 1), -2, 2), ((1,), 0, 1), ((-2, 0, 1), 2, 1)):
        with pytest.raises(Rejected):
            root(listed, Fraction(low), Fraction(high))


def test_lowest_terms_have_a_bottom_that_leads_with_a_positive_number() -> None:
    for sign in (1, -1):
        turned = Quotient((2 * sign, 4 * sign), (0, 6 * sign))
        assert turned.lowest == ((1, 2), (0, 3))
        assert Quotient((2 * sign, 4 * sign), (0, -6 * sign)).lowest == ((-1, -2), (0, 3))
        assert Quotient((0, 2 * sign), (0, 0, 6 * sign)).lowest == ((1,), (0, 3))


def test_ends_that_are_not_told_apart_yet_have_no_root_between_them() -> None:
    """The roots of 2 and of 3 lie in [1, 2]; 10 does not, and 3/2 does."""
    between = Stretch(
        Root((-2, 0, 1), Fraction(1), Fraction(2)), Root((-3, 0, 1), Fraction(1), Fraction(2)), False, False
    )
    assert roots_inside((-10, 1), between) == 0
    assert roots_inside((-3, 2), between) == 1


def test_an_interval_holds_another_where_it_holds_its_points() -> None:
    ends = [*itertools.combinations(map(Fraction, range(3)), 2)]
    closed = [*itertools.product((False, True), repeat=2)]
    listed = [Stretch(low, high, *kinds) for (low, high), kinds in itertools.product(ends, closed)]

    def points(where: Stretch) -> set[Fraction]:
        low, high = where.low, where.high
        assert isinstance(low, Fraction)
        assert isinstance(high, Fraction)
        own = {Fraction(k, 2) for k in range(5) if low < Fraction(k, 2) < high}
        return own | ({low} if where.low_closed else set()) | ({high} if where.high_closed else set())

    for first, second in itertools.product(listed, repeat=2):
        assert first.holds(second) == (points(second) <= points(first))
