"""The simplex method for the game, in exact rational arithmetic; what it finds is checked by `game`.

Columns are tests, one free variable u_c for each class, and slacks z_k of the constraints
Σ_T y_T·coef_T(k) - u_c - z_k = 0; the last constraint is Σ y_T = 1. The lexicographic rule keeps it from cycling.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verifier.errors import LimitError
from verifier.numbers import fmpq_of

if TYPE_CHECKING:
    from verifier.simulators.game import Game, Play, Test


class Simplex:
    """A basis and its inverse, in coordinates of the first basis, where the inverse is 1."""

    def __init__(self, game: Game, E: Fraction, start: Play | None = None) -> None:
        from flint import fmpq, fmpq_mat

        self.game, self.E = game, E
        self.pivots = 0
        self.length = game.size + 1
        self.classes = {c: k for k, c in enumerate(dict.fromkeys(c for c, _ in game.pairs))}
        # a basis is a list of ("test", T), ("free", c) or ("slack", k)
        self.basis = self._resumed(start) if start else self._first()
        whole: Any = fmpq_mat(self.length, self.length, [fmpq(0)] * self.length**2)
        for j, one in enumerate(self.basis):
            for i, value in self._entries(one).items():
                whole[i, j] = fmpq_of(value)
        if start and whole.det() == 0:
            self.__init__(game, E)  # type: ignore[misc]
            return
        self.first: Any = whole.inv()
        right: Any = self.first * fmpq_mat(self.length, 1, [fmpq(0)] * (self.length - 1) + [fmpq(1)])
        if start and any(right[i, 0] < 0 for i, one in enumerate(self.basis) if one[0] != "free"):
            self.__init__(game, E)  # type: ignore[misc]
            return
        places = range(self.length)
        self.inverse: Any = fmpq_mat(self.length, self.length, [fmpq(int(i == j)) for i in places for j in places])
        self.right: Any = right

    def _first(self) -> list[tuple[str, Any]]:
        """One test, and each class's answer that is best against it."""
        game, E = self.game, self.E
        uniform: dict[int, int] = {}
        for c, _ in game.pairs:
            uniform[c] = uniform.get(c, 0) + 1
        test = max(game.worst([Fraction(1, uniform[c]) for c, _ in game.pairs], E), key=lambda one: one[0])[1]
        best: dict[int, tuple[Fraction, int]] = {}
        for k, pair in enumerate(game.pairs):
            offer = (game.coefficient(test, pair, E), k)
            best[pair[0]] = min(best.get(pair[0], offer), offer)
        answers = {k for _, k in best.values()}
        slacks = [("slack", k) for k in range(game.size) if k not in answers]
        return [("test", test), *(("free", c) for c in self.classes), *slacks]

    def _resumed(self, start: Play) -> list[tuple[str, Any]]:
        """The last basis of another E."""
        slacks = [("slack", k) for k in range(self.game.size) if k not in set(start.pairs)]
        return [*(("test", test) for test in start.tests), *(("free", c) for c in self.classes), *slacks]

    def _entries(self, one: tuple[str, Any]) -> dict[int, Any]:
        kind, what = one
        if kind == "slack":
            return {what: Fraction(-1)}
        if kind == "free":
            return {k: Fraction(-1) for k, (c, _) in enumerate(self.game.pairs) if c == what}
        found = {
            k: value for k, pair in enumerate(self.game.pairs) if (value := self.game.coefficient(what, pair, self.E))
        }
        return {**found, self.length - 1: Fraction(1)}

    def _cost(self, one: tuple[str, Any]) -> Fraction:
        kind, what = one
        if kind == "test":
            constant: Fraction = self.game.constant(what, self.E)
            return constant
        return Fraction(int(kind == "free"))

    def prices(self) -> tuple[list[Fraction], Fraction]:
        """The simulator that the basis stands for (entries may be negative yet), and the value."""
        from flint import fmpq_mat

        costs = fmpq_mat(1, self.length, [fmpq_of(self._cost(one)) for one in self.basis])
        dual: Any = costs * self.inverse * self.first
        found = [-Fraction(int(dual[0, k].p), int(dual[0, k].q)) for k in range(self.game.size)]
        value: Any = (costs * self.right)[0, 0]
        return found, Fraction(int(value.p), int(value.q))

    def negative(self, simulator: list[Fraction]) -> tuple[str, Any] | None:
        """The slack of the most negative probability."""
        least = min(range(len(simulator)), key=lambda k: simulator[k])
        return ("slack", least) if simulator[least] < 0 else None

    def column(self, test: Test) -> tuple[str, Any]:
        """A test as a column."""
        return ("test", test)

    def pivot(self, entering: tuple[str, Any]) -> None:
        """Take a column into the basis, by the lexicographic rule."""
        from flint import fmpq, fmpq_mat

        self.pivots += 1
        if self.pivots > MAX_PIVOTS:
            raise LimitError(f"a game of {self.game.size} probabilities takes more than {MAX_PIVOTS:,} pivots")
        given: Any = fmpq_mat(self.length, 1, [fmpq(0)] * self.length)
        for i, value in self._entries(entering).items():
            given[i, 0] = fmpq_of(value)
        direction = self.inverse * (self.first * given)
        rows = [i for i, one in enumerate(self.basis) if one[0] != "free" and direction[i, 0] > 0]
        if not rows:
            raise ArithmeticError("the game is not bounded")
        leaving = self._least(rows, direction)
        factor = 1 / direction[leaving, 0]
        step: Any = fmpq_mat(self.length, 1, [direction[i, 0] for i in range(self.length)])
        step[leaving, 0] = direction[leaving, 0] - 1
        row = fmpq_mat(1, self.length, [self.inverse[leaving, j] * factor for j in range(self.length)])
        moved = self.right[leaving, 0] * factor
        self.inverse = self.inverse - step * row
        self.right = self.right - step * moved
        self.basis[leaving] = entering

    def _least(self, rows: list[int], direction: Any) -> int:
        """The row of the least ratio; ties by the rows of the inverse, column by column."""
        column = 0
        ratios: dict[int, Any] = {i: self.right[i, 0] / direction[i, 0] for i in rows}
        while True:
            least = min(ratios.values())
            ratios = {i: ratio for i, ratio in ratios.items() if ratio == least}
            if len(ratios) == 1:
                return min(ratios)
            ratios = {i: self.inverse[i, column] / direction[i, 0] for i in ratios}
            column += 1

    def mixture(self) -> list[tuple[Test, Fraction]]:
        """The tests of the basis with their probabilities."""
        return [
            (what, Fraction(int(self.right[i, 0].p), int(self.right[i, 0].q)))
            for i, (kind, what) in enumerate(self.basis)
            if kind == "test"
        ]

    def slacks(self) -> set[int]:
        """The pairs whose probability is 0 by the basis."""
        return {what for kind, what in self.basis if kind == "slack"}


MAX_PIVOTS = 4000
