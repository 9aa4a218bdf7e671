"""Suprema over all t > 0: of functions whose largest value is known by hand, and how often they are looked at."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from verifier.definitions.measures.supremum import Jet, Supremum
from verifier.numbers import arb_of, ball_ends

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def ball_between(low: Fraction, high: Fraction) -> Any:
    """A ball that contains [low, high]."""
    return arb_of(low).union(arb_of(high))


@dataclass
class Known:
    """A function with few bounds, which counts how often it is looked at."""

    cells: list[tuple[Fraction, Fraction]] = field(default_factory=list)

    def at(self, t: Fraction) -> Any:
        raise NotImplementedError

    def jet(self, low: Fraction, high: Fraction) -> Jet:
        self.cells.append((low, high))
        return self.known(ball_between(low, high), (low + high) / 2)

    def known(self, t: Any, middle: Fraction) -> Jet:
        raise NotImplementedError

    def ceiling(self, low: Fraction, high: Fraction) -> Any:
        raise NotImplementedError

    def cap(self) -> Any:
        raise NotImplementedError

    def tail(self, low: Fraction) -> Any:
        raise NotImplementedError


@dataclass
class Bump(Known):
    """c·t/(t² + a²): it rises up to a, where it is c/(2a), and falls from there on."""

    c: Fraction = Fraction(1)
    a: Fraction = Fraction(1)

    def at(self, t: Fraction) -> Any:
        return arb_of(self.c * t / (t * t + self.a * self.a))

    def known(self, t: Any, middle: Fraction) -> Jet:
        square, value = arb_of(self.a * self.a), self.at(middle)
        return Jet(
            arb_of(self.c) * t / (t * t + square), square - t * t, -2 * t, arb_of(middle), value,
            square - arb_of(middle * middle),
        )  # fmt: skip

    def ceiling(self, low: Fraction, high: Fraction) -> Any:
        return arb_of(self.c * high / (low * low + self.a * self.a))

    def cap(self) -> Any:
        return arb_of(self.c / self.a)

    def tail(self, low: Fraction) -> Any:
        return arb_of(self.c / low)


@dataclass
class Moved(Bump):
    """c·(t + b)/((t + b)² + a²): a bump that starts at b; a cell at 0 is expanded about 0, and its bend is negative."""

    b: Fraction = Fraction(1, 4)

    def at(self, t: Fraction) -> Any:
        return super().at(t + self.b)

    def jet(self, low: Fraction, high: Fraction) -> Jet:
        self.cells.append((low, high))
        middle = (low + high) / 2 if low else low
        jet = self.known(ball_between(low + self.b, high + self.b), middle + self.b)
        return jet._replace(at=arb_of(middle), middle=self.at(middle))

    def ceiling(self, low: Fraction, high: Fraction) -> Any:
        return super().ceiling(low + self.b, high + self.b)

    def tail(self, low: Fraction) -> Any:
        return super().tail(low + self.b)


@dataclass
class Falling(Known):
    """c/(1 + t): its supremum is its limit c at 0."""

    c: Fraction = Fraction(1)

    def at(self, t: Fraction) -> Any:
        return arb_of(self.c / (1 + t))

    def known(self, t: Any, middle: Fraction) -> Jet:
        return Jet(arb_of(self.c) / (1 + t), arb(-1), arb(0), arb_of(middle), self.at(middle), arb(-1))

    def ceiling(self, low: Fraction, high: Fraction) -> Any:  # noqa: ARG002
        return self.at(low)

    def cap(self) -> Any:
        return arb_of(2 * self.c)

    def tail(self, low: Fraction) -> Any:
        return self.at(low)


@dataclass
class Flat(Known):
    """1 everywhere; what is known of its direction does not tell that."""

    slack: int = 0

    def at(self, t: Fraction) -> Any:  # noqa: ARG002
        return arb(1)

    def known(self, t: Any, middle: Fraction) -> Jet:  # noqa: ARG002
        value = arb(1) + self.slack * arb(0, 1)
        return Jet(value, arb(0, 1), arb(0, 1), arb_of(middle), arb(1), arb(0, 1))

    def ceiling(self, low: Fraction, high: Fraction) -> Any:  # noqa: ARG002
        return arb(1 + self.slack)

    def cap(self) -> Any:
        return arb(2)

    def tail(self, low: Fraction) -> Any:  # noqa: ARG002
        return arb(1 + self.slack)


@dataclass(frozen=True)
class InBalls:
    """A function of fractions, asked in balls: those without a radius, or around an end of the range."""

    known: Known

    def at(self, t: Any) -> Any:
        return self.known.at(point(t))

    def jet(self, low: Any, high: Any) -> Jet:
        return self.known.jet(point(low), point(high))

    def ceiling(self, low: Any, high: Any) -> Any:
        return self.known.ceiling(point(low), point(high))

    def cap(self) -> Any:
        return self.known.cap()

    def tail(self, low: Any) -> Any:
        return self.known.tail(point(low))


def point(ball: Any) -> Fraction:
    """The middle of a ball, which is all of it but for an end such as 1/3."""
    return ball_ends(arb(ball.mid()))[0]


def supremum_of(*objectives: Known, end: Fraction | None = None) -> Supremum:
    return Supremum(tuple(map(InBalls, objectives)), end)


def bump(c: str, a: str) -> Bump:
    return Bump(c=Fraction(c), a=Fraction(a))


KNOWN = [
    ([bump("1", "1")], None, HALF, None),
    ([bump("1/3", "1")], None, Fraction(1, 6), None),
    ([bump("1/3", "1/2"), bump("1/5", "4")], None, THIRD, None),
    ([bump("1", "1/3"), Moved(c=Fraction(2), a=Fraction(1, 3), b=Fraction(1, 100))], None, Fraction(3), None),
    ([Moved(c=Fraction(5), a=Fraction(3), b=Fraction(3, 2))], None, Fraction(5, 6), None),
    ([Moved(a=Fraction(1, 10), b=HALF)], Fraction(7), HALF / Fraction(26, 100), Fraction(0)),
    ([bump("7", "10")], None, Fraction(7, 20), None),
    ([bump("1", "1000")], None, Fraction(1, 2000), None),
    ([bump("1", "1/100")], None, Fraction(50), None),
    ([bump("1", "1")], Fraction(1000), HALF, None),
    ([bump("1", "2")], Fraction(3), Fraction(1, 4), None),
    ([bump("1", "2")], Fraction(1), Fraction(1, 5), Fraction(1)),
    ([bump("1", "2")], HALF, Fraction(2, 17), HALF),
    ([bump("1", "2")], Fraction(1, 4), Fraction(4, 65), Fraction(1, 4)),
    ([bump("1", "1000")], Fraction(10), Fraction(1, 100010), Fraction(10)),
    ([Falling()], None, Fraction(1), Fraction(0)),
    ([Falling()], THIRD, Fraction(1), Fraction(0)),
    ([Falling(), bump("3", "1")], None, Fraction(3, 2), None),
    ([bump("3", "1"), Falling()], None, Fraction(3, 2), None),
    ([bump("1", "1"), Falling()], None, Fraction(1), Fraction(0)),
    ([Falling(), Falling(c=HALF)], None, Fraction(1), Fraction(0)),
    ([Falling(c=HALF), Falling()], None, Fraction(1), Fraction(0)),
    ([Falling(), Falling()], None, Fraction(1), None),
    ([bump("1", "2"), Falling(c=Fraction(1, 10))], Fraction(1), Fraction(1, 5), Fraction(1)),
    ([bump("2", "1"), bump("1", "1/2")], None, Fraction(1), None),
]
"""Functions, the end of the range, the supremum, and where it is attained or approached if that is one of the ends."""
MOST_LOOKS = 20
"""Halvings until the cells are small, and then Newton's method, which doubles the bits: of each function, up to 256."""


