"""`pkdp check`, `loss`, `acceptable` and `report` on model files with [parameters]: formats, exit status, refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from policy_families import WARD

from verifier.definitions import DEFINITIONS
from verifier.definitions.atlas import atlas
from verifier.definitions.registry import ALIASES
from verifier.model.parameters import Family
from verifier.model.read import read_any
from verifier.wings.families.decide import decide_family

ASKED = ("--epsilon", "ln(2)", "--delta", "1/10")

COIN = """
title = "coin"
size = 2
values = [0, 1]
[parameters]
p = { from = "0", to = "1/2" }
[[distribution]]
iid = { 0 = "1 - p", 1 = "p" }
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


# --- check ---


def test_the_passport(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "check", coin, *ASKED)
    assert status == 0, "a passport that was computed"
    assert list(found) == ["schema", "version", "model", "sha256", "definitions"]
    names = [one["definition"] for one in found["definitions"]]
    assert names == [key for key, one in DEFINITIONS.items() if not one.changes_size]
    assert {one["verdict"] for one in found["definitions"]} >= {"fails", "unsupported"}


# --- --set ---


NOISY = """
size = 2
values = [0, 1]
[parameters]
c = { from = "1/2", below = "1" }
[[distribution]]
network = [
  { record = 0, table = { 0 = "1/2", 1 = "1/2" } },
  { record = 1, given = [0], rows = [
    { when = [0], table = { 0 = "c", 1 = "1 - c" } }, { when = [1], table = { 0 = "1 - c", 1 = "c" } } ] },
]
[mechanism]
kind = "sum"
then = [ { kind = "geometric-noise", p = "1/2" } ]
"""
TWO = NOISY.replace('p = "1/2" }', 'p = "q" }').replace("[[dist", 'q = { above = "0", below = "1" }\n[[dist')


@pytest.mark.parametrize(
    "command",
    [("check",), ("check", "--definition", "np"), ("check", "--atlas"), ("loss",), ("acceptable",), ("report",)],
)
def test_one_parameter_may_be_free(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    path, pages = tmp_path / "noisy.toml", tmp_path / "pages"
    path.write_text(TWO, encoding="utf-8")
    rest = (*command[1:], *(("--output", str(pages)) if command == ("report",) else ()))
    status, out, err = ask(capsys, command[0], str(path), *rest)
    assert (status, out, pages.exists()) == (2, "", False)
    expected = "2 parameters are free: c, q. Expected one free parameter. Hint: fix all but one: --set q=1/7."
    assert err == f"pkdp: {path}: {expected}\n"
    assert ask(capsys, command[0], str(path), *rest, "--set", "q=1/7")[0] in {0, 1}
    assert ask(capsys, command[0], str(path), *rest, "--set", "c=4/7")[0] in {0, 1}


# --- the atlas, report ---


def test_the_atlas_of_a_family(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each of DP22's definitions has its answer, the one that it has alone."""
    ward = tmp_path / "ward.toml"
    ward.write_text(WARD, encoding="utf-8")
    status, found = answer(capsys, "check", str(ward), "--atlas", *ASKED)
    answers = found["atlas"]
    assert status == 0
    assert [one["key"] for one in answers] == list(atlas)
    members = read_any(ward)
    assert isinstance(members, Family)
    for one in answers:
        definition = atlas[one["key"]]
        assert one["definition"] == ALIASES.get(one["key"], (one["key"], ""))[0]
        assert one["dimensions"] == atlas.dimensions(one["key"])
        assert (one["verdict"] == "unsupported") == bool(one["reason"])
        if one["key"] in {"osdp", "taidp", "adp", "npr", "klpr"}:
            alone = decide_family(members, definition, epsilon="ln(2)", delta="1/10" if definition.has_delta else 0)
            expected = alone.to_json()
            assert {name: one[name] for name in expected} == expected


def test_report(capsys: pytest.CaptureFixture[str], coin: str, tmp_path: Path) -> None:
    other = tmp_path / "other" / "coin.toml"
    other.parent.mkdir()
    other.write_text(COIN.replace('title = "coin"', 'title = "another coin"'), encoding="utf-8")
    folder = tmp_path / "pages"
    status, out, _ = ask(capsys, "report", coin, str(other), "--output", str(folder))
    assert status == 0
    pages = [Path(line.removeprefix("wrote ")) for line in out.splitlines()]
    assert [page.name for page in pages] == ["coin.html", "coin-2.html"], "the second does not replace the first"
    texts = [page.read_text("utf-8") for page in pages]
    assert ["<h1>coin</h1>" in texts[0], "<h1>another coin</h1>" in texts[1]] == [True, True]
    for text in texts:
        assert "<svg" in text
        assert not re.search(r"(src|href)=\"(https?:|/)", text), "self-contained"


def test_noise_with_the_other_parameter_fixed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "noisy.toml"
    path.write_text(TWO, encoding="utf-8")
    status, found = answer(capsys, "check", str(path), "--definition", "np", *ASKED, "--set", "q=1/2")
    assert (status, found["where"]["holds"], found["fixed"]) == (1, ["1/2 <= c <= 13/20"], {"q": "1/2"})
    sets = ("--set", "q=1/2", "--set", f"c={found['witness']['c']}")
    status, there = answer(capsys, "check", str(path), "--definition", "np", *ASKED, *sets)
    assert (status, there["tight_delta"]) == (1, found["witness"]["answer"]["tight_delta"])
