"""A model file with `[parameters]` as what `check`, `loss` and `acceptable` ask about.

`check --atlas` asks all definitions of DP22: each is answered, or `unsupported` with the reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verifier.cli.common import DEFAULT_ROWS
from verifier.cli.targets import Subject
from verifier.cli.waiting import Tick, counting
from verifier.definitions.answer import header
from verifier.definitions.atlas import atlas
from verifier.engine import MAX_ROWS
from verifier.errors import InputError, LimitError, UndecidedError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import delta_bound, plural
from verifier.questions.atlas import AtlasEntry
from verifier.questions.expect import ExpectationResult
from verifier.show.atlas import DECIDED, asked_and_decided, by_dimension, name_of
from verifier.show.sheet import Sheet
from verifier.wings.families.acceptance import acceptable_family
from verifier.wings.families.answer import VERDICTS, FamilyVerdict, ranges_text
from verifier.wings.families.decide import decide_family, family_passport
from verifier.wings.families.factor import read_factor
from verifier.wings.families.losses import family_losses
from verifier.wings.families.sheets import acceptance_sheet, ends_sheets, family_loss_sheets, family_sheets

if TYPE_CHECKING:
    from verifier.cli.check import Display
    from verifier.cli.targets import CheckQuestion
    from verifier.wings.families.acceptance import FamilyAcceptance
    from verifier.wings.families.losses import FamilyLosses


def compare_family(family: Family, tick: Callable[[int, int], object] | None = None) -> list[ExpectationResult]:
    """Answer every question of the family's file and compare the sets of values, as texts.

    `tick(done, total)` is called after each question.
    """
    outcomes = []
    for promised in family.expected:
        question = {key: promised[key] for key in ("epsilon", "delta", "reading") if key in promised}
        answer = decide_family(family, promised["definition"], **question)  # type: ignore[arg-type]
        differences = tuple(
            (key, promised[key], answer.text(key))
            for key in VERDICTS
            if key in promised and promised[key] != answer.text(key)
        )
        words = " ".join([promised["definition"], *(f"{key}={value}" for key, value in question.items())])
        outcomes.append(ExpectationResult(words, differences))
        if tick:
            tick(len(outcomes), len(family.expected))
    return outcomes


MISSING = "in [policy], which the file does not give"


@dataclass(frozen=True)
class FamilyEntry(AtlasEntry):
    """The answer of one definition about a family, with DP22's key and the dimensions that it changes."""

    verdict: FamilyVerdict  # type: ignore[assignment]


def family_atlas(
    family: Family,
    *,
    epsilon: object = None,
    delta: object = 0,
    max_rows: int = MAX_ROWS,
    tick: Callable[[int, int], object] | None = None,
) -> tuple[FamilyEntry, ...]:
    """Ask all definitions of DP22 about a family, at one ε and δ, in the order of their dimensions.

    A definition without a δ is asked at δ = 0, one without an ε without it, and one that exceeds the limits is
    `unsupported`, as for one model. `tick(done, total)` is called after each definition.

    Raises:
        InputError: for an invalid ε or δ, and for a family that is invalid somewhere in its range.

    """
    entries: list[FamilyEntry] = []
    for key, definition in atlas.items():
        asked: dict[str, Any] = {
            "epsilon": epsilon if definition.has_epsilon else None,
            "delta": delta if definition.has_delta else 0,
        }
        try:
            answer = decide_family(family, definition.key, max_rows=max_rows, **asked)
        except (LimitError, UnsupportedError, UndecidedError) as error:
            factor = None if asked["epsilon"] is None else read_factor(asked["epsilon"], family)
            bound = delta_bound(asked["delta"])
            answer = FamilyVerdict(family, definition.key, "default", factor, bound, "unsupported", str(error))
        entries.append(FamilyEntry(key, atlas.dimensions(key), answer))
        if tick:
            tick(len(entries), len(atlas))
    return tuple(entries)


def family_atlas_sheets(family: Family, entries: Sequence[FamilyEntry], *, in_full: bool) -> list[Sheet]:
    """A table for each dimension: for which values each definition holds; `in_full` with the unsupported ones."""
    listed = [entry for entry in entries if in_full or entry.verdict.verdict != "unsupported"] or list(entries[:1])
    sheets = by_dimension(listed, _table)
    title = family.seen(family.restriction.beside(f"{family.title}: {ranges_text(family)}"))
    sheets[0] = replace(sheets[0], title=f"{title}. {sheets[0].title}" if sheets[0].title else title)
    sheets += ends_sheets([entry.verdict for entry in listed])
    sheets[-1] = replace(sheets[-1], notes=tuple(_notes(entries)))
    return sheets


def family_atlas_sheet(entries: Sequence[FamilyEntry]) -> Sheet:
    """One table with a row for each definition of DP22, by dimension: for which values it holds."""
    return replace(_table(entries), notes=tuple(_notes(entries)))