@pytest.mark.parametrize(("objectives", "end", "supremum", "at"), KNOWN)
@pytest.mark.parametrize("steps", [(4, 5), (16, 64, 256), (256,)])
def test_the_supremum_is_the_one_known_by_hand(
    objectives: list[Known], end: Fraction | None, supremum: Fraction, at: Fraction | None, steps: tuple[int, ...]
) -> None:
    for each in objectives:
        each.cells.clear()
    asked = supremum_of(*objectives, end=end)
    for bits in steps:
        low, high = asked.bracket(bits)
        assert low <= supremum <= high
        assert bits == 4 or high - low <= Fraction(1, 1 << bits)
    assert asked.attained_at == at
    assert all(0 <= low <= high and (end is None or high <= end) for each in objectives for low, high in each.cells)
    assert all(len(each.cells) <= MOST_LOOKS for each in objectives)


@pytest.mark.parametrize(
    ("objective", "end", "low", "high"),
    [
        (bump("1", "1"), None, HALF, Fraction(1)),
        (bump("1", "1/2"), None, Fraction(1), Fraction(2)),
        (bump("1", "4"), None, Fraction(1, 8), Fraction(1, 4)),
        (bump("1", "2"), Fraction(1), Fraction(1, 5), HALF),
        (bump("1", "2"), Fraction(3), Fraction(1, 5), HALF),
        (bump("1", "2"), HALF, Fraction(2, 17), HALF),
        (bump("1", "2"), Fraction(1, 4), Fraction(0), HALF),
        (Falling(c=Fraction(3)), None, Fraction(3), Fraction(6)),
    ],
)
def test_for_few_bits_some_values_and_a_bound_of_all_are_enough(
    objective: Known, end: Fraction | None, low: Fraction, high: Fraction
) -> None:
    """The values at 0, 1/2, 1 and 4, as far as the range goes; no cell is looked at."""
    objective.cells.clear()
    found = supremum_of(objective, end=end).bracket(4)
    assert (round(found[0], 12), round(found[1], 12)) == (round(low, 12), round(high, 12))
    assert found[0] <= low
    assert high <= found[1]
    assert objective.cells == []


