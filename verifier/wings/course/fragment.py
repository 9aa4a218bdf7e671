"""What a cell shows: texts, answers and controls as one piece of HTML that pages and Jupyter both display."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier.model.library import course_folder
from verifier.numbers import NO_VALUE, decimal_form, exact_form, with_decimal
from verifier.wings.course.prose import inline, prose

SHORT = 20
"""Most characters of an exact form; of a longer one the decimal stands alone."""
FIGURES = 6
"""Digits of the decimals beside the exact values; they are correctly rounded."""


def said(value: Any) -> str:
    """Return the text of a result: exact with its decimal, to six digits; of a long exact form the decimal alone.

    A result may be a δ, an ε, a fraction, or a claim of a theorem; anything else stands as it is.

    >>> said(Fraction(1, 4)), said(Fraction(1, 3)), said(Fraction(3**20, 2**40)), said(2), said("⊥"), said(None)
    ('1/4 (0.25)', '1/3 (0.333333)', '≈ 0.00317121', '2', '⊥', '–')
    """
    if value is None:
        return NO_VALUE
    if not isinstance(value, Fraction) and not hasattr(value, "decimal"):
        return str(value)
    has_exact_form = exact_form(value) != decimal_form(value)
    text = with_decimal(value, digits=FIGURES, most=SHORT if has_exact_form else 0, longer="≈ {decimal}")
    return text.replace("inf", "∞")


@dataclass(frozen=True, repr=False)
class Fragment:
    """A piece of a page; a terminal shows its words."""

    html: str

    def _repr_html_(self) -> str:
        return f"<div class='pk'>{self.html}</div>"

    def __repr__(self) -> str:
        return " ".join(html.unescape(re.sub("<[^>]*>", " ", self.html)).split())


def html_of(content: object) -> str:
    """Return the HTML of anything that a cell may show."""
    if isinstance(content, Fragment):
        return content.html
    if isinstance(content, str):
        return prose(content)
    if isinstance(content, Fraction):
        return f"<span class='n'>{html.escape(said(content))}</span>"
    for method in ("pk_html", "_repr_html_"):
        own = getattr(content, method, None)
        if own is not None:
            return str(own())
    if isinstance(content, list | tuple):
        return "".join(html_of(item) for item in content)
    return f"<p>{html.escape(str(content))}</p>"


def show(*contents: object) -> Fragment:
    """Show texts (short Markdown), answers, tables, drawings and controls, one below the other.

    Texts may hold `code`, **bold**, lists and $formulas$.

    >>> show("The smallest δ is **1/4**.", Fraction(1, 4))
    The smallest δ is 1/4 . 1/4 (0.25)
    """
    return Fragment(html_of(contents))


def beside(*contents: object) -> Fragment:
    """Show contents side by side; below each other where the window is narrow."""
    cells = "".join(f"<div>{html_of(item)}</div>" for item in contents)
    return Fragment(f"<div class='pk-beside'>{cells}</div>")


def fold(title: str, *contents: object) -> Fragment:
    """Show contents folded behind a title."""
    return Fragment(f"<details><summary>{inline(title)}</summary>{html_of(contents)}</details>")


def note(title: str, *contents: object, kind: str = "note") -> Fragment:
    """Show a box with a title: `kind` is "note", or "trap" for a tempting wrong definition."""
    return Fragment(
        f"<section class='pk-note {kind}'><p class='pk-title'>{inline(title)}</p>{html_of(contents)}</section>"
    )


def style() -> str:
    """Return the style sheet of the course, for pages that do not load it."""
    sheet = Path(course_folder()) / "course.css"
    return f"<style>{sheet.read_text(encoding='utf-8')}</style>" if sheet.is_file() else ""
