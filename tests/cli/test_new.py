"""`pkdp new`: five questions at a terminal, by lines or by options; the file is read, checked, and never replaced."""

from __future__ import annotations

import codecs
import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from select import select

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.cli.new import KINDS, QUESTIONS, Draft, answered, file_of

FIVE = ("no, yes", "4", "9/10, 1/10", "0, 1", "threshold-count yes above 1")


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        run(("new", *arguments))
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def give(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input hold this."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


def ways(form: str) -> list[str]:
    """The forms in which `p|epsilon NUMBER` is each of them, with a number of its own."""
    found = re.search(r"(\S+\|\S+) NUMBER", form)
    if found is None:
        return [form]
    return [form.replace(found[0], f"{way} {'ln(3)' if way == 'epsilon' else '1/2'}") for way in found[1].split("|")]


@pytest.mark.parametrize("form", [way for form, _ in KINDS.values() for way in ways(form)])
@pytest.mark.parametrize("known", ["", "nothing", "all but 1"])
def test_every_kind_can_be_published(form: str, known: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    answer = form.replace("VALUE", "2").replace("above NUMBER", "above 1").replace("at-least NUMBER", "at-least 2")
    answer = answer.replace("NUMBER", "1/3").replace("[", "").replace("]", "")
    file = tmp_path / "made.toml"
    given = ("1, 2", "3", "uniform" if known else "1 = 1/4, 2 = 3/4", known, answer)
    assert ask(capsys, str(file), *(part for one in given for part in ("--answer", one)))[0] == 0
    with pytest.raises(SystemExit) as stop:
        run(["check", str(file), "-q"])
    assert stop.value.code == 0
    said = capsys.readouterr()
    assert not said.err
    assert "unsupported" not in said.out


def test_defaults_are_answers_like_others() -> None:
    """What a question shows as its default is what an empty answer means."""
    for values, size in product(("", "a, b, c", "7"), ("", "2")):
        drafts = [Draft(), Draft()]
        for number, (question, answer) in enumerate(zip(QUESTIONS, (values, size, "", "", ""), strict=True)):
            spelled = answer or question.default(drafts[1])
            drafts = [answered(drafts[0], number, answer), answered(drafts[1], number, spelled)]
        assert file_of(drafts[0]) == file_of(drafts[1])


@pytest.mark.parametrize(
    "lines", [b"", b"no, yes\n4\n", b"\n" * 6, b"\n\n\n\ncount\n", b"\xff\n\n\n\n\n", b"\n" * 70000]
)
def test_lines_that_are_not_five_answers(
    lines: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    give(monkeypatch, lines)
    status, out, err = ask(capsys)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


PATIENCE = 300
"""Seconds after which a test gives up."""


class Terminal:
    """`pkdp new` at a terminal of its own, of which so many bytes are read at a time."""

    def __init__(self, folder: Path, most: int = 4096) -> None:
        self.bytes = most
        self.ours, theirs = pty.openpty()
        self.running = subprocess.Popen(
            [sys.executable, "-m", "verifier", "new"],
            stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        os.close(theirs)
        self.screen = ""
        self.decode = codecs.getincrementaldecoder("utf-8")().decode  # a read may end within a character

    def wait_for(self, pattern: str) -> None:
        start = time.monotonic_ns()
        while not re.search(pattern, self.screen):
            assert time.monotonic_ns() - start < PATIENCE * 10**9, self.screen
            if select([self.ours], [], [], 1)[0]:
                self.screen += self.decode(os.read(self.ours, self.bytes))

    def wait_for_question(self, default: str = ".*") -> None:
        """Wait for the line that is answered: what a refusal names in brackets is none, wherever a read ends."""
        self.wait_for(rf"(?m)^   \[{default}\] \Z")

    def type(self, text: str) -> None:
        self.screen = ""
        os.write(self.ours, text.encode())


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")
@pytest.mark.parametrize("most", [1, 4096])
def test_a_conversation_asks_again(most: int, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, most)
    for number, answer in enumerate(("no, yes", "5", "1/3, 1/3", "1/4, 3/4", "", "count yes"), start=1):
        terminal.wait_for_question()
        if number == 4:
            assert "the probabilities sum to 2/3" in terminal.screen
        terminal.type(f"{answer}\n")
    terminal.wait_for("Decide it: pkdp check mine.toml")
    assert terminal.running.wait(PATIENCE) == 0
    os.close(terminal.ours)
    assert (pk.read(tmp_path / "mine.toml").size, len(list(tmp_path.iterdir()))) == (5, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")
@pytest.mark.parametrize(("ending", "status", "said"), [("", 130, "interrupted"), ("\x04", 2, "ended before answer 2")])
def test_a_conversation_that_is_broken_off_writes_nothing(ending: str, status: int, said: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.wait_for_question()
    terminal.type("a, b\n")
    terminal.wait_for_question("4")
    if ending:
        terminal.type(ending)
    else:
        os.killpg(terminal.running.pid, signal.SIGINT)
    terminal.wait_for(said)
    assert terminal.running.wait(PATIENCE) == status
    os.close(terminal.ours)
    assert "Traceback" not in terminal.screen
    assert list(tmp_path.iterdir()) == []
