"""Deciding a definition that asks for a simulator (DMKB20, Definition 4), and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from verifier.definitions.compared_kinds import SIMULATOR, About, Unlisted
from verifier.definitions.verdict import NO_DELTA, Question, Verdict, Witness
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.numbers import (
    DIGITS,
    INFINITY,
    ZERO,
    Delta,
    Enclosure,
    Epsilon,
    Order,
    exact_text,
    plural,
    root_epsilon,
    simplest,
)
from verifier.simulators import Component, ComponentShape, ContextAnswer, Game, SimulatorProblem, SimulatorRow
from verifier.simulators.independent import independent, supports
from verifier.simulators.simulator_problem import outward
from verifier.simulators.smallest import Number
from verifier.tables import Label


@dataclass(frozen=True)
class Weighted:
    """A test of a mixture with its weight: P(S) - e^ε·Q(S) of an event S of a row; Q(S) - e^ε·P(S) if not `forward`."""

    row: SimulatorRow
    event: tuple[Label, ...]
    forward: bool
    weight: Number | str


@dataclass(frozen=True)
class SimulatorWitness(Witness):
    """A simulator that is enough at `epsilon`, or tests that no simulator passes, or both, which prove each other.

    `value` is what the weighted tests get from every simulator at least. Irrational numbers are polynomials in E = e^ε.
    """

    simulator: tuple[ContextAnswer, ...] | None = None
    tests: tuple[Weighted, ...] = ()
    why: str = ""

    def __repr__(self) -> str:
        evidence = (
            "no simulator" if self.simulator is None else f"simulator for {plural(len(self.simulator), 'context')}"
        )
        return f"<SimulatorWitness {evidence}, {plural(len(self.tests), 'test')} at ε = {self.epsilon.text(24)}>"

    def fields(self) -> dict[str, Any]:
        """The evidence as it stands in an answer."""
        return {
            **super().fields(),
            "simulator": None
            if self.simulator is None
            else [
                {
                    "record": context.context.record,
                    "others": context.others,
                    "distribution": context.context.distribution,
                    "knowledge": context.context.knowledge,
                    "answers": {output.text: chance for output, chance in context.law},
                    **({} if context.members == 1 else {"members": context.members}),
                }
                for context in self.simulator[:MOST_CONTEXTS]
            ],
            "contexts": None if self.simulator is None else sum(context.members for context in self.simulator),
            "tests": [
                {
                    "distribution": test.row.distribution,
                    "knowledge": test.row.knowledge,
                    "record": test.row.record,
                    "a": test.row.a,
                    "event": test.event,
                    "direction": M_AGAINST if test.forward else SIM_AGAINST,
                    "weight": test.weight,
                }
                for test in self.tests
            ],
            "why": self.why or None,
        }


MOST_CONTEXTS = 256
"""How many contexts of a simulator stand in an answer; `contexts` says how many there are."""
NOTHING_IMITATED = "nothing is imitated: every record is absent"
M_AGAINST, SIM_AGAINST = "mechanism against simulator", "simulator against mechanism"


def model_problem(engine: Engine, reading: str) -> SimulatorProblem:
    """The simulator problem of the engine's model (DMKB20, Definition 4) under a reading; made once."""
    make_components = partial(independent, engine, reading) if method_of(engine, reading) == "sum" else None
    if make_components is None:
        engine.admit_table()
    return engine.memo(("simulators", reading), lambda: problem_of(engine, reading, make_components))


def problem_of(
    engine: Engine, reading: str, make_components: Callable[[], Iterable[Component]] | None
) -> SimulatorProblem:
    """A simulator problem that shares the smallest ε of its shapes with the other problems of the model.

    `make_components` makes its components; without it they are made of the model's worlds.
    """
    return SimulatorProblem(engine.model, reading, make_components, engine.memo("simulators of shapes", dict))


