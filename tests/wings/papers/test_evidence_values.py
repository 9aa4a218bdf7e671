"""The sentences of the ledger are filled with the values of their evidence, and what is proved is proved of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from examined import at_least_one

from verifier.errors import InputError
from verifier.model.library import proofs_folder
from verifier.model.model import Expectation
from verifier.wings.papers.ledger import build, table
from verifier.wings.papers.ledger.decide import Unshown, refuse_cases
from verifier.wings.papers.ledger.entry import (
    ClaimReading,
    Entry,
    Evidence,
    OfBound,
    OfDerivation,
    OfModel,
    OfProof,
    OfTheorem,
)
from verifier.wings.papers.ledger.evidence_hashes import BoundReading, bound_of
from verifier.wings.papers.ledger.evidence_values import PLACEHOLDER, SENTENCES, filled, reading_values, values_of
from verifier.wings.papers.ledger.read import PAPERS, entries
from verifier.wings.papers.ledger.steps import equal, unsatisfiable

ENTRY = """claim = "Theorem 1"
place = "section 1"
statement = "It holds."
[[reading]]
reading = "as printed"
means = "for all"
verdict = "refuted"
found = "FOUND"
repaired = "none: it is a test"
[[reading.evidence]]
shows = "failure"
model = "DMKB20/example-4-as-printed"
asks = [
  { definition = "cdp", verdict = "fails", tight_epsilon = "inf" },
  { definition = "ibcdp", verdict = "holds", tight_epsilon = "0" },
  { definition = "np", epsilon = "0", tight_delta = "1" },
]
"""


PROVED = """claim = "Theorem 1"
place = "section 1"
statement = "It holds."
[[reading]]
reading = "as printed"
means = "for all"
verdict = "proved"
found = "{cases 1} cases"
[[reading.evidence]]
shows = "claim"
derivation = "listed.cases"
"""


def _written(folder: Path, found: str) -> Path:
    path = folder / "DMKB20" / "theorem-1.toml"
    path.write_text(ENTRY.replace("FOUND", found), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        ("IBCDP has ε = {ibcdp tight_epsilon}.", "IBCDP has ε = 0."),
        ("{np epsilon=0 tight_delta} and {tight_epsilon cdp}", "1 and inf"),
        ("{DMKB20/example-4-as-printed tight_delta}", "1"),
        ("D and D ∪ {t}, T = {0, 1, 2}, {o: P(o) > e^ε·Q(o)}, p_{i,k}", None),
    ],
)
def test_a_sentence_is_filled_where_it_is_shown(folder: Path, found: str, shown: str | None) -> None:
    path = _written(folder, found)
    assert build.main([]) == 0
    (row,) = table.rows()
    assert (row.verdict, row.reading.found) == ("refuted", found if shown is None else shown)
    assert row.entry.readings == (row.reading,)
    path.write_text(path.read_text(encoding="utf-8").replace("It holds.", "It fails."), encoding="utf-8")
    (row,) = table.rows()
    assert (row.verdict, row.reading.found) == ("stale", found)


@pytest.mark.parametrize(
    ("found", "stands"),
    [
        ("{cdp tight_delta}", "which stands for no value"),
        ("{np tight_epsilon}", "which stands for no value"),
        ("{example_4 1}", "which stands for no value"),
        ("{DMKB20/example-4-as-printed tight_epsilon}", "which stands for 0, inf"),
    ],
)
def test_the_build_refuses_a_placeholder_without_one_value(
    folder: Path, capsys: pytest.CaptureFixture[str], found: str, stands: str
) -> None:
    _written(folder, found)
    assert build.main([]) == 1
    said = capsys.readouterr().out
    assert f"proofs/DMKB20/theorem-1.toml: as printed: `found` has {found}, {stands}" in said
    assert not list(folder.rglob("*.json"))


def test_the_words_of_a_value_name_its_evidence() -> None:
    asked = Expectation("apkdp", {"epsilon": "2", "distribution": "three votes"}, {"tight_delta": "2/3"})
    bound = OfBound("failure", "theorem-3", "", {"n": ("2",)}, "no")
    lines = ("the bound is below the exact value in all of 1", "n = 2: claimed δ 1/2, exact 0.75")
    cases: tuple[tuple[Evidence, tuple[str, ...], list[tuple[str, str]]], ...] = (
        (OfModel("claim", "a/b", (asked,)), (), [("a/b apkdp epsilon=2 distribution=three votes tight_delta", "2/3")]),
        (OfDerivation("claim", "D20", "second", "sums"), ("at p: 1/2: 3/4",), [("sums 1", "3/4")]),
        (bound, lines, [("theorem-3 2 claimed", "1/2"), ("theorem-3 2 exact", "0.75")]),
        (replace(bound, shows="size"), lines, []),
        (OfProof("claim", "bounds.md", "x"), (), []),
    )
    for evidence, said, named in at_least_one(cases):
        assert list(values_of(evidence, said)) == [(frozenset(words.split()), value) for words, value in named]


Known = tuple[Entry, ClaimReading, BoundReading]


def _readings(wanted: Callable[[ClaimReading], object]) -> list[Known]:
    """The readings of the ledger of this kind, unfilled, with their records."""
    bounds = {paper: bound_of(paper) for paper in PAPERS}
    return [
        (entry, reading, bounds[entry.paper][entry.slug][entry.key(reading)])
        for entry in entries()
        for reading in entry.readings
        if wanted(reading)
    ]


def test_a_sentence_of_the_ledger_follows_its_evidence() -> None:
    """Where every value of the evidence is another one, so is the sentence: no placeholder has a text of its own."""

    def has_placeholder(reading: ClaimReading) -> bool:
        return any(PLACEHOLDER.search(getattr(reading, name)) for name in SENTENCES)

    for entry, reading, record in at_least_one(_readings(has_placeholder)):
        known = reading_values(reading, record.said)
        shown = filled(reading, SENTENCES, known)
        assert not has_placeholder(shown), entry.file
        other = filled(reading, SENTENCES, [(words, f"not {value}") for words, value in known])
        named = [name for name in SENTENCES if getattr(other, name) != getattr(shown, name)]
        assert named == [name for name in SENTENCES if PLACEHOLDER.search(getattr(reading, name))], entry.file


def test_a_placeholder_of_the_ledger_is_refused_without_its_evidence() -> None:
    entry, reading, record = next(one for one in _readings(lambda _: True) if one[0].slug == "theorem-3")
    with pytest.raises(InputError, match="stands for no value"):
        filled(reading, SENTENCES, [])
    assert "exact 2/3 at p = 1/3" in filled(reading, SENTENCES, reading_values(reading, record.said)).found
    assert "{apkdp tight_delta}" in (proofs_folder().parent / entry.file).read_text(encoding="utf-8")


# --- what is proved by cases --------------------------------------------------------------------------------

LISTED = (equal(4, 4, "the cases"), "e^ε: 3")
WRITTEN = OfProof("claim", "acceptability.md", "acceptability-is-decided-by-sorting")


@pytest.mark.parametrize(
    ("verdict", "is_general", "pieces", "cases", "message"),
    [
        ("proved", False, (), "", "its evidence is cases alone"),
        ("proved", False, (), "many were tried", "its evidence is cases alone"),
        ("proved", False, (), "one is enough", ""),
        ("proved", False, (), "these are all: n = 1", ""),
        ("proved", True, (), "", ""),
        ("proved", False, (WRITTEN,), "", ""),
        ("proved", True, (), "one is enough", "Expected no key"),
        ("proved", False, (WRITTEN,), "one is enough", "Expected no key"),
        ("proved", False, (replace(WRITTEN, shows="repair"),), "", "its evidence is cases alone"),
        ("checked", False, (), "", ""),
        ("checked", False, (), "one is enough", "Expected no key"),
    ],
)
def test_cases_prove_a_claim_only_with_a_reason(
    verdict: str, pieces: tuple[Evidence, ...], cases: str, message: str, *, is_general: bool
) -> None:
    import z3

    x = z3.Real("x")
    steps = (unsatisfiable([x > 1, x < 0], "no such x"), *LISTED) if is_general else LISTED
    evidence = (OfDerivation("claim", "D20", "second", "sums"), *pieces)
    mine = ClaimReading("", "as printed", "so", verdict, "so", "", "", "", evidence, cases=cases)
    conclusions = (steps, *(() for _ in pieces))
    if not message:
        refuse_cases(mine, conclusions)
        return
    with pytest.raises(Unshown, match=message):
        refuse_cases(mine, conclusions)


def test_the_build_refuses_a_proof_by_cases(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = build.__package__
    derivation = f"from {package}.steps import equal\ndef cases(): return (equal(4, 4, 'the cases'),)\n"
    (folder / "DMKB20" / "listed.py").write_text(derivation, encoding="utf-8")
    (folder / "DMKB20" / "theorem-1.toml").write_text(PROVED, encoding="utf-8")
    assert build.main([]) == 1
    assert "theorem-1.toml: as printed: it is proved, and its evidence is cases alone" in capsys.readouterr().out
    (folder / "DMKB20" / "theorem-1.toml").write_text(
        PROVED.replace("[[reading.evidence]]", 'cases = "these are all"\n[[reading.evidence]]'), encoding="utf-8"
    )
    assert build.main([]) == 0


def test_no_reading_of_the_ledger_is_proved_by_cases_without_a_reason() -> None:
    """Each proved reading without its general steps, theorems and written proofs is refused: none is passed over."""
    for _, reading, _ in at_least_one(_readings(lambda reading: reading.verdict == "proved")):
        kept = tuple(piece for piece in reading.evidence if not isinstance(piece, OfProof | OfTheorem))
        with pytest.raises(Unshown, match="its evidence is cases alone"):
            refuse_cases(replace(reading, evidence=kept, cases=""), tuple(LISTED for _ in kept))
