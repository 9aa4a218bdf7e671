"""Sets of parameter values: unions of intervals with exact ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verifier.wings.families.points import Point, between, order, point_text


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


def joined(pieces: Sequence[Interval]) -> tuple[Interval, ...]:
    """The union of ordered intervals, with neighbours that touch merged.

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> parts = [Interval(Fraction(0), half), Interval(half, half, True, True), Interval(half, Fraction(1))]
    >>> [interval.text("p") for interval in joined(parts)]
    ['0 < p < 1']
    """
    merged: list[Interval] = []
    for piece in pieces:
        if merged:
            last = merged[-1]
            touches = last.high is not None and piece.low is not None and not order(last.high, piece.low)
            if touches and (last.high_closed or piece.low_closed):
                merged[-1] = Interval(last.low, piece.high, last.low_closed, piece.high_closed)
                continue
        merged.append(piece)
    return tuple(merged)


def text_of(intervals: Sequence[Interval], name: str, show: Callable[[Point], str] = point_text) -> str:
    """A union of intervals in words.

    >>> text_of((), "p")
    'no p'
    """
    return " or ".join(interval.text(name, show) for interval in intervals) or f"no {name}"
