"""The rate of one row as a function of a parameter t: optimal bases of linear programs, and how far each is optimal.

For a row (p, q) of B the largest p·m / q·m over the cone of A is a quotient of two linear forms. It is made linear by
its denominator (Charnes and Cooper): scale m so that q·m ≤ 1, and maximise p·m. The multiplier of q·m ≤ 1 is the rate
y, and those of the lines of A are the λ that prove it. An optimal basis at one value of t names the databases S where
m > 0 and as many active lines; these linear equations have solutions m(t), λ(t), y(t) that are rational functions of t.
They stay optimal as long as m ≥ 0, the other lines hold, λ ≥ 0 and p - y·q ≤ Σ λ·(a - e^(c·ε)·b): an interval, whose
ends are roots of polynomials. Then the next gap is treated at a value inside it, until no gap is left.

Linear systems and signs over the rational functions of one parameter, from which the pieces of a curve are made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from verifier.errors import LimitError
from verifier.model import Database
from verifier.numbers import Function, fmpq_of
from verifier.numbers.functions import real_roots
from verifier.numbers.linear import LinearProgram
from verifier.wings.exchange.program import ONE, ZERO, Column, Line, Multipliers, Program, Rate, binds, mass
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.families.intervals import Interval, only
from verifier.wings.families.points import Point, ascending, between, bracket, order, polynomial_sign

MAX_DEGREE = 96
"""Highest degree of a polynomial whose sign is computed."""


def solution(matrix: Sequence[Sequence[Function]], right: Sequence[Function]) -> list[Function]:
    """The solution of a linear system whose determinant is not 0, by elimination without fractions (Bareiss).

    >>> t = Function.parameter("t")
    >>> unit = t.constantly(1)
    >>> print(*solution([[t, unit], [unit, t]], [unit, unit - unit]))
    (t)/(-1 + t^2) (-1)/(-1 + t^2)
    """
    if not right:
        return []
    name, size = right[0].name, len(right)
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
    return [Function.reduced(name, top, last) for top in tops]


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


MAX_PIECES = 64
"""Largest number of pieces of one row."""


@dataclass(frozen=True)
class RowPiece(Rate):
    """The rate y(t) of a row on the interval `where`, or None where no finite y is enough.

    `multipliers` are λ(t) of lines by their numbers; `column` is an m(t) in the cone with p·m = y·q·m > 0, or with
    q·m = 0 < p·m where there is no y. It is None for a row that allows no difference, and has none.
    """

    where: Interval


class ParametricCone(Program):
    """The cone of all columns m ≥ 0 on which the `lines`, linear forms with coefficients in ℚ(t), are at most 0."""

    what, most_cells = "a linear program with a parameter", 8_000
    tip, parametric = "use fewer records or values, or ask at several ε", True

    def __init__(
        self, rows: Sequence[LinearRow], factors: Sequence[Function], databases: Sequence[Database], unit: Function
    ) -> None:
        """Keep the lines; `factors` are the e^(c·ε) of the rows, `unit` is the function 1.

        Raises:
            LimitError: for programs with too large a table, before any work.

        """
        self.unit = unit
        lines = [self.line(row, factor) for row, factor in zip(rows, factors, strict=True)]
        super().__init__(lines, [ZERO] * len(lines), databases, [{}] * 2)

    def line(self, row: LinearRow, factor: Function | Fraction) -> dict[Database, Function]:
        """The line p - y·q of a row."""
        return {database: self.unit * coefficient for database, coefficient in row.line(factor).items()}

    def pieces(self, row: LinearRow, span: Interval) -> list[RowPiece]:
        """The rate of a row on an interval, piece by piece, in order; a point that is not rational may be left out.

        Raises:
            LimitError: for too many pieces, or polynomials of too high a degree.

        """
        pieces: list[RowPiece] = []
        gaps = [span]
        while gaps:
            gap = gaps.pop()
            start = gap.point if gap.point is not None else between(gap.low, gap.high)
            if not isinstance(start, Fraction):
                continue  # the point between two pieces: what they leave open there is said by the curve
            piece = self.piece(row, start, gap)
            pieces.append(piece)
            if len(pieces) > MAX_PIECES:
                raise LimitError(
                    f"the rate of a row has more than {MAX_PIECES} pieces", tip="ask about a shorter range"
                )
            gaps += parts_beside(gap, piece.where)
        return sorted(pieces, key=cmp_to_key(_placed))

    def piece(self, row: LinearRow, start: Fraction, gap: Interval) -> RowPiece:
        """The piece of a row's rate around the value `start` of t, within a gap."""
        p, q = ({database: self.unit * weight for database, weight in law} for law in (row.p, row.q))
        gain, impossible = (p, [q]) if row.scale else (self.line(row, ONE), [])
        everywhere = dict.fromkeys(self.databases, self.unit)
        price, column, multipliers = self.optimum(gain, [*self.lines, *impossible], everywhere, start)
        if price.at(start) > 0:
            holds = self._allows(column, [*self.lines, *impossible])
            return RowPiece(row, (), column, None, stretch(start, gap, holds, [mass(gain.items(), column)]))
        if not row.scale:
            return RowPiece(row, multipliers, None, self.unit, stretch(start, gap, self.slacks(gain, multipliers)))
        factor, column, multipliers = self.optimum(p, self.lines, q, start)
        holds = [*self.slacks(self.line(row, factor), multipliers), *self._allows(column, self.lines)]
        return RowPiece(row, multipliers, column, factor, stretch(start, gap, holds))

    def optimum(
        self, objective: Line, lines: Sequence[Line], cap: Line, start: Fraction
    ) -> tuple[Function, Column, Multipliers]:
        """The optimal basis of max objective·m with lines ≤ 0, cap ≤ 1 and m ≥ 0 at t = start, solved for all t.

        As of a program of numbers: the value, which is the multiplier of the cap; a column; and the multipliers.
        """

        def numbers(line: Line) -> dict[Database, Fraction]:
            return {database: value for database, f in line.items() if (value := f.at(start))}

        forms: dict[Hashable, Line] = dict(enumerate(lines))
        values = {number: numbers(line) for number, line in forms.items()}
        rows: dict[Hashable, Any] = {number: (values[number], ZERO) for number in values if binds(values[number])}
        forms["cap"] = cap
        program = LinearProgram(self.databases, {**rows, "cap": (numbers(cap), ONE)})
        program.maximise(numbers(objective))
        support, active = program.corner
        zero = self.unit - self.unit
        matrix = [[forms[name].get(database, zero) for database in support] for name in active]
        limits = [self.unit if name == "cap" else zero for name in active]
        costs = [objective.get(database, zero) for database in support]
        chances = dict(zip(support, solution(matrix, limits), strict=True))
        prices = dict(zip(active, solution(list(map(list, zip(*matrix, strict=True))), costs), strict=True))
        column = {database: value for database, value in chances.items() if value}
        multipliers = tuple((n, prices[n]) for n in range(len(self.lines)) if prices.get(n))
        return prices.get("cap", zero), column, multipliers

    def _allows(self, column: Column, lines: Iterable[Line]) -> list[Function]:
        """Functions that are all ≥ 0 where a column is ≥ 0 and no line is above 0 on it."""
        return [*column.values(), *filter(None, (-mass(line.items(), column) for line in lines))]


def _placed(x: RowPiece, y: RowPiece) -> int:
    """Compare two pieces by their places on the line."""
    return order(x.where.sample, y.where.sample)


def parts_beside(gap: Interval, piece: Interval) -> list[Interval]:
    """The parts of a gap to the left and to the right of a piece in it."""
    left_over = []
    if piece.low is not None and (gap.low is None or order(gap.low, piece.low)):
        left_over.append(Interval(gap.low, piece.low, gap.low_closed, not piece.low_closed))
    elif gap.low is not None and gap.low_closed and not piece.low_closed:
        left_over.append(only(gap.low))
    if piece.high is not None and (gap.high is None or order(piece.high, gap.high)):
        left_over.append(Interval(piece.high, gap.high, not piece.high_closed, gap.high_closed))
    elif gap.high is not None and gap.high_closed and not piece.high_closed:
        left_over.append(only(gap.high))
    return left_over
