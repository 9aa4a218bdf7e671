"""The ledger's entries for DP22: all numbered statements are there, and what fails is shown twice."""

from __future__ import annotations

import pytest

from verifier.wings.papers.ledger import decide, read
from verifier.wings.papers.ledger.entry import ClaimReading, OfDerivation, OfModel

ENTRIES = {entry.claim: entry for entry in read.entries("DP22")}
FAILING = {
    f"{entry.claim}, {entry.key(reading)}": reading
    for entry in ENTRIES.values()
    for reading in entry.readings
    if reading.verdict in {"refuted", "misprint"}
}
NUMBERED = [*(f"Definition {n}" for n in range(1, 47)), *(f"Proposition {n}" for n in range(1, 9)), "Table 3"]
AS_PRINTED = {
    "Definition 13": "misprint",
    "Definition 22": "ill-posed",
    "Definition 25": "ambiguous",
    "Definition 33": "proved",
    "Definition 45": "not decidable here",
    "Proposition 1": "refuted",
    "Proposition 4": "proved",
}
"""The verdict on the first reading as printed, of some statements."""


@pytest.mark.parametrize("claim", NUMBERED)
def test_every_numbered_statement_has_an_entry(claim: str) -> None:
    assert ENTRIES[claim].readings[0].reading == "as printed"


def test_no_other_statement_is_numbered_like_one_of_them() -> None:
    numbered = [claim for claim in ENTRIES if claim.startswith(("Definition", "Proposition", "Table"))]
    assert sorted(numbered) == sorted(NUMBERED)


@pytest.mark.parametrize("claim", AS_PRINTED)
def test_the_verdict_as_printed(claim: str) -> None:
    assert ENTRIES[claim].readings[0].verdict == AS_PRINTED[claim]


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_is_shown_by_different_code(name: str) -> None:
    """By a model and a derivation, which shares nothing with the checkers; or by two derivations."""
    shown = FAILING[name].showing("failure")
    derivations = {(piece.module, piece.function) for piece in shown if isinstance(piece, OfDerivation)}
    assert derivations
    assert len(derivations) + any(isinstance(piece, OfModel) for piece in shown) > 1


@pytest.mark.parametrize("name", ["Definition 13, as printed", "Proposition 2, the proof / as printed"])
def test_the_evidence_is_decided_again(name: str) -> None:
    reading: ClaimReading = FAILING[name]
    assert all(decide.decide(piece) for piece in reading.evidence)
