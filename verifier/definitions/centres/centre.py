"""Definitions with a simulator, which imitates M(D) but is told only a part of the database (DP22, section 8).

A *problem* is a list of laws with what the simulator is told in each; `verifier.simulators` decides it. Where the
definition offers a choice (an aggregate, databases that may be left out) each choice is a problem, and the least ε
counts; then the worst of what must hold for all (each θ).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from verifier.definitions.builders.events import backgrounds, known_worlds
from verifier.definitions.builders.rows import Setting
from verifier.definitions.centres.simulator_ddp import NOTHING_IMITATED, problem_of, smallest_delta
from verifier.definitions.centres.simulator_ibddp import kept_games, verdict_of_games
from verifier.definitions.compared_kinds import OF_SCHEME, SCHEME, Unlisted
from verifier.definitions.measures.conditions import largest_light_sets
from verifier.definitions.verdict import NO_DELTA, Question, Verdict
from verifier.errors import LimitError
from verifier.model import NOTHING, Database, Model, need_distributions
from verifier.model.policy import Aggregate, others_of
from verifier.numbers import INFINITY, ZERO, Delta, Enclosure, Epsilon, Order
from verifier.numbers.reals import Enclosed, Real, enclosure, extreme, order
from verifier.simulators import Context, SimulatorProblem, SimulatorRow, components
from verifier.simulators.posteriors import games
from verifier.tables import Label, collected, gathered, label

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition

MOST_KEPT = 12
"""Most databases of which all sets are left out in turn."""


class Choices(NamedTuple):
    """The problems of which one must be solved, as pairs (name, rows); `group` is θ where each θ has its own."""

    group: str | None
    rows: Sequence[tuple[Any, Sequence[SimulatorRow]]]


class Problems(NamedTuple):
    """The problems of one `Choices` as pairs (name, simulator problem)."""

    group: str | None
    problems: Sequence[tuple[Any, SimulatorProblem]]


def context(told: Label) -> Context:
    """The context of a simulator that is told one value."""
    return Context((), None, None, told)


def _law(setting: Setting, database: Database) -> dict[Label, Fraction]:
    return setting.engine.memo(("probabilities", database), lambda: _probabilities(setting, database))


def _probabilities(setting: Setting, database: Database) -> dict[Label, Fraction]:
    law = setting.model.mechanism.law(database)
    return {outcome: law.probability(outcome) for outcome in law.outcomes}


def without_a_record(setting: Setting) -> Iterator[Choices]:
    """Yield the problems to imitate M(D) by Sim(agg(D without i)), one for each agg (ZKPr, DP22, Definition 41).

    Record i is there: where it is absent, D without i is no database of one record less. `OTHERS` has what D without i
    is. M runs on the database of the file, in its order, whatever Sim is told.

    Raises:
        UnsupportedError: where `[policy]` has no agg; in the reading in-place for databases of several sizes.

    """
    if setting.reading == IN_PLACE:
        setting.need_indices("knows the place of a record in this reading, and multisets have no places")
    setting.protected()
    aggregates: tuple[Aggregate, ...] = setting.need("agg")
    choices: list[tuple[int, list[SimulatorRow]]] = []
    for number, aggregate in enumerate(aggregates):
        rows = []
        for database in setting.databases():
            for record in removed(setting, database):
                law_told = OTHERS[setting.reading](aggregate, database, record, setting.model)
                contexts = {context(value): p for value, p in law_told.items() if p}
                a = label(setting.model.shown(database))
                rows.append(SimulatorRow("", NOTHING, record, a, _law(setting, database), contexts, Fraction(1)))
        choices.append((number, rows))
    yield Choices(None, choices)


IN_PLACE = "in-place"
OTHERS: dict[str, Callable[[Aggregate, Database, int, Model], dict[Label, Fraction]]] = {
    "default": lambda agg, database, record, model: agg.law_of_others(
        others_of(database, record), model.values, model.size
    ),
    IN_PLACE: lambda agg, database, record, model: agg.law_without(database, record, model.values),
}
"""agg(D without i) by the reading: of the multiset of the other records, or with nothing in the place of record i."""


def removed(setting: Setting, database: Database) -> list[int]:
    """The protected records that a database holds; of a multiset the first of equal ones."""
    records = setting.protected()
    if records is None:
        return [database.index(value) for value in dict.fromkeys(database)]
    return [record for record in sorted(records) if database[record] != setting.policy.absent]


def coupled_rows(setting: Setting) -> list[SimulatorRow]:
    """The laws of M(D) and agg(D) given priv(D) = p and B̂, for all θ and pairs; `record` is the number of the pair."""
    return setting.engine.memo("coupled rows", lambda: _coupled_rows(setting))


def _coupled_rows(setting: Setting) -> list[SimulatorRow]:
    pairs: tuple[tuple[Aggregate, Aggregate], ...] = setting.need("coupled")
    rows, values = [], setting.model.values
    for known in backgrounds(setting):
        for number, (agg, priv) in enumerate(pairs):
            by_value = collected(
                (value, (world.database, weight))
                for world, weight in known.worlds
                for value in priv.law(world.database, values)
            )
            whole = sum(weight for _, weight in known.worlds)
            for value, worlds in by_value.items():
                mass = Fraction(sum(weight for _, weight in worlds))
                told = gathered(
                    (context(value_told), p * weight / mass)
                    for database, weight in worlds
                    for value_told, p in agg.law(database, values).items()
                )
                law = gathered(
                    (output, p * weight / mass)
                    for database, weight in worlds
                    for output, p in _law(setting, database).items()
                )
                knowledge = NOTHING if known.knowledge is None else known.knowledge
                contexts = {key: p for key, p in told.items() if p}
                rows.append(SimulatorRow(known.theta.name, knowledge, number, value, law, contexts, mass / whole))
    return rows


def coupled_worlds(setting: Setting) -> Iterator[Choices]:
    """Yield the problem to imitate M(D) by Sim(agg(D)), given priv(D) = p, for all θ (CWPr, DP22, Definition 42)."""
    yield Choices(None, [(0, coupled_rows(setting))])


def typical(setting: Setting) -> Iterator[Choices]:
    """Yield for each θ the problems to imitate M(D) by one law, but for databases of mass at most γ (TypSt, DP22).

    This is DP22, Definition 44: each largest set of databases that may be left out gives one problem.

    Raises:
        LimitError: for more than `MOST_KEPT` databases.

    """
    need_distributions(setting.model, "this definition")
    gamma: Fraction = setting.need("gamma")
    contexts = {context(NOTHING): Fraction(1)}
    for theta in setting.model.distributions:
        masses = gathered((world.database, weight) for world, _, weight in known_worlds(theta))
        if len(masses) > MOST_KEPT and gamma:
            raise LimitError(
                f"{setting.key} leaves out all sets of {len(masses)} databases in turn", wanted=f"at most {MOST_KEPT}"
            )
        rows = {
            database: SimulatorRow(
                theta.name,
                NOTHING,
                0,
                label(setting.model.shown(database)),
                _law(setting, database),
                contexts,
                Fraction(1),
            )
            for database in masses
        }
        light = largest_light_sets(masses, gamma * sum(masses.values()))
        yield Choices(theta.name, [(left_out, [rows[d] for d in masses if d not in left_out]) for left_out in light])


PROBLEMS: dict[str, Callable[[Setting], Iterator[Choices]]] = {
    "without-a-record": without_a_record,
    "coupled-worlds": coupled_worlds,
    "typical": typical,
}
"""The builders of problems, by the names of `centre` in entries."""


class Imitated(Unlisted):
    """What DP22's definitions ask of a simulator, which reads `[policy]`."""

    kind = SCHEME
    about = OF_SCHEME
    reads_policy = True
    procedure = "The output of the mechanism against that of a simulator, found by linear programs."

    def restricted_by_secrets(self, model: Model) -> bool:  # noqa: ARG002
        """Functions of the database say what is private, if anything is: `[sensitive]` plays no part."""
        return False

    def fits(self, definition: Definition, model: Model) -> None:
        """Refuse no model: what lists the problems refuses what it cannot read."""


