"""The command line around an answer: a re-check that rejects it, and what no transcript can show."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from asking import ask

from verifier import recheck
from verifier.checker.answers import Word
from verifier.definitions import DEFINITIONS
from verifier.errors import MOST_NAMES, one_of

COIN = """
title = "coin"
size = 2
values = [0, 1]
[[distribution]]
name = "fair"
iid = { 0 = "1/2", 1 = "1/2" }
[knowledge]
records = [0]
[mechanism]
kind = "parity"
value = 1
then = [ { kind = "randomized-response", keep = "1/2" } ]
"""


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.toml"
    path.write_text(COIN, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status, out, err = ask(capsys, *arguments, "--json")
    assert not err
    return status, json.loads(out)


def test_the_passport_exits_0_and_several_models_give_a_line_each(
    capsys: pytest.CaptureFixture[str], coin: str
) -> None:
    status, out, _ = ask(capsys, "check", coin, coin, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert len(lines) == 2
    assert [one["definition"] for one in lines[0]["definitions"]] == [
        key for key, one in DEFINITIONS.items() if not one.changes_size
    ]


def test_help_names_the_other_meanings(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ask(capsys, "--help")
    assert "concentrated" in out
    status, out, _ = ask(capsys, "--version")
    assert status == 0
    assert re.fullmatch(r"pkdp \d+\.\d+\.\d+( \(commit [0-9a-f]+(, changed)?\))?\n", out)


def _reject(*_: object) -> Word:
    return Word("rejected", "planted")


def test_an_answer_that_the_replay_rejects_is_not_shown_to_programs(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recheck, "checked", _reject)
    for form in (["--json"], ["--format=csv"], ["--format=markdown"], ["--definition", "np", "-q"]):
        status, out, err = ask(capsys, "check", coin, *form)
        assert (status, out) == (3, "")
        assert "planted" in err


def test_a_rejection_after_the_verdict_is_loud(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recheck, "checked", _reject)
    for more in ([], ["--definition", "np"]):
        status, out, err = ask(capsys, "check", coin, *more)
        assert status == 3
        assert "REJECTED" in out.splitlines()[-1]
        assert "REJECTS the answer that is printed above" in err


def test_the_verdict_is_printed_before_the_replay_is_asked(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: list[str] = []
    genuine = recheck.checked

    def listen(*asked: Any) -> Word:
        before.append(capsys.readouterr().out)
        return genuine(*asked)

    monkeypatch.setattr(recheck, "checked", listen)
    status, out, _ = ask(capsys, "check", coin, "--definition", "np", "--epsilon", "0")
    assert status == 1
    assert "fails" in before[0]
    assert out == "Re-checked: yes, by the independent checker. In full: --all.\n"
    before.clear()
    assert json.loads(ask(capsys, "check", coin, "--definition", "np", "--json")[1])["replayed"] is True
    assert before == [""]


@pytest.mark.parametrize("more", [[], ["--definition", "np"], ["--format", "markdown"]])
def test_the_replay_is_left_out_on_request(
    capsys: pytest.CaptureFixture[str], coin: str, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.setattr(recheck, "checked", _reject)
    status, out, err = ask(capsys, "check", coin, "--no-replay", *more)
    assert (status, err) == (0, "")
    assert "left out (--no-replay)" in out
    _, found = answer(capsys, "check", coin, "--no-replay", "--definition", "np")
    assert (found["replayed"], found["replay"]) == (None, "left out")


def test_a_statement_is_no_markdown_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    out = ask(capsys, "claims", "DMKB20", "Theorem 4")[1]
    assert out.startswith("DMKB20, Theorem 4")
    assert "## " not in out
    assert "`" not in out


def test_a_message_begins_with_pkdp_once_whatever_the_file_is_called(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A place that is a command begins it, in front of the file, too; a file whose name looks like one does not."""
    monkeypatch.chdir(tmp_path)
    Path("pkdp check").write_text("size = ", encoding="utf-8")
    assert ask(capsys, "check", "./pkdp check")[2].startswith("pkdp: ./pkdp check: ")
    assert ask(capsys, "check", "pkdp check")[2].startswith("pkdp: pkdp check: ")
    asked = "best", "example-4-repaired", "--loss", "zero-one", "--over", "ln(2),ln(3)", "--assuming", "np(ln(2))"
    _, _, err = ask(capsys, *asked, "--output", "m.toml")
    assert err == "pkdp best: --over asks for several mechanisms, and one is written. Expected one of them.\n"


def test_no_message_lists_more_than_twelve_names() -> None:
    assert one_of("abc") == "one of a, b, c"
    assert one_of(map(str, range(MOST_NAMES + 1)), "12") == "one of 13 names, the closest: 12, 2, 1"
