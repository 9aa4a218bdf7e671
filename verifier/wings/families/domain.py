"""The range of a family's parameter: intervals on which the support does not change, and the points between."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from verifier.errors import InputError
from verifier.model.parameters import ORDERS, Family
from verifier.numbers import Function
from verifier.numbers.functions import real_roots
from verifier.wings.families.intervals import Interval, only
from verifier.wings.families.points import Line, Point, ascending, between


def refuse_many(family: Family) -> None:
    """Refuse a family in which more than one parameter is free.

    Raises:
        InputError: with the names of the free parameters, and how to fix all but the first.

    """
    if len(family.names) > 1:
        raise InputError(
            f"{len(family.names)} parameters are free: {', '.join(family.names)}",
            where=str(family.location),
            wanted="one free parameter",
            tip=f"fix all but one: {' '.join(f'{name}=1/7' for name in family.names[1:])}",
        )


def special_points(family: Family) -> tuple[Point, ...]:
    """The parameter values at which an entry is 0, 1 or has a pole: only there does the support change."""
    (name,) = family.names
    points: list[Point] = []
    entries = [Function.read(expression, name) for _, expression in family.expressions]
    for entry in [*entries, *(drawn.value for _, drawn in family.drawn)]:
        for polynomial in (entry.top, (1 - entry).top, entry.bottom):
            points += real_roots(polynomial)
    return tuple(points)


def domain(family: Family) -> list[Interval]:
    """The values that meet all conditions, in order: open intervals without special points, and the points between.

    Raises:
        InputError: for a family in which more than one parameter is free.

    """
    refuse_many(family)
    (name,) = family.names
    conditions = [
        (condition, Function.read(condition.left, name) - Function.read(condition.right, name))
        for condition in family.conditions
    ]
    ends = [root for _, line in conditions for root in (*real_roots(line.top), *real_roots(line.bottom))]
    points = ascending([*ends, *special_points(family)])
    intervals: list[Interval] = []

    def inside(at: Point) -> bool:
        for condition, line in conditions:
            try:
                sign = Line(line).sign(at)
            except ZeroDivisionError:
                return False
            if not ORDERS[condition.order](Fraction(sign), Fraction(0)):
                return False
        return True

    for number, (low, high) in enumerate(pairwise([None, *points, None])):
        if number and low is not None and inside(low):
            intervals.append(only(low))
        if inside(between(low, high)):
            intervals.append(Interval(low, high))
    return intervals


def inner_value(family: Family) -> Fraction:
    """A value of the parameter inside the range that is no special point.

    Raises:
        InputError: where the range has no inner value.

    """
    inner = [interval for interval in domain(family) if interval.point is None]
    if not inner:
        raise InputError("the range has no inner value", where=str(family.location), wanted="an interval")
    low, high = inner[0].low, inner[0].high
    start = low if isinstance(low, Fraction) else between(low, high)
    end = high if isinstance(high, Fraction) else between(start, high)
    return start + (end - start) / 8
