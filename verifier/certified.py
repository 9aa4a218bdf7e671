"""The certificates of what was found, as files that `pkdp replay` re-checks (proofs/FORMAT.md): one door for each kind.

An answer about a definition, acceptability, a search, and a worst mechanism. Each function returns the text of a file,
or raises `UnsupportedError` with the reason why there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier.certificates import setting
from verifier.certificates.files import file_text, verdict_file
from verifier.certificates.texts import database_texts, law_text, number_text
from verifier.errors import UnsupportedError
from verifier.expect import restricted
from verifier.model import Model, Secret, Theta
from verifier.normalization import Answer, acceptable
from verifier.normalization.worlds import worlds_of
from verifier.replay_acceptability import replay_acceptability
from verifier.replay_search import replay_search
from verifier.search.ask import Result
from verifier.search.meaning import value_text
from verifier.search.worst import Worst
from verifier.search.worst_files import certificate_of
from verifier.tables import Label

MAX_ROWS = 1 << 16
"""Most rows of all generating tables of one certificate."""


def acceptability_file(model: Model, question: Mapping[str, Any] | None = None, beside: Path | None = None) -> str:
    """Whether each θ has an acceptable normalization at each protected value (DMKB20, Definitions 7 and 8).

    `question` restricts it to one `distribution` or one `record`; `beside` is the folder that the file is for.

    >>> from verifier.library import models_folder
    >>> from verifier.model import read
    >>> text = acceptability_file(read(models_folder() / "DMKB20" / "example-4-as-printed.toml"))
    >>> '"acceptable": true' in text, '"parameters"' in text
    (True, True)

    Raises:
        UnsupportedError: where there are too many worlds to list.

    """
    asked = restricted(model, question or {})
    answers = acceptable(asked)
    rows = sum(len(one.normalization.worlds) for one in answers if one.normalization)
    if any(one.described for one in answers) or rows > MAX_ROWS:
        raise UnsupportedError("no certificate: the worlds are too many to list", tip="ask about one record")
    content = {**setting(asked), "answers": [_answer(asked, one) for one in answers]}
    replay_acceptability(content)
    return file_text("acceptability", asked, content, beside)


def _answer(model: Model, one: Answer) -> dict[str, Any]:
    found = one.normalization
    at = {
        "distribution": one.distribution,
        "record": "S" if one.record is None else one.record,
        "acceptable": one.acceptable,
    }
    if found is None:
        theta = next(theta for theta in model.thetas if theta.name == one.distribution)
        secret = next(secret for secret in model.secrets if secret.record == one.record)
        return {**at, "reason": _reason(theta, secret)}
    laws = {"φ0": found.phi_0, **({"φ1": found.phi_1} if found.phi_1 else {})}
    return {
        **at,
        "parameters": [{"name": name, "table": law_text(law)} for name, law in laws.items()],
        "knowledge": list(laws)[1:],
        "table": [
            [
                [first.text, known.text][: len(laws)],
                database_texts(model, database),
                known.text,
                value.text if one.record is None else None,
            ]
            for first, known, database, value in found.worlds
        ],
    }


def _reason(theta: Theta, secret: Secret) -> dict[str, Any]:
    """Two knowledge values and a sensitive value s: the probabilities of the worlds with S = s given each."""
    worlds, _ = worlds_of(theta, secret)
    masses: dict[Label, int] = {}
    for (heard, _, _), weight in worlds.items():
        masses[heard] = masses.get(heard, 0) + weight
    chances = {
        (heard, s): sorted(Fraction(w, masses[heard]) for (b, v, _), w in worlds.items() if (b, v) == (heard, s))
        for heard in masses
        for s in secret.domain
    }
    first, *others = masses
    heard, s = next((b, s) for b in others for s in secret.domain if chances[b, s] != chances[first, s])
    return {
        "knowledge": [first.text, heard.text],
        "sensitive": s.text,
        "chances": [[number_text(p) for p in chances[b, s]] for b in (first, heard)],
    }


def search_file(result: Result) -> str:
    """What a search found: that no model of the whole scope answers the question, or a model that does.

    >>> from verifier.search.ask import search
    >>> text = search_file(search(claim="independent => np(e) iff cdp(e)", weights=2, mechanism_weights=1))
    >>> [line.strip() for line in text.splitlines() if "models" in line or "orbits" in line]
    ['"models": 159,', '"orbits": 34,']

    Raises:
        UnsupportedError: where the scope was not looked through, or some models were not decided.

    """
    hit, found, question = result.hit, result.separation, result.question
    if found is None and (hit.undecided or not hit.complete):
        raise UnsupportedError("no certificate: not every model of the scope was decided")
    symmetry = question.symmetry(result.scope)
    content = {
        "scope": {name: getattr(result.scope, name) for name in result.scope.__dataclass_fields__},
        "satisfies": list(map(str, question.satisfied)),
        "violates": None if question.violated is None else str(question.violated),
        "vacuous": result.vacuous,
        "verdict": result.verdict,
        "models": hit.size.models,
        "orbits": hit.size.orbits,
        "renamed": [name for name in ("records", "values", "outputs", "knowledge") if getattr(symmetry, name)],
        "found": None,
    }
    if found is not None:
        content["found"] = {
            **setting(found.model),
            "mechanism": _mechanism(found.model),
            "at": {name: value_text(value) for name, value in found.values},
            "only_vacuously": found.vacuous,
        }
    replay_search(content)
    return file_text("search", None, content)


def _mechanism(model: Model) -> Sequence[Any]:
    laws = ((d, model.mechanism.law(d)) for d in model.mechanism.all_databases())
    return [[database_texts(model, d), law_text(law)] for d, law in laws]


def worst_file(answer: Worst, beside: Path | None = None) -> str:
    """The worst mechanism for a model, and the multipliers which prove that none is worse (proofs/worst.md).

    >>> from verifier import build
    >>> from verifier.search.worst import worst
    >>> twins = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
    >>> model = build(size=2, values=[0, 1], distribution=twins, mechanism={"kind": "count", "value": 1})
    >>> text = worst_file(worst(model, assuming="dp(epsilon=ln(2))", maximise="np delta at ln(2)"))
    >>> [line.strip() for line in text.splitlines() if "optimum" in line]
    ['"optimum": "1/3",']

    Raises:
        UnsupportedError: where nothing is compared, so that there is nothing to prove.

    """
    if answer.form is None:
        raise UnsupportedError("no certificate: nothing is compared, so that every mechanism is the worst")
    return file_text("worst", answer.model, certificate_of(answer), beside)


__all__ = ["acceptability_file", "search_file", "verdict_file", "worst_file"]
