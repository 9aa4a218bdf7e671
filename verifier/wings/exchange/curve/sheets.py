"""An exchange rate as a function, as tables: its pieces as closed forms, and the columns that attain them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from verifier.model.parameters import Family
from verifier.numbers import Function, exact_text, plural
from verifier.show.cells import Number, Word
from verifier.show.sheet import Sheet
from verifier.wings.exchange.curve.answer import Cell, Curve
from verifier.wings.exchange.rate import COMPUTED, UNSUPPORTED, YES
from verifier.wings.families.formulas import formula, latex_formula
from verifier.wings.families.intervals import Interval, united
from verifier.wings.families.sheets import exact_ends, short

SCALED = f"Scaled down it is P[{YES}] of a mechanism with two outputs; on other databases P[{YES}] is 0."
Shown: TypeAlias = tuple[Interval, Any, Cell]
"""An interval, what is shown of it, and the last cell in it."""
MOST_COLUMNS = 3
"""Largest number of pieces whose columns are shown; of more pieces none is."""


def curve_sheets(answer: Curve, *, typeset: bool = False) -> list[Sheet]:
    """The tables of a curve: its pieces with their formulas, worst rows, columns and irrational ends.

    With `typeset` formulas have LaTeX, too.
    """
    variable = answer.variable if answer.over_epsilon else answer.name
    title = f"{answer.source} → {answer.target}" + ("" if answer.epsilon is None else f" at ε = {answer.epsilon}")
    columns = (f"{variable} of {answer.source}" if answer.over_epsilon else variable, f"smallest ε′ of {answer.target}")
    pieces = answer.pieces
    rows = tuple((cell.where.text(answer.name, short), _rate(answer, cell, typeset=typeset)) for cell in pieces)
    notes = [answer.subject.title, f"For every mechanism on the databases of the model that is ε-{answer.source}."]
    if answer.reason:
        notes.append(f"{answer.verdict}: {answer.reason}" if answer.verdict == UNSUPPORTED else answer.reason)
    if answer.verdict == COMPUTED and answer.curves:
        notes.append(_proof(answer))
    elif answer.verdict == COMPUTED and not answer.replayed:
        notes.append("not replayed")
    sheets = [Sheet(title, columns, rows or ((Word(answer.verdict), answer.verdict),), tuple(notes))]
    return [*sheets, *_worst(answer), *_columns(answer, typeset=typeset), *exact_ends(cell.where for cell in pieces)]


def _rate(answer: Curve, cell: Cell, *, typeset: bool) -> str:
    text = cell.text(answer.name)
    if cell.factor is None or text == "0":
        return Word(text) if text in {"undecided", "unsupported"} else text
    if (shift := _shift(answer, cell)) is not None:
        plain = "ε" if shift == 1 else f"ε + ln({shift})" if shift > 1 else f"ε - ln({1 / shift})"
        return Number(plain, plain.replace("ε", r"\varepsilon ").replace("ln", r"\ln")) if typeset else plain
    if not typeset:
        return text
    latex = rf"\ln\left({latex_formula(cell.factor, answer.name, cell.inside)}\right)"
    return Number(text, latex if cell.scale == 1 else rf"{exact_text(1 / cell.scale)} {latex}")


def _shift(answer: Curve, cell: Cell) -> Fraction | None:
    """The c of a rate ε′ = ε + ln(c), which is ln(c·x) with x = e^ε; None for another rate."""
    if not answer.over_epsilon or answer.root != 1 or cell.scale != 1 or cell.factor is None:
        return None
    return (cell.factor / Function.parameters(cell.factor.names)[0]).constant


def _proof(answer: Curve) -> str:
    pieces = sum(len(curve.pieces) for curve in answer.curves)
    checked = "checked by the replay on every interval" if answer.replayed else "not replayed"
    number = f"{plural(pieces, 'piece')} of {plural(len(answer.curves), 'row')}"
    return f"proof: {number}, with multipliers that are functions too; {checked}"


def _worst(answer: Curve) -> list[Sheet]:
    """The table of the intervals on which each row of B is worst."""
    listed = [(cell.where, cell.worst[0][0].row.words, cell) for cell in _attained(answer)]
    rows = tuple((where.text(answer.name, short), words) for where, words, _ in united(listed, _alike, _union))
    return [Sheet("The row that needs it", ("for", "row"), rows)] if rows else []


def _attained(answer: Curve) -> list[Cell]:
    """The open intervals on which rows with their pieces attain the rate."""
    return [cell for cell in answer.cells if cell.worst and cell.where.point is None]


def _alike(x: Shown, y: Shown) -> bool:
    return bool(x[1] == y[1])


def _union(x: Shown, y: Shown) -> Shown:
    return x[0].to(y[0]), y[1], y[2]


def _columns(answer: Curve, *, typeset: bool) -> list[Sheet]:
    """The table of the columns that attain the rate, up to a factor; none where they are many."""
    columns = [(cell.where, cell.worst[0][1].column or {}, cell) for cell in _attained(answer)]
    listed = united([column for column in columns if column[1]], _alike, _union)
    if len(listed) > MOST_COLUMNS:
        return []
    texts = _values(answer)
    rows = tuple(
        (
            where.text(answer.name, short),
            f"[{', '.join(texts[v] for v in database)}]",
            _formula(function, answer.name, cell, typeset=typeset),
        )
        for where, column, cell in listed
        for database, function in sorted(column.items())
    )
    heads = "for", "database", f"P[{YES}], up to a factor"
    return [Sheet("A column that attains it", heads, rows, (SCALED,))] if rows else []


def _formula(function: Function, name: str, cell: Cell, *, typeset: bool) -> str:
    text = formula(function, name, cell.inside)
    return Number(text, latex_formula(function, name, cell.inside)) if typeset else text


def _values(answer: Curve) -> list[str]:
    if isinstance(answer.subject, Family):
        return [str(value) for value in answer.subject.raw["values"]]
    return [value.text for value in answer.subject.values]
