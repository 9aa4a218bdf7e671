"""The explorer as a page without a server: the same answers, from a sub-folder of a static host.

Python runs in a worker of the page; `make site` builds it into build/explore.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hostile_links import bombs, hostile_links

import verifier as pk
from browser.conftest import Open
from browser.explorer import Explorer, agree
from browser.harness import (
    NARROW,
    PATIENCE,
    ROOT,
    Watched,
    clean,
    expect,
    in_both_schemes,
    opened,
    too_wide,
    until,
)
from verifier.model.library import models_folder
from verifier.wings.course.pages import addresses
from verifier.wings.explore.routes import Session, example, examples, json_bytes
from verifier.wings.report.write import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.xdist_group("alone")
LOADED = "html:not([data-loading])"
PARTS = 32
"""In how many tests the examples are compared, and their forms; all are in one page, which is loaded once."""
CORE = {
    "numbers": ("--fast", "tests/numbers", "tests/tables", "tests/profile"),
    "definitions": (
        "--fast",
        *(f"tests/definitions/test_{name}.py" for name in ("definitions", "dependency", "rows", "sizes")),
        "tests/test_cases.py",
    ),
    "course": ("--whole", "tests/wings/course/test_every_answer.py"),
    "checker": ("tests/checker/test_traps.py", "tests/checker/test_by_hand.py"),
}
"""What pytest runs inside the page's interpreter, by room; none of these tests needs numpy.

`--fast` keeps the quick tests of a room, as `make check` does."""
HOSTILE = 260
"""Hostile links that are opened in a browser, twenty of each kind; a thorough run opens 10,000."""
LONGEST_WAIT = 10_000
"""Milliseconds that a page may be deaf after a link: two cores that do other things too took 1,500."""
OPEN_ALL = """async links => { const waited = [];
  const opened = async link => {
    const begun = performance.now();
    location.hash = link;
    for (let turn = 0; turn < 8; turn += 1) await new Promise(done => setTimeout(done, 4));
    return performance.now() - begun; };
  for (const link of links) {
    let least = await opened(link);
    for (let turn = 1; turn < 3 && least >= MOST; turn += 1) {
      await opened("");
      least = Math.min(least, await opened(link)); }
    waited.push(least); }
  return waited; }""".replace("MOST", str(LONGEST_WAIT))
"""How long the page is deaf after each link. One that seems to take too long is opened again: a link that makes the
page deaf does so each time, another program of this machine does not."""


class Held:
    """Requests that are answered later."""

    def __init__(self) -> None:
        """Hold none yet."""
        self.routes: list[Any] = []
        self.released = False

    def hold(self, route: Any) -> None:
        """Keep a request back until all are released."""
        if self.released:
            route.continue_()
        else:
            self.routes.append(route)

    def release(self) -> None:
        """Let all requests go on."""
        self.released = True
        for route in self.routes:
            route.continue_()


def loaded(open_page: Open, address: str) -> Explorer:
    """The page with Python in it; loading it takes seconds."""
    return with_python(open_page(address, width=NARROW))


FOUR_KEPT = """async () => {
  const [name] = await caches.keys();
  return name !== undefined && (await (await caches.open(name)).keys()).length === 4;
}"""


def move(page: Explorer) -> None:
    """Show interest in the page: it loads Python then, and not before."""
    for place in (3, 9):
        page.page.mouse.move(place, place)


def wake(page: Explorer) -> None:
    """Wait until the page, which gets a sign of interest, has loaded Python."""
    move(page)
    page.page.wait_for_selector(LOADED, state="attached")


def with_python(opened_page: Watched) -> Explorer:
    """A page that is open, once it has loaded Python."""
    page = Explorer(opened_page.page)
    page.page.set_default_timeout(4 * PATIENCE)
    page.settle()
    wake(page)
    return page


@pytest.fixture(scope="module")
def kept(chromium: Browser, page_address: str) -> Iterator[Watched]:
    """The page that all parts of a sweep ask, one after the other: loading it takes longer than most of them."""
    with opened(chromium, page_address, NARROW) as watched:
        with_python(watched)
        yield watched


@pytest.fixture
def kept_page(kept: Watched) -> Iterator[Explorer]:
    """It, for one test: what goes wrong in it then fails this test."""
    before = len(kept.problems)
    yield Explorer(kept.page)
    assert kept.problems[before:] == []


def test_the_first_answer_is_there_before_python(open_page: Open, page_address: str) -> None:
    page = Explorer(open_page().page)
    held = Held()
    page.page.context.route("**/memory.zst", held.hold)
    page.page.goto(page_address)
    page.settle()
    move(page)
    assert page.page.locator(LOADED).count() == 0
    assert page.verdict() == "fails"
    assert page.definition() == "np"
    assert page.page.locator("#loss table").count()
    before = page.verdicts()
    held.release()
    page.page.set_default_timeout(4 * PATIENCE)
    wake(page)
    page.fill("epsilon", "ln(5/2)")
    agree(page, page.model())
    page.fill("epsilon", "ln(2)")
    assert page.verdicts() == before
    agree(page, page.model())


def test_it_fits_and_is_accessible(open_page: Open, page_address: str) -> None:
    page = Explorer(open_page(page_address, width=NARROW).page)
    page.settle()
    clean({"narrow": [*in_both_schemes(page.page), *too_wide(page.page)]})


@pytest.mark.sweep(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_example_has_the_answers_of_the_package(kept_page: Explorer, part: int) -> None:
    """The whole passport of each, number by number, as the package gives it on this machine."""
    session, different, refused = Session(), [], 0
    ask = """async question => { const script = document.querySelector("script[type=module]").src;
             const { reply } = await import(new URL("transport.js", script));
             for (;;) {
               const answer = await reply("passport", { ...question, budget: 100 });
               if (!answer.pending?.length) return answer; } }"""
    asked = examples()[part::PARTS]
    for entry in asked:
        question = {"document": example(entry["id"])["document"], "epsilon": "ln(2)", "delta": "0"}
        wanted = session.post("passport", question)
        answer = kept_page.page.evaluate(ask, question)
        refused += "problems" in wanted
        if timeless(answer) != timeless(json.loads(json_bytes(wanted))):
            different.append(entry["id"])
    assert different == []
    assert len(asked) > 6
    assert refused < len(asked) / 8


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without the time that it took."""
    return {name: value for name, value in answer.items() if name != "milliseconds"}


