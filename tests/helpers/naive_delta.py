"""Exchange rates with δ once more, for small models: every corner of the events that are allowed, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from naive import Db
from naive_exchange import ONE, ZERO, Row, Vector, mass, meeting


def corners(assumed: Sequence[Row], x: Fraction, delta: Fraction, databases: Sequence[Db]) -> list[Vector]:
    """Every corner of all chances m of an event that a row of A bounds, and bounds of the complement.

    0 ≤ m ≤ 1, a·m - x·b·m ≤ δ and a·(1 - m) - x·b·(1 - m) ≤ δ: each point at which enough of them are equations.
    """
    planes: list[tuple[tuple[Fraction, ...], Fraction]] = []
    for a, b in assumed:
        line = tuple(a.get(d, ZERO) - x * b.get(d, ZERO) for d in databases)
        planes += [(line, delta), (tuple(-value for value in line), delta - sum(line))]
    for k in range(len(databases)):
        unit = tuple(ONE if k == j else ZERO for j in range(len(databases)))
        planes += [(unit, ONE), (tuple(-value for value in unit), ZERO)]
    planes = list(dict.fromkeys(planes))
    found = {}
    for tight in combinations(planes, len(databases)):
        point = meeting([[*line, bound] for line, bound in tight])
        if point is not None and all(_dot(line, point) <= bound for line, bound in planes):
            found[tuple(point)] = dict(zip(databases, point, strict=True))
    return list(found.values())


def _dot(line: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(line, point, strict=True)), ZERO)


def lines(listed: Sequence[Vector], target: Sequence[Row]) -> set[tuple[Fraction, Fraction]]:
    """p·m and q·m of each corner and each row of B."""
    return {(mass(p, m), mass(q, m)) for m in listed for p, q in target}


def smallest(listed: set[tuple[Fraction, Fraction]], y: Fraction) -> Fraction:
    """The largest p·m - y·q·m: what δ′ has to be at e^ε′ = y; 0 without rows."""
    return max((above - y * below for above, below in listed), default=ZERO)


def bends(listed: set[tuple[Fraction, Fraction]]) -> list[Fraction]:
    """The y > 1 at which the largest line changes: crossings of two lines that are the largest there."""
    found = set()
    for (a, b), (c, d) in combinations(listed, 2):
        if b != d:
            y = (a - c) / (b - d)
            if y > 1 and a - y * b == smallest(listed, y):
                found.add(y)
    return sorted(found)
