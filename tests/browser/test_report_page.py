"""The report in a browser: no problem in the console, nothing from outside, accessible, readable on a narrow screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from report_made import report_pages

from browser.conftest import Open
from browser.harness import NARROW, clean, expect, in_both_schemes, too_wide
from browser.links import broken
from verifier.show.pages import page_html, smaller
from verifier.wings.implications.table import relations
from verifier.wings.papers.ledger.table import rows
from verifier.wings.report.claim_sections import claims_document
from verifier.wings.report.matrix_page import PAIRS
from verifier.wings.report.pages import ModelPage
from verifier.wings.report.site import bar, claim_pages, site
from verifier.wings.report.write import TITLE, checked, claims_of

pytestmark = [
    pytest.mark.sweep(0),  # a whole report is made for them
    pytest.mark.xdist_group("report-made"),  # with the other tests of its pages, which are made once
]
SOME = ("example-1-", "example-6-first", "proposition-4")
SHARE = 10
"""Of the pages of models and of claims, every so many is looked at, and the longest of each."""
PARTS = 6
"""In how many tests they are asked whether everybody can use them."""


def chosen(folder: Path) -> list[Path]:
    """Every index, and a sample of the rest; the page of all pairs has a test of its own."""
    pages = sorted(folder.rglob("*.html"))
    found = {page for page in pages if page.name == "index.html"}
    claims = [page for page in pages if "claims" in page.parts and page not in found]
    models = [page for page in pages if page not in claims and page not in found and page.name != PAIRS]
    for kind, share in ((claims, 3 * SHARE), (models, SHARE)):
        found.update(kind[::share])
        found.update(sorted(kind, key=lambda page: page.stat().st_size)[-1:])
    return sorted(found)


def test_links_lead_somewhere(report: Path) -> None:
    assert broken(report) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_are_accessible_in_both_schemes_and_fit_a_narrow_window(report: Path, open_page: Open, part: int) -> None:
    wide, narrow = open_page().page, open_page(width=NARROW).page
    found = {}
    for path in chosen(report)[part::PARTS]:
        wide.goto(path.as_uri())
        narrow.goto(path.as_uri())
        found[str(path.relative_to(report))] = [*in_both_schemes(wide), *too_wide(narrow)]
    clean(found)


def test_a_pair_is_reached_by_the_names_of_its_definitions(report: Path, open_page: Open) -> None:
    watched = open_page((report / "matrix.html").as_uri())
    page = watched.page
    page.locator("article.folds summary", has_text=re.compile("^np$")).press("Enter")
    page.get_by_role("link", name="Every pair with np, and why").press("Enter")
    page.wait_for_url(f"**/{PAIRS}#np")
    assert page.locator("#matrix tbody tr:visible th").all_text_contents() == ["np"]
    page.locator("#to").select_option("dp")
    expect(page.locator("#detail h2")).to_contain_text("np ⟹ dp")
    page.locator("#matrix tbody tr:visible td").nth(1).click()
    expect(page.locator("#detail h2")).to_contain_text("np ⟹")
    clean({PAIRS: in_both_schemes(page)})
    page.set_viewport_size({"width": 320, "height": 900})
    clean({PAIRS: too_wide(page)})


@pytest.mark.parametrize(
    ("name", "words", "left", "gone"),
    [
        ("index.html", "fair bit", "A fair bit that the attacker knows", "Counting outliers, with spread"),
        ("examples.html", "Example 7", "Thresholded referendum", "Voting in pairs"),
        ("claims/index.html", "lqs12 theorem", "proof of Theorem 1", "Example 4"),
        ("statements.html", "proposition the idea", "Proposition 4", "Theorem 3.11"),
        ("definitions.html", "simulator", "ddp", "LQS12, Definition 3.10"),
        ("relations.html", "randomized-response", "Randomized response with 3/4", "A noisy count of three copies"),
    ],
)
def test_a_long_page_is_filtered(report: Path, open_page: Open, name: str, words: str, left: str, gone: str) -> None:
    """By the keyboard; an emptied field shows all again, and nothing is hidden where there is no script."""
    watched = open_page()
    page = watched.page
    page.goto((report / name).as_uri())
    total = page.locator("main").inner_text()
    everything = page.locator("main").text_content() or ""  # also what is folded
    field = page.get_by_role("searchbox")
    field.focus()
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    text = page.locator("main").inner_text()
    assert left in text
    assert gone in everything
    assert gone not in text
    assert len(text) < len(everything) / 2
    assert re.fullmatch(r"\d+ of \d+", page.locator("form.filter output").inner_text())
    headings = page.locator("main > section:not([hidden]) > h2").all_inner_texts()
    assert in_both_schemes(page) == []
    field.fill("qqqq")
    assert page.locator("form.filter output").inner_text().startswith("0 of ")
    assert len(page.locator("main > section:not([hidden]) > h2").all()) < len(headings)
    field.fill("")
    assert page.locator("main").inner_text() == total
    assert page.locator("form.filter output").inner_text() == ""
    page.emulate_media(media="print")
    assert not page.locator("form.filter").is_visible()


def test_it_is_small(report: Path) -> None:
    """All of it, by the page: the ledger grows, its pages do not.

    A page of 10 KiB: each claim opens with how it fails and what holds instead, some with a drawing of the worlds, and
    the papers' figures are drawn on the pages of their claims. The page of all pairs has a bound of its own
    (tests/wings/report/test_report.py).
    """
    pages = len(list(report.rglob("*.html")))
    written = [path for path in report.rglob("*") if path.is_file() and path.name != PAIRS]
    assert sum(path.stat().st_size for path in written) < 10 * 1024 * pages


SAME = """([whole, small]) => {
  const tree = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const found = [];
    while (walk.nextNode()) {
      const one = walk.currentNode;
      if (one.nodeType === Node.TEXT_NODE) { if (one.data.trim()) found.push(one.data.trim()); continue; }
      const depth = []; for (let up = one; up; up = up.parentElement) depth.push(up.localName);
      const has = [...one.attributes].filter((a) => !a.name.startsWith("xmlns") && !one.closest("svg"));
      found.push(depth.join("<") + " " + has.map((a) => a.name + "=" + a.value).join(" "));
    }
    return found;
  };
  const [a, b] = [tree(whole), tree(small)];
  const at = a.findIndex((one, k) => one !== b[k]);
  return at < 0 && a.length === b.length ? "" : `${at}: ${a[at]} / ${b[at]}`;
}"""


@pytest.fixture(scope="module")
def pages() -> list[ModelPage]:
    return [page for page in report_pages() if page.name.startswith(SOME)]


def test_pages_made_smaller_read_the_same(pages: list[ModelPage], open_page: Open) -> None:
    """Element by element and text by text, after parsing."""
    made = site(TITLE, pages, claims_of(pages), checked(pages), relations())
    slugs = {"proposition-1", "proposition-4", "theorem-3", "example-6"}
    made |= claim_pages([row for row in rows("DMKB20") if row.entry.slug in slugs])
    made["claims/index.html"] = page_html(claims_document(rows()), bar(claims=True))
    watched = open_page()
    for name, text in made.items():
        if name.endswith(".html"):
            less = smaller(text)
            assert len(less) < len(text)
            assert watched.page.evaluate(SAME, [text, less]) == "", name


def test_the_script_makes_the_same_texts(pages: list[ModelPage], tmp_path: Path, open_page: Open) -> None:
    """Markdown and LaTeX that a page makes of its tables are those of the program, for every table."""
    watched = open_page()
    for name, text in site(TITLE, pages, [], "", None).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(smaller(text) if name.endswith(".html") else text, encoding="utf-8")
    for page in pages:
        watched.page.goto((tmp_path / "models" / f"{page.name}.html").as_uri())
        watched.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        count = watched.page.locator(".scroll:has(> table.r)").count()
        watched.page.wait_for_function(
            "(n) => document.querySelectorAll('details.copy pre').length === 2 * n", arg=count
        )
        behind = [sheet for _, sheets in page.drawings for sheet in sheets]
        causal = [page.causal] if page.causal else []
        deltas = [page.deltas] if page.deltas.rows else []
        sheets = [page.overview, *deltas, *causal, *behind, *page.losses, *page.worlds, *page.acceptable]
        expected = [text for sheet in sheets for text in (sheet.markdown(), sheet.tex())]
        assert watched.page.locator("details.copy pre").all_text_contents() == expected
