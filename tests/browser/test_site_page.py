"""The site in a browser, also straight from files: accessible, narrow windows, its search."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.conftest import Open
from browser.harness import NARROW, clean, expect, in_both_schemes, too_wide

pytestmark = pytest.mark.xdist_group("site")
SAMPLE = (
    "index",
    "first-model",
    "definitions/np",
    "definitions/index",
    "api/ask",
    "glossary",
    "trust",
    "course",
    "commands",
)


@pytest.mark.sweep(9)
@pytest.mark.parametrize("name", SAMPLE)
def test_a_page_is_accessible_and_fits(site: Path, open_page: Open, name: str) -> None:
    wide, narrow = open_page().page, open_page(width=NARROW).page
    address = (site / f"{name}.html").as_uri()
    wide.goto(address)
    narrow.goto(address)
    clean({name: [*in_both_schemes(wide), *too_wide(narrow)]})


def test_the_search_finds_pages(site: Path, open_page: Open) -> None:
    page = open_page(f"{(site / 'search.html').as_uri()}?q=simulator").page
    expect(page.locator("#search-results li a").first).to_be_visible()
    clean({"search": in_both_schemes(page)})
