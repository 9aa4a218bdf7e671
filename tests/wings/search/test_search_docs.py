"""What docs/search.md shows is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from documents import blocks, commands_of

from verifier.cli.main import run
from verifier.definitions.atlas import atlas
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import Holds
from verifier.wings.search.batch.statement import is_batched

PAGE = "docs/search.md"
COMMANDS = [one for block in blocks(PAGE, "") for one in commands_of(block)]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_commands(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, output, status = COMMANDS[number]
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    assert stop.value.code == status
    said = re.sub(r"\([0-9]+\.[0-9]{3} s\)", "(… s)", capsys.readouterr().out).splitlines()
    assert output
    assert said[: len(output)] == output


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(PAGE, "python")
    exec(compile(code, PAGE, "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.strip() == code.rstrip().splitlines()[-1].removeprefix("# ")


def test_every_property_is_listed() -> None:
    text = (Path(__file__).resolve().parents[3] / PAGE).read_text(encoding="utf-8")
    for feature in PROPERTIES.values():
        assert f"| `{feature.key}` | {feature.text} | {feature.source} |" in text


def test_the_keys_that_blocks_decide_are_listed() -> None:
    text = (Path(__file__).resolve().parents[3] / PAGE).read_text(encoding="utf-8")
    listed = text.partition("<!-- in blocks -->")[2].partition("<!-- /in blocks -->")[0]
    in_blocks = sorted(key for key in atlas if is_batched(Holds(atlas[key].key, None)))
    assert re.sub(r"\s+", " ", listed).strip() == ", ".join(f"`{key}`" for key in in_blocks)
    assert len(in_blocks) >= 60
