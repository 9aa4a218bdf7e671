"""From edited tables and typed texts to models; errors are shown with their tip, never as a traceback."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.errors import InputError, PkdpError
from verifier.numbers import rational
from verifier.wings.course.fragment import Fragment

_RECORD = re.compile(r"D\((\d+)\)")
MOST_CHARACTERS = 300
"""Most characters of one text of an answer."""
WHERE = "the answer"
ARROW = "→ "
"""The start of the name of a column that holds the probability of an output."""


def number(text: object, where: str = "your answer") -> Fraction:
    """Read an exact number from a text.

    >>> number("0.25")
    Fraction(1, 4)
    """
    return rational(text, where)


def problem(error: PkdpError) -> Fragment:
    """Show an error as a box: what is wrong, what is expected, the hint, and where."""
    where = error.where.removeprefix("model: ").replace('[[distribution]] "#1"', "the distribution")
    lines = [("", error.message), ("Expected ", error.wanted), ("Hint: ", error.tip)]
    body = "".join(f"<p>{label}{html.escape(text)}.</p>" for label, text in lines if text)
    body += f"<p class='pk-soft'>Where: {html.escape(where)}</p>" if where else ""
    page = f"<section class='pk-note problem' role='alert'><p class='pk-title'>This cannot be read</p>{body}</section>"
    return Fragment(page)


def whole_number(text: object, least: int, most: int, where: str = "your answer") -> int:
    """Read a whole number from `least` to `most`.

    >>> whole_number(" 12 ", 0, 20)
    12
    """
    value = rational(str(text).strip(), where)
    if value.denominator != 1 or not least <= value <= most:
        raise InputError(f"{value} is out of range", where=where, wanted=f"a whole number from {least} to {most}")
    return int(value)


def short_text(answer: object, where: str = WHERE, most: int = MOST_CHARACTERS) -> str:
    """Return what is a short text, such as an answer.

    >>> short_text("1/4")
    '1/4'

    Raises:
        InputError: for what is no text, and for a text of more than `most` characters.

    """
    if not isinstance(answer, str):
        raise InputError(f"{type(answer).__name__} is not a text", where=where, wanted="a text")
    if len(answer) > most:
        raise InputError(f"the text is too long: {len(answer):,} characters", where=where, wanted=f"at most {most:,}")
    return answer


def typed(text: str, where: str = "your answer") -> str:
    """Read what stands in a cell of a table, without the blanks around it; an empty cell is refused.

    >>> typed(" odd ")
    'odd'
    """
    if not text.strip():
        raise InputError("the cell is empty", where=where, wanted="a text or a number")
    return text.strip()


def words(text: str) -> list[str]:
    """Return the words of a list, which commas or blanks part.

    >>> words("well, well"), words(" ")
    (['well', 'well'], [])
    """
    return text.replace(",", " ").split()


def _database(row: Mapping[str, str]) -> list[str]:
    columns = sorted((int(match[1]), key) for key in row if (match := _RECORD.fullmatch(key)))
    if [record for record, _ in columns] != list(range(len(columns))):
        raise InputError(
            f"the columns {', '.join(row)} are not numbered", where="the table", wanted="columns D(0), D(1), …"
        )
    return [row[key].strip() for _, key in columns]


def worlds(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Read an edited table as a distribution: columns D(0), D(1), …, `probability`, and perhaps `B` and `S`.

    >>> worlds([{"D(0)": "no", "probability": "1/3"}, {"D(0)": "yes", "probability": "2/3"}])["table"][0]
    {'database': ['no'], 'probability': '1/3'}
    """
    table = []
    for place, row in enumerate(rows, 1):
        probability = typed(row.get("probability", ""), f"row {place}, probability")
        world: dict[str, Any] = {"database": _database(row), "probability": probability}
        if "B" in row:
            world["knowledge"] = row["B"].strip()
        if "S" in row:
            world["sensitive"] = row["S"].strip()
        table.append(world)
    return {"table": table}


def mechanism(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Read an edited table as a mechanism: columns D(0), D(1), …, then `output`, or a column `→ name` an output.

    >>> mechanism([{"D(0)": "0", "→ yes": "1/4", "→ no": "3/4"}])["table"]
    [{'database': ['0'], 'outputs': {'yes': '1/4', 'no': '3/4'}}]
    """
    table: list[dict[str, Any]] = []
    for place, row in enumerate(rows, 1):
        cells = {key: typed(row[key], f"row {place}, {key}") for key in row if key == "output" or key.startswith(ARROW)}
        if "output" in cells:
            table.append({"database": _database(row), **cells})
        else:
            outputs = {key.removeprefix(ARROW): cell for key, cell in cells.items()}
            table.append({"database": _database(row), "outputs": outputs})
    return {"table": table}
