"""Answers about families as tables: where a definition holds, and the tightest δ and ε as pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from verifier.definitions import Verdict
from verifier.model.distribution import NOTHING
from verifier.numbers import NO_VALUE, Function, exact_text
from verifier.show.sheet import SIGNS, Number, Sheet, in_text
from verifier.show.witnesses import witness_words
from verifier.wings.families.acceptance import FamilyAcceptance
from verifier.wings.families.answer import VERDICTS, FamilyVerdict, delta_text, epsilon_text, ranges_text
from verifier.wings.families.curves import Piece
from verifier.wings.families.formulas import formula, latex_formula
from verifier.wings.families.intervals import Interval
from verifier.wings.families.losses import FamilyLosses
from verifier.wings.families.points import Point, point_decimal, point_text

SHORT = 8
"""Digits of an irrational end in a table; another table has its exact value."""
Pieces: TypeAlias = Callable[[FamilyVerdict], Sequence[Piece] | None]
CURVES: tuple[tuple[str, Pieces, Callable[[FamilyVerdict, Piece], str]], ...] = (
    ("smallest δ", lambda answer: answer.tight_delta, lambda answer, piece: delta_text(answer.name, piece)),
    ("smallest ε", lambda answer: answer.tight_epsilon, epsilon_text),
)


def short(point: Point) -> str:
    """The text of a point: a rational one exactly, an irrational one by its first digits."""
    return point_text(point) if isinstance(point, Fraction) else f"{point_decimal(point, SHORT)}…"


def family_sheets(answers: Sequence[FamilyVerdict]) -> list[Sheet]:
    """Tables: the verdicts, a row for each definition; the irrational ends; of a single answer also its δ and ε."""
    first = answers[0]
    epsilon_text_asked = f"ε = {first.factor}" if first.factor else "some finite ε"
    title = f"{first.family.title}: {ranges_text(first.family)}; {epsilon_text_asked}, δ = {exact_text(first.delta)}"
    title = first.family.seen(first.family.restriction.beside(title))
    if len(answers) == 1 and first.relation is not None:
        title = f"{title}, when {first.relation.text}"
    verdicts = [
        verdict for verdict in VERDICTS if verdict == "holds" or any(answer.where[verdict] for answer in answers)
    ]
    rows = tuple(
        (answer.definition, *(answer.text(verdict, short) if not answer.reason else NO_VALUE for verdict in verdicts))
        for answer in answers
    )
    reasons: dict[str, list[str]] = {}
    for answer in answers:
        if answer.reason:
            reasons.setdefault(answer.reason, []).append(answer.definition)
    notes = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    notes += [f"{in_text('vacuous')}: {SIGNS['vacuous'].sentence}."] if "vacuous" in verdicts else []
    notes += [_witness(first, *first.witness)] if first.witness is not None and len(answers) == 1 else []
    sheets = [Sheet(title, ("definition", *(f"{verdict} for" for verdict in verdicts)), rows, notes=tuple(notes))]
    curves = CURVES if len(answers) == 1 else ()
    for quantity, pick, show in curves:
        pieces = pick(first) or ()
        lines = tuple((piece.where.text(first.name, short), show(first, piece)) for piece in pieces)
        sheets += [Sheet(f"The {quantity} of {first.definition}", ("for", quantity), lines)] if lines else []
    return [*sheets, *ends_sheets(answers, curves=bool(curves))]


def _witness(answer: FamilyVerdict, at: Fraction, there: Verdict) -> str:
    """The witness at a value of the parameter, in words."""
    if there.witness is None:
        return f"At {answer.name} = {exact_text(at)} it fails."
    words = witness_words(there.witness, model=there.model, definition=there.definition, asked=there.epsilon)
    return f"At {answer.name} = {exact_text(at)}: {words}"


def ends_sheets(answers: Sequence[FamilyVerdict], *, curves: bool = False) -> list[Sheet]:
    """The table of all irrational ends of intervals, in digits and exactly."""
    return exact_ends(_intervals(answers, curves=curves))


def exact_ends(intervals: Iterable[Interval]) -> list[Sheet]:
    """The table of the irrational ends of these intervals; no table where there are none."""
    listed = (end for interval in intervals for end in (interval.low, interval.high))
    ends = dict.fromkeys(end for end in listed if end is not None and not isinstance(end, Fraction))
    rows = tuple((short(end), point_decimal(end), point_text(end)) for end in ends)
    return [Sheet("The ends exactly", ("shown as", "decimal", "exact"), rows)] if rows else []


def _intervals(answers: Sequence[FamilyVerdict], *, curves: bool) -> Iterator[Interval]:
    for answer in answers:
        for verdict in VERDICTS:
            yield from answer.where[verdict]
        for pieces in (answer.tight_delta, answer.tight_epsilon) if curves else ():
            yield from (piece.where for piece in pieces or ())


def acceptance_sheet(answers: Sequence[FamilyAcceptance]) -> Sheet:
    """A table with a row for each θ and record: where it has an acceptable normalization, in words."""
    rows = []
    for answer in answers:
        first, *faces = str(answer).split("\n")
        where, finding = first.split(": ", 1)
        rows.append((where, finding, "; ".join(line.strip() for line in faces) or NO_VALUE))
    return Sheet("Acceptable normalizations", ("at", "where", "on the faces of the range"), tuple(rows))


def family_loss_sheets(losses: FamilyLosses) -> list[Sheet]:
    """A table for each θ and value of B: each output's two probabilities and loss as functions of the parameter."""
    name, at = losses.family.names[0], losses.inside
    sheets = []
    where = " or ".join(interval.text(name, short) for interval in losses.where)
    for theta, knowledge in dict.fromkeys((row.distribution, row.knowledge) for row in losses.rows):
        rows = [row for row in losses.rows if (row.distribution, row.knowledge) == (theta, knowledge)]
        subject = "S" if rows[0].record is None else f"D({rows[0].record})"
        columns = ("output", "loss", *(f"P[output | {subject} = {value}]" for value in (rows[0].a, rows[0].b)))
        known = f", B = {knowledge}" if knowledge != NOTHING.text else ""
        cells = tuple(
            (
                row.output,
                Number(row.loss(name, at), row.latex(name, at)),
                *(_function(law, name, at) for law in row.laws),
            )
            for row in rows
        )
        keys = (("distribution", theta), ("knowledge", knowledge if known else ""), ("where", where))
        sheets.append(Sheet(f'θ = "{theta}"{known}, {where}', columns, cells, keys=keys))
    return sheets


def _function(law: Function, name: str, at: Fraction) -> Number:
    """A probability as a function of the parameter."""
    return Number(formula(law, name, at), latex_formula(law, name, at))
