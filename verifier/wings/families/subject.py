"""A model file with `[parameters]` as what `check`, `loss` and `acceptable` ask about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.cli.common import DEFAULT_ROWS
from verifier.cli.subjects import Subject
from verifier.cli.waiting import Tick, counting
from verifier.definitions.answer import header
from verifier.errors import InputError
from verifier.model.parameters import Family

if TYPE_CHECKING:
    from verifier.cli.check import Display
    from verifier.cli.question import CheckQuestion
    from verifier.questions.expect import ExpectationResult
    from verifier.show.sheet import Sheet
    from verifier.wings.families.accepted import FamilyAcceptance
    from verifier.wings.families.atlas import FamilyEntry
    from verifier.wings.families.losses import FamilyLosses


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
                    f"given {option}",
                    where=self.path,
                    wanted="one model",
                    tip=f"fix each parameter: --set {self.family.names[0]}=1/7",
                )

    def answers(self, question: CheckQuestion) -> list[Any]:
        """For which values of the parameters each definition holds."""
        from verifier.wings.families.passport import family_passport

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
        return header(self.family)

    def tables(self, answers: list[Any], display: Display, *, alone: bool) -> list[Sheet]:  # noqa: ARG002
        """Where each definition holds; for one definition and one parameter also the pieces of the smallest δ and ε."""
        from verifier.wings.families.sheets import verdict_sheets

        return verdict_sheets(self.family, answers)

    def atlas(self, question: CheckQuestion, display: Display, tick: Tick) -> tuple[FamilyEntry, ...]:  # noqa: ARG002
        """The answers of all definitions of DP22: for which values of the parameters each holds."""
        from verifier.wings.families.atlas import family_atlas

        parameters: dict[str, Any] = {"epsilon": question.epsilon, "delta": question.delta}
        return family_atlas(self.family, max_rows=self.max_rows, tick=tick, **parameters)

    def atlas_tables(self, entries: Any, display: Display) -> list[Sheet]:
        """One table for each dimension; for CSV one table."""
        from verifier.wings.families.atlas import family_atlas_sheet, family_atlas_sheets

        if display.kind == "csv":
            return [family_atlas_sheet(self.family, entries)]
        return family_atlas_sheets(self.family, entries, in_full=display.in_full)

    def expectations(self, tick: Tick) -> list[ExpectationResult]:
        """The answers that the file promises, compared with what is computed."""
        from verifier.wings.families.expect import compare_family

        return compare_family(self.family, tick)

    def losses(self, record: int | None, values: tuple[str, str] | None) -> FamilyLosses:
        """The privacy losses as closed forms in the parameter."""
        from verifier.wings.families.losses import family_losses

        return family_losses(self.family, record, values, self.max_rows)

    def loss_sheets(self, table: FamilyLosses, max_digits: int, digits: int) -> list[Sheet]:  # noqa: ARG002
        """A table for each θ and value of B."""
        from verifier.wings.families.sheets import family_loss_sheets

        return family_loss_sheets(table)

    def acceptable(self) -> Sequence[FamilyAcceptance]:
        """For which values of the parameters each record has an acceptable normalization."""
        from verifier.wings.families.acceptance import acceptable_family

        return acceptable_family(self.family)

    def acceptable_sheet(self, answers: Sequence[FamilyAcceptance]) -> Sheet:
        """A table with a row for each θ and record."""
        from verifier.wings.families.sheets import acceptance_sheet

        return acceptance_sheet(answers)
