"""The explorer without a mouse."""

from __future__ import annotations

import pytest

from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import expect

pytestmark = pytest.mark.xdist_group("explorer")
FOCUS = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  const parts = [one, one.closest('label') ?? one, ...one.querySelectorAll('*')];
  const looks = () => JSON.stringify(parts.map(part => {
    const style = getComputedStyle(part);
    return [style.outline, style.boxShadow, style.borderColor, style.backgroundColor, style.stroke, style.strokeWidth];
  }));
  const focused = looks();
  one.blur();
  const shows = looks() !== focused;
  one.focus({ preventScroll: true });
  return [one.id || one.getAttribute("class") || one.tagName, shows, box.width > 0 && box.height > 0];
}"""
"""The element that has the focus; whether it looks different from when it has not; whether it can be seen at all."""


def test_a_whole_visit(explorer: str, open_page: Open) -> None:
    page = Explorer(open_page(explorer).page)
    page.settle()
    keys = page.page.keyboard
    keys.press("Tab")
    assert page.page.evaluate(FOCUS)[0] == "skip"
    keys.press("Enter")
    assert page.page.evaluate("document.activeElement.id") == "results"
    page = Explorer(open_page(explorer).page)
    page.settle()
    keys = page.page.keyboard
    for first in ("skip", "to-course", "open-examples"):
        keys.press("Tab")
        assert page.page.evaluate(FOCUS)[0] == first
    keys.press("Enter")
    page.page.locator("#examples-list button[data-id]").first.wait_for()
    keys.type("five voters example-7")
    keys.press("ArrowDown")
    chosen = page.page.evaluate("document.activeElement.dataset.id || document.activeElement.dataset.pinned")
    assert chosen == "DMKB20/example-7-five-voters"
    keys.press("Enter")
    page.page.wait_for_selector("#examples:not([open])", state="attached")
    page.settle()
    model = page.model()
    page.at("passport-table").locator("tr[tabindex='0']").focus()
    before = page.definition()
    keys.press("ArrowDown")
    page.settle()
    assert page.definition() != before
    agree(page, model)
    keys.press("?")
    assert page.at("help").is_visible()
    keys.press("Escape")
    assert not page.at("help").is_visible()


@pytest.mark.sweep(0)
def test_tab_reaches_everything_and_shows_where_it_is(page: Explorer) -> None:
    seen: list[str] = []
    for _ in range(300):
        page.page.keyboard.press("Tab")
        name, shows, size = page.page.evaluate(FOCUS)
        if name in ("BODY", "HTML") or (seen and name == seen[0]):
            break
        assert shows, f"{name} has the focus, and nothing shows it"
        assert size, f"{name} has the focus, and cannot be seen"
        seen.append(name)
    wanted = {"open-examples", "save-file", "copy-link", "open-help", "tab-tables", "epsilon", "delta", "shape-0"}
    wanted |= {"cell-distribution-0-table-0-probability", "slider-epsilon", "slider-delta", "loss-record"}
    assert wanted <= set(seen), wanted - set(seen)


@pytest.mark.sweep(0)
def test_keys_of_a_table(page: Explorer) -> None:
    rows = len(page.document()["distribution"][0]["table"])
    page.at("cell-distribution-0-table-0-probability").focus()
    page.page.keyboard.press("ArrowDown")
    assert page.page.evaluate("document.activeElement.id") == "cell-distribution-0-table-1-probability"
    page.page.keyboard.press("Enter")
    body = page.page.locator("#table-distribution-0-table tbody tr[data-row]")
    expect(body).to_have_count(rows + 1)
    expect(page.page.locator("[id^='cell-distribution-0-table-2-']:focus")).to_have_count(1)
    page.page.keyboard.press("Control+Delete")
    expect(body).to_have_count(rows)
    page.settle()
    assert len(page.document()["distribution"][0]["table"]) == rows
