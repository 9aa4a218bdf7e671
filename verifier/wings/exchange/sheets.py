"""Exchange rates as tables: a row for each question; for a single question also the extreme mechanism and the proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.model import database_text
from verifier.numbers import NO_VALUE, exact_text, plural
from verifier.show.cells import Word, decimal, exact
from verifier.show.sheet import Sheet
from verifier.wings.exchange.rate import NO, UNSUPPORTED, VACUOUS, YES, Exchange
from verifier.wings.exchange.rows import LinearRow

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
