"""The certificates of the answers about models, and of the searches, that an entry rests on, by file name."""

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
    """The texts of the certificates of a piece of evidence, by their names from the root of the repository.

    A bound, a derivation and a written proof have none; nor has an answer that is too large.
    """
    certificates = {}
    if isinstance(evidence, OfSearch):
        certificates[search_name(evidence)] = search_file(searched(evidence))
    elif isinstance(evidence, OfModel):
        for expectation in evidence.asks:
            text = _certificate(evidence.model, expectation)
            if text is not None:
                certificates[name_of(evidence.model, expectation)] = text
    return certificates


def _certificate(name: str, expectation: Expectation) -> str | None:
    """The text of an answer's certificate; None for properties, and where the answer is too large for one."""
    if expectation.definition in PROPERTIES:
        return None
    model, engine = engine_of(name)
    try:
        if expectation.definition == "acceptable":
            return acceptability_file(model, expectation.question)
        return verdict_file(*answered(model, expectation, engine))
    except UnsupportedError:
        return None


def name_of(model: str, expectation: Expectation) -> str:
    """The file name of a certificate: the folder of the model, then the definition and the parameters that are given.

    >>> name_of("DMKB20/example-2", Expectation("cdp", {"epsilon": "1/2*ln(2)", "reading": "one-order"}, {}))
    'proofs/certificates/DMKB20/example-2/cdp.epsilon-1-2-ln-2.reading-one-order.json'
    """
    words_of_question = [
        expectation.definition,
        *(f"{key}-{value}" for key, value in sorted(expectation.question.items())),
    ]
    words = [re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words_of_question]
    return f"{FOLDER}/{model}/{'.'.join(words)}.json"


def search_name(evidence: OfSearch) -> str:
    """The file name of a search's certificate: the first words of its statement, and a short hash of its parameters."""
    text = repr(sorted(evidence.search.items()))
    words = re.sub(r"[^a-z0-9]+", "-", evidence.statement_text.lower()).strip("-")
    return f"{FOLDER}/search/{words[:60].strip('-')}.{sha256(text.encode()).hexdigest()[:8]}.json"
