"""The content of a model's page, computed once; `model_sections` makes a document of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from verifier.definitions import HOCKEY_STICK, Verdict, find
from verifier.definitions.atlas import atlas
from verifier.engine import Engine
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.model.policy import NO_POLICY
from verifier.numbers import INFINITY, NO_VALUE, ZERO, exact_text, plural
from verifier.profile import Profile
from verifier.questions.atlas import atlas_of
from verifier.questions.check import overview
from verifier.questions.losses import LossTable, loss
from verifier.questions.normalization import Acceptability, acceptable
from verifier.show.answers import acceptance_sheets, loss_sheets, overview_sheet, profile_sheet
from verifier.show.atlas import atlas_sheets
from verifier.show.bars import loss_drawing
from verifier.show.drawings import attackers_drawing, profile_drawing
from verifier.show.facts import model_facts
from verifier.show.frame import Drawing
from verifier.show.model_tables import causal_sheet, file_text, step_sheets, world_sheets
from verifier.show.plots import ACTIVE, PASSIVE, Look, look_of, merged
from verifier.show.sheet import SIGNS, Sheet, Word, amount, anchor
from verifier.show.witnesses import Refuted, refutations
from verifier.show.worlds import shown_worlds


def speaks_of_atlas(model: Model) -> bool:
    """Whether a model has `[policy]`, or promises the answer of a definition that only the atlas has."""
    promised = {expectation.definition for expectation in model.expectations}
    return model.policy != NO_POLICY or not promised.isdisjoint(atlas.entries)


def model_atlas(model: Model, engine: Engine) -> tuple[Sheet, ...]:
    """The tables of `pkdp check --atlas`, one a dimension; none for a model that speaks of no definition of DP22."""
    return tuple(atlas_sheets(model, atlas_of(model, engine=engine))) if speaks_of_atlas(model) else ()


EPSILONS = ("1/10", "ln(2)", "1")
"""The ε at which a page shows the smallest δ."""
TELLING = ("conditional", "counterfactual", "simulator", "posterior", "neighbours")
"""The order of counterexamples on a page, by the kind of laws that are compared."""
MOST_TABLES = 4
MOST_SEGMENTS = 16
MOST_OUTPUTS = 24
DIGITS = 40


@dataclass(frozen=True)
class ModelPage:
    """The content of a model's page; `name` is the name of the page, `file` the name of the model file."""

    name: str
    file: str
    model: Model
    facts: tuple[tuple[str, str], ...]
    worlds: tuple[Sheet, ...]
    answers: tuple[Verdict, ...]
    overview: Sheet
    deltas: Sheet
    atlas: tuple[Sheet, ...]
    normalizations: tuple[Acceptability, ...]
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

    @property
    def address(self) -> str:
        """The path of the page below the report's folder."""
        return f"models/{self.name}.html"

    @property
    def worlds_count(self) -> int:
        """The number of worlds of all distributions together, the size of the model."""
        return sum(theta.count() for theta in self.model.thetas)


def groups(pages: Sequence[ModelPage]) -> list[tuple[str, list[ModelPage]]]:
    """The pages by the definition, example or proposition in their names; all others are `Models`."""
    by_name: dict[str, list[ModelPage]] = {}
    for page in pages:
        named = re.match(r"(definition|example|proposition)-(\d+)", page.name)
        by_name.setdefault(f"{named[1].title()} {named[2]}" if named else "Models", []).append(page)
    return list(by_name.items())


def model_page(model: Model, max_rows: int) -> ModelPage:
    """Decide all that the page of a model shows; the engine lists at most `max_rows` rows."""
    engine = Engine(model, max_rows)
    answers = overview(model, engine=engine)
    normalizations = acceptable(model) if model.thetas else ()
    table = _loss_table(model, answers, engine)
    return ModelPage(
        name=anchor(Path(model.path).stem if model.path else model.title),
        file=Path(model.path).name,
        model=model,
        facts=tuple(model_facts(model)),
        worlds=(*world_sheets(model), *step_sheets(model)),
        answers=tuple(answers),
        overview=_overview(model, answers),
        deltas=_deltas(model, engine),
        atlas=model_atlas(model, engine),
        normalizations=tuple(normalizations),
        acceptable=tuple(acceptance_sheets(normalizations)) if normalizations else (),
        refuted=tuple(sorted(refutations(answers), key=_telling)),
        causal=causal_sheet(model, answers),
        losses=() if table is None else tuple(loss_sheets(_listed(table), beside=True)),
        losses_note=_loss_note(table),
        drawings=(*([(drawn, ())] if (drawn := shown_worlds(model)) else []), *_drawings(answers, table)),
        engine=engine,
    )


def _telling(counterexample: Refuted) -> int:
    """The rank of a counterexample: the attacker's definitions first, then the others as in `TELLING`."""
    definitions = [find(name) for name in counterexample.names]
    kinds = [
        definition.kind
        for definition in definitions
        if definition.measure is HOCKEY_STICK and not definition.own and definition.kind in TELLING
    ]
    return min(map(TELLING.index, kinds), default=len(TELLING))


