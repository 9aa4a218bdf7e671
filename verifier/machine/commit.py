"""The commit that the program was made from, where it is known: of a git checkout, or as a build kept it.

The build reads this file by its path (`hatch_build.py`), so that it imports nothing of the package.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

KEPT = "commit.txt"
"""The file beside this one in which a wheel and a source distribution keep the commit."""


def commit() -> str:
    """Return the commit that this program was made from, as git names it; empty where it is not known."""
    kept = Path(__file__).with_name(KEPT)
    try:
        return kept.read_text(encoding="utf-8").strip()
    except OSError:
        return commit_of_checkout(Path(__file__).resolve().parents[2])


def commit_of_checkout(folder: Path) -> str:
    """Return the commit of a folder that is a git checkout, with `, changed` where files differ from it; else empty.

    A folder inside another checkout is none: the commit would be of a program that merely holds this one.
    """
    if not (folder / ".git").exists():
        return ""
    apart = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ("git", "-C", str(folder), "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=, changed")
    try:
        done = subprocess.run(command, env=apart, capture_output=True, text=True, check=False, timeout=10)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
