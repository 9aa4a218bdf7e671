"""The certificate of acceptability: the generating tables, or two chances that no table can have (proofs/FORMAT.md)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier.checker.acceptability import replay_acceptability
from verifier.errors import UnsupportedError
from verifier.evidence import setting
from verifier.evidence.files import file_text
from verifier.evidence.texts import database_texts, law_text, number_text
from verifier.model import Model, Secret, Theta
from verifier.questions.expect import restricted
from verifier.questions.normalization import Acceptability, acceptable
from verifier.questions.normalization.generating_table import worlds_of
from verifier.tables import gathered

MAX_ROWS = 1 << 16
"""Most rows of all generating tables of one certificate."""


def acceptability_file(model: Model, question: Mapping[str, Any] | None = None, beside: Path | None = None) -> str:
    """The text of a certificate that says of each θ and protected value whether it has an acceptable normalization.

    `question` restricts it to one `distribution` or one `record`; `beside` is the folder that the file is for (DMKB20,
    Definitions 7 and 8).

    >>> from verifier.model.library import models_folder
    >>> from verifier.model import read
    >>> text = acceptability_file(read(models_folder() / "DMKB20" / "example-4-as-printed.toml"))
    >>> '"acceptable": true' in text, '"parameters"' in text
    (True, True)

    Raises:
        UnsupportedError: where there are too many worlds to list.

    """
    submodel = restricted(model, question or {})
    answers = acceptable(submodel)
    rows = sum(len(answer.normalization.worlds) for answer in answers if answer.normalization)
    if any(answer.described for answer in answers) or rows > MAX_ROWS:
        raise UnsupportedError("no certificate: the worlds are too many to list", tip="ask about one record")
    content = {**setting(submodel), "answers": [_answer(submodel, answer) for answer in answers]}
    replay_acceptability(content)
    return file_text("acceptability", submodel, content, beside)


def _answer(model: Model, answer: Acceptability) -> dict[str, Any]:
    normalization = answer.normalization
    header = {
        "distribution": answer.distribution,
        "record": "S" if answer.record is None else answer.record,
        "acceptable": answer.acceptable,
    }
    if normalization is None:
        theta = next(theta for theta in model.thetas if theta.name == answer.distribution)
        secret = next(secret for secret in model.secrets if secret.record == answer.record)
        return {**header, "reason": _reason(theta, secret)}
    laws = {"φ0": normalization.phi_0, **({"φ1": normalization.phi_1} if normalization.phi_1 else {})}
    return {
        **header,
        "parameters": [{"name": name, "table": law_text(law)} for name, law in laws.items()],
        "knowledge": list(laws)[1:],
        "table": [
            [
                [first.text, known.text][: len(laws)],
                database_texts(model, database),
                known.text,
                value.text if answer.record is None else None,
            ]
            for first, known, database, value in normalization.worlds
        ],
    }


def _reason(theta: Theta, secret: Secret) -> dict[str, Any]:
    """Two knowledge values and a sensitive value s: the probabilities of the worlds with S = s given each."""
    worlds, _ = worlds_of(theta, secret)
    masses = gathered((knowledge, weight) for (knowledge, _, _), weight in worlds.items())
    chances = {
        (knowledge, s): sorted(
            Fraction(w, masses[knowledge]) for (b, v, _), w in worlds.items() if (b, v) == (knowledge, s)
        )
        for knowledge in masses
        for s in secret.domain
    }
    first, *remaining = masses
    knowledge, s = next((b, s) for b in remaining for s in secret.domain if chances[b, s] != chances[first, s])
    return {
        "knowledge": [first.text, knowledge.text],
        "sensitive": s.text,
        "chances": [[number_text(p) for p in chances[b, s]] for b in (first, knowledge)],
    }
