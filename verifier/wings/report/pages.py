"""What a report shows of one model, computed once and laid out twice (HTML and Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from verifier.definitions import HOCKEY_STICK, Verdict, find
from verifier.engine import Engine
from verifier.model import Model, subject_of
from verifier.model.library import models_folder
from verifier.numbers import INFINITY, ZERO, exact_text
from verifier.profile import Profile
from verifier.questions.ask import passport
from verifier.questions.losses import KnowledgeLoss, LossTable, loss
from verifier.questions.normalization import Answer, acceptable
from verifier.show.acceptance import acceptance_sheets
from verifier.show.amounts import amount
from verifier.show.drawings import Drawing, attackers_drawing, loss_drawing, profile_drawing
from verifier.show.facts import model_facts
from verifier.show.markup import anchor
from verifier.show.plots import ACTIVE, PASSIVE, Look, look_of, merged
from verifier.show.shapes import causal_sheet, file_text, step_sheets, world_sheets
from verifier.show.sheet import Sheet
from verifier.show.signs import SIGNS
from verifier.show.witnesses import Refuted, knowledge_text, refutations
from verifier.show.words import passport_sheet, profile_sheet

ASKED = ("1/10", "ln(2)", "1")
TELLING = ("conditional", "counterfactual", "simulator", "posterior", "neighbours")
"""The order in which counterexamples are told, by what is compared."""
MOST_TABLES = 4
MOST_SEGMENTS = 16
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
    deltas: Sheet
    normalizations: tuple[Answer, ...]
    acceptable: tuple[Sheet, ...]
    refuted: tuple[Refuted, ...]
    causal: Sheet | None
    losses: tuple[Sheet, ...]
    losses_note: str
    drawings: tuple[tuple[Drawing, tuple[Sheet, ...]], ...]
    engine: Engine

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
        deltas=_deltas(model, engine),
        normalizations=tuple(normalizations),
        acceptable=tuple(acceptance_sheets(normalizations)),
        refuted=tuple(sorted(refutations(answers), key=_telling)),
        causal=causal_sheet(model, answers),
        losses=_loss_sheets(table),
        losses_note=_loss_note(table),
        drawings=tuple(_drawings(answers, table)),
        engine=engine,
    )


def _telling(one: Refuted) -> int:
    """The attacker's definitions first, then the others by how directly they speak of her."""
    told = [find(name) for name in one.names]
    kinds = [each.kind for each in told if each.measure is HOCKEY_STICK and not each.own and each.kind in TELLING]
    return min(map(TELLING.index, kinds), default=len(TELLING))


def _passport(model: Model, answers: Sequence[Verdict]) -> Sheet:
    """Every definition: its verdict for some finite ε, the smallest ε, and the ends of its profile."""
    rows: list[tuple[str, ...]] = []
    tex: list[tuple[str, ...]] = []
    for answer in answers:
        cells, typeset = ["–"] * 3, ["--"] * 3
        if answer.tight_epsilon is not None and answer.verdict != "vacuous":
            ends = [answer.delta_or_none(end) for end in (ZERO, INFINITY)]
            cells = [amount(answer.tight_epsilon, DIGITS), *(amount(end, DIGITS) for end in ends)]
            typeset = ["--" if one is None else f"${one.latex}$" for one in (answer.tight_epsilon, *ends)]
        rows.append((answer.definition, answer.verdict, *cells))
        tex.append((answer.definition, answer.verdict, *typeset))
    bound = exact_text(answers[0].delta)
    columns = ("definition", "verdict", f"smallest ε at δ = {bound}", "δ at ε = 0", "δ at ε = ∞")
    title = model.restriction.beside("Every definition")
    return Sheet(title, columns, tuple(rows), tuple(tex), passport_sheet(model, answers, DIGITS).notes)


def _deltas(model: Model, engine: Engine) -> Sheet:
    """The smallest δ at a few ε, for every definition that applies."""
    rows = []
    answers = {asked: passport(model, epsilon=asked, engine=engine) for asked in ASKED}
    for position, first in enumerate(answers[ASKED[0]]):
        if first.tight_delta is None:
            continue
        untested = first.verdict == "vacuous"
        deltas = ("–" if untested else amount(answers[asked][position].tight_delta, DIGITS) for asked in ASKED)
        rows.append((first.definition, *deltas))
    columns = ("definition", *(f"smallest δ at ε = {asked}" for asked in ASKED))
    empty = [first.definition for first in answers[ASKED[0]] if first.verdict == "vacuous"]
    notes = (f"{', '.join(empty)}: {SIGNS['vacuous'].sentence}.",) if empty else ()
    return Sheet("The smallest δ at some ε", columns, tuple(rows), notes=notes)


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


def _drawings(answers: Sequence[Verdict], table: LossTable | None) -> list[tuple[Drawing, tuple[Sheet, ...]]]:
    """The drawings of a page, each with the tables behind it."""
    tested = [one for one in answers if one.has_profile and one.tight_epsilon is not None and one.verdict != "vacuous"]
    found = {answer.definition: answer for answer in tested}
    curves = {name: answer.profile for name, answer in found.items() if isinstance(answer.profile, Profile)}
    drawings: list[tuple[Drawing, tuple[Sheet, ...]]] = []
    if curves:
        shared = {one.names[0]: " = ".join(one.names) for one in merged(list(curves.items()))}
        sheets = tuple(_segments(found[first], names) for first, names in shared.items())
        drawings.append((profile_drawing(list(curves.items())), sheets))
    active, passive = (_first_curve(curves, look) for look in (ACTIVE, PASSIVE))
    if active is not None and passive is not None and active != passive:
        drawings.append((attackers_drawing(active, passive), (_attackers(active, passive),)))
    lanes = [one for one in _shown(table) if one.rows] if table is not None else []
    if table is not None and lanes:
        several = len(table.model.thetas) > 1
        titles = [_lane(one, several=several) for one in lanes]
        subject = subject_of(table.record)
        drawings.append((loss_drawing(lanes, titles, f"{subject} = {table.a} against {subject} = {table.b}"), ()))
    return drawings


def _first_curve(curves: Mapping[str, Profile], look: Look) -> Profile | None:
    """The curve of the first definition that looks so: against the active attacker, or the passive one."""
    return next((curve for name, curve in curves.items() if look_of(name) == look), None)


def _lane(one: KnowledgeLoss, *, several: bool) -> str:
    known = knowledge_text(one.knowledge)
    where = f'"{one.distribution}"' if several else ""
    heard = "" if known == "nothing" else f"B = {known}, of probability {amount(one.probability).partition(chr(10))[0]}"
    return ", ".join(part for part in (where, heard) if part) or "nothing is known"


def _segments(answer: Verdict, names: str) -> Sheet:
    """The pieces of a profile, from one breakpoint to the next."""
    sheet = profile_sheet(answer, DIGITS)
    more = len(sheet.rows) - MOST_SEGMENTS
    notes = (f"{more} more pieces.",) if more > 0 else ()
    tex = None if sheet.latex is None else sheet.latex[:MOST_SEGMENTS]
    return Sheet(f"Privacy profile of {names}", sheet.columns, sheet.rows[:MOST_SEGMENTS], tex, notes)


def _attackers(active: Profile, passive: Profile) -> Sheet:
    """Both attackers at a few ε."""
    rows = tuple(
        (str(asked), amount(active.delta(asked), DIGITS), amount(passive.delta(asked), DIGITS))
        for asked in ("0", *ASKED, "inf")
    )
    return Sheet("The smallest δ against both attackers", ("ε", "active (apkdp)", "passive (ppkdp)"), rows)
