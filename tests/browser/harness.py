"""Chromium, pages that notice every problem, and the accessibility check: no fixtures, so that scripts use it too."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from queue import Queue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page
    from playwright.sync_api._generated import LocatorAssertions

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "build" / "screens"
NAMES = ("chromium", "chromium-browser", "google-chrome")
HERE = ("127.0.0.1", "localhost", "::1")
MOST = 6
"""Problems that are shown of one page."""
PATIENCE = 30_000
"""Milliseconds after which a condition that does not come true is an error: generous, for slow machines."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
Scheme = Literal["light", "dark"]
WIDE, MIDDLE, NARROW = 1280, 820, 390


def missing() -> str | None:
    """What is missing for tests in a browser, in words; None where all is there."""
    if executable() is None:
        return "no chromium on this machine (Debian: apt install chromium)"
    for package in ("playwright", "axe_playwright_python"):
        if find_spec(package) is None:
            return f"{package} is not installed (pip install '.[browser]')"
    return None


def required() -> bool:
    """Whether a machine without a browser is an error: `.ci/run` says so."""
    return os.environ.get("PKDP_BROWSER") == "required"


def executable() -> str | None:
    """The path of chromium."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable(), args=FLAGS, timeout=4 * PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Watched:
    """A page and all that went wrong in it: console errors, uncaught exceptions, requests that leave the machine."""

    page: Page
    problems: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Listen from the first byte on."""
        self.page.on("console", self.said)
        self.page.on("pageerror", lambda error: self.note("exception", error))
        self.page.on("request", lambda request: self.asked(request.url))
        self.page.on("websocket", lambda socket: self.asked(socket.url))

    def said(self, message: ConsoleMessage) -> None:
        """Errors in the console are problems; what a page says otherwise is not."""
        if message.type == "error":
            self.note("console", message.text, message.location)

    def note(self, *what: object) -> None:
        """Keep a problem."""
        self.problems.append(" ".join(map(str, what)))

    def asked(self, url: str) -> None:
        """Only the loopback address, files, and what a page carries in itself."""
        parts = urlsplit(url)
        if parts.scheme not in ("file", "data", "blob", "about") and parts.hostname not in HERE:
            self.note("request to another host", url)


@contextmanager
def opened(browser: Browser, url: str = "", width: int = WIDE, scheme: Scheme = "light") -> Iterator[Watched]:
    """A page of its own, like a new profile; the caller looks at its problems."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        reduced_motion="reduce",
        locale="en-GB",
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(PATIENCE)
    try:
        watched = Watched(context.new_page())
        watched.watch()
        if url:
            watched.page.goto(url, wait_until="load")
        yield watched
    finally:
        context.close()


def expect(locator: Locator) -> LocatorAssertions:
    """What must come true of an element before long (playwright's own, imported when it is used)."""
    from playwright.sync_api import expect as soon

    soon.set_options(timeout=PATIENCE)
    return soon(locator)


def violations(page: Page, within: str | None = None, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong, on the whole page or within some elements: rule, element, and what it says."""
    from axe_playwright_python.sync_playwright import Axe

    context: dict[str, Any] | None = {"include": [[within]]} if within else None
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False} | (
        {"runOnly": list(rules)} if rules else {}
    )
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}\n      {node['html'][:200]}\n      "
        + " ".join(str(node.get("failureSummary", "")).split())
        for rule in Axe().run(page, context=context, options=options).response["violations"]
        for node in rule["nodes"]
    ]


def in_both_schemes(page: Page, within: str | None = None) -> list[str]:
    """All rules on light, and the contrast, which is what changes, on dark."""
    page.emulate_media(color_scheme="light")
    found = violations(page, within)
    page.emulate_media(color_scheme="dark")
    dark = violations(page, within, ("color-contrast",))
    page.emulate_media(color_scheme="light")
    return found + [f"dark: {said}" for said in dark]


def clean(found: Mapping[str, Sequence[str]]) -> None:
    """Fail with the problems by page, the first few of each; pass where there are none."""
    said = [
        "\n    ".join([f"{page}: {len(problems)} problems", *problems[:MOST]])
        for page, problems in found.items()
        if problems
    ]
    if said:
        raise AssertionError("\n" + "\n".join(said))


def too_wide(page: Page) -> list[str]:
    """The elements that stick out to the right of the window, where the page as a whole scrolls sideways."""
    found = page.evaluate(
        """() => {
          const wide = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= wide) return [];
          const out = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > wide + 1);
          return ['wider than the window', ...out.slice(0, 5).map(e => e.outerHTML.slice(0, 150))];
        }"""
    )
    return [str(one) for one in found]


def screenshot(page: Page, name: str, width: int, scheme: Scheme, folder: Path = SCREENS) -> Path:
    """`build/screens/<name>-<width>-<scheme>.png`, the whole page."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{width}-{scheme}.png"
    page.screenshot(path=path, full_page=True, animations="disabled")
    return path


def until(page: Page, condition: Callable[[], bool], what: str) -> None:
    """Let the page go on until a condition is true of what it has told us."""
    end = monotonic() + 4 * PATIENCE / 1000
    while not condition():
        if monotonic() > end:
            raise TimeoutError(f"never came true: {what}")
        page.wait_for_timeout(20)


@contextmanager
def served(*command: str, says: str = r"(http://[\w.]+:\d+\S*)") -> Iterator[str]:
    """Start a server, wait until it says its address, read on so that it never waits, and stop it at the end."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    heard: list[str] = []
    found: Queue[str | None] = Queue()

    def listen() -> None:
        for line in process.stdout or ():
            heard.append(line)
            if match := re.search(says, line):
                found.put(match[1])
        found.put(None)

    listener = Thread(target=listen, daemon=True)
    listener.start()
    try:
        address = found.get(timeout=4 * PATIENCE / 1000)
        if address is None:
            raise RuntimeError(f"{command} ended before it said its address:\n{''.join(heard)}")
        yield address
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        listener.join()
        if process.stdout:
            process.stdout.close()


class Quiet(SimpleHTTPRequestHandler):
    """A static host that says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a static host that serves the files of a folder."""
    server = ThreadingHTTPServer((HERE[0], 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://{HERE[0]}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def pkdp(*arguments: str) -> list[str]:
    """The command line of this checkout."""
    return [sys.executable, "-c", "from verifier.cli.main import run; run()", *arguments]