@dataclass(frozen=True)
class Centre(Imitated):
    """The procedure for a definition that asks for a simulator of outputs; `centre` says what the simulator is told."""

    centre: str
    imitated = "outputs"

    def restricted_by_secrets(self, model: Model) -> bool:
        """Whether records are removed from the database, those that are protected."""
        return model.protects_records and self.centre == "without-a-record"

    def decide(self, question: Question) -> Verdict:
        """Decide a definition with this centre: the smallest ε is the largest over groups of the least over choices."""
        epsilon, delta, answer = question.epsilon, question.delta, question.answer
        listed = problems_of(_setting(question), self.centre)
        groups = [[problem for _, problem in choices.problems] for choices in listed]
        laws = sum(2 * problem.laws for choices in groups for problem in choices)
        if not laws:
            return answer("vacuous", NOTHING_IMITATED, NO_DELTA, ZERO)
        answer = partial(answer, comparisons=laws, multiplicity=laws)
        least = [extreme([_tight(problem, delta) for problem in choices], order, Order.LESS) for choices in groups]
        tight = extreme(least, order, Order.GREATER)
        smallest = enclosure(tight)
        if isinstance(smallest, Enclosure):
            answer = partial(answer, method="enclosure")
        against = order(tight, INFINITY if epsilon is None else epsilon)
        if against is Order.UNDECIDED:
            return answer("undecided", f"the smallest ε lies in {smallest}, and is not known better", None, smallest)
        tight_delta = None if epsilon is None else _worst_delta(groups, epsilon)
        if against is Order.GREATER or order(tight, INFINITY) is not Order.LESS:
            return answer("fails", "no simulator is enough", tight_delta, smallest)
        return answer("holds", None, tight_delta, smallest)


