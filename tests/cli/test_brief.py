"""One answer in the terminal has at most ten lines, whatever the model and the definition are; `--all` has the rest."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from asking import ask

import verifier as pk
from verifier.cli.check import IN_FULL
from verifier.model.library import models_folder
from verifier.show.answers import BRIEF_LINES, REST, brief_sheet, verdict_sheet
from verifier.show.sheet import Sheet

KEYS = ("np", "dp", "ppkdp", "cdp", "tail-apkdp", "renyidp", "ibcdp", "klpr", "psdp", "apkdp", "ddp")
"""Kinds of answers: probabilities, averages, interventions, tails, divergences, beliefs, simulators, missing fields."""
SMALL = [path for path in sorted(models_folder().rglob("*.toml")) if "family" not in path.parts]
CASES = [
    (path, key, epsilon)
    for path, key, epsilon in zip(
        SMALL, itertools.cycle(KEYS), itertools.cycle(((), ("--epsilon", "ln(2)"))), strict=False
    )
    if path.parent.name not in {"referendum", "composition"} and "thousand" not in path.stem
    if "[parameters]" not in path.read_text(encoding="utf-8")
]


@pytest.mark.sweep(25)
@pytest.mark.parametrize(("path", "key", "epsilon"), CASES, ids=[f"{path.stem}-{key}" for path, key, _ in CASES])
def test_an_answer_has_at_most_ten_lines(
    path: Path, key: str, epsilon: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    status, out, _ = ask(capsys, "check", str(path), "--definition", key, *epsilon, "--no-replay")
    assert status in {0, 1, 3}
    assert len(out.splitlines()) <= BRIEF_LINES + (status == 3), out
    assert ("verdict" in out) <= ("definition" in out)


def items_of(sheet: Sheet) -> dict[str, str]:
    """The items of an answer by their names."""
    return {row[0]: row[1] for row in sheet.rows}


LONG = """
title = "a label that fills a line"
size = 2
values = ["{0}", "no"]
distribution = [ { iid = { "{0}" = "1/2", no = "1/2" } } ]
mechanism = { kind = "identity" }
""".replace("{0}", "a very long answer of a person who was asked " * 4)


def test_a_long_attack_is_cut_and_says_where_the_rest_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "long.toml").write_text(LONG, encoding="utf-8")
    question = ("check", str(tmp_path / "long.toml"), "--definition", "np", "--epsilon", "ln(2)")
    status, out, _ = ask(capsys, *question)
    assert (status, len(out.splitlines()) <= BRIEF_LINES) == (1, True)
    words = " ".join(out.split())
    assert REST in words
    assert words.endswith(IN_FULL)
    whole = " ".join(ask(capsys, *question, "--all")[1].split())
    assert REST not in whole
    assert IN_FULL not in whole
    assert "formula" in whole


def test_what_changes_how_a_verdict_is_read_is_not_left_out() -> None:
    """That a record has nothing to compare, another reading, the verdict and both numbers; a formula is."""
    text = """
    size = 2
    values = [0, 1]
    distribution = [ { iid = { 0 = "1/2", 1 = "1/2" } } ]
    knowledge = { records = [0] }
    mechanism = { kind = "parity", value = 1 }
    """
    answer = pk.check(pk.loads(text), "np", epsilon="ln(2)")
    rows = items_of(brief_sheet(answer))
    assert rows["compared"].startswith("nothing is compared for 1 of 2 records")
    assert {"definition", "verdict", "why", "smallest δ", "smallest ε"} <= set(rows)
    assert rows["definition"].endswith(", at ε = ln(2), δ = 0")
    assert "formula" in items_of(verdict_sheet(answer))
    assert "formula" not in rows
    assert "reading" not in rows
    other = pk.check(pk.loads(text), "np", epsilon="ln(2)", reading="one-order")
    assert items_of(brief_sheet(other))["reading"].startswith("one-order: ")


@pytest.mark.parametrize(
    ("outputs", "seen"), [("abcd", "a, b, c or d"), ("abcdef", "a, b, c or one of 3 other outputs")]
)
def test_an_attack_names_three_outputs_and_the_witness_all(outputs: str, seen: str) -> None:
    law = {output: f"1/{len(outputs)}" for output in outputs}
    table = [{"database": [0], "outputs": law}, {"database": [1], "output": "other"}]
    half = {"iid": {0: "1/2", 1: "1/2"}}
    answer = pk.check(pk.build(size=1, values=[0, 1], distribution=half, mechanism={"table": table}), "np", epsilon="1")
    whole = items_of(verdict_sheet(answer))
    assert f"sees {seen}, then" in whole["why"]
    assert f"{', '.join(outputs[:-1])} or {outputs[-1]}" in whole["witness"]
