"""What is known of Rényi divergences on a cell of orders: against separate naive code in decimals of 90 digits."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import naive_orders as orders
import pytest
from flint import arb, ctx

from verifier.definitions.scheme.concentrated import CentredMoment, RenyiLine
from verifier.definitions.scheme.losses import Losses, common_part, cumulants, curvature
from verifier.definitions.scheme.supremum import Jet, Objective, Supremum
from verifier.numbers import arb_of, ball_ends

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
LAWS = [
    {THIRD: Fraction(1, 4), Fraction(3): Fraction(3, 4)},
    {HALF: Fraction(1, 10), Fraction(9, 8): Fraction(3, 10), Fraction(3): Fraction(3, 5)},
    {Fraction(1, 100): Fraction(1, 50), Fraction(1): HALF, Fraction(50): Fraction(12, 25)},
]
"""Values of P/Q with their probabilities under P; of the last the range of the loss is large."""
CELLS = [
    ("0", "1/1000"), ("0", "1/2"), ("0", "4"), ("1/3", "334/1000"), ("1/4", "3/4"), ("1/2", "4"), ("3", "4"),
    ("999/1000000", "1/1000"), ("1/1000", "1/500"), ("2", "2001/1000"), ("4", "4001/1000"), ("4", "6"),
    ("9", "9001/1000"), ("20", "60"),
]  # fmt: skip
EXCESSES = (Fraction(0), Fraction(1, 5), Fraction(4))
DIGITS = 90
ROUNDED = Fraction(1, 10**24)
"""How far a symmetric difference is from the derivative at most."""


def losses_of_law(law: dict[Fraction, Fraction]) -> tuple[Losses, list[tuple[Decimal, Decimal]]]:
    return Losses(tuple(law.items())), [
        (orders.decimal(mass), orders.decimal(ratio).ln()) for ratio, mass in law.items()
    ]


def ball(text: str) -> Any:
    """The number of a text as a ball."""
    return arb_of(Fraction(text))


def points(low: str, high: str) -> list[Decimal]:
    """Some points of a cell, without its ends and 0."""
    first, last = orders.decimal(Fraction(low)), orders.decimal(Fraction(high))
    return [first + (last - first) * k / 8 for k in (Decimal("0.001"), 1, 2, 4, 5, 7, Decimal("7.999"))]


def contains(ball: Any, value: Decimal, slack: Fraction = ROUNDED) -> bool:
    """Whether a ball contains a naive value, but for its rounding."""
    if not ball.is_finite():
        return True
    low, high = ball_ends(ball)
    slack *= max(Fraction(1), abs(Fraction(value)))
    return low - slack <= Fraction(value) <= high + slack


def width(ball: Any) -> Fraction:
    low, high = ball_ends(ball)
    return high - low


@pytest.fixture(autouse=True)
def precise() -> Iterator[None]:
    with localcontext(prec=DIGITS), ctx.workprec(300):
        yield


@pytest.mark.parametrize("law", LAWS)
def test_cumulants_are_those_of_the_tilted_law(law: dict[Fraction, Fraction]) -> None:
    losses, listed = losses_of_law(law)
    for at in map(Fraction, ("0", "1/7", "1", "5/2", "11")):
        naive = orders.derivatives(listed, orders.decimal(at))
        for known, value in zip(cumulants(losses, arb_of(at)), naive, strict=True):
            assert contains(known, value)
            assert width(known) < Fraction(1, 10**60)
    for low, high in CELLS:
        balls = cumulants(losses, ball(low).union(ball(high)))
        for t in points(low, high):
            assert all(contains(b, v) for b, v in zip(balls, orders.derivatives(listed, t), strict=True))


@pytest.mark.parametrize("law", LAWS)
def test_the_ends_of_the_loss(law: dict[Fraction, Fraction]) -> None:
    losses, listed = losses_of_law(law)
    assert losses.largest == max(law)
    assert contains(losses.range, max(loss for _, loss in listed) - min(loss for _, loss in listed))
    assert losses.mirrored.atoms == tuple((1 / r, law[r]) for r in sorted(law, reverse=True))
    assert losses.mirrored.largest == 1 / min(law)


def psi(listed: list[tuple[Decimal, Decimal]]) -> Callable[[Decimal], Decimal]:
    """(K(t) - K'(0)·t)/t²."""
    mean = orders.derivatives(listed, Decimal(0))[1]
    return lambda t: (orders.log_moment(listed, t) - mean * t) / (t * t)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("low", "high"), CELLS)
