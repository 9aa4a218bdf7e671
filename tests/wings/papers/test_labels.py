"""What a reading is of the page: the criterion as far as a program can check it, and the sum of a claim."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from documents import site_modules
from examined import at_least_one

from verifier.errors import InputError
from verifier.model.keys import Location
from verifier.wings.papers.ledger.criterion import CLAIM_WORDS, of_claim, of_part, refuse
from verifier.wings.papers.ledger.entry import REASONS, ClaimReading, Entry
from verifier.wings.papers.ledger.read import entries
from verifier.wings.papers.ledger.sheets import tally_text
from verifier.wings.papers.ledger.table import rows

with site_modules() as site:
    generated = site("generated")
READINGS = [(entry, reading) for entry in entries() for reading in entry.readings]
HOLD, FAIL = {"proved", "checked"}, {"refuted", "misprint", "ambiguous", "ill-posed"}


def a_reading(verdict: str = "proved", label: str = "as printed", **more: str) -> ClaimReading:
    made = ClaimReading("", label, "for all", verdict, "so", "", "", "", (), label=label)
    return replace(made, **more)  # type: ignore[arg-type]


def test_each_restored_reading_and_each_misprint_has_a_reason_of_the_list() -> None:
    for entry, reading in at_least_one(READINGS):
        wanted = reading.label == "restored" or reading.verdict == "misprint"
        assert (reading.because.partition(": ")[0] in REASONS) == wanted, (entry.file, entry.key(reading))
        assert reading.because.partition(": ")[2] or not wanted


def test_a_note_has_no_verdict_and_counts_for_nothing() -> None:
    for entry, reading in at_least_one(READINGS):
        assert (reading.label == "note") == (not reading.verdict), (entry.file, entry.key(reading))


def test_each_claim_is_counted_once_and_by_the_rule_as_it_is_written() -> None:
    """The rule of proofs/README.md, written a second time; and the counts of the page are those of the claims."""
    counts = Counter(_word(entry) for entry in entries())
    assert counts == {word: len(claims) for word, claims in generated.by_claim_word(rows()).items()}
    assert sum(counts.values()) == len(entries())
    assert generated.claims_text([]) == "0 claims"
    assert generated.claims_text(rows()).startswith(f"{len(entries())} claims: ")
    notes = sum(reading.label == "note" for _, reading in READINGS)
    assert tally_text(rows()).startswith(f"{len(READINGS) - notes} readings of {len(entries())} claims: ")
    assert tally_text(rows()).endswith(f"; and {notes} notes")


def _word(entry: Entry) -> str:
    said = set()
    for part in {reading.part for reading in entry.readings} - {"the proof", "the example"}:
        own = [reading for reading in entry.readings if reading.part == part]
        printed = [reading for reading in own if reading.label == "as printed"]
        restored = [reading.verdict in HOLD for reading in own if reading.label == "restored"]
        edges = [reading.verdict in FAIL for reading in own if reading.label == "edge case"]
        if not printed:
            said.add(("holds once corrected" if any(restored) else "fails") if restored else "note")
            continue
        (only,) = printed
        if only.verdict in FAIL and not only.edge:
            meant = only.verdict == "misprint" or any(restored)
            said.add("holds once corrected" if meant else {"refuted": "fails"}.get(only.verdict, only.verdict))
        elif only.edge or any(edges):
            said.add("holds but for an edge case")
        else:
            said.add("holds" if only.verdict in HOLD else only.verdict)
    order = (
        "fails",
        "ill-posed",
        "ambiguous",
        "holds once corrected",
        "holds but for an edge case",
        "undecided",
        "holds",
    )
    return next((word for word in (*order, "not decidable here") if word in said), "note")


WORDS = {
    "one that holds": ([a_reading()], "holds"),
    "a variant that fails": ([a_reading(), a_reading("refuted", "variant")], "holds"),
    "a note": ([a_reading("", "note")], "note"),
    "an edge that fails": ([a_reading(), a_reading("refuted", "edge case")], "holds but for an edge case"),
    "it fails at an edge": ([a_reading("refuted", edge="n = 1")], "holds but for an edge case"),
    "a misprint": ([a_reading("misprint")], "holds once corrected"),
    "restored": ([a_reading("refuted"), a_reading("proved", "restored")], "holds once corrected"),
    "wrongly restored": ([a_reading("refuted"), a_reading("refuted", "restored")], "fails"),
    "lost": ([a_reading("proved", "restored")], "holds once corrected"),
    "another part fails": ([a_reading(), a_reading("refuted", part="b")], "fails"),
    "its proof fails": ([a_reading(), a_reading("refuted", part="the proof")], "holds"),
    "not decidable in part": ([a_reading(), a_reading("not decidable here", part="b")], "holds"),
    "an open part": ([a_reading(), a_reading("undecided", part="b")], "undecided"),
    "ill-posed": ([a_reading("ill-posed"), a_reading("misprint", part="b")], "ill-posed"),
}


@pytest.mark.parametrize("name", WORDS)
def test_the_word_of_a_claim(name: str) -> None:
    readings, word = WORDS[name]
    assert of_claim(readings) == word
    assert word in CLAIM_WORDS


def test_what_only_one_part_says_is_the_word_of_the_part() -> None:
    assert of_part([a_reading("refuted", "variant")]) == "note"
    assert of_part([a_reading("undecided")]) == "undecided"


def test_a_definition_may_be_ambiguous() -> None:
    ambiguous = (a_reading("ambiguous"),)
    refuse(Entry("DMKB20", "x", "Definition 1", "", "", ambiguous), Location("x.toml"))
    with pytest.raises(InputError):
        refuse(Entry("DMKB20", "x", "Theorem 1", "", "", ambiguous), Location("x.toml"))
