"""CSV is a format for programs: each column has a name of its own, and numbers are exact however long they are."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from verifier.cli.main import run

LONG = "1234567890123456789012345678901234567890/9876543210987654321098765432109876543211"
MODEL = f"""
title = "a long fraction"
size = 1
values = [0, 1]
[[distribution]]
iid = {{ 0 = "1/2", 1 = "1/2" }}
[mechanism]
table = [
  {{ database = [0], outputs = {{ x = "{LONG}", y = "8641975320864197532086419753208641975321/9876543210987654321098765432109876543211" }} }},
  {{ database = [1], outputs = {{ x = "1/2", y = "1/2" }} }},
]
"""  # noqa: E501
COMMANDS = (
    "check m.toml",
    "check m.toml --epsilon 1/9",
    "check m.toml --definition dp --epsilon 1/9",
    "check m.toml --definition dp --profile",
    "check m.toml --atlas --epsilon 1/9",
    "check m.toml m.toml",
    "loss m.toml",
    "loss m.toml --definition dp",
    "compose m.toml --times 2",
    "exchange np cdp m.toml --epsilon 1/9",
    "exchange np cdp m.toml --epsilon 1/9 --delta 1/10",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_columns_have_names_of_their_own_and_numbers_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.toml").write_text(MODEL, encoding="utf-8")
    with pytest.raises(SystemExit):
        run([*command.split(), "--format", "csv"])
    printed = capsys.readouterr().out
    assert printed
    for table in printed.split("\n\n"):
        head, *rows = csv.reader(io.StringIO(table))
        assert len(head) == len(set(head)), head
        assert all(len(row) == len(head) for row in rows)
        assert not re.search(r"characters\)|digits\)|…", table), table


@pytest.mark.parametrize("question", ["", " --epsilon ln(2)", " --epsilon ln(2) --delta 1/10"])
@pytest.mark.parametrize("files", ["m.toml", "m.toml m.toml"])
def test_one_definition_has_the_columns_of_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], question: str, files: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.toml").write_text(MODEL, encoding="utf-8")
    tables = []
    for definitions in ("dp", "dp,np"):
        with pytest.raises(SystemExit):
            run([*f"check {files}{question} --definition {definitions} --format csv".split()])
        tables.append(list(csv.reader(io.StringIO(capsys.readouterr().out))))
    one, several = tables
    assert one[0] == several[0]
    assert one[1:] == [row for row in several[1:] if "dp" in row]


def test_a_long_number_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.toml").write_text(MODEL, encoding="utf-8")
    with pytest.raises(SystemExit):
        run(["compose", "m.toml", "--times", "2", "--format", "csv"])
    printed = capsys.readouterr().out
    assert "ln(9876543210987654321098765432109876543211/2469135780246913578024691357802469135780)" in printed
