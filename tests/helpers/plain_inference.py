"""The plain twin of IBDDP's programs: zero-sum games with a bonus, solved by the engine of DDP."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.model import Model
from verifier.simulators.game import Game, Test
from verifier.simulators.problem import Component, SimulatorRow, rows_of


def plain_exists(model: Model, E: Fraction) -> bool:
    """Whether some simulator is IBDDP at δ = 0 and e^ε = E."""
    return all(plain_answerable(game, E) for rows in rows_of(model, "default") for game in plain_games(rows))


def given_knowledge(rows: Sequence[SimulatorRow]) -> list[list[SimulatorRow]]:
    groups: dict[Any, list[SimulatorRow]] = {}
    for row in rows:
        groups.setdefault((row.distribution, row.record, row.knowledge), []).append(row)
    return list(groups.values())


@dataclass(frozen=True)
class PlainInference(Game):
    """The game of one output: s(Ô | c), scaled to the sum 1; tests are values a of a (θ, i, B̂), in both directions.

    `posteriors[r][a]` is p_a, and `joint[r][a]` the weights of R_a. With a `bonus`, the simulator is paid for R of row
    `favoured`.
    """

    posteriors: tuple[tuple[Fraction, ...], ...] = ()
    joint: tuple[tuple[tuple[Fraction, ...], ...], ...] = ()
    free: tuple[tuple[int, int], ...] = ()
    favoured: int = 0
    bonus: Fraction = Fraction(0)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """One class; the contexts are its outputs."""
        return self.free

    @property
    def size(self) -> int:
        """The number of contexts."""
        return len(self.free)

    def coefficient(self, test: Test, pair: tuple[int, int], E: Any) -> Any:
        """The factor of s(Ô | c)."""
        ((a,), c) = test.event, pair[1]
        R, R_a = sum((weights[c] for weights in self.joint[test.row]), Fraction(0)), self.joint[test.row][a][c]
        p = self.posteriors[test.row][a]
        paid = self.bonus * sum((weights[c] for weights in self.joint[self.favoured]), Fraction(0))
        return (p * R - E * R_a if test.forward else R_a - E * p * R) - paid

    def constant(self, test: Test, E: Any) -> Any:  # noqa: ARG002
        """Nothing: the inequalities are homogeneous."""
        return Fraction(0)

    def worst(self, simulator: Sequence[Fraction], E: Fraction) -> list[tuple[Fraction, Test]]:
        """The value of each test against a simulator at E: each value a of each (θ, i, B̂), in both directions."""
        tests = []
        for r, posterior in enumerate(self.posteriors):
            for a, p in enumerate(posterior):
                for test in (Test(r, (a,), True), Test(r, (a,), False)) if p else ():
                    terms = zip(self.free, simulator, strict=True)
                    tests.append((sum((self.coefficient(test, k, E) * s for k, s in terms if s), Fraction(0)), test))
        return tests


def plain_games(rows: Sequence[SimulatorRow]) -> Iterator[PlainInference | None]:
    """One game for each output and connected part of the rows; None where no s(Ô | c) > 0 is left."""
    groups = given_knowledge(rows)
    for o in dict.fromkeys(o for row in rows for o in row.law):
        with_output = [group for group in groups if any(o in row.law for row in group)]
        excluded = {c for group in with_output for row in group if o not in row.law for c in row.contexts}
        contexts = [
            c for c in dict.fromkeys(c for g in with_output for row in g for c in row.contexts) if c not in excluded
        ]
        if not contexts:
            yield None
            continue
        posteriors, joint = [], []
        for group in with_output:
            total = sum((row.mass * row.law.get(o, Fraction(0)) for row in group), Fraction(0))
            posteriors.append(tuple(row.mass * row.law.get(o, Fraction(0)) / total for row in group))
            joint.append(tuple(tuple(row.mass * row.contexts.get(c, Fraction(0)) for c in contexts) for row in group))
        empty = Component((), 0, (), (), (), ())
        free = tuple((0, k) for k in range(len(contexts)))
        yield PlainInference(empty, pure=True, posteriors=tuple(posteriors), joint=tuple(joint), free=free)


def plain_answerable(game: PlainInference | None, E: Fraction) -> bool:
    """Whether some s keeps all inequalities and answers Ô for every B̂: then the sum of one for each B̂ does."""
    return game is not None and all(answers(game, r, E) for r in range(len(game.posteriors)))


def answers(game: PlainInference, row: int, E: Fraction) -> bool:
    """Whether some s keeps all inequalities with R > 0 in one row; a small enough bonus for R tells."""
    bonus = Fraction(1)
    while True:
        bonus /= 1 << 10
        paid = PlainInference(
            game.component,
            True,
            posteriors=game.posteriors,
            joint=game.joint,
            free=game.free,
            favoured=row,
            bonus=bonus,
        )
        play = paid.play(E)
        if play.value >= 0:
            return False
        if max(gain for gain, _ in game.worst(play.simulator, E)) <= 0:
            return True
