"""Exact results in sentences and in small tables that a notebook makes row by row."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from fractions import Fraction
from inspect import getsource
from textwrap import dedent
from typing import Any

from verifier.numbers import decimal_of
from verifier.show.sheet import Sheet
from verifier.wings.course.shown import Shown

SHORT = 16
"""Longest exact form that stands in a sentence; of a longer one the decimal does."""
FIGURES = 6


def said(value: Any) -> str:
    """A result as a sentence says it: exactly where that is short, with six digits of the decimal.

    δ, ε, fractions, and claims of theorems alike; what is rounded is marked with ≈.

    >>> said(Fraction(1, 4)), said(Fraction(1, 3)), said(Fraction(3**20, 2**40)), said(2), said("⊥")
    ('1/4 = 0.25', '1/3 ≈ 0.333333', '≈ 0.00317121', '2', '⊥')
    """
    if value is None:
        return "–"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, Fraction):
        exact, decimal = str(value), decimal_of(value, FIGURES)
    else:
        exact, decimal = value.text(), value.decimal(FIGURES)
        if exact == value.decimal() != decimal:  # no exact form, or a very long one
            return f"≈ {decimal}"
    if exact in {decimal, "inf"}:
        return exact.replace("inf", "∞")
    if len(exact) > SHORT:
        return f"≈ {decimal}"
    return f"{exact} {'=' if _same(exact, decimal) else '≈'} {decimal}"


def _same(exact: str, decimal: str) -> bool:
    try:
        return Fraction(exact) == Fraction(decimal)
    except ValueError:
        return False


def sheet(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *notes: str) -> Shown:
    """Rows of results under their heads, each as `said` says it; notes stand below.

    >>> print(sheet("Sizes", ["people", "δ"], [[2, Fraction(1, 2)]]))
    Sizes
    people | δ
    2 | 1/2 = 0.5
    """
    cells = tuple(tuple(map(said, row)) for row in rows)
    lines = [title, " | ".join(columns), *(" | ".join(row) for row in cells), *notes]
    return Shown(Sheet(title, tuple(columns), cells, None, notes).html(), "\n".join(line for line in lines if line))


def source(text: str) -> Shown:
    """A text as it stands in a file, to be copied: a model file, a certificate, LaTeX.

    >>> source("size = 2")
    size = 2
    """
    return Shown(f"<pre class='pk-file' tabindex='0'>{html.escape(text.strip())}</pre>", text.strip())


def listing(*functions: Callable[..., Any]) -> Shown:
    """The Python text of functions, for readers who see the page without its code."""
    return source("\n\n".join(dedent(getsource(one)).strip() for one in functions))
