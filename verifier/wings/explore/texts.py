"""Exact values, tables and definitions as JSON; every number that is shown is a text that was worked out exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verifier.definitions import Definition, conventions_of
from verifier.numbers import Delta, Enclosure, Epsilon, Loss, decimal_of, exact_text
from verifier.show.mathml import definition_formula
from verifier.show.sheet import Sheet
from verifier.show.signs import SIGNS

MOST_DIGITS = 60
"""Digits of an exact form; a longer one is cut and says so."""
MARKS = {word: sign.mark for word, sign in SIGNS.items()}
WAITING = "…"


def exact(value: Fraction | Delta | Enclosure | Epsilon | Loss | None, name: str) -> dict[str, str | None]:
    """An exact form and its decimal, under two keys.

    >>> exact(Fraction(1, 4), "delta")
    {'delta': '1/4', 'delta_decimal': '0.25'}
    """
    if value is None:
        return {name: None, f"{name}_decimal": None}
    if isinstance(value, Fraction):
        return {name: exact_text(value, MOST_DIGITS), f"{name}_decimal": decimal_of(value)}
    return {name: value.text(MOST_DIGITS), f"{name}_decimal": value.decimal()}


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """A table with its title and notes."""
    return {
        "title": sheet.title,
        "columns": list(sheet.columns),
        "rows": [list(row) for row in sheet.rows],
        "notes": list(sheet.notes),
    }


def copies(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Tables to be copied: as LaTeX and as Markdown."""
    return {
        "latex": "\n\n".join(sheet.tex() for sheet in sheets),
        "markdown": "\n\n".join(sheet.markdown() for sheet in sheets),
    }


def conventions_json(definition: str) -> list[dict[str, str]]:
    """The conventions that a verdict rests on, each with its choice and source."""
    return [
        {"key": one.key, "question": one.question, "choice": one.choice, "source": one.source}
        for one in conventions_of(definition)
    ]


def definition_json(one: Definition) -> dict[str, Any]:
    """A definition as it is decided; `mathml` is words with formulas, escaped."""
    return {
        "key": one.key,
        "name": one.title,
        "title": one.title,
        "source": one.source,
        "formula": one.formula,
        "mathml": definition_formula(one),
        "note": one.note,
        "readings": list(one.readings),
        "meanings": dict(one.readings),
    }
