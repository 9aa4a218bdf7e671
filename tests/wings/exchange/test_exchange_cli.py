"""`pkdp convert` for a rate, for its δ and as a function: no mechanism is read, certificates, drawings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asking import ask
from rates import TWINS, write_files

from verifier.wings.exchange.plots import Question, exchange_plot
from verifier.wings.exchange.rate import convert

LN_2 = ["--epsilon", "ln(2)"]
KINDS = {"exchange": LN_2, "exchange-delta": [*LN_2, "--delta", "1/10"], "exchange-curve": ["--curve", "all"]}
"""The kinds of certificates, with what asks for each."""
NUMBER = {"exchange": '"factor": "', "exchange-delta": '"value": "', "exchange-curve": '"scale": "'}
"""Where each of them has a number that is proved."""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_the_mechanism_plays_no_part_and_may_be_absent(
    kind: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = []
    for name in ("twins", "alone"):
        status, out, _ = ask(capsys, "convert", "np", "dp", str(files / f"{name}.toml"), *KINDS[kind], "--json")
        assert status == 0
        answers.append({key: value for key, value in json.loads(out).items() if key not in {"model", "sha256"}})
    assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", KINDS)
def test_certificates(kind: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is named, with the parameters that are set; it needs no mechanism."""
    for name, sets in (("twins", []), ("alone", []), ("agreeing", ["--set", "agree=3/4"])):
        path = files / f"{name}.json"
        asked = ["convert", "cdp", "np", str(files / f"{name}.toml"), *KINDS[kind], *sets, "--certificate", str(path)]
        assert ask(capsys, *asked)[0] == 0
        text = path.read_text(encoding="utf-8")
        document = json.loads(text)
        assert (document["model"], document.get("parameters")) == (f"{name}.toml", {"agree": "3/4"} if sets else None)
        status, out, _ = ask(capsys, "verify", str(path))
        assert status == 0
        assert f"1 accepted (1 {kind})" in out
        assert NUMBER[kind] in text
        path.write_text(text.replace(NUMBER[kind], f"{NUMBER[kind]}7"), encoding="utf-8")
        assert ask(capsys, "verify", str(path))[0] == 1


@pytest.mark.parametrize(
    ("source", "target", "more", "words"),
    [
        ("cdp", "np", [*LN_2, "--epsilon", "ln(3)", "--certificate"], "--certificate"),
        ("klpr", "np", [*LN_2, "--certificate"], "no certificate"),
        ("np", "ppkdp", [*KINDS["exchange-delta"], "--certificate"], "no certificate"),
        ("np", "ppkdp", [*KINDS["exchange-delta"], "--plot"], "--plot"),
        ("cdp", "dp", [*LN_2, "--plot"], "--plot: 1 question is given"),
    ],
)
def test_what_has_no_file_writes_none(
    source: str, target: str, more: list[str], words: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files / "made.svg"
    status, _, err = ask(capsys, "convert", source, target, str(files / "twins.toml"), *more, str(path))
    assert (status, words in err, path.exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("target", "more", "words"),
    [
        (
            "dp",
            [*LN_2, "--set", "agree=1/2", "--set", "agree=3/4", "--set", "agree=9/10"],
            "against agree, for every mechanism that is cdp; no finite ε′ is enough at agree = 1/2 for ε = ln(2)",
        ),
        (
            "dp",
            [*LN_2, "--epsilon", "ln(3)", "--set", "agree=9/10"],
            "against ε of cdp, for every mechanism that is cdp</title>",
        ),
        ("np", [*KINDS["exchange-delta"], "--set", "agree=3/4"], "for every mechanism that is cdp at (ln(2), 1/10)"),
        ("dp", [*KINDS["exchange-curve"], "--set", "agree=3/4"], "inf for 3 &lt;= x"),
        ("dp", [*LN_2, "--over", "agree"], "against agree, for every mechanism that is cdp"),
    ],
)
def test_a_drawing(target: str, more: list[str], words: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Against the parameter with a line for each ε, or against ε or ε′; what is infinite is said."""
    path = files / "rates.svg"
    assert ask(capsys, "convert", "cdp", target, str(files / "agreeing.toml"), *more, "--plot", str(path))[0] == 0
    drawn = path.read_text(encoding="utf-8")
    assert "<svg" in drawn
    assert words in drawn


def test_a_drawing_says_what_it_leaves_out() -> None:
    questions: list[Question] = [
        ({}, convert(TWINS, "np", "cdp", epsilon=epsilon)) for epsilon in ("ln(2)", "1/2", "ln(3)")
    ]
    assert "1 of 3 unsupported and left out" in exchange_plot(questions).svg


def test_many_multipliers_are_counted(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.wings.exchange.sheets.MOST_MULTIPLIERS", 1)
    asked = ("exchange", "dp", "np", str(files / "twins.toml"), *KINDS["exchange-delta"], "--format", "markdown")
    assert "more stand in the certificate" in ask(capsys, *asked)[1]
