"""The supremum of a smooth function over all real t > 0, or 0 < t ≤ end, between certified bounds.

Cells [a, b] cover the range. A cell is dropped where the function rises or falls throughout it (the next cell has its
largest value, or the range ends there), or where it lies below a value that is attained. What is left is cut by
Newton's method for balls, or in half. So the bounds are of the supremum itself; no grid decides.

Numbers are Arb balls. Bounds are balls without a radius, so that their comparisons are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias

from verifier.numbers import arb_of, ball_ends

MOST_CELLS = 400
"""Most cells that are looked at for one precision; then the bounds are as wide as they are."""
MOST_HALVINGS = 40
"""How often the cell at 0 or at the end is halved to see whether the supremum is there."""


FEW_CELLS = 80
"""Most cells that are looked at to see that a supremum is below a number."""


AT_END = 64
"""Bits from which on it is asked whether the supremum is at an end."""


ROUGH = 4
"""Bits up to which a few values and a bound of all are enough."""
POINTS = (Fraction(1, 2), Fraction(1), Fraction(4))


class Jet(NamedTuple):
    """Bounds of a function f and of its slope on a cell, as balls."""

    value: Any
    """A ball around all values of f."""
    direction: Any
    """A ball around numbers that have the sign of the derivative."""
    bend: Any
    """A ball around the derivatives of `direction`."""
    at: Any
    """A point of the cell: its middle, or 0."""
    middle: Any
    """The value of f at this point."""
    turn: Any
    """The direction at this point."""


class Objective(Protocol):
    """A smooth function of t ≥ 0; its value at 0 is a limit. Points are balls."""

    def jet(self, low: Any, high: Any) -> Jet:
        """The bounds on the cell [low, high]."""

    def at(self, t: Any) -> Any:
        """The value at a point."""

    def ceiling(self, low: Any, high: Any) -> Any:
        """An upper bound of the values on a cell with low > 0, from what is monotone."""

    def cap(self) -> Any:
        """An upper bound of all values."""

    def tail(self, low: Any) -> Any:
        """An upper bound of the values from low > 0 on, which falls to 0 as `low` grows."""


Point: TypeAlias = Any
"""A ball without a radius, or a `Fraction`: 0, the first cut, or the end of the range, which need not be dyadic."""


class Cell(NamedTuple):
    """A closed interval on which a function is not yet settled, a bound of its values, and how often it was cut."""

    objective: Objective
    low: Point
    high: Point | None
    """The upper end; None is ∞."""
    upper: Any
    """The bound of the values; None where it is not known yet."""
    depth: int = 0


End: TypeAlias = tuple[Objective, Fraction]
"""A function, and 0 or the end of the range."""


def _ball(point: Point) -> Any:
    """A point as a ball, at the precision in force."""
    return arb_of(point) if isinstance(point, Fraction) else point


def _top(ball: Any) -> Any:
    """The upper end of a ball.

    Raises:
        ArithmeticError: where there is none.

    """
    top = ball.upper()
    if not top.is_finite():
        raise ArithmeticError("a bound of a supremum is not finite")
    return top


@dataclass(eq=False)
class Supremum:
    """The supremum of functions of which one is positive somewhere, refined as far as it is asked."""

    objectives: tuple[Objective, ...]
    end: Fraction | None = None
    _cells: list[Cell] | None = None
    _candidates: list[End] = field(default_factory=list)
    """The ends of the range, 0 or `end`, towards which a function rises."""
    _best: tuple[Objective, Point] | None = None
    _known: dict[int, tuple[Fraction, Fraction]] = field(default_factory=dict)
    _below: Fraction | None = None
    """The least number of which it is known that the supremum is below it."""

    @property
    def attained_at(self) -> Fraction | None:
        """The end of the range, 0 or `end`, at which the supremum certainly is, of one function; else None."""
        self.bracket(AT_END)
        return self._candidates[0][1] if not self._cells and len(self._candidates) == 1 else None

    def bracket(self, precision: int) -> tuple[Fraction, Fraction]:
        """Rational bounds, which differ by at most 2^-precision unless `MOST_CELLS` are too few; rough ones first."""
        from flint import ctx

        known = [bits for bits in self._known if bits >= precision]
        if not known:
            with ctx.workprec(2 * precision + 64):
                low, high = self._rough() if precision <= ROUGH else self._refined(precision)
                self._known[precision] = max(ball_ends(low)[0], Fraction(0)), ball_ends(high)[1]
        return self._known[min(known, default=precision)]

    def _rough(self) -> tuple[Any, Any]:
        """A value that is attained, and a bound of all."""
        objective, t = self._best_of_few()
        return objective.at(_ball(t)).lower(), max(_top(objective.cap()) for objective in self.objectives)

    def _best_of_few(self) -> tuple[Objective, Point]:
        """The function and the point with the largest value of a few."""
        points = [Fraction(0), *(t for t in POINTS if self.end is None or t <= self.end)]
        known = [(objective, t) for objective in self.objectives for t in points]
        values = [objective.at(_ball(t)).lower() for objective, t in known]
        self._best = known[values.index(max(values))]
        return self._best

    def _cover(self, objective: Objective) -> list[Cell]:
        """Cells that cover all t: one at 0, and one for the rest."""
        first = Fraction(1, 2) if self.end is None else min(Fraction(1, 2), self.end)
        cells = [Cell(objective, Fraction(0), first, None)]
        if self.end is None or first < self.end:
            cells.append(Cell(objective, first, self.end, _top(objective.tail(_ball(first)))))
        return cells

    def is_below(self, bound: Fraction) -> bool:
        """Whether the supremum is certainly less than a number; False where a few cells do not tell."""
        from flint import ctx

        if self._below is None or bound < self._below:
            with ctx.workprec(2 * ROUGH + 64):
                if not self._is_excluded(arb_of(bound).lower()):
                    return False
            self._below = bound
        return True

    def _is_excluded(self, least: Any) -> bool:
        """Whether no cell reaches a number."""
        cells = [cell for objective in self.objectives for cell in self._cover(objective)]
        ends: list[End] = []
        for _ in range(FEW_CELLS):
            cells = [cell for cell in cells if cell.upper is None or cell.upper >= least]
            if not cells:
                return all(_top(objective.at(_ball(t))) < least for objective, t in ends)
            chosen = next((cell for cell in cells if cell.upper is None), None) or max(cells, key=_upper)
            cells.remove(chosen)
            jet, parts, end = self._part(chosen)
            if jet is not None and jet.middle.lower() >= least:
                return False
            cells, ends = cells + parts, ends + end
        return False

    def _refined(self, precision: int) -> tuple[Any, Any]:
        from flint import arb

        if self._cells is None:
            self._cells = [cell for objective in self.objectives for cell in self._cover(objective)]
        cells, (best, t) = self._cells, self._best or self._best_of_few()
        width = arb(1) / (1 << precision)
        low, tops = self._with_ends(best.at(_ball(t)).lower())
        for _ in range(MOST_CELLS):
            cells = [cell for cell in cells if cell.upper is None or cell.upper >= low]
            chosen = next((cell for cell in cells if self._is_urgent(cell, precision)), None)
            if chosen is None:
                chosen = max(cells, key=_upper, default=None)
                if chosen is None or chosen.upper - low <= width:
                    break
            cells.remove(chosen)
            jet, parts, end = self._part(chosen)
            cells, self._candidates = cells + parts, self._candidates + end
            rises = jet is not None and bool(jet.middle.lower() > low)
            if jet is not None and rises:
                low, self._best = jet.middle.lower(), (chosen.objective, jet.at)
            if rises or end:
                low, tops = self._with_ends(low)
        self._cells = cells
        return low, max([low, *tops, *map(_upper, cells)])

    def _part(self, cell: Cell) -> tuple[Jet | None, list[Cell], list[End]]:
        """What is known of a cell, the smaller cells in its stead, and the end that has its largest value."""
        if cell.high is None or (not _is_zero(cell.low) and _ball(cell.high) > 4 * _ball(cell.low)):
            return None, self._halves(cell), []
        jet = cell.objective.jet(_ball(cell.low), _ball(cell.high))
        return jet, *self._cut(cell, jet)

    def _with_ends(self, low: Any) -> tuple[Any, list[Any]]:
        """The largest value that is attained, or approached at an end; bounds at the ends, of which lower ones go."""
        values = [objective.at(_ball(t)) for objective, t in self._candidates]
        low = max([low, *(value.lower() for value in values)])
        kept = [(each, top) for each, top in zip(self._candidates, map(_top, values), strict=True) if top >= low]
        self._candidates = [each for each, _ in kept]
        return low, [top for _, top in kept]

    def _halves(self, cell: Cell) -> list[Cell]:
        """A cell that is long for its place, cut at twice its start."""
        low, objective = _ball(cell.low), cell.objective
        middle = (2 * low).mid()
        upper = min(_upper(cell), _top(objective.ceiling(low, middle)))
        tail = min(_upper(cell), _top(objective.tail(middle)))
        depth = cell.depth + 1
        return [Cell(objective, cell.low, middle, upper, depth), Cell(objective, middle, cell.high, tail, depth)]

    def _is_urgent(self, cell: Cell, precision: int) -> bool:
        """Whether a cell has no bound yet, or may show that the supremum is at an end, or is not elsewhere."""
        if cell.upper is None:
            return True
        if precision < AT_END or cell.depth >= MOST_HALVINGS:
            return False
        return bool(self._candidates) or _is_zero(cell.low) or self._is_end(cell.high)

    def _is_end(self, point: Point) -> bool:
        return isinstance(point, Fraction) and point == self.end

    def _cut(self, cell: Cell, jet: Jet) -> tuple[list[Cell], list[End]]:
        """The smaller cells in which the largest value of a cell is, unless a neighbour or an end has it."""
        low, high = _ball(cell.low), _ball(cell.high)
        middle = ((low + high) / 2).mid()
        points: list[tuple[Point, Point]] = [(cell.low, middle), (middle, cell.high)]
        direction = jet.direction
        if jet.bend < 0 and jet.bend.is_finite():
            zero = jet.at - jet.turn / jet.bend
            start, stop = zero.lower(), zero.upper()
            if start > high or stop < low:  # the derivative has no zero, but the sign that it has at the point
                direction = jet.turn
            else:
                inside = (start if start > low else cell.low), (stop if stop < high else cell.high)
                if 2 * (_ball(inside[1]) - _ball(inside[0])) <= high - low:
                    points = [inside]
        if direction > 0 or direction < 0:
            side: Point = cell.high if direction > 0 else cell.low
            return [], [(cell.objective, side)] if _is_zero(side) or self._is_end(side) else []
        uppers = [_top(jet.value)] if jet.value.is_finite() else []
        cells = []
        for first, last in points:
            bounds = (
                [*uppers] if _is_zero(first) else [*uppers, _top(cell.objective.ceiling(_ball(first), _ball(last)))]
            )
            cells.append(Cell(cell.objective, first, last, min(bounds, default=None), cell.depth + 1))
        return cells, []


def _is_zero(point: Point) -> bool:
    """Whether a point is 0, which is always the fraction."""
    return isinstance(point, Fraction) and not point


def _upper(cell: Cell) -> Any:
    if cell.upper is None:
        raise ArithmeticError("a cell is looked at before it is bounded")
    return cell.upper
