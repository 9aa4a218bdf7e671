"""The definitions of DP22 in a report: on the page of a model that has `[policy]`, or that promises one."""

from __future__ import annotations

from pathlib import Path

import pytest

import verifier as pk
from verifier.engine import MAX_ROWS
from verifier.model.library import models_folder
from verifier.wings.report.pages import model_page
from verifier.wings.report.write import write_report

HEAD = 'size = 1\nvalues = ["a", "b"]\n'
THETA = '[[distribution]]\niid = { a = "1/2", b = "1/2" }\n'
COIN = '[mechanism]\nkind = "randomized-response"\nkeep = "1/2"\n'
PROMISE = '[[expect]]\ndefinition = "{}"\nverdict = "holds"\n'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (HEAD + THETA + COIN, False),
        (HEAD + THETA + COIN + PROMISE.format("dp"), False),
        (HEAD + THETA + COIN + PROMISE.format("klpr"), True),
        (HEAD + THETA + COIN + "[policy]\norder = 3\n", True),
        (HEAD + COIN + "[policy]\norder = 3\n", True),
    ],
)
def test_a_page_has_the_atlas_where_its_model_speaks_of_it(text: str, *, shown: bool) -> None:
    page = model_page(pk.loads(text), MAX_ROWS)
    assert bool(page.atlas) is shown


def test_a_model_without_a_distribution_has_a_report(tmp_path: Path) -> None:
    name = "mechanism-alone"
    write_report([pk.read(models_folder() / "atlas" / f"{name}.toml")], tmp_path)
    page = (tmp_path / "models" / f"{name}.html").read_text(encoding="utf-8")
    assert "The model file" in page
    assert "Acceptability" not in page


def test_the_report_of_a_model_with_a_policy(tmp_path: Path) -> None:
    name = "one-coin"
    model = pk.read(models_folder() / "atlas" / f"{name}.toml")
    write_report([model], tmp_path)
    page = (tmp_path / "models" / f"{name}.html").read_text(encoding="utf-8")
    assert "The definitions of DP22" in page
    answers = {key: answer for key, answer in pk.check_all(model).items() if answer.verdict != "unsupported"}
    assert all(f">{key}<" in page or f">{key} (" in page for key in answers)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Q: quantification of privacy loss" in text
    assert str(answers["renyidp"].tight_epsilon) in text
