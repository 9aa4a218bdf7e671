"""The letters to the authors: nothing that fails as printed is left out, and each command in them can be typed."""

from __future__ import annotations

import re
import shlex
from functools import cache

import pytest
from documents import site_modules
from examined import at_least_one

from verifier.model import read
from verifier.model.bundled import bundled_file
from verifier.model.library import models_folder
from verifier.wings.papers.ledger.criterion import BUT_FOR_AN_EDGE
from verifier.wings.papers.ledger.entry import EDGE, FAILING, NOTE, PRINTED
from verifier.wings.papers.ledger.read import PAPERS
from verifier.wings.papers.ledger.statements import Statement, is_numbered, statements
from verifier.wings.papers.ledger.table import ReadingRow, rows
from verifier.wings.report.statement_sections import TEXTS

with site_modules() as site:
    letter_page = site("generated").letter_page
LETTERS = models_folder().parent / "docs" / "errata"


@pytest.fixture(scope="module", params=PAPERS)
def paper(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def listed(paper: str) -> tuple[Statement, ...]:
    """The statements of a text, read once."""
    return tuple(statements(paper))


@cache
def readings(paper: str) -> tuple[ReadingRow, ...]:
    """The rows of its ledger, read once."""
    return tuple(rows(paper))


def at_edges(paper: str) -> set[str]:
    """The numbered statements that fail only at the end of a range: a letter names them, and no more."""
    return {statement.entry.claim for statement in listed(paper) if statement.verdict == BUT_FOR_AN_EDGE}


def letter(paper: str) -> str:
    return (LETTERS / f"{paper}.md").read_text(encoding="utf-8")


def test_each_text_has_its_letter() -> None:
    assert list(TEXTS) == list(PAPERS)
    assert sorted(path.stem for path in LETTERS.glob("*.md")) == sorted(PAPERS)


def test_the_letters_are_fresh(paper: str) -> None:
    assert letter(paper) == letter_page(paper)


def test_every_sentence_that_fails_is_explained_or_named(paper: str) -> None:
    """What is quoted is explained; of the rest the name leads to the ledger. Nothing that fails is left out."""
    text = letter(paper)
    for row in at_least_one(readings(paper)):
        if row.reading.label not in {PRINTED, EDGE, NOTE}:
            continue
        if is_numbered(row.entry.claim) and row.entry.claim not in at_edges(paper):
            continue
        at_edge = row.reading.edge or row.reading.label == EDGE
        if row.reading.label == NOTE:
            assert not row.reading.quote
        elif row.verdict in FAILING and row.reading.quote and not at_edge:
            assert f"**{row.claim}** ({row.entry.place}): “{row.reading.quote}”" in text
            assert row.reading.found in text
            assert row.reading.repaired.removeprefix("none: ") in text
        elif row.verdict in FAILING:
            assert text.count(f"[{row.entry.claim}](../../{row.entry.file})") == 1


def test_the_commands_name_what_there_is(paper: str) -> None:
    """A model that is named promises answers; a claim that is named is in the ledger."""
    commands = re.findall(r"To check it:\*\* `pkdp ([^`]+)`", letter(paper))
    shown = [statement for statement in listed(paper) if statement.entry.claim not in at_edges(paper)]
    assert len(commands) == sum(len(statement.failures) for statement in shown)
    for command in commands:
        verb, *arguments = shlex.split(command)
        if verb == "check":
            name, option = arguments
            assert option == "--expect"
            assert read(bundled_file(name)).expectations
        else:
            assert verb == "claims"
            assert arguments[0] == paper
            assert arguments[2] == "--again"
            assert rows(paper, [arguments[1]])
    listed_checks = re.findall(r"To check it: `pkdp check ([^`]+) --expect`", letter(paper))
    assert all(read(models_folder().parent / name).expectations for name in listed_checks)
