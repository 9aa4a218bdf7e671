"""Where a statement with an ε and a δ that vary may change, for the independent re-check of searches.

A comparison needs δ(E) = Σ w·Σₒ max(0, P(o) - E·Q(o)) at E = e^ε, the largest of finitely many lines A - B·E. A
definition at c·δ + p holds from the level (max A - B·E - p)/c on. So the order of all levels, with 0 and 1, changes
only where two lines meet, and one E at each of these points and between them decides; at each E one δ at each level and
between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TypeAlias

from verifier.replay.numbers import Compared, Exponential, line_of

Line: TypeAlias = tuple[Fraction, Fraction]
"""A and B of A - B·E."""
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def ratios(one: Compared) -> list[Fraction]:
    """E = 1 and all larger P(o)/Q(o), in order."""
    found = {ONE}
    for _, _, p, q, _ in one[5]:
        for o, y in (q or {}).items():
            if y and (x := p.get(o, 0)):
                found.add(Fraction(x * sum((q or {}).values()), y * sum(p.values())))
    return sorted(ratio for ratio in found if ratio >= 1)


@lru_cache(1 << 12)
def exponential(E: Fraction) -> Exponential:
    """The ε with this e^ε."""
    return Exponential("0" if E == 1 else f"ln({E})")


def lines(compared: Iterable[Compared]) -> list[Line]:
    """Lines of which the largest is the δ that is needed, at every E ≥ 1."""
    found: set[Line] = {(ZERO, ZERO)}
    for one in compared:
        for E in ratios(one):
            found |= {line_of(one, exponential(E), tail=False, closed=closed).ends for closed in (False, True)}
    return [
        (a, b)
        for a, b in found
        if not any((x, y) != (a, b) and x - y >= a - b and y <= b for x, y in found)  # another is above it everywhere
    ]


def level(found: Sequence[Line], E: Fraction) -> Fraction:
    """The largest of some lines."""
    return max(a - b * E for a, b in found)


def places(every: Iterable[Line]) -> list[Fraction]:
    """E = 1, every larger E where two lines meet, one between two of them, and one above all."""
    meet = {ONE}
    for (a, b), (x, y) in combinations(dict.fromkeys(every), 2):
        if b != y and (E := (a - x) * Fraction(1, b - y)) > 1:
            meet.add(E)
    points = sorted(meet)
    return [*points, *((x + y) * HALF for x, y in pairwise(points)), points[-1] + 1]


def steps(levels: Iterable[Fraction]) -> list[Fraction]:
    """δ = 0 and 1, every level between them, and one between two of these."""
    points = sorted({ZERO, ONE, *(one for one in levels if 0 < one < 1)})
    return [*points, *((x + y) * HALF for x, y in pairwise(points))]
