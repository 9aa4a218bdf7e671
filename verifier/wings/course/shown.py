"""What a cell shows: texts, answers and controls as one piece of HTML that marimo and Jupyter both display."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier.definitions.verdict import both
from verifier.model.library import course_folder
from verifier.wings.course.prose import inline, prose
from verifier.wings.course.runtime import live


@dataclass(frozen=True)
class Shown:
    """A piece of a page; `text` is what a terminal or a script sees of it."""

    html: str
    text: str = ""

    def _repr_html_(self) -> str:
        return f"<div class='pk'>{self.html}</div>"

    def __repr__(self) -> str:
        return self.text


def piece(thing: object) -> str:
    """The HTML of anything that a cell may show."""
    if isinstance(thing, Shown):
        return thing.html
    if isinstance(thing, str):
        return prose(thing)
    if isinstance(thing, Fraction):
        return f"<span class='n'>{html.escape(both(thing))}</span>"
    controls = getattr(thing, "pk_html", None)  # a control of the kit says more than marimo's element does
    if controls is not None:
        return str(controls())
    own = getattr(thing, "_repr_html_", None)
    if own is not None:
        return str(own())
    if isinstance(thing, list | tuple):
        return "".join(piece(one) for one in thing)
    return f"<p>{html.escape(str(thing))}</p>"


def plain(thing: object) -> str:
    """The text of anything that a cell may show."""
    return both(thing) if isinstance(thing, Fraction) else str(thing).strip()


def show(*things: object) -> Shown:
    """Show texts (short Markdown), answers, tables, drawings and controls, one below the other.

    Texts may hold `code`, **bold**, lists and $formulas$.

    >>> show("The smallest δ is **1/4**.", Fraction(1, 4))
    The smallest δ is **1/4**.
    1/4 (0.25)
    """
    return Shown("".join(piece(one) for one in things), "\n".join(plain(one) for one in things))


def beside(*things: object) -> Shown:
    """Show things side by side; below each other where the window is narrow."""
    cells = "".join(f"<div>{piece(one)}</div>" for one in things)
    return Shown(f"<div class='pk-beside'>{cells}</div>", "\n".join(plain(one) for one in things))


def fold(title: str, *things: object) -> Shown:
    """Show things folded behind a title."""
    body = "".join(piece(one) for one in things)
    return Shown(f"<details><summary>{inline(title)}</summary>{body}</details>", f"{title} (folded)")


def note(title: str, *things: object, kind: str = "note") -> Shown:
    """A box with a title: `kind` is "note", or "trap" for a tempting wrong definition."""
    body = "".join(piece(one) for one in things)
    text = "\n".join([title, *(plain(one) for one in things)])
    return Shown(f"<section class='pk-note {kind}'><p class='pk-title'>{inline(title)}</p>{body}</section>", text)


def opening(number: int, title: str, learn: Sequence[str], minutes: int, needs: str = "", hour: str = "") -> Shown:
    """The head of a notebook: what you will learn, and how long it takes. It carries the style outside marimo.

    `hour` says what belongs to the one-hour path through the course, or that nothing does.
    """
    items = "".join(f"<li>{inline(one)}</li>" for one in learn)
    before = f" · {inline(needs)}" if needs else ""
    path = f"<p class='pk-hour'><b>The one-hour path:</b> {inline(hour)}</p>" if hour else ""
    page = (
        f"<header class='pk-head'><p class='pk-kicker'>Privacy definitions with partial knowledge · "
        f"notebook {number}</p>"
        f"<h1>{inline(title)}</h1><p class='pk-soft'>About {minutes} minutes{before}</p>"
        f"<p class='pk-title'>What you will learn</p><ul>{items}</ul>{path}</header>"
    )
    return Shown((style() if live() is None else "") + page, f"{number}. {title}\n" + _lines(learn))


def _lines(items: Iterable[str]) -> str:
    return "\n".join(f"- {one}" for one in items)


def style() -> str:
    """The style sheet of the course, for pages that do not load it."""
    sheet = Path(course_folder()) / "course.css"
    return f"<style>{sheet.read_text(encoding='utf-8')}</style>" if sheet.is_file() else ""


def value_of(control: Any) -> Any:
    """The value of a control, or the thing itself where it is none."""
    return getattr(control, "value", control)