def _table(entries: Sequence[FamilyEntry]) -> Sheet:
    """The first table of answers, with the names of the definitions in DP22."""
    return family_sheets([replace(entry.verdict, definition=name_of(entry)) for entry in entries])[0]


def _notes(entries: Sequence[FamilyEntry]) -> Iterator[str]:
    """The notes below the tables: the question, how many definitions are decided, and why the others are not."""
    yield from asked_and_decided(entries, (entry.verdict.factor for entry in entries))
    fields: dict[str, list[str]] = defaultdict(list)
    reasons: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.verdict.verdict not in DECIDED and entry.verdict.reason:
            reason = entry.verdict.reason.partition(" Hint: ")[0].removeprefix(f"{entry.verdict.definition} ")
            if MISSING in reason:
                fields[reason.split("`")[1]].append(entry.key)
            else:
                reasons[reason].append(entry.key)
    if fields:
        named = "; ".join(f"{field} ({', '.join(keys)})" for field, keys in fields.items())
        number = plural(sum(map(len, fields.values())), "needs", "need")
        yield f"{number} fields of [policy] that the file does not give: {named}. Hint: pkdp examples --guide format."
    for reason, keys in sorted(reasons.items()):
        yield f"{', '.join(keys)}: {reason}"
    if reasons:
        yield "One model is decided for more definitions: --set fixes each parameter."


@dataclass(frozen=True)
class FamilySubject(Subject):
    """A family of models: an answer says for which values of the parameters a definition holds."""

    family: Family
    max_rows: int = DEFAULT_ROWS
    is_replayed = False

    @property
    def path(self) -> str:  # type: ignore[override]
        """The path of the family's file."""
        return str(self.family.location)

    def refuse(self, options: Mapping[str, bool]) -> None:
        """Refuse options that have no meaning for a family.

        Raises:
            InputError: with the first such option that is used.

        """
        for option, is_used in options.items():
            if is_used:
                raise InputError(
                    f"{option} is for one model",
                    where=self.path,
                    wanted="one model",
                    tip=f"fix each parameter: --set {self.family.names[0]}=1/7",
                )

    def answers(self, question: CheckQuestion) -> list[Any]:
        """For which values of the parameter each definition holds."""
        answers: list[Any] = []
        with counting("definitions", len(question.requests) or None) as tick:
            for parameters, names in question.groups():
                parameters_of_question: dict[str, Any] = {"max_rows": self.max_rows, **parameters}
                answers += family_passport(self.family, definitions=names, **parameters_of_question)
                tick(len(answers))
        return answers

    def replayed(self, answers: list[Any]) -> list[Any]:
        """The answers unchanged: their witnesses are re-checked when they are decided."""
        return answers

    def header(self) -> dict[str, Any]:
        """The header of the JSON object with several answers about the family."""
        return {**header(self.family), **self.family.observed_json}

    def tables(self, answers: list[Any], display: Display, *, alone: bool) -> list[Sheet]:  # noqa: ARG002
        """Where each definition holds; for one definition also the pieces of the smallest δ and ε."""
        return family_sheets(answers)

    def atlas(self, question: CheckQuestion, display: Display, tick: Tick) -> tuple[FamilyEntry, ...]:  # noqa: ARG002
        """The answers of all definitions of DP22: for which values of the parameters each holds."""
        parameters: dict[str, Any] = {"epsilon": question.epsilon, "delta": question.delta}
        return family_atlas(self.family, max_rows=self.max_rows, tick=tick, **parameters)

    def atlas_tables(self, entries: Any, display: Display) -> list[Sheet]:
        """One table for each dimension; for CSV one table."""
        if display.kind == "csv":
            return [family_atlas_sheet(entries)]
        return family_atlas_sheets(self.family, entries, in_full=display.in_full)

    def expectations(self, tick: Tick) -> list[ExpectationResult]:
        """The answers that the file promises, compared with what is computed."""
        return compare_family(self.family, tick)

    def losses(self, record: int | None, values: tuple[str, str] | None) -> FamilyLosses:
        """The privacy losses as closed forms in the parameter."""
        return family_losses(self.family, record, values, self.max_rows)

    def loss_sheets(self, table: FamilyLosses, max_digits: int, digits: int) -> list[Sheet]:  # noqa: ARG002
        """A table for each θ and value of B."""
        return family_loss_sheets(table)

    def acceptable(self) -> Sequence[FamilyAcceptance]:
        """For which values of the parameters each record has an acceptable normalization."""
        return acceptable_family(self.family)

    def acceptable_sheet(self, answers: Sequence[FamilyAcceptance]) -> Sheet:
        """A table with a row for each θ and record."""
        return acceptance_sheet(answers)
