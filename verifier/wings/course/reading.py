"""From edited tables and typed texts to models; errors are shown with their tip, never as a traceback."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from verifier.errors import InputError, PkdpError
from verifier.model import Model
from verifier.model import build as build_model
from verifier.numbers import rational
from verifier.wings.course.fragment import Fragment
from verifier.wings.course.kernel import live, stop

T = TypeVar("T")
_RECORD = re.compile(r"D\((\d+)\)")
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
    page = f"<section class='pk-note problem' role='alert'><p class='pk-title'>Not yet</p>{body}</section>"
    return Fragment(page, str(error))


class UnreadableError(InputError):
    """An answer of a reader cannot be read; a notebook shows the message alone."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def attempt(make: Callable[[], T]) -> T:
    """Return the result of a function; if it refuses its input, the cell shows why, and cells that need it wait.

    >>> attempt(lambda: number("1/2"))
    Fraction(1, 2)
    """
    try:
        return make()
    except PkdpError as error:
        if live() is not None:
            stop(problem(error))
        raise UnreadableError(error.message, where=error.where, wanted=error.wanted, tip=error.tip) from None


def build(**keys: Any) -> Model:
    """Return the model that `verifier.build` makes of the keys; an error is shown as a box.

    >>> build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"}).size
    1
    """
    return attempt(lambda: build_model(**keys))


def whole_number(text: object, least: int, most: int, where: str = "your answer") -> int:
    """Read a whole number from `least` to `most`.

    >>> whole_number(" 12 ", 0, 20)
    12
    """
    value = rational(str(text).strip(), where)
    if value.denominator != 1 or not least <= value <= most:
        raise InputError(f"{value} is out of range", where=where, wanted=f"a whole number from {least} to {most}")
    return int(value)


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
    for row in rows:
        world: dict[str, Any] = {"database": _database(row), "probability": row.get("probability", "").strip()}
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
    for row in rows:
        if "output" in row:
            table.append({"database": _database(row), "output": row["output"].strip()})
        else:
            outputs = {key.removeprefix(ARROW): row[key].strip() or "0" for key in row if key.startswith(ARROW)}
            table.append({"database": _database(row), "outputs": outputs})
    return {"table": table}
