"""What a report shows of one model, computed once and laid out twice (HTML and Markdown)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from shlex import quote

from verifier.definitions import Verdict
from verifier.engine import Engine
from verifier.library import models_folder
from verifier.losses import KnowledgeLoss, LossTable, loss
from verifier.model import NOTHING, Model, subject_of
from verifier.normalization import Answer, acceptable
from verifier.numbers import INFINITY, ZERO, exact_text
from verifier.profile import Profile
from verifier.questions import passport
from verifier.report.acceptance import acceptance_sheets
from verifier.report.amounts import amount
from verifier.report.facts import model_facts
from verifier.report.markup import anchor
from verifier.report.plots import loss_plot, profile_plot
from verifier.report.shapes import causal_sheet, file_text, step_sheets, world_sheets
from verifier.report.sheet import Sheet
from verifier.report.witnesses import grouped_witnesses, knowledge_text
from verifier.report.words import passport_sheet

ASKED = ("1/10", "ln(2)", "1")
MOST_TABLES = 4
MOST_OUTPUTS = 24
DIGITS = 40


@dataclass(frozen=True)
class Page:
    """One model, ready to be laid out; `name` is its anchor, `file` the name of its file."""

    name: str
    file: str
    model: Model
    facts: tuple[tuple[str, str], ...]
    worlds: tuple[Sheet, ...]
    answers: tuple[Verdict, ...]
    passport: Sheet
    latex: str
    deltas: Sheet
    normalizations: tuple[Answer, ...]
    acceptable: tuple[Sheet, ...]
    witnesses: tuple[str, ...]
    causal: Sheet | None
    losses: tuple[Sheet, ...]
    losses_note: str
    plots: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The model file without its promised answers."""
        return file_text(self.model)


def make_page(model: Model, max_rows: int) -> Page:
    """Decide everything about a model that its page shows."""
    engine = Engine(model, max_rows)
    answers = passport(model, engine=engine)
    normalizations = acceptable(model)
    table = _loss_table(model, answers, engine)
    return Page(
        name=anchor(Path(model.path).stem if model.path else model.title),
        file=Path(model.path).name,
        model=model,
        facts=tuple(model_facts(model)),
        worlds=(*world_sheets(model), *step_sheets(model)),
        answers=tuple(answers),
        passport=_passport(model, answers),
        latex=replace(passport_sheet(model, answers, DIGITS), title=model.title).tex(),
        deltas=_deltas(model, engine),
        normalizations=tuple(normalizations),
        acceptable=tuple(acceptance_sheets(normalizations)),
        witnesses=tuple(grouped_witnesses(answers)),
        causal=causal_sheet(model, answers),
        losses=_loss_sheets(table),
        losses_note=_loss_note(table),
        plots=tuple(_plots(answers, table, engine)),
    )


def _passport(model: Model, answers: Sequence[Verdict]) -> Sheet:
    """Every definition: its verdict for some finite ε, the smallest ε, and the ends of its profile."""
    rows: list[tuple[str, ...]] = []
    for answer in answers:
        cells = ["–"] * 3
        if answer.tight_epsilon is not None:
            ends = [amount(answer.delta_or_none(end), DIGITS) for end in (ZERO, INFINITY)]
            cells = [amount(answer.tight_epsilon, DIGITS), *ends]
        rows.append((answer.definition, answer.verdict, *cells))
    bound = exact_text(answers[0].delta)
    columns = ("definition", "verdict", f"smallest ε at δ = {bound}", "δ at ε = 0", "δ at ε = ∞")
    title = "Every definition"
    return Sheet(title, columns, tuple(rows), notes=passport_sheet(model, answers, DIGITS).notes)


def _deltas(model: Model, engine: Engine) -> Sheet:
    """The smallest δ at a few ε, for every definition that applies."""
    rows = []
    answers = {asked: passport(model, epsilon=asked, engine=engine) for asked in ASKED}
    for position, first in enumerate(answers[ASKED[0]]):
        if first.tight_delta is None:
            continue
        deltas = (amount(answers[asked][position].tight_delta, DIGITS) for asked in ASKED)
        rows.append((first.definition, *deltas))
    columns = ("definition", *(f"smallest δ at ε = {asked}" for asked in ASKED))
    return Sheet("The smallest δ at some ε", columns, tuple(rows))


