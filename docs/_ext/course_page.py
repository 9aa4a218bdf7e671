"""The notebooks of the course, by their own titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1] / "course"


def pages() -> Iterator[tuple[str, str]]:
    """One page: how to open them, and what there is."""
    found = sorted(path for path in COURSE.glob("[0-9]*.py")) if COURSE.is_dir() else []
    rows = "\n".join(f"| {number} | {title(path)} | `{path.name}` |" for number, path in enumerate(found, 1))
    listed = f"| | notebook | file |\n|---|---|---|\n{rows}" if rows else "`pkdp course` lists them."
    yield "course.md", PAGE.format(listed=listed)


def title(path: Path) -> str:
    """The first heading that a notebook shows, else its docstring's first line."""
    text = path.read_text(encoding="utf-8")
    head = re.search(r'md\(\s*(?:rf|fr|r|f)?"""\s*#\s+(.+?)\s*$', text, re.MULTILINE)
    doc = re.match(r'(?:#.*\n|\s)*"""(.+?)(?:"""|\n)', text)
    words = head[1] if head else doc[1] if doc else path.stem.replace("_", " ")
    return words.strip().rstrip(".").replace("|", "\\|")


PAGE = """\
# The course

Notebooks for readers who have never seen differential privacy. Each has a model to play with, a question before each
answer, exercises with hints, and a tempting wrong definition beside the right one. Every statement is computed in the
notebook; probabilities are exact fractions.

```
pip install 'pkdp-verifier[course]'      # or, in a clone: .venv/bin/pip install -e '.[course]'
pkdp course                              # lists the notebooks and opens them in the browser, on this machine alone
```

{listed}

The files are plain Python in `docs/course/`, for marimo; beside them are copies for Jupyter (`.ipynb`).

To teach without notebooks, [the first model in five minutes](first-model.md) and [the glossary](glossary.md) are enough
for an hour.
"""
