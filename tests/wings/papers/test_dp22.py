"""The ledger's entries for DP22: all numbered statements are there, and what fails is shown twice."""

from __future__ import annotations

import pytest

from verifier.wings.papers.ledger import decide, read
from verifier.wings.papers.ledger.bind import CERTIFICATES, bound_of, certificates_in
from verifier.wings.papers.ledger.criterion import of_part, parts
from verifier.wings.papers.ledger.entry import ClaimReading, OfDerivation, OfModel

BOUND = bound_of("DP22")
ENTRIES = {entry.claim: entry for entry in read.entries("DP22")}
FAILING = {
    f"{entry.claim}, {entry.key(reading)}": reading
    for entry in ENTRIES.values()
    for reading in entry.readings
    if reading.verdict in {"refuted", "misprint"}
}
RECORDS = {f"{entry.claim}, {name}": record for entry in ENTRIES.values() for name, record in BOUND[entry.slug].items()}
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
    """By a model with a certificate, which the replay derives again; or by two derivations, or one and a model."""
    shown = FAILING[name].showing("failure")
    models = {f"{CERTIFICATES}{piece.model}/" for piece in shown if isinstance(piece, OfModel)}
    certified = any(certificate.startswith(tuple(models)) for certificate in certificates_in(RECORDS[name]))
    derivations = {(piece.module, piece.function) for piece in shown if isinstance(piece, OfDerivation)}
    assert certified or len(derivations) + bool(models) > 1


@pytest.mark.parametrize("name", ["Definition 13, as printed", "Proposition 2, the proof / as printed"])
def test_the_evidence_is_decided_again(name: str) -> None:
    reading: ClaimReading = FAILING[name]
    assert all(decide.decide(piece) for piece in reading.evidence)


def test_one_reading_of_dp() -> None:
    """ε-DP is Definition 2's, with records added, removed or changed; bounded DP is asked only where it is named."""
    unnamed = [
        f"{entry.claim}, {entry.key(reading)}"
        for entry in ENTRIES.values()
        for reading in entry.readings
        for piece in reading.evidence
        if isinstance(piece, OfModel) and {"dp", "bodp"} & {asked.definition for asked in piece.asks}
        if "ounded" not in f"{reading.means} {reading.found} {reading.repaired}"
    ]
    assert unnamed == []


AS_ITS_AUTHOR_MEANS = {
    ("Definition 20", "induced neighbours"): "undecided",
    ("Definition 34", "extends bounded DP"): "holds",
    ("Definition 34", "represents DP"): "holds",
    ("Definition 41", "from DP"): "holds",
    ("section 6.1, DP under sampling", "k-anonymity"): "holds",
    ("section 10, further rows of the table", "negative membership privacy"): "holds",
    (
        "section 10, the columns of axioms in the table",
        "Bayesian DP of YSN15, correlated DP and prior DP, composition",
    ): "undecided",
    ("Definition 25", "gives DP"): "holds but for an edge case",
    ("Definition 28", "independent records"): "holds but for an edge case",
    ("Definition 39", "Table 3"): "holds but for an edge case",
    ("section 3.3, theorem on concentrated privacy", "line 6"): "holds but for an edge case",
    ("section 3.4, families of parameters", "Rényi DP"): "holds but for an edge case",
    ("section 8.1, what leaks", "strictly weaker"): "holds but for an edge case",
    ("section 10, further rows of the table", "random DP"): "holds as restored",
    ("section 10, further rows of the table", "causal DP"): "holds as restored",
    ("section 10, the columns of axioms in the table", "aposteriori noiseless privacy, composition"): (
        "holds as restored"
    ),
}
"""The word of parts of which a less charitable reading fails; it is a variant, or an end of a range."""


@pytest.mark.parametrize("name", AS_ITS_AUTHOR_MEANS, ids=", ".join)
def test_a_part_is_read_as_its_author_means_it(name: tuple[str, str]) -> None:
    claim, part = name
    words = {own: of_part(readings) for own, readings in parts(ENTRIES[claim].readings)}
    assert words[part] == AS_ITS_AUTHOR_MEANS[name]
