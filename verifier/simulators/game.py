"""The exact game between a simulator and a tester, at a rational E = e^ε.

A test is an event S of one row, in one direction: P(S) - E·Q(S), or Q(S) - E·P(S). The simulator makes the largest test
small; the tester mixes tests. By duality of linear programs the value v(E) of the game is the smallest δ at E, and a
pair of strategies with that value proves it without the program that found it.

The program is solved in the tester's variables: max Σ y_T·const_T + Σ u_c with Σ y_T = 1, y ≥ 0 and
u_c ≤ Σ_T y_T·coef_T(c, o) for all o, so that tests are columns, made when they are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple, TypeAlias

from verifier.errors import LimitError
from verifier.numbers import fmpq_of
from verifier.numbers.simplex import Tableau
from verifier.simulators.problem import Component
from verifier.tables import gathered

MAX_PAIRS = {True: 100, False: 64}
"""Most (class of contexts, output) pairs of one game, pure or not."""


class Test(NamedTuple):
    """An event of one row; `forward`: P(S) - E·Q(S), else Q(S) - E·P(S)."""

    row: int
    event: tuple[int, ...]
    forward: bool


@dataclass(frozen=True)
class Play:
    """Both strategies and the value at E; `tests` and `pairs` (positive s) are the tight part of the program."""

    game: Game
    E: Fraction
    value: Fraction
    simulator: tuple[Fraction, ...]
    mixture: tuple[tuple[Test, Fraction], ...]
    tests: tuple[Test, ...]
    pairs: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """The game of one component.

    With `pure` it is the game for δ = 0: a test is one output, and answers that must have probability 0 are left out.
    """

    component: Component
    pure: bool
    _plays: dict[Fraction, Play] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs (c, o) of a class of contexts and an output for which s(o | c) may be positive."""
        allowed = self.component.allowed(pure=self.pure)
        return tuple((c, o) for c, outputs in enumerate(allowed) for o in outputs)

    @cached_property
    def size(self) -> int:
        """The number of pairs."""
        return len(self.pairs)

    def admit(self) -> None:
        """Refuse a game that is too large, before any work.

        Raises:
            LimitError: with its size.

        """
        if self.size > MAX_PAIRS[self.pure]:
            raise LimitError(
                f"a simulator has {self.size:,} probabilities to choose at once",
                wanted=f"at most {MAX_PAIRS[self.pure]}",
                tip="fewer outputs, records or values; outputs that are alike are merged already",
            )

    @cached_property
    def _integers(self) -> tuple[list[list[int]], int, list[list[int]], int] | None:
        """The laws and the beliefs as integers, each over one denominator; None where some are no rationals."""
        sides: list[Any] = []
        for rows in (self.component.laws, self.component.beliefs):
            if not all(isinstance(x, int | Fraction) for row in rows for x in row):
                return None
            shared = lcm(*(x.denominator for row in rows for x in row))
            sides += [[[x.numerator * (shared // x.denominator) for x in row] for row in rows], shared]
        laws, law_unit, beliefs, belief_unit = sides
        return laws, law_unit, beliefs, belief_unit

    def _rational_answers(self, simulator: Sequence[Any]) -> tuple[list[list[int]], int] | None:
        """Q(o) in each row as integers over one denominator; None where some numbers are no rationals."""
        if self._integers is None or not all(isinstance(s, Fraction) for s in simulator):
            return None
        _, _, beliefs, unit = self._integers
        shared = lcm(*(s.denominator for s in simulator))
        chances = [
            (c, o, s.numerator * (shared // s.denominator))
            for (c, o), s in zip(self.pairs, simulator, strict=True)
            if s
        ]
        laws = []
        for belief in beliefs:
            law = [0] * len(self.component.outputs)
            for c, o, chance in chances:
                law[o] += belief[c] * chance
            laws.append(law)
        return laws, shared * unit

    def answers(self, simulator: Sequence[Any]) -> list[list[Any]]:
        """The law Q(o) = Σ_c P[c | row]·s(o | c) of the simulator's answers in each row."""
        integers = self._rational_answers(simulator)
        if integers:
            laws_of_integers, unit = integers
            return [[Fraction(q, unit) for q in law] for law in laws_of_integers]
        width = len(self.component.outputs)
        laws = []
        for belief in self.component.beliefs:
            law: list[Any] = [Fraction(0)] * width
            for (c, o), s in zip(self.pairs, simulator, strict=True):
                if belief[c] and s:
                    law[o] = law[o] + belief[c] * s
            laws.append(law)
        return laws

    def coefficient(self, test: Test, pair: tuple[int, int], E: Any) -> Any:
        """The factor of s(o | c) in a test's value at E."""
        c, o = pair
        if o not in test.event:
            return Fraction(0)
        belief = self.component.beliefs[test.row][c]
        return -(E * belief) if test.forward else belief

    def constant(self, test: Test, E: Any) -> Any:
        """The part of a test's value at E that does not depend on the simulator: P(S), or -E·P(S)."""
        mass = sum((self.component.laws[test.row][o] for o in test.event), Fraction(0))
        return mass if test.forward else -(E * mass)

    def worst(self, simulator: Sequence[Any], E: Any) -> list[tuple[Any, Test]]:
        """The best tests against a simulator, for each row and direction (and output, if pure)."""
        integers = self._rational_answers(simulator) if isinstance(E, Fraction) else None
        if integers is None or self._integers is None:
            answers = self.answers(simulator)
            gains = (
                [(p - E * q, q - E * p) for p, q in zip(law, answer, strict=True)]
                for law, answer in zip(self.component.laws, answers, strict=True)
            )
            return self._best(gains, Fraction(1))
        (laws, law_unit, _, _), (answers_of_integers, unit) = self._integers, integers
        p_unit, q_unit = unit * E.denominator, law_unit * E.denominator
        p_price, q_price = unit * E.numerator, law_unit * E.numerator
        whole_gains = (
            [(p * p_unit - q * q_price, q * q_unit - p * p_price) for p, q in zip(law, answer, strict=True)]
            for law, answer in zip(laws, answers_of_integers, strict=True)
        )
        return self._best(whole_gains, Fraction(1, law_unit * unit * E.denominator))

    def _best(self, gains: Iterable[list[tuple[Any, Any]]], unit: Fraction) -> list[tuple[Any, Test]]:
        """The best tests by what each output gains in each direction, in units."""
        best = []
        for r, (law, by_output) in enumerate(zip(self.component.laws, gains, strict=True)):
            for k, forward in enumerate((True, False)):
                if self.pure:
                    best += [(pair[k] * unit, Test(r, (o,), forward)) for o, pair in enumerate(by_output) if law[o]]
                else:
                    event = tuple(o for o, pair in enumerate(by_output) if pair[k] > 0)
                    gain = sum(by_output[o][k] for o in event)
                    best.append((gain * unit, Test(r, event, forward)))
        return best

    def value_of(self, mixture: Sequence[tuple[Test, Any]], E: Any, least: Callable[[list[Any]], Any] = min) -> Any:
        """The least value of a mixture of tests over all simulators: Σ y·const + Σ_c min_o Σ y·coef(c, o)."""
        total = sum((y * self.constant(test, E) for test, y in mixture), Fraction(0))
        offers: dict[int, list[Any]] = {}
        for pair in self.pairs:
            gain = sum((y * self.coefficient(test, pair, E) for test, y in mixture), Fraction(0))
            offers.setdefault(pair[0], []).append(gain)
        return total + sum((least(offer) for offer in offers.values()), Fraction(0))

    def play(self, E: Fraction, start: Play | None = None) -> Play:
        """Both optimal strategies at E, found by the simplex method and checked by their own values.

        The search begins with the tests of `start`, a play at another E.

        Raises:
            LimitError: for a game that is too large.

        """
        if E not in self._plays:
            self.admit()
            self._plays[E] = self._solve(E, start)
        return self._plays[E]

    def _solve(self, E: Fraction, start: Play | None) -> Play:
        program = Tester(self, E, start)
        while True:
            simulator, value = program.simulator(), program.value
            least = min(range(self.size), key=lambda k: simulator[k])
            if simulator[least] < 0:
                program.enter(("slack", least))
                continue
            gain, test = max(self.worst(simulator, E), key=lambda scored: scored[0])
            if gain <= value:
                break
            program.enter(("test", test))
        point = program.point()
        tests = tuple((test, y) for (kind, test), y in point.items() if kind == "test")
        mixture = tuple((test, y) for test, y in tests if y)
        pairs = tuple(k for k in range(self.size) if ("slack", k) not in point)
        play = Play(self, E, value, tuple(simulator), mixture, tuple(test for test, _ in tests), pairs)
        self._check(play)
        return play

    def _check(self, play: Play) -> None:
        """Both strategies have the value that is claimed; the simplex method is not trusted."""
        sums = gathered((c, s) for (c, _), s in zip(self.pairs, play.simulator, strict=True))
        fair = all(s >= 0 for s in play.simulator) and all(total == 1 for total in sums.values())
        mixed = all(y > 0 for _, y in play.mixture) and sum(y for _, y in play.mixture) == 1
        best = max(gain for gain, _ in self.worst(play.simulator, play.E))
        if not (fair and mixed and best <= play.value <= self.value_of(play.mixture, play.E)):
            raise ArithmeticError("the simplex method found strategies that do not fit")


@dataclass(frozen=True)
class Limit(Game):
    """The game at E = ∞, where only what M cannot answer counts: its value is the limit of v(E).

    With a `bonus`, the simulator is paid this much for each unit of the probability `favoured`.
    """

    favoured: int = 0
    bonus: Fraction = Fraction(0)

    def coefficient(self, test: Test, pair: tuple[int, int], E: Any) -> Any:
        """The factor of s(o | c) in a test's value at E."""
        paid = self.bonus if self.pairs[self.favoured] == pair else Fraction(0)
        return super().coefficient(test, pair, E) - paid

    def worst(self, simulator: Sequence[Fraction], E: Fraction) -> list[tuple[Fraction, Test]]:  # noqa: ARG002
        """The probability of answers that M cannot give, in each row, less the bonus; E plays no part."""
        best = []
        for r, (law, answer) in enumerate(zip(self.component.laws, self.answers(simulator), strict=True)):
            event = tuple(o for o, p in enumerate(law) if not p)
            gain = sum((answer[o] for o in event), Fraction(0)) - self.bonus * simulator[self.favoured]
            best.append((gain, Test(r, event, forward=False)))
        return best


Variable: TypeAlias = tuple[str, Any]
"""("test", T), ("free", class) or ("slack", pair)."""


class Tester(Tableau):
    """The simplex table of one game at E; it starts at the basis of a play at another E, or at one test.

    Columns are tests, one free variable u_c for each class, and slacks z_k of the constraints
    Σ_T y_T·coef_T(k) - u_c - z_k = 0; the last constraint is Σ y_T = 1. The lexicographic rule keeps it from cycling.
    """

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
