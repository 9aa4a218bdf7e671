"""The page about the structure shows the program as it is: its rooms, and the way of one δ through it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from examined import at_least_one

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_rooms_are_those_of_the_package() -> None:
    block = PAGE.split("verifier/\n", 1)[1].split("```", 1)[0]
    named = [line.split()[0].rstrip("/") for line in block.splitlines() if line.strip()]
    there = {path.name for path in (ROOT / "verifier").iterdir() if path.is_dir() and not path.name.startswith("__")}
    assert set(named) - {"errors.py"} == there


def test_the_wings_are_named() -> None:
    line = next(line for line in PAGE.splitlines() if line.strip().startswith("wings/"))
    named = set(re.findall(r"[a-z]+", line.split("wings/")[1]))
    there = {path.parent.name for path in (ROOT / "verifier" / "wings").rglob("__init__.py")} - {"wings"}
    assert named == there


def test_the_way_of_one_delta_is_that_of_the_running_program() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "way.py"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    *files, _count = done.stdout.splitlines()
    shown = PAGE.split("<!-- way -->\n```\n", 1)[1].split("\n```\n<!-- /way -->", 1)[0].splitlines()
    assert [line.rstrip() for line in files] == shown


def test_what_is_named_exists() -> None:
    for name in at_least_one(re.findall(r"`([a-z_]+/[a-z_/]+(?:\.py|\.md)?)`", PAGE)):
        places = [ROOT / name, ROOT / "verifier" / name]
        assert any(place.exists() for place in places), name
