"""A page is one list of sections: HTML and Markdown say the same, and neither reads a label as markup."""

from __future__ import annotations

from itertools import pairwise

import pytest
from html_reader import read_html

from verifier.show.pages import HtmlRenderer, MarkdownRenderer, page_html
from verifier.show.sections import (
    Aside,
    Badge,
    Block,
    Callout,
    Cards,
    Code,
    Counterexample,
    Decision,
    Document,
    FileName,
    Folded,
    Formula,
    Grid,
    Link,
    Listing,
    Paragraph,
    Quotation,
    RowGroup,
    Section,
    Strong,
    Terms,
    plain_text,
)
from verifier.show.sheet import Sheet

BAR = (("Overview", "index.html"), ("Two", "models/two.html"))
GRID = Grid(
    "Claims",
    ("claim", "part", "verdict"),
    (
        RowGroup(
            (Link("first", "models/two.html"), Aside("its words", "statement")), (("a|b", "x"), ("c", "y")), "first"
        ),
        RowGroup("second", (("d", (Decision("vacuous"), Aside("ln(2)"))),)),
    ),
)
BLOCKS: tuple[tuple[Block, str, str], ...] = (
    (
        Paragraph(("see ", Link("two", "models/two.html"), " and `code`")),
        "see two and code",
        "see [two](#two) and `code`",
    ),
    (
        Paragraph((Badge("fails as printed", "fails"), " ", Strong("it"))),
        "fails as printed it",
        "✗ **fails as printed** **it**",
    ),
    (Listing(("one", "two")), "onetwo", "- one\n- two"),
    (Terms((("word", "meaning"),)), "wordmeaning", "- word: meaning"),
    (Quotation("said", "again"), "saidagain", "> said\n>\n> again"),
    (Callout("kicker", "sentence", "note", "bad"), "kickersentencenote", "**kicker** sentence note"),
    (Counterexample("np fails.", "why", "numbers"), "np fails.whyTo add up againnumbers", "> np fails. numbers"),
    (Sheet("", ("ε",), (("0",),)), "ε0", "| ε |\n|---|\n| 0 |"),
    (Formula("<math></math>", "x = y"), "", "    x = y"),
    (Code("a = 1\n", "toml"), "", "```toml\na = 1\n```"),
    (Folded("more", (Paragraph("inside"),)), "moreinside", "more:\n\ninside"),
    (Folded("more", (Paragraph("inside"),), everywhere=False), "moreinside", ""),
    (Cards("Pages", (("A", ((Link("two", "models/two.html"),),)),)), "Atwo", "- A: [two](#two)"),
    (Paragraph((FileName("a.toml"),)), "a.toml", "`a.toml`"),
)


def anchors(address: str) -> str:
    """Models stand below their names; nothing else is here."""
    return "#two" if address.startswith("models/") else ""


@pytest.mark.parametrize(("block", "text", "markdown"), BLOCKS, ids=lambda value: type(value).__name__)
def test_each_block_is_said_twice(block: Block, text: str, markdown: str) -> None:
    html = HtmlRenderer("index.html").block(block)
    made = read_html(html)
    assert "".join(made.text) == text
    assert made.badly_nested == made.open == []
    assert MarkdownRenderer(anchors).block(block).replace(".**", "**") == markdown


def test_rows_of_a_claim_stand_together() -> None:
    html = HtmlRenderer("claims/index.html").block(GRID)
    assert html.count("<tbody") == 2
    assert '<tbody id="first"><tr><th scope="rowgroup" rowspan="2"><a href="../models/two.html">first</a>' in html
    assert '<td class="vacuous">vacuous<span class="aside">ln(2)</span></td>' in html
    assert MarkdownRenderer(anchors).block(GRID).splitlines() == [
        "| claim | part | verdict |",
        "|---|---|---|",
        '| <a id="first"></a>[first](#two)<br>its words | a\\|b | x |',
        "|  | c | y |",
        "| second | d | ○ vacuous<br>ln(2) |",
    ]


def test_a_link_leads_there_or_is_its_text() -> None:
    link = Paragraph((Link("two", "models/two.html#a"),))
    assert 'href="two.html#a"' in HtmlRenderer("models/one.html").block(link)
    assert 'href="../../models/two.html#a"' in HtmlRenderer("claims/DMKB20/x.html").block(link)
    assert 'href="#a"' in HtmlRenderer("models/two.html").block(link)
    assert HtmlRenderer("a.html", leads=lambda _address: False).block(link) == "<p>two</p>"
    assert MarkdownRenderer().block(link) == "two"


def test_a_label_is_never_markup() -> None:
    hostile = "<b>\u202e`x`</b>"
    for block in (
        Paragraph(hostile),
        Paragraph((Link(hostile, "a.html"),)),
        Listing((hostile,)),
        Paragraph((FileName(hostile),)),
    ):
        html = HtmlRenderer("index.html").block(block)
        assert "<b>" not in html
        assert "\u202e" not in html
    assert "<b>" not in MarkdownRenderer().block(Paragraph(hostile))
    assert plain_text((hostile, Badge("x", "open"))) == "<b>\u202ex</b>x"


def test_a_document_is_a_whole_page() -> None:
    parts = (Section("Part", (Paragraph("below"),)), Section("Article", (Paragraph("in it"),), "a", "definition"))
    document = Document(
        path="models/two.html",
        title="The `two` models",
        above=(Paragraph("source", "source"),),
        below=(Paragraph("lead", "lead"),),
        sections=(Section("First", (Paragraph("text"),), "first", sections=parts), Section("Empty")),
        filter="the parts",
        following=Link("three", "models/three.html"),
    )
    html = page_html(document, BAR)
    made = read_html(html)
    assert made.headings == [1, 2, 3, 3, 2]
    assert all(after <= before + 1 for before, after in pairwise(made.headings))
    assert "<title>The two models</title>" in html
    assert '<main id="content" data-filter="the parts">' in html
    assert '<a rel="next" href="three.html">three →</a>' in html
    assert '<a href="two.html" aria-current="page">Two</a>' in html
    assert MarkdownRenderer().document(document, level=3, anchor="two") == [
        '<a id="two"></a>',
        "### The `two` models",
        "source",
        "lead",
        "#### First",
        "text",
        "##### Part",
        "below",
        "##### Article",
        "in it",
    ]
