"""Notebooks 3 to 8: their exercises reply to every answer, no slider breaks a cell, and what they compute."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from course_run import run
from examined import at_least_one

from verifier import check
from verifier.model.library import course_folder
from verifier.wings.course.cells import Notebook
from verifier.wings.course.controls import Choice, Slider, Table

pytestmark = pytest.mark.xdist_group("course-run")  # each notebook is run once, not by every worker


def listed(name: str) -> list[dict[str, Any]]:
    """The cases of a file beside this one: answers with the words of their replies, and extreme positions."""
    lines = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("case", listed("answers"), ids=lambda case: f"{case['notebook'][:2]} {case['answer']}"[:40])
def test_an_answer_gets_the_reply_that_fits(case: dict[str, Any]) -> None:
    found = run(case["notebook"])[1][case["exercise"]].tried(case["answer"])
    assert found.state == case["state"], found.explanation
    assert case["words"] in found.explanation


def moved(control: Any, value: Any) -> list[tuple[str, Any]]:
    """The changes of a page that set a control to a value."""
    if isinstance(control, Slider):
        return [(control.id, control.positions.index(Fraction(value)))]
    if isinstance(control, Choice):
        chosen = tuple(value) if isinstance(value, list) else value
        return [(control.id, next(name for name, option in control.options.items() if option == chosen))]
    if not isinstance(control, Table):
        return [(control.id, None)]
    return [
        (f"{control.id}.{number}.{place}", text)
        for number, row in enumerate(value)
        for place, (column, text) in enumerate(row.items())
        if column not in control.fixed_columns
    ]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("case", listed("sliders"), ids=lambda case: case["notebook"])
def test_extreme_positions_break_no_cell(case: dict[str, Any]) -> None:
    """Set in the page itself, one after the other."""
    book = Notebook(course_folder() / f"{case['notebook']}.py")
    book.whole()
    for key, wanted in at_least_one(case["controls"].items()):
        for change in moved(book.values[key], *wanted.values()):
            book.change(*change)
    assert len(book.since(0)) > 1
    assert [cell.failed for cell in book.cells if cell.failed is not None] == []
    assert not any("traceback" in cell.page.lower() for cell in book.cells)
    if case["notebook"] == "05_active_passive" and case["controls"]["yes"]["slider"] in {"0", "1"}:
        assert {answer.verdict for answer in book.values["checked"].values()} == {"vacuous"}


def test_the_columns_of_the_twins_say_what_the_definitions_say() -> None:
    found = run("03_correlations")[1]
    for agree in (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)):
        worlds = found["twins"](agree)
        for rule in at_least_one(found["RULES"].values()):
            model = found["release"](worlds, rule)
            same, moved, changed = (found["law"](worlds, rule, a, put) for a, put in ((0, 0), (1, 1), (0, 1)))
            for definition, other in (("np", moved), ("cdp", changed)):
                excess = sum(max(Fraction(0), p - other.get(o, Fraction(0))) for o, p in same.items())
                assert check(model, definition, epsilon=0, replay=False).tight_delta.rational == excess  # type: ignore[union-attr]


def test_a_forged_certificate_is_rejected() -> None:
    defs = run("08_counterexamples")[1]
    assert defs["honest"].startswith("accepted")
    for old, new in (
        (r"\"1/2\"", r"\"1/3\""),
        (r"output = \"v\"", r"output = \"u\""),
        ('"models_in_scope": 2840', '"models_in_scope": 2841'),
        ('"violates": "cdp(e)"', '"violates": "np(e)"'),
    ):
        assert old in defs["certificate"]
        assert defs["replayed"](defs["certificate"].replace(old, new, 1)).startswith("rejected")
    assert (defs["in_quarters"].verdict, defs["in_fifths"].verdict) == ("none in scope", "separated")
    assert all(one.agrees for one in defs["promises"])
