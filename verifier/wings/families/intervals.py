"""Sets of parameter values: unions of intervals with exact ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from verifier.wings.families.points import Point, between, order, point_text

Part = TypeVar("Part")


@dataclass(frozen=True)
class Interval:
    """An interval of parameter values; an end that is None is unbounded."""

    low: Point | None
    high: Point | None
    low_closed: bool = False
    high_closed: bool = False

    @property
    def point(self) -> Point | None:
        """The value of an interval that is a single point; None for a longer interval."""
        return self.low if self.low is not None and self.low == self.high else None

    def text(self, name: str, show: Callable[[Point], str] = point_text) -> str:
        """The interval as a condition, such as `0 < p <= 1/3`; `show` formats the ends."""
        if self.point is not None:
            return f"{name} = {show(self.point)}"
        left = f"{show(self.low)} {'<=' if self.low_closed else '<'} " if self.low is not None else ""
        right = f" {'<=' if self.high_closed else '<'} {show(self.high)}" if self.high is not None else ""
        return f"{left}{name}{right}" if left or right else f"every {name}"

    def to(self, later: Interval) -> Interval:
        """The interval from the lower end of this one to the upper end of a later one."""
        return Interval(self.low, later.high, self.low_closed, later.high_closed)

    def meets(self, later: Interval) -> bool:
        """Whether a later interval begins at the point where this one ends."""
        return self.high is not None and later.low is not None and not order(self.high, later.low)

    def has(self, value: Point) -> bool:
        """Whether the interval contains a value."""
        if self.low is not None:
            side = order(self.low, value)
            if side > 0 or (side == 0 and not self.low_closed):
                return False
        if self.high is None:
            return True
        side = order(value, self.high)
        return side < 0 or (side == 0 and self.high_closed)

    @property
    def sample(self) -> Point:
        """The value of a single point, or a simple rational number strictly inside the interval."""
        return self.point if self.point is not None else between(self.low, self.high)


def only(at: Point) -> Interval:
    """The interval of one point."""
    return Interval(at, at, low_closed=True, high_closed=True)


def united(
    parts: Iterable[Part], continues: Callable[[Part, Part], bool], union: Callable[[Part, Part], Part]
) -> list[Part]:
    """The parts in order, with the `union` of neighbours in place of those of which the second `continues` the first.

    >>> united("aabba", lambda x, y: x[0] == y, lambda x, y: x + y)
    ['aa', 'bb', 'a']
    """
    listed: list[Part] = []
    for part in parts:
        if listed and continues(listed[-1], part):
            listed[-1] = union(listed[-1], part)
        else:
            listed.append(part)
    return listed


def continues(x: Interval, y: Interval, *, alike: bool, equal_at: Callable[[Point], bool]) -> bool:
    """Whether two pieces of a piecewise function are one: they meet in a point that belongs to one of them.

    They are `alike`, or one is a point at which both have an equal value.
    """
    if not x.meets(y) or x.high_closed == y.low_closed:
        return False
    at = x.point if x.point is not None else y.point
    return alike or (at is not None and equal_at(at))


def joined(pieces: Sequence[Interval]) -> tuple[Interval, ...]:
    """The union of ordered intervals, with neighbours that touch merged.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> parts = [Interval(Fraction(0), half), Interval(half, half, True, True), Interval(half, Fraction(1))]
    >>> [interval.text("p") for interval in joined(parts)]
    ['0 < p < 1']
    """

    def touches(last: Interval, piece: Interval) -> bool:
        return last.meets(piece) and (last.high_closed or piece.low_closed)

    return tuple(united(pieces, touches, Interval.to))


def text_of(intervals: Sequence[Interval], name: str, show: Callable[[Point], str] = point_text) -> str:
    """A union of intervals in words.

    >>> text_of((), "p")
    'no p'
    """
    return " or ".join(interval.text(name, show) for interval in intervals) or f"no {name}"
