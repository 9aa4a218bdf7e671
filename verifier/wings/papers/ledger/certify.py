"""The certificates of what an entry asks about models and scopes, by file name."""

from __future__ import annotations

import re
from hashlib import sha256

from verifier.errors import UnsupportedError
from verifier.evidence.files import verdict_file
from verifier.model.model import Expectation
from verifier.questions.expect import answered
from verifier.questions.normalization.certificate import acceptability_file
from verifier.questions.properties import PROPERTIES
from verifier.wings.papers.ledger.decide import engine_of, searched
from verifier.wings.papers.ledger.entry import Evidence, OfModel, OfSearch
from verifier.wings.search.certificates import search_file

FOLDER = "proofs/certificates"


def certificates_of(evidence: Evidence) -> dict[str, str]:
    """A certificate for each answer that has one, by its name from the root of the repository."""
    found = {}
    if isinstance(evidence, OfSearch):
        found[search_name(evidence)] = search_file(searched(evidence))
    elif isinstance(evidence, OfModel):
        for asked in evidence.asks:
            text = _certificate(evidence.model, asked)
            if text is not None:
                found[name_of(evidence.model, asked)] = text
    return found


def _certificate(name: str, asked: Expectation) -> str | None:
    """The text of a certificate; None for properties, and where the answer is too large to be written down."""
    if asked.definition in PROPERTIES:
        return None
    model, engine = engine_of(name)
    try:
        if asked.definition == "acceptable":
            return acceptability_file(model, asked.question)
        return verdict_file(*answered(model, asked, engine))
    except UnsupportedError:
        return None


def name_of(model: str, asked: Expectation) -> str:
    """The name of a certificate: the model's, the definition, and the parameters that are not the usual ones.

    >>> name_of("DMKB20/example-2", Expectation("cdp", {"epsilon": "1/2*ln(2)", "reading": "one-order"}, {}))
    'proofs/certificates/DMKB20/example-2/cdp.epsilon-1-2-ln-2.reading-one-order.json'
    """
    parts = [asked.definition, *(f"{key}-{value}" for key, value in sorted(asked.question.items()))]
    words = [re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts]
    return f"{FOLDER}/{model}/{'.'.join(words)}.json"


def search_name(evidence: OfSearch) -> str:
    """The name of a search's certificate: the first words of what was asked, and a short hash of all of it."""
    text = repr(sorted(evidence.search.items()))
    words = re.sub(r"[^a-z0-9]+", "-", evidence.asked.lower()).strip("-")
    return f"{FOLDER}/search/{words[:60].strip('-')}.{sha256(text.encode()).hexdigest()[:8]}.json"
