"""From a candidate to a model file: decided by the checkers, shrunk, decided again by the replay, and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.checker import Rejected
from verifier.engine import Engine
from verifier.evidence.rejected import rechecking
from verifier.model import Model, loads
from verifier.numbers import exact_text
from verifier.questions.expect import compare
from verifier.questions.properties import PROPERTIES as OF_FILES
from verifier.questions.statement import Has, Holds, atoms
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.facts import OPEN, Facts
from verifier.wings.search.file import file_text
from verifier.wings.search.meaning import Truth, Value, assigned, truth_of, value_text
from verifier.wings.search.policies import absent_value
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.recheck import tables_of
from verifier.wings.search.recheck import verdict as rechecked
from verifier.wings.search.shrink import renamed, shrunk


@dataclass(frozen=True)
class Separation:
    """A model that answers the question, decided by the checkers and the replay, with the values of the variables."""

    question: SearchQuestion
    candidate: Candidate
    model: Model
    values: tuple[tuple[str, Value], ...]
    vacuous: bool
    verdicts: tuple[tuple[Holds | Has, str], ...]
    """Every definition and property of the question at these values, and its verdict."""
    once: tuple[Holds | Has, ...] = ()
    """The definitions and properties that the replay does not know, so that only the checkers have answered."""

    @property
    def text(self) -> str:
        """The text of the model file."""
        return self.model.text


@rechecking()
def separation(question: SearchQuestion, candidate: Candidate, *, first: bool) -> Separation:
    """Shrink a model that answers the question, check it in two ways, and write it down.

    `first` says that no model of the scope is smaller; the file then says so, too.

    Raises:
        RejectedError: for a model that does not answer the question, or on which the two ways differ.

    """
    if not question.is_wanted(candidate):
        raise Rejected(f"the finder's model does not answer: {question}")
    small = renamed(shrunk(candidate, lambda smaller: bool(question.is_wanted(smaller))), question.symmetry)
    facts = Facts(loads(file_text(small, "", "", (), question.policy)), replay=True)
    truth = question.answered(facts.model, facts)
    if truth is None:
        raise Rejected("the model with its labels renamed answers otherwise")
    instance = assigned(question.claim, dict(truth.values)) if truth.values else question.claim
    verdicts = {atom: facts.verdict(atom) for atom in atoms(instance) if isinstance(atom, Has) or not atom.variables}
    tables = tables_of(small, absent_value(question.policy))
    twice = {atom: rechecked(tables, atom) for atom in verdicts}
    for atom, again in twice.items():
        if again is not None and again != verdicts[atom]:
            raise Rejected(f"{atom}: the checkers say {verdicts[atom]}, the replay says {again}")
    if question.violated is not None:
        for counted in (True,) if truth.vacuous else (True, False):
            if truth_of(instance, verdicts, vacuous=counted) is not False:
                raise Rejected(f"the answers on the model file do not tell {question} apart")
    model = _written(question, small, truth, facts, tuple(verdicts), str(question.scope) if first else "")
    once = tuple(atom for atom in atoms(instance) if twice.get(atom) is None)
    return Separation(question, small, model, truth.values, truth.vacuous, tuple(verdicts.items()), once)


def _written(
    question: SearchQuestion,
    candidate: Candidate,
    truth: Truth,
    facts: Facts,
    listed: Sequence[Holds | Has],
    scope: str,
) -> Model:
    """The model of the file with its answers, read again: it must be the same model, and give these answers."""
    notes = [f"No smaller model in the scope: {scope}."] if scope else []
    if scope and (finer := question.scope.beyond(candidate)):
        notes.append(f"This model was simplified after it was found, and is not in the scope: {finer}.")
    notes += [f"{atom}: {facts.verdict(atom)}." for atom in listed if not _in_file(atom) or facts.verdict(atom) in OPEN]
    at = ", ".join(f"{name} = {value_text(value)}" for name, value in truth.values)
    title = str(question) + (f", at {at}" if at else "") + (" (only vacuously)" if truth.vacuous else "")
    model = loads(
        file_text(
            candidate,
            title,
            " ".join(notes),
            [entry for atom in listed for entry in _expected(atom, facts)],
            question.policy,
        )
    )
    original = candidate.model()
    if _laws(model) != _laws(original) or [t.shape for t in model.thetas] != [t.shape for t in original.thetas]:
        raise Rejected("the model file is another model")
    wrong = [str(outcome) for outcome in compare(model, Engine(model)) if not outcome.agrees]
    if wrong:
        raise Rejected(f"the model file does not give the answers that it promises: {wrong[0]}")
    return model


def _laws(model: Model) -> list[Any]:
    return [model.mechanism.law(database) for database in model.mechanism.all_databases()]


def _in_file(atom: Holds | Has) -> bool:
    """Whether an `[[expect]]` entry of a model file can ask an atom."""
    return not atom.on if isinstance(atom, Holds) else atom.name == "acceptable" or atom.name in OF_FILES


def _expected(atom: Holds | Has, facts: Facts) -> Iterable[Mapping[str, Any]]:
    """The `[[expect]]` entry of an atom: the question at its constants, the verdict and the tightest values."""
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
