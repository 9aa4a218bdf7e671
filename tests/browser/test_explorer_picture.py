"""The picture of a model: it follows the answer, is reached by the keyboard, and is saved as SVG and as PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from browser.conftest import Open
from browser.explorer import Explorer
from browser.harness import NARROW, clean, in_both_schemes, too_wide

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("explorer")
SVG = "{http://www.w3.org/2000/svg}"


def opened(explorer: str, open_page: Open, name: str, **how: int) -> Explorer:
    page = Explorer(open_page(explorer, **how).page)
    page.settle()
    page.example(name)
    return page


def test_each_tile_is_reached_with_its_words(explorer: str, open_page: Open) -> None:
    page = opened(explorer, open_page, "DMKB20/example-4-repaired")
    tiles = page.page.locator("#picture svg g[tabindex='0']")
    assert tiles.count() == 4
    tiles.first.focus()
    words = []
    for _ in range(4):
        words.append(page.page.evaluate("document.activeElement.getAttribute('aria-label')"))
        page.page.keyboard.press("Tab")
    assert sum("never drawn; published: 1" in one for one in words) == 2
    assert sum("probability 1/2; published: 0" in one for one in words) == 2


def test_it_is_saved_as_text_and_as_dots(explorer: str, open_page: Open, tmp_path: Path) -> None:
    page = opened(explorer, open_page, "DMKB20/example-4-repaired")
    for part, name in (("picture", "worlds"), ("profile", "profile")):
        for kind in ("SVG", "PNG"):
            with page.page.expect_download() as download:
                page.page.locator(f"#{part} button", has_text=f"Save {kind}").first.click()
            assert download.value.suggested_filename == f"{name}.{kind.lower()}"
            file = tmp_path / download.value.suggested_filename
            download.value.save_as(file)
            if kind == "PNG":
                assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
                continue
            tree = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - our own text
            assert tree.get("width") == "88mm"
            assert len(list(tree.iter(f"{SVG}text"))) > 4
            assert not any(key in element.attrib for element in tree.iter() for key in ("class", "id", "tabindex"))


def test_it_follows_the_answer_and_says_why_there_is_none(explorer: str, open_page: Open) -> None:
    page = opened(explorer, open_page, "DMKB20/example-4-repaired")
    assert "no ε is enough" in page.page.locator("#picture svg").first.inner_html()
    page.example("atlas/random-record")
    assert "No picture here: a drawing of worlds is about distributions" in page.at("picture-answer").inner_text()


def test_it_is_sound_at_all_widths_light_and_dark(explorer: str, open_page: Open) -> None:
    page = opened(explorer, open_page, "DMKB20/example-7-five-voters", width=NARROW)
    clean({"wide": too_wide(page.page), "scheme": in_both_schemes(page.page, "#picture")})
