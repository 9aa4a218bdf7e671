"""What a finder brings: decided by the checkers, shrunk, decided again by naive code, and written as a model file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verifier.engine import Engine
from verifier.expect import compare
from verifier.model import Model, loads
from verifier.numbers import exact_text
from verifier.properties import PROPERTIES as OF_FILES
from verifier.replay import Rejected
from verifier.search.candidate import Candidate
from verifier.search.facts import OPEN, Facts
from verifier.search.file import file_text
from verifier.search.having import every_database
from verifier.search.meaning import Truth, Value, assigned, decide, truth_of, value_text
from verifier.search.plain import Plain, supported
from verifier.search.plain import verdict as plain_verdict
from verifier.search.shrink import renamed, shrunk
from verifier.search.statement import And, Has, Holds, Not, Or, Statement, atoms, implies


@dataclass(frozen=True)
class Question:
    """What is looked for: values of the variables and a model where all of `satisfied` hold and `violated` does not.

    Without `violated` it is a model where all of `satisfied` hold.
    """

    satisfied: tuple[Statement, ...]
    violated: Statement | None = None

    @property
    def claim(self) -> Statement:
        """What the model breaks: all of `satisfied` imply `violated`."""
        target = Or(()) if self.violated is None else self.violated
        if not self.satisfied:
            return target
        return implies(self.satisfied[0] if len(self.satisfied) == 1 else And(self.satisfied), target)

    def __str__(self) -> str:
        parts = [str(one) for one in self.satisfied]
        if self.violated is None:
            return " and ".join(f"({one})" if " " in one else one for one in parts) or "nothing"
        return f"{', '.join(parts)} but not {self.violated}" if parts else f"not {self.violated}"

    @property
    def ordered(self) -> bool:
        """Whether the names of values matter, since a reading asks which stands first."""
        return any(isinstance(one, Holds) and one.reading == "one-order" for one in atoms(self.claim))

    def broken(self, one: Candidate, *, vacuous: bool = False) -> Truth | None:
        """How a model answers the question, or None where it does not: the values, and whether only vacuously."""
        truth = decide(self.claim, one.model())
        return truth if truth.value is False and (vacuous or not truth.vacuous) else None


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
    """Those that the naive code does not know, so that only the checkers (and their replay) have answered."""

    @property
    def text(self) -> str:
        """The model file."""
        return self.model.text


def separation(question: Question, one: Candidate, *, vacuous: bool = False, scope: str = "") -> Separation:
    """Shrink a model that answers the question, check it in two ways, and write it down.

    Raises:
        Rejected: where it does not answer the question, or the two ways differ. Then nothing is shown.

    """
    if question.broken(one, vacuous=vacuous) is None:
        raise Rejected(f"the finder's model does not tell {question} apart")
    small = shrunk(one, lambda other: question.broken(other, vacuous=vacuous) is not None)
    small = renamed(small, ordered=question.ordered)
    truth = question.broken(small, vacuous=vacuous)
    if truth is None:
        raise Rejected("the model with its labels renamed answers otherwise")
    asked = assigned(question.claim, dict(truth.values))
    model, verdicts = _written(question, small, truth, asked, scope)
    naive = Plain(small)
    twice = {atom: plain_verdict(naive, atom) for atom in verdicts if supported(atom)}
    for atom, found in twice.items():
        if found is not None and found != verdicts[atom]:
            raise Rejected(f"{atom}: the checkers say {verdicts[atom]}, the naive code says {found}")
    for counted in (True,) if truth.vacuous else (True, False):
        if truth_of(asked, verdicts, vacuous=counted) is not False:
            raise Rejected(f"the answers on the model file do not tell {question} apart")
    once = tuple(atom for atom in verdicts if twice.get(atom) is None)
    return Separation(question, small, model, truth.values, truth.vacuous, tuple(verdicts.items()), once)


def _written(
    question: Question, one: Candidate, truth: Truth, asked: Statement, scope: str
) -> tuple[Model, dict[Holds | Has, str]]:
    """The model file with its answers, read again, and the verdicts on it, re-checked by the replay."""
    plain = loads(file_text(one, "", "", ()))
    facts = Facts(plain, replay=True)
    verdicts = {atom: facts.verdict(atom) for atom in atoms(asked)}
    unknown = [str(atom) for atom, verdict in verdicts.items() if verdict in OPEN]
    expected = [entry for atom in verdicts for entry in _expected(atom, facts)]
    notes = [f"{atom}: {verdict}." for atom, verdict in verdicts.items() if not _in_file(atom)]
    notes += [f"Not decided: {', '.join(unknown)}."] if unknown else []
    at = ", ".join(f"{name} = {value_text(value)}" for name, value in truth.values)
    where = [f"No smaller model in the scope: {scope}."] if scope else []
    title = str(question) + (f", at {at}" if at else "") + (" (only vacuously)" if truth.vacuous else "")
    text = file_text(one, title, " ".join([*where, *notes]), expected)
    model = loads(text)
    other = one.model()
    same = _laws(model) == _laws(other) and [t.shape for t in model.thetas] == [t.shape for t in other.thetas]
    if not same:
        raise Rejected("the model file is another model")
    wrong = [str(outcome) for outcome in compare(model, Engine(model)) if not outcome.agrees]
    if wrong:
        raise Rejected(f"the model file does not give the answers that it promises: {wrong[0]}")
    return replace(model, path=""), verdicts


def _laws(model: Model) -> list[Any]:
    return [model.mechanism.law(database) for database in every_database(model)]


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
    """A claim `a => b` is broken where a holds and b does not."""
    if claim is None:
        return Question(tuple(satisfies), violates)
    if isinstance(claim, Or) and len(claim.parts) == 2 and isinstance(claim.parts[0], Not):
        return Question((*satisfies, claim.parts[0].of), claim.parts[1])
    return Question(tuple(satisfies), claim)
