"""What docs/worst.md shows is what the program says; the files that `pkdp worst` writes; what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from documents import ROOT, blocks, commands_of

import verifier as pk
from verifier.checker.exchange.multipliers import replay_worst
from verifier.cli.main import run
from verifier.questions.expect import compare

PAGE = "docs/worst.md"
COMMANDS = [one for block in blocks(PAGE, "") for one in commands_of(block)]
MODEL = str(ROOT / "models" / "restricted" / "not-both.toml")
ASK = ["--assuming", "np(ln(2))", "--maximise", "cdp delta at ln(2)"]


def said(arguments: list[str], capsys: pytest.CaptureFixture[str], status: int = 0) -> str:
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    assert stop.value.code == status
    return capsys.readouterr().out


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_commands(number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments, output, status = COMMANDS[number]
    assert output
    assert said(arguments, capsys, status).splitlines()[: len(output)] == output


@pytest.mark.parametrize("number", range(len(blocks(PAGE, "python"))))
def test_python(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks(PAGE, "python")[number]
    exec(compile(code, PAGE, "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.strip() == code.rstrip().splitlines()[-1].removeprefix("# ")


def test_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model, certificate = tmp_path / "worst.toml", tmp_path / "worst.json"
    said(["worst", MODEL, *ASK, "--output", str(model), "--certificate", str(certificate)], capsys)
    outcomes = compare(pk.read(model))
    assert len(outcomes) == 2
    assert all(one.agrees for one in outcomes)
    replay_worst(json.loads(certificate.read_text(encoding="utf-8")))


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(said(["worst", MODEL, *ASK, "--json"], capsys))
    assert (answer["optimum"], answer["optimum_decimal"], answer["vacuous"]) == ("3/4", "0.75", False)
    assert answer["mechanism"][0] == {"database": [0, 0], "outputs": {"0": "1"}}
    assert pk.check(pk.loads(answer["file"]), "cdp", epsilon="ln(2)").tight_delta == "3/4"


def test_vacuous_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    certain = tmp_path / "certain.toml"
    text = 'size = 1\nvalues = [0, 1]\n[[distribution]]\niid = { 0 = "1" }\n[mechanism]\nkind = "identity"\n'
    certain.write_text(text, encoding="utf-8")
    shown = said(["worst", str(certain), *ASK, "--format", "markdown"], capsys)
    assert "cdp compares nothing for this θ: it is vacuous for every mechanism." in shown
    assumed = said(["worst", str(certain), *ASK[:2], "--maximise", "dp delta at 0", "--format", "markdown"], capsys)
    assert "assumed: np(ln(2)) compares nothing" in assumed
    assert "optimum: 1, at" in assumed


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("table", "latex", "csv"):
        assert "3/4" in said(["worst", MODEL, *ASK, "--format", kind], capsys)
