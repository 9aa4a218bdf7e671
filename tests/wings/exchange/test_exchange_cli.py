"""`pkdp exchange`: its JSON, its tables, files without a mechanism, parameters, exit statuses, certificates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asking import ask
from rates import write_files


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path)


def test_the_mechanism_plays_no_part_and_may_be_absent(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for name in ("twins", "alone"):
        status, out, _ = ask(
            capsys, "exchange", "np", "dp", str(files / f"{name}.toml"), "--epsilon", "ln(2)", "--json"
        )
        assert status == 0
        answers.append({key: value for key, value in json.loads(out).items() if key not in {"model", "sha256"}})
    assert answers[0] == answers[1]
    assert answers[0]["tight_epsilon"] == answers[0]["tight_epsilon_decimal"] == answers[0]["row"]["factor"] == "inf"
    assert answers[0]["multipliers"] == []
    assert answers[0]["mechanism"]


def test_certificates(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with a mechanism is named and compared; one without, or with parameters, is not named."""
    for name, sets in (("twins", []), ("alone", []), ("agreeing", ["--set", "agree=3/4"])):
        path = files / f"{name}.json"
        model = str(files / f"{name}.toml")
        asked = ["exchange", "cdp", "np", model, "--epsilon", "ln(2)", *sets, "--certificate", str(path)]
        assert ask(capsys, *asked)[0] == 0
        assert (json.loads(path.read_text(encoding="utf-8"))["model"] is None) == (name != "twins")
        status, out, _ = ask(capsys, "replay", str(path))
        assert status == 0
        assert "1 accepted (1 exchange)" in out
        path.write_text(path.read_text(encoding="utf-8").replace('"factor": "', '"factor": "1'), encoding="utf-8")
        assert ask(capsys, "replay", str(path))[0] == 1


def test_a_certificate_is_of_one_rate(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(files / "rate.json")
    twins = ["exchange", "cdp", "np", str(files / "twins.toml"), "--certificate", path, "--epsilon", "ln(2)"]
    assert ask(capsys, *twins, "--epsilon", "ln(3)")[0] == 2
    twins[1] = "klpr"
    status, _, err = ask(capsys, *twins)
    assert status == 2
    assert "no certificate" in err
    assert not Path(path).exists()


def test_a_drawing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Against the parameter with a line for each ε, or against ε; what is infinite is said."""
    path = files / "rates.svg"
    asked = ["exchange", "cdp", "dp", str(files / "agreeing.toml"), "--plot", str(path), "--epsilon", "ln(2)"]
    sets = ["--set", "agree=1/2", "--set", "agree=3/4", "--set", "agree=9/10"]
    assert ask(capsys, *asked, *sets)[0] == 0
    drawn = path.read_text(encoding="utf-8")
    assert "<svg" in drawn
    assert (
        "against agree, for every mechanism that is cdp; no finite ε′ is enough at agree = 1/2 for ε = ln(2)" in drawn
    )
    assert ask(capsys, *asked, "--epsilon", "ln(3)", "--set", "agree=9/10")[0] == 0
    assert "against ε of cdp, for every mechanism that is cdp</title>" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "more"),
    [("rates.svg", ["--set", "agree=9/10"]), ("rates.png", ["--set", "agree=1/2", "--set", "agree=2/3"])],
)
def test_a_drawing_of_nothing(file: str, more: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = files / file
    asked = ["exchange", "cdp", "dp", str(files / "agreeing.toml"), "--plot", str(path), "--epsilon", "ln(2)", *more]
    status, _, err = ask(capsys, *asked)
    assert status == 2
    assert "--plot: given" in err
    assert not path.exists()
