"""The proof of an answer about a simulator of outputs: the simulator that is enough, or tests that none passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from verifier.definitions import Verdict, find
from verifier.definitions.answer import ALL_DIGITS
from verifier.definitions.builders.rows import Setting
from verifier.definitions.centres.centre import Centre, InferredCentre, Problems, problems_of
from verifier.definitions.centres.simulator_ddp import (
    M_AGAINST,
    SIM_AGAINST,
    Weighted,
    model_problem,
    smallest_delta,
    weighted,
)
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.numbers import DIGITS, INFINITY, ZERO, Delta, Enclosure, Epsilon, FieldElement, root_epsilon
from verifier.recheck.texts import known_shown, number_text
from verifier.simulators import Context, ContextAnswer, Play, SimulatorProblem

KEYS = ("enough", "needed", "delta_enough", "delta_needed")
MAX_STEPS = 1 << 16
"""Most (context, output, row) triples of all choices together for which a proof is written."""
Entry = dict[str, Any]
"""A group, one of its choices, an ε, and the simulator or the tests at that ε."""


def _groups(answer: Verdict, engine: Engine) -> list[Problems]:
    """The problems of a definition: for a centre groups of choices, else one alone."""
    centre = find(answer.definition).compare
    if isinstance(centre, Centre):
        return problems_of(Setting(answer.definition, engine.model, engine, answer.reading), centre.centre)
    return [Problems(None, [(0, model_problem(engine, answer.reading))])]


def work(answer: Verdict, engine: Engine) -> int:
    """The work of a check of the proof: in all choices, the number of contexts times outputs times rows."""
    return sum(
        sum(len(contexts) for contexts in member.classes)
        * sum(len(merged) for merged in member.outputs)
        * len(member.rows)
        for group in _groups(answer, engine)
        for _, problem in group.problems
        for shape in problem.shapes
        for member in shape.members
    )


def proof(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """The simulators and the tests that prove the smallest ε and the smallest δ.

    Raises:
        UnsupportedError: where a smallest δ is not separated from the δ of nearby ε.

    """
    entries: dict[str, Any] = dict.fromkeys(KEYS)
    tight = answer.tight_epsilon
    if answer.verdict == "vacuous" or tight is None:
        return entries
    groups = _groups(answer, engine)
    of_epsilon = _Epsilons(answer)
    if not tight.is_infinite:
        entries["enough"] = [of_epsilon.enough(group) for group in groups]
    if not isinstance(tight, Epsilon) or tight != 0:
        worst = max(groups, key=lambda group: min(of_epsilon.size(problem) for _, problem in group.problems))
        entries["needed"] = [of_epsilon.needed(worst, choice, problem) for choice, problem in worst.problems]
    if answer.epsilon is not None and answer.tight_delta is not None:
        of_delta = _Deltas(answer, answer.epsilon, answer.tight_delta)
        entries["delta_enough"] = [of_delta.enough(group) for group in groups]
        if of_delta.least:
            worst = max(groups, key=lambda group: min(of_delta.size(problem) for _, problem in group.problems))
            entries["delta_needed"] = [of_delta.needed(worst, choice, problem) for choice, problem in worst.problems]
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

    def __init__(self, answer: Verdict) -> None:
        self.answer, self.model = answer, answer.model

    def entry(self, group: Problems, choice: Any, at: Epsilon, shown: Entry) -> Entry:
        """An entry; a choice that leaves databases out names them."""
        name = choice if isinstance(choice, int) else [self.model.shown(d) for d in sorted(choice)]
        return {"group": group.group, "choice": name, "at": at.text(ALL_DIGITS), **shown}

    def simulator(self, answers: Iterable[ContextAnswer]) -> Entry:
        """What is told in each context, and the law of the answer."""
        listed = [
            {**told(self.answer, one.context), "answers": {o.text: _number(p) for o, p in one.law}} for one in answers
        ]
        return {"simulator": listed}


class _Epsilons(_Proofs):
    """The smallest ε at a δ."""

    def __init__(self, answer: Verdict) -> None:
        super().__init__(answer)
        self.bound = answer.delta

    def size(self, problem: SimulatorProblem) -> _Size:
        """The smallest ε of a problem, 0 where it has no rows, for comparisons."""
        return _Size(problem.worst(self.bound)[1] if problem.shapes else ZERO)

    def enough(self, group: Problems) -> Entry:
        """The choice that needs least, with its simulator."""
        choice, problem = min(group.problems, key=lambda named: self.size(named[1]))
        if not problem.shapes:
            return self.entry(group, choice, ZERO, self.simulator(()))
        shape, tight = problem.worst(self.bound)
        at = tight if isinstance(tight, Epsilon) else root_epsilon(shape.smallest(self.bound).E or Fraction(1))
        return self.entry(group, choice, at, self.simulator(problem.simulator(self.bound, at)))

    def needed(self, group: Problems, choice: Any, problem: SimulatorProblem) -> Entry:
        """The tests that no smaller ε passes in a choice."""
        shape, tight = problem.worst(self.bound)
        solution = shape.smallest(self.bound)
        if not tight.is_infinite:
            at = tight if isinstance(tight, Epsilon) else root_epsilon(solution.low or Fraction(1))
            return self.entry(group, choice, at, _tests(weighted(solution.game, solution.mixture)))
        limiting, value = problem.limit()
        if value > self.bound:
            return self.entry(group, choice, INFINITY, _tests(weighted(limiting.limit.game, limiting.limit.mixture)))
        mixture = weighted(*shape.excluding(self.bound)) if self.bound else ()
        return self.entry(group, choice, INFINITY, _tests(mixture))


class _Deltas(_Proofs):
    """The smallest δ at an ε."""

    def __init__(self, answer: Verdict, epsilon: Epsilon, tight: Delta | Enclosure) -> None:
        super().__init__(answer)
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
            return self.entry(group, choice, ZERO, self.simulator(()))
        if self.epsilon.is_infinite:
            # where some output is possible in every row, any simulator that may answer is enough in the limit
            plays = [] if all(shape.easy for shape in problem.shapes) else [shape.limit for shape in problem.shapes]
            return self.entry(group, choice, self.epsilon, self.simulator(_answers(problem, plays)))
        if not self.size(problem):
            zero = problem.worst(Fraction(0))[1]
            if isinstance(zero, Epsilon) and zero <= self.epsilon:
                return self.entry(group, choice, zero, self.simulator(problem.simulator(Fraction(0), zero)))
        for low, _ in self._around():
            if problem.delta(low)[1] <= self.most:
                plays = [shape.at(low) for shape in problem.shapes]
                return self.entry(group, choice, root_epsilon(low), self.simulator(_answers(problem, plays)))
        raise UnsupportedError("there is no proof of a smallest δ that is not separated from the δ of smaller ε")

    def needed(self, group: Problems, choice: Any, problem: SimulatorProblem) -> Entry:
        """The tests that no smaller δ passes in a choice."""
        if self.epsilon.is_infinite:
            limit = problem.limit()[0].limit
            return self.entry(group, choice, self.epsilon, _tests(weighted(limit.game, limit.mixture)))
        for _, high in self._around():
            shape, value = problem.delta(high)
            if value >= self.least:
                play = shape.at(high)
                return self.entry(group, choice, root_epsilon(high), _tests(weighted(play.game, play.mixture)))
        raise UnsupportedError("there is no proof of a smallest δ that is not separated from the δ of larger ε")

    def _around(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Rationals around e^ε, ever narrower; e^ε itself where it is rational."""
        if self.epsilon.exp is not None:
            yield self.epsilon.exp, self.epsilon.exp
            return
        for doublings in range(4):
            low, high = self.epsilon.exp_bracket((16 + 4 * DIGITS) << doublings)
            yield max(Fraction(1), low), high


