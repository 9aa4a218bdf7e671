"""The values of a family's parameter: where nothing becomes possible or impossible, and the points between."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.numbers.functions import real_roots
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line, Point, ascending, between


def refuse_many(family: Family) -> None:
    """Refuse another number of parameters than one.

    Raises:
        InputError: with a tip.

    """
    if len(family.parameters) != 1:
        raise InputError(
            f"the family has {len(family.parameters)} parameters",
            where=str(family.place),
            wanted="one",
            tip=f"fix the others: {family.names[-1]}=1/7",
        )


def special_points(family: Family) -> tuple[Point, ...]:
    """Where an entry is 0, 1 or has a pole: only there can something become possible or impossible."""
    found: list[Point] = []
    for _, given in family.expressions:
        read = Function.read(given, family.names)
        for polynomial in (read.top, (1 - read).top, read.bottom):
            found += real_roots(polynomial)
    return tuple(found)


def domain(family: Family) -> list[Interval]:
    """The values that meet all conditions, in order: open intervals without special points, and the points between.

    Raises:
        InputError: for another number of parameters than one.

    """
    refuse_many(family)
    conditions = [
        (one, Function.read(one.left, family.names) - Function.read(one.right, family.names))
        for one in family.conditions
    ]
    ends = [root for _, line in conditions for root in (*real_roots(line.top), *real_roots(line.bottom))]
    points = ascending([*ends, *special_points(family)])
    found: list[Interval] = []

    def inside(at: Point) -> bool:
        for one, line in conditions:
            try:
                sign = Line(line).sign(at)
            except ZeroDivisionError:
                return False
            if not ((one.order in {"<=", ">="} and not sign) or (sign < 0 if "<" in one.order else sign > 0)):
                return False
        return True

    for number, (low, high) in enumerate(pairwise([None, *points, None])):
        if number and low is not None and inside(low):
            found.append(Interval(low, low, low_closed=True, high_closed=True))
        if inside(between(low, high)):
            found.append(Interval(low, high))
    return found


def inner_value(family: Family) -> Fraction:
    """A value of the parameter at which nothing is special.

    Raises:
        InputError: where the range has no inner value.

    """
    inner = [one for one in domain(family) if one.point is None]
    if not inner:
        raise InputError("the range has no inner value", where=str(family.place), wanted="an interval")
    low, high = inner[0].low, inner[0].high
    start = low if isinstance(low, Fraction) else between(low, high)
    end = high if isinstance(high, Fraction) else between(start, high)
    return start + (end - start) / 8
