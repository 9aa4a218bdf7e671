"""A command of `pkdp`, run inside the process of a test."""

from __future__ import annotations

import pytest

from verifier.cli.main import run


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Return the exit status of a command, and what it wrote to standard output and to standard error."""
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err
