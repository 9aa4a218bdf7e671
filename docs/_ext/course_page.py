"""The notebooks of the course: what each opens with, as it says itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from verifier.wings.course.openings import Opening, opening_of

__all__ = ["Opening", "opening_of", "pages"]

COURSE = Path(__file__).resolve().parents[1] / "course"


def pages() -> Iterator[tuple[str, str]]:
    """One page: how to open them, and what there is."""
    parts = []
    for path in sorted(COURSE.glob("[0-9][0-9]_*.py")):
        opening = opening_of(path)
        number = int(path.stem[:2])
        facts = [f"`pkdp course {number}`", f"{opening.minutes} minutes" if opening.minutes else "", opening.needs]
        parts.append(f"### {number}. {opening.title}\n\n" + " · ".join(fact for fact in facts if fact))
        if opening.able:
            parts.append(f"After this notebook you can {opening.able}")
        if opening.learns:
            parts.append("\n".join(f"- {learnt}" for learnt in opening.learns))
        if opening.hour:
            parts.append(f"*The one-hour path:* {opening.hour}.")
    yield "course.md", PAGE.format(notebooks="\n\n".join(parts) or "`pkdp course --list` names them.")


PAGE = """\
# The course

Notebooks for readers who have never seen differential privacy. One hour is enough for why two definitions (NP and CDP)
differ, what an active attacker can do that a passive one cannot, and why it matters what she may know: the parts of
notebooks 1 to 5 that are named below. Each has a model to play with, a question before each answer, exercises with a
second try before the solution opens, and a tempting wrong definition beside the right one. Every statement is computed
in the notebook; probabilities are exact fractions.

```
pip install '.[course]'         # in a clone; after make test it is there
pkdp course                     # opens the start page in the browser, on this machine alone
pkdp course 1                   # opens one
pkdp course 1 --edit my-copies  # copies one, to change and run
pkdp grade sheets/*.json        # checks the sheets that students hand in
```

## The notebooks

{notebooks}

## For lecturers

[Teaching with the course](teaching.md): how to hand out, collect and grade, the one-hour path, a plan of four lectures,
what to change live, and what students often believe. The files are plain Python in `docs/course/`, for marimo; beside
each is a copy for Jupyter (`.ipynb`) with its outputs. Without notebooks, [the first model in five
minutes](first-model.md), with [the explorer](explorer.md) on the screen and [the glossary](glossary.md) on paper, fills
an hour.
"""