def _loss_table(model: Model, answers: Sequence[Verdict], engine: Engine) -> LossTable | None:
    """The losses of the record and the values that the first witness, or the tightest comparison, names.

    Its knowledge comes first.
    """
    for answer in answers:
        found = answer.witness or answer.tightest
        if found is not None and found.kind == "conditional":
            table = loss(model, record=found.record, values=(found.a, found.b), engine=engine)
            named = (found.distribution, found.knowledge)
            order = sorted(table.knowledge, key=lambda one: (one.distribution, one.knowledge) != named)
            return replace(table, knowledge=tuple(order))
    return None


def _shown(table: LossTable) -> list[KnowledgeLoss]:
    """The first few knowledge values with short tables."""
    return [one for one in table.knowledge if len(one.rows) <= MOST_OUTPUTS][:MOST_TABLES]


def _loss_sheets(table: LossTable | None) -> tuple[Sheet, ...]:
    """One sheet a knowledge value: the loss of each output, and both conditional probabilities."""
    if table is None:
        return ()
    subject = subject_of(table.record)
    laws = (f"P[output | {subject} = {value}]" for value in (table.a, table.b))
    columns = ("output", "loss", *laws)
    sheets = []
    for one in _shown(table):
        rows = tuple(
            (row.output.text, amount(row.loss), amount(row.probability_a), amount(row.probability_b))
            for row in one.rows
        )
        notes = tuple(f"It excludes {subject} = {value}: nothing is compared." for value in one.excludes)
        known = knowledge_text(one.knowledge)
        chance = amount(one.probability).replace("\n", " ")
        title = f'"{one.distribution}"' + ("" if known == "nothing" else f", B = {known}, of probability {chance}")
        sheets.append(Sheet(title, columns, rows, notes=notes))
    return tuple(sheets)


def _loss_note(table: LossTable | None) -> str:
    """The full command that shows the knowledge values that are left out."""
    left = 0 if table is None else len(table.knowledge) - len(_shown(table))
    if table is None or not left:
        return ""
    record = "" if table.record is None else f" --record {table.record}"
    values = "" if _usual(table) else f" --values {quote(table.a.text)} {quote(table.b.text)}"
    more = f"{left} more knowledge value{'s' if left > 1 else ''}"
    return f"{more}: `pkdp loss {quote(path_of(table.model) or 'MODEL')}{record}{values}`"


def _usual(table: LossTable) -> bool:
    """Whether `pkdp loss` compares these values without being told."""
    domain = next(secret.domain for secret in table.model.secrets if secret.record == table.record)
    return (table.a, table.b) == domain[:2]


def path_of(model: Model) -> str:
    """The path of the model file; for one that comes with the package, from the folder that holds `models`."""
    try:
        return Path(model.path).resolve().relative_to(models_folder().parent).as_posix()
    except ValueError:
        return model.path


def _plots(answers: Sequence[Verdict], table: LossTable | None, engine: Engine) -> list[tuple[str, str]]:
    """The drawings of a page: the profiles, and the distribution of the loss."""
    found = [
        (answer.definition, answer.profile)
        for answer in answers
        if answer.has_profile and answer.tight_epsilon is not None
    ]
    curves = [(name, profile) for name, profile in found if isinstance(profile, Profile)]
    drawings = [("profile", profile_plot(curves))] if curves else []
    if table is not None:
        drawings += _loss_drawing(table, engine)
    return drawings


def _loss_drawing(table: LossTable, engine: Engine) -> list[tuple[str, str]]:
    """The loss under P, on average over B given a, in the first distribution that compares a with b."""
    name = next((one.distribution for one in table.knowledge if one.rows), None)
    if name is None:
        return []
    theta = next(one for one in table.model.thetas if one.name == name)
    secret = next(one for one in table.model.secrets if one.record == table.record)
    joint = engine.factual(theta, secret)
    masses = {heard.label: heard.masses.get(table.a, 0) for heard in joint.heard.values()}
    compared = [one for one in table.knowledge if one.distribution == name and one.rows]
    whole = joint.value_mass(table.a)
    rows = [
        (row.loss.ratio, row.probability_a * Fraction(int(masses[one.knowledge]), int(whole)))
        for one in compared
        for row in one.rows
        if row.probability_a
    ]
    subject = subject_of(table.record)
    if len(compared) > 1:
        which = f"on average over B given {subject} = {table.a}"
    elif compared[0].knowledge == NOTHING:
        which = "nothing is known"
    else:
        which = f"given B = {compared[0].knowledge}"
    if len(table.model.thetas) > 1:
        which = f'in "{name}", {which}'
    if sum(masses[one.knowledge] for one in compared) < whole:
        which += f" (B that exclude {table.b} left out)"
    return [("loss", loss_plot(rows, f"{subject} = {table.a} against {table.b}", which))]
