"""Inference-based definitions with a simulator (IBDDP; DMKB20, remark in section 3.3), as far as they are decided.

D(i) | θ, M(D)=Ô, B̂ ≈(ε,δ) D(i) | θ, Sim(D without i)=Ô, B̂ is to hold with probability at least 1 - δ over Ô and B̂.

* For a given simulator everything is finite: `judge` decides any ε and δ.
* For δ = 0 it is to hold for all (B̂, Ô) of positive probability. With R_a = P[Sim=Ô, D(i)=a | B̂] and R = Σ_a R_a both
  inequalities are linear and homogeneous in s: p_a·R ≤ E·R_a and R_a ≤ E·p_a·R. Sim may answer what M never does, so
  that the outputs are separate problems, and s(Ô | ·) may be scaled. `exists` decides a rational e^ε.
* For δ > 0 the exceptional (B̂, Ô) are to be chosen as well: not decided.

A simulator that cannot answer Ô given B̂ leaves the second posterior undefined. That counts as a failure; else a
simulator that answers nothing of M would always do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.errors import InputError
from verifier.model import Model
from verifier.numbers import Epsilon, Order, compare
from verifier.simulators.game import Game, Test
from verifier.simulators.problem import Component, Row, rows_of
from verifier.tables import Label, Law, label

Simulator = Callable[[int | None, tuple[Any, ...]], Any]
"""(i, the other values) to a label or a table of labels and probabilities."""


@dataclass(frozen=True)
class Belief:
    """The posteriors of D(i) after Ô given B̂: under M, and under Sim (None where Sim cannot answer Ô)."""

    distribution: str
    record: int
    knowledge: Label
    output: Label
    probability: Fraction
    under_m: dict[Label, Fraction]
    under_sim: dict[Label, Fraction] | None

    def alike(self, epsilon: Epsilon, delta: Fraction) -> bool:
        """Whether they are (ε, δ)-indistinguishable."""
        return self.under_sim is not None and all(
            _within(p, q, epsilon, delta) for p, q in ((self.under_m, self.under_sim), (self.under_sim, self.under_m))
        )


@dataclass(frozen=True)
class Judgement:
    """Whether a given simulator does, and the probability of the exceptions, for the worst (θ, i)."""

    holds: bool
    exceptions: Fraction
    beliefs: tuple[Belief, ...]


def judge(model: Model, simulator: Simulator, epsilon: Epsilon, delta: Fraction, reading: str = "default") -> Judgement:
    """Decide IBDDP for one simulator."""
    worst, kept = Fraction(0), []
    for rows in rows_of(model, reading):
        excepted: dict[tuple[str, int], Fraction] = {}
        for one in beliefs(model, rows, simulator):
            kept.append(one)
            if not one.alike(epsilon, delta):
                key = (one.distribution, one.record)
                excepted[key] = excepted.get(key, Fraction(0)) + one.probability
        worst = max([worst, *excepted.values()])
    return Judgement(worst <= delta, worst, tuple(kept))


def beliefs(model: Model, rows: Sequence[Row], simulator: Simulator) -> Iterator[Belief]:
    """Both posteriors for each (θ, i, B̂, Ô) of positive probability."""
    laws: dict[Any, Law] = {}
    for group in _given_knowledge(rows):
        answers: list[dict[Label, Fraction]] = []
        for row in group:
            mine: dict[Label, Fraction] = {}
            for context, share in row.contexts.items():
                if context not in laws:
                    others = tuple(model.values[v].shown for v in context.others)
                    laws[context] = _law(simulator(context.record, others))
                for o, w in laws[context].items():
                    mine[o] = mine.get(o, Fraction(0)) + share * Fraction(w, laws[context].denominator)
            answers.append(mine)
        for o in dict.fromkeys(o for row in group for o in row.law):
            joint = {row.a: row.mass * row.law[o] for row in group if o in row.law}
            other = {row.a: row.mass * q[o] for row, q in zip(group, answers, strict=True) if q.get(o)}
            total, whole = sum(joint.values(), Fraction(0)), sum(other.values(), Fraction(0))
            yield Belief(
                group[0].distribution,
                group[0].record,
                group[0].knowledge,
                o,
                total,
                {a: p / total for a, p in joint.items()},
                {a: q / whole for a, q in other.items()} if whole else None,
            )


def _law(given: Any) -> Law:
    if isinstance(given, dict):
        return Law.of({label(o, "simulator"): p for o, p in given.items()}, "simulator")
    return Law.point(label(given, "simulator"))


def _given_knowledge(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each (θ, i, B̂)."""
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault((row.distribution, row.record, row.knowledge), []).append(row)
    return list(groups.values())


