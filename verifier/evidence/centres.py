"""The evidence of an answer about a simulated centre (DP22, section 8), choice by choice, for the checker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from verifier.definitions.builders.rows import Setting
from verifier.definitions.centres.centre import Centre, Problems, problems_of
from verifier.definitions.centres.simulator_ddp import smallest_delta, weighted
from verifier.definitions.registry import find
from verifier.definitions.verdict import Verdict
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.evidence.simulators import ALL_DIGITS, number, tests
from verifier.evidence.texts import database_texts
from verifier.numbers import DIGITS, INFINITY, ZERO, Delta, Enclosure, Epsilon, root_epsilon
from verifier.simulators import ContextAnswer, Play, SimulatorProblem

KEYS = ("enough", "needed", "delta_enough", "delta_needed")
MAX_STEPS = 1 << 16
"""Most (context, output, row) triples of all choices together that are re-checked by default."""
Entry = list[Any]
"""A group, one of its choices, an ε, and the simulator or the tests at that ε."""


def work(answer: Verdict, engine: Engine) -> int:
    """The work of the re-check: in all choices, the number of contexts times outputs times rows."""
    return sum(
        sum(len(contexts) for contexts in member.classes)
        * sum(len(merged) for merged in member.outputs)
        * len(member.rows)
        for group in _groups(answer, engine)
        for _, problem in group.problems
        for shape in problem.shapes
        for member in shape.members
    )


def _groups(answer: Verdict, engine: Engine) -> list[Problems]:
    centre = find(answer.definition).compare
    if not isinstance(centre, Centre):
        raise TypeError(f"{answer.definition} asks for no simulator of outputs")
    return problems_of(Setting(answer.definition, engine.model, engine, answer.reading), centre.centre)


def evidence(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """The simulators and the tests that prove the smallest ε and the smallest δ.

    Raises:
        UnsupportedError: where a smallest δ is not separated from the δ of nearby ε.

    """
    entries: dict[str, Any] = dict.fromkeys(KEYS)
    tight = answer.tight_epsilon
    if answer.verdict == "vacuous" or tight is None:
        return entries
    groups = _groups(answer, engine)
    proofs = _Epsilons(engine, answer.delta)
    if not tight.is_infinite:
        entries["enough"] = [proofs.enough(group) for group in groups]
    if not isinstance(tight, Epsilon) or tight != 0:
        worst = max(groups, key=lambda group: min(proofs.size(problem) for _, problem in group.problems))
        entries["needed"] = [proofs.needed(worst, choice, problem) for choice, problem in worst.problems]
    if answer.epsilon is not None and answer.tight_delta is not None:
        deltas = _Deltas(engine, answer.epsilon, answer.tight_delta)
        entries["delta_enough"] = [deltas.enough(group) for group in groups]
        if deltas.least:
            worst = max(groups, key=lambda group: min(deltas.size(problem) for _, problem in group.problems))
            entries["delta_needed"] = [deltas.needed(worst, choice, problem) for choice, problem in worst.problems]
    return entries


class _Size:
    """A smallest ε of one problem, for comparisons: exact ones are compared exactly, enclosed ones by an upper end."""

    def __init__(self, value: Epsilon | Enclosure) -> None:
        self.value = value

    def __lt__(self, other: _Size) -> bool:
        x, y = self.value, other.value
        if isinstance(x, Epsilon) and isinstance(y, Epsilon):
            return x < y
        if x.is_infinite or y.is_infinite:
            return not x.is_infinite
        return _upper(x) < _upper(y)


def _upper(value: Epsilon | Enclosure) -> Fraction:
    return value.bracket(256)[1] if isinstance(value, Epsilon) else value.high.value


class _Proofs:
    """What is shown of each choice of a group."""

    def __init__(self, engine: Engine) -> None:
        self.model = engine.model

    def entry(self, group: Problems, choice: Any, at: Epsilon, shown: Any) -> Entry:
        """An entry; databases that are left out are written as they stand in the tables."""
        name = choice if isinstance(choice, int) else [database_texts(self.model, d) for d in sorted(choice)]
        return [group.group, name, at.text(ALL_DIGITS), shown]


class _Epsilons(_Proofs):
    """The smallest ε at a δ."""

    def __init__(self, engine: Engine, bound: Fraction) -> None:
        super().__init__(engine)
        self.bound = bound

    def size(self, problem: SimulatorProblem) -> _Size:
        """The smallest ε of a problem, 0 where it has no rows, for comparisons."""
        return _Size(problem.worst(self.bound)[1] if problem.shapes else ZERO)

    def enough(self, group: Problems) -> Entry:
        """The choice that needs least, with its simulator."""
        choice, problem = min(group.problems, key=lambda named: self.size(named[1]))
        if not problem.shapes:
            return self.entry(group, choice, ZERO, [])
        shape, tight = problem.worst(self.bound)
        at = tight if isinstance(tight, Epsilon) else root_epsilon(shape.smallest(self.bound).E or Fraction(1))
        return self.entry(group, choice, at, _simulator(problem.simulator(self.bound, at)))

    def needed(self, group: Problems, choice: Any, problem: SimulatorProblem) -> Entry:
        """The tests that no smaller ε passes in a choice."""
        shape, tight = problem.worst(self.bound)
        solution = shape.smallest(self.bound)
        if not tight.is_infinite:
            at = tight if isinstance(tight, Epsilon) else root_epsilon(solution.low or Fraction(1))
            return self.entry(group, choice, at, tests(weighted(solution.game, solution.mixture)))
        if not self.bound:
            return self.entry(group, choice, INFINITY, [])
        limiting, value = problem.limit()
        mixture = weighted(limiting.limit.game, limiting.limit.mixture)
        if value <= self.bound:
            mixture = weighted(*shape.excluding(self.bound))
        return self.entry(group, choice, INFINITY, tests(mixture))


class _Deltas(_Proofs):
    """The smallest δ at an ε."""

    def __init__(self, engine: Engine, epsilon: Epsilon, tight: Delta | Enclosure) -> None:
        super().__init__(engine)
        self.epsilon, self.tight = epsilon, tight
        self.least, self.most = (
            (tight.low.value, tight.high.value) if isinstance(tight, Enclosure) else (tight.a, tight.a)
        )

    def size(self, problem: SimulatorProblem) -> Fraction:
        """The smallest δ of a problem, or the upper end of what encloses it."""
        if not problem.shapes:
            return Fraction(0)
        value = smallest_delta(problem, self.epsilon)
        return value.high.value if isinstance(value, Enclosure) else value.a

    def enough(self, group: Problems) -> Entry:
        """The choice that needs least, with its simulator."""
        choice, problem = min(group.problems, key=lambda named: self.size(named[1]))
        if not problem.shapes:
            return self.entry(group, choice, ZERO, [])
        if self.epsilon.is_infinite:
            plays = [shape.limit for shape in problem.shapes]
            return self.entry(group, choice, self.epsilon, _simulator(_answers(problem, plays)))
        if not self.size(problem):
            zero = problem.worst(Fraction(0))[1]
            if isinstance(zero, Epsilon) and zero <= self.epsilon:
                return self.entry(group, choice, zero, _simulator(problem.simulator(Fraction(0), zero)))
        for low, _ in self._around():
            if problem.delta(low)[1] <= self.most:
                plays = [shape.at(low) for shape in problem.shapes]
                return self.entry(group, choice, root_epsilon(low), _simulator(_answers(problem, plays)))
        raise UnsupportedError("a smallest δ has no certificate: it is not separated from the δ of smaller ε")

    def needed(self, group: Problems, choice: Any, problem: SimulatorProblem) -> Entry:
        """The tests that no smaller δ passes in a choice."""
        if self.epsilon.is_infinite:
            limit = problem.limit()[0].limit
            return self.entry(group, choice, self.epsilon, tests(weighted(limit.game, limit.mixture)))
        for _, high in self._around():
            shape, value = problem.delta(high)
            if value >= self.least:
                play = shape.at(high)
                return self.entry(group, choice, root_epsilon(high), tests(weighted(play.game, play.mixture)))
        raise UnsupportedError("a smallest δ has no certificate: it is not separated from the δ of larger ε")

    def _around(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Rationals around e^ε, ever narrower; e^ε itself where it is rational."""
        if self.epsilon.exp is not None:
            yield self.epsilon.exp, self.epsilon.exp
            return
        for doublings in range(4):
            low, high = self.epsilon.exp_bracket((16 + 4 * DIGITS) << doublings)
            yield max(Fraction(1), low), high


def _answers(problem: SimulatorProblem, plays: Sequence[Play]) -> Iterator[ContextAnswer]:
    """The simulators of plays, one for each shape."""
    for shape, play in zip(problem.shapes, plays, strict=True):
        for member in shape.members:
            yield from problem.context_answers(member, play.game, play.simulator, play.E)


def _simulator(answers: Iterable[ContextAnswer]) -> list[Any]:
    """What is told, by its text, and the law of the answer."""
    return [
        [
            "" if answer.context.knowledge is None else answer.context.knowledge.text,
            {o.text: number(p) for o, p in answer.law},
        ]
        for answer in answers
    ]
