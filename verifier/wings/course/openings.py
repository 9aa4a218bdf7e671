"""The opening of a notebook: what one can do after it, what one learns, how long it takes, and what it needs."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.wings.course.controls import live
from verifier.wings.course.fragment import Fragment, style
from verifier.wings.course.prose import inline


@dataclass(frozen=True)
class Opening:
    """The first cell of a notebook, as its source says it; `able` goes on after “After this notebook you can”."""

    title: str
    learns: tuple[str, ...] = ()
    minutes: int = 0
    needs: str = ""
    hour: str = ""
    able: str = ""


def opening(
    number: int, title: str, learn: Sequence[str], *, minutes: int, able: str = "", needs: str = "", hour: str = ""
) -> Fragment:
    """Show the head of a notebook. Outside a page of the course it carries the style.

    `able` ends the sentence “After this notebook you can …”. `needs` says what one has to know before. `hour` says what
    belongs to the one-hour path through the course, or that nothing does.
    """
    items = "".join(f"<li>{inline(item)}</li>" for item in learn)
    before = f" · {inline(needs)}" if needs else ""
    path = f"<p class='pk-hour'><b>The one-hour path:</b> {inline(hour)}</p>" if hour else ""
    goal = f"<p><b>After this notebook you can</b> {inline(able)}</p>" if able else ""
    return Fragment(
        f"{'' if live() else style()}<header class='pk-head'>"
        f"<p class='pk-kicker'>Privacy definitions with partial knowledge · notebook {number}</p>"
        f"<h1>{inline(title)}</h1><p class='pk-soft'>About {minutes} minutes{before}</p>{goal}"
        f"<p class='pk-title'>What you will learn</p><ul>{items}</ul>{path}</header>"
    )


def opening_of(path: Path) -> Opening:
    """Read the opening of a notebook from its source, without running it; without one, the docstring's first line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "opening":
            _, title, *lists = (ast.literal_eval(argument) for argument in node.args)
            named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
            texts = {key: str(named.get(key, "")) for key in ("needs", "hour", "able")}
            return Opening(str(title), tuple(lists[0]) if lists else (), int(named.get("minutes", 0)), **texts)
    docstring = ast.get_docstring(tree) or path.stem.replace("_", " ")
    return Opening(docstring.splitlines()[0].rstrip("."))
