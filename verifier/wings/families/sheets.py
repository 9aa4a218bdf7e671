"""Answers about families as tables: where a definition holds, and the tightest δ and ε as pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from verifier.model.parameters import Family
from verifier.model.zeta import NOTHING
from verifier.numbers import exact_text
from verifier.show.sheet import Sheet
from verifier.show.signs import SIGNS, in_text
from verifier.show.witnesses import witness_words
from verifier.wings.families.accepted import FamilyAcceptance
from verifier.wings.families.answer import values_text
from verifier.wings.families.boxes import BoxVerdict
from verifier.wings.families.curves import Piece
from verifier.wings.families.decide import VERDICTS, FamilyVerdict, delta_text, epsilon_text
from verifier.wings.families.formulas import formula, latex_formula
from verifier.wings.families.intervals import Interval
from verifier.wings.families.losses import FamilyLosses
from verifier.wings.families.points import Point, point_decimal, point_text
from verifier.wings.families.several import SeveralVerdict

SHORT = 8
"""Digits of an irrational end in a table; below it stands exactly."""
Pieces: TypeAlias = Callable[[FamilyVerdict], Sequence[Piece] | None]
CURVES: tuple[tuple[str, Pieces, Callable[[str, Piece], str]], ...] = (
    ("smallest δ", lambda answer: answer.tight_delta, delta_text),
    ("smallest ε", lambda answer: answer.tight_epsilon, epsilon_text),
)


def short(point: Point) -> str:
    """A rational point exactly, another one by its first digits."""
    return point_text(point) if isinstance(point, Fraction) else f"{point_decimal(point, SHORT)}…"


def family_sheets(answers: Sequence[FamilyVerdict]) -> list[Sheet]:
    """One row a definition; the pieces of the smallest δ and ε; and every irrational end exactly."""
    first = answers[0]
    asked = f"ε = {first.factor}" if first.factor else "some finite ε"
    ranges = ", ".join(map(str, (*first.family.parameters, *first.family.side)))
    title = f"{first.family.title}: {ranges}; {asked}, δ = {exact_text(first.delta)}"
    title = first.family.restriction.beside(title)
    shown = [one for one in VERDICTS if one == "holds" or any(answer.where[one] for answer in answers)]
    rows = tuple(
        (answer.definition, *(answer.text(one, short) if not answer.reason else "–" for one in shown))
        for answer in answers
    )
    reasons: dict[str, list[str]] = {}
    for answer in answers:
        if answer.reason:
            reasons.setdefault(answer.reason, []).append(answer.definition)
    notes = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    notes += [f"{in_text('vacuous')}: {SIGNS['vacuous'].sentence}."] if "vacuous" in shown else []
    notes += [_witness(answer) for answer in answers if answer.witness is not None and len(answers) == 1]
    sheets = [Sheet(title, ("definition", *(f"{one} for" for one in shown)), rows, notes=tuple(notes))]
    curves = CURVES if len(answers) == 1 else ()
    for what, pick, show in curves:
        pieces = pick(first) or ()
        lines = tuple((piece.where.text(first.name, short), show(first.name, piece)) for piece in pieces)
        sheets += [Sheet(f"The {what} of {first.definition}", ("for", what), lines)] if lines else []
    return [*sheets, *_ends(answers, curves=bool(curves))]


def _witness(answer: FamilyVerdict) -> str:
    at, found = answer.witness or (Fraction(0), None)
    words = witness_words(found.witness) if found is not None and found.witness is not None else ""
    return f"At {answer.name} = {exact_text(at)}: {words}"


def _ends(answers: Sequence[FamilyVerdict], *, curves: bool) -> list[Sheet]:
    """Every irrational end that is shown, in digits and exactly."""
    ends: dict[Point, None] = {}
    for one in _intervals(answers, curves=curves):
        for end in (one.low, one.high):
            if end is not None and not isinstance(end, Fraction):
                ends[end] = None
    rows = tuple((short(end), point_decimal(end), point_text(end)) for end in ends)
    return [Sheet("The ends exactly", ("shown as", "decimal", "exact"), rows)] if rows else []


def _intervals(answers: Sequence[FamilyVerdict], *, curves: bool) -> Iterator[Interval]:
    for answer in answers:
        for one in VERDICTS:
            yield from answer.where[one]
        for pieces in (answer.tight_delta, answer.tight_epsilon) if curves else ():
            yield from (piece.where for piece in pieces or ())


def several_sheet(family: Family, answers: Sequence[SeveralVerdict | BoxVerdict]) -> Sheet:
    """One row a definition: whether it holds for all values, and how that is known."""
    ranges = ", ".join(map(str, (*family.parameters, *family.side)))
    rows = []
    for answer in answers:
        if isinstance(answer, BoxVerdict):
            how = f"the worst of {answer.corners} corners is {values_text(answer.worst)}"
        elif answer.witness is not None:
            how = f"fails at {values_text(answer.witness[0])}"
        elif answer.verdict == "holds":
            how = f"none of {answer.queries} inequalities can be met (z3)"
        else:
            how = answer.reason
        rows.append((answer.definition, answer.verdict, how))
    title = family.restriction.beside(f"{family.title}: {ranges}")
    return Sheet(title, ("definition", "for all values", "how"), tuple(rows))


def acceptance_sheet(answers: Sequence[FamilyAcceptance]) -> Sheet:
    """One row a θ and a record, in words."""
    rows = []
    for answer in answers:
        first, *faces = str(answer).split("\n")
        where, said = first.split(": ", 1)
        rows.append((where, said, "; ".join(line.strip() for line in faces) or "–"))
    return Sheet("Acceptable normalizations", ("at", "where", "on the faces of the range"), tuple(rows))


def family_loss_sheets(found: FamilyLosses) -> list[Sheet]:
    """One table a knowledge value: both probabilities and the loss as functions of the parameter."""
    name, at = found.family.names[0], found.inside
    sheets = []
    where = " or ".join(one.text(name, short) for one in found.where)
    for theta, knowledge in dict.fromkeys((row.distribution, row.knowledge) for row in found.rows):
        rows = [row for row in found.rows if (row.distribution, row.knowledge) == (theta, knowledge)]
        subject = "S" if rows[0].record is None else f"D({rows[0].record})"
        columns = ("output", "loss", *(f"P[output | {subject} = {value}]" for value in (rows[0].a, rows[0].b)))
        known = f", B = {knowledge}" if knowledge != NOTHING.text else ""
        plain = tuple(
            (row.output, row.loss(name, at), formula(row.p, name, at), formula(row.q, name, at)) for row in rows
        )
        laws = [(latex_formula(row.p, name, at), latex_formula(row.q, name, at)) for row in rows]
        typeset = tuple(
            (row.output, f"${row.latex(name, at)}$", f"${p}$", f"${q}$") for row, (p, q) in zip(rows, laws, strict=True)
        )
        keys = (("distribution", theta), ("knowledge", knowledge if known else ""), ("where", where))
        sheets.append(Sheet(f'θ = "{theta}"{known}, {where}', columns, plain, latex=typeset, keys=keys))
    return sheets
