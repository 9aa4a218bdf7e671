"""The simplex method in exact rational arithmetic, on one condensed tableau.

The tableau has a row for each basic variable and a column for each non-basic one, which is 0; its last row has the
reduced costs, its last column the values of the basic variables. Columns may be added while a program is solved
(`Tableau.insert`). No answer rests on an optimum alone: the callers add up again what the multipliers prove. Programs
are asked for at `linear`, whose twin this is where it guesses; a `Tableau` of its own has who adds columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.errors import LimitError
from verifier.numbers.rational import fmpq_of

PATIENCE = 12
"""Pivots without gain before the rule that cannot cycle is taken."""
Coefficients = Mapping[Any, Any]
"""The coefficients of variables, by variable: fractions, or rationals of python-flint."""


class UnboundedError(ArithmeticError):
    """No row bounds the objective: it gains without end along `direction`, a step for each variable that moves."""

    def __init__(self, direction: dict[Any, Fraction]) -> None:
        super().__init__("the linear program is not bounded")
        self.direction = direction


class Tableau:
    """The tableau of a program max c·x with x ≥ 0 and x_basis + entries·x_outside = values.

    `basis` lists the basic variables, `outside` the non-basic ones; a variable is anything hashable.
    """

    most_pivots, what, tip = 20_000, "the linear program", "a smaller model"

    def __init__(self, basis: Iterable[Any], outside: Iterable[Any], entries: Any) -> None:
        """Start at a basis: a row of entries for each basic variable, a column for each other one, and the values."""
        from flint import fmpq, fmpq_mat

        self.basis, self.outside = list(basis), list(outside)
        self.height, self.pivots = len(self.basis), 0
        self.table: Any = fmpq_mat([*entries.tolist(), [fmpq(0)] * (self.width + 1)])

    @property
    def width(self) -> int:
        """The number of non-basic variables, which is also the index of the column of values."""
        return len(self.outside)

    def charge(self, cost: Callable[[Any], Fraction]) -> None:
        """Set the objective c·x, to be made large, and its reduced costs at the current basis; `cost` gives c."""
        from flint import fmpq_mat

        zero = Fraction(0)
        row = fmpq_mat([[fmpq_of(cost_entry) for cost_entry in (*map(cost, self.basis), zero)]]) * self.table
        for j, cost_entry in enumerate((*map(cost, self.outside), zero)):
            self.table[self.height, j] = row[0, j] - fmpq_of(cost_entry)

    @property
    def value(self) -> Fraction:
        """The objective c·x at the current basis."""
        return _fraction(self.table[self.height, self.width])

    def prices(self) -> dict[Any, Fraction]:
        """The reduced cost of each non-basic variable; where it is negative, a unit of the variable gains."""
        return {variable: _fraction(self.table[self.height, j]) for j, variable in enumerate(self.outside)}

    def point(self) -> dict[Any, Fraction]:
        """The values of the basic variables; all others are 0."""
        return {variable: _fraction(self.table[i, self.width]) for i, variable in enumerate(self.basis)}

    def entry(self, row: int, variable: Hashable) -> Any:
        """The entry of a variable in a row; of a basic variable 1 in its own row, else 0."""
        if variable in self.outside:
            return self.table[row, self.outside.index(variable)]
        return fmpq_of(Fraction(int(row < self.height and self.basis[row] == variable)))

    def combined(self, shares: Mapping[Any, Fraction], cost: Any) -> list[Any]:
        """The column values + Σ shares[x]·(column of x), with `cost` added to its last entry."""
        from flint import fmpq, fmpq_mat

        mixture = fmpq_mat([[fmpq_of(shares.get(variable, Fraction(0)))] for variable in self.outside] + [[fmpq(1)]])
        column = [entry for (entry,) in (self.table * mixture).tolist()]
        for i, variable in enumerate(self.basis):
            if variable in shares:
                column[i] += fmpq_of(shares[variable])
        column[self.height] += cost
        return column

    def insert(self, variable: Hashable, entries: Sequence[Any], column: int | None) -> None:
        """Insert a non-basic variable with its entries, in place of the variable of `column`, or in a new column."""
        from flint import fmpq_mat

        if column is None:
            rows = [[*row[:-1], entry, row[-1]] for row, entry in zip(self.table.tolist(), entries, strict=True)]
            self.table, column = fmpq_mat(rows), self.width
            self.outside.append(variable)
        self.outside[column] = variable
        for i, entry in enumerate(entries):
            self.table[i, column] = entry

    def leaving(self, column: int, ties: Iterable[Callable[[int], Any]], free: Collection[Any] = ()) -> int:
        """The row whose variable leaves the basis for that of a column: the row with the least ratio value/entry.

        Where several rows have it, the least value of the first of the `ties` decides, then of the next. The variables
        in `free` stay in the basis.

        Raises:
            UnboundedError: where no row bounds the variable of the column.

        """
        ranks, values = {}, self.width
        for i, variable in enumerate(self.basis):
            step = self.table[i, column]
            if step > 0 and variable not in free:
                ranks[i] = self.table[i, values] / step
        if not ranks:
            moves = {variable: _fraction(-self.table[i, column]) for i, variable in enumerate(self.basis)}
            raise UnboundedError({**moves, self.outside[column]: Fraction(1)})
        for tie in ties:
            least = min(ranks.values())
            ranks = {i: rank for i, rank in ranks.items() if rank == least}
            if len(ranks) == 1:
                break
            ranks = {i: tie(i) for i in ranks}
        return min(ranks, key=lambda i: ranks[i])

    def pivot(self, row: int, column: int) -> None:
        """Exchange the variables of a row r and a column s: T - (col with col_r - 1)·(row with row_s + 1)/T_rs.

        Raises:
            LimitError: after more than `most_pivots` pivots.

        """
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


class Optimum(NamedTuple):
    """The largest value of an objective, a point that attains it, and a multiplier ≥ 0 of each row that proves it."""

    value: Fraction
    point: dict[Any, Fraction]
    multipliers: dict[Any, Fraction]


class Simplex(Tableau):
    """The program max c·x with A·x ≤ b and x ≥ 0, where b ≥ 0, so that x = 0 is a start.

    `variables` and `rows` have names, which are anything hashable; a row is its coefficients by variable, and its
    bound. Several objectives can be maximised one after the other; each starts at the optimum of the one before.

    >>> one, two = Fraction(1), Fraction(2)
    >>> lp = Simplex("xy", {"both": ({"x": one, "y": two}, 2 * two), "first": ({"x": one}, two)})
    >>> value, point, multipliers = lp.maximise({"x": one, "y": one})
    >>> print(value, *map(str, point.values()), *map(str, multipliers.values()))
    3 2 1 1/2 1/2
    """

    def __init__(self, variables: Iterable[Hashable], rows: Mapping[Any, tuple[Coefficients, Any]]) -> None:
        """Start at x = 0, where the slacks are the basis; the tableau numbers the variables, and then the slacks."""
        from flint import fmpq, fmpq_mat

        if any(bound < 0 for _, bound in rows.values()):
            raise ArithmeticError("the simplex method starts at 0, which must be allowed")
        self.variables, self.rows = list(variables), list(rows)
        width, height = len(self.variables), len(self.rows)
        places = {variable: j for j, variable in enumerate(self.variables)}
        entries: Any = fmpq_mat(height, width + 1, [fmpq(0)] * (height * (width + 1)))
        for i, (row, bound) in enumerate(rows.values()):
            entries[i, width] = fmpq_of(bound)
            for variable, value in row.items():
                entries[i, places[variable]] = fmpq_of(value)
        super().__init__(range(width, width + height), range(width), entries)
        self.lost: dict[int, Fraction] = {}
        """What a unit of a variable that is kept out loses of the objective that is kept (`keep`)."""
        self.share = Fraction(0)
        """The multiple of the kept objective that the last multipliers prove beside the last one."""

    def keep(self) -> None:
        """Keep to the points that attain the last objective: what would lose of it stays 0 from now on.

        The multipliers of a later objective c then prove a bound on c·x + share·(the kept objective).
        """
        self.lost = {variable: price for variable, price in self.prices().items() if price > 0}

    def maximise(self, objective: Coefficients) -> Optimum:
        """The optimum of c·x, where `objective` has the coefficients by variable.

        Raises:
            UnboundedError: where there is none.
            LimitError: after too many pivots.

        """
        zero, costs = Fraction(0), [objective.get(variable, Fraction(0)) for variable in self.variables]
        self.charge(lambda j: costs[j] if j < len(costs) else zero)
        idle, last = 0, self.value
        while (column := self._entering(careful=idle > PATIENCE)) is not None:
            self.pivot(self.leaving(column, [lambda row: self.basis[row]]), column)
            now = self.value
            idle, last = 0 if now > last else idle + 1, now
        point, prices = self.named(self.point()), self.prices()
        self.share = max((-prices[j] / loss for j, loss in self.lost.items()), default=zero)
        self.share = max(self.share, zero)
        for j, loss in self.lost.items():
            prices[j] += self.share * loss
        return Optimum(
            last,
            {variable: point.get(variable, zero) for variable in self.variables},
            {row: prices.get(j, zero) for j, row in enumerate(self.rows, len(self.variables))},
        )

    def named(self, numbered: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """The numbers of variables, without those of slacks, by the names of the variables."""
        return {self.variables[j]: value for j, value in numbered.items() if j < len(self.variables)}

    @property
    def corner(self) -> tuple[list[Any], list[Any]]:
        """The variables in the basis, and as many rows without slack, which have one solution: the point."""
        width = len(self.variables)
        return (
            [self.variables[j] for j in sorted(self.basis) if j < width],
            [self.rows[j - width] for j in sorted(self.outside) if j >= width],
        )

    def _entering(self, *, careful: bool) -> int | None:
        """A column that gains: the one with the most for each unit; `careful` takes the first variable (Bland)."""
        gains = [(self.table[self.height, j], variable, j) for j, variable in enumerate(self.outside)]
        gains = [gain for gain in gains if gain[0] < 0 and gain[1] not in self.lost]
        if not gains:
            return None
        return min(gains, key=lambda gain: gain[1])[2] if careful else min(gains, key=lambda gain: gain[:2])[2]


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
