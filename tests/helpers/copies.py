"""A copy of the package with one declaration more, and what it says: is the thing found in every list?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BESIDE = [str(ROOT / "docs" / "_ext"), str(ROOT / "tests" / "helpers")]


def copied(folder: Path, *added: tuple[str, str, str]) -> Path:
    """A copy of the package in a folder, beside the models, proofs and pages of this checkout.

    `added` has names of files, each with a line that the file has once and what is put before it; where the line is
    empty, the file is new.

    Raises:
        ValueError: for a line that a file has not, or several times.

    """
    copytree(ROOT / "verifier", folder / "verifier", ignore=ignore_patterns("__pycache__"))
    for name, line, more in added:
        file = folder / "verifier" / name
        text = file.read_text(encoding="utf-8") if line else ""
        if line and text.count(line) != 1:
            raise ValueError(f"{name} has {text.count(line)} times: {line}")
        file.write_text(text.replace(line, more + line) if line else more, encoding="utf-8")
    for other in ("models", "proofs", "docs"):
        (folder / other).symlink_to(ROOT / other)
    return folder


def said(folder: Path, looks: str) -> dict[str, Any]:
    """The JSON that a script prints which imports the copy, with the makers of pages and what tests share beside it."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\nsys.path += {BESIDE}\n{looks}"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr[-2000:])
    return dict(json.loads(done.stdout))