def test_an_example_in_the_address(open_page: Open, page_address: str) -> None:
    page = Explorer(open_page(f"{page_address}#example=DMKB20/example-4-repaired").page)
    page.page.set_default_timeout(4 * PATIENCE)
    page.told("Opened. Undo")
    page.settle()
    assert page.document()["title"] == pk.read(models_folder() / "DMKB20/example-4-repaired.toml").title
    agree(page, page.model())


def test_a_link_of_a_report_opens_the_model_of_its_page(open_page: Open, page_address: str, tmp_path: Path) -> None:
    """The report is opened from the disk, the explorer from its host; the model is in the link."""
    path = tmp_path / "mine.toml"
    bundled = models_folder() / "DMKB20" / "example-4-repaired.toml"
    text = bundled.read_text(encoding="utf-8").replace("[mechanism]", "# mine\n[mechanism]")
    path.write_text(text, encoding="utf-8")
    write_report([pk.read(path)], tmp_path / "report", explorer=f"{page_address}index.html")
    page = Explorer(open_page((tmp_path / "report" / "models" / "mine.html").as_uri()).page)
    page.page.set_default_timeout(4 * PATIENCE)
    page.page.get_by_role("link", name="Try it in the explorer").click()
    page.settle()
    wake(page)
    wanted = {key: value for key, value in tomllib.loads(text, parse_float=str).items() if key != "expect"}
    assert page.document() == wanted
    agree(page, page.model())


@pytest.mark.sweep(0)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_example_has_its_forms(kept_page: Explorer, part: int) -> None:
    """No model file of the package is too large for the forms, or does not fit them."""
    names = [entry["id"] for entry in examples()[part::PARTS]]
    left_out = kept_page.page.evaluate(
        """async names => { const script = document.querySelector("script[type=module]:not([async])").src;
             const { store } = await import(new URL("store.js", script));
             const found = [];
             for (const name of names) {
               const before = store.document;
               location.hash = `example=${name}`;
               while (store.document === before) await new Promise(done => setTimeout(done, 10));
               const text = [...document.querySelectorAll("#editors .note")].map(note => note.textContent).join();
               if (/does not fit its form|values is edited in the TOML tab/.test(text)) found.push(name);
             }
             return found; }""",
        names,
    )
    assert left_out == []


def test_a_question_that_takes_long_can_be_cancelled(open_page: Open, page_address: str) -> None:
    """The worker is ended, and a new one answers the next question."""
    page = loaded(open_page, page_address)
    page.page.evaluate(
        """() => { const old = Worker.prototype.postMessage; window.asked = 0;
                   Worker.prototype.postMessage = function (question) {
                     window.asked += 1;
                     if (window.asked > 1) old.call(this, question); }; }"""
    )  # the first question is lost: it is as if it took for ever
    page.at("epsilon").fill("ln(7)")
    page.page.locator("#cancel").click()
    page.page.locator("#compute").wait_for()
    page.fill("epsilon", "ln(6)")
    agree(page, page.model())


