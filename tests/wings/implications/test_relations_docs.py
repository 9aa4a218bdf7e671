"""What docs/exchange.md and docs/compose.md show is what the program says."""

from __future__ import annotations

import pytest
from documents import ROOT, blocks, commands_of

from verifier.cli.main import run

PAGES = ("docs/exchange.md", "docs/compose.md")
COMMANDS = [shown for page in PAGES for block in blocks(page, "") for shown in commands_of(block)]
CODE = [(page, code) for page in PAGES for code in blocks(page, "python")]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_commands(number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments, output, status = COMMANDS[number]
    assert output
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    assert stop.value.code == status
    assert capsys.readouterr().out.splitlines() == output


@pytest.mark.parametrize(("page", "code"), CODE)
def test_python(page: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, page, "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.strip() == code.rstrip().splitlines()[-1].removeprefix("# ")
