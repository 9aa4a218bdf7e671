"""Controls to play with: exact fractions, choices, texts and tables. Live inside marimo, fixed elsewhere.

Every control has a `.value`, made of exact texts and fractions. Inside marimo it may be read in another cell than
the one that made the control, and that cell runs again at each change.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Any

from verifier.errors import InputError
from verifier.numbers import exact_text, rational
from verifier.wings.course.answer_forms import AnswerForm, ChoiceForm, FractionForm, TableForm, TextForm
from verifier.wings.course.fragment import said
from verifier.wings.course.kernel import live
from verifier.wings.course.prose import inline

HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"
"""The CSS of a label that only screen readers see; no style sheet reaches the inside of marimo's elements."""
TableLine = dict[str, str]


@dataclass(frozen=True)
class Fixed:
    """A control outside marimo: it has the value that stands in the code."""

    name: str
    value: Any
    page: str
    more: str = ""
    pk_form: AnswerForm = field(default_factory=TextForm)

    def pk_html(self) -> str:
        """Return the value, and what else it could be, as HTML."""
        more = f"<span class='pk-soft'>{html.escape(self.more)}</span>" if self.more else ""
        return f"<div class='pk-control'>{self.page}{more}</div>"

    def _repr_html_(self) -> str:
        return f"<div class='pk'>{self.pk_html()}</div>"

    def __repr__(self) -> str:
        return f"{self.name} = {self.value}"


def _readout(name: str, value: Fraction) -> str:
    return f"<span class='pk-readout'><i>{inline(name)}</i> = <b class='n'>{html.escape(said(value))}</b></span>"


def fraction(
    name: str,
    at: object,
    *,
    denominator: int = 20,
    low: object = 0,
    high: object = 1,
    steps: Sequence[object] | None = None,
) -> Any:
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
    marimo = live()
    if marimo is not None:
        return _slider(marimo, name, positions, value)
    ends = (
        f" · of {len(positions)} values from {positions[0]} to {positions[-1]}: change the code and run the cells below"
    )
    return Fixed(name, value, _readout(name, value), ends, FractionForm(positions))


def _multiples(name: str, denominator: int, low: object, high: object) -> list[Fraction]:
    first, last = rational(low, name), rational(high, name)
    multiples = [Fraction(k, denominator) for k in range(int(first * denominator), int(last * denominator) + 1)]
    return [multiple for multiple in multiples if first <= multiple <= last]


def _slider(marimo: ModuleType, name: str, positions: Sequence[Fraction], value: Fraction) -> Any:
    class FractionSlider(marimo.ui.slider):  # type: ignore[name-defined, misc]
        """marimo's slider over positions in a list of exact fractions."""

        pk_form = FractionForm(positions)

        def _convert_value(self, at: object) -> Fraction:
            return positions[int(str(at))]

        def pk_html(self) -> str:
            return f"<div class='pk-control'>{self.text}{_readout(name, self.value)}</div>"

    hidden = f"<span style='{HIDDEN}'>{html.escape(name.replace('$', ''))}, in steps</span>"
    return FractionSlider(start=0, stop=len(positions) - 1, step=1, value=positions.index(value), label=hidden)


def choices(*names: str) -> dict[str, str]:
    """Return names that stand for themselves, for `pick`.

    >>> choices("np", "cdp")
    {'np': 'np', 'cdp': 'cdp'}
    """
    return {name: name for name in names}


def pick(name: str, options: Mapping[str, Any] | Sequence[str], at: str) -> Any:
    """Make a choice among named options; its `.value` is the option.

    >>> pick("definition", {"noiseless privacy": "np", "causal": "cdp"}, "causal").value
    'cdp'
    """
    named_options = dict(options) if isinstance(options, Mapping) else choices(*options)
    if at not in named_options:
        raise InputError(f"{at} is unknown", where=name, wanted=f"one of {', '.join(named_options)}")
    marimo = live()
    if marimo is not None:
        dropdown = marimo.ui.dropdown(named_options, value=at, label=html.escape(name), allow_select_none=False)
        dropdown.pk_form = ChoiceForm(named_options)
        return dropdown
    page = f"<span class='pk-readout'>{html.escape(name)}: <b>{html.escape(at)}</b></span>"
    return Fixed(
        name,
        named_options[at],
        page,
        f" · one of {', '.join(named_options)}: change the code",
        ChoiceForm(named_options),
    )


