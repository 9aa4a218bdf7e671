"""The tester's linear program: tests are columns, made when they are needed; what it finds is checked by `game`.

Columns are tests, one free variable u_c for each class, and slacks z_k of the constraints
Σ_T y_T·coef_T(k) - u_c - z_k = 0; the last constraint is Σ y_T = 1. The lexicographic rule keeps it from cycling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from verifier.numbers import fmpq_of
from verifier.numbers.simplex import Tableau

if TYPE_CHECKING:
    from verifier.simulators.game import Game, Play, Test

Variable: TypeAlias = tuple[str, Any]
"""("test", T), ("free", class) or ("slack", pair)."""


class Tester(Tableau):
    """The simplex table of one game at E; it starts at the basis of a play at another E, or at one test."""

    most_pivots, tip = 4000, ""

    def __init__(self, game: Game, E: Fraction, start: Play | None = None) -> None:
        """Start at the tests of another play, where they are a basis that is allowed."""
        self.game, self.E, self.what = game, E, f"a game of {game.size} probabilities"
        self.free = {("free", c): None for c, _ in game.pairs}
        begun = self._begun(start.tests, start.pairs) if start else None
        super().__init__(*(begun or self._begun(*self._one_test())))
        self.charge(self._cost)

    def _begun(self, tests: Iterable[Test], answers: Collection[int]) -> Any:
        """The basis of some tests, and of all pairs but the answers; None where it is none that is allowed."""
        slacks = [("slack", k) for k in range(self.game.size) if k not in answers]
        self.first: list[Variable] = [*(("test", test) for test in tests), *self.free, *slacks]
        outside = [("slack", k) for k in answers]
        entries = self._solved(outside)
        limited = (i for i, variable in enumerate(self.first) if variable not in self.free)
        if entries is None or any(entries[i, len(outside)] < 0 for i in limited):
            return None
        return self.first, outside, entries

    def _one_test(self) -> tuple[list[Test], list[int]]:
        """One test, and each class's answer that is best against it."""
        game, E = self.game, self.E
        uniform = Counter(c for c, _ in game.pairs)
        test = max(game.worst([Fraction(1, uniform[c]) for c, _ in game.pairs], E), key=lambda scored: scored[0])[1]
        best: dict[int, tuple[Fraction, int]] = {}
        for k, pair in enumerate(game.pairs):
            offer = (game.coefficient(test, pair, E), k)
            best[pair[0]] = min(best.get(pair[0], offer), offer)
        return [test], [k for _, k in best.values()]

    def _solved(self, outside: Sequence[Variable]) -> Any:
        """The entries at the first basis, and the values; None where it is none."""
        from flint import fmpq, fmpq_mat

        length = self.game.size + 1
        basis, nonbasic = (
            fmpq_mat(length, width, [fmpq(0)] * (length * width)) for width in (len(self.first), len(outside) + 1)
        )
        if len(self.first) != length:
            return None
        for matrix, variables in ((basis, self.first), (nonbasic, outside)):
            for j, variable in enumerate(variables):
                for i, value in self._coefficients(variable).items():
                    matrix[i, j] = fmpq_of(value)
        nonbasic[length - 1, len(outside)] = fmpq(1)
        try:
            return basis.solve(nonbasic)
        except ZeroDivisionError:
            return None

    def _coefficients(self, variable: Variable) -> dict[int, Fraction]:
        """The column of a variable: its coefficient in each constraint."""
        kind, index = variable
        if kind == "slack":
            return {index: Fraction(-1)}
        if kind == "free":
            return {k: Fraction(-1) for k, (c, _) in enumerate(self.game.pairs) if c == index}
        coefficients = ((k, self.game.coefficient(index, pair, self.E)) for k, pair in enumerate(self.game.pairs))
        return {**{k: value for k, value in coefficients if value}, self.game.size: Fraction(1)}

    def _cost(self, variable: Variable) -> Fraction:
        kind, index = variable
        if kind == "test":
            constant: Fraction = self.game.constant(index, self.E)
            return constant
        return Fraction(int(kind == "free"))

    def simulator(self) -> list[Fraction]:
        """The simulator that the basis stands for; entries may be negative yet."""
        prices = self.prices()
        return [prices.get(("slack", k), Fraction(0)) for k in range(self.game.size)]

    def enter(self, entering: Variable) -> None:
        """Take a variable into the basis, by the lexicographic rule."""
        if entering not in self.outside:
            self._add(entering)
        column = self.outside.index(entering)
        ties = (
            lambda row, variable=variable: self.entry(row, variable) / self.table[row, column]
            for variable in self.first
        )
        self.pivot(self.leaving(column, ties, self.free), column)

    def _add(self, test: Variable) -> None:
        """A column for a test: a unit of the last constraint is the values, one of another its slack's opposite."""
        shares = {("slack", k): -value for k, value in self._coefficients(test).items() if k < self.game.size}
        entries = self.combined(shares, fmpq_of(-self._cost(test)))
        spare = (j for j, variable in enumerate(self.outside) if variable[0] == "test" and variable not in self.first)
        self.insert(test, entries, next(spare, None))