def test_curvatures_are_enclosed_on_a_cell(law: dict[Fraction, Fraction], low: str, high: str) -> None:
    losses, listed = losses_of_law(law)
    found, f = curvature(losses, ball(low), ball(high)), psi(listed)
    for t in points(low, high):
        assert contains(found.value, f(t))
        assert contains(found.slope, orders.slope(f, t))
        assert contains(found.bend, orders.slope(lambda x: orders.slope(f, x), t))
    start = orders.derivatives(listed, Decimal(0))
    if Fraction(low):
        at = orders.decimal((Fraction(low) + Fraction(high)) / 2)
        assert contains(found.at, at)
        values = f(at), orders.slope(f, at)
    else:
        assert found.at == 0
        values = start[2] / 2, start[3] / 6
    for known, value in zip((found.value_at, found.slope_at), values, strict=True):
        assert contains(known, value)
        assert width(known) < Fraction(1, 10**50)


def signs(ball: Any) -> int:
    """1 where all numbers of a ball are positive, -1 where all are negative, else 0."""
    return 1 if ball > 0 else -1 if ball < 0 else 0


def agrees(jet: Jet, f: Callable[[Decimal], Decimal], ways: list[Callable[[Decimal], Decimal]], t: Decimal) -> None:
    """The value, the sign of the derivative, and one of the directions with its derivative."""
    assert contains(jet.value, f(t))
    derivative = orders.slope(f, t)
    assert signs(jet.direction) in {0, 1 if derivative > 0 else -1}
    assert any(contains(jet.direction, way(t)) and contains(jet.bend, orders.slope(way, t)) for way in ways)


@pytest.mark.parametrize("xi", EXCESSES)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("low", "high"), CELLS)
def test_lines_of_renyi_divergences_are_enclosed_on_a_cell(
    law: dict[Fraction, Fraction], low: str, high: str, xi: Fraction
) -> None:
    """The directions are h'·(1 + t)² and that times t²."""
    losses, listed = losses_of_law(law)
    line = RenyiLine(losses, xi)
    jet = line.jet(ball(low), ball(high))

    def h(t: Decimal) -> Decimal:
        return (orders.renyi(listed, t) - orders.decimal(xi)) / (1 + t)

    def direction(t: Decimal) -> Decimal:
        return orders.slope(h, t) * (1 + t) ** 2

    for t in points(low, high):
        agrees(jet, h, [direction, lambda t: direction(t) * t * t], t)
    middle = ball_ends(jet.at)[0]
    assert contains(jet.middle, h(orders.decimal(middle)) if middle else h_at_zero(listed, xi))
    assert width(jet.middle) < Fraction(1, 10**50)


def h_at_zero(listed: list[tuple[Decimal, Decimal]], xi: Fraction) -> Decimal:
    return orders.renyi(listed, Decimal(0)) - orders.decimal(xi)


@pytest.mark.parametrize("xi", EXCESSES)
@pytest.mark.parametrize("law", LAWS)
def test_bounds_of_lines_of_renyi_divergences(law: dict[Fraction, Fraction], xi: Fraction) -> None:
    """D rises with its order; it is at most the largest loss L, and at most KL + t·r²/8 for the range r of the loss."""
    losses, listed = losses_of_law(law)
    line, excess = RenyiLine(losses, xi), orders.decimal(xi)
    largest, smallest = (f(loss for _, loss in listed) for f in (max, min))
    for at in ("0", "1/9", "1", "12"):
        t = orders.decimal(Fraction(at))
        value = (orders.renyi(listed, t) - excess) / (1 + t)
        assert contains(line.at(ball(at)), value)
        assert width(line.at(ball(at))) < Fraction(1, 10**50)
        assert value <= max(Decimal(0), largest - excess) / (1 + t)
        assert value <= max(h_at_zero(listed, xi), (largest - smallest) ** 2 / 8)
    assert_is(line.cap(), max(h_at_zero(listed, xi), (largest - smallest) ** 2 / 8))
    for low, high in (("1/3", "1/2"), ("2", "3")):
        most = orders.renyi(listed, orders.decimal(Fraction(high))) - excess
        assert_is(
            line.ceiling(ball(low), ball(high)),
            most / (1 + orders.decimal(Fraction(low if most > 0 else high))),
        )
        assert_is(line.tail(ball(low)), abs(largest - excess) / (1 + orders.decimal(Fraction(low))))


