"""Pictures of all pages, at three widths, light and dark, to look at: `make screens`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from browser.explorer import Explorer
from browser.harness import (
    MIDDLE,
    NARROW,
    PATIENCE,
    ROOT,
    SCREENS,
    WIDE,
    Scheme,
    hosted,
    launched,
    missing,
    opened,
    pkdp,
    screenshot,
    served,
)
from browser.notebook import Notebook
from browser.test_site_page import SAMPLE
from verifier.wings.course.pages import address_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKS: list[tuple[int, Scheme]] = [(width, scheme) for width in (WIDE, MIDDLE, NARROW) for scheme in SCHEMES]
Work = Callable[["Page"], object]


def pages(explorer: str, course: str, alone: str) -> Iterator[tuple[str, Work]]:
    """Every page with its name, and how to get there."""
    yield from _explorer(explorer)
    if (ROOT / "build" / "explore" / "index.html").is_file():
        yield from _page(alone)
    else:
        print("no pictures of the explorer without a server: its page is not built")
    report, site = ROOT / "build" / "report", ROOT / "build" / "site"
    reports = [path for path in sorted(report.rglob("*.html")) if "claims" not in path.parts]
    for path in [*reports, report / "claims" / "index.html", *sorted((report / "claims").glob("*/theorem-1.html"))]:
        yield "report-" + "-".join(path.relative_to(report).with_suffix("").parts), _goto(path.as_uri())
    for name in SAMPLE:
        yield f"site-{name.replace('/', '-')}", _goto((site / f"{name}.html").as_uri())
    yield "course-start", _goto(course)
    for path in sorted((ROOT / "docs" / "course").glob("[0-9][0-9]_*.py")):
        address = f"{course}{address_of(path)}"
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


def _page(address: str) -> Iterator[tuple[str, Work]]:
    """The explorer without a server: as it opens, an example and a damaged link in its address, a changed question."""

    def loaded(fragment: str) -> Callable[[Page], Explorer]:
        def load(page: Page) -> Explorer:
            page.set_default_timeout(4 * PATIENCE)
            page.goto(f"{address}{fragment}")
            found = Explorer(page)
            found.settle()
            page.wait_for_selector("html:not([data-loading])", state="attached")
            return found

        return load

    yield "explore-page", loaded("")
    yield "explore-page-example", loaded("#example=DMKB20/example-7-five-voters")
    yield "explore-page-damaged", loaded("#m=AAAA")
    yield "explore-page-asked", lambda page: loaded("")(page).fill("epsilon", "ln(5/2)")


def main() -> None:
    """Take them all."""
    reason = missing()
    if reason is not None:
        raise SystemExit(reason)
    with ExitStack() as stack:
        explorer = stack.enter_context(served(*pkdp("explore", "--no-open")))
        course = stack.enter_context(served(*pkdp("course", "--no-browser")))
        browser = stack.enter_context(launched())
        alone = stack.enter_context(hosted(ROOT / "build")) + "explore/"
        for name, work in pages(explorer, course, alone):
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
