"""What a report shows of one model, computed once and laid out twice (HTML and Markdown)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from verifier.definitions import Verdict
from verifier.engine import Engine
from verifier.losses import LossTable, loss
from verifier.model import Independent, Mixture, Model, Network, Table
from verifier.normalization import acceptable
from verifier.numbers import exact_text
from verifier.questions import passport
from verifier.report.facts import model_facts
from verifier.report.sheet import Sheet
from verifier.report.words import (
    acceptable_sheet,
    exact_and_decimal,
    grouped_witnesses,
    loss_sheets,
    passport_sheet,
)

ASKED = ("1/10", "ln(2)", "1")
MOST_WORLDS = 24
MOST_TABLES = 4
MOST_OUTPUTS = 24
SHAPES = {Independent: "independent records", Mixture: "a mixture", Table: "a table", Network: "a network"}


@dataclass(frozen=True)
class Page:
    """One model, ready to be laid out."""

    name: str
    model: Model
    facts: tuple[tuple[str, str], ...]
    worlds: tuple[Sheet, ...]
    answers: tuple[Verdict, ...]
    passport: Sheet
    deltas: Sheet
    acceptable: Sheet
    witnesses: tuple[str, ...]
    losses: tuple[Sheet, ...]
    losses_note: str
    table: LossTable | None


def make_page(model: Model, max_rows: int) -> Page:
    """Decide everything about a model that its page shows."""
    engine = Engine(model, max_rows)
    answers = passport(model, engine=engine)
    name = Path(model.path).stem if model.path else model.title
    table, sheets, note = _losses(model, answers, engine)
    return Page(
        name,
        model,
        tuple(model_facts(model)),
        tuple(_worlds(model)),
        tuple(answers),
        passport_sheet(model, answers, 40),
        _deltas(model, engine),
        acceptable_sheet(acceptable(model)),
        tuple(grouped_witnesses(answers)),
        sheets,
        note,
        table,
    )


def _worlds(model: Model) -> list[Sheet]:
    """The distributions: small ones world by world, large ones by their shape."""
    sheets = []
    for theta in model.thetas:
        if theta.count() <= MOST_WORLDS:
            rows = tuple(
                (
                    "[" + ", ".join(model.values[v].text for v in world.database) + "]",
                    *(one.text for one in (world.component, world.knowledge, world.sensitive) if one is not None),
                    exact_text(Fraction(world.weight, theta.denominator)),
                    ", ".join(
                        f"{o}: {exact_text(Fraction(w, law.denominator))}" if law.denominator > 1 else o.text
                        for law in [model.mechanism.law(world.database)]
                        for o, w in law.items()
                    ),
                )
                for world in theta.worlds()
            )
            first = next(theta.worlds())
            extra = [
                name
                for name, one in (
                    ("component", first.component),
                    ("knowledge", first.knowledge),
                    ("sensitive", first.sensitive),
                )
                if one is not None
            ]
            sheets.append(Sheet(f'θ = "{theta.name}"', ("D", *extra, "probability", "M(D)"), rows))
        else:
            what = SHAPES[type(theta.shape)]
            sheets.append(Sheet(f'θ = "{theta.name}"', ("shape", "worlds"), ((what, f"{theta.count():,}"),)))
    return sheets


def _deltas(model: Model, engine: Engine) -> Sheet:
    """The smallest δ at a few ε, for every definition that applies."""
    rows = []
    answers = {asked: passport(model, epsilon=asked, engine=engine) for asked in ASKED}
    for position, first in enumerate(answers[ASKED[0]]):
        if first.tight_delta is None:
            continue
        deltas = (exact_and_decimal(answers[asked][position].tight_delta, 40) for asked in ASKED)
        rows.append((first.definition, *deltas))
    columns = ("definition", *(f"smallest δ at ε = {asked}" for asked in ASKED))
    return Sheet("", columns, tuple(rows))


def _losses(model: Model, answers: list[Verdict], engine: Engine) -> tuple[LossTable | None, tuple[Sheet, ...], str]:
    """The loss tables of the record and the values that the first witness, or the tightest comparison, names."""
    for answer in answers:
        found = answer.witness or answer.tightest
        if answer.definition == "dp" or found is None or answer.definition == "cdp":
            continue
        table = loss(model, record=found.record, values=(found.a, found.b), engine=engine)
        shown = [one for one in table.knowledge if len(one.rows) <= MOST_OUTPUTS]
        small = LossTable(model, table.record, table.a, table.b, tuple(shown[:MOST_TABLES]))
        left = len(table.knowledge) - len(small.knowledge)
        note = f"{left} more knowledge values: pkdp loss" if left else ""
        return table, tuple(loss_sheets(small, 40)), note
    return None, (), ""
