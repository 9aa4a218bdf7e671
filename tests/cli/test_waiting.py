"""Nothing that takes over two seconds is silent: lines with counts on standard error, a bar on a terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from verifier.cli import waiting
from verifier.cli.main import COMMANDS, run
from verifier.model.library import models_folder, proofs_folder

MODEL = models_folder() / "DMKB20" / "example-4-as-printed.toml"
ANSWERS = [proofs_folder() / paper / "answers.json" for paper in ("DKM19", "D20")]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word at once, and then at each look."""
    for name, value in (("PATIENCE", 0), ("PAUSE", 0), ("FRAME", 1)):
        monkeypatch.setattr(waiting, name, value)


def test_a_line_after_two_seconds_and_then_at_most_every_few(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("PATIENCE", 200), ("PAUSE", 400), ("FRAME", 10)):
        monkeypatch.setattr(waiting, name, value)
    with waiting.watching("verify"), waiting.counting("certificates", 40) as tick:
        assert not capsys.readouterr().err
        for done in range(40):
            tick(done)
            sleep(1 / 40)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 4
    assert all(line.startswith("pkdp verify: ") and " of 40 certificates, " in line for line in lines)


def test_quick_work_says_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 60_000)
    with pytest.raises(SystemExit):
        run(["check", str(MODEL), "--json"])
    assert not capsys.readouterr().err


@pytest.mark.usefixtures("hasty")
def test_work_without_a_count_says_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting.watching("relations"):
        sleep(1 / 5)
    assert "pkdp relations: still working, 0 s" in capsys.readouterr().err


@pytest.mark.usefixtures("hasty")
def test_a_bar_on_a_terminal_is_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with waiting.watching("separate") as watch, waiting.counting("pairs") as tick:
        tick(3, 12)
        sleep(1)
    said = capsys.readouterr().err
    assert "3 of 12 pairs" in said
    assert watch._bar is None


@pytest.mark.usefixtures("hasty")
def test_a_closed_standard_error_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = []

    class Closed:
        def isatty(self) -> bool:
            return False

        def write(self, text: str) -> None:
            refused.append(text)
            raise OSError("closed")

    monkeypatch.setattr(sys, "stderr", Closed())
    with waiting.counting("pieces") as tick:
        sleep(1 / 10)
        tick(1, 2)
    assert refused


LONG = {"--separate", "report"}
"""Commands, or options of them, that work for seconds."""
COUNTED = [
    (["check", str(MODEL)], ("questions", "verdicts re-checked")),
    (["check", str(MODEL), "--definition", "np,cdp"], ("questions", "verdicts re-checked")),
    (["check", str(MODEL), "--expect"], ("promised answers",)),
    (["verify", *map(str, ANSWERS)], ("certificates",)),
    (["claims", "Definition 13", "--paper", "D20", "--replay"], ("readings",)),
    (["relations", "--separate", "np", "ppkdp"], ("pairs of definitions",)),
    (["worst", str(MODEL), "--maximise", "np(ln(2))", "--assuming", "dp(ln(2))"], ("linear programs",)),
    (["search", "--claim", "np(0) => np(0)", "--weights", "2", "--jobs", "1"], ("models up to renaming",)),
    (["report", str(MODEL)], ("pages of models",)),
]


@pytest.mark.parametrize(
    ("arguments", "nouns"),
    [pytest.param(*one, marks=pytest.mark.sweep(0) if LONG & set(one[0]) else (), id=one[0][0]) for one in COUNTED],
)
def test_long_commands_count(
    arguments: list[str],
    nouns: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each names its work, and its last count is the whole of it."""
    monkeypatch.chdir(tmp_path)
    seen: dict[str, list[str]] = {}
    genuine = waiting.Work.tick

    def tick(self: waiting.Work, *counts: Any, **more: Any) -> None:
        genuine(self, *counts, **more)
        seen.setdefault(self.noun, []).append(str(self))

    monkeypatch.setattr(waiting.Work, "tick", tick)
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    assert stop.value.code in {None, 0, 1}, capsys.readouterr().err
    assert tuple(seen) == nouns
    for noun in nouns:
        done, of, *_ = seen[noun][-1].partition(" of ")
        assert "None" not in seen[noun][-1]
        assert not of or seen[noun][-1].split(" ")[2] == done


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("arguments", [arguments for arguments, _ in COUNTED[:4]], ids=" ".join)
def test_a_quiet_command_says_nothing_of_itself(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--quiet", "-q"):
        with pytest.raises(SystemExit):
            run([*arguments, option])
        assert not capsys.readouterr().err


@pytest.mark.usefixtures("hasty")
def test_a_quiet_command_still_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run(["check", "missing.toml", "-q"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("pkdp: missing.toml: ")


def test_every_command_but_servers_is_watched() -> None:
    assert {name for name, command in COMMANDS.items() if command.serves} == {"explore", "course", "new"}