def method_of(engine: Engine, reading: str) -> str:
    """How the simulator problem is made: `sum`, from laws of sums, where the model allows it, else `table`."""
    return "sum" if engine.sums and supports(engine.model, reading) else "table"


@dataclass(frozen=True)
class Simulator(Unlisted):
    """One simulator that imitates M(D) in every row, told the other records (DMKB20, Definition 4)."""

    kind = "simulator"
    about = About(SIMULATOR, "θ given B̂ and a value of a record with a simulator that sees the other records")
    imitated = "outputs"
    procedure = "The output of the mechanism against that of one simulator, found by linear programs."

    def decide(self, question: Question) -> Verdict:
        """Decide whether one simulator imitates M(D) in every row (DMKB20, Definition 4); with the smallest ε and δ.

        Raises:
            UnsupportedError: where [sensitive] protects a function of the database.
            LimitError: where the problem is too large.

        """
        engine, epsilon, delta, reading = question.engine, question.epsilon, question.delta, question.reading
        if not engine.model.protects_records:
            raise UnsupportedError(
                f"{question.definition.key} gives the simulator the other records, but [sensitive] protects a function "
                "of the database",
                tip="np, apkdp, ppkdp and acceptability apply",
            )
        problem, answer = model_problem(engine, reading), question.answer
        if not problem.laws:
            return answer("vacuous", NOTHING_IMITATED, NO_DELTA, ZERO)
        part, tight = problem.worst(delta)
        holds: bool | None
        if tight.is_infinite:
            holds = False
        elif epsilon is None or epsilon.is_infinite:
            holds = True
        elif isinstance(tight, Epsilon):
            holds = tight <= epsilon
        else:
            low, high = epsilon.bracket(256)
            holds = True if tight.order(low) is Order.LESS else False if tight.order(high) is Order.GREATER else None
        answer = partial(
            answer,
            comparisons=2 * problem.laws,
            multiplicity=2 * problem.laws,
            method=method_of(engine, reading),
            tight_epsilon=tight,
            _at=partial(smallest_delta, problem),
        )
        if holds is None:
            return answer("undecided", f"the smallest ε lies in {tight}, and is not known better")
        tight_delta = None if epsilon is None else smallest_delta(problem, epsilon)
        if holds:
            return answer("holds", None, tight_delta, _tightest=partial(_enough, problem, part, delta, tight))
        reason, within = None, tight_delta is not None and tight_delta.order(delta) is not Order.GREATER
        if epsilon and epsilon.is_infinite and within:
            reason = "the smallest δ at ε = inf is a limit: no simulator attains it"
        return answer("fails", reason, tight_delta, _witness=partial(_beaten, problem, part, delta, epsilon))


def smallest_delta(problem: SimulatorProblem, epsilon: Epsilon, digits: int = DIGITS) -> Delta | Enclosure:
    """The smallest δ at ε: exact where e^ε is rational or δ does not depend on it there, else enclosed."""
    if epsilon.is_infinite:
        return Delta.of(problem.limit()[1], Fraction(0), epsilon)
    if epsilon.exp is not None:
        return Delta.of(problem.delta(epsilon.exp)[1], Fraction(0), epsilon)
    pure = problem.worst(Fraction(0))[1]
    if isinstance(pure, Epsilon) and pure <= epsilon:
        return Delta.of(Fraction(0), Fraction(0), epsilon)
    precision = 16 + 4 * digits
    while True:
        ends = [problem.delta(max(Fraction(1), E))[1] for E in epsilon.exp_bracket(precision)]
        if ends[0] == ends[1]:
            return Delta.of(ends[0], Fraction(0), epsilon)
        enclosure = outward(ends[1], ends[0], 2 * precision)
        if enclosure.sharp(digits) or precision > 400:
            return enclosure
        precision *= 2


def _witness(epsilon: Epsilon, value: Delta | Enclosure, **more: Any) -> SimulatorWitness:
    return SimulatorWitness("simulator", None, None, None, None, None, None, None, None, epsilon, value, **more)


