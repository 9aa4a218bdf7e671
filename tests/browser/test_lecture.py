"""The lecture on a projector: a step at a time, pictures and verdict on keys, within 1280 × 720; the handout fits."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from documents import site_modules

from browser.conftest import Open
from browser.harness import ROOT, clean, expect, hosted, in_both_schemes, too_wide

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from verifier.model import Model

with site_modules() as imported:
    lecture_page = imported("lecture_page")
filled, steps, write = lecture_page.filled, lecture_page.steps, lecture_page.write
ASKED = [step for step in steps() if step.name]
LEAST = 19.9
"""Pixels of the smallest letters that the last row reads."""
NARROWEST = 320
SIZES = """() => {
  const scale = (one) => { const to = one.getScreenCTM?.(); return to ? Math.hypot(to.a, to.b) : 1; };
  return [...document.querySelectorAll("section.shown *, nav *")].filter((one) =>
  [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && one.getClientRects().length
  && !["title", "desc"].includes(one.tagName)).map((one) =>
  [parseFloat(getComputedStyle(one).fontSize) * scale(one), one.textContent]); }"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the view, the handout and the files, as the site has them."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs" / "_static", folder / "_static")
    shutil.copyfile(ROOT / "verifier" / "show" / "templates" / "icon.svg", folder / "_static" / "icon.svg")
    write(folder, explorer=True)
    return folder


@pytest.fixture(scope="module")
def lecture(site: Path) -> Iterator[str]:
    """The address of the folder."""
    with hosted(site) as address:
        yield f"{address}/lecture"


def projected(page: Page, step: str) -> None:
    """What is seen lies within the projector's picture, and its letters are not small."""
    size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [1280, 720], step
    small = [(round(size, 1), text) for size, text in page.evaluate(SIZES) if size < LEAST]
    assert small == [], step


def test_each_step_fits_the_projector_and_opens_on_keys(lecture: str, open_page: Open) -> None:
    page = open_page(f"{lecture}/present.html").page
    page.set_viewport_size({"width": 1280, "height": 720})
    for number, step in enumerate(steps(), 1):
        shown = page.locator("section.shown")
        expect(shown).to_have_id(f"step-{number}")
        asked = step.model.asked.text if step.name else step.ask
        assert asked in shown.inner_text()
        assert not shown.locator(".verdict").is_visible()
        assert not shown.locator(".picture svg").first.is_visible()
        projected(page, step.name)
        for _ in step.pictures:
            page.keyboard.press("p")
            expect(shown.locator("svg:visible")).to_have_count(1)
            assert not shown.locator(".verdict").is_visible()
            projected(page, step.name)
        page.keyboard.press("v")
        expect(shown.locator(".verdict")).to_have_text(step.right)
        projected(page, step.name)
        if step.pictures:
            page.keyboard.press("p")
        expect(shown.locator("svg:visible")).to_have_count(0)
        projected(page, step.name)
        assert shown.locator("h1 a[href*='#m=']").count() == bool(step.name)
        page.keyboard.press("ArrowRight")
    expect(page.locator("section.shown")).to_have_id(f"step-{len(steps())}")
    clean({"view": in_both_schemes(page)})
    page.keyboard.press("ArrowLeft")
    page.reload()
    expect(page.locator("section.shown")).to_have_id(f"step-{len(ASKED)}")
    page.keyboard.press("p")
    clean({"picture": in_both_schemes(page)})
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(24, 25, 27)"


def test_the_view_has_no_note_of_the_lecturer(site: Path) -> None:
    text = (site / "lecture" / "present.html").read_text(encoding="utf-8")
    assert "Students say" not in text
    assert [step.show for step in steps() if step.show in text] == []


def test_epsilon_is_moved_along_the_bars_and_the_curve(lecture: str, open_page: Open) -> None:
    page = open_page(f"{lecture}/present.html#step-3").page
    page.keyboard.press("p")
    shown, dial = page.locator("section.shown svg:visible"), page.locator("#mark")
    for at, delta in (("0", "1/2"), ("ln(5/4)", "7/16"), ("ln(3/2)", "3/8"), ("ln(7/4)", "5/16"), ("ln(2)", "1/4")):
        expect(page.locator("#at")).to_have_text(at)
        assert f"δ = {delta} at ε = {at}." in str(shown.text_content())
        page.keyboard.press("+")
    dial.press("End")
    assert "δ = 0 at ε = ln(3)." in str(shown.text_content())
    page.keyboard.press("p")
    expect(page.locator("#at")).to_have_text("ln(3)")
    page.keyboard.press("-")
    assert "At ε = ln(11/4) the smallest δ is 1/16" in str(shown.text_content())
    dial.press("ArrowRight")
    expect(page.locator("section.shown")).to_have_id("step-3")
    page.locator("#next").press("ArrowRight")
    expect(page.locator("section.shown")).to_have_id("step-4")
    expect(dial).to_be_hidden()


def test_the_pictures_are_those_of_the_answer(lecture: str, open_page: Open) -> None:
    page = open_page(f"{lecture}/present.html").page
    drawn = {
        "step-8": ("[0, 0]: probability 1/2; published: x", "[0, 1]: never drawn; published: y"),
        "step-9": ("[0, 0, 0]: probability 1/2; published: 0", "[1, 1, 1]: probability 1/2; published: 1"),
        "step-11": ("she chooses: δ = 0.9 at every ε", "At ε = ln(2) the smallest δ is 233/1000"),
        "step-12": ("one answer: δ falls", "two answers: δ falls", "breakpoints at ε = ln(9)"),
        "step-13": ("published: high with probability 1/4, low with probability 3/4",),
    }
    for step, words in drawn.items():
        told = str(page.locator(f"#{step} .view desc").first.text_content())
        assert [one for one in words if one not in told] == [], told


def test_a_curve_is_asked_once_for_all_its_epsilons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slider moves over one curve: the pages are made with one profile for each definition that a step draws."""
    asked: list[tuple[str, str]] = []
    check = lecture_page.check

    def counted(model: Model, definition: str, **question: object) -> object:
        if question == {"epsilon": "0", "delta": 0}:
            asked.append((model.title, definition))
        return check(model, definition, **question)

    monkeypatch.setattr(lecture_page, "check", counted)
    steps.cache_clear()
    write(tmp_path, explorer=False)
    steps.cache_clear()
    drawn = [step for step in ASKED if "curve" in step.pictures]
    assert any(len(step.at) > 1 for step in drawn)
    for step in drawn:
        bars = "bars" in step.pictures and "0" in step.at  # the bars of the first definition are those of an ε each
        for number, name in enumerate(step.definitions):
            assert asked.count((step.model.title, name)) == 1 + (bars and not number), (step.name, name)


def test_a_narrow_page_does_not_scroll_sideways(lecture: str, open_page: Open) -> None:
    for name in ("present", "handout"):
        page = open_page(f"{lecture}/{name}.html", width=NARROWEST).page
        for _ in steps() if name == "present" else ():
            page.keyboard.press("p")
            page.keyboard.press("v")
            assert too_wide(page) == []
            page.keyboard.press("ArrowRight")
        assert too_wide(page) == []


def test_the_handout_is_one_page_that_answers_none_of_its_questions(lecture: str, open_page: Open) -> None:
    page = open_page(f"{lecture}/handout.html").page
    assert page.locator("li").count() == len(ASKED) == 13
    text = page.locator("main").inner_text()
    assert [step.name for step in ASKED if step.model.asked.text not in text] == []
    assert page.locator("li a[href*='#m=']").count() == 13, "students have the links without the plan and its answers"
    assert page.locator("svg").count() == 2
    drawn = " ".join(page.locator("desc").all_text_contents())
    assert "[yes, yes, no]" in drawn
    assert "table" not in text, "a student with the paper alone has no table"
    clean({"handout": in_both_schemes(page)})
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


def test_the_minutes_add_up() -> None:
    times = [(step.start, step.end) for step in steps()]
    assert [start for start, _ in times] == [0, *(end for _, end in times[:-1])]
    assert times[-1][1] == 90
    page = (ROOT / "docs/course/lecture/README.md").read_text(encoding="utf-8")
    short = re.search(r"With 45 minutes\*\* take the steps at ([^.]+)\.", page)
    assert short is not None
    minutes = {str(start): end - start for start, end in times}
    assert sum(minutes[start] for start in re.findall(r"\d+", short[1])) <= 45


def test_the_plan_has_a_link_and_a_file_for_each_step(site: Path) -> None:
    assert lecture_page.MARK in (ROOT / "docs/course/lecture/README.md").read_text(encoding="utf-8")
    text = filled(lecture_page.MARK, explorer=True)
    assert text.count("explore/index.html#m=") == 13
    assert text.count("\n| ") == 15, "a head, thirteen steps and the end"
    assert "explore/index.html" not in filled(lecture_page.MARK, explorer=False)
    files = {f"{step.name}.toml": step.text for step in ASKED}
    assert [name for name in files if f"lecture/{name}" not in text] == []
    assert {name: (site / "lecture" / name).read_text(encoding="utf-8") for name in files} == files
    with zipfile.ZipFile(site / "lecture" / "questions.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == files