def _within(p: dict[Label, Fraction], q: dict[Label, Fraction], epsilon: Epsilon, delta: Fraction) -> bool:
    """Σ max(0, p - e^ε·q) ≤ δ."""
    above = [a for a in p if compare(p[a], q.get(a, Fraction(0)), epsilon).settled() is Order.GREATER]
    mass, other = (sum((law.get(a, Fraction(0)) for a in above), Fraction(0)) for law in (p, q))
    return compare(mass - delta, other, epsilon).settled() is not Order.GREATER


@dataclass(frozen=True)
class Inference(Game):
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
        """How many contexts there are."""
        return len(self.free)

    def coefficient(self, test: Test, pair: tuple[int, int], E: Any) -> Any:
        """The factor of s(Ô | c)."""
        ((a,), c) = test.event, pair[1]
        whole, one = sum((part[c] for part in self.joint[test.row]), Fraction(0)), self.joint[test.row][a][c]
        p = self.posteriors[test.row][a]
        paid = self.bonus * sum((part[c] for part in self.joint[self.favoured]), Fraction(0))
        return (p * whole - E * one if test.forward else one - E * p * whole) - paid

    def constant(self, test: Test, E: Any) -> Any:  # noqa: ARG002
        """Nothing: the inequalities are homogeneous."""
        return Fraction(0)

    def worst(self, simulator: Sequence[Fraction], E: Fraction) -> list[tuple[Fraction, Test]]:
        """All tests."""
        found = []
        for r, posterior in enumerate(self.posteriors):
            for a, p in enumerate(posterior):
                for test in (Test(r, (a,), True), Test(r, (a,), False)) if p else ():
                    parts = zip(self.free, simulator, strict=True)
                    found.append((sum((self.coefficient(test, k, E) * s for k, s in parts if s), Fraction(0)), test))
        return found


def exists(model: Model, E: Fraction, reading: str = "default") -> bool:
    """Whether some simulator is IBDDP at δ = 0 and e^ε = E.

    Raises:
        InputError: for E < 1.

    """
    if E < 1:
        raise InputError("given a negative ε", wanted="E = e^ε ≥ 1")
    return all(_answerable(game, E) for rows in rows_of(model, reading) for game in games(rows))


def games(rows: Sequence[Row]) -> Iterator[Inference | None]:
    """One game for each output and connected part of the rows; None where no s(Ô | c) > 0 is left."""
    groups = _given_knowledge(rows)
    for o in dict.fromkeys(o for row in rows for o in row.law):
        mine = [group for group in groups if any(o in row.law for row in group)]
        excluded = {c for group in mine for row in group if o not in row.law for c in row.contexts}
        contexts = [c for c in dict.fromkeys(c for g in mine for row in g for c in row.contexts) if c not in excluded]
        if not contexts:
            yield None
            continue
        posteriors, joint = [], []
        for group in mine:
            total = sum((row.mass * row.law.get(o, Fraction(0)) for row in group), Fraction(0))
            posteriors.append(tuple(row.mass * row.law.get(o, Fraction(0)) / total for row in group))
            joint.append(tuple(tuple(row.mass * row.contexts.get(c, Fraction(0)) for c in contexts) for row in group))
        empty = Component((), 0, (), (), (), ())
        free = tuple((0, k) for k in range(len(contexts)))
        yield Inference(empty, pure=True, posteriors=tuple(posteriors), joint=tuple(joint), free=free)


def _answerable(game: Inference | None, E: Fraction) -> bool:
    """Whether some s keeps all inequalities and answers Ô for every B̂: then the sum of one for each B̂ does."""
    return game is not None and all(_answers(game, r, E) for r in range(len(game.posteriors)))


def _answers(game: Inference, row: int, E: Fraction) -> bool:
    """Whether some s keeps all inequalities with R > 0 in one row; a small enough bonus for R tells."""
    bonus = Fraction(1)
    while True:
        bonus /= 1 << 10
        paid = Inference(
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
