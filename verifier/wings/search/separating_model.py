"""From a candidate to a model file: decided by the checkers, shrunk, decided again by the checker, and written.

A model is shrunk step by step while it still tells the statements apart. Each step removes or merges labels, or rounds
weights to a smaller denominator; of all steps the one to the smallest model is tried first. So the same model is shrunk
to the same one everywhere. Last the checker decides the model again, from its integers: nothing is read from the model
that the engines were asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd
from typing import Any

from verifier.checker import statements
from verifier.checker.numbers import BeyondLimits, Rejected, Unsupported
from verifier.checker.numbers import Law as CheckerLaw
from verifier.checker.scopes import model_of
from verifier.engine import Engine
from verifier.model import Model, loads
from verifier.numbers import exact_text
from verifier.questions.expect import compare
from verifier.questions.properties import PROPERTIES as OF_FILES
from verifier.questions.statement import Has, Holds, atoms
from verifier.recheck import rechecking
from verifier.wings.search.atom_verdicts import OPEN, Facts
from verifier.wings.search.candidate import Candidate, output_names
from verifier.wings.search.file import file_text
from verifier.wings.search.orbits import FULL, Symmetry, database_renamings
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.statement_truth import Truth, Value, assigned, truth_of, value_text


def rechecked(candidate: Candidate, atom: Holds | Has, policy: str = "") -> str | None:
    """The checker's verdict on an atom without variables, from the integers of a model; None where it cannot tell.

    >>> coin = Candidate(1, 2, 2, 1, 2, 4, (1, 1), ((3, 1), (1, 3)))
    >>> from verifier.questions.language import statement
    >>> [rechecked(coin, statement(text)) for text in ("np(ln(3))", "np(ln(2))", "twice(np(ln(3)))", "ddp(ln(3))")]
    ['holds', 'fails', 'fails', None]
    """
    values, names = list(map(str, range(candidate.values))), output_names(candidate.outputs)
    databases = list(product(values, repeat=candidate.records))
    rows = zip(databases, candidate.mechanism, strict=True)
    laws = {d: CheckerLaw(dict(zip(names, row, strict=True)), candidate.row_total) for d, row in rows}
    grid = {"weights": candidate.law_total, "first_only": candidate.first_only}
    try:
        model = model_of(candidate.records, values, databases, candidate.law, grid, policy)
        return statements.verdict(statements.Case(model, laws), str(atom))
    except (statements.Undecided, BeyondLimits, Unsupported):
        return None


Weights = tuple[int, ...]
MAX_STEPS = 200
"""Largest number of steps; each makes the model smaller, so that there is an end anyway."""


def shrunk(candidate: Candidate, breaks: Callable[[Candidate], bool]) -> Candidate:
    """The model that greedy steps reach, each to the smallest model that `breaks` accepts.

    >>> large = Candidate(1, 3, 2, 1, 6, 4, (2, 2, 2), ((4, 0), (0, 4), (2, 2)))
    >>> shrunk(large, lambda model: len(set(model.mechanism)) > 1).mechanism
    ((1, 0), (0, 1))
    """
    best = tidy(candidate)
    for _ in range(MAX_STEPS):
        smaller = {tidy(model) for model in steps(best)}
        ordered = sorted((model for model in smaller if model.size < best.size), key=lambda model: model.size)
        better = next((model for model in ordered if breaks(model)), None)
        if better is None:
            return best
        best = better
    return best


def tidy(candidate: Candidate) -> Candidate:
    """The same model without unused outputs and impossible knowledge values, over the smallest denominators."""
    rows = candidate.mechanism
    used = [o for o in range(candidate.outputs) if any(row[o] for row in rows)]
    known = [b for b in range(candidate.knowledge) if any(candidate.law[b :: candidate.knowledge])]
    rows = tuple(tuple(row[o] for o in used) for row in rows)
    law = tuple(candidate.law[d * candidate.knowledge + b] for d in range(len(rows)) for b in known)
    shared, common = gcd(*law), gcd(*(weight for row in rows for weight in row))
    return replace(
        candidate,
        outputs=len(used),
        knowledge=len(known),
        law_total=candidate.law_total // shared,
        row_total=candidate.row_total // common,
        law=tuple(weight // shared for weight in law),
        mechanism=tuple(tuple(weight // common for weight in row) for row in rows),
    )


def renamed(candidate: Candidate, symmetry: Symmetry = FULL) -> Candidate:
    """The first, in the order of the search, of all models that differ from a candidate in names alone.

    >>> renamed(Candidate(1, 2, 2, 1, 3, 1, (1, 2), ((0, 1), (1, 0)))).law
    (2, 1)
    """
    group = database_renamings(candidate.records, candidate.values, first_only=candidate.first_only, symmetry=symmetry)
    best = candidate
    for p, q in product(group, symmetry.of_knowledge(candidate.knowledge)):
        law = tuple(candidate.law[d * candidate.knowledge + b] for d in p for b in q)
        if tuple(-weight for weight in law) > tuple(-weight for weight in best.law):
            continue
        for r in symmetry.of_outputs(candidate.outputs):
            rows = tuple(tuple(candidate.mechanism[d][o] for o in r) for d in p)
            best = min(best, replace(candidate, law=law, mechanism=rows), key=lambda model: model.size)
    return best


def steps(candidate: Candidate) -> Iterator[Candidate]:
    """Models with fewer records, values, outputs, knowledge values, worlds or a coarser grid; some are not smaller."""
    databases, law, rows = candidate.databases, candidate.law, candidate.mechanism
    cell = {
        database: law[k * candidate.knowledge : (k + 1) * candidate.knowledge] for k, database in enumerate(databases)
    }
    row = dict(zip(databases, rows, strict=True))
    for i in range(candidate.first_only and 1, candidate.records if candidate.records > 1 else 0):
        for v in range(candidate.values):
            fewer = list(product(range(candidate.values), repeat=candidate.records - 1))
            summed = {d: _sum_of_weights(cell[*d[:i], x, *d[i:]] for x in range(candidate.values)) for d in fewer}
            conditioned = {d: cell[*d[:i], v, *d[i:]] for d in fewer}
            kept = tuple(row[*d[:i], v, *d[i:]] for d in fewer)
            for cells in (summed, conditioned):
                yield from _with_law(replace(candidate, records=candidate.records - 1, mechanism=kept), cells.values())
    for v in range(candidate.values) if candidate.values > 2 else ():
        left = [d for d in databases if v not in d]
        made_of = replace(candidate, values=candidate.values - 1, mechanism=tuple(row[d] for d in left))
        yield from _with_law(made_of, [cell[d] for d in left])
    for o, into in product(range(candidate.outputs), repeat=2):
        if o != into:
            yield replace(candidate, mechanism=tuple(_moved(weights, o, into) for weights in rows))
    for b, into in product(range(candidate.knowledge), repeat=2):
        if b != into:
            yield from _with_law(candidate, [_moved(weights, b, into) for weights in cell.values()])
    for b in range(candidate.knowledge if candidate.knowledge > 1 else 0):
        yield from _with_law(candidate, [(*weights[:b], 0, *weights[b + 1 :]) for weights in cell.values()])
    possible = [k for k, weight in enumerate(law) if weight]
    for k in possible:
        yield from _with_weights(candidate, (*law[:k], 0, *law[k + 1 :]))
        for into in possible:
            if into != k:
                yield replace(candidate, law=_moved(law, k, into))
    for total in range(len(possible), candidate.law_total):
        yield replace(candidate, law=rounded(law, total), law_total=total)
    yield replace(candidate, law=tuple(min(weight, 1) for weight in law), law_total=len(possible))
    for total in range(1, candidate.row_total):
        yield replace(candidate, mechanism=tuple(rounded(weights, total) for weights in rows), row_total=total)
    points = [tuple(candidate.row_total * (o == x) for x in range(candidate.outputs)) for o in range(candidate.outputs)]
    for k, replacement in product(range(len(rows)), dict.fromkeys([*points, *rows])):
        yield replace(candidate, mechanism=(*rows[:k], replacement, *rows[k + 1 :]))


def _sum_of_weights(summands: Iterable[Weights]) -> Weights:
    return tuple(map(sum, zip(*summands, strict=True)))


def _moved(weights: Weights, k: int, into: int) -> Weights:
    """The weight at k added to that at `into`."""
    return tuple(0 if x == k else w + (weights[k] if x == into else 0) for x, w in enumerate(weights))


def _with_law(candidate: Candidate, cells: Iterable[Sequence[int]]) -> Iterator[Candidate]:
    yield from _with_weights(candidate, tuple(weight for weights in cells for weight in weights))


def _with_weights(candidate: Candidate, law: Weights) -> Iterator[Candidate]:
    """The candidate with θ conditioned on the worlds that are left, if any is."""
    if sum(law):
        yield replace(candidate, law=law, law_total=sum(law))


def rounded(weights: Weights, total: int) -> Weights:
    """Weights with the sum `total`, in about the same proportion: the largest remainders are rounded up.

    >>> rounded((5, 3, 2), 3), rounded((1, 1, 1), 4)
    ((1, 1, 1), (2, 1, 1))
    """
    weight_sum = sum(weights)
    rounded_down = [weight * total // weight_sum for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda k: (-(weights[k] * total % weight_sum), k))
    for k in by_remainder[: total - sum(rounded_down)]:
        rounded_down[k] += 1
    return tuple(rounded_down)


@dataclass(frozen=True)
class Separation:
    """A model that answers the question, decided by the checkers and the checker, with the values of the variables."""

    question: SearchQuestion
    candidate: Candidate
    model: Model
    values: tuple[tuple[str, Value], ...]
    vacuous: bool
    verdicts: tuple[tuple[Holds | Has, str], ...]
    """Every definition and property of the question at these values, and its verdict."""
    once: tuple[Holds | Has, ...] = ()
    """The definitions and properties that the checker does not decide, so that only the engines have answered."""

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
    twice = {atom: rechecked(small, atom, question.policy) for atom in verdicts}
    for atom, again in twice.items():
        if again is not None and again != verdicts[atom]:
            raise Rejected(f"{atom}: {verdicts[atom]} here, {again} by the checker")
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
