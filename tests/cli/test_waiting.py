"""Nothing that takes over two seconds is silent: lines with counts on standard error, a bar on a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from verifier.cli import waiting
from verifier.cli.main import COMMANDS, run
from verifier.model.library import models_folder, proofs_folder

MODEL = models_folder() / "DMKB20" / "example-4-as-printed.toml"
ANSWERS = [proofs_folder() / "LQS12" / "answers.json"] * 2


GENUINE_PATIENCE = 2_000
"""Milliseconds; the tests' own is longer than any test (conftest.py)."""
LONGEST = 120
"""Seconds after which a test gives up."""


def until(met: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    end = monotonic() + LONGEST
    while not met():
        assert monotonic() < end
        sleep(1 / 100)


def heard(capsys: pytest.CaptureFixture[str], words: str) -> str:
    """Wait until standard error has these words; all that it has until then."""
    said = [""]

    def met() -> bool:
        said[0] += capsys.readouterr().err
        return words in said[0]

    until(met)
    return said[0]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word at once, and then at each look."""
    for name, value in (("PATIENCE", 0), ("PAUSE", 0), ("FRAME", 1)):
        monkeypatch.setattr(waiting, name, value)


def test_a_line_after_two_seconds_and_then_at_most_every_few(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a clock of its own: how fast this machine is changes nothing."""
    clock = [10**12]
    monkeypatch.setattr(waiting, "monotonic_ns", lambda: clock[0])
    monkeypatch.setattr(waiting, "PATIENCE", GENUINE_PATIENCE)
    monkeypatch.setattr(waiting, "FRAME", 1)
    watch = waiting.Watch("verify", works=[waiting.Work("certificates", 40)], started=clock[0])
    written: list[tuple[int, str]] = []
    looks = iter(range(0, 30_000, 100))

    def look(_: float) -> bool:
        """The time of the next look; whether it is over."""
        if said := capsys.readouterr().err:
            written.append((watch.milliseconds, said))
        now = next(looks, None)
        clock[0] = watch.started + 10**6 * (now or 0)
        watch.works[0].tick((now or 0) // 1000)
        return now is None

    monkeypatch.setattr(watch._over, "wait", look)
    watch._watch()
    lines = [f"pkdp verify: {second} of 40 certificates, {second} s\n" for second in (2, 7, 12, 17, 22, 27)]
    assert [line for _, line in written] == lines
    assert [at for at, _ in written] == [2_000, 7_000, 12_000, 17_000, 22_000, 27_000]


def test_a_watched_command_speaks_from_a_thread_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "FRAME", 1)
    with waiting.watching("verify"), waiting.counting("certificates", 40) as tick:
        tick(3)
        monkeypatch.setattr(waiting, "PATIENCE", 0)  # from here on it speaks
        said = heard(capsys, "certificates")
    assert re.fullmatch(r"pkdp verify: 3 of 40 certificates, \d+ s\n", said)


def test_quick_work_says_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 60_000)
    with pytest.raises(SystemExit):
        run(["check", str(MODEL), "--json"])
    assert not capsys.readouterr().err


@pytest.mark.usefixtures("hasty")
def test_work_without_a_count_says_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting.watching("relations"):
        said = heard(capsys, "working")
    assert re.match(r"pkdp relations: still working, \d+ s\n", said)


@pytest.mark.usefixtures("hasty")
def test_a_bar_on_a_terminal_is_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with waiting.watching("separate") as watch, waiting.counting("pairs") as tick:
        tick(3, 12)
        heard(capsys, "3 of 12 pairs")
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
        until(lambda: bool(refused))
        tick(1, 2)


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
