"""The site in a browser, also straight from files: accessible, narrow windows, its search."""

from __future__ import annotations

import tomllib
from pathlib import Path
from urllib.parse import urlencode

import pytest

from browser.conftest import Open
from browser.harness import NARROW, ROOT, Scheme, clean, expect, in_both_schemes, too_wide

pytestmark = pytest.mark.xdist_group("site")
SAMPLE = (
    "index",
    "asked",
    "first-model",
    "definitions/np",
    "definitions/index",
    "api/ask",
    "glossary",
    "trust",
    "course",
    "commands",
)


@pytest.mark.sweep(10)
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


def test_what_people_ask_is_found_first(site: Path, open_page: Open) -> None:
    first = tomllib.loads((ROOT / "tests" / "docs" / "searched.toml").read_text(encoding="utf-8"))["first"]
    address, page = (site / "search.html").as_uri(), open_page().page
    page.goto(address)
    expect(page.locator("#asked li:visible").first).to_be_visible()
    clean({"search without a query": in_both_schemes(page)})
    found = {}
    for query in first:
        page.goto(f"{address}?{urlencode({'q': query})}")
        hit = page.locator("#search-results li a").first
        expect(hit).to_be_visible()
        expect(page.locator("#asked")).to_be_hidden()
        found[query] = hit.get_attribute("href")
    assert found == first


def test_the_sidebar_has_some_twenty_entries(site: Path, open_page: Open) -> None:
    page = open_page((site / "index.html").as_uri()).page
    shown = page.locator(".sidebar-tree a:visible").all_inner_texts()
    assert 18 <= len(shown) <= 26, shown
    assert shown[:2] == ["The explorer", "The course"]


def test_the_first_screen_has_the_story_the_picture_and_the_doors(site: Path, open_page: Open) -> None:
    page = open_page((site / "index.html").as_uri()).page
    bottom = "found => found.getBoundingClientRect().bottom <= innerHeight"
    for part in ("h1", ".story", ".attack svg", ".entrances a:last-child"):
        assert page.locator(part).first.evaluate(bottom), part


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_nothing_of_the_first_page_is_wider_than_the_window(site: Path, open_page: Open, width: int) -> None:
    """Also not within the theme's frame of the text, which would scroll instead of the window."""
    page = open_page((site / "index.html").as_uri(), width=width).page
    clean({"index": too_wide(page)})
    for above in range(4):
        page.locator(f"#above-{above}").check()
        frames = page.locator(".content, .try fieldset")
        assert frames.evaluate_all("all => all.map(e => e.scrollWidth - e.clientWidth)") == [0, 0], above


@pytest.mark.parametrize("name", ["index", "gallery"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_drawing_is_saved_in_the_colours_of_print(
    site: Path, open_page: Open, tmp_path: Path, name: str, scheme: Scheme
) -> None:
    page = open_page((site / f"{name}.html").as_uri(), scheme=scheme).page
    drawn = page.locator("article figure:has(> svg)")
    assert drawn.count() == drawn.filter(has=page.locator("button", has_text="Save SVG")).count() > 1
    saved = {}
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator("article figure > button:visible", has_text=f"Save {kind}").last.click()
        saved[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[kind])
    text = saved["SVG"].read_text(encoding="utf-8")
    assert 'fill="#fff"' in text
    assert "rgb(28, 28, 30)" in text or "rgb(91, 91, 97)" in text, "the ink of light pages"
    assert "var(" not in text
    assert saved["PNG"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert not page.evaluate("'theme' in document.documentElement.dataset")
