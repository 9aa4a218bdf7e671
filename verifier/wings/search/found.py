"""What a finder brings: decided by the checkers, shrunk, decided again by the replay, and written as a model file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.engine import Engine
from verifier.model import Model, loads
from verifier.numbers import exact_text
from verifier.questions.expect import compare
from verifier.questions.properties import PROPERTIES as OF_FILES
from verifier.questions.statement import And, Has, Holds, Not, Or, Statement, atoms, implies
from verifier.replay.answers import Rejected
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.facts import OPEN, Facts
from verifier.wings.search.file import file_text
from verifier.wings.search.meaning import Truth, Value, assigned, decide, truth_of, value_text
from verifier.wings.search.orbits import Symmetry
from verifier.wings.search.recheck import tables_of
from verifier.wings.search.recheck import verdict as rechecked
from verifier.wings.search.scope import Scope
from verifier.wings.search.shards import Question as Searched
from verifier.wings.search.shrink import renamed, shrunk


@dataclass(frozen=True)
class Question:
    """What is looked for: values of the variables and a model where all of `satisfied` hold and `violated` does not.

    Without `violated` it is a model where all of `satisfied` hold, for all values of their variables.
    """

    satisfied: tuple[Statement, ...]
    violated: Statement | None = None

    @property
    def claim(self) -> Statement:
        """What a wanted model breaks: all of `satisfied` imply `violated`; without `violated` what it satisfies."""
        given = self.satisfied[0] if len(self.satisfied) == 1 else And(self.satisfied)
        if self.violated is None:
            return given
        return implies(given, self.violated) if self.satisfied else self.violated

    def __str__(self) -> str:
        hold = ", ".join(map(_closed, self.satisfied))
        if self.violated is None:
            return hold
        return f"{hold} but not {_closed(self.violated)}" if hold else f"not {_closed(self.violated)}"

    def symmetry(self, scope: Scope) -> Symmetry:
        """Which renamings change no answer."""
        return Searched(self.satisfied, self.violated, scope).symmetry

    def answered(self, one: Model, *, vacuous: bool = False, facts: Facts | None = None) -> Truth | None:
        """How a model answers the question, or None where it does not: the values, and whether only vacuously."""
        truth = decide(self.claim, one, facts=facts)
        wanted = truth.value is (self.violated is None)
        return truth if wanted and (vacuous or not truth.vacuous) else None


def _closed(one: Statement) -> str:
    return f"({one})" if isinstance(one, And | Or) else str(one)


@dataclass(frozen=True)
class Separation:
    """A model that answers the question, checked twice, with the values of the variables."""

    question: Question
    candidate: Candidate
    model: Model
    values: tuple[tuple[str, Value], ...]
    vacuous: bool
    verdicts: tuple[tuple[Holds | Has, str], ...]
    """Every definition and property of the question at these values, and its verdict."""
    once: tuple[Holds | Has, ...] = ()
    """Those that the last check does not know, so that only the checkers have answered."""

    @property
    def text(self) -> str:
        """The model file."""
        return self.model.text


def separation(question: Question, one: Candidate, scope: Scope, *, vacuous: bool = False, first: bool) -> Separation:
    """Shrink a model that answers the question, check it in two ways, and write it down.

    `first` says that it is the first of the scope, which the file then repeats.

    Raises:
        Rejected: where it does not answer the question, or the two ways differ. Then nothing is shown.

    """
    symmetry = question.symmetry(scope)

    def answers(other: Candidate) -> bool:
        return question.answered(other.model(), vacuous=vacuous) is not None

    if not answers(one):
        raise Rejected(f"the finder's model does not answer: {question}")
    small = renamed(shrunk(one, answers), symmetry)
    facts = Facts(loads(file_text(small, "", "", ())), replay=True)
    truth = question.answered(facts.model, vacuous=vacuous, facts=facts)
    if truth is None:
        raise Rejected("the model with its labels renamed answers otherwise")
    asked = assigned(question.claim, dict(truth.values)) if truth.values else question.claim
    verdicts = {atom: facts.verdict(atom) for atom in atoms(asked) if isinstance(atom, Has) or not atom.variables}
    tables = tables_of(small)
    twice = {atom: rechecked(tables, atom) for atom in verdicts}
    for atom, again in twice.items():
        if again is not None and again != verdicts[atom]:
            raise Rejected(f"{atom}: the checkers say {verdicts[atom]}, the replay says {again}")
    if question.violated is not None:
        for counted in (True,) if truth.vacuous else (True, False):
            if truth_of(asked, verdicts, vacuous=counted) is not False:
                raise Rejected(f"the answers on the model file do not tell {question} apart")
    model = _written(question, small, truth, facts, tuple(verdicts), str(scope) if first else "")
    once = tuple(atom for atom in atoms(asked) if twice.get(atom) is None)
    return Separation(question, small, model, truth.values, truth.vacuous, tuple(verdicts.items()), once)


def _written(
    question: Question, one: Candidate, truth: Truth, facts: Facts, asked: Sequence[Holds | Has], scope: str
) -> Model:
    """The model file with its answers, read again: it must be the same model, and give these answers."""
    notes = [f"No smaller model in the scope: {scope}."] if scope else []
    notes += [f"{atom}: {facts.verdict(atom)}." for atom in asked if not _in_file(atom) or facts.verdict(atom) in OPEN]
    at = ", ".join(f"{name} = {value_text(value)}" for name, value in truth.values)
    title = str(question) + (f", at {at}" if at else "") + (" (only vacuously)" if truth.vacuous else "")
    model = loads(file_text(one, title, " ".join(notes), [entry for atom in asked for entry in _expected(atom, facts)]))
    other = one.model()
    if _laws(model) != _laws(other) or [t.shape for t in model.thetas] != [t.shape for t in other.thetas]:
        raise Rejected("the model file is another model")
    wrong = [str(outcome) for outcome in compare(model, Engine(model)) if not outcome.agrees]
    if wrong:
        raise Rejected(f"the model file does not give the answers that it promises: {wrong[0]}")
    return model


def _laws(model: Model) -> list[Any]:
    return [model.mechanism.law(database) for database in model.mechanism.all_databases()]


def _in_file(atom: Holds | Has) -> bool:
    """Whether `[[expect]]` can ask it."""
    return not atom.on if isinstance(atom, Holds) else atom.name == "acceptable" or atom.name in OF_FILES


def _expected(atom: Holds | Has, facts: Facts) -> Iterable[Mapping[str, Any]]:
    """The entry of a model file: the question at its constants, the verdict and the tightest values."""
    if not _in_file(atom) or facts.verdict(atom) in OPEN:
        return
    if isinstance(atom, Has):
        verdict = facts.verdict(atom)
        yield {
            "definition": atom.name,
            **({"acceptable": verdict == "holds"} if atom.name == "acceptable" else {"verdict": verdict}),
        }
        return
    answer = next(iter(facts.answers(atom)))
    entry: dict[str, Any] = {"definition": atom.definition}
    if atom.reading != "default":
        entry["reading"] = atom.reading
    if answer.epsilon is not None:
        entry["epsilon"] = answer.epsilon.text(10**6)
    if answer.delta:
        entry["delta"] = exact_text(answer.delta, 10**6)
    entry["verdict"] = answer.verdict
    for key in ("tight_delta", "tight_epsilon"):
        value = getattr(answer, key)
        if value is not None:
            entry[key] = value.text(10**6)
    yield entry


def question_of(satisfies: Sequence[Statement], violates: Statement | None, claim: Statement | None) -> Question:
    """A claim `a and b => c` is broken where a and b hold and c does not."""
    if claim is None:
        return Question(tuple(satisfies), violates)
    given, target = list(satisfies), claim
    while isinstance(target, Or) and len(target.parts) == 2 and isinstance(target.parts[0], Not):
        premise, target = target.parts[0].of, target.parts[1]
        given += premise.parts if isinstance(premise, And) and " iff " not in str(premise) else [premise]
    return Question(tuple(given), target)
