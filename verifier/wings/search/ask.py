"""The door of the search: a question, a scope, and untrusted finders behind it; what they bring is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from time import monotonic_ns
from typing import Any

from verifier.errors import InputError, UnsupportedError
from verifier.model import Model
from verifier.questions.language import statement
from verifier.questions.statement import Statement
from verifier.version import VERSION
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.find import Hit, Progress
from verifier.wings.search.find import find as look
from verifier.wings.search.found import Separation, separation
from verifier.wings.search.meaning import Plan, value_text
from verifier.wings.search.orbits import count
from verifier.wings.search.question import Question, question_of
from verifier.wings.search.scope import MAX_MODELS, Scope

FINDERS = ("enumerate", "z3", "both")
Asked = str | Statement


@dataclass(frozen=True)
class Result:
    """The answer of a search: the smallest model, or how far was looked.

    `verdict` is `separated` or `none in scope`. `hit` counts the models that were looked at, with and without symmetry,
    those of the whole scope (`size`), and those that no verdict was reached on (`undecided`).

    A result has no truth value, since a claim that is broken is found: ask for `.verdict == "separated"`.
    """

    question: Question
    separation: Separation | None
    hit: Hit
    milliseconds: int
    of_claim: bool = False
    synthesis: str = ""
    """What z3 tried, where it was asked."""

    def __bool__(self) -> bool:
        """Refuse to be a truth value."""
        raise TypeError('a search ends with a model or without; Tip: write result.verdict == "separated"')

    @property
    def scope(self) -> Scope:
        """Where was looked."""
        return self.question.scope

    @property
    def verdict(self) -> str:
        """`separated` or `none in scope`."""
        return "separated" if self.separation else "none in scope"

    @property
    def model(self) -> Model | None:
        """The model that was found."""
        return self.separation.model if self.separation else None

    @property
    def text(self) -> str | None:
        """The model file."""
        return self.separation.text if self.separation else None

    @property
    def exit_status(self) -> int:
        """0 for yes, 1 for no, 3 where it is open.

        Without a claim: is there such a model? With one: does the claim hold in the whole scope?
        """
        if self.separation is None and (self.hit.undecided or not self.hit.complete):
            return 3
        return int((self.separation is None) != self.of_claim)

    def __str__(self) -> str:
        hit = self.hit
        left = f"; {hit.undecided:,} of them not decided" if hit.undecided else ""
        solver = f"z3: {self.synthesis}" if self.synthesis else ""
        if self.separation is None:
            if not hit.complete:
                return f"no model was found ({self.scope.sizes}); {solver}"
            among = f"no model among {hit.checked:,} ({self.scope}), {hit.orbits:,} up to renaming{left}"
            return f"{among}; {solver}" if solver else among
        found = ", ".join(f"{name} = {value_text(value)}" for name, value in self.separation.values)
        words = f"found: {self.question}{', at ' + found if found else ''}"
        if self.separation.vacuous:
            words += " (only vacuously)"
        such = f", with {hit.found:,} such" if hit.complete and hit.found else ""
        looked = f"{hit.checked:,} models looked at, {hit.orbits:,} up to renaming{left}{such}" if hit.checked else ""
        return "; ".join(part for part in (words, looked, solver) if part)

    def to_json(self) -> dict[str, Any]:
        """The answer as `pkdp search --json` prints it, but for `seconds`."""
        found = self.separation
        return {
            "schema": 1,
            "version": VERSION,
            "verdict": self.verdict,
            "model": self.text,
            "scope": str(self.scope),
            "models_checked": self.hit.checked,
            "orbits_checked": self.hit.orbits,
            "models_in_scope": self.hit.size.models,
            "orbits_in_scope": self.hit.size.orbits,
            "complete": self.hit.complete,
            "undecided": self.hit.undecided,
            "synthesis": self.synthesis or None,
            "satisfies": [str(one) for one in self.question.satisfied],
            "violates": None if self.question.violated is None else str(self.question.violated),
            "vacuous": found.vacuous if found else None,
            "values": {name: value_text(value) for name, value in found.values} if found else {},
            "verdicts": [{"statement": str(atom), "verdict": verdict} for atom, verdict in found.verdicts]
            if found
            else [],
            "checked_once": [str(atom) for atom in found.once] if found else [],
        }


def search(
    *,
    satisfies: Asked | Sequence[Asked] = (),
    violates: Asked | None = None,
    claim: Asked | None = None,
    scope: Scope | None = None,
    vacuous: bool = False,
    exhaust: bool = False,
    find: str = "enumerate",
    jobs: int = 1,
    workers: str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    max_models: int = MAX_MODELS,
    **sizes: Any,
) -> Result:
    """The smallest model in which all of `satisfies` hold and `violates` does not, or which breaks `claim`.

    Statements are texts (`verifier.questions.language`) or trees. `sizes` are those of `Scope`: records, values,
    outputs, knowledge, weights, mechanism_weights, first_only. The model is the first in the order records, values,
    outputs, knowledge values, possible worlds, denominators, weights, and then made smaller where the grid was too
    coarse. It is decided by the checkers with their replay, and once more by the replay from its integers, before it is
    returned. With `exhaust` the whole scope is looked through, and such models are counted up to renaming.

    >>> told = search(satisfies="np(e)", violates="cdp(e)")
    >>> print(told)
    found: np(e) but not cdp(e), at e = 0; 455 models looked at, 91 up to renaming
    >>> [theta.count() for theta in told.model.thetas], told.exit_status
    ([2], 0)
    >>> print(search(claim="independent => np(e) iff cdp(e)", weights=2, mechanism_weights=1))
    no model among 159 (at most 2 records, 2 values, 2 outputs, 1 knowledge value; θ in multiples of 1/2, the \
mechanism of 1), 34 up to renaming

    Raises:
        InputError: for a statement that is none, or a scope that is none.
        LimitError: for a scope that is too large; it is refused before any work.

    """
    started = monotonic_ns()
    if scope is None:
        unknown = [name for name in sizes if name not in Scope.__dataclass_fields__]
        if unknown:
            raise InputError(
                f"given {unknown[0]}", where="search", wanted=f"one of {', '.join(Scope.__dataclass_fields__)}"
            )
        scope = Scope(**sizes)
    elif sizes:
        raise InputError(f"given a scope and {min(sizes)}", where="search", wanted="one of the two")
    question = replace(asked(satisfies, violates, claim, scope), vacuous=vacuous, exhaust=exhaust)
    if find not in FINDERS:
        raise InputError(f"given {find}", where="find=", wanted=f"one of {', '.join(FINDERS)}")
    if find == "z3":
        scope.admit(max_models)
        hit = Hit(None, 0, 0, complete=False, size=count(scope, question.symmetry))
    else:
        hit = look(
            question.satisfied,
            question.violated,
            scope,
            jobs=jobs,
            workers=workers,
            checkpoint=checkpoint,
            progress=progress,
            vacuous=vacuous,
            exhaust=exhaust,
            max_models=max_models,
        )
    best, words = hit.candidate, ""
    if best is None and find != "enumerate":
        best, words = synthesised(question, alone=find == "z3")
    first = best is not None and best is hit.candidate and not hit.undecided
    found = None if best is None else separation(question, best, first=first)
    took = (monotonic_ns() - started) // 10**6
    return Result(question, found, hit, took, claim is not None, words)


def synthesised(question: Question, *, alone: bool) -> tuple[Candidate | None, str]:
    """A model with weights that no grid holds, and what z3 tried; not `alone`, what it does not take is only said."""
    from verifier.wings.search import synthesis

    try:
        weights = synthesis.synthesised(question)
    except UnsupportedError as error:
        if alone:
            raise
        return None, str(error)
    except ModuleNotFoundError:
        raise UnsupportedError("z3 is not installed", where="find=", tip="pip install z3-solver") from None
    return weights.candidate, str(weights)


def asked(satisfies: Asked | Sequence[Asked], violates: Asked | None, claim: Asked | None, scope: Scope) -> Question:
    """Read the question, and refuse one that is none.

    Raises:
        InputError: with the statement that is wrong.

    """
    given = [satisfies] if isinstance(satisfies, str | Statement) else list(satisfies)
    hold = tuple(statement(one, "satisfies=") for one in given)
    fail = None if violates is None else statement(violates, "violates=")
    about = None if claim is None else statement(claim, "claim=")
    if about is None and fail is None and not hold:
        raise InputError(
            "given no statement",
            where="search",
            wanted="satisfies= and violates=, or claim=",
            tip='such as satisfies= "np(e)" and violates= "cdp(2*e)"',
        )
    if about is not None and fail is not None:
        raise InputError("given claim= and violates=", where="search", wanted="one of the two")
    question = question_of(hold, fail, about, scope)
    Plan.of(question.claim)
    return question
