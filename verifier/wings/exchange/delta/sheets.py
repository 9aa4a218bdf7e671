"""An exchange rate with δ as tables: pieces, values at the asked ε′, mechanisms that attain it, and multipliers."""

from __future__ import annotations

from verifier.model import database_text
from verifier.numbers import NO_VALUE, exact_text, latex_of
from verifier.show.cells import Number, Word, decimal, exact
from verifier.show.sheet import Sheet
from verifier.wings.exchange.delta.answer import NAME, DeltaCurve, line_text
from verifier.wings.exchange.delta.curve import Piece
from verifier.wings.exchange.rate import COMPUTED, NO, UNSUPPORTED, YES

MOST_MULTIPLIERS = 40
"""Largest number of multipliers that are shown; the others are counted, and stand in the certificate."""


def delta_sheets(answer: DeltaCurve, digits: int = 12) -> list[Sheet]:
    """The pieces of the curve, δ′ at the ε′ that were asked, the mechanisms that attain it, and the multipliers."""
    title = f"{answer.source} → {answer.target} at ε = {answer.epsilon}, δ = {exact_text(answer.delta_from)}"
    columns = f"{answer.variable} of {answer.target}", f"smallest δ′ of {answer.target}"
    rows = tuple((piece.where.text(NAME), _line(piece)) for piece in answer.pieces)
    notes = [answer.model.title, f"For every mechanism on the databases of the model that is (ε, δ)-{answer.source}."]
    if answer.reason:
        notes.append(f"{answer.verdict}: {answer.reason}" if answer.verdict == UNSUPPORTED else answer.reason)
    if answer.verdict == COMPUTED:
        notes.append(_proof(answer))
    sheet = Sheet(title, columns, rows or ((Word(answer.verdict), answer.verdict),), tuple(notes))
    return [sheet, *_values(answer, digits), *_rows(answer), *_mechanisms(answer), *_multipliers(answer)]


def _line(piece: Piece) -> str:
    """The line of a piece as text and as LaTeX."""
    above, below = latex_of(piece.best.above), latex_of(piece.best.below)
    if not piece.best.below:
        return Number(line_text(piece), above)
    return Number(line_text(piece), f"{above} - {NAME}" if piece.best.below == 1 else f"{above} - {below} {NAME}")


def _proof(answer: DeltaCurve) -> str:
    programs = len(answer.pieces) * len(answer.compared)
    used = sum(len(gain.multipliers) for piece in answer.pieces for gain in piece.gains)
    checked = "checked by the replay" if answer.replayed else "not replayed"
    return f"proof: {programs} linear programs where pieces begin, {used} multipliers, added up again; {checked}"


def _values(answer: DeltaCurve, digits: int) -> list[Sheet]:
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


def _multipliers(answer: DeltaCurve) -> list[Sheet]:
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
