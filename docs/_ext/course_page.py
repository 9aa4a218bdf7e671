"""The notebooks of the course: what each opens with, as it says itself."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.wings.course.files import notebooks
from verifier.wings.course.openings import Opening, opening_of
from verifier.wings.course.pages import address_of

__all__ = ["Opening", "notebooks", "opening_of", "pages"]


def pages(*, explorer: bool) -> Iterator[tuple[str, str]]:
    """One page: where the notebooks are, and what each is about; with `explorer` they are beside this page."""
    parts = []
    for path in notebooks():
        opening, number = opening_of(path), int(path.stem[:2])
        title = f"{number}. {opening.title}"
        read = f'<a href="explore/course/{address_of(path)}">Open it</a>' if explorer else f"`pkdp course {number}`"
        files = f"[file](course/{path.name}), [for Jupyter](course/{path.stem}.ipynb)"
        facts = [read, f"{opening.minutes} minutes" if opening.minutes else "", opening.needs, files]
        parts.append(f"### {title}\n\n" + " · ".join(fact for fact in facts if fact))
        if opening.able:
            parts.append(f"After this notebook you can {opening.able}")
        if opening.learns:
            parts.append("\n".join(f"- {learnt}" for learnt in opening.learns))
        if opening.hour:
            parts.append(f"*The one-hour path:* {opening.hour}.")
    start = START_HERE if explorer else ""
    yield "course.md", PAGE.format(start=start, notebooks="\n\n".join(parts))


START_HERE = '<p><a href="explore/course/index.html">Begin the course</a>: it runs in your browser.</p>\n\n'
PAGE = """\
# The course

{start}Eight notebooks for readers who have never seen differential privacy. One hour is enough for why two definitions
(NP and CDP) differ, what an active attacker can do that a passive one cannot, and why it matters what she may know: the
parts of notebooks 1 to 5 that are named below. Each has a model to play with, a question before each answer, exercises
with a second try before the solution opens, and a tempting wrong definition beside the right one. Every statement is
computed in the notebook; probabilities are exact fractions. Your answers stay in your browser.

```
pkdp course                # the same pages, from your own machine
pkdp course 1              # one of them
pkdp grade sheets/*.json   # checks the sheets that students hand in
```

## The notebooks

{notebooks}

## For lecturers

[Teaching with the course](teaching.md): how to hand out, collect and grade, the one-hour path, a plan of four lectures,
what to change live, and what students often believe. A notebook is one file of plain Python, in the format of marimo; a
copy for Jupyter is made of it. Without notebooks, [the first model in five minutes](first-model.md), with [the
explorer](explorer.md) on the screen and [the glossary](glossary.md) on paper, fills an hour.
"""
