"""Exact values, tables and definitions as JSON; every number that is shown is a text that was worked out exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verifier.definitions import Definition, conventions_of
from verifier.numbers import Value, decimal_form, exact_form
from verifier.show.mathml import definition_formula
from verifier.show.sheet import SIGNS, Sheet

MOST_DIGITS = 60
"""Largest number of digits of an exact form; a longer one is cut with a mark."""
MARKS = {word: sign.mark for word, sign in SIGNS.items()}
BRIEF = 6
"""Digits of a decimal in a narrow column of a table."""
WAITING = "…"
LATER = "not yet: the independent checker answers after the verdict"
"""What stands in the place of the checker's word about one answer until it has one."""
AFTERWARDS = "The independent checker re-checks these answers after they are shown."
"""The same about many answers."""


def exact(value: Fraction | Value | None, name: str) -> dict[str, str | None]:
    """An exact form and its decimal, under two keys.

    >>> exact(Fraction(1, 4), "delta")
    {'delta': '1/4', 'delta_decimal': '0.25'}
    """
    if value is None:
        return {name: None, f"{name}_decimal": None}
    return {name: exact_form(value, MOST_DIGITS), f"{name}_decimal": decimal_form(value)}


def in_table(value: Fraction | Value | None, name: str) -> dict[str, str | None]:
    """An exact form, its decimal, and a decimal for a narrow column, rounded here: cut there, it loses its exponent.

    >>> in_table(Fraction(1, 3**25), "delta")
    {'delta': '1/847288609443', 'delta_decimal': '1.18023538716e-12', 'delta_brief': '1.18024e-12'}
    """
    return {**exact(value, name), f"{name}_brief": None if value is None else decimal_form(value, BRIEF)}


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """A sheet as JSON: title, columns, rows and notes."""
    return {
        "title": sheet.title,
        "columns": list(sheet.columns),
        "rows": [list(row) for row in sheet.rows],
        "notes": list(sheet.notes),
    }


def copies(sheets: Sequence[Sheet]) -> dict[str, str]:
    """The sheets as texts to copy: LaTeX and Markdown."""
    return {
        "latex": "\n\n".join(sheet.tex() for sheet in sheets),
        "markdown": "\n\n".join(sheet.markdown() for sheet in sheets),
    }


def conventions_json(definition: str) -> list[dict[str, str]]:
    """The conventions that a verdict rests on, each with its choice and source."""
    return [
        {
            "key": convention.key,
            "question": convention.question,
            "choice": convention.choice,
            "source": convention.source,
        }
        for convention in conventions_of(definition)
    ]


def definition_json(definition: Definition) -> dict[str, Any]:
    """A definition as JSON; `mathml` is its escaped sentence with typeset formulas."""
    return {
        "key": definition.key,
        "name": definition.title,
        "title": definition.title,
        "source": definition.source,
        "formula": definition.formula,
        "mathml": definition_formula(definition),
        "note": definition.note,
        "readings": list(definition.readings),
        "meanings": dict(definition.readings),
    }
