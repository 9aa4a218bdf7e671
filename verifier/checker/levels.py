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

from verifier.checker.numbers import Compared, Exponential, line_of
from verifier.checker.written import ONE, ZERO, logarithm_of

Line: TypeAlias = tuple[Fraction, Fraction]
"""A and B of A - B·E."""
HALF = Fraction(1, 2)


def ratios(comparison: Compared) -> list[Fraction]:
    """E = 1 and all larger P(o)/Q(o), in order."""
    values = {ONE}
    for _, _, p, q, _ in comparison.pairs:
        for o, y in (q or {}).items():
            if y and (x := p.get(o, 0)):
                values.add(Fraction(x * sum((q or {}).values()), y * sum(p.values())))
    return sorted(ratio for ratio in values if ratio >= 1)


@lru_cache(1 << 12)
def exponential(E: Fraction) -> Exponential:
    """The `Exponential` of a rational E = e^ε."""
    return Exponential(logarithm_of(E))


def lines(compared: Iterable[Compared]) -> list[Line]:
    """Lines A - B·E whose largest value at E is the δ that is needed, for every E ≥ 1."""
    candidates: set[Line] = {(ZERO, ZERO)}
    for comparison in compared:
        for E in ratios(comparison):
            candidates |= {
                line_of(comparison, exponential(E), tail=False, closed=closed).ends for closed in (False, True)
            }
    return [
        (a, b)
        for a, b in candidates
        if not any(
            (x, y) != (a, b) and x - y >= a - b and y <= b for x, y in candidates
        )  # another is above it everywhere
    ]


def level(candidates: Sequence[Line], E: Fraction) -> Fraction:
    """The largest A - B·E of some lines at E."""
    return max(a - b * E for a, b in candidates)


def places(all_lines: Iterable[Line]) -> list[Fraction]:
    """Values of E that see every order of the lines: 1, each larger crossing, one between neighbours, one above all."""
    crossings = {ONE}
    for (a, b), (x, y) in combinations(dict.fromkeys(all_lines), 2):
        if b != y and (E := (a - x) * Fraction(1, b - y)) > 1:
            crossings.add(E)
    return with_above(crossings)


def steps(levels: Iterable[Fraction]) -> list[Fraction]:
    """δ = 0 and 1, every level between them, and one between two of these."""
    return with_between({ZERO, ONE, *(delta for delta in levels if 0 < delta < 1)})


def with_between(points: set[Fraction]) -> list[Fraction]:
    """Some points in order, and one between neighbours."""
    listed = sorted(points)
    return [*listed, *((x + y) * HALF for x, y in pairwise(listed))]


def with_above(points: set[Fraction]) -> list[Fraction]:
    """Some points in order, one between neighbours, and one above all."""
    return [*with_between(points), max(points) + 1]