@dataclass(frozen=True)
class InferredCentre(Imitated):
    """The procedure for IBCWPr at δ = 0: a simulator after whose answer the posteriors of priv(D) are within e^ε."""

    imitated = "beliefs"
    procedure = "The belief about priv(D) after the mechanism's output against that after a simulator's."

    def decide(self, question: Question) -> Verdict:
        """Decide by the games of IBDDP, one for each output; the smallest ε is enclosed."""
        listed = kept_games(question.engine, games(coupled_rows(_setting(question))))
        return verdict_of_games(question.answer, listed, question.epsilon, question.delta)


def _setting(question: Question) -> Setting:
    return Setting(question.definition.key, question.engine.model, question.engine, question.reading)


def problems_of(setting: Setting, centre: str) -> list[Problems]:
    """The problems of a centre, group by group, for the setting's model; made once."""
    return setting.engine.memo(
        ("problems of a centre", centre, setting.reading), lambda: list(_problems_of(setting, centre))
    )


def _problems_of(setting: Setting, centre: str) -> Iterator[Problems]:
    for group, choices in PROBLEMS[centre](setting):
        yield Problems(group, [(name, _problem(setting, rows)) for name, rows in choices])


def _problem(setting: Setting, rows: Sequence[SimulatorRow]) -> SimulatorProblem:
    return problem_of(setting.engine, setting.reading, lambda: components(rows) if rows else ())


def _tight(problem: SimulatorProblem, delta: Fraction) -> Real:
    """The smallest ε of one problem."""
    if not problem.shapes:
        return ZERO
    value = problem.worst(delta)[1]
    if isinstance(value, Epsilon):
        return value
    ends = value.low.value, value.high.value
    return Enclosed(lambda _precision: ends)


def _worst_delta(groups: Sequence[Sequence[SimulatorProblem]], epsilon: Epsilon) -> Delta | Enclosure | None:
    """The smallest δ at ε: the worst of the least of each choice; None where several are only enclosed."""
    listed = [[smallest_delta(problem, epsilon) for problem in choices if problem.shapes] for choices in groups]
    if len(listed) == 1 and len(listed[0]) == 1:
        return listed[0][0]
    exact = [[value for value in values if isinstance(value, Delta)] for values in listed]
    if [len(values) for values in exact] != [len(choices) for choices in groups]:
        return None
    least = [min(values, key=_value) for values in exact]
    return max(least, key=_value)


def _value(delta: Delta) -> Fraction:
    """A δ of a simulator, which is rational.

    Raises:
        ArithmeticError: where it is not.

    """
    if delta.b:
        raise ArithmeticError("a smallest δ of a simulator depends on e^ε")
    return delta.a
