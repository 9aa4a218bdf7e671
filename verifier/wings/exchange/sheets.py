"""Exchange rates as tables: a row for each question, the pieces of a curve, or those of a smallest δ′.

With them stand the row that is worst, the mechanism that attains it, and the multipliers that prove it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.model import database_text
from verifier.model.parameters import Family
from verifier.numbers import NO_VALUE, Function, exact_text, latex_of, plural
from verifier.show.sheet import Number, Sheet, Word, decimal, exact
from verifier.wings.exchange.answer import COMPUTED, NO, UNSUPPORTED, VACUOUS, YES, Exchange
from verifier.wings.exchange.curve.answer import Cell, Curve
from verifier.wings.exchange.delta.answer import NAME, DeltaCurve, line_text
from verifier.wings.exchange.delta.program import Piece
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.families.formulas import formula, latex_formula
from verifier.wings.families.intervals import Interval, united
from verifier.wings.families.sheets import exact_ends, short

Question = tuple[Mapping[str, str], Exchange]
"""The values of the parameters that vary, and the answer."""


def exchange_sheets(questions: Sequence[Question], digits: int = 12) -> list[Sheet]:
    """The rates as one table; for a single rate that was computed also the proof and the extreme mechanism."""
    first = questions[0][1]
    names = tuple(questions[0][0])
    columns = (*names, f"ε of {first.source}", f"smallest ε′ of {first.target}", "decimal")
    rows = tuple((*values.values(), exact(answer.epsilon), *_cells(answer, digits)) for values, answer in questions)
    notes = [first.model.title, f"For every mechanism on the databases of the model that is ε-{first.source}."]
    notes += dict.fromkeys(answer.reason for _, answer in questions if answer.reason)
    alone = len(questions) == 1 and first.worst is not None
    notes += _proof(first) if alone else []
    sheet = Sheet(f"{first.source} → {first.target}", columns, rows, tuple(notes))
    return [sheet, *_multipliers(first), _mechanism(first)] if alone else [sheet]


def _cells(answer: Exchange, digits: int) -> tuple[str, str]:
    if answer.verdict == UNSUPPORTED:
        return Word(UNSUPPORTED), NO_VALUE
    beside = Word(VACUOUS) if answer.verdict == VACUOUS else decimal(answer.tight_epsilon, digits)
    return exact(answer.tight_epsilon, 60), beside


def _proof(answer: Exchange) -> list[str]:
    """Notes on which row is worst, and what proves that no row is worse."""
    worst = answer.worst
    if worst is None:
        return []
    at = f"{'shown' if worst.factor is None else 'attained'} by: {_said(worst.row)}"
    if worst.factor is None and not worst.row.scale:
        return [at, "the row allows no difference, and the mechanism below has one, so that no finite ε is enough"]
    if worst.factor is None:
        return [at, "the mechanism below makes P possible where Q is impossible, so that no finite ε is enough"]
    used = sum(len(rate.multipliers) for rate in answer.rates)
    proof = f"proof: {plural(len(answer.rates), 'linear program')}, {plural(used, 'multiplier')}, added up again"
    bound = f"p - {exact_text(worst.factor, 60)}·q is at most the sum of the rows below, times their multipliers"
    return [at, proof, bound if worst.multipliers else f"p - {exact_text(worst.factor, 60)}·q is nowhere above 0"]


def _said(row: LinearRow) -> str:
    return row.words if row.scale == 1 else f"{row.words}, allowed {exact_text(row.scale)}·ε"


def _multipliers(answer: Exchange) -> list[Sheet]:
    """The multipliers of the worst row."""
    listed = answer.worst.multipliers if answer.worst else ()
    if not listed:
        return []
    rows = tuple((_said(answer.assumed[number]), exact(times, 60)) for number, times in listed)
    return [Sheet("The multipliers that prove it", (f"row of {answer.source}", "multiplier"), rows)]


def _mechanism(answer: Exchange) -> Sheet:
    """The extreme mechanism: a law for each database."""
    rows = tuple(
        (database_text(database, answer.model.values), exact(chance, 60), exact(1 - chance, 60))
        for database, chance in (answer.chances or {}).items()
    )
    checked = "checked on the model with this mechanism"
    infinite = answer.tight_epsilon is not None and answer.tight_epsilon.is_infinite
    least = "no finite ε′" if infinite else "no smaller ε′"
    note = f"It is {answer.source} at {answer.epsilon}, and {answer.target} at {least}: {checked}."
    return Sheet("An extreme mechanism", ("database", f"P[{YES}]", f"P[{NO}]"), rows, (note,))


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
    notes = _asked(answer, "ε")
    if answer.verdict == COMPUTED and answer.curves:
        notes.append(_proof_of_curve(answer))
    elif answer.verdict == COMPUTED and not answer.replayed:
        notes.append("not re-checked")
    sheets = [Sheet(title, columns, rows or ((Word(answer.verdict), answer.verdict),), tuple(notes))]
    return [*sheets, *_worst(answer), *_columns(answer, typeset=typeset), *exact_ends(cell.where for cell in pieces)]


def _asked(answer: Curve | DeltaCurve, parameters: str) -> list[str]:
    """Return of which model and of which mechanisms a curve is, and its reason."""
    notes = [
        answer.model.title,
        f"For every mechanism on the databases of the model that is {parameters}-{answer.source}.",
    ]
    if answer.reason:
        notes.append(f"{answer.verdict}: {answer.reason}" if answer.verdict == UNSUPPORTED else answer.reason)
    return notes


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
    return (cell.factor / Function.parameter(cell.factor.name)).constant


def _proof_of_curve(answer: Curve) -> str:
    pieces = sum(len(curve.pieces) for curve in answer.curves)
    checked = "re-checked by the independent checker on every interval" if answer.replayed else "not re-checked"
    number = f"{plural(pieces, 'piece')} of {plural(len(answer.curves), 'row')}"
    return f"proof: {number}, with multipliers that are functions too; {checked}"


def _worst(answer: Curve) -> list[Sheet]:
    """The table of the intervals on which each row of B is worst."""
    listed = [(cell.where, cell.worst[0].row.words, cell) for cell in _attained(answer)]
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
    columns = [(cell.where, cell.worst[0].column or {}, cell) for cell in _attained(answer)]
    listed = united([column for column in columns if column[1]], _alike, _union)
    if len(listed) > MOST_COLUMNS:
        return []
    texts = _values_of_records(answer)
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


def _values_of_records(answer: Curve) -> list[str]:
    if isinstance(answer.model, Family):
        return [str(value) for value in answer.model.raw["values"]]
    return [value.text for value in answer.model.values]


MOST_MULTIPLIERS = 40
"""Largest number of multipliers that are shown; the others are counted, and stand in the certificate."""


def delta_sheets(answer: DeltaCurve, digits: int) -> list[Sheet]:
    """The pieces of the curve, δ′ at the ε′ that were asked, the mechanisms that attain it, and the multipliers."""
    title = f"{answer.source} → {answer.target} at ε = {answer.epsilon}, δ = {exact_text(answer.delta_from)}"
    columns = f"{answer.variable} of {answer.target}", f"smallest δ′ of {answer.target}"
    rows = tuple((piece.where.text(NAME), _line(piece)) for piece in answer.pieces)
    notes = _asked(answer, "(ε, δ)")
    if answer.verdict == COMPUTED:
        notes.append(_proof_of_delta(answer))
    sheet = Sheet(title, columns, rows or ((Word(answer.verdict), answer.verdict),), tuple(notes))
    return [sheet, *_values_at(answer, digits), *_rows(answer), *_mechanisms(answer), *_multipliers_of_delta(answer)]


def _line(piece: Piece) -> str:
    """The line of a piece as text and as LaTeX."""
    above, below = latex_of(piece.best.above), latex_of(piece.best.below)
    if not piece.best.below:
        return Number(line_text(piece), above)
    return Number(line_text(piece), f"{above} - {NAME}" if piece.best.below == 1 else f"{above} - {below} {NAME}")


def _proof_of_delta(answer: DeltaCurve) -> str:
    programs = len(answer.pieces) * len(answer.compared)
    used = sum(len(gain.multipliers) for piece in answer.pieces for gain in piece.gains)
    checked = "re-checked by the independent checker" if answer.replayed else "not re-checked"
    return f"proof: {programs} linear programs where pieces begin, {used} multipliers, added up again; {checked}"


def _values_at(answer: DeltaCurve, digits: int) -> list[Sheet]:
    """The table of δ′ at each asked ε′; at inf it is the limit that no ε′ gets below."""
    if not answer.asked:
        return []
    known = [(epsilon, None if answer.verdict == UNSUPPORTED else answer.delta(epsilon)) for epsilon in answer.asked]
    rows = tuple(
        (exact(epsilon), exact(value, 60) if value is not None else NO_VALUE, decimal(value, digits))
        for epsilon, value in known
    )
    return [Sheet("At one ε′", (f"ε′ of {answer.target}", f"smallest δ′ of {answer.target}", "decimal"), rows)]


def _rows(answer: DeltaCurve) -> list[Sheet]:
    """The table of the row of B that is worst on each piece; none where δ′ = 0 is enough."""
    rows = tuple((piece.where.text(NAME), piece.best.row.words) for piece in answer.pieces if piece.best.above)
    return [Sheet("The row that needs it", ("for", "row"), rows)] if rows else []


def _mechanisms(answer: DeltaCurve) -> list[Sheet]:
    """The table of a mechanism for each piece, with a law for each database."""
    rows = tuple(
        (piece.where.text(NAME), database_text(database, answer.model.values), exact(chance, 60), exact(1 - chance, 60))
        for piece in answer.pieces
        for database, chance in (piece.best.column or {}).items()
        if piece.best.above
    )
    if not rows:
        return []
    note = (
        f"Each is {answer.source} at ({answer.epsilon}, {exact_text(answer.delta_from)}), and needs all of δ′ on its "
        "piece: checked on the model with this mechanism."
    )
    return [Sheet("Extreme mechanisms", ("for", "database", f"P[{YES}]", f"P[{NO}]"), rows, (note,))]


def _multipliers_of_delta(answer: DeltaCurve) -> list[Sheet]:
    """The table of the multipliers of the worst row, at the start of each piece."""
    listed = [
        (exact_text(piece.start, 60), f"{row.words}, output {output}", exact(price, 60))
        for piece in answer.pieces
        for row, output, price in answer.multipliers(max(piece.gains, key=lambda gain: gain.value).multipliers)
    ]
    if not listed:
        return []
    shown = tuple(listed[:MOST_MULTIPLIERS])
    more = len(listed) - len(shown)
    notes = (f"{more} more stand in the certificate (--certificate FILE).",) if more else ()
    head = f"at {NAME}", f"row of {answer.source}", "multiplier"
    return [Sheet("The multipliers that prove it for the row that needs most", head, shown, notes)]
