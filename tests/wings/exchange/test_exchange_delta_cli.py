"""`pkdp exchange --delta`: its JSON, tables, values at one ε′, drawings, certificates, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from rates import write_files

WITH = ("--epsilon", "ln(2)", "--delta", "1/10")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path)


def test_the_mechanism_plays_no_part_and_may_be_absent(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for name in ("twins", "alone"):
        status, out, _ = ask(capsys, "exchange", "dp", "np", str(files / f"{name}.toml"), *WITH, "--json")
        assert status == 0
        answers.append({key: value for key, value in json.loads(out).items() if key not in {"model", "sha256"}})
    assert answers[0] == answers[1]


def test_many_multipliers_are_counted(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("verifier.wings.exchange.sheets.MOST_MULTIPLIERS", 1)
    _, out, _ = ask(capsys, "exchange", "dp", "np", str(files / "twins.toml"), *WITH, "--format", "markdown")
    assert "more stand in the certificate" in out


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
