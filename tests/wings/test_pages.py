"""What the pages of the wings show is what the program says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from documents import ROOT, blocks, commands_of

import verifier as pk
from verifier.checker.multipliers import verify_worst
from verifier.cli.main import run
from verifier.questions.expect import compare

WHOLE = ("docs/exchange.md", "docs/compose.md")
"""The pages that show all that a command prints; the others show how it begins."""
PAGES = (*WHOLE, "docs/worst.md", "docs/search.md")
COMMANDS = [(page, *shown) for page in PAGES for block in blocks(page, "") for shown in commands_of(block)]
CODE = [(page, code) for page in PAGES for code in blocks(page, "python")]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_commands(number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page, arguments, output, status = COMMANDS[number]
    assert output
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    assert stop.value.code == status
    said = re.sub(r"\([0-9]+\.[0-9]{3} s\)", "(… s)", capsys.readouterr().out).splitlines()
    assert (said if page in WHOLE else said[: len(output)]) == output


@pytest.mark.parametrize(("page", "code"), CODE)
def test_python(page: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, page, "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.strip() == code.rstrip().splitlines()[-1].removeprefix("# ")


def test_the_files_of_the_worst_mechanism(tmp_path: Path) -> None:
    model, certificate = tmp_path / "worst.toml", tmp_path / "worst.json"
    asked = ["--assuming", "np(ln(2))", "--maximise", "cdp delta at ln(2)"]
    with pytest.raises(SystemExit) as stop:
        run(["worst", "restricted/not-both", *asked, "--output", str(model), "--certificate", str(certificate)])
    assert not stop.value.code
    assert [one.agrees for one in compare(pk.read(model))] == [True, True]
    assert verify_worst(json.loads(certificate.read_text(encoding="utf-8")), ROOT).startswith("the largest δ of ")
