"""The report in a browser: no problem in the console, nothing from outside, accessible, readable on a narrow screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.conftest import Open
from browser.harness import NARROW, clean, in_both_schemes, too_wide
from browser.links import broken

pytestmark = pytest.mark.xdist_group("report")
SHARE = 6
"""Of the pages of models and of claims, every so many is looked at, and the longest of each."""


def chosen(folder: Path) -> list[Path]:
    """Every index, and a sample of the rest."""
    pages = sorted(folder.rglob("*.html"))
    found = {page for page in pages if page.name == "index.html"}
    claims = [page for page in pages if "claims" in page.parts and page not in found]
    models = [page for page in pages if page not in claims and page not in found]
    for kind, share in ((claims, 3 * SHARE), (models, SHARE)):
        found.update(kind[::share])
        found.update(sorted(kind, key=lambda page: page.stat().st_size)[-1:])
    return sorted(found)


def test_links_lead_somewhere(report: Path) -> None:
    assert broken(report) == []


def test_pages_are_accessible_in_both_schemes(report: Path, open_page: Open) -> None:
    watched = open_page()
    found = {}
    for path in chosen(report):
        watched.page.goto(path.as_uri())
        found[str(path.relative_to(report))] = in_both_schemes(watched.page)
    clean(found)


def test_a_narrow_window_does_not_scroll_sideways(report: Path, open_page: Open) -> None:
    watched = open_page(width=NARROW)
    found = {}
    for path in chosen(report):
        watched.page.goto(path.as_uri())
        found[str(path.relative_to(report))] = too_wide(watched.page)
    clean(found)