def test_no_verdict_waits_for_the_checker(open_page: Open, page_address: str) -> None:
    """A re-check that takes for ever: it has a worker of its own, and the next model is answered meanwhile."""
    page = loaded(open_page, page_address)
    assert page.at("checked").inner_text() == "✓ re-checked by the independent checker"  # it is in the page
    page.page.evaluate(
        """() => { const old = Worker.prototype.postMessage; window.lost = 0;
                   Worker.prototype.postMessage = function (question) {
                     if (question.name === "recheck" && window.lost < 1) window.lost += 1;
                     else old.call(this, question); }; }"""
    )
    page.fill("epsilon", "ln(7)")
    until(page.page, lambda: page.page.evaluate("window.lost") == 1, "the checker is asked")
    agree(page, page.model())
    page.fill("epsilon", "ln(6)")
    agree(page, page.model())
    page.page.wait_for_selector("html:not([data-rechecking])", state="attached")  # the lost work was ended
    assert page.at("checked").inner_text() == "✓ re-checked by the independent checker"
    assert page.page.locator("html[data-away]").count() == 0


def test_a_counterexample_is_found_without_numpy(open_page: Open, page_address: str) -> None:
    """The search looks at as many models as that of the package, which counts with numpy."""
    page = loaded(open_page, page_address)
    page.page.locator("#finder > summary").click()
    page.at("find-go").click()
    looked = pk.search(satisfies="np(0)", violates="cdp").hit.orbits
    expect(page.at("find-said")).to_contain_text(
        f"Number 1: np(0) and not cdp. np(0): holds, cdp: fails. {looked} models looked at"
    )
    page.settle()
    agree(page, page.model())


def test_opened_as_a_file_the_page_says_what_to_do(chromium: Browser, page_folder: Path) -> None:
    """Browsers run no modules from files: without these words the page would be an empty shell."""
    for scripts in (True, False):
        context = chromium.new_context(java_script_enabled=scripts)
        try:
            page = context.new_page()
            page.goto((page_folder / "index.html").as_uri())
            words = page.locator("#unstarted")
            expect(words).to_be_visible()
            assert "pkdp explore" in words.inner_text()
        finally:
            context.close()


@pytest.mark.sweep(0)  # one page in Chromium and Firefox; tests/wings/explore opens such links without a browser
def test_hostile_links_run_nothing_and_hang_nothing(
    open_page: Open, page_address: str, request: pytest.FixtureRequest
) -> None:
    """One after the other in one page: it stays quick, nothing of a link runs, and after all of them it answers."""
    page = loaded(open_page, page_address)
    page.at("copy-link").click()
    page.page.wait_for_url(re.compile("#.+"))  # it is packed first
    fragment = page.page.evaluate("location.hash.slice(1)")
    most = 10_000 if request.config.getoption("--thorough") else HOSTILE
    dialogs: list[str] = []
    page.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.page.set_default_timeout(0)
    links = hostile_links(most, seed=7)
    assert len(links) == most
    waited = page.page.evaluate(OPEN_ALL, [*bombs(), *links])
    page.page.set_default_timeout(4 * PATIENCE)
    assert max(waited) < LONGEST_WAIT
    page.page.evaluate("fragment => { location.hash = ''; location.hash = fragment; }", fragment)
    until(page.page, lambda: page.page.title().startswith("Two friends who often agree"), "the last link is open")
    page.settle()
    page.fill("epsilon", "ln(3)")
    assert page.document()["title"] == "Two friends who often agree"
    agree(page, page.model())
    assert dialogs == []
    assert page.page.evaluate("[window.hit ?? null, Object.keys(Object.prototype), Object.keys(Array.prototype)]") == [
        None,
        [],
        [],
    ]
    assert page.page.locator("img, iframe, object, embed").count() == 0


def test_nothing_is_loaded_without_interest_and_nothing_twice(open_page: Open, page_address: str) -> None:
    """Who reads only loads no program; a second visit unpacks and loads none again, and has the same answers."""
    page = Explorer(open_page().page)
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url))
    page.page.goto(page_address)
    page.settle()
    assert page.verdict() == "fails"
    assert not [address for address in asked if re.search(r"worker\.js|\.zst|\.wasm", address)]
    page.page.set_default_timeout(4 * PATIENCE)
    page.fill("epsilon", "ln(5/2)")
    wake(page)
    before = page.verdicts()
    assert not [address for address in asked if address.endswith("pyodide.asm.mjs")]  # it comes packed
    page.page.wait_for_function(FOUR_KEPT)
    packed = Explorer(page.page.context.new_page())
    again = re.compile(r"/((interpreter|libraries|memory|script)\.zst|pyodide\.asm\.mjs)$")
    packed.page.context.route(again, lambda route: route.abort())
    packed.page.set_default_timeout(4 * PATIENCE)
    packed.page.goto(page_address)
    packed.settle()
    packed.fill("epsilon", "ln(5/2)")
    wake(packed)
    assert packed.verdicts() == before


