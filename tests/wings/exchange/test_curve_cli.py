"""`pkdp exchange --curve` and `--over`: JSON, tables, LaTeX, drawings and certificates of a rate as a function."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import ask
from rates import TWINS

from verifier.checker.files import replay_file
from verifier.wings.exchange.plots import Question, exchange_plot
from verifier.wings.exchange.rate import exchange

BITS = "two-bits-that-agree"
CURVE = ("exchange", "cdp", "dp", BITS, "--set", "agree=3/4", "--curve", "all")
OVER = ("exchange", "np", "cdp", BITS, "--epsilon", "ln(2)", "--over", "agree")


def test_drawings_and_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, question in enumerate((CURVE, OVER)):
        files = tmp_path / f"{number}.svg", tmp_path / f"{number}.json"
        status, _, _ = ask(capsys, *question, "--plot", str(files[0]), "--certificate", str(files[1]))
        assert status == 0
        assert "<svg" in files[0].read_text(encoding="utf-8")
        assert replay_file(files[1]).kind == "exchange-curve"
    drawing = (tmp_path / "0.svg").read_text(encoding="utf-8")
    assert "inf for 3 &lt;= x" in drawing


def test_a_drawing_says_what_it_leaves_out() -> None:
    questions: list[Question] = [
        ({}, exchange(TWINS, "np", "cdp", epsilon=epsilon)) for epsilon in ("ln(2)", "1/2", "ln(3)")
    ]
    assert "1 of 3 unsupported and left out" in exchange_plot(questions).svg
