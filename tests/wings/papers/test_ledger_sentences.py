"""The sentences of the ledger are bound: planted numbers, planted words about all, and exceptions are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from examined import at_least_one

from verifier.errors import InputError
from verifier.model.model import Expectation
from verifier.wings.papers.ledger import build
from verifier.wings.papers.ledger.entry import (
    ClaimReading,
    Entry,
    Evidence,
    OfDerivation,
    OfModel,
    OfProof,
    OfSearch,
    OfTheorem,
)
from verifier.wings.papers.ledger.evidence_hashes import BoundReading, bound_of
from verifier.wings.papers.ledger.numerals import numerals
from verifier.wings.papers.ledger.read import PAPERS, entries
from verifier.wings.papers.ledger.sentences import exceptions, unbound
from verifier.wings.report.generated import ledger_page

HEAD = 'claim = "Theorem 1"\nplace = "section 1"\nstatement = "It holds for n = 7."\n'
ENTRY = (
    HEAD
    + """[[reading]]
reading = "as printed"
means = "for all"
verdict = "refuted"
found = "FOUND"
repaired = "none: it is a test"
[[reading.evidence]]
shows = "failure"
carries = [ CARRIES ]
model = "DMKB20/example-4-as-printed"
asks = [
  { definition = "cdp", verdict = "fails", tight_epsilon = "inf" },
  { definition = "ibcdp", verdict = "holds", tight_epsilon = "0" },
  { definition = "np", epsilon = "0", tight_delta = "1" },
  { definition = "np", epsilon = "inf", tight_delta = "1" },
]
"""
)


def _refused(
    folder: Path, capsys: pytest.CaptureFixture[str], found: str, carries: str = "", more: str = ""
) -> list[str]:
    """What the build refuses of an entry with this sentence, a line each."""
    text = ENTRY.replace("FOUND", found).replace("CARRIES", f'"{carries}"' if carries else "") + more
    (folder / "DMKB20" / "theorem-1.toml").write_text(text, encoding="utf-8")
    status = build.main(["--check"])
    lines = [line for line in capsys.readouterr().out.splitlines() if "proofs/DMKB20/theorem-1.toml" in line]
    assert status == 1
    return lines


# --- numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Theorem 3 and Definitions 5 and 6, section 2.4, equation (1), records 0 and 1, A.1", []),
        ("DMKB20, LQS12/table-1, models/bounds/x-3.toml, theorem-3.9-one, D(0), β₂, x1, φ₀", []),
        ("n - 1 of 1 + β, in [0, 1]", []),
        ("0/0 = ∞ and ln 0", []),
        ("with ε = 0 and δ = 1", ["0", "1"]),
        ("δ = 1 - β", []),
        ("n = 1,000, p = 1/200; 2ε", ["1,000", "1/200", "2"]),
        ("ln(3/2), 1/2·ln(9/2) and ln 4", ["ln(3/2)", "1/2·ln(9/2)", "ln 4"]),
        ("5.74·10⁻⁴⁶¹ of 2^20 and 10⁻⁶", ["5.74·10⁻⁴⁶¹", "2^20", "10⁻⁶"]),
        ("three records, the two of them, half", ["three", "half"]),
    ],
)
def test_what_is_a_number_of_a_text(text: str, stated: Sequence[str]) -> None:
    found = sorted((one for one in numerals(text) if not one.is_constant), key=lambda one: one.start)
    assert [one.text for one in found] == list(stated)


@pytest.mark.parametrize(
    ("stated", "recorded", "met"),
    [
        ("1/2", "50 %", True),
        ("0.5", "1/2", True),
        ("2·ln 2", "ln(4)", True),
        ("ln(3/2)", "3/2", True),
        ("ln(3/2)", "ln(3/4)", False),
        ("0.333", "1/3", True),
        ("0.334", "1/3", False),
        ("0.69", "ln(2)", True),
        ("0.70", "ln(2)", False),
        ("5.74·10⁻⁴⁶¹", "5.7413e-461", True),
        ("1/3", "0.333", False),
        ("1,000", "10^3", True),
        ("half", "1/2", True),
    ],
)
def test_numbers_are_compared_as_exact_values(stated: str, recorded: str, *, met: bool) -> None:
    assert next(numerals(stated)).is_met_by(next(numerals(recorded))) is met


def test_a_planted_number_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = _refused(folder, capsys, "It is 3/11 at n = 7.")
    for part in ("theorem-1.toml: as printed", "`found` says 3/11", "It is 3/11 at n = 7", "neither in its evidence"):
        assert part in line
    assert _refused(folder, capsys, "By Theorem 8 it is 1/2 of 7, and NP has δ = 1.") == []
    (line,) = _refused(folder, capsys, "There are five worlds.")
    assert "says five" in line


# --- what is said of all ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "carries", "message"),
    [
        ("CDP holds for no ε.", "", "no evidence says that it `carries` it"),
        ("CDP holds for no ε.", "CDP holds", "no evidence says that it `carries` it"),
        ("It holds for every n.", "for every n", "a model is a single case"),
        ("It never holds.", "It never holds", "a model is a single case"),
        ("NP holds for no ε.", "for no ε", "it asks for no `tight_epsilon` that is inf"),
        ("DDP holds for no ε.", "for no ε", "it does not ask for ddp"),
        ("NP has δ = 1/2 at every ε.", "at every ε", "do not record tight_delta = 1/2 at epsilon = 0"),
        ("IBCDP has δ = 0 at every ε.", "at every ε", "do not record tight_delta = 0 at epsilon = 0"),
    ],
)
def test_planted_words_about_all_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], found: str, carries: str, message: str
) -> None:
    assert any(message in line for line in _refused(folder, capsys, found, carries))


def test_exact_answers_of_one_model_carry_words_about_all_epsilon(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _refused(folder, capsys, "CDP holds for no ε.", "CDP holds for no ε") == []
    assert _refused(folder, capsys, "NP has δ = 1 at every ε.", "at every ε") == []
    lines = _refused(folder, capsys, "CDP holds for no ε.", "for no ε and n")
    assert any("carries “for no ε and n”, which none of" in line for line in lines)


def _entry(paper: str, slug: str, key: str) -> tuple[Entry, ClaimReading, BoundReading]:
    (entry,) = (one for one in entries(paper) if one.slug == slug)
    (reading,) = (one for one in entry.readings if entry.key(one) == key)
    return entry, reading, bound_of(paper)[slug][key]


def _carried_by(reading: ClaimReading, number: int, words: str) -> ClaimReading:
    """The reading, with words about all on one piece of evidence alone."""
    pieces = [replace(one, carries=(words,) if k == number else ()) for k, one in enumerate(reading.evidence)]
    return replace(reading, evidence=tuple(pieces))


def test_one_model_does_not_carry_a_repaired_statement() -> None:
    """DMKB20, Example 4 repaired said that the parity is in CDP for no ε: for R on {0, 2} it is, with ε = 0."""
    entry, reading, record = _entry("DMKB20", "example-4", "might be in NP / as printed")
    sentence = "The parity of the sum is in NP with ε = 0 and in CDP for no ε, and serves the example's purpose."
    false = replace(reading, repaired=sentence)
    derived = next(k for k, one in enumerate(reading.evidence) if "parity" in one.title)
    before = ("two pairs: NP, the smallest e^ε: 1", "CDP: no finite e^ε: none")
    said = tuple(before if k == derived else lines for k, lines in enumerate(record.said))
    for number in range(len(false.evidence)):
        lines = list(unbound(entry, _carried_by(false, number, "in CDP for no ε"), replace(record, said=said)))
        assert any("cannot carry" in line and "in CDP for no ε" in line for line in lines)
    assert list(unbound(entry, reading, record)) == []


GENERAL = ("x ≤ y: the negation has no real solution",)
SINGLE = ("one model: 1/2",)
SEARCHED = OfSearch("repair", {"claim": "np(e) => cdp(e)"}, 4)
ASKED = OfModel("repair", "DMKB20/example-4-repaired", (Expectation("cdp", {}, {"tight_epsilon": "inf"}),))


@pytest.mark.parametrize(
    ("evidence", "said", "repaired", "fine"),
    [
        (OfDerivation("repair", "DMKB20", "copied_records", "parity"), GENERAL, "It holds for all n.", True),
        (OfDerivation("repair", "DMKB20", "copied_records", "parity"), SINGLE, "It holds for all n.", False),
        (OfDerivation("claim", "DMKB20", "copied_records", "parity"), GENERAL, "It holds for all n.", False),
        (OfProof("repair", "relations.md", "dp-to-cdp"), (), "It holds for all n.", True),
        (SEARCHED, ("no model among 4",), "It holds for all n.", True),
        (ASKED, (), "It holds for no ε.", False),
        (ASKED, (), "DMKB20/example-4-repaired is in CDP for no ε.", True),
    ],
)
def test_what_can_carry_a_repaired_statement(
    evidence: Evidence, said: tuple[str, ...], repaired: str, *, fine: bool
) -> None:
    entry, reading, record = _entry("DMKB20", "example-4", "might be in NP / as printed")
    carrying = replace(evidence, carries=(repaired,))
    mine = replace(reading, means="so", found="so", repaired=repaired, evidence=(carrying,))
    lines = list(unbound(entry, mine, replace(record, said=(said,))))
    assert any("cannot carry" in line for line in lines) is not fine


# --- what is proved by cases --------------------------------------------------------------------------------

LISTED = ("n² ≥ n: all of 4 cases", "e^ε: 3")
SOLVED = ("p ≤ E·q: the negation has no real solution", "e^ε: 3")
WRITTEN = OfProof("claim", "acceptability.md", "acceptability-is-decided-by-sorting")


@pytest.mark.parametrize(
    ("verdict", "said", "pieces", "cases", "message"),
    [
        ("proved", LISTED, (), "", "its evidence is cases alone"),
        ("proved", LISTED, (), "many were tried", "its evidence is cases alone"),
        ("proved", LISTED, (), "one is enough", ""),
        ("proved", LISTED, (), "these are all: n = 1", ""),
        ("proved", SOLVED, (), "", ""),
        ("proved", ("the two sums: the difference is identically 0",), (), "", ""),
        ("proved", LISTED, (WRITTEN,), "", ""),
        ("proved", SOLVED, (), "one is enough", "leave it out"),
        ("proved", LISTED, (WRITTEN,), "one is enough", "leave it out"),
        ("checked", LISTED, (), "", ""),
        ("checked", LISTED, (), "one is enough", "leave it out"),
    ],
)
def test_cases_prove_a_claim_only_with_a_reason(
    verdict: str, said: tuple[str, ...], pieces: tuple[Evidence, ...], cases: str, message: str
) -> None:
    entry, reading, record = _entry("DP22", "definition-1", "as printed")
    evidence = (*reading.evidence[:1], *pieces)
    mine = replace(reading, verdict=verdict, means="so", found="so", evidence=evidence, cases=cases)
    lines = list(unbound(entry, mine, replace(record, said=(said, *(() for _ in pieces)))))
    assert [message in line for line in lines] == ([True] if message else [])


@pytest.mark.sweep(5)
@pytest.mark.parametrize("paper", PAPERS)
def test_no_reading_of_the_ledger_is_proved_by_cases_without_a_reason(paper: str) -> None:
    """Each proved reading without its general steps, theorems and written proofs is refused: none is passed over."""
    bounds = bound_of(paper)
    proved = [(entry, each) for entry in entries(paper) for each in entry.readings if each.verdict == "proved"]
    for entry, reading in at_least_one(proved):
        kept = tuple(piece for piece in reading.evidence if not isinstance(piece, OfProof | OfTheorem))
        mine = replace(reading, evidence=kept, cases="")
        record = replace(bounds[entry.slug][entry.key(reading)], said=tuple(LISTED for _ in kept))
        assert any("its evidence is cases alone" in line for line in unbound(entry, mine, record)), reading.title


# --- exceptions ---------------------------------------------------------------------------------------------

EXCEPTED = '[[reading.unbound]]\nsays = "3/11 at"\nbecause = "found by hand"\n'


def test_exceptions_have_a_reason_and_except_something(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _refused(folder, capsys, "It is 3/11 at n = 7.", more=EXCEPTED) == []
    (line,) = _refused(folder, capsys, "It is 1 at n = 7.", more=EXCEPTED)
    assert "the exception “3/11 at” excepts nothing" in line
    for without in (EXCEPTED.replace("found by hand", ""), EXCEPTED.replace('because = "found by hand"\n', "")):
        with pytest.raises(InputError, match="because"):
            _refused(folder, capsys, "It is 3/11 at n = 7.", more=without)
    (folder / "DMKB20" / "theorem-1.toml").write_text(
        ENTRY.replace("FOUND", "It is 3/11 at n = 7.").replace("CARRIES", "") + EXCEPTED, encoding="utf-8"
    )
    build.main(["--check"])
    assert "words of sentences that no evidence has: 1, each with its reason" in capsys.readouterr().out


EXCEPTIONS = 2
"""How many there are; a new one is a decision, written here and on the page of all claims."""


def test_the_ledger_has_few_exceptions() -> None:
    assert len(exceptions(entries())) == EXCEPTIONS
    assert f"Words of sentences that no evidence has: {EXCEPTIONS}." in ledger_page()


@pytest.mark.sweep(5)  # `make fresh` says it of all
@pytest.mark.parametrize("paper", PAPERS)
def test_every_sentence_of_the_ledger_is_bound(paper: str) -> None:
    bounds = bound_of(paper)
    lines = [
        line
        for entry in entries(paper)
        for reading in entry.readings
        for line in unbound(entry, reading, bounds[entry.slug][entry.key(reading)])
    ]
    assert lines == []
