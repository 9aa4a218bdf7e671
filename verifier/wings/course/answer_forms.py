"""How an answer is written into a sheet, and read back from one: an exact text, the name of a choice, rows of texts.

A control of the course has a form. `written` makes JSON of the control's value; `read` makes the value of JSON that a
stranger may have written, and refuses what the control could not have given. Nothing that is read is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from verifier.errors import InputError
from verifier.numbers import exact_text, rational

MOST_CHARACTERS = 300
"""Most characters of one text of an answer."""
WHERE = "the answer"


class AnswerForm(Protocol):
    """The form of a control: how its value is written as JSON, and read back."""

    def written(self, value: Any) -> Any:
        """Return the value as JSON."""

    def read(self, answer: object) -> Any:
        """Return the value that JSON stands for.

        Raises:
            InputError: where the control has no such value.

        """


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


@dataclass(frozen=True)
class TextForm:
    """The form of a line of text, which stands for itself."""

    def written(self, value: Any) -> str:
        """Return the text."""
        return str(value)

    def read(self, answer: object) -> str:
        """Return the text, if it is short."""
        return short_text(answer)


@dataclass(frozen=True)
class FractionForm:
    """The form of a slider: its position is written as an exact fraction.

    >>> FractionForm((Fraction(0), Fraction(1, 2))).read("1/2")
    Fraction(1, 2)
    """

    steps: Sequence[Fraction]

    def written(self, value: Any) -> str:
        """Return the fraction as a text."""
        return exact_text(value)

    def read(self, answer: object) -> Fraction:
        """Return the step of the slider."""
        value = rational(short_text(answer), WHERE)
        if value not in self.steps:
            raise InputError(
                f"{exact_text(value)} is not a step", where=WHERE, wanted=f"one of {len(self.steps)} steps"
            )
        return value


@dataclass(frozen=True)
class ChoiceForm:
    """The form of a choice, which is written by its name.

    >>> ChoiceForm({"causal": "cdp"}).read("causal")
    'cdp'
    """

    options: Mapping[str, Any] = field(default_factory=dict)

    def written(self, value: Any) -> str | None:
        """Return the name of the choice; None where nothing was chosen yet."""
        return None if value is None else next(name for name, option in self.options.items() if option == value)

    def read(self, answer: object) -> Any:
        """Return the option of a name."""
        name = short_text(answer)
        if name not in self.options:
            raise InputError(f"{name} is unknown", where=WHERE, wanted=f"one of {', '.join(self.options)}")
        return self.options[name]


@dataclass(frozen=True)
class TableForm:
    """The form of a table: its rows of texts, with cells of `fixed` columns as in the rows that it started with.

    >>> form = TableForm(({"D(0)": "0", "p": ""}, {"D(0)": "1", "p": ""}), ("D(0)",))
    >>> form.read([{"D(0)": "0", "p": "1/2"}, {"D(0)": "1", "p": "1/2"}])[1]
    {'D(0)': '1', 'p': '1/2'}
    """

    start: Sequence[Mapping[str, str]]
    fixed: Sequence[str] = ()

    def written(self, value: Any) -> list[dict[str, str]]:
        """Return the rows."""
        return [dict(row) for row in value]

    def read(self, answer: object) -> list[dict[str, str]]:
        """Return the rows, if the table has such columns, such fixed cells, and room for them."""
        columns = set(self.start[0]) if self.start else set()
        if not isinstance(answer, list) or len(answer) > len(self.start):
            raise InputError("this is another table", where=WHERE, wanted=f"a list of at most {len(self.start)} rows")
        fewest = sum(any(row[column] for column in self.fixed) for row in self.start)
        if len(answer) < fewest:
            raise InputError(f"{len(answer)} rows are too few", where=WHERE, wanted=f"at least {fewest}")
        rows = [self._row(number, row, columns) for number, row in enumerate(answer)]
        for number, (row, start) in enumerate(zip(rows, self.start, strict=False)):
            for column in self.fixed:
                if start[column] and row[column] != start[column]:
                    raise InputError(
                        f"{row[column]} is another entry",
                        where=f"{WHERE}: row {number + 1}, {column}",
                        wanted=start[column],
                    )
        return rows

    @staticmethod
    def _row(number: int, row: object, columns: set[str]) -> dict[str, str]:
        where = f"{WHERE}: row {number + 1}"
        if not isinstance(row, dict) or set(row) != columns:
            raise InputError("this is another row", where=where, wanted=f"the columns {', '.join(sorted(columns))}")
        return {column: short_text(cell, f"{where}, {column}") for column, cell in row.items()}


def form_of(control: object) -> AnswerForm:
    """Return the form of a control; what is no control is taken as a text."""
    form: AnswerForm = getattr(control, "pk_form", TextForm())
    return form
