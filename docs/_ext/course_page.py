"""The notebooks of the course: what each opens with, as it says itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1] / "course"


@dataclass(frozen=True)
class Opening:
    """The first cell of a notebook."""

    title: str
    learns: tuple[str, ...] = ()
    minutes: int = 0
    needs: str = ""
    hour: str = ""


def opening(path: Path) -> Opening:
    """What `kit.opening(number, title, learns, minutes=…, needs=…)` is given; else the docstring's first line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "opening":
            _, title, *rest = (ast.literal_eval(one) for one in node.args)
            named = {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg}
            learns = tuple(rest[0]) if rest else ()
            needs, hour = (str(named.get(one, "")) for one in ("needs", "hour"))
            return Opening(str(title), learns, int(named.get("minutes", 0)), needs, hour)
    said = ast.get_docstring(tree) or path.stem.replace("_", " ")
    return Opening(said.splitlines()[0].rstrip("."))


def pages() -> Iterator[tuple[str, str]]:
    """One page: how to open them, and what there is."""
    parts = []
    for path in sorted(COURSE.glob("[0-9][0-9]_*.py")):
        one = opening(path)
        number = int(path.stem[:2])
        facts = [f"`pkdp course {number}`", f"{one.minutes} minutes" if one.minutes else "", one.needs]
        parts.append(f"### {number}. {one.title}\n\n" + " · ".join(fact for fact in facts if fact))
        if one.learns:
            parts.append("\n".join(f"- {learnt}" for learnt in one.learns))
        if one.hour:
            parts.append(f"*The one-hour path:* {one.hour}.")
    yield "course.md", PAGE.format(notebooks="\n\n".join(parts) or "`pkdp course --list` names them.")


PAGE = """\
# The course

Notebooks for readers who have never seen differential privacy. One hour is enough for why two definitions (NP and CDP)
differ, what an active attacker can do that a passive one cannot, and why it matters what she may know: the parts of
notebooks 1 to 5 that are named below. Each has a model to play with, a question before each
answer, exercises with hints, and a tempting wrong definition beside the right one. Every statement is computed in the
notebook; probabilities are exact fractions.

```
pip install 'pkdp-verifier[course]'    # in a clone: .venv/bin/pip install -e '.[course]'
pkdp course                            # opens the list in the browser, on this machine alone
pkdp course 1                          # opens one
pkdp course --edit my-copies           # copies them, to change and run
```

## The notebooks

{notebooks}

## For lecturers

[Teaching with the course](teaching.md): the one-hour path, a plan of four lectures, what to change live, and what
students often believe. The files are plain Python in `docs/course/`, for marimo; beside each is a copy for Jupyter
(`.ipynb`) with its outputs. Without notebooks, [the first model in five minutes](first-model.md), with
[the explorer](explorer.md) on the screen and [the glossary](glossary.md) on paper, fills an hour.
"""
