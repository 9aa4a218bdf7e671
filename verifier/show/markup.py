"""Plain text as HTML: code in backticks, names that become links, tables that scroll and never split a number."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from verifier.numbers import NO_VALUE
from verifier.show.cells import SIGNS, Number, Word

SHORT = 34
"""Characters of a cell that stays on one line."""
MOST_NUMBER = 110
"""Characters of a number with its exact form that is never broken."""
DIGIT, LETTER, GAP = 10, 8, 24
"""Widths of a digit, of another character and of the space between columns, in tenths of a digit."""
PHONE, DESKTOP = 410, 1190
"""Widths from which a table may not fit on a phone, and on a desktop, in tenths of a digit."""
MOST_SHIFT = 12
"""Fractions are moved by at most so many digits, to stand bar under bar."""


def inline(text: str) -> str:
    """Return escaped text in which `code` is marked up, and a number such as 1e-12 is not split.

    >>> inline("the key `sample` < 1")
    'the key <code>sample</code> &lt; 1'
    """
    body = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"\b(\d[\d.]*e-\d+)", r"<span class='nb'>\1</span>", body)


def linked(text: str, names: Iterable[str]) -> str:
    """Return inline text in which the name of another page links to that page.

    >>> linked("see two, and two-more", ["two", "two-more"])
    'see <a href="two.html">two</a>, and <a href="two-more.html">two-more</a>'
    """
    known = sorted(names, key=len, reverse=True)
    body = inline(text)
    if not known:
        return body
    pattern = rf"(?<![\w#-])({'|'.join(map(re.escape, known))})(?![\w-])"
    return re.sub(pattern, lambda name: f'<a href="{name[1]}.html">{name[1]}</a>', body)


def anchor(name: str) -> str:
    """Return a name that can be an id and the name of a file.

    >>> anchor("my model/α")
    'my-model-α'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "model"


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """Return a table as HTML in a box that scrolls; the first cell of a row is its head."""
    heads = "".join(f"<th scope='col'{_head(cell)}>{inline(cell)}</th>" if cell else "<td></td>" for cell in columns)
    numerators = [_longest_numerator([row[k] for row in rows]) for k in range(len(columns))]
    body = "".join(
        "<tr>" + "".join(_cell(cell, numerators[k], first=k == 0) for k, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    caption = f"<caption><span>{inline(title)}</span></caption>" if title else ""
    below = f"<p class='note of'>{'<br>'.join(map(inline, notes))}</p>" if notes else ""
    box = f"<div class='scroll{_width(title or columns[0], columns, rows)}>"
    return f"{box}<table class='r'>{caption}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{below}"


def _width(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the end of the box's class; a box that may be wider than a screen can be scrolled by the keyboard."""
    cells = [[columns[k], *(row[k] for row in rows)] for k in range(len(columns))]
    wide = sum(GAP + max(_breadth(cell) for cell in column) for column in cells)
    if wide <= PHONE:
        return "'"
    label = f"' tabindex='0' role='group' aria-label='{html.escape(title, quote=True)}'"
    return (" very" if wide > DESKTOP else "") + " wide" + label


def _breadth(cell: str) -> int:
    """Return about how wide a cell is, in tenths of a digit; prose is broken, a number's second line is smaller."""
    if not isinstance(cell, Number):
        return LETTER * min(len(cell), SHORT)
    digits = [sum(DIGIT if mark.isdigit() else LETTER for mark in line) for line in cell.split("\n")]
    return max(digits[0], *(9 * width // 10 for width in digits[1:]), 0)


def _head(text: str) -> str:
    return "" if len(text) <= SHORT else " class='h'"


def _longest_numerator(cells: Sequence[str]) -> int:
    """Return the most digits before a bar in a column of fractions, so that bar stands under bar; else 0."""
    fractions = [cell for cell in cells if cell not in {"", NO_VALUE}]
    if not any("/" in cell for cell in fractions):
        return 0
    digits = [cell.numerator_digits if isinstance(cell, Number) else 0 for cell in fractions]
    return min(MOST_SHIFT, max(digits)) if all(digits) else 0


def _cell(cell: str, numerator: int, *, first: bool) -> str:
    """Return a cell as HTML; `numerator` is the number of digits of the longest numerator in its column."""
    kind = _class(cell)
    shift = numerator - cell.numerator_digits if isinstance(cell, Number) else 0
    if numerator and shift > 0:
        kind = f"{kind} m{shift}".strip()
    names = f" class='{kind}'" if kind else ""
    first_line, more, second_line = inline(cell).partition("\n")
    body = f"{first_line}<br><small>{second_line}</small>" if more else first_line
    return f"<th scope='row'{names}>{body}</th>" if first else f"<td{names}>{body}</td>"


def _class(cell: str) -> str:
    """Return the class of a cell: a verdict by its word, a long number, a long text; empty for a short text."""
    if isinstance(cell, Word):
        return str(cell) if cell in SIGNS else ""
    if isinstance(cell, Number):
        return "" if len(cell) <= MOST_NUMBER else "n t"
    return "" if len(cell) <= SHORT else "t"
