"""Notebooks 3 to 8: their exercises reply to every answer, no slider breaks a cell, and what they compute."""

import json
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from course_run import run
from examined import at_least_one

from verifier import check
from verifier import course as kit
from verifier.model.library import course_folder

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


def control(kind: str, value: Any) -> Any:
    """A control with nothing but this value to choose."""
    if kind == "slider":
        return kit.fraction("x", value, steps=[value])
    if kind == "choice":
        chosen = tuple(value) if isinstance(value, list) else value
        return kit.pick("x", {"x": chosen}, "x")
    return kit.table(value) if kind == "table" else kit.check_button(value)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("case", listed("sliders"), ids=lambda case: case["notebook"])
def test_extreme_positions_break_no_cell(case: dict[str, Any]) -> None:
    name = case["notebook"]
    spec = spec_from_file_location(f"course_{name}", course_folder() / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    controls = {key: control(*next(iter(one.items()))) for key, one in case["controls"].items()}
    outputs, found = module.app.run(defs=controls)
    assert all(found[key] is one for key, one in controls.items())
    assert sum(one is not None for one in outputs) > 10
    assert not any("traceback" in repr(one).lower() for one in outputs)
    if name == "05_active_passive":
        assert {answer.verdict for answer in found["checked"].values()} == {"vacuous"}


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
