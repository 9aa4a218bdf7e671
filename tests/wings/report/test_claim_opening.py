"""A claim's page opens with the claim, how it fails on two worlds, what holds instead, and the command to check it."""

from __future__ import annotations

import re
from html import unescape
from itertools import groupby

import pytest
from examined import at_least_one

from verifier.show.pages import page_html
from verifier.show.sections import (
    Block,
    Callout,
    Code,
    Document,
    Folded,
    Listing,
    Paragraph,
    Pictures,
    Section,
    plain_text,
)
from verifier.show.sheet import Sheet
from verifier.wings.papers.ledger.entry import OfModel
from verifier.wings.papers.ledger.statements import statements
from verifier.wings.papers.ledger.table import rows
from verifier.wings.report.claim_sections import claim_document
from verifier.wings.report.site import claim_bar

PAGES = {
    "proposition-4": ["What fails as printed", "What holds instead", "Check it again"],
    "theorem-5": ["What fails as printed", "What holds instead", "Check it again"],
    "theorem-2": ["Check it again"],
    "example-9": ["What fails as printed", "What holds instead", "Check it again"],
    "figure-5": ["The figure, drawn anew", "Check it again"],
}
"""What the pages of some claims of DMKB20 open with, by the names of their files."""


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    found = rows("DMKB20", list(PAGES))
    return {entry.slug: claim_document(entry, tuple(same)) for entry, same in groupby(found, lambda row: row.entry)}


def _blocks(section: Section) -> list[Block]:
    return [*section.blocks, *(block for part in section.sections for block in _blocks(part))]


def test_a_page_is_set_as_a_reader_expects(documents: dict[str, Document]) -> None:
    html = page_html(documents["theorem-5"], claim_bar(rows("DMKB20", ["theorem-5"])[0].entry), copy=False)
    outside_code = re.sub(r"<(code|pre|svg)\b.*?</\1>", "", html, flags=re.DOTALL)
    assert "ε<sub>c</sub>" in outside_code
    text = unescape(re.sub("<[^>]+>", " ", outside_code))
    assert '"#' not in text, "the name of the only distribution"
    assert "`" not in text
    assert not re.search(r"(?<![\w/])\w_\w(?!\w)", text), "a raw subscript"
    for page in ("examples.html", "matrix.html", "figures.html", "statements.html#DMKB20-theorem-5"):
        assert f'href="../../{page}"' in html


@pytest.mark.parametrize("slug", PAGES)
def test_a_page_opens_with_the_claim(slug: str, documents: dict[str, Document]) -> None:
    document = documents[slug]
    (first, *_) = rows("DMKB20", [slug])
    place, claim, *letters, word = document.below
    assert bool(letters) == (slug == "theorem-5"), "what f, r and k mean"
    assert isinstance(place, Paragraph)
    assert isinstance(claim, Paragraph)
    assert isinstance(word, Paragraph)
    assert plain_text(place.text) == f"{first.entry.place}, in our words:"
    assert claim.text == first.entry.statement
    headings = [plain_text(section.heading) for section in document.sections]
    assert headings[: len(PAGES[slug])] == PAGES[slug]
    assert headings[len(PAGES[slug])].startswith(first.entry.key(first.reading))


def test_what_fails_and_what_holds_instead_are_the_ledgers(documents: dict[str, Document]) -> None:
    for slug in ("proposition-4", "theorem-5"):
        (statement,) = statements("DMKB20", [slug])
        fails, instead, again = documents[slug].sections[:3]
        callouts = [block for block in _blocks(fails) if isinstance(block, Callout)]
        assert [block.sentence for block in callouts] == [failure.shown for failure in statement.failures]
        for failure, callout in zip(statement.failures, callouts, strict=True):
            assert failure.because in callout.note
        (block,) = instead.blocks
        assert isinstance(block, Paragraph | Listing)
        lines = block.entries if isinstance(block, Listing) else (block.text,)
        for failure, line in zip(statement.failures, lines, strict=True):
            assert plain_text(line).endswith(failure.instead)
        (command,) = again.blocks
        assert isinstance(command, Code)
        for failure in statement.failures:
            assert f"pkdp check {failure.model.partition('/')[2]} --expect\n" in command.text
        assert command.text.endswith(f'pkdp claims DMKB20 "{statement.entry.claim}" --all')


def test_the_two_worlds_are_a_table_and_a_picture(documents: dict[str, Document]) -> None:
    """Added up by hand: a change of one of two equal bits makes the parity 1; of three it leaves the majority."""
    sections = documents["proposition-4"].sections[0].sections
    tables = [block for section in sections for block in section.blocks if isinstance(block, Sheet)]
    assert [table.rows for table in tables] == [
        (("M(D)", "1"), ("M(D with D(0) set to 1)", "0")),
        (("D(0) = 0", "1"), ("D(0) = 1", "0")),
    ]
    assert [table.columns[1] for table in tables] == ["the probability of 0", "the probability of 000"]
    pictures = [block for section in sections for block in section.blocks if isinstance(block, Pictures)]
    assert ["<svg " in block.pictures[0].drawing.styled for block in pictures] == [True, True]
    (theorem_5,) = (block for block in documents["theorem-5"].sections[0].blocks if isinstance(block, Sheet))
    assert [row[1] for row in theorem_5.rows] == ["2/5 (0.4)", "0"]


def test_logs_and_theorems_are_folded(documents: dict[str, Document]) -> None:
    page = page_html(documents["theorem-5"], ())
    assert "<summary>The statement in Coq</summary>" in page
    assert page.count("<details>") == page.count("<summary>") >= 3
    blocks = [block for section in documents["theorem-5"].sections for block in _blocks(section)]
    assert [block for block in blocks if isinstance(block, Code)] == list(documents["theorem-5"].sections[2].blocks)
    models = [
        piece for row in rows("DMKB20", ["theorem-5"]) for piece in row.reading.evidence if isinstance(piece, OfModel)
    ]
    assert sum(isinstance(block, Listing) for block in blocks) >= len({piece.model for piece in models})
    assert sum(isinstance(block, Folded) for block in blocks) >= 3


def test_nothing_is_said_twice(documents: dict[str, Document]) -> None:
    """Of a claim that is no numbered statement the page opens with what was found, and its reading leaves it out."""
    page = unescape(page_html(documents["example-9"], ()))
    for row in at_least_one(rows("DMKB20", ["example-9"])):
        assert page.count(row.reading.found) == 1, row.reading.found