def _answers(problem: SimulatorProblem, plays: Sequence[Play]) -> Iterator[ContextAnswer]:
    """The simulators of plays, one for each shape; without plays none."""
    for shape, play in zip(problem.shapes, plays, strict=False):
        for member in shape.members:
            yield from problem.context_answers(member, play.game, play.simulator, play.E)


def told(answer: Verdict, context: Context) -> Entry:
    """What a simulator is told: one value by a centre; else the other records, with what the reading adds."""
    if isinstance(find(answer.definition).compare, Centre | InferredCentre):
        return {"told": known_shown(context.knowledge)}
    return {
        "record": context.record,
        "others": answer.model.shown(context.others),
        "distribution": context.distribution,
        "knowledge": known_shown(context.knowledge),
    }


def _tests(tests: Iterable[Weighted]) -> Entry:
    """The tests with their weights; tests whose weight is only a name are left out."""
    listed = [
        {
            "distribution": test.row.distribution,
            "knowledge": known_shown(test.row.knowledge),
            "record": test.row.record,
            "a": test.row.a.shown,
            "event": [o.text for o in test.event],
            "direction": M_AGAINST if test.forward else SIM_AGAINST,
            "weight": _number(test.weight),
        }
        for test in tests
        if not isinstance(test.weight, str)
    ]
    return {"tests": listed}


def _number(value: Fraction | FieldElement) -> str:
    """A number, which may be a polynomial in E = e^ε: `1/2 - 1/3*E`."""
    if not isinstance(value, FieldElement):
        return number_text(Fraction(value))
    text = ""
    for k, c in enumerate(value.coefficients):
        if c:
            size = number_text(abs(c))
            term = size if k == 0 else f"{size}*E" if k == 1 else f"{size}*E^{k}"
            text += f" {'-' if c < 0 else '+'} {term}" if text else f"{'-' if c < 0 else ''}{term}"
    return text or "0"
