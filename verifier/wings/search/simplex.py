"""The simplex method in exact rational arithmetic: max c·x with A·x ≤ b and x ≥ 0, where b ≥ 0, so that 0 is a start.

The table is kept in condensed form: one column for each variable that is 0, one row for each that may not be. Several
objectives can be asked one after the other; each starts at the best point of the one before. What it says is not
trusted: `worst` re-adds it, and so does the independent replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.errors import LimitError
from verifier.numbers import fmpq_of

MAX_PIVOTS = 20_000
PATIENCE = 12
"""Pivots without gain before the rule that cannot cycle is taken."""
Row = Mapping[int, Fraction]


class Simplex:
    """The table of one set of constraints; column j < variables is x_j, the others are slacks.

    >>> lp = Simplex(2, [({0: Fraction(1), 1: Fraction(2)}, Fraction(4)), ({0: Fraction(1)}, Fraction(2))])
    >>> lp.maximise({0: Fraction(1), 1: Fraction(1)})
    (Fraction(3, 1), [Fraction(2, 1), Fraction(1, 1)], [Fraction(1, 2), Fraction(1, 2)])
    """

    def __init__(self, variables: int, rows: Sequence[tuple[Row, Fraction]]) -> None:
        from flint import fmpq, fmpq_mat

        if any(bound < 0 for _, bound in rows):
            raise ArithmeticError("the simplex method starts at 0, which must be allowed")
        self.variables, self.rows = variables, len(rows)
        table: Any = fmpq_mat(len(rows) + 1, variables + 1, [fmpq(0)] * ((len(rows) + 1) * (variables + 1)))
        for i, (row, bound) in enumerate(rows):
            for j, value in row.items():
                table[i, j] = fmpq_of(value)
            table[i, variables] = fmpq_of(bound)
        self.table: Any = table
        self.outside = list(range(variables))
        self.basis = list(range(variables, variables + len(rows)))
        self.pivots = 0

    def maximise(self, objective: Row) -> tuple[Fraction, list[Fraction], list[Fraction]]:
        """The optimum, a point that attains it, and a multiplier ≥ 0 for each constraint that proves it.

        Raises:
            LimitError: after too many pivots.

        """
        self._ask(objective)
        last: Any = self.table[self.rows, self.variables]
        idle = 0
        while (column := self._entering(careful=idle > PATIENCE)) is not None:
            self._pivot(self._leaving(column), column)
            now = self.table[self.rows, self.variables]
            idle = 0 if now > last else idle + 1
            last = now
        point, multipliers = [Fraction(0)] * self.variables, [Fraction(0)] * self.rows
        for i, one in enumerate(self.basis):
            if one < self.variables:
                point[one] = _fraction(self.table[i, self.variables])
        for j, one in enumerate(self.outside):
            if one >= self.variables:
                multipliers[one - self.variables] = _fraction(self.table[self.rows, j])
        return _fraction(last), point, multipliers

    def _ask(self, objective: Row) -> None:
        """The last row for another objective, in the variables that are 0 now."""
        from flint import fmpq

        places = {one: i for i, one in enumerate(self.basis)}
        columns = {one: j for j, one in enumerate(self.outside)}
        fresh = [fmpq(0)] * (self.variables + 1)
        for one, value in objective.items():
            factor = fmpq_of(value)
            if one in columns:
                fresh[columns[one]] = fresh[columns[one]] - factor
            else:
                fresh = [old + factor * self.table[places[one], j] for j, old in enumerate(fresh)]
        for j, entry in enumerate(fresh):
            self.table[self.rows, j] = entry

    def _entering(self, *, careful: bool) -> int | None:
        """A column that gains: the one with the most for each unit; `careful` takes the first variable (Bland)."""
        gains = [(self.table[self.rows, j], one, j) for j, one in enumerate(self.outside)]
        gains = [gain for gain in gains if gain[0] < 0]
        if not gains:
            return None
        return min(gains, key=lambda gain: gain[1])[2] if careful else min(gains, key=lambda gain: gain[:2])[2]

    def _leaving(self, column: int) -> int:
        """The row of the least ratio, ties by the first variable."""
        ratios = []
        for i, one in enumerate(self.basis):
            step = self.table[i, column]
            if step > 0:
                ratios.append((self.table[i, self.variables] / step, one, i))
        if not ratios:
            raise ArithmeticError("the linear program is not bounded")
        return min(ratios, key=lambda ratio: ratio[:2])[2]

    def _pivot(self, row: int, column: int) -> None:
        """Exchange two variables: T - (col with col_r - 1)·(row with row_s + 1)/T_rs, a matrix of rank 1."""
        from flint import fmpq_mat

        self.pivots += 1
        if self.pivots > MAX_PIVOTS:
            raise LimitError(f"the linear program takes more than {MAX_PIVOTS:,} pivots", tip="a smaller model")
        height, width, pivot = self.rows + 1, self.variables + 1, self.table[row, column]
        down = [self.table[i, column] for i in range(height)]
        along = [self.table[row, j] / pivot for j in range(width)]
        down[row] -= 1
        along[column] += 1 / pivot
        self.table = self.table - fmpq_mat(height, 1, down) * fmpq_mat(1, width, along)
        self.basis[row], self.outside[column] = self.outside[column], self.basis[row]


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
