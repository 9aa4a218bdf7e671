"""`pkdp exchange --delta`: its JSON, tables, values at one ε′, drawings, certificates, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from test_exchange_cli import AGREEING, SUM, TWINS

WITH = ("--epsilon", "ln(2)", "--delta", "1/10")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "agreeing.toml").write_text(AGREEING, encoding="utf-8")
    (tmp_path / "twins.toml").write_text(TWINS + SUM, encoding="utf-8")
    (tmp_path / "alone.toml").write_text(TWINS, encoding="utf-8")
    return tmp_path


def test_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--epsilon-b", "ln(3)", "--epsilon-b", "1/2", "--epsilon-b", "inf", "--json")
    status, out, err = ask(capsys, "exchange", "dp", "np", str(files / "twins.toml"), *WITH, *more)
    answer = json.loads(out)
    assert (status, err, out.count("\n")) == (0, "", 1)
    wanted = {"from": "dp", "to": "np", "epsilon": "ln(2)", "delta": "1/10", "over": "x = e^ε′", "verdict": "computed"}
    assert {key: answer[key] for key in wanted} == wanted
    assert answer["at"] == [
        {"epsilon_b": "ln(3)", "tight_delta": "2/5", "tight_delta_decimal": "0.4"},
        {
            "epsilon_b": "1/2",
            "tight_delta": "7/10 - 1/10*exp(1/2)",
            "tight_delta_decimal": "0.53512787293",
        },
        {"epsilon_b": "inf", "tight_delta": "3/10", "tight_delta_decimal": "0.3"},
    ]
    lines = [(piece["from"], piece["to"], piece["value"], piece["slope"]) for piece in answer["pieces"]]
    assert lines == [("1", "4", "7/10", "-1/10"), ("4", None, "3/10", "0")]
    assert [piece["tight_delta"] for piece in answer["pieces"]] == ["7/10 - 1/10*x", "3/10"]
    assert answer["pieces"][0]["proof"]["tight_delta"] == "3/5"
    assert answer["pieces"][0]["proof"]["multipliers"]
    assert [entry["database"] for entry in answer["pieces"][0]["mechanism"]] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert answer["replayed"] is True


def test_the_mechanism_plays_no_part_and_may_be_absent(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for name in ("twins", "alone"):
        status, out, _ = ask(capsys, "exchange", "dp", "np", str(files / f"{name}.toml"), *WITH, "--json")
        assert status == 0
        answers.append({key: value for key, value in json.loads(out).items() if key not in {"model", "sha256"}})
    assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", ["table", "markdown", "latex", "csv"])
def test_formats(kind: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("exchange", "dp", "np", str(files / "twins.toml"), *WITH, "--epsilon-b", "ln(3)", "--format", kind)
    status, out, _ = ask(capsys, *asked)
    assert status == 0
    for word in ("multiplier", "database", "M([0, 0]) against M([0, 1]), output"):
        assert word in out
    assert (r"\frac{7}{10} - \frac{1}{10} x" if kind == "latex" else "7/10 - 1/10*x") in out
    assert ("2/5" in out) == (kind != "latex")


def test_many_multipliers_are_counted(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("verifier.wings.exchange.sheets.MOST_MULTIPLIERS", 1)
    _, out, _ = ask(capsys, "exchange", "dp", "np", str(files / "twins.toml"), *WITH, "--format", "markdown")
    assert "more stand in the certificate" in out


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--epsilon", "inf", "--delta", "0"], 2, "--epsilon: given ε = inf; wanted a finite ε"),
        (["--epsilon", "ln(2)", "--delta", "2"], 2, "--delta"),
        (["--epsilon", "ln(2)", "--delta", "0", "--epsilon-b", "log(2)"], 2, "--epsilon-b"),
        (["--delta", "1/10"], 2, "Missing option '--epsilon'"),
        (["--epsilon", "ln(2)", "--epsilon", "ln(3)", "--delta", "1/10"], 2, "wanted one --epsilon"),
        (["--epsilon", "ln(2)", "--epsilon-b", "ln(3)"], 2, "wanted --delta too"),
        (["--epsilon", "ln(2)", "--delta", "0", "--over", "p"], 2, "given --delta; wanted no --over"),
        (["--delta", "0", "--curve", "all"], 2, "given --delta; wanted no --curve"),
        ([*WITH, "--max-rows", "1"], 3, "the limit of 1 rows"),
    ],
)
def test_what_is_refused(
    arguments: list[str], status: int, words: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = ask(capsys, "exchange", "dp", "np", str(files / "twins.toml"), *arguments)
    assert (found, out) == (status, "")
    assert words in err


def test_one_model(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("exchange", "np", "cdp", str(files / "agreeing.toml"), *WITH)
    status, _, err = ask(capsys, *asked, "--set", "agree=1/2", "--set", "agree=3/4")
    assert status == 2
    assert "wanted one value of each parameter with --delta" in err
    status, out, _ = ask(capsys, *asked, "--set", "agree=3/4", "--epsilon-b", "inf", "--json")
    assert (status, json.loads(out)["at"][0]["tight_delta"]) == (0, "3/10")


def test_unsupported_is_an_answer(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("exchange", "np", "ppkdp", str(files / "twins.toml"), *WITH, "--epsilon-b", "ln(3)")
    status, out, err = ask(capsys, *asked, "--json")
    answer = json.loads(out)
    assert (status, err, answer["verdict"], answer["pieces"]) == (3, "", "unsupported", [])
    assert answer["at"][0]["tight_delta"] is None
    status, out, _ = ask(capsys, *asked)
    assert status == 3
    assert "unsupported" in out
    for option, name in (("--plot", "curve.svg"), ("--certificate", "curve.json")):
        status, _, err = ask(capsys, *asked, option, str(files / name))
        assert (status, (files / name).exists()) == (2, False)
        assert option in err


def test_vacuous_is_an_answer(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = files / "known.toml"
    path.write_text(TWINS + "[knowledge]\nrecords = [0]\n" + SUM, encoding="utf-8")
    certificate = files / "known.json"
    asked = ("exchange", "dp", "np", str(path), *WITH, "--epsilon-b", "0", "--certificate", str(certificate))
    status, out, _ = ask(capsys, *asked, "--json")
    answer = json.loads(out)
    assert (status, answer["verdict"], answer["at"][0]["tight_delta"]) == (0, "vacuous", "0")
    assert "vacuous" in ask(capsys, *asked, "--format", "markdown")[1]
    assert ask(capsys, "replay", str(certificate))[0] == 0


def test_a_drawing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = files / "curve.svg"
    assert ask(capsys, "exchange", "dp", "np", str(files / "twins.toml"), *WITH, "--plot", str(path))[0] == 0
    drawn = path.read_text(encoding="utf-8")
    assert "<svg" in drawn
    assert "the smallest δ′ of np against ε′ of np, for every mechanism that is dp at (ln(2), 1/10)" in drawn
    assert "7/10 - 1/10*x for 1 &lt;= x &lt;= 4; 3/10 for 4 &lt; x" in drawn


def test_certificates(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with a mechanism is named and compared; one without, or with parameters, is not named."""
    for name, sets in (("twins", []), ("alone", []), ("agreeing", ["--set", "agree=3/4"])):
        path = files / f"{name}.json"
        asked = ["exchange", "cdp", "np", str(files / f"{name}.toml"), *WITH, *sets, "--certificate", str(path)]
        assert ask(capsys, *asked)[0] == 0
        assert (json.loads(path.read_text(encoding="utf-8"))["model"] is None) == (name != "twins")
        status, out, _ = ask(capsys, "replay", str(path))
        assert status == 0
        assert "1 accepted (1 exchange-delta)" in out
        path.write_text(path.read_text(encoding="utf-8").replace('"above": "', '"above": "1'), encoding="utf-8")
        assert ask(capsys, "replay", str(path))[0] == 1
