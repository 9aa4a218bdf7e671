"""Linear systems and signs over the rational functions of one parameter, from which the pieces of a curve are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from verifier.errors import LimitError
from verifier.numbers import Function, fmpq_of
from verifier.numbers.functions import real_roots
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Point, ascending, between, bracket, order, polynomial_sign

MAX_DEGREE = 96
"""Highest degree of a polynomial whose sign is computed."""


def solution(matrix: Sequence[Sequence[Function]], right: Sequence[Function]) -> list[Function]:
    """The solution of a linear system whose determinant is not 0, by elimination without fractions (Bareiss).

    >>> (t,) = Function.parameters(("t",))
    >>> unit = t.constantly(1)
    >>> print(*solution([[t, unit], [unit, t]], [unit, unit - unit]))
    (t)/(-1 + t^2) (-1)/(-1 + t^2)
    """
    if not right:
        return []
    names, size = right[0].names, len(right)
    table = [_cleared([*row, entry]) for row, entry in zip(matrix, right, strict=True)]
    last: Any = right[0].bottom ** 0
    for k in range(size):
        places = [i for i in range(k, size) if not table[i][k].is_zero()]
        if not places:
            raise ArithmeticError("the basis of a linear program is singular")
        chosen = min(places, key=lambda i: table[i][k].degree())
        table[k], table[chosen] = table[chosen], table[k]
        pivot = table[k][k]
        for i in range(k + 1, size):
            head = table[i][k]
            table[i] = [
                *table[i][: k + 1],
                *((pivot * x - head * y) // last for x, y in _beyond(table[i], table[k], k)),
            ]
        last = pivot
    tops: list[Any] = [None] * size
    for k in reversed(range(size)):
        total = last * table[k][size]
        for j in range(k + 1, size):
            total = total - table[k][j] * tops[j]
        tops[k] = total // table[k][k]
    return [Function.reduced(names, top, last) for top in tops]


def _beyond(row: Sequence[Any], pivots: Sequence[Any], k: int) -> Iterable[tuple[Any, Any]]:
    return zip(row[k + 1 :], pivots[k + 1 :], strict=True)


def _cleared(entries: Sequence[Function]) -> list[Any]:
    """The entries of an equation as polynomials, multiplied by a common multiple of their denominators."""
    common = entries[0].bottom ** 0
    for entry in entries:
        common = common * (entry.bottom // common.gcd(entry.bottom))
    return [entry.top * (common // entry.bottom) for entry in entries]


def stretch(start: Fraction, span: Interval, signs: Iterable[Function], strict: Iterable[Function] = ()) -> Interval:
    """The longest interval around `start`, within `span`, where all `signs` are ≥ 0, all `strict` > 0, none has a pole.

    These conditions must hold at `start`; an end belongs to the interval if they still hold there.

    Raises:
        LimitError: for a polynomial of too high a degree.
        ArithmeticError: for conditions that do not hold at `start`.

    """
    strict = list(strict)
    polynomials = {str(f.top * f.bottom): f.top * f.bottom for f in (*signs, *strict)}
    walls = {str(w): w for f in (*signs, *strict) if (w := f.bottom).degree() > 0}
    walls |= {str(f.top): f.top for f in strict if f.top.degree() > 0}
    highest = max((int(polynomial.degree()) for polynomial in polynomials.values()), default=0)
    if highest > MAX_DEGREE:
        raise LimitError(
            f"a piece of the curve needs the sign of a polynomial of degree {highest}", wanted=f"at most {MAX_DEGREE}"
        )
    listed = list(polynomials.values())
    at = fmpq_of(start)
    if any(polynomial(at) < 0 for polynomial in listed) or any(not wall(at) for wall in walls.values()):
        raise ArithmeticError("the conditions of a piece do not hold where it starts")
    ends = [None if end is None else bracket(end, 16)[side] for side, end in enumerate((span.low, span.high))]
    roots = ascending(root for polynomial in listed for root in real_roots(polynomial, *ends))
    barriers = list(walls.values())
    low = _end(roots, start, span.low, listed, barriers, rising=False)
    high = _end(roots, start, span.high, listed, barriers, rising=True)
    return Interval(
        low[0],
        high[0],
        low[1] and (span.low_closed or not _same(low[0], span.low)),
        high[1] and (span.high_closed or not _same(high[0], span.high)),
    )


def _same(x: Point | None, y: Point | None) -> bool:
    return x is y if x is None or y is None else not order(x, y)


def _end(
    roots: Sequence[Point],
    start: Fraction,
    last: Point | None,
    signs: Iterable[Any],
    walls: Iterable[Any],
    *,
    rising: bool,
) -> tuple[Point | None, bool]:
    """The end of the interval to one side of `start` on which the signs stay ≥ 0, and whether it belongs to it.

    It is at most `last`, and does not go beyond a wall.
    """
    if last is not None and not order(last, start):
        return start, True
    side = 1 if rising else -1
    within = [root for root in roots if order(root, start) == side and (last is None or order(last, root) == side)]
    reached: Point = start
    for root in (*(within if rising else reversed(within)), last):
        sample = between(reached, root) if rising else between(root, reached)
        if any(polynomial_sign(polynomial, sample) < 0 for polynomial in signs):
            return reached, True
        if root is None:
            return None, False
        if any(not polynomial_sign(wall, root) for wall in walls):
            return root, False
        reached = root
    return reached, True
