"""One chromium for a whole run, pages that fail their test on any problem, and a report that is written once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from report_made import report_pages

from browser.explorer import Explorer
from browser.harness import ROOT, WIDE, Scheme, Watched, hosted, launched, missing, opened, pkdp, required, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Open = Callable[..., Watched]


def absent(reason: str) -> None:
    """Skip the test; fail it where the environment says that a browser and its pages are required."""
    if required():
        pytest.fail(f"required here (PKDP_BROWSER=required), but: {reason}")
    pytest.skip(reason)


def need_browser() -> None:
    """Skip, or fail, where there is none."""
    reason = missing()
    if reason is not None:
        absent(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, one for a worker."""
    need_browser()
    with launched() as browser:
        yield browser


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Open pages; a console error, an exception or a request that leaves the machine fails the test."""
    kept: list[Watched] = []
    with ExitStack() as stack:

        def enter(url: str = "", width: int = WIDE, scheme: Scheme = "light") -> Watched:
            kept.append(stack.enter_context(opened(chromium, url, width, scheme)))
            return kept[-1]

        yield enter
        problems = [problem for watched in kept for problem in watched.problems]
    assert problems == []


def built(name: str) -> Path | None:
    """A folder that was built just before, below the one that PKDP_BUILT names."""
    folder = ROOT / os.environ.get("PKDP_BUILT", "") / name
    return folder if "PKDP_BUILT" in os.environ and (folder / "index.html").is_file() else None


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the report: the one that was built just before, else written once for all workers."""
    ready = built("report")
    if ready is not None:
        return ready
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "report.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "report" / "done").exists():
            from verifier.wings.report import write

            with pytest.MonkeyPatch.context() as patch:  # its models are decided once for all tests of a worker
                patch.setattr(write, "model_pages", lambda *_: list(report_pages()))
                write.write_report(None, shared / "report")
            (shared / "report" / "done").touch()
    return shared / "report"


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site."""
    folder = built("site")
    if folder is None:
        absent("the site is not built (make browser builds it first)")
        raise RuntimeError
    return folder


@pytest.fixture(scope="session")
def explorer() -> Iterator[str]:
    """The address of an explorer that has no model of its own."""
    need_browser()
    with served(*pkdp("explore", "--no-open")) as address:
        yield address


@pytest.fixture
def page(explorer: str, open_page: Open) -> Explorer:
    """The page as it opens first."""
    found = Explorer(open_page(explorer).page)
    found.settle()
    return found


@pytest.fixture(scope="session")
def page_folder() -> Path:
    """The folder of the explorer as a page, that was built."""
    made = built("explore")
    if os.environ.get("PKDP_PAGE") == "absent":
        pytest.skip("npm or a package registry could not be reached, so that the page was not built")
    if made is None:
        absent("the explorer's page is not built (make site builds it; npm is needed)")
        raise RuntimeError
    return made


@pytest.fixture(scope="session")
def page_address(page_folder: Path) -> Iterator[str]:
    """The explorer as a page, in a sub-folder of a static host."""
    with hosted(page_folder.parent) as address:
        yield f"{address}{page_folder.name}/"
