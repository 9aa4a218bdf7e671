"""Decide the evidence of an entry again: each piece must show what the entry claims of it, else `Unshown` is raised."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from verifier.engine import Engine
from verifier.errors import InputError, PkdpError
from verifier.model import Model, read
from verifier.model.library import models_folder, proofs_folder
from verifier.model.model import RecordSecrets
from verifier.questions.expect import outcome
from verifier.wings.papers.bounds.assess import assess
from verifier.wings.papers.bounds.claim import LETTERS, BoundRow
from verifier.wings.papers.bounds.real import Real
from verifier.wings.papers.ledger.entry import (
    CASES,
    ClaimReading,
    Evidence,
    OfBound,
    OfDerivation,
    OfModel,
    OfProof,
    OfSearch,
    OfTheorem,
)
from verifier.wings.papers.ledger.proof_pages import section
from verifier.wings.papers.ledger.steps import General, Step
from verifier.wings.papers.theorems import statement

if TYPE_CHECKING:
    from verifier.wings.search.api import Result


class Unshown(PkdpError):  # noqa: N818 - the evidence fails, not the program
    """A piece of evidence does not show what its entry claims (exit status 1)."""

    exit_status = 1


def decide(evidence: Evidence) -> tuple[str, ...]:
    """Decide a piece of evidence again: the lines that record its answers, where it shows what its entry claims.

    Of a theorem the line is its statement; that Coq accepts its proof is the work of `make theorems`.

    Raises:
        Unshown: where it does not show it.
        InputError: where it names a model, derivation or page that does not exist.

    """
    match evidence:
        case OfModel():
            return _model(evidence)
        case OfSearch():
            return _search(evidence)
        case OfBound():
            return _bound(evidence)
        case OfDerivation():
            return _derived(evidence)
        case OfTheorem():
            return (statement(evidence.file, evidence.name),)
        case OfProof():
            section(evidence)
            return ()


def refuse_cases(reading: ClaimReading, conclusions: Sequence[Sequence[str]]) -> None:
    """Refuse a claim that cases alone prove without a reason in `cases`, and a reason that is not needed.

    `conclusions` has what each piece of evidence gave. What is proved is proved of all: by a theorem, a written proof,
    or a step of a derivation about all numbers.

    Raises:
        Unshown: for such a claim.

    """
    is_general = any(
        isinstance(evidence, OfProof | OfTheorem) or any(isinstance(line, General) for line in lines)
        for evidence, lines in zip(reading.evidence, conclusions, strict=True)
        if evidence.shows == "claim"
    )
    if reading.verdict != "proved" or is_general:
        if reading.cases:
            raise Unshown(
                "`cases` has a reason, and its evidence is no list of cases, or proves nothing", wanted="no key"
            )
    elif not reading.cases.startswith(CASES):
        raise Unshown(
            "it is proved, and its evidence is cases alone",
            wanted="a theorem, derivation or written proof of all, the verdict checked with its scope, or "
            f"`cases`: {' or '.join(CASES)}",
        )


def engine_of(name: str) -> tuple[Model, Engine]:
    """The model `models/<name>.toml` with its engine; each file is read once.

    Raises:
        InputError: where there is no such file.

    """
    path = models_folder() / f"{name}.toml"
    if not path.is_file():
        raise InputError(f"there is no model {name}", where="ledger", wanted=f"a file models/{name}.toml")
    return _engine(path)


@cache
def _engine(path: Path) -> tuple[Model, Engine]:
    model = read(path)
    return model, Engine(model)


def _model(evidence: OfModel) -> tuple[str, ...]:
    model, engine = engine_of(evidence.model)
    lines = []
    for promised in evidence.asks:
        result = outcome(model, promised, engine)
        if not result.agrees:
            raise Unshown(str(result), where=evidence.title, wanted="what the entry promises")
        answers = ", ".join(f"{key} {_shown(value)}" for key, value in promised.answer.items())
        lines.append(f"{result.question}: {answers}")
    return (*lines, *_of_every_record(evidence, model))


def _of_every_record(evidence: OfModel, model: Model) -> tuple[str, ...]:
    """Refuse answers about fewer records than the definitions speak of, unless every record has the same answers.

    DMKB20's Definitions 2 to 6 and 12 to 14 speak of all records; a claim that does not says so in `restricted`.
    """
    about_one = [
        expectation
        for expectation in evidence.asks
        if "record" in expectation.question and expectation.definition != "acceptable"
    ]
    if evidence.restricted:
        if not model.restriction and not about_one:
            raise InputError(
                "every record is protected, so that `restricted` has no meaning", where=evidence.title, wanted="no key"
            )
        return (f"{model.restriction.text or 'asked of one record'}: {evidence.restricted}",)
    wanted = 'a model that protects every record, or `restricted = "why the claim is about these alone"`'
    if about_one:
        raise Unshown(f"{about_one[0].definition} is asked of one record", where=evidence.title, wanted=wanted)
    expectations = [expectation for expectation in evidence.asks if "record" not in expectation.question]
    if not model.restriction or not expectations:
        return ()
    if not model.protects_records:
        raise Unshown(f"the answers are {model.restriction.text}", where=evidence.title, wanted=wanted)
    unrestricted = model.changed(secrets=RecordSecrets(range(model.size), model.values))
    engine = Engine(unrestricted)
    for expectation in expectations:
        result = outcome(unrestricted, expectation, engine)
        if not result.agrees:
            words = f"the answers are {model.restriction.text}; with every record protected: {result}"
            raise Unshown(words, where=evidence.title, wanted=wanted)
    return ("the same with every record protected",)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def searched(evidence: OfSearch) -> Result:
    """The result of the search of a piece of evidence through its whole scope; it is computed once."""
    from verifier.wings.search.api import search  # with numpy, for which whoever only reads claims does not wait

    key = repr(sorted(evidence.search.items()))
    if key not in _SEARCHED:
        _SEARCHED[key] = search(**evidence.search, exhaust=True)
    return _SEARCHED[key]


_SEARCHED: dict[str, Result] = {}


def _search(evidence: OfSearch) -> tuple[str, ...]:
    result = searched(evidence)
    if result.separation is not None or not result.hit.complete or result.hit.undecided:
        raise Unshown(str(result), where=evidence.title, wanted="no model, in the whole scope")
    if result.hit.checked != evidence.models:
        raise Unshown(f"{result.hit.checked:,} models are in the scope", where=evidence.title)
    return (str(result),)


def _bound(evidence: OfBound) -> tuple[str, ...]:
    names, lines = list(evidence.given), list[str]()
    for texts in product(*evidence.given.values()):
        parameters: Mapping[str, str] = dict(zip(names, texts, strict=True))
        rows = assess(evidence.bound, parameters, evidence.reading or None)
        if not evidence.reading:
            rows = rows[:1]
        at = ", ".join(f"{LETTERS.get(key, key)} = {text}" for key, text in parameters.items())
        for row in rows:
            exact = row.worst or row.model
            if evidence.shows == "size":
                lines.append(f"{at} {_compared(row, exact)}")
            elif evidence.covers == "no" and exact is not None and row.claimed.delta is not None:
                lines.append(f"{at}: claimed δ {row.claimed.delta.text()}, exact {exact.decimal()}")
            if row.covers != evidence.covers:
                raise Unshown(f"covers: {row.covers} at {at}", where=evidence.title, wanted=evidence.covers)
    if evidence.shows == "size":
        return tuple(lines)
    says = "covers the exact value" if evidence.covers == "yes" else "is below the exact value"
    return (f"the bound {says} in all of {evidence.rows:,}", *lines)


def _compared(row: BoundRow, exact: Real | None) -> str:
    """The claimed ε and δ beside the exact δ at this ε, of the worst model where that is known, in four digits."""
    epsilon, delta = row.claimed.epsilon, row.claimed.delta
    if epsilon is None or delta is None or exact is None:
        raise Unshown("the claim has no value", where=row.claim.key, wanted="a size at which its conditions are met")
    means = row.claim.readings[row.reading].partition(": proved")[0]
    claimed = f"claimed δ = {delta.decimal(FEW)} at ε = {epsilon.decimal(FEW)}"
    of = "of the worst model" if row.worst is not None else "of this model"
    covers = "covers it" if row.covers == "yes" else "does not cover it"
    return f"({means}): {claimed}, exact δ {of} {exact.decimal(FEW)}; the bound {covers}"


FEW = 4
"""The digits of a number that is compared in a sentence."""


def _derived(evidence: OfDerivation) -> tuple[str, ...]:
    module = _module(proofs_folder() / evidence.paper / f"{evidence.module}.py")
    function: Callable[[], Any] | None = getattr(module, evidence.function, None)
    if function is None:
        raise InputError(f"there is no function {evidence.function}", where=evidence.title, wanted="a derivation")
    try:
        steps = function()
    except ArithmeticError as error:
        raise Unshown(str(error), where=evidence.title, wanted="a derivation that goes through") from None
    if not isinstance(steps, tuple) or not steps:
        raise InputError("a derivation returned no steps", where=evidence.title, wanted="a tuple of steps")
    for step in steps:
        if not isinstance(step, Step):
            raise InputError(f"nothing checked “{step}”", where=evidence.title, wanted="a step of ledger/steps.py")
    return steps


@cache
def _module(path: Path) -> ModuleType:
    """A module of `proofs/`, which is a part of this program and no user's file."""
    name = f"proofs_{path.parent.name}_{path.stem}"
    spec = spec_from_file_location(name, path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise InputError(
            "there is no such module", where=f"proofs/{path.parent.name}/{path.name}", wanted="a derivation"
        )
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
