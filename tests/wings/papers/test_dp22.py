"""The ledger's entries for DP22: all numbered statements are there, and what fails is shown twice."""

from __future__ import annotations

import json

import pytest

from verifier.wings.papers.ledger import read
from verifier.wings.papers.ledger.entry import OfDerivation, OfModel
from verifier.wings.papers.ledger.evidence_hashes import answers_of, bound_of

BOUND, ANSWERS = bound_of("DP22"), answers_of("DP22")
ENTRIES = {entry.claim: entry for entry in read.entries("DP22")}
FAILING = {
    f"{entry.claim}, {entry.key(reading)}": reading
    for entry in ENTRIES.values()
    for reading in entry.readings
    if reading.verdict in {"refuted", "misprint"}
}
RECORDS = {f"{entry.claim}, {name}": record for entry in ENTRIES.values() for name, record in BOUND[entry.slug].items()}
NUMBERED = [*(f"Definition {n}" for n in range(1, 47)), *(f"Proposition {n}" for n in range(1, 9)), "Table 3"]


@pytest.mark.parametrize("claim", NUMBERED)
def test_every_numbered_statement_has_an_entry(claim: str) -> None:
    assert ENTRIES[claim].readings[0].reading == "as printed"


def test_no_other_statement_is_numbered_like_one_of_them() -> None:
    numbered = [claim for claim in ENTRIES if claim.startswith(("Definition", "Proposition", "Table"))]
    assert sorted(numbered) == sorted(NUMBERED)


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_is_shown_by_different_code(name: str) -> None:
    """By a model, whose answer the independent checker confirms; or by two derivations, or one and a model."""
    shown = FAILING[name].showing("failure")
    models = {piece.title for piece in shown if isinstance(piece, OfModel)}
    confirmed = any(json.loads(ANSWERS[answer]).get("model") in models for answer in RECORDS[name].answers.confirmed)
    derivations = {(piece.module, piece.function) for piece in shown if isinstance(piece, OfDerivation)}
    assert confirmed or len(derivations) + bool(models) > 1
