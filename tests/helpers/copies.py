"""A copy of the package with one declaration more, and what it says: is the thing found in every list?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def copied(folder: Path, added: Mapping[str, tuple[str, str]]) -> Path:
    """A copy of the package in a folder, beside the models, proofs and pages of this checkout.

    `added` has by the names of files a text that stands once in the file, and what stands there instead; where the
    first text is empty, the file is new.
    """
    copytree(ROOT / "verifier", folder / "verifier", ignore=ignore_patterns("__pycache__"))
    for name, (before, after) in added.items():
        file = folder / "verifier" / name
        text = file.read_text(encoding="utf-8") if before else ""
        if before and text.count(before) != 1:
            raise ValueError(f"{name} has {text.count(before)} times: {before}")
        file.write_text(text.replace(before, after) if before else after, encoding="utf-8")
    for other in ("models", "proofs", "docs"):
        (folder / other).symlink_to(ROOT / other)
    return folder


def said(folder: Path, looks: str) -> dict[str, Any]:
    """The JSON that a script prints which imports the copy, with the makers of pages beside it."""
    done = subprocess.run(
        [sys.executable, "-c", looks, str(ROOT / "docs" / "_ext")],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr[-2000:])
    return dict(json.loads(done.stdout))
