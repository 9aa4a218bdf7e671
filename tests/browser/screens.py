"""Pictures of all pages, wide and narrow, light and dark, to look at: `make screens`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from browser.explorer import Explorer
from browser.harness import NARROW, ROOT, SCREENS, WIDE, Scheme, launched, missing, opened, pkdp, screenshot, served
from browser.notebook import Notebook
from browser.test_site_page import SAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOOKS: list[tuple[int, Scheme]] = [(WIDE, "light"), (WIDE, "dark"), (NARROW, "light"), (NARROW, "dark")]
Work = Callable[["Page"], object]


def pages(explorer: str, course: str) -> Iterator[tuple[str, Work]]:
    """Every page with its name, and how to get there."""
    yield from _explorer(explorer)
    report, site = ROOT / "build" / "report", ROOT / "build" / "site"
    reports = [path for path in sorted(report.rglob("*.html")) if "claims" not in path.parts]
    for path in [*reports, report / "claims" / "index.html", *sorted((report / "claims").glob("*/theorem-1.html"))]:
        yield "report-" + "-".join(path.relative_to(report).with_suffix("").parts), _goto(path.as_uri())
    for name in SAMPLE:
        yield f"site-{name.replace('/', '-')}", _goto((site / f"{name}.html").as_uri())
    yield "course-start", _goto(course)
    for path in sorted((ROOT / "docs" / "course").glob("[0-9][0-9]_*.py")):
        address = f"{course}{path.stem}/"
        yield f"course-{path.stem}", lambda page, address=address: Notebook(page).open(address)  # type: ignore[misc]


def _goto(address: str) -> Work:
    return lambda page: page.goto(address)


def _explorer(address: str) -> Iterator[tuple[str, Work]]:
    def first(page: Page) -> Explorer:
        page.goto(address)
        found = Explorer(page)
        found.settle()
        return found

    def example(page: Page) -> None:
        first(page).example("DMKB20/example-7-five-voters")

    def slip(page: Page) -> None:
        first(page).fill("cell-distribution-0-table-0-probability", "a third")

    def menu(page: Page) -> None:
        first(page).listed()
        page.locator("#open-examples").click()

    yield "explorer", first
    yield from (("explorer-example", example), ("explorer-slip", slip), ("explorer-menu", menu))


def main() -> None:
    """Take them all."""
    reason = missing()
    if reason is not None:
        raise SystemExit(reason)
    with ExitStack() as stack:
        explorer = stack.enter_context(served(*pkdp("explore", "--no-open")))
        course = stack.enter_context(served(*pkdp("course", "--no-browser")))
        browser = stack.enter_context(launched())
        for name, work in pages(explorer, course):
            take(browser, name, work)
    print(f"{len(list(SCREENS.glob('*.png')))} pictures in {SCREENS.relative_to(ROOT)}")


def take(browser: Browser, name: str, work: Work) -> None:
    """One page in all looks."""
    for width, scheme in LOOKS:
        with opened(browser, width=width, scheme=scheme) as watched:
            work(watched.page)
            screenshot(watched.page, name, width, scheme)
            for problem in watched.problems:
                print(f"{name}: {problem}")


if __name__ == "__main__":
    main()
