"""The values of a family's parameter: where nothing becomes possible or impossible, and the points between."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.numbers import roots_between
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line, Point, ascending, between
from verifier.wings.families.ratio import Ratio, integers

NOTHING = Ratio.of(0)


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
        read = Ratio.read(given, family.names[0])
        for polynomial in (read.top, (Ratio.of(1) - read).top, read.bottom):
            found += _roots(polynomial)
    return tuple(found)


def _roots(polynomial: Any) -> list[Point]:
    """All real roots; they are not beyond Cauchy's bound."""
    if polynomial.degree() < 1:
        return []
    listed = integers(polynomial)
    far = 1 + max(Fraction(abs(c), abs(listed[-1])) for c in listed[:-1])
    return list(roots_between(listed, -far, far))


def domain(family: Family) -> list[Interval]:
    """The values that meet all conditions, in order: open intervals without special points, and the points between.

    Raises:
        InputError: for another number of parameters than one.

    """
    refuse_many(family)
    (name,) = family.names
    conditions = [(one, Ratio.read(one.left, name) - Ratio.read(one.right, name)) for one in family.conditions]
    ends = [root for _, line in conditions for root in (*_roots(line.top), *_roots(line.bottom))]
    points = ascending([*ends, *special_points(family)])
    found: list[Interval] = []

    def inside(at: Point) -> bool:
        for one, line in conditions:
            try:
                sign = Line(line, NOTHING).sign(at)
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


def points_of(family: Family, count: int) -> tuple[Fraction, ...]:
    """So many values of the parameter at which nothing is special.

    Raises:
        InputError: where the range has no inner value.

    """
    inner = [one for one in domain(family) if one.point is None]
    if not inner:
        raise InputError("the range has no inner value", where=str(family.place), wanted="an interval")
    low, high = inner[0].low, inner[0].high
    start = low if isinstance(low, Fraction) else between(low, high)
    end = high if isinstance(high, Fraction) else between(start, high)
    return tuple(start + (end - start) * Fraction(k, count + 1) for k in range(1, count + 1))
