"""IBDDP, the inference-based definition with a simulator (DMKB20, remark in section 3.3), as far as it is decided.

D(i) | θ, M(D)=Ô, B̂ ≈(ε,δ) D(i) | θ, Sim(D without i)=Ô, B̂ is to hold with probability at least 1 - δ over Ô and B̂.

* For a given simulator everything is finite: `judge` decides any ε and δ.
* For δ = 0 it is to hold for all (B̂, Ô) of positive probability. With R_a = P[Sim=Ô, D(i)=a | B̂] and R = Σ_a R_a both
  inequalities are linear and homogeneous in s: p_a·R ≤ E·R_a and R_a ≤ E·p_a·R. Sim may answer what M never does, so
  that the outputs are separate problems, and s(Ô | ·) may be scaled. `exists_for` decides a rational e^ε.
* For δ > 0 the exceptional (B̂, Ô) are to be chosen as well: not decided.

A simulator that cannot answer Ô given B̂ leaves the second posterior undefined. That counts as a failure; else a
simulator that answers nothing of M would always do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from verifier.errors import InputError
from verifier.model import Model
from verifier.numbers import Epsilon, Order, compare, fmpq_of, fraction_of
from verifier.numbers.linear import LinearProgram
from verifier.simulators.problem import Context, SimulatorRow, rows_of
from verifier.tables import Label, Law, collected, gathered, label
from verifier.tables.law import splits

Simulator = Callable[[int | None, tuple[Any, ...]], Any]
"""A function of (i, the other values) that returns an output, or a table of outputs and probabilities."""


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
        """Whether the two posteriors are (ε, δ)-indistinguishable; False where Sim cannot answer Ô."""
        return self.under_sim is not None and all(
            _within(p, q, epsilon, delta) for p, q in ((self.under_m, self.under_sim), (self.under_sim, self.under_m))
        )


@dataclass(frozen=True)
class Judgement:
    """Whether a simulator satisfies IBDDP, and the probability of the exceptional (B̂, Ô) for the worst (θ, i)."""

    holds: bool
    exceptions: Fraction
    beliefs: tuple[Belief, ...]


def judge(model: Model, simulator: Simulator, epsilon: Epsilon, delta: Fraction, reading: str = "default") -> Judgement:
    """Decide whether one simulator satisfies IBDDP at ε and δ.

    Raises:
        InputError: where the simulator returns no law.
        LimitError: for too many worlds.

    """
    worst, kept = Fraction(0), list[Belief]()
    for rows in rows_of(model, reading):
        listed = list(beliefs(model, rows, simulator))
        kept += listed
        excepted = gathered(
            ((belief.distribution, belief.record), belief.probability)
            for belief in listed
            if not belief.alike(epsilon, delta)
        )
        worst = max([worst, *excepted.values()])
    return Judgement(worst <= delta, worst, tuple(kept))


def beliefs(model: Model, rows: Sequence[SimulatorRow], simulator: Simulator) -> Iterator[Belief]:
    """Yield the posteriors of D(i) given M(D) = Ô and given Sim = Ô, for each (θ, i, B̂, Ô) of positive probability."""
    laws: dict[Any, Law] = {}
    for group in _given_knowledge(rows):
        answers: list[dict[Label, Fraction]] = []
        for row in group:
            for context in row.contexts:
                if context not in laws:
                    other_values = tuple(model.values[v].shown for v in context.others)
                    laws[context] = _law(simulator(context.record, other_values))
                    _refuse_parts(laws[context], row, model)
            answers.append(
                gathered((o, share * p) for context, share in row.contexts.items() for o, p in laws[context].chances())
            )
        for o in dict.fromkeys(o for row in group for o in row.law):
            joint = {row.a: row.mass * row.law[o] for row in group if o in row.law}
            imitated = {row.a: row.mass * q[o] for row, q in zip(group, answers, strict=True) if q.get(o)}
            total, imitated_total = sum(joint.values(), Fraction(0)), sum(imitated.values(), Fraction(0))
            yield Belief(
                group[0].distribution,
                group[0].record,
                group[0].knowledge,
                o,
                total,
                {a: p / total for a, p in joint.items()},
                {a: q / imitated_total for a, q in imitated.items()} if imitated_total else None,
            )


def _refuse_parts(answers: Law, row: SimulatorRow, model: Model) -> None:
    """Refuse an answer that is a part of a tail of noise, which is one output of the mechanism."""
    for answer in answers.outcomes:
        if any(splits(output, answer, model.mechanism.tails) for output in row.law):
            raise InputError(
                f"the simulator answers {answer}, a part of a lumped tail of the noise",
                wanted="outputs of the mechanism, and a tail as a whole",
            )


def _law(answer: Any) -> Law:
    if isinstance(answer, dict):
        return Law.of({label(o, "simulator"): p for o, p in answer.items()}, "simulator")
    return Law.point(label(answer, "simulator"))


def _given_knowledge(rows: Sequence[SimulatorRow]) -> list[list[SimulatorRow]]:
    """The rows of each (θ, i, B̂)."""
    return list(collected(((row.distribution, row.record, row.knowledge), row) for row in rows).values())


def _within(p: dict[Label, Fraction], q: dict[Label, Fraction], epsilon: Epsilon, delta: Fraction) -> bool:
    """Σ max(0, p - e^ε·q) ≤ δ."""
    above = [a for a in p if compare(p[a], q.get(a, Fraction(0)), epsilon).settled() is Order.GREATER]
    mass_p, mass_q = (sum((law.get(a, Fraction(0)) for a in above), Fraction(0)) for law in (p, q))
    return compare(mass_p - delta, mass_q, epsilon).settled() is not Order.GREATER


class Proof(NamedTuple):
    """s(Ô | c) by the context; or a row in which Ô is never answered, with a multiplier for each inequality."""

    numbers: tuple[Fraction, ...]
    row: int | None = None

    @property
    def unanswered(self) -> bool:
        """Whether no simulator is enough."""
        return self.row is not None


@dataclass(frozen=True)
class Inference:
    """The game of one output Ô: the linear inequalities that s(Ô | c) ≥ 0 must satisfy; s may be scaled.

    `posteriors[r][a]` is p_a for a row r, one (θ, i, B̂), and `joint[r][a]` the weights of R_a on the contexts.
    """

    posteriors: tuple[tuple[Fraction, ...], ...]
    joint: tuple[tuple[tuple[Fraction, ...], ...], ...]
    _ends: dict[bool, Fraction] = field(default_factory=dict, compare=False, repr=False)
    """By True the smallest E that is known to be enough, by False the largest E below which none is known to be."""

    def answered(self, row: int) -> tuple[Fraction, ...]:
        """The weights of R = Σ_a R_a of a row on the contexts: R is the probability that Sim answers Ô, given s."""
        return tuple(sum(weights, Fraction(0)) for weights in zip(*self.joint[row], strict=True))

    def inequalities(self, E: Fraction) -> list[tuple[Fraction, ...]]:
        """The rows of weights whose sums over s must be at most 0: p_a·R - E·R_a and R_a - E·p_a·R."""
        rows = []
        for r, posterior in enumerate(self.posteriors):
            answered = self.answered(r)
            for p, weights in zip(posterior, self.joint[r], strict=True):
                if p:
                    pairs = list(zip(answered, weights, strict=True))
                    rows += [tuple(p * R - E * R_a for R, R_a in pairs), tuple(R_a - E * p * R for R, R_a in pairs)]
        return rows

    @cached_property
    def enough_for_uniform(self) -> Fraction | None:
        """The smallest E for an s that answers in all contexts alike; None where no s is enough at any E.

        That is where a value that Ô leaves possible, p_a > 0, has no context in which Sim may answer: then R_a = 0, so
        that p_a·R ≤ E·R_a leaves R = 0. Else R_a > 0 for each such value, and E is the largest of p_a·R/R_a and its
        reciprocal.
        """
        ends = [Fraction(1)]
        for r, posterior in enumerate(self.posteriors):
            whole = sum(self.answered(r), Fraction(0))
            for p, weights in zip(posterior, self.joint[r], strict=True):
                if p:
                    imitated = sum(weights, Fraction(0))
                    if not imitated:
                        return None
                    ends += [p * whole / imitated, imitated / (p * whole)]
        return max(ends)

    @cached_property
    def ratios(self) -> tuple[Any, Any]:
        """Matrices N and D: an s that answers in all rows is enough at E where N·s ≤ E·D·s; the smaller of two scales.

        Their rows are R against R_a/p_a and R_a/p_a against R, all over the sum of R.
        """
        from flint import fmpq_mat

        above, below = [], []
        for r, posterior in enumerate(self.posteriors):
            answered = self.answered(r)
            whole = sum(answered, Fraction(0))
            for p, weights in zip(posterior, self.joint[r], strict=True):
                if p:
                    sides = [[fmpq_of(R / whole) for R in answered], [fmpq_of(R_a / (p * whole)) for R_a in weights]]
                    above += sides
                    below += sides[::-1]
        return fmpq_mat(above), fmpq_mat(below)

    def answerable(self, E: Fraction) -> bool:
        """Whether some s keeps all inequalities and answers Ô in every row; a larger E asks less.

        One program says more than that: its point is enough from some E on, and its multipliers exclude all E below
        another one. Both are near where E is near the smallest one that is enough.
        """
        if self._known(E) is None:
            for enough, end in zip((True, False), self._ends_at(E), strict=True):
                if end is not None:
                    better = min if enough else max
                    self._ends[enough] = better(end, self._ends.get(enough, end))
        known = self._known(E)
        return self._is_enough(E) if known is None else known

    def _known(self, E: Fraction) -> bool | None:
        if True in self._ends and self._ends[True] <= E:
            return True
        return False if False in self._ends and self._ends[False] > E else None

    def _ends_at(self, E: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """The smallest E at which one s is enough, and one below which none is, by the best s and multipliers at E.

        They are those of max_i (N - E·D)_i·s, made small over the laws s. For multipliers y ≥ 0 every s that is enough
        at E' has y·(N - E'·D)·s ≤ 0, which no s has where all entries of y·(N - E'·D) are positive.
        """
        from flint import fmpq, fmpq_mat

        above, below = self.ratios
        height, width = above.nrows(), above.ncols()
        excess = (above - below * fmpq_of(E)).tolist()
        most = max(fmpq(0), *(entry for row in excess for entry in row))
        rows: dict[Any, Any] = {
            r: ({"most": fmpq(1)} | {c: entry - most for c, entry in enumerate(row)}, fmpq(0))
            for r, row in enumerate(excess)
        }
        rows["law"] = dict.fromkeys(range(width), fmpq(1)), fmpq(1)
        _, point, prices = LinearProgram([*range(width), "most"], rows).maximise({"most": Fraction(1)})
        s = fmpq_mat(width, 1, [fmpq_of(point[c]) for c in range(width)])
        y = fmpq_mat(1, height, [fmpq_of(prices[r]) for r in range(height)])
        by_point = [(top[0], bottom[0]) for top, bottom in zip((above * s).tolist(), (below * s).tolist(), strict=True)]
        by_prices = list(zip((y * above).tolist()[0], (y * below).tolist()[0], strict=True))
        enough = min(point.values()) >= 0 and all(bottom > 0 for _, bottom in by_point)
        excluded = min(prices.values()) >= 0 and all(top > 0 for top, _ in by_prices)
        return (
            max(fraction_of(top / bottom) for top, bottom in by_point) if enough else None,
            min((fraction_of(top / bottom) for top, bottom in by_prices if bottom > 0), default=None)
            if excluded
            else None,
        )

    def _is_enough(self, E: Fraction) -> bool:
        """Whether for each row some s keeps all inequalities and answers Ô there: then their sum answers in all.

        The best s at E may answer in some rows alone; then this decides.
        """
        return not self.proof(E).unanswered

    def proof(self, E: Fraction) -> Proof:
        """An s that keeps all inequalities and answers Ô in every row; else multipliers that show that none does."""
        rows = self.inequalities(E)
        contexts = range(len(rows[0]))
        whole = dict.fromkeys(contexts, Fraction(1))
        limits: dict[Any, Any] = {r: (dict(enumerate(row)), Fraction(0)) for r, row in enumerate(rows)}
        program = LinearProgram(contexts, {**limits, "law": (whole, Fraction(1))})
        points = []
        for r in range(len(self.posteriors)):
            answered, numbers = self._answer(program, rows, self.answered(r))
            if not answered:
                return Proof(tuple(numbers), r)
            points.append(numbers)
        return Proof(tuple(sum(column, Fraction(0)) for column in zip(*points, strict=True)))

    def _answer(
        self, program: LinearProgram, rows: list[tuple[Fraction, ...]], goal: tuple[Fraction, ...]
    ) -> tuple[bool, list[Fraction]]:
        """Whether R > 0 somewhere; the point, or the multipliers that show that R ≤ 0, are added up again."""
        most, *named = program.maximise(dict(enumerate(goal)))
        point, prices = (list(numbers.values()) for numbers in named)
        if most > 0:
            sums = [sum((x * s for x, s in zip(row, point, strict=True) if s), Fraction(0)) for row in (*rows, goal)]
            proved = min(point) >= 0 and max(sums[:-1]) <= 0 < sums[-1]
        else:
            columns = zip(goal, *rows, strict=True)
            gains = [
                x - sum((y * z for y, z in zip(prices, column, strict=False) if y), Fraction(0))
                for x, *column in columns
            ]
            proved = min(prices) >= 0 and prices[-1] == 0 and max(gains) <= 0
        if not proved:
            raise ArithmeticError("numbers were found that do not add up")
        return (True, point) if most > 0 else (False, prices[:-1])


def games_of(model: Model, reading: str = "default") -> tuple[Inference | None, ...]:
    """The games of a model, each once; None among them where some Ô cannot be answered at any E."""
    return tuple(dict.fromkeys(game for rows in rows_of(model, reading) for game in games(rows)))


def exists_for(listed: Iterable[Inference | None], E: Fraction) -> bool:
    """Whether some simulator wins all games at E."""
    return all(game is not None and game.answerable(E) for game in listed)


@dataclass(frozen=True)
class NamedGame:
    """The game of an output in a part of the rows, each group with one B̂; None where no s(Ô | c) > 0 is left."""

    output: Label
    groups: tuple[list[SimulatorRow], ...]
    contexts: tuple[Context, ...]
    game: Inference | None


def games(rows: Sequence[SimulatorRow]) -> Iterator[Inference | None]:
    """Yield one game for each output and connected part of the rows; None where no s(Ô | c) > 0 is left."""
    yield from (named.game for named in named_games(rows))


def named_games(rows: Sequence[SimulatorRow]) -> Iterator[NamedGame]:
    """Yield the games of `games`, each with its output, its rows and its contexts."""
    groups = _given_knowledge(rows)
    for o in dict.fromkeys(o for row in rows for o in row.law):
        with_output = [group for group in groups if any(o in row.law for row in group)]
        excluded = {c for group in with_output for row in group if o not in row.law for c in row.contexts}
        for part in _connected(with_output, excluded):
            contexts = [
                c for c in dict.fromkeys(c for g in part for row in g for c in row.contexts) if c not in excluded
            ]
            if not contexts:
                yield NamedGame(o, tuple(part), (), None)
                continue
            posteriors, joint = [], []
            for group in part:
                total = sum((row.mass * row.law.get(o, Fraction(0)) for row in group), Fraction(0))
                posteriors.append(tuple(row.mass * row.law.get(o, Fraction(0)) / total for row in group))
                joint.append(
                    tuple(tuple(row.mass * row.contexts.get(c, Fraction(0)) for c in contexts) for row in group)
                )
            yield NamedGame(o, tuple(part), tuple(contexts), Inference(tuple(posteriors), tuple(joint)))


def _connected(groups: Sequence[list[SimulatorRow]], excluded: set[Context]) -> list[list[list[SimulatorRow]]]:
    """The groups in parts that share no context in which Ô can be answered."""
    parts: list[tuple[set[Context], list[list[SimulatorRow]]]] = []
    for group in groups:
        contexts = {c for row in group for c in row.contexts} - excluded
        joined = [part for part in parts if part[0] & contexts]
        parts = [part for part in parts if not part[0] & contexts]
        merged = [each for _, listed in joined for each in listed]
        parts.append((contexts.union(*(known for known, _ in joined)), [*merged, group]))
    return [listed for _, listed in parts]