def entry(name: str, at: str = "", *, kind: str = "") -> Any:
    """Make a line to type an exact text into; its `.value` is that text.

    `kind` stands in the empty line and says what kind of thing is wanted, such as "a fraction"; it is never a value,
    so that nobody takes it for an answer.

    >>> entry("δ", "1/4", kind="a fraction").value
    '1/4'
    """
    return typed(name, at, kind, "type your answer into the code, between the second quotes of kit.entry")


def typed(name: str, at: str, kind: str, how: str) -> Any:
    """Make a line to type into; `how` says where the text stands in the code, for a notebook that has no such line."""
    marimo = live()
    if marimo is not None:
        return marimo.ui.text(value=at, label=html.escape(name), placeholder=kind)
    page = f"<span class='pk-readout'>{html.escape(name)}: <b class='n'>{html.escape(at or '…')}</b></span>"
    wanted = f" · {kind}" if kind else ""
    return Fixed(name, at, page, f"{wanted} · {how}")


def table(rows: Sequence[Mapping[str, object]], *, fixed: Sequence[str] = (), spare: int = 0, title: str = "") -> Any:
    """Make a small table whose cells can be edited; its `.value` is a list of rows of texts, without empty rows.

    Columns in `fixed` cannot be edited; `spare` adds empty rows.

    >>> table([{"D(0)": 0, "probability": "1/4"}, {"D(0)": 1, "probability": "3/4"}], fixed=["D(0)"]).value
    [{'D(0)': '0', 'probability': '1/4'}, {'D(0)': '1', 'probability': '3/4'}]
    """
    columns = list(dict.fromkeys(key for row in rows for key in row))
    texts = [{column: _text(row.get(column, "")) for column in columns} for row in rows]
    texts += [dict.fromkeys(columns, "") for _ in range(spare)]
    form = TableForm(texts, tuple(fixed))
    marimo = live()
    if marimo is None:
        page = _grid(title, columns, [[html.escape(row[column]) for column in columns] for row in texts])
        return Fixed(title or "table", _filled(texts), page, " · to change the table, change the code", form)
    return _editable(marimo, title, columns, form)


def _text(value: object) -> str:
    return exact_text(value) if isinstance(value, Fraction) else str(value)


def _filled(rows: Sequence[TableLine]) -> list[TableLine]:
    return [row for row in rows if any(cell.strip() for cell in row.values())]


def _grid(title: str, columns: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    heads = "".join(f"<th scope='col'>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    return (
        f"<div class='scroll'><table class='pk-edit'>{caption}<thead><tr>{heads}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _editable(marimo: ModuleType, title: str, columns: Sequence[str], form: TableForm) -> Any:
    texts = form.start

    class EditableTable(marimo.ui.batch):  # type: ignore[name-defined, misc]
        """marimo's batch of text fields, whose value is a list of rows."""

        pk_form = form

        def _convert_value(self, value: dict[str, Any]) -> Any:
            cells = super()._convert_value(value)
            return _filled(
                [
                    {column: str(cells.get(_key(r, c), row[column])) for c, column in enumerate(columns)}
                    for r, row in enumerate(texts)
                ]
            )

    fields = {
        _key(r, c): marimo.ui.text(
            value=row[column],
            label=f"<span style='{HIDDEN}'>row {r + 1}, {html.escape(column)}</span>",
        )
        for r, row in enumerate(texts)
        for c, column in enumerate(columns)
        if column not in form.fixed or not row[column]
    }
    # marimo fills the page by str.format: every brace of ours is doubled, and only the fields' names have single ones.
    cells = [
        [f"\0{_key(r, c)}\0" if _key(r, c) in fields else html.escape(row[column]) for c, column in enumerate(columns)]
        for r, row in enumerate(texts)
    ]
    page = _grid(title, columns, cells).replace("{", "{{").replace("}", "}}")
    page = re.sub("\0(.*?)\0", r"{\1}", page)
    return EditableTable(marimo.Html(f"<div class='pk'>{page}</div>"), fields)


def _key(row: int, column: int) -> str:
    return f"r{row}c{column}"
