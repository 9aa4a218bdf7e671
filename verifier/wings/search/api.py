"""`search`: the smallest model that answers a question. Finders are untrusted: each model they return is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from os import PathLike
from time import monotonic_ns
from typing import Any

from verifier.definitions.answer import Answer
from verifier.errors import InputError
from verifier.model import Model, arguments
from verifier.model.arguments import takes
from verifier.questions.language import statement
from verifier.questions.statement import Statement
from verifier.version import VERSION
from verifier.wings.search.enumerate_scope import Hit, Progress
from verifier.wings.search.enumerate_scope import find as look
from verifier.wings.search.finer import look_finer
from verifier.wings.search.notebook import result_html
from verifier.wings.search.question import SearchQuestion, question_of
from verifier.wings.search.scope import MAX_MODELS, Scope
from verifier.wings.search.separating_model import Separation, separation
from verifier.wings.search.statement_truth import Variables, value_text

FINDERS = ("enumerate", "finer", "z3", "both")
"""The grid of the scope alone, or finer grids too where it has nothing; `z3` and `both` are older names of `finer`."""
StatementLike = str | Statement


@dataclass(frozen=True)
class Result(Answer):
    """The answer of a search: the smallest model, or how many models were decided without finding one.

    `hit` counts the models that were looked at, all of them and up to renaming, the models of the whole scope (`size`),
    and those that could not be decided (`undecided`).
    """

    question: SearchQuestion
    separation: Separation | None
    hit: Hit
    milliseconds: int
    of_claim: bool = False
    finer: str = ""
    """What finer grids gave, in words; empty where they were not looked through."""

    @property
    def scope(self) -> Scope:
        """The scope that was searched."""
        return self.question.scope

    @property
    def verdict(self) -> str:
        """`separated` or `none in scope`."""
        return "separated" if self.separation else "none in scope"

    @property
    def model(self) -> Model | None:
        """The model that was found; None where there is none."""
        return self.separation.model if self.separation else None

    @property
    def text(self) -> str | None:
        """The text of the model file; None where no model was found."""
        return self.separation.text if self.separation else None

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 0 for yes, 1 for no, 3 where it is open.

        Without a claim: is there such a model? With one: does the claim hold in the whole scope?
        """
        if self.separation is None and (self.hit.undecided or not self.hit.complete):
            return 3
        return int((self.separation is None) != self.of_claim)

    def __str__(self) -> str:
        hit = self.hit
        left = f"; {hit.undecided:,} of them not decided" if hit.undecided else ""
        if self.separation is None:
            among = f"no model among {hit.checked:,} ({self.scope}), {hit.orbits:,} up to renaming{left}"
            return f"{among}; {self.finer}" if self.finer else among
        values = ", ".join(f"{name} = {value_text(value)}" for name, value in self.separation.values)
        words = f"found: {self.question}{', at ' + values if values else ''}"
        if self.separation.vacuous:
            words += " (only vacuously)"
        such = f", with {hit.found:,} such" if hit.complete and hit.found else ""
        looked = f"{hit.checked:,} models looked at, {hit.orbits:,} up to renaming{left}{such}"
        return "; ".join(part for part in (words, looked, self.finer) if part)

    def _repr_html_(self) -> str:
        return result_html(self)

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp search --json`, without `seconds`."""
        separation = self.separation
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
            "kind": "search",
            "within": asdict(self.scope),
            "undecided": self.hit.undecided,
            "synthesis": self.finer or None,
            "satisfies": [str(statement) for statement in self.question.satisfied],
            "violates": None if self.question.violated is None else str(self.question.violated),
            "allow_vacuous": self.question.vacuous,
            "vacuous": separation.vacuous if separation else None,
            "values": {name: value_text(value) for name, value in separation.values} if separation else {},
            "verdicts": [{"statement": str(atom), "verdict": verdict} for atom, verdict in separation.verdicts]
            if separation
            else [],
            **({"policy": self.question.policy} if self.question.policy else {}),
            "checked_once": [str(atom) for atom in separation.once] if separation else [],
        }


@takes(
    scope=arguments.optional(arguments.one(Scope, "a Scope")),
    vacuous=arguments.flag,
    exhaust=arguments.flag,
    find=arguments.text,
    workers=arguments.optional(arguments.text),
    checkpoint=arguments.optional(arguments.path),
    max_models=arguments.number(0),
    progress=arguments.optional(arguments.function),
)
def search(
    *,
    satisfies: StatementLike | Sequence[StatementLike] = (),
    violates: StatementLike | None = None,
    claim: StatementLike | None = None,
    scope: Scope | None = None,
    vacuous: bool = False,
    exhaust: bool = False,
    find: str = "enumerate",
    jobs: int = 1,
    workers: str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    max_models: int = MAX_MODELS,
    policy: object = None,
    **sizes: Any,
) -> Result:
    """The smallest model in which all of `satisfies` hold and `violates` does not, or which breaks `claim`.

    Statements are texts (`verifier.questions.language`) or trees. `sizes` are those of `Scope`: records, values,
    outputs, knowledge, weights, mechanism_weights, first_only. The model is the first in the order records, values,
    outputs, knowledge values, possible worlds, denominators, weights, and then made smaller where the grid was too
    coarse. `policy` is the `[policy]` of every model, a table or its lines, for definitions of DP22 that read it. The
    model is decided by the checkers with their replay, and once more by the checker from its integers, before it is
    returned. With `exhaust` the whole scope is looked through, and the models that answer are counted up to renaming.
    `find` is `enumerate`, or `finer`: finer grids where the scope's own has no model.

    >>> result = search(satisfies="np(e)", violates="cdp(e)")
    >>> print(result)
    found: np(e) but not cdp(e), at e = 0; 455 models looked at, 91 up to renaming
    >>> [theta.count() for theta in result.model.thetas], result.exit_status
    ([2], 0)
    >>> print(search(claim="independent => np(e) iff cdp(e)", weights=2, mechanism_weights=1))
    no model among 159 (at most 2 records, 2 values, 2 outputs, 1 knowledge value; θ in multiples of 1/2, the \
mechanism of 1), 34 up to renaming

    Raises:
        InputError: for an invalid statement or scope, and for an unknown finder.
        UnsupportedError: for a definition of DP22 that misses a field of `policy`.
        LimitError: for a scope that is too large; it is refused before any work.

    """
    started = monotonic_ns()
    if scope is None:
        unknown = [name for name in sizes if name not in Scope.__dataclass_fields__]
        if unknown:
            raise InputError(
                f"{unknown[0]} is unknown", where="search", wanted=f"one of {', '.join(Scope.__dataclass_fields__)}"
            )
        scope = Scope(**sizes)
    elif sizes:
        raise InputError(f"a scope and {min(sizes)} are given together", where="search", wanted="one of the two")
    question = replace(read_question(satisfies, violates, claim, scope, policy), vacuous=vacuous, exhaust=exhaust)
    if find not in FINDERS:
        raise InputError(f"{find} is unknown", where="find=", wanted=f"one of {', '.join(FINDERS)}")
    hit = look(
        question,
        jobs=jobs,
        workers=workers,
        checkpoint=checkpoint,
        progress=progress,
        max_models=max_models,
    )
    best, words = hit.candidate, ""
    if best is None and find != "enumerate":
        finer = look_finer(question, partial(look, progress=progress))
        best, words = finer.candidate, str(finer)
    first = best is not None and best is hit.candidate and not hit.undecided
    separated = None if best is None else separation(question, best, first=first)
    took = (monotonic_ns() - started) // 10**6
    return Result(question, separated, hit, took, claim is not None, words)


def read_question(
    satisfies: StatementLike | Sequence[StatementLike],
    violates: StatementLike | None,
    claim: StatementLike | None,
    scope: Scope,
    policy: object = None,
) -> SearchQuestion:
    """Read the question of a search.

    Raises:
        InputError: for an invalid statement or policy, for no statement, and for both a claim and `violates`.
        UnsupportedError: for a definition of DP22 that no model of the scope decides.

    """
    one = isinstance(satisfies, str | Statement)
    statements = [satisfies] if one else arguments.several("statements")(satisfies, "satisfies=")
    hold = tuple(statement(text, "satisfies=") for text in statements)
    fail = None if violates is None else statement(violates, "violates=")
    about = None if claim is None else statement(claim, "claim=")
    if about is None and fail is None and not hold:
        raise InputError(
            "there is no statement",
            where="search",
            wanted="satisfies= and violates=, or claim=",
            tip='such as satisfies= "np(e)" and violates= "cdp(2*e)"',
        )
    if about is not None and fail is not None:
        raise InputError("claim= and violates= are given together", where="search", wanted="one of the two")
    question = question_of(hold, fail, about, scope, policy)
    Variables.of(question.claim)
    return question
