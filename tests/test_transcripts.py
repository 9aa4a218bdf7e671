"""What commands print is what the transcripts show: tests/transcripts, remade by `make transcripts`."""

from __future__ import annotations

from pathlib import Path

import pytest
from transcripts import all_files, remade, steps, terminal

TEXT = """## a remark
--- coin.toml
size = 1
$ pkdp check coin.toml
printed
= 2

--- other.toml
size = 2
$ pkdp check other.toml
>>> for one in (1, 2):
...     print(one)
1
2
"""


@pytest.mark.parametrize("path", all_files(), ids=lambda path: path.stem)
def test_commands_print_what_they_printed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with terminal():
        assert remade(text).splitlines() == text.splitlines()


def test_a_transcript_is_read_in_steps() -> None:
    first, second, third = steps(TEXT)
    assert (first.given, list(first.files())) == (["$ pkdp check coin.toml"], [("coin.toml", "size = 1\n")])
    assert (second.given, list(second.files())) == (["$ pkdp check other.toml"], [("other.toml", "size = 2\n")])
    assert third.given == [">>> for one in (1, 2):", "...     print(one)"]
