"""Plain text as HTML: code in backticks, names that become links, tables that scroll and never split a number."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from verifier.show.signs import SIGNS, VERDICT_COLUMNS

SHORT = 34
"""Characters of a cell that stays on one line."""
MOST_NUMBER = 110
"""Characters of a number with its exact form that is never broken."""
DIGIT, LETTER, GAP = 10, 8, 24
"""Widths of a digit, of another character and of the space between columns, in tenths of a digit."""
PHONE, DESKTOP = 410, 1190
"""Widths of tables that a phone, and that a desktop, may not show whole."""
_FRACTION = re.compile(r"-?\d+(/\d+)?$")
MOST_SHIFT = 12
"""Fractions are moved by at most so many digits, to stand bar under bar."""
_NUMBER = re.compile(r"[-+]?(\d|ln\(|inf\b|exp\()")


def inline(text: str) -> str:
    """Escaped text in which `code` is code, and a number such as 1e-12 is not split.

    >>> inline("the key `sample` < 1")
    'the key <code>sample</code> &lt; 1'
    """
    body = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"\b(\d[\d.]*e-\d+)", r"<span class='nb'>\1</span>", body)


def linked(text: str, names: Iterable[str]) -> str:
    """Inline text in which the name of another page is a link to it.

    >>> linked("see two, and two-more", ["two", "two-more"])
    'see <a href="two.html">two</a>, and <a href="two-more.html">two-more</a>'
    """
    known = sorted(names, key=len, reverse=True)
    body = inline(text)
    if not known:
        return body
    pattern = rf"(?<![\w#-])({'|'.join(map(re.escape, known))})(?![\w-])"
    return re.sub(pattern, lambda found: f'<a href="{found[1]}.html">{found[1]}</a>', body)


def anchor(name: str) -> str:
    """A name as an id and as the name of a file.

    >>> anchor("my model/α")
    'my-model-α'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "model"


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """A table element in a box that scrolls; the first cell of a row is its head."""
    head = "".join(f"<th scope='col'{_head(cell)}>{inline(cell)}</th>" if cell else "<td></td>" for cell in columns)
    tops = [_tops([row[k] for row in rows]) for k in range(len(columns))]
    body = "".join(
        "<tr>" + "".join(_cell(cell, columns[k], tops[k], first=k == 0) for k, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    caption = f"<caption><span>{inline(title)}</span></caption>" if title else ""
    below = f"<p class='note of'>{'<br>'.join(map(inline, notes))}</p>" if notes else ""
    box = f"<div class='scroll{_width(title or columns[0], columns, rows)}>"
    return f"{box}<table class='r'>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{below}"


def _width(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rest of the class of the box; what may be wider than a screen can be scrolled by the keyboard."""
    cells = [[columns[k], *(row[k] for row in rows)] for k in range(len(columns))]
    wide = sum(GAP + max(_breadth(cell) for cell in column) for column in cells)
    if wide <= PHONE:
        return "'"
    label = f"' tabindex='0' role='group' aria-label='{html.escape(title, quote=True)}'"
    return (" very" if wide > DESKTOP else "") + " wide" + label


def _breadth(cell: str) -> int:
    """About how wide a cell is: prose is broken, and the second line of a number is smaller."""
    if not _is_number(cell):
        return LETTER * min(len(cell), SHORT)
    digits = [sum(DIGIT if mark.isdigit() else LETTER for mark in line) for line in cell.split("\n")]
    return max(digits[0], *(9 * one // 10 for one in digits[1:]), 0)


def _head(text: str) -> str:
    return "" if len(text) <= SHORT else " class='h'"


def _is_number(text: str) -> bool:
    """Whether a cell is one number, perhaps with its exact form; a law such as `0: 1/3, 1: 2/3` is not."""
    return bool(_NUMBER.match(text)) and ": " not in text.replace("(exact: ", "")


def _tops(cells: Sequence[str]) -> int:
    """The longest numerator of a column of fractions, so that they stand bar under bar; 0 for any other column."""
    plain = [cell for cell in cells if cell not in {"", "–"}]
    if not any("/" in cell for cell in plain) or not all(map(_FRACTION.match, plain)):
        return 0
    return min(MOST_SHIFT, max(len(cell.partition("/")[0]) for cell in plain))


def _cell(text: str, column: str, tops: int, *, first: bool) -> str:
    kind = _class(text, column)
    shift = tops - len(text.partition("/")[0])
    if tops and shift > 0 and _FRACTION.match(text):
        kind = f"{kind} m{shift}".strip()
    names = f" class='{kind}'" if kind else ""
    first_line, more, rest = inline(text).partition("\n")
    body = f"{first_line}<br><small>{rest}</small>" if more else first_line
    return f"<th scope='row'{names}>{body}</th>" if first else f"<td{names}>{body}</td>"


def _class(text: str, column: str) -> str:
    """How a cell is set: a verdict in its column, a number or a short text on one line, else prose."""
    if column in VERDICT_COLUMNS and text in SIGNS:
        return text
    if _is_number(text):
        return "" if len(text) <= MOST_NUMBER else "n t"
    return "" if len(text) <= SHORT else "t"
