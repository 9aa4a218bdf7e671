"""`pkdp exchange --curve` and `--over`: JSON, tables, LaTeX, drawings and certificates of a rate as a function."""

from __future__ import annotations

import json
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


def test_json_of_a_curve(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, *CURVE, "--json")
    answer = json.loads(out)
    assert status == 0
    wanted = {"from": "cdp", "to": "dp", "epsilon": None, "over": "x = e^ε", "verdict": "computed", "replayed": True}
    assert {key: answer[key] for key in wanted} == wanted
    first, second = answer["pieces"]
    assert (first["for"], first["tight_epsilon"]) == ("1 < x < 3", "ln((-1 + 3*x)/(3 - x))")
    assert (first["from"], first["from_included"], first["to"], first["to_included"]) == ("1", False, "3", False)
    assert (first["numerator"], first["denominator"], first["scale"]) == (["1", "-3"], ["-3", "1"], "1")
    assert (second["for"], second["tight_epsilon"], second["factor"]) == ("3 <= x", "inf", None)


def test_json_over_a_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, *OVER, "--json")
    answer = json.loads(out)
    assert (status, answer["epsilon"], answer["over"]) == (0, "ln(2)", "agree")
    assert [piece["factor"] for piece in answer["pieces"]] == ["2*(1 - agree)/agree", "2*agree/(1 - agree)"]


COIN = """
title = "two bits"
size = 2
values = [0, 1]
[parameters]
p = { from = "FROM", to = "1/3" }
[[distribution]]
table = [
  { database = [0, 0], probability = "(1 - p)/2" }, { database = [0, 1], probability = "p/2" },
  { database = [1, 1], probability = "(1 - p)/2" }, { database = [1, 0], probability = "p/2" },
]
[mechanism]
kind = "identity"
"""
"""Two bits that differ with probability p."""


def test_a_range_of_one_value_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The replay does not check it as a function, so that it has no certificate; the rate is that of one model."""
    path = tmp_path / "coin.toml"
    path.write_text(COIN.replace("FROM", "1/3"), encoding="utf-8")
    question = "exchange", "dp", "np", str(path), "--epsilon", "ln(2)"
    status, out, err = ask(capsys, *question, "--over", "p")
    assert (status, err) == (0, "")
    assert "p = 1/3 │ ln(5/2)" in out
    assert "not replayed" in out
    status, out, _ = ask(capsys, *question, "--over", "p", "--json")
    answer = json.loads(out)
    (piece,) = answer["pieces"]
    assert (status, answer["verdict"], answer["replayed"], piece["for"]) == (0, "computed", False, "p = 1/3")
    _, out, _ = ask(capsys, *question, "--set", "p=1/3", "--json")
    alone = json.loads(out)
    assert (piece["tight_epsilon"], piece["row"]) == (alone["tight_epsilon"], alone["row"]["row"])
    status, _, err = ask(capsys, *question, "--over", "p", "--certificate", str(tmp_path / "c.json"))
    assert status == 2
    assert "no certificate: the range of the parameter has no inner value" in err


def test_json_names_the_row_at_a_value_that_is_a_piece_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At p = 0 each bit is the other one, and no finite ε′ is enough; for every p above 0 one is."""
    path = tmp_path / "coin.toml"
    path.write_text(COIN.replace("FROM", "0"), encoding="utf-8")
    status, out, _ = ask(capsys, "exchange", "np", "cdp", str(path), "--epsilon", "ln(2)", "--over", "p", "--json")
    first, second = json.loads(out)["pieces"]
    assert (status, first["for"], first["tight_epsilon"]) == (0, "p = 0", "inf")
    assert second["for"] == "0 < p <= 1/3"
    assert first["row"] == second["row"]


def test_tables_and_latex(capsys: pytest.CaptureFixture[str]) -> None:
    assert "| 3 <= x | inf |" in ask(capsys, *CURVE, "--format", "markdown")[1]
    latex = ask(capsys, *OVER, "--format", "latex")[1]
    assert r"\ln\left(\frac{2 agree}{1 - agree}\right)" in latex
    _, out, _ = ask(capsys, "exchange", "cdp", "np", "majority-and-coin", "--over", "coin", "--epsilon", "ln(2)")
    assert "root of 2*x^2 - 5*x + 1 in [1/5, 3/10]" in out


def test_drawings_and_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, question in enumerate((CURVE, OVER)):
        files = tmp_path / f"{number}.svg", tmp_path / f"{number}.json"
        status, _, _ = ask(capsys, *question, "--plot", str(files[0]), "--certificate", str(files[1]))
        assert status == 0
        assert "<svg" in files[0].read_text(encoding="utf-8")
        assert replay_file(files[1]).kind == "exchange-curve"
    drawing = (tmp_path / "0.svg").read_text(encoding="utf-8")
    assert "inf for 3 &lt;= x" in drawing


def test_an_unsupported_curve_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, "exchange", "ibcdp", "np", BITS, "--set", "agree=3/4", "--curve", "all")
    assert status == 3
    assert "posteriors with posteriors" in out


def test_a_drawing_says_what_it_leaves_out() -> None:
    questions: list[Question] = [
        ({}, exchange(TWINS, "np", "cdp", epsilon=epsilon)) for epsilon in ("ln(2)", "1/2", "ln(3)")
    ]
    assert "1 of 3 unsupported and left out" in exchange_plot(questions)
