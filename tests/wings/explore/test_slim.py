"""The package answers every question of the explorer with python-flint, latex2mathml and the standard library alone."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
MODELS = (
    "DMKB20/example-4-repaired",
    "DMKB20/example-7-twelve-voters",  # 4,096 worlds
    "DMKB20/family/example-6-first-normalization",  # with parameters
    "DMKB20/remark-nothing-to-protect",
    "exchange/family/two-bits-that-agree",
    "LQS12/table-1",  # databases of several sizes
)


def arbitrary() -> str:
    """A model whose mechanism is a table of 512 random laws, and whose worlds are a table too."""
    random = Random(1)  # noqa: S311
    rows = []
    for database in product((0, 1), repeat=9):
        weights = [random.randint(0, 9) for _ in range(2)]
        total = sum(weights) + 1
        law = {"x": f"{weights[0]}/{total}", "y": f"{weights[1]}/{total}", "z": f"1/{total}"}
        outputs = ", ".join(f'{name} = "{value}"' for name, value in law.items())
        rows.append(f"{{ database = {list(database)}, outputs = {{ {outputs} }} }}")
    shape = '[[distribution]]\niid = { 0 = "2/3", 1 = "1/3" }\n[sensitive]\nrecords = [8]\n'
    return f"size = 9\nvalues = [0, 1]\n{shape}[mechanism]\ntable = [{', '.join(rows)}]\n"


def asked(how: str, file: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "helpers" / "slim.py"), how, file],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", [*MODELS, ""], ids=lambda name: name or "arbitrary")
def test_every_question_is_answered_alike_without_numpy_processes_and_threads(name: str, tmp_path: Path) -> None:
    path = ROOT / "models" / f"{name}.toml" if name else tmp_path / "arbitrary.toml"
    if not name:
        path.write_text(arbitrary(), encoding="utf-8")
    slim, ordinary = (asked(how, str(path)) for how in ("--slim", "--full"))
    assert slim.keys() == ordinary.keys()
    for question, answer in ordinary.items():
        assert slim[question] == answer, question
    assert len({answer["verdict"] for answer in ordinary.values() if "verdict" in answer}) > 1
