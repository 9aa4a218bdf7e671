"""Controls to play with: exact fractions, choices, texts and tables. Live in a page of the course, fixed elsewhere.

Every control has a `.value`, made of exact texts and fractions. In a page (`verifier.wings.course.cells`) it may be
read in another cell than the one that made the control, and that cell runs again at each change. In a sheet it stands
as JSON: `written` makes JSON of a value, and `read` makes the value of JSON that a stranger may have written, and
refuses what the control could not have given. Nothing that is read is ever run.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from verifier.errors import InputError
from verifier.numbers import exact_text, rational
from verifier.wings.course.fragment import said
from verifier.wings.course.prose import inline
from verifier.wings.course.reading import WHERE, short_text


def live() -> bool:
    """Whether a cell of a page runs now; elsewhere a reader changes the code."""
    return Control.making is not None


def unknown(what: object) -> InputError:
    """The error of a page that asks for what no control could give."""
    return InputError(
        f"{str(what)[:40]} is nothing that this control can be set to", wanted="a control of the notebook"
    )


class Control:
    """A control: `raw` is what a page has, `value` what a notebook reads. Outside a page it stays as the code says."""

    making: ClassVar[tuple[int, list[Control]] | None] = None
    """The number of the cell of a page that runs now, and its controls so far; None elsewhere."""

    def __init__(self, name: str, raw: Any) -> None:
        """Begin with a value."""
        self.name, self.raw = name, raw
        self.id = ""
        """What a page calls it: the numbers of its cell, and of it in its cell; the same in every run."""
        if Control.making is not None:
            number, made = Control.making
            self.id = f"{number}.{len(made)}"
            made.append(self)

    @property
    def value(self) -> Any:
        """What the notebook reads."""
        return self.raw

    def set(self, raw: Any) -> None:
        """Take what a page has now.

        Raises:
            InputError: for what the control cannot be set to.

        """
        self.raw = self.read(raw)

    def read(self, answer: object) -> Any:
        """Return the value that JSON of a sheet stands for.

        Raises:
            InputError: where the control has no such value.

        """
        return short_text(answer)

    def written(self, value: Any) -> Any:
        """Return a value as JSON."""
        return str(value)

    def field(self) -> str:
        """Return the element of a page that changes the value."""
        return self.fixed()

    def fixed(self) -> str:
        """Return the value as a page without controls shows it."""
        return (
            f"<span class='pk-readout'>{html.escape(self.name)}: <b class='n'>{html.escape(self.raw or '…')}</b></span>"
        )

    def pk_html(self) -> str:
        """Return the control as HTML: to be changed in a page, else with its value."""
        return f"<div class='pk-control'>{self.field() if self.id else self.fixed()}</div>"

    def _repr_html_(self) -> str:
        return f"<div class='pk'>{self.pk_html()}</div>"

    def __repr__(self) -> str:
        return f"{self.name} = {self.value}"


class Slider(Control):
    """A slider over exact fractions; `raw` is the number of the step."""

    def __init__(self, name: str, positions: Sequence[Fraction], at: Fraction) -> None:
        """Begin at one of the positions."""
        self.positions = positions
        super().__init__(name, positions.index(at))

    @property
    def value(self) -> Fraction:
        """The fraction of the step."""
        value: Fraction = self.positions[self.raw]
        return value

    def set(self, raw: Any) -> None:
        """Take the number of a step."""
        if type(raw) is not int or not 0 <= raw < len(self.positions):
            raise unknown(raw)
        self.raw = raw

    def read(self, answer: object) -> Fraction:
        """Return a step of the slider, which a sheet has as an exact fraction."""
        value = rational(short_text(answer), WHERE)
        if value not in self.positions:
            wanted = f"one of {len(self.positions)} steps"
            raise InputError(f"{exact_text(value)} is not a step", where=WHERE, wanted=wanted)
        return value

    def written(self, value: Any) -> str:
        """Return a fraction as a text."""
        return exact_text(value)

    def field(self) -> str:
        """Return the slider with its exact value beside it."""
        name, value = html.escape(self.name.replace("$", "")), html.escape(said(self.value), quote=True)
        return (
            f"<input type='range' data-control='{self.id}' aria-label='{name}, in steps' aria-valuetext='{value}' "
            f"min='0' max='{len(self.positions) - 1}' value='{self.raw}'>{self.fixed()}"
        )

    def fixed(self) -> str:
        """Return the name and the exact value."""
        value = html.escape(said(self.value))
        return f"<span class='pk-readout'><i>{inline(self.name)}</i> = <b class='n'>{value}</b></span>"


class Choice(Control):
    """A choice among named options; `raw` is the name."""

    def __init__(self, name: str, options: Mapping[str, Any], at: str) -> None:
        """Begin with one of the options."""
        self.options = options
        super().__init__(name, at)

    @property
    def value(self) -> Any:
        """The option."""
        return self.options[self.raw]

    def set(self, raw: Any) -> None:
        """Take the name of an option."""
        self.read(raw)
        self.raw = raw

    def read(self, answer: object) -> Any:
        """Return the option of a name."""
        name = short_text(answer)
        if name not in self.options:
            raise InputError(f"{name} is unknown", where=WHERE, wanted=f"one of {', '.join(self.options)}")
        return self.options[name]

    def written(self, value: Any) -> str | None:
        """Return the name of an option; None where nothing was chosen yet."""
        return None if value is None else next(name for name, option in self.options.items() if option == value)

    def field(self) -> str:
        """Return the list of options."""
        items = "".join(f"<option{' selected' * (one == self.raw)}>{html.escape(one)}</option>" for one in self.options)
        return f"<label>{html.escape(self.name)} <select data-control='{self.id}'>{items}</select></label>"


class Line(Control):
    """A line of text, which stands for itself."""

    def __init__(self, name: str, at: str, kind: str) -> None:
        """Begin with a text; `kind` stands in the empty line."""
        self.kind = kind
        super().__init__(name, at)

    def field(self) -> str:
        """Return the line with its name before it."""
        at, kind = html.escape(self.raw, quote=True), html.escape(self.kind, quote=True)
        return (
            f"<label>{html.escape(self.name)} <input type='text' data-control='{self.id}' autocomplete='off' "
            f"size='{max(12, len(self.kind))}' value='{at}' placeholder='{kind}'></label>"
        )


class Table(Control):
    """A table whose cells can be edited, but for those of its fixed columns; its value leaves empty rows out."""

    def __init__(self, title: str, start: Sequence[Mapping[str, str]], fixed_columns: Sequence[str]) -> None:
        """Begin with some rows."""
        self.title, self.start, self.fixed_columns = title, start, fixed_columns
        super().__init__(title or "table", [dict(row) for row in start])

    @property
    def value(self) -> list[dict[str, str]]:
        """The rows that are not empty."""
        return [dict(row) for row in self.raw if any(cell.strip() for cell in row.values())]

    def set(self, raw: Any, row: int = 0, column: int = 0) -> None:
        """Take the text of one cell."""
        name = list(self.raw[row])[column]
        if not self._is_open(row, name):
            raise unknown(raw)
        self.raw[row][name] = short_text(raw)

    def _is_open(self, row: int, column: str) -> bool:
        return column not in self.fixed_columns or not self.start[row][column]

    def read(self, answer: object) -> list[dict[str, str]]:
        """Return the rows, if the table has such columns, such fixed cells, and room for them."""
        if not isinstance(answer, list) or len(answer) > len(self.start):
            raise InputError("this is another table", where=WHERE, wanted=f"a list of at most {len(self.start)} rows")
        fewest = sum(any(row[column] for column in self.fixed_columns) for row in self.start)
        if len(answer) < fewest:
            raise InputError(f"{len(answer)} rows are too few", where=WHERE, wanted=f"at least {fewest}")
        return [self._row(number, row) for number, row in enumerate(answer)]

    def _row(self, number: int, row: object) -> dict[str, str]:
        where, start = f"{WHERE}: row {number + 1}", self.start[number]
        if not isinstance(row, dict) or row.keys() != start.keys():
            raise InputError("this is another row", where=where, wanted=f"the columns {', '.join(sorted(start))}")
        for column, cell in row.items():
            short_text(cell, f"{where}, {column}")
            if not self._is_open(number, column) and cell != start[column]:
                raise InputError(f"{cell} is another entry", where=f"{where}, {column}", wanted=start[column])
        return dict(row)

    def written(self, value: Any) -> list[dict[str, str]]:
        """Return the rows."""
        return [dict(row) for row in value]

    def field(self) -> str:
        """Return the table; in a page with a field in each cell that can be edited."""
        columns = list(self.raw[0]) if self.raw else []
        heads = "".join(f"<th scope='col'>{html.escape(column)}</th>" for column in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{self._cell(number, place, row)}</td>' for place in enumerate(columns))}</tr>"
            for number, row in enumerate(self.raw)
        )
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        return (
            f"<div class='scroll'><table class='pk-edit'>{caption}<thead><tr>{heads}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )

    def _cell(self, number: int, place: tuple[int, str], row: Mapping[str, str]) -> str:
        position, column = place
        text = html.escape(row[column], quote=True)
        if not self.id or not self._is_open(number, column):
            return text
        name = f"row {number + 1}, {html.escape(column, quote=True)}"
        size = max(6, *(len(one[column]) for one in self.start))
        return (
            f"<input type='text' data-control='{self.id}.{number}.{position}' aria-label='{name}' autocomplete='off' "
            f"size='{size}' value='{text}'>"
        )

    def fixed(self) -> str:
        """Return the table."""
        return self.field()


class Button(Control):
    """A button; its value counts the presses."""

    def __init__(self, name: str) -> None:
        """Begin without a press."""
        super().__init__(name, 0)

    def set(self, raw: Any = None) -> None:
        """Take a press, which says nothing more."""
        if raw is not None:
            raise unknown(raw)
        self.raw += 1

    def field(self) -> str:
        """Return the button; screen readers say its name too."""
        hidden = f"<span class='pk-hidden'> to the exercise {html.escape(self.name)}</span>"
        return f"<button type='button' data-control='{self.id}'>Check my answer{hidden}</button>"

    def fixed(self) -> str:
        """Return nothing: outside a page the answer that stands in the code is checked."""
        return ""


def fraction(
    name: str,
    at: object,
    *,
    denominator: int = 20,
    low: object = 0,
    high: object = 1,
    steps: Sequence[object] | None = None,
) -> Slider:
    """Make a slider over exact fractions: the multiples of 1/`denominator` from `low` to `high`, or some `steps`.

    Its `.value` is a Fraction. Show it by `show(p)` in the next cell, which says the exact value beside it.

    >>> p = fraction("p", "1/4")
    >>> p.value, p
    (Fraction(1, 4), p = 1/4)
    """
    value = rational(at, name)
    positions = (
        _multiples(name, denominator, low, high) if steps is None else sorted(rational(step, name) for step in steps)
    )
    if value not in positions:
        nearest = min(positions, key=lambda position: abs(position - value))
        raise InputError(
            f"{exact_text(value)} is not a step", where=name, wanted="one of the steps", tip=f"{nearest} is the nearest"
        )
    return Slider(name, positions, value)


def _multiples(name: str, denominator: int, low: object, high: object) -> list[Fraction]:
    first, last = rational(low, name), rational(high, name)
    multiples = [Fraction(k, denominator) for k in range(int(first * denominator), int(last * denominator) + 1)]
    return [multiple for multiple in multiples if first <= multiple <= last]


def pick(name: str, options: Mapping[str, Any] | Sequence[str], at: str) -> Choice:
    """Make a choice among named options; its `.value` is the option.

    >>> pick("definition", {"noiseless privacy": "np", "causal": "cdp"}, "causal").value
    'cdp'
    """
    named_options = dict(options if isinstance(options, Mapping) else zip(options, options, strict=True))
    if at not in named_options:
        raise InputError(f"{at} is unknown", where=name, wanted=f"one of {', '.join(named_options)}")
    return Choice(name, named_options, at)


def entry(name: str, at: str = "", *, kind: str = "") -> Line:
    """Make a line to type an exact text into; its `.value` is that text.

    `kind` stands in the empty line and says what kind of thing is wanted, such as "a fraction"; it is never a value,
    so that nobody takes it for an answer.

    >>> entry("δ", "1/4", kind="a fraction").value
    '1/4'
    """
    return Line(name, at, kind)


def table(rows: Sequence[Mapping[str, object]], *, fixed: Sequence[str] = (), spare: int = 0, title: str = "") -> Table:
    """Make a small table whose cells can be edited; its `.value` is a list of rows of texts, without empty rows.

    Columns in `fixed` cannot be edited; `spare` adds empty rows.

    >>> table([{"D(0)": 0, "probability": "1/4"}, {"D(0)": 1, "probability": "3/4"}], fixed=["D(0)"]).value
    [{'D(0)': '0', 'probability': '1/4'}, {'D(0)': '1', 'probability': '3/4'}]
    """
    columns = list(dict.fromkeys(key for row in rows for key in row))
    texts = [{column: _text(row.get(column, "")) for column in columns} for row in rows]
    texts += [dict.fromkeys(columns, "") for _ in range(spare)]
    return Table(title, texts, fixed)


def _text(value: object) -> str:
    return exact_text(value) if isinstance(value, Fraction) else str(value)


def check_button(name: str) -> Button:
    """Make the button that checks an answer; its value counts the presses.

    >>> check_button("a half").value
    0
    """
    return Button(name)
