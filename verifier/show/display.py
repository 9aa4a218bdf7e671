"""The elements of a notebook's displays: items, tables, drawings and folded parts, readable light and dark.

They have no script, no style sheet, no fixed colour of text or background and no identifiers, so that any number of
them can stand on a page.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace

from verifier.errors import printable
from verifier.show.frame import Drawing
from verifier.show.sheet import Sheet, Word, sign_of

MOST_ROWS = 24
"""Rows of a table in a notebook."""
LONGEST = 1200
"""Characters of one text in a notebook; the answer itself has all of it."""
TABLE = "style='border-collapse:collapse;color:inherit;text-align:left;vertical-align:top'"
NAME = "style='text-align:left;vertical-align:top;white-space:nowrap'"
LEFT = "style='text-align:left;vertical-align:top;overflow-wrap:anywhere'"


def text(words: str) -> str:
    """Return a text as HTML: escaped, without control characters, and cut after 1,200 characters.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    escaped = printable(words, lines=True)
    if len(escaped) > LONGEST:
        escaped = f"{escaped[:LONGEST]}… ({len(escaped) - LONGEST:,} more characters)"
    return html.escape(escaped, quote=True).replace("\n", "<br/>")


def signed(word: str) -> str:
    """Return a verdict with its sign in front; another text unchanged.

    >>> signed(Word("fails")), signed(Word("holds, restricted to record 3")), signed("holds")
    ('✗ fails', '✓ holds, restricted to record 3', 'holds')
    """
    sign = sign_of(word) if isinstance(word, Word) else None
    return word if sign is None else f"{sign.mark} {word}"


def box(*contents: str) -> str:
    """Return the HTML of one display around its contents."""
    return f"<div class='pkdp'>{''.join(contents)}</div>"


def items(title: str, rows: Sequence[Sequence[str]]) -> str:
    """Return pairs of a name and a text as an HTML table; a verdict is bold and has its sign."""
    body = "".join(
        f"<tr><th scope='row' {NAME}>{text(name)}</th><td {LEFT}>{_value(value)}</td></tr>" for name, value in rows
    )
    caption = f"<caption style='text-align:left'><b>{text(title)}</b></caption>" if title else ""
    return f"<table {TABLE}>{caption}<tbody>{body}</tbody></table>"


def _value(value: str) -> str:
    return f"<b>{text(signed(value))}</b>" if isinstance(value, Word) else text(value)


def table(sheet: Sheet, *, rows_in_all: int | None = None) -> str:
    """Return a table as HTML with the signs of its verdicts; a long one is cut, and says how many rows are left out.

    `rows_in_all` is the number of rows before the caller cut the sheet.
    """
    left_out = (len(sheet.rows) if rows_in_all is None else rows_in_all) - MOST_ROWS
    notes = (*sheet.notes, f"{left_out:,} more rows are left out here.") if left_out > 0 else sheet.notes
    rows = tuple(tuple(map(signed, row)) for row in sheet.rows[:MOST_ROWS])
    return replace(sheet, rows=rows, notes=notes).html().replace("<br>", "<br/>")


def figure(drawing: Drawing, note: str = "") -> str:
    """Return a drawing with its caption as HTML."""
    words = f"{drawing.caption} {note}".strip()
    return f"<figure style='margin:.5em 0'>{drawing.svg}<figcaption>{text(words)}</figcaption></figure>"


def fold(title: str, *contents: str) -> str:
    """Return contents that open by a click on their title."""
    return f"<details><summary>{text(title)}</summary>{''.join(contents)}</details>"


def listed(lines: Sequence[str]) -> str:
    """Return lines as an HTML list."""
    return f"<ul>{''.join(f'<li>{text(line)}</li>' for line in lines)}</ul>"


def note(words: str) -> str:
    """Return a note as an HTML paragraph."""
    return f"<p>{text(words)}</p>"