@pytest.mark.sweep(0)
def test_without_the_memory_the_program_is_loaded_piece_by_piece(open_page: Open, page_address: str) -> None:
    """The twin of the fast start: the same answers."""
    page = Explorer(open_page().page)
    page.page.context.route("**/memory.zst", lambda route: route.fulfill(body=b"damaged"))
    warned: list[str] = []
    page.page.on("console", lambda message: warned.append(message.text))
    page.page.set_default_timeout(4 * PATIENCE)
    page.page.goto(page_address)
    page.settle()
    wake(page)
    page.fill("epsilon", "ln(5/2)")
    agree(page, page.model())
    assert any("piece by piece" in line for line in warned)


def test_the_first_answers_need_no_files(open_page: Open, page_address: str) -> None:
    """A changed verdict comes before the program's files and Python's library are there."""
    page, held = Explorer(open_page().page), Held()
    files, came = re.compile(r"/(program\.zst|python_stdlib\.zip)$"), list[str]()
    page.page.context.route(files, held.hold)
    page.page.context.on("requestfinished", lambda request: came.extend(files.findall(request.url)))
    page.page.set_default_timeout(4 * PATIENCE)
    page.page.goto(page_address)
    page.settle()
    wake(page)
    page.fill("epsilon", "ln(5/2)")
    early = page.verdicts()
    held.release()
    agree(page, page.model())
    until(page.page, lambda: len(came) == 2, "the files come while nobody waits for them")
    assert page.page.locator(LOADED).count() == 1
    assert page.verdicts() == early


def test_a_model_that_breaks_the_interpreter_is_answered(open_page: Open, page_address: str) -> None:
    """Lists so deep that they end the interpreter: a link says that it is damaged; after a file the program is anew."""
    page = loaded(open_page, page_address)
    deep = zlib.compress(f'{{"size":1,"values":{"[" * 20_000}{"]" * 20_000}}}'.encode(), wbits=-15)
    link = urlsafe_b64encode(deep).decode().rstrip("=")
    page.page.evaluate("link => { location.hash = link; }", f"m={link}")
    page.told("This link is damaged")
    text = f"size = 1\nvalues = {'[' * 20_000}{']' * 20_000}\n"
    page.at("file").set_input_files({"name": "deep.toml", "mimeType": "text/plain", "buffer": text.encode()})
    page.told("Not opened")
    page.page.evaluate("() => { location.hash = 'example=DMKB20/example-4-repaired'; }")
    page.told("Opened. Undo")
    page.settle()
    agree(page, page.model())


@pytest.mark.sweep(0)  # the same tests run outside of it
@pytest.mark.parametrize("room", CORE)
def test_the_core_is_tested_inside_the_interpreter_of_the_page(page_folder: Path, room: str) -> None:
    """Numbers, tables, profiles, definitions and the checker, where there is no numpy."""
    assert list(page_folder.glob("program-*/program.zst"))
    packages = Path(pytest.__file__).parents[1]
    command = ["node", str(ROOT / "docs/explorer_page/inside.mjs"), str(packages), *CORE[room]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > 100 or room == "course"  # one for each notebook


def test_all_names_have_hashes_and_nothing_is_from_elsewhere(page_folder: Path) -> None:
    files = [path.relative_to(page_folder).as_posix() for path in page_folder.rglob("*") if path.is_file()]
    courses = {f"course/{address}" for address in addresses()}
    hashed = re.compile(r"(licenses|page|program|python)-[0-9a-f]{16}/")
    assert all(name == "index.html" or name in courses or hashed.match(name) for name in files)
    assert sum("LICENSE" in name or "COPYING" in name for name in files) > 3
    index = (page_folder / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' 'wasm-unsafe-eval'" in index
    assert not re.search(r"(src|href)=\"(https?:)?//", index)
    size = sum((page_folder / name).stat().st_size for name in files)
    assert size < 22 << 20
    later = (".zip", "program.zst", "asm.mjs")
    first = [name for name in files if not name.startswith(("licenses", "course")) and not name.endswith(later)]
    assert sum((page_folder / name).stat().st_size for name in first) < 14_000_000
