"""One row for each theorem: its verdict is the ledger's, and what is said of a failure has the ledger's evidence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from textwrap import wrap

import pytest
import statement_checks
from examined import at_least_one

from verifier.cli.main import run
from verifier.errors import InputError
from verifier.model.library import models_folder
from verifier.show.pages import PlainRenderer
from verifier.show.sections import plain_text
from verifier.version import CITED
from verifier.wings.papers.ledger import statements as module
from verifier.wings.papers.ledger.brief import AS_PRINTED, LETTERS, RECORDED, REST, Told, brief, fitted
from verifier.wings.papers.ledger.criterion import (
    BUT_FOR_AN_EDGE,
    CLAIM_WORDS,
    FAILS,
    HOLDS,
    NOT_HERE,
    UNDECIDED,
)
from verifier.wings.papers.ledger.entry import FAILING, ClaimReading, OfBound
from verifier.wings.papers.ledger.read import PAPERS, entries
from verifier.wings.papers.ledger.sections import (
    claim_sections,
    definitions_of,
    statement_section,
    theorems_of,
    uses_text,
)
from verifier.wings.papers.ledger.statement_sheets import counterexample_sheets
from verifier.wings.papers.ledger.statements import (
    HOW_BADLY,
    RESTORED,
    WORDS,
    Failure,
    Statement,
    failures_of,
    statements,
)
from verifier.wings.papers.ledger.table import STALE, ReadingRow, rows, word_of
from verifier.wings.papers.theorems import quoted

KINDS = ("theorem", "proposition", "lemma", "corollary")


@pytest.fixture(scope="module")
def every() -> tuple[Statement, ...]:
    return statements()


@pytest.fixture
def theorem_5(every: tuple[Statement, ...]) -> Statement:
    return next(statement for statement in every if statement.key == "DMKB20-theorem-5")


def test_no_row_contradicts_the_ledger() -> None:
    """Each reading as printed that fails has one failure with a model and a repair that the ledger has."""
    assert statement_checks.problems() == []


def test_every_numbered_statement_has_a_row(every: tuple[Statement, ...]) -> None:
    """Counted by another way than that of the rows: by the first word of every claim of the ledger."""
    wanted = {
        (entry.paper, entry.claim)
        for entry in entries()
        if entry.claim.split()[0].lower() in KINDS and re.fullmatch(r"\S+ [\d.]+", entry.claim)
    }
    assert {(statement.entry.paper, statement.entry.claim) for statement in every} == wanted
    assert len(every) == len(wanted) >= 35
    assert {statement.entry.paper for statement in every} == set(PAPERS)


def test_a_failure_says_what_the_readings_say(every: tuple[Statement, ...]) -> None:
    """A statement has failures where a reading of what is printed fails; one that is restored says why."""
    for statement in at_least_one(every):
        of_page = [row for row in statement.rows if row.reading.part not in {"the proof", "the example"}]
        failing = [
            row for row in of_page if row.reading.label in {"as printed", "edge case"} and row.verdict in FAILING
        ]
        assert bool(statement.failures) == bool(failing), statement.key
        assert (statement.badly in HOW_BADLY) == bool(failing)
        assert statement.verdict in WORDS
        assert (statement.verdict in {FAILS, BUT_FOR_AN_EDGE}) <= bool(failing)
        assert statement.known_by or statement.verdict in {NOT_HERE, UNDECIDED}, statement.key
        for failure in statement.failures:
            word = statement.word_of(failure)
            assert word in {FAILS, RESTORED, BUT_FOR_AN_EDGE}
            assert bool(failure.restored) == (word == RESTORED) or word == BUT_FOR_AN_EDGE


def test_a_stale_reading_makes_the_row_stale(theorem_5: Statement) -> None:
    first, *others = theorem_5.rows
    assert replace(theorem_5, rows=(replace(first, fresh=False), *others)).verdict == STALE
    printed = first.reading
    assert replace(theorem_5, rows=_with(theorem_5, replace(printed, edge="n = 1"))).verdict == BUT_FOR_AN_EDGE
    assert replace(theorem_5, rows=_with(theorem_5, replace(printed, verdict="misprint"))).verdict == RESTORED
    assert theorem_5.verdict == FAILS


def test_a_bound_that_fails_has_a_size_of_practice(every: tuple[Statement, ...]) -> None:
    """A statement of DMKB20 that a bound refutes says what the bound gives at a size that somebody may have."""
    refuted = [
        statement
        for statement in every
        if statement.entry.paper == "DMKB20"
        and any(isinstance(piece, OfBound) for row in statement.failing for piece in row.reading.showing("failure"))
    ]
    assert {statement.entry.claim for statement in refuted} >= {"Theorem 3", "Theorem 4", "Theorem 5", "Proposition 7"}
    for statement in refuted:
        lines = [line for failure in statement.failures for line in statement.sizes(failure)]
        assert lines, statement.key
        for line in lines:
            assert re.search(r"claimed δ = \S+ at ε = \S+, exact δ of .* \S+; the bound (does not )?cover", line), line
            assert f" {line}." in said(statement)


def said(statement: Statement) -> str:
    """The statement in full, as a terminal prints it, but for its tables."""
    return "\n\n".join(PlainRenderer().section(statement_section(statement), 2))


def _with(statement: Statement, reading: ClaimReading) -> tuple[ReadingRow, ...]:
    """The rows of the statement with another first reading."""
    first, *others = statement.rows
    return (replace(first, reading=reading), *others)


def _with_part(statement: Statement, part: str, verdict: str) -> Statement:
    """The statement with one more part, as printed, that has this verdict."""
    first = statement.rows[0]
    added = replace(first, reading=replace(first.reading, part=part, reading="as printed", verdict=verdict))
    return replace(statement, rows=(*statement.rows, added))


def test_a_proof_that_fails_is_named_and_decides_nothing(every: tuple[Statement, ...]) -> None:
    theorem_1 = next(statement for statement in every if statement.key == "DMKB20-theorem-1")
    changed = _with_part(theorem_1, "the proof", "misprint")
    assert changed.verdict == HOLDS
    assert "Other readings that fail: " in said(changed)
    assert "the proof / as printed" in changed.also_fails
    assert _with_part(theorem_1, "another part", "refuted").verdict == FAILS
    assert _with_part(theorem_1, "another part", "misprint").verdict == RESTORED
    assert _with_part(theorem_1, "another part", "undecided").verdict == UNDECIDED
    partly = _with_part(theorem_1, "infinite sums", NOT_HERE)
    assert partly.verdict == HOLDS
    assert "Not decidable here: infinite sums." in said(partly)
    alone = replace(theorem_1, rows=partly.rows[-1:])
    assert (alone.verdict, alone.not_here) == (NOT_HERE, ())


def _changed(**values: object) -> Callable[[Failure], Failure]:
    return lambda failure: replace(failure, **values)  # type: ignore[arg-type]


CONTRADICTIONS: dict[str, tuple[Callable[[Failure], Failure], str]] = {
    "a reading that holds": (_changed(of=("closed form / as printed",)), "is no reading as printed that fails"),
    "a reading that is not as printed": (_changed(of=("numerical form / e^ε",)), "is no reading as printed that"),
    "no reading": (_changed(of=()), "fails, and 0 failures are about it. Expected one"),
    "a model of something else": (_changed(model="DMKB20/example-1-side"), "is no model by which the ledger shows"),
    "another statement": (_changed(claim="Theorem 33"), "Theorem 33 is no numbered statement of DMKB20"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change, message = CONTRADICTIONS[name]
    genuine = failures_of("DMKB20")
    changed = tuple(change(failure) if failure.claim == "Theorem 3" else failure for failure in genuine)
    for where in (module, statement_checks):
        monkeypatch.setattr(where, "failures_of", lambda paper: changed if paper == "DMKB20" else failures_of(paper))
    assert any(message in line for line in statement_checks.problems("DMKB20"))


def test_the_sentences_of_a_failure_are_filled(theorem_5: Statement, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the evidence of all readings of the statement; a placeholder that has no value names its file."""
    (genuine,) = (failure for failure in failures_of("DMKB20") if failure.claim == "Theorem 5")
    assert "{bounds/theorem-5-two-of-two apkdp tight_delta} is exact" in genuine.shown
    assert "2/5 is exact" in theorem_5.failures[0].shown
    monkeypatch.setattr(module, "failures_of", lambda _: (replace(genuine, instead="It is {np tight_delta}."),))
    with pytest.raises(InputError, match=r"statements/DMKB20.toml: Theorem 5: `instead` has .* stands for no value"):
        statements("DMKB20", ["Theorem 5"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("failure = 1", "Expected [[failure]] tables"),
        ('[[failure]]\nclaim = "Theorem 1"\n', "the key `badly` is missing"),
        ("[[failure]]\nclaim =", "Expected a TOML file"),
        ("GOOD\nsmall = 1", "the key `small` is unknown"),
        ("GOOD".replace("GOOD", "GOOD-badly"), '"terribly" is unknown. Expected one of wording, an edge case'),
    ],
)
def test_a_wrong_file_is_refused(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = '[[failure]]\nclaim = "x"\nof = []\nbadly = "wording"\nbecause = "a"\nshown = "b"\ninstead = "c"'
    text = text.replace("GOOD-badly", good.replace("wording", "terribly")).replace("GOOD", good)
    (tmp_path / "statements").mkdir()
    (tmp_path / "statements" / "DMKB20.toml").write_text(text)
    monkeypatch.setattr(module, "proofs_folder", lambda: tmp_path)
    with pytest.raises(InputError) as refused:
        failures_of("DMKB20")
    assert message in str(refused.value)
    assert "DMKB20.toml" in str(refused.value)


def test_a_row_in_full_has_all_that_is_known(every: tuple[Statement, ...]) -> None:
    for statement in every:
        text = said(statement)
        for failure in statement.failures:
            for words in (
                failure.because,
                failure.shown,
                failure.instead,
                failure.restored,
                failure.smallest,
                failure.symbols,
            ):
                assert words in text
            assert failure.model in text
            assert not failure.model or (models_folder() / f"{failure.model}.toml").is_file()
        assert statement.entry.statement in text
    tables = {statement.key: [counterexample_sheets(failure) for failure in statement.failures] for statement in every}
    titles = [sheet.title for sheet in tables["DMKB20-proposition-1"][0]]
    assert titles == ['θ = "copies", world by world', "M, a table of databases"]
    ((nine_hundred,),) = tables["DMKB20-proposition-7"]
    assert ("records", "900, each in {0, 1}") in nine_hundred.rows


def _said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        run(["claims", *arguments])
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_one_statement_is_printed_in_full(capsys: pytest.CaptureFixture[str], theorem_5: Statement) -> None:
    """With `--all`: the statement and its counterexample's tables, then each reading with what it rests on."""
    status, out, _ = _said(capsys, "DMKB20", "theorem 5", "--all")
    assert status == 0
    assert out.startswith(said(theorem_5).partition("\n\n|")[0].partition("\n\n**")[0])
    assert "│ [t, absent]" in out
    assert f"\nTo cite Theorem 5: {CITED}, proofs/statements.md#DMKB20-theorem-5.\n" in out
    for row in theorem_5.rows:
        assert f"\n### {theorem_5.entry.key(row.reading)} " in out
        assert all(text in out for text in (row.reading.means, row.reading.found, *row.evidence))


def test_each_claim_of_the_ledger_is_answered_in_25_lines(every: tuple[Statement, ...]) -> None:
    """At 80 columns; what is cut is marked, and each sentence is one that `--all` prints."""
    numbered = {statement.key: statement for statement in every}
    cut = 0
    for entry, same in groupby(rows(), lambda row: row.entry):
        readings, statement = list(same), numbered.get(entry.anchor)
        paragraphs = brief(readings, statement)
        assert sum(len(wrap(text, 80, subsequent_indent="  ")) or 1 for text in paragraphs) <= 25, entry
        assert paragraphs[0].startswith(f"{entry.paper}, {entry.claim} ({entry.place}): ")
        word = word_of(readings)
        assert paragraphs[0].endswith(word + AS_PRINTED.get(word, ""))
        assert not any(text.startswith("Notation: ") for text in paragraphs[3:]), "letters come before they are used"
        assert f'pkdp claims {entry.paper} "{entry.claim}" --all' in paragraphs[-2]
        full = [PlainRenderer().section(part, 2) for part in claim_sections(readings, numbered)]
        everything = "\n".join(text for texts in full for text in texts) + " ".join(CLAIM_WORDS.values())
        if paragraphs[2].startswith("Notation: "):
            told = paragraphs.pop(2).removeprefix("Notation: ")
            common, _, own = told.partition(". ")
            own = own if {*common.removesuffix(".").split("; ")} <= {*LETTERS.values()} else told
            assert own in everything
        for text in paragraphs[2 : paragraphs.index("", 2)]:
            cut += text.endswith(" …")
            pieces = text.removesuffix(" …").rstrip(".").split(": ")
            after = {": ".join(pieces[number:]) for number in range(1, len(pieces))}
            left_out = pieces[0] == "Left out here" or (len(pieces) == 1 and text.endswith(" …"))
            assert any(sentences in everything for sentences in after) or left_out, text
        is_cut = any(text.endswith(" …") or text.startswith("Left out here") for text in paragraphs[2:])
        assert paragraphs[-2].partition(": ")[0] == REST[is_cut] or paragraphs[-1].startswith(REST[is_cut])
    assert cut > 20


def test_a_claim_is_cut_after_an_item_and_never_within_a_formula(every: tuple[Statement, ...]) -> None:
    """No bracket of what is left is open, and what follows begins another sentence, item or phrase."""
    numbered, cut = {statement.key: statement for statement in every}, 0
    for entry, same in groupby(rows(), lambda row: row.entry):
        readings = list(same)
        found = (each for row in readings for each in (row.reading.found, row.reading.repaired))
        whole = plain_text(" ".join((entry.statement, *found)))
        for text in brief(readings, numbered.get(entry.anchor)):
            left = text.removesuffix(" …").partition(": ")[2]
            if not text.endswith(" …") or not left:
                continue
            assert sum(map(left.count, "([{")) <= sum(map(left.count, ")]}")), text
            after = whole.partition(left)[2][:12]
            cut += after != ""
            assert not after or left.endswith(".") or re.match(r"[,;:]? |\.$", after), (left[-30:], after)
    assert cut > 20


def test_an_n_that_is_bound_is_no_number_of_records(every: tuple[Statement, ...]) -> None:
    """The largest chance over n is about no n that a reader could count."""
    known = {(statement.entry.paper, statement.entry.claim): statement for statement in every}
    for paper, claim, counts in (("LQS12", "Theorem 3.9", False), ("DMKB20", "Theorem 5", True)):
        statement = known[paper, claim]
        notation = brief(statement.rows, statement)[2]
        assert notation.startswith("Notation: ")
        assert ("n is the number of records" in notation) is counts


def test_a_claim_whose_evidence_changed_is_not_called_recorded(theorem_5: Statement) -> None:
    stale = [replace(row, fresh=False) for row in theorem_5.rows]
    assert brief(theorem_5.rows, theorem_5)[-1] == f"({RECORDED})"
    assert "r = λ(n - 1)/((1 - λ)·k), which has to be below 1" in brief(theorem_5.rows, theorem_5)[2]
    assert brief(stale, replace(theorem_5, rows=tuple(stale)))[0].endswith("stale")
    assert f"({RECORDED})" not in brief(stale, replace(theorem_5, rows=tuple(stale)))


@pytest.mark.parametrize("room", range(4, 12))
def test_the_longest_paragraph_is_cut_first(room: int) -> None:
    told = [Told("One", "a b c. " * 60), Told("Two", "d e f, " * 80), Told("Three", "short", rank=2)]
    left = fitted(told, room)
    assert sum(len(each.lines) for each in left) <= room
    assert [each.label for each in left] == ["One", "Two", "Three"]
    assert left[2].text == "short"
    assert left[0].text.endswith("c. …")
    assert left[1].text.endswith("f …")


def test_paragraphs_without_a_line_are_counted() -> None:
    left = fitted([Told(f"{number}", "x " * 90) for number in range(9)], 4)
    assert [each.label for each in left] == ["0", "1", "2", "Left out here"]
    assert left[-1].text == "6 paragraphs"


USED = {
    "DMKB20-proposition-1": ["cdp", "ibcdp"],
    "DMKB20-theorem-6": ["dependency", "apkdp"],
    "DMKB20-lemma-2": [],
    "DKM19-lemma-5": ["apkdp", "ppkdp"],
    "LQS12-theorem-3.9": ["dps", "dp"],
    "DP22-proposition-1": ["divdp", "dp", "klpr", "renyidp", "zcodp"],
}


def test_a_statement_names_the_definitions_that_it_speaks_of(every: tuple[Statement, ...]) -> None:
    """`proofs/statements.md` has the anchor under which the terminal says that a statement is cited."""
    found = {statement.key: [definition.key for definition in definitions_of(statement)] for statement in every}
    assert {key: found[key] for key in USED} == USED
    assert uses_text(next(statement for statement in every if statement.key == "DMKB20-lemma-2")) == ""
    page = (models_folder().parent / "proofs" / "statements.md").read_text(encoding="utf-8")
    assert [key for key in found if f'<a id="{key}"></a>' not in page] == []


def test_a_statement_is_printed_with_its_theorems_in_coq(every: tuple[Statement, ...]) -> None:
    """What the Coq file says of each theorem in words, and its statement, stand below the paper's statement."""
    named = [statement for statement in every if theorems_of(statement.rows)]
    assert {statement.entry.paper for statement in named} == {"DMKB20", "D20", "DP22", "LQS12"}
    for statement in named:
        text = said(statement)
        for theorem in theorems_of(statement.rows):
            words, code = quoted(theorem.file, theorem.name)
            assert f"{theorem.file}.{theorem.name}. {words}\n\n{code}" in text


def test_an_older_word_of_a_verdict_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for word in ("holds as restored", RESTORED):
        with pytest.raises(SystemExit) as stop:
            run(["claims", "LQS12", "--verdict", word])
        printed.append((stop.value.code, capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert "Theorem 3.9" in printed[0][1]