def _overview(model: Model, answers: Sequence[Verdict]) -> Sheet:
    """Every definition: its verdict for some finite ε, the smallest ε, and the ends of its profile."""
    rows: list[tuple[str, ...]] = []
    for answer in answers:
        cells = [NO_VALUE] * 3
        if answer.tight_epsilon is not None and answer.verdict != "vacuous":
            ends = [answer.delta_or_none(end) for end in (ZERO, INFINITY)]
            cells = [amount(answer.tight_epsilon, DIGITS), *(amount(end, DIGITS) for end in ends)]
        rows.append((answer.definition, Word(answer.verdict), *cells))
    bound = exact_text(answers[0].delta)
    columns = ("definition", "verdict", f"smallest ε at δ = {bound}", "δ at ε = 0", "δ at ε = ∞")
    title = model.restriction.beside("Every definition")
    return Sheet(title, columns, tuple(rows), overview_sheet(model, answers, DIGITS).notes)


def _deltas(model: Model, engine: Engine) -> Sheet:
    """The smallest δ at a few ε, for every definition that applies."""
    rows = []
    answers = {epsilon: overview(model, epsilon=epsilon, engine=engine) for epsilon in EPSILONS}
    for position, first in enumerate(answers[EPSILONS[0]]):
        if first.tight_delta is None:
            continue
        untested = first.verdict == "vacuous"
        deltas = (
            NO_VALUE if untested else amount(answers[epsilon][position].tight_delta, DIGITS) for epsilon in EPSILONS
        )
        rows.append((first.definition, *deltas))
    columns = ("definition", *(f"smallest δ at ε = {epsilon}" for epsilon in EPSILONS))
    empty = [first.definition for first in answers[EPSILONS[0]] if first.verdict == "vacuous"]
    notes = (f"{', '.join(empty)}: {SIGNS['vacuous'].sentence}.",) if empty else ()
    return Sheet("The smallest δ at some ε", columns, tuple(rows), notes=notes)


def _loss_table(model: Model, answers: Sequence[Verdict], engine: Engine) -> LossTable | None:
    """The losses of the record and the values that the first witness, or the tightest comparison, names.

    Its knowledge comes first.
    """
    for answer in answers:
        witness = answer.witness or answer.tightest
        if witness is not None and witness.kind == "conditional":
            table = loss(model, record=witness.record, values=(witness.a, witness.b), engine=engine)
            named = (witness.distribution, witness.knowledge)
            order = sorted(table.knowledge, key=lambda losses: (losses.distribution, losses.knowledge) != named)
            return replace(table, knowledge=tuple(order))
    return None


def _listed(table: LossTable) -> LossTable:
    """The first few knowledge values with short tables: those that the page lists."""
    short = [losses for losses in table.knowledge if len(losses.rows) <= MOST_OUTPUTS]
    return replace(table, knowledge=tuple(short[:MOST_TABLES]))


def _loss_note(table: LossTable | None) -> str:
    """The full command that shows the knowledge values that are left out."""
    unlisted = 0 if table is None else len(table.knowledge) - len(_listed(table).knowledge)
    if table is None or not unlisted:
        return ""
    record = "" if table.record is None else f" --record {table.record}"
    values = "" if _usual(table) else f" --values {quote(table.a.text)} {quote(table.b.text)}"
    more = plural(unlisted, "more knowledge value")
    return f"{more}: `pkdp loss {quote(path_of(table.model) or 'MODEL')}{record}{values}`"


def _usual(table: LossTable) -> bool:
    """Whether `pkdp loss` compares these values where `--values` is left out."""
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
    tested = {
        answer.definition: answer
        for answer in answers
        if answer.has_profile and answer.tight_epsilon is not None and answer.verdict != "vacuous"
    }
    curves = {name: answer.profile for name, answer in tested.items() if isinstance(answer.profile, Profile)}
    drawings: list[tuple[Drawing, tuple[Sheet, ...]]] = []
    if curves:
        shared = {curve.names[0]: " = ".join(curve.names) for curve in merged(list(curves.items()))}
        sheets = tuple(_segments(tested[first], names) for first, names in shared.items())
        drawings.append((profile_drawing(list(curves.items())), sheets))
    active, passive = (_first_curve(curves, look) for look in (ACTIVE, PASSIVE))
    if active is not None and passive is not None and active != passive:
        drawings.append((attackers_drawing(active, passive), (_attackers(active, passive),)))
    losses = loss_drawing(_listed(table), MOST_TABLES) if table is not None else None
    return [*drawings, (losses, ())] if losses is not None else drawings


def _first_curve(curves: Mapping[str, Profile], look: Look) -> Profile | None:
    """The curve of the first definition that looks so: against the active attacker, or the passive one."""
    return next((curve for name, curve in curves.items() if look_of(name) == look), None)


def _segments(answer: Verdict, names: str) -> Sheet:
    """The pieces of a profile, from one breakpoint to the next."""
    sheet = profile_sheet(answer, DIGITS)
    more = len(sheet.rows) - MOST_SEGMENTS
    notes = (f"{more} more pieces.",) if more > 0 else ()
    return Sheet(f"Privacy profile of {names}", sheet.columns, sheet.rows[:MOST_SEGMENTS], notes)


def _attackers(active: Profile, passive: Profile) -> Sheet:
    """Both attackers at a few ε."""
    rows = tuple(
        (epsilon, amount(active.delta(epsilon), DIGITS), amount(passive.delta(epsilon), DIGITS))
        for epsilon in ("0", *EPSILONS, "inf")
    )
    return Sheet("The smallest δ against both attackers", ("ε", "active (apkdp)", "passive (ppkdp)"), rows)
