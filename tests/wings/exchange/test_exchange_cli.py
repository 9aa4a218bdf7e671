"""`pkdp exchange`: its JSON, its tables, files without a mechanism, parameters, exit statuses, certificates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking import ask

AGREEING = """
title = "two bits that agree"
size = 2
values = [0, 1]
[parameters]
agree = { above = "0", below = "1" }
[[distribution]]
table = [
  { database = [0, 0], probability = "agree/2" },
  { database = [0, 1], probability = "1/2 - agree/2" },
  { database = [1, 0], probability = "1/2 - agree/2" },
  { database = [1, 1], probability = "agree/2" },
]
"""
TWINS = """
title = "twins"
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = "1/2" }, { database = [1, 1], probability = "1/2" } ]
"""
SUM = '[mechanism]\nkind = "sum"\n'


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "agreeing.toml").write_text(AGREEING, encoding="utf-8")
    (tmp_path / "twins.toml").write_text(TWINS + SUM, encoding="utf-8")
    (tmp_path / "alone.toml").write_text(TWINS, encoding="utf-8")
    return tmp_path


def test_json_is_as_the_contract_says(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ask(capsys, "exchange", "dp", "np", str(files / "twins.toml"), "--epsilon", "ln(2)", "--json")
    answer = json.loads(out)
    assert (status, err, out.count("\n")) == (0, "", 1)
    wanted = {"from": "dp", "to": "np", "epsilon": "ln(2)", "tight_epsilon": "ln(4)"}
    assert {key: answer[key] for key in wanted} == wanted
    assert answer["tight_epsilon_decimal"] == "1.38629436112"
    assert answer["row"]["p"] == [{"database": [0, 0], "probability": "1"}]
    assert answer["row"]["factor"] == "4"
    assert {entry["times"] for entry in answer["multipliers"]} == {"1", "2"}
    assert [entry["database"] for entry in answer["mechanism"]] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert answer["replayed"] is True


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


def test_a_curve_in_a_parameter_and_in_epsilon(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["exchange", "np", "cdp", str(files / "agreeing.toml"), "--epsilon", "ln(2)", "--epsilon", "ln(3)"]
    sets = ["--set", "agree=1/2", "--set", "agree=3/4"]
    status, out, _ = ask(capsys, *asked, *sets, "--format", "csv")
    assert status == 0
    assert out.splitlines() == [
        "agree,ε of np,smallest ε′ of cdp,decimal",
        "1/2,ln(2),ln(2),0.69314718056",
        "1/2,ln(3),ln(3),1.09861228867",
        "3/4,ln(2),ln(6),1.79175946923",
        "3/4,ln(3),ln(9),2.19722457734",
    ]
    _, out, _ = ask(capsys, *asked, *sets, "--json")
    assert [json.loads(line)["tight_epsilon"] for line in out.splitlines()] == ["ln(2)", "ln(3)", "ln(6)", "ln(9)"]


@pytest.mark.parametrize("kind", ["table", "markdown", "latex", "csv"])
def test_formats(kind: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(
        capsys, "exchange", "dp", "np", str(files / "twins.toml"), "--epsilon", "ln(2)", "--format", kind
    )
    assert status == 0
    for word in ("multiplier", "database", "M([0, 0]) against M([0, 1])"):
        assert word in out


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["np", "cdp", "twins", "--epsilon", "0"], 2, "a finite ε above 0"),
        (["np", "cdp", "twins", "--epsilon", "inf"], 2, "a finite ε above 0"),
        (["np", "nothing", "twins", "--epsilon", "ln(2)"], 2, "given the definition"),
        (["np", "cdp", "twins"], 2, "--epsilon"),
        (["np", "cdp", "missing", "--epsilon", "ln(2)"], 2, "missing"),
        (["np", "cdp", "agreeing", "--epsilon", "ln(2)"], 3, "--set agree=1/7"),
        (["np", "cdp", "agreeing", "--epsilon", "ln(2)", "--set", "agree=2"], 2, "agree"),
        (["np", "cdp", "agreeing", "--epsilon", "ln(2)", "--set", "r=2"], 2, "unknown"),
        (["np", "cdp", "twins", "--epsilon", "ln(2)", "--set", "r=2"], 2, "a model with [parameters]"),
        (["dp", "np", "twins", "--epsilon", "ln(2)", "--max-rows", "1"], 3, "the limit of 1 rows"),
    ],
)
def test_what_is_refused(
    arguments: list[str], status: int, words: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments[2] = str(files / f"{arguments[2]}.toml")
    found, out, err = ask(capsys, "exchange", *arguments, "--json")
    assert (found, out) == (status, "")
    assert words in err


@pytest.mark.parametrize(("definition", "epsilon"), [("ddp", "ln(2)"), ("klpr", "ln(2)"), ("np", "1/2")])
def test_unsupported_is_an_answer(
    definition: str, epsilon: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["exchange", definition, "cdp", str(files / "twins.toml"), "--epsilon", epsilon]
    status, out, err = ask(capsys, *arguments, "--json")
    answer: dict[str, Any] = json.loads(out)
    assert (status, err, answer["verdict"], answer["tight_epsilon"]) == (3, "", "unsupported", None)
    assert answer["reason"]
    status, out, _ = ask(capsys, *arguments)
    assert status == 3
    assert "unsupported" in out


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
