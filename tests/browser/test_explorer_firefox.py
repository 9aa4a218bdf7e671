"""The explorer as a page in a second browser: some model files have there the answers of the package."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic, sleep

import pytest
from hostile_links import bombs, hostile_links

import verifier as pk
from browser.firefox import Firefox, executable, firefox
from verifier.model.library import models_folder
from verifier.wings.explore.links import explorer_link

pytestmark = pytest.mark.xdist_group("alone")
MODELS = (
    "DMKB20/example-1-side",
    "DMKB20/example-4-repaired",
    "DMKB20/example-7-five-voters",
    "DKM19/introduction-parity",
    "LQS12/definition-3.6-copies",
    "relations/randomized-response",
)
LONGEST_WAIT = 20
"""Seconds that the page may be deaf after a hostile link."""
READY = "return document.querySelector('html:not([data-asking]):not([data-loading]) #passport-table') !== null"
ROWS = """return [...document.querySelectorAll('#passport-table tr[data-key]')].map(row =>
            [row.dataset.key, [...row.querySelector('.verdict').childNodes].at(-1).textContent.trim()])"""
CHOSEN = """const line = name => [...document.querySelectorAll('#verdict .amounts > div')]
              .find(one => one.textContent.includes(`smallest ${name}`));
            const amount = line => line.textContent.includes('∞') ? 'inf'
              : line.querySelector('.exact').textContent.split('≈')[0].trim();
            return [document.querySelector('#passport-table tr[aria-selected=true]').dataset.key,
              line('δ') ? [amount(line('δ')), amount(line('ε'))] : null]"""
TITLE = "return document.title.startsWith(arguments[0])"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, page_address: str) -> Iterator[Firefox]:
    """The page in Firefox; skipped where there is none."""
    if executable() is None:
        pytest.skip("no Firefox on this machine (Debian: apt install firefox-esr)")
    with firefox(tmp_path_factory.mktemp("firefox")) as browser:
        browser.open(page_address)
        browser.until(READY)
        yield browser


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_answers_of_the_package(window: Firefox, page_address: str, name: str) -> None:
    """By its name in the address, and with the whole model in it: every verdict, and the numbers of the chosen one."""
    path = models_folder() / f"{name}.toml"
    model = pk.read(path)
    text = path.read_text(encoding="utf-8")
    for link in (explorer_link(page_address, text), explorer_link(page_address, f"# mine\n{text}")):
        window.open(f"{page_address}#example=two-friends")
        window.until(TITLE, "Two friends who often agree")
        window.open(str(link))
        window.until(TITLE, model.title)
        window.until(READY)
        wanted = {row.definition: row.verdict for row in pk.overview(model, epsilon="ln(2)", delta="0")}
        assert dict(window.run(ROWS)) == wanted
        key, amounts = window.run(CHOSEN)
        answer = pk.check(model, key, epsilon="ln(2)", delta="0")
        smallest = [str(answer.tight_delta), str(answer.tight_epsilon)]
        assert amounts == (None if answer.verdict == "vacuous" else smallest)


def test_a_damaged_link_says_so(window: Firefox, page_address: str) -> None:
    window.open(f"{page_address}#m=AAAA")
    window.until("return document.getElementById('told').textContent.startsWith('This link is damaged')")


def deaf(window: Firefox, link: str) -> float:
    """For how many seconds the page hears nothing after a link."""
    window.run("location.hash = ''")
    begun = monotonic()
    window.run("location.hash = arguments[0]", link)
    sleep(0.03)
    window.run("return 1")
    return monotonic() - begun


@pytest.mark.sweep(0)
def test_hostile_links_run_nothing_and_hang_nothing(window: Firefox, page_address: str) -> None:
    """Ten of each kind and the bombs: each is taken in time, and after all of them the page answers."""
    for link in [*bombs(), *hostile_links(130, seed=11)]:
        # What makes the page deaf does so each time; another program of this machine does not.
        assert any(deaf(window, link) < LONGEST_WAIT for _ in range(3)), link[:200]
    assert window.run("return window.hit === undefined")
    assert window.run("return document.querySelectorAll('img, iframe, object, embed').length") == 0
    window.open(f"{page_address}#example=DMKB20/example-4-repaired")
    window.until(TITLE, pk.read(models_folder() / "DMKB20/example-4-repaired.toml").title)
    window.until(READY)
