"""The simplex method in exact rational arithmetic: one condensed table, for programs that are given or made on the way.

There is one column for each variable that is 0, one row for each that may not be; the last row has what a unit of each
column costs, the last column the values. What it says is not trusted: who asks adds it up again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.errors import LimitError
from verifier.numbers.flints import fmpq_of

PATIENCE = 12
"""Pivots without gain before the rule that cannot cycle is taken."""
Row = Mapping[int, Any]
"""Numbers by their variables: fractions, or rationals of python-flint."""


class Tableau:
    """max c·x with x ≥ 0: x_basis + entries·x_outside = values; variables have any names."""

    most_pivots, what, tip = 20_000, "the linear program", "a smaller model"

    def __init__(self, basis: Iterable[Any], outside: Iterable[Any], entries: Any) -> None:
        """Start at a basis: a row of entries for each basic variable, a column for each other one, and the values."""
        from flint import fmpq, fmpq_mat

        self.basis, self.outside = list(basis), list(outside)
        self.height, self.pivots = len(self.basis), 0
        self.table: Any = fmpq_mat([*entries.tolist(), [fmpq(0)] * (self.width + 1)])

    @property
    def width(self) -> int:
        """The number of variables that are 0, and the place of the values."""
        return len(self.outside)

    def charge(self, cost: Callable[[Any], Fraction]) -> None:
        """Take c·x as what is made large, at the basis as it is."""
        from flint import fmpq_mat

        zero = Fraction(0)
        row = fmpq_mat([[fmpq_of(cost_entry) for cost_entry in (*map(cost, self.basis), zero)]]) * self.table
        for j, cost_entry in enumerate((*map(cost, self.outside), zero)):
            self.table[self.height, j] = row[0, j] - fmpq_of(cost_entry)

    @property
    def value(self) -> Fraction:
        """c·x at the basis."""
        return _fraction(self.table[self.height, self.width])

    def prices(self) -> dict[Any, Fraction]:
        """What a unit of each variable that is 0 costs; a negative one gains."""
        return {variable: _fraction(self.table[self.height, j]) for j, variable in enumerate(self.outside)}

    def point(self) -> dict[Any, Fraction]:
        """The values of the basic variables, the others being 0."""
        return {variable: _fraction(self.table[i, self.width]) for i, variable in enumerate(self.basis)}

    def entry(self, row: int, variable: Hashable) -> Any:
        """What a variable has in a row; a basic one has a unit in its own."""
        if variable in self.outside:
            return self.table[row, self.outside.index(variable)]
        return fmpq_of(Fraction(int(row < self.height and self.basis[row] == variable)))

    def combined(self, shares: Mapping[Any, Fraction], cost: Any) -> list[Any]:
        """The entries of the values and of so much of each variable together, with a cost of its own."""
        from flint import fmpq, fmpq_mat

        mixture = fmpq_mat([[fmpq_of(shares.get(variable, Fraction(0)))] for variable in self.outside] + [[fmpq(1)]])
        column = [entry for (entry,) in (self.table * mixture).tolist()]
        for i, variable in enumerate(self.basis):
            if variable in shares:
                column[i] += fmpq_of(shares[variable])
        column[self.height] += cost
        return column

    def insert(self, variable: Hashable, entries: Sequence[Any], column: int | None) -> None:
        """A variable that is 0, in place of the one in a column, or in a column of its own."""
        from flint import fmpq_mat

        if column is None:
            rows = [[*row[:-1], entry, row[-1]] for row, entry in zip(self.table.tolist(), entries, strict=True)]
            self.table, column = fmpq_mat(rows), self.width
            self.outside.append(variable)
        self.outside[column] = variable
        for i, entry in enumerate(entries):
            self.table[i, column] = entry

    def leaving(self, column: int, ties: Iterable[Callable[[int], Any]], free: Collection[Any] = ()) -> int:
        """The row of the least ratio, where several are the least by one tie after the other; `free` ones stay."""
        ranks, values = {}, self.width
        for i, variable in enumerate(self.basis):
            step = self.table[i, column]
            if step > 0 and variable not in free:
                ranks[i] = self.table[i, values] / step
        if not ranks:
            raise ArithmeticError("the linear program is not bounded")
        for tie in ties:
            least = min(ranks.values())
            ranks = {i: rank for i, rank in ranks.items() if rank == least}
            if len(ranks) == 1:
                break
            ranks = {i: tie(i) for i in ranks}
        return min(ranks, key=lambda i: ranks[i])

    def pivot(self, row: int, column: int) -> None:
        """Exchange two variables: T - (col with col_r - 1)·(row with row_s + 1)/T_rs, a matrix of rank 1."""
        from flint import fmpq_mat

        self.pivots += 1
        if self.pivots > self.most_pivots:
            raise LimitError(f"{self.what} takes more than {self.most_pivots:,} pivots", tip=self.tip)
        height, width, entry = self.height + 1, self.width + 1, self.table[row, column]
        down = [self.table[i, column] for i in range(height)]
        along = [self.table[row, j] / entry for j in range(width)]
        down[row] -= 1
        along[column] += 1 / entry
        self.table = self.table - fmpq_mat(height, 1, down) * fmpq_mat(1, width, along)
        self.basis[row], self.outside[column] = self.outside[column], self.basis[row]


class Simplex(Tableau):
    """max c·x with A·x ≤ b and x ≥ 0, where b ≥ 0, so that 0 is a start; variable j < variables is x_j, others slacks.

    Several objectives can be asked one after the other; each starts at the best point of the one before.

    >>> lp = Simplex(2, [({0: Fraction(1), 1: Fraction(2)}, Fraction(4)), ({0: Fraction(1)}, Fraction(2))])
    >>> lp.maximise({0: Fraction(1), 1: Fraction(1)})
    (Fraction(3, 1), [Fraction(2, 1), Fraction(1, 1)], [Fraction(1, 2), Fraction(1, 2)])
    """

    def __init__(self, variables: int, rows: Sequence[tuple[Row, Any]]) -> None:
        """The table at 0."""
        from flint import fmpq, fmpq_mat

        if any(bound < 0 for _, bound in rows):
            raise ArithmeticError("the simplex method starts at 0, which must be allowed")
        self.variables, self.rows = variables, len(rows)
        entries: Any = fmpq_mat(len(rows), variables + 1, [fmpq(0)] * (len(rows) * (variables + 1)))
        for i, (row, bound) in enumerate(rows):
            for j, value in (*row.items(), (variables, bound)):
                entries[i, j] = fmpq_of(value)
        super().__init__(range(variables, variables + len(rows)), range(variables), entries)

    def maximise(self, objective: Row) -> tuple[Fraction, list[Fraction], list[Fraction]]:
        """The optimum, a point that attains it, and a multiplier ≥ 0 for each constraint that proves it.

        Raises:
            LimitError: after too many pivots.

        """
        self.charge(lambda variable: objective.get(variable, Fraction(0)))
        idle, last = 0, self.value
        while (column := self._entering(careful=idle > PATIENCE)) is not None:
            self.pivot(self.leaving(column, [lambda row: self.basis[row]]), column)
            now = self.value
            idle, last = 0 if now > last else idle + 1, now
        zero, point, prices = Fraction(0), self.point(), self.prices()
        return (
            last,
            [point.get(j, zero) for j in range(self.variables)],
            [prices.get(j, zero) for j in range(self.variables, self.variables + self.rows)],
        )

    def _entering(self, *, careful: bool) -> int | None:
        """A column that gains: the one with the most for each unit; `careful` takes the first variable (Bland)."""
        gains = [(self.table[self.rows, j], variable, j) for j, variable in enumerate(self.outside)]
        gains = [gain for gain in gains if gain[0] < 0]
        if not gains:
            return None
        return min(gains, key=lambda gain: gain[1])[2] if careful else min(gains, key=lambda gain: gain[:2])[2]


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