def test_the_larger_of_two_counts_for_few_bits() -> None:
    for objectives in ((Falling(), bump("8", "4")), (bump("8", "4"), Falling())):
        assert supremum_of(*objectives).bracket(4) == (Fraction(1), Fraction(2))
    assert supremum_of(Falling(c=Fraction(-3))).bracket(4)[0] == 0


def test_what_is_known_is_not_sought_again() -> None:
    objective = bump("1", "3")
    asked = supremum_of(objective)
    bounds = asked.bracket(64)
    looks = len(objective.cells)
    assert asked.bracket(16) == asked.bracket(4) == bounds
    narrow = asked.bracket(256)
    assert looks < len(objective.cells)
    assert bounds[0] <= narrow[0] < narrow[1] <= bounds[1]
    assert asked.bracket(64) == bounds
    assert asked.bracket(65) == narrow


def test_a_cell_at_an_end_is_halved_forty_times_at_most() -> None:
    """At 64 bits and more each end's cell is halved, the first of all at once for both where it is one cell.

    Up to 8 the cells are [0, 1/2], and [2, 8] after two cuts.
    """
    for end, bits, looks in (
        (HALF, 16, 1),
        (HALF, 63, 1),
        (HALF, 64, 79),
        (HALF, 100, 79),
        (8, 64, 40 + 38),
        (8, 63, 1),
    ):
        objective = Flat()
        asked = supremum_of(objective, end=Fraction(end))
        assert asked.bracket(bits) == (Fraction(1), Fraction(1))
        assert len(objective.cells) == looks
    assert asked.attained_at is None


def test_four_hundred_cells_are_looked_at_for_one_precision() -> None:
    """Where they are too few, the bounds are as wide as they are."""
    objective = Flat(slack=1)
    asked = supremum_of(objective, end=HALF)
    low, high = asked.bracket(16)
    assert low == 1
    assert 2 <= high < 2 + Fraction(1, 1 << 20)
    assert len(objective.cells) == 400
