"""The certificates of searches, as files that `pkdp verify` re-checks (proofs/FORMAT.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from verifier.checker import Beyond
from verifier.checker.search.scope import replay_search
from verifier.definitions import find
from verifier.errors import UnsupportedError
from verifier.evidence import setting
from verifier.evidence.files import file_text
from verifier.evidence.texts import database_texts, law_text
from verifier.model import Model
from verifier.questions.statement import Holds, atoms
from verifier.wings.search.api import Result
from verifier.wings.search.policies import absent_value
from verifier.wings.search.statement_truth import value_text


def search_file(result: Result) -> str:
    """The certificate file of a search: that no model of the whole scope answers the question, or a model that does.

    >>> from verifier.wings.search.api import search
    >>> text = search_file(search(claim="independent => np(e) iff cdp(e)", weights=2, mechanism_weights=1))
    >>> [line.strip() for line in text.splitlines() if "models" in line or "orbits" in line]
    ['"models": 159,', '"orbits": 34,']

    Raises:
        UnsupportedError: where no model was found and the scope was not looked through, or some models were not
            decided; for definitions of DP22; and where the checker would take too long.

    """
    hit, separation, question = result.hit, result.separation, result.question
    if separation is None and (hit.undecided or not hit.complete):
        raise UnsupportedError("no certificate: not every model of the scope was decided")
    foreign = [atom for atom in atoms(question.claim) if isinstance(atom, Holds) and find(atom.definition).reads_policy]
    if foreign:
        raise UnsupportedError(
            f"no certificate: the checker for searches has no copy of {foreign[0].definition} of DP22",
            tip="the model file has the expected answers: pkdp check MODEL --expect checks them again",
        )
    if absent_value(question.policy) is not None:
        raise UnsupportedError("no certificate: the checker for searches examines models without [policy] absent")
    symmetry = question.symmetry
    content = {
        "scope": asdict(result.scope),
        "satisfies": list(map(str, question.satisfied)),
        "violates": None if question.violated is None else str(question.violated),
        "vacuous": question.vacuous,
        "verdict": result.verdict,
        "models": hit.size.models,
        "orbits": hit.size.orbits,
        "renamed": [name for name in ("records", "values", "outputs", "knowledge") if getattr(symmetry, name)],
        "found": None,
    }
    if separation is not None:
        content["found"] = {
            **setting(separation.model),
            "mechanism": _mechanism(separation.model),
            "at": {name: value_text(value) for name, value in separation.values},
            "only_vacuously": separation.vacuous,
        }
    try:
        replay_search(content)
    except Beyond as error:
        raise UnsupportedError(f"no certificate: the checker would take too long, since {error}") from None
    return file_text("search", None, content)


def _mechanism(model: Model) -> Sequence[Any]:
    laws = ((d, model.mechanism.law(d)) for d in model.mechanism.all_databases())
    return [[database_texts(model, d), law_text(law)] for d, law in laws]
