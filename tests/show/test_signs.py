"""Every verdict has a sign, a colour and a sentence of its own, and vacuous never looks like a pass."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import verifier as pk
from verifier.definitions.answer import VERDICTS
from verifier.engine import MAX_ROWS
from verifier.model.library import course_folder
from verifier.model.read import read_any
from verifier.show.sheet import NOT_TESTED, SIGNS, in_text
from verifier.wings.course.displays import profile as shown_profile
from verifier.wings.course.displays import verdict as shown_verdict
from verifier.wings.explore.server import static_files
from verifier.wings.families.decide import family_passport
from verifier.wings.families.plots import family_plots
from verifier.wings.families.sheets import family_sheets
from verifier.wings.report.pages import model_page
from verifier.wings.report.site import shared

pytestmark = pytest.mark.quick


ROOT = Path(__file__).resolve().parents[2]
KNOWN = """
title = "all is known"
size = 2
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[knowledge]
records = [0, 1]
[mechanism]
kind = "identity"
"""
FAMILY = KNOWN.replace('"1/2", 1 = "1/2"', '"p", 1 = "1 - p"').replace(
    "[[dist", '[parameters]\np = { from = "1/4", to = "3/4" }\n[[dist'
)
PASS = ("enough", "holds on", "✓")
"""What a vacuous answer never says."""


def test_each_verdict_has_its_own() -> None:
    assert tuple(SIGNS) == VERDICTS
    for part in ("mark", "tone", "sentence"):
        assert len({getattr(sign, part) for sign in SIGNS.values()}) == len(VERDICTS), part
    assert SIGNS["vacuous"].style not in {sign.style for word, sign in SIGNS.items() if word != "vacuous"}


def sign_rules(marked: str, coloured: str, prefix: str = "--") -> str:
    """Style sheet rules: `marked` elements of the class of a verdict get its sign, `coloured` ones its colour."""

    def of(elements: str, word: str) -> str:
        return f":is({elements}).{word}" if "," in elements else f"{elements}.{word}"

    lines = []
    for word, sign in SIGNS.items():
        mark = f'{of(marked, word)}::before {{ content: "{sign.mark} " / ""; }} ' if marked else ""
        lines.append(f"{mark}{of(coloured, word)} {{ color: var({prefix}{sign.tone}); }}")
    return "\n".join(lines)


def test_style_sheets_have_these_rules() -> None:
    explorer = static_files()["/static/answers.css"][1].decode()
    assert sign_rules("", ".verdict") in explorer
    assert sign_rules("td, .verdict", "td, .verdict") in shared()["report.css"]
    assert sign_rules(".pk td", ".pk-badge, .pk td", "--pk-") in (Path(course_folder()) / "course.css").read_text(
        "utf-8"
    )
    for sheet in (static_files()["/static/page.css"][1].decode(), shared()["report.css"]):
        for tone in (sign.tone for sign in SIGNS.values()):
            assert len(re.findall(rf"--{tone}: #", sheet)) >= 2, tone  # light and dark


def test_scripts_are_filled_in_and_say_nothing_else() -> None:
    dom = static_files()["/static/dom.js"][1].decode()
    found = re.search(r"SIGNS = (\{.*\});", dom)
    assert found
    assert json.loads(found[1])["vacuous"]["sentence"] == SIGNS["vacuous"].sentence
    assert f"SIGNED = {json.dumps({word: in_text(word) for word in SIGNS}, ensure_ascii=False)}" in shared()["copy.js"]
    circle = SIGNS["vacuous"].mark
    spelled = {path.name for path in (ROOT / "verifier").rglob("*") if path.suffix in {".py", ".js", ".html"}
               and circle in path.read_text(encoding="utf-8")}  # fmt: skip
    assert spelled == {"sheet.py"}


def test_notebooks_say_it() -> None:
    model = pk.loads(KNOWN)
    answer = pk.check(model, "np")
    page = shown_verdict(answer, conventions=False)._repr_html_()
    assert NOT_TESTED in page
    assert "○" in page
    assert "vacuous'" in page
    drawn = shown_profile(answer)._repr_html_()
    assert NOT_TESTED in drawn
    assert "<svg" not in drawn
    for said in (page, drawn):
        assert not any(word in said for word in PASS), said
    mixed = shown_profile(answer, pk.check(model, "dp"))._repr_html_()
    assert "<svg" in mixed
    assert ">np<" not in mixed


def test_the_report_draws_and_counts_only_what_is_compared() -> None:
    page = model_page(pk.loads(KNOWN), MAX_ROWS)
    rows = {row[0]: row[1:] for row in page.overview.rows}
    assert rows["np"] == ("vacuous", "–", "–", "–")
    assert rows["ibcdp"][1] == "0"
    assert next(row[1:] for row in page.deltas.rows if row[0] == "np") == ("–", "–", "–")
    assert any(SIGNS["vacuous"].sentence in note for note in page.deltas.notes)
    assert any(SIGNS["vacuous"].sentence in note for note in page.overview.notes)
    (drawing,) = [drawing for drawing, _ in page.drawings if drawing.kind == "profile"]
    assert "ibcdp" in drawing.svg
    assert "np" not in re.findall(r"\w+", drawing.svg)


def test_families_draw_only_what_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "family.toml"
    path.write_text(FAMILY, encoding="utf-8")
    answers = family_passport(read_any(path), epsilon="ln(2)", delta="1/10")  # type: ignore[arg-type]
    untested = [one for one in answers if one.definition in {"np", "cdp"}]
    assert {one.verdict for one in untested} == {"vacuous"}
    assert family_plots(untested) == {}
    assert any(SIGNS["vacuous"].sentence in note for note in family_sheets(untested)[0].notes)
