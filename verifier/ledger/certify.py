"""The certificates of what an entry asks about models, by file name."""

from __future__ import annotations

import json
import re

from verifier.certificates import certificate
from verifier.definitions import find
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.expect import restricted
from verifier.ledger.decide import engine_of
from verifier.ledger.entry import OfModel
from verifier.model.model import Expectation
from verifier.properties import PROPERTIES
from verifier.questions import check


def certificates_of(evidence: OfModel) -> dict[str, str]:
    """A certificate for each answer that has one, by its name from the root of the repository."""
    found = {}
    for asked in evidence.asks:
        text = _certificate(evidence.model, asked)
        if text is not None:
            found[name_of(evidence.model, asked)] = text
    return found


def _certificate(name: str, asked: Expectation) -> str | None:
    if asked.definition in {"acceptable", *PROPERTIES}:
        return None
    model, engine = engine_of(name)
    mine = restricted(model, asked.question)
    if mine is not model:
        engine = Engine(mine)
    answer = check(
        mine,
        find(asked.definition),
        epsilon=asked.question.get("epsilon"),
        delta=asked.question.get("delta", 0),
        reading=asked.question.get("reading", "default"),
        engine=engine,
    )
    if not answer.replayed:  # undecided, unsupported, or too large to be written down
        return None
    try:
        content = certificate(answer, engine)
    except UnsupportedError:
        return None
    return json.dumps({"format": 1, "model": f"models/{name}.toml", **content}, ensure_ascii=False) + "\n"


def name_of(model: str, asked: Expectation) -> str:
    """The name of a certificate: the model's, the definition, and the parameters that are not the usual ones.

    >>> name_of("DMKB20/example-2", Expectation("cdp", {"epsilon": "1/2*ln(2)", "reading": "one-order"}, {}))
    'proofs/certificates/DMKB20/example-2/cdp.epsilon-1-2-ln-2.reading-one-order.json'
    """
    parts = [asked.definition, *(f"{key}-{value}" for key, value in sorted(asked.question.items()))]
    words = [re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts]
    return f"proofs/certificates/{model}/{'.'.join(words)}.json"