def _enough(
    problem: SimulatorProblem, part: ComponentShape, bound: Fraction, tight: Epsilon | Enclosure
) -> SimulatorWitness:
    """The simulator at the smallest ε, and the tests that no smaller one passes."""
    known = part.smallest(bound)
    at = tight if isinstance(tight, Epsilon) else root_epsilon(known.E or Fraction(1))
    simulator = tuple(problem.simulator(bound, at))
    tests = tuple(weighted(known.game, known.mixture)) if known.low is None else ()
    return _witness(at, Delta.of(bound, Fraction(0), at), simulator=simulator, tests=tests)


def weighted(game: Game, mixture: Any) -> Iterator[Weighted]:
    """Yield the tests of a mixture with their rows, outputs and weights."""
    component: Component = game.component
    for test, y in mixture:
        event = tuple(o for k in test.event for o, _ in component.outputs[k])
        yield Weighted(component.rows[test.row], event, test.forward, y)


def _beaten(
    problem: SimulatorProblem, part: ComponentShape, bound: Fraction, epsilon: Epsilon | None
) -> SimulatorWitness:
    """Tests that get more than δ from every simulator, at ε or a little above; without ε, at every ε."""
    if epsilon is None or epsilon.is_infinite:
        return _never(part, problem, bound)
    precision = 4
    while True:
        least = epsilon.exp_bracket(64 + precision)[1]
        E = epsilon.exp or simplest(least, least + Fraction(1, 1 << precision), least=True, most=True)
        chosen, value = problem.delta(E)
        if value > bound:
            at = root_epsilon(E)
            play = chosen.at(E)
            tests = tuple(weighted(play.game, play.mixture))
            return _witness(at, Delta.of(value, Fraction(0), at), tests=tests)
        precision *= 2


def _never(part: ComponentShape, problem: SimulatorProblem, bound: Fraction) -> SimulatorWitness:
    limiting, value = problem.limit()
    at, exact = INFINITY, Delta.of(value, Fraction(0), INFINITY)
    if value > bound:
        tests = tuple(weighted(limiting.limit.game, limiting.limit.mixture))
        why = "in these tests the mechanism cannot produce the event, so that ε plays no part"
        return _witness(at, exact, tests=tests, why=why)
    if bound:
        why = (
            "δ is the least probability of outputs that the mechanism cannot produce, as these tests show, and a "
            "simulator that keeps to it may give only answers that are best against them; then some law of the "
            "mechanism has outputs of more than δ that are never given"
        )
        return _witness(at, exact, tests=tuple(weighted(*part.excluding(bound))), why=why)
    return _witness(at, exact, tests=tuple(_unreachable(part)), why=UNREACHABLE)


UNREACHABLE = (
    "the mechanism produces the event of the first test, and in every context there some other law of the mechanism "
    "excludes it, so that the simulator may never answer it"
)


def _unreachable(part: ComponentShape) -> Iterator[Weighted]:
    """A row and an output of it, and for each of its contexts a row that excludes the output."""
    row = part.members[0]
    allowed = [set(outputs) for outputs in row.allowed(pure=True)]
    for r, (law, belief) in enumerate(zip(row.laws, row.beliefs, strict=True)):
        for o, p in enumerate(law):
            classes = [c for c, b in enumerate(belief) if b]
            if p and not any(o in allowed[c] for c in classes):
                event = tuple(label for label, _ in row.outputs[o])
                yield Weighted(row.rows[r], event, True, "1")
                for c in classes:
                    q = next(q for q, law_q in enumerate(row.laws) if row.beliefs[q][c] and not law_q[o])
                    share = belief[c] / row.beliefs[q][c]
                    yield Weighted(row.rows[q], event, False, "E" if share == 1 else f"{exact_text(share)}*E")
                return