def assert_is(ball: Any, value: Decimal) -> None:
    assert contains(ball, value)
    assert width(ball) < Fraction(1, 10**20)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("low", "high"), CELLS)
def test_centred_moments_are_enclosed_on_a_cell(law: dict[Fraction, Fraction], low: str, high: str) -> None:
    """g = 2·ψ; the directions are ψ' and t³·ψ'."""
    losses, listed = losses_of_law(law)
    moment, f = CentredMoment(losses), psi(listed)
    jet = moment.jet(ball(low), ball(high))

    def direction(t: Decimal) -> Decimal:
        return orders.slope(f, t)

    for t in points(low, high):
        agrees(jet, lambda t: 2 * f(t), [direction, lambda t: direction(t) * t**3], t)
    middle = ball_ends(jet.at)[0]
    variance = orders.derivatives(listed, Decimal(0))[2]
    assert contains(jet.middle, 2 * f(orders.decimal(middle)) if middle else variance)
    assert width(jet.middle) < Fraction(1, 10**50)


@pytest.mark.parametrize("law", LAWS)
def test_bounds_of_centred_moments(law: dict[Fraction, Fraction]) -> None:
    """K(t) - KL·t rises and is at most (L_max - KL)·t, and K'' is at most r²/4."""
    losses, listed = losses_of_law(law)
    moment, f, mean = CentredMoment(losses), psi(listed), orders.renyi(listed, Decimal(0))
    largest, smallest = (g(loss for _, loss in listed) for g in (max, min))
    assert_is(moment.at(ball("0")), orders.derivatives(listed, Decimal(0))[2])
    for at in ("1/9", "1", "12"):
        t = orders.decimal(Fraction(at))
        assert_is(moment.at(ball(at)), 2 * f(t))
        assert 2 * f(t) <= min((largest - smallest) ** 2 / 4, 2 * (largest - mean) / t)
        assert_is(moment.tail(ball(at)), 2 * (largest - mean) / t)
    assert_is(moment.cap(), (largest - smallest) ** 2 / 4)
    for low, high in (("1/3", "1/2"), ("2", "3")):
        t = orders.decimal(Fraction(high))
        least = orders.decimal(Fraction(low))
        assert_is(moment.ceiling(ball(low), ball(high)), 2 * f(t) * t * t / (least * least))


def test_what_two_balls_have_in_common() -> None:
    """Of two around one number; one that is not finite says nothing."""
    wide, other, nothing = arb(1, 1), arb(2, 1), (arb("nan"), arb(0, "inf"))
    low, high = ball_ends(common_part(wide, other))
    slack = Fraction(1, 1 << 20)
    assert 1 - slack <= low <= 1
    assert 2 <= high <= 2 + slack
    for none in nothing:
        assert common_part(wide, none).is_finite()
        assert common_part(none, wide).is_finite()
        assert ball_ends(common_part(none, wide)) == ball_ends(common_part(wide, none)) == ball_ends(wide)
        assert not common_part(none, none).is_finite()


@dataclass(frozen=True)
class Counted:
    """An objective whose looks are counted."""

    objective: Objective
    looks: list[tuple[Fraction, Fraction]]

    def jet(self, low: Fraction, high: Fraction) -> Jet:
        self.looks.append((low, high))
        return self.objective.jet(low, high)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.objective, name)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("steps", [(16, 64, 256), (256,)])
def test_few_cells_are_looked_at(law: dict[Fraction, Fraction], steps: tuple[int, ...]) -> None:
    """What is known of a cell is sharp: Newton's method is of use, and the quotients do not cancel near 0."""
    losses, _ = losses_of_law(law)
    groups: list[list[Objective]] = [[RenyiLine(losses, xi)] for xi in EXCESSES[:2]]
    groups.append([CentredMoment(losses), CentredMoment(losses.mirrored)])
    for objectives in groups:
        looks: list[tuple[Fraction, Fraction]] = []
        asked = Supremum(tuple(Counted(each, looks) for each in objectives))
        for bits in steps:
            low, high = asked.bracket(bits)
            assert high - low <= Fraction(1, 1 << bits)
        assert len(looks) <= 50
