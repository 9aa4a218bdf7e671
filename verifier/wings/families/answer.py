"""An answer about a family of models: the header of the family, the question, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.definitions import Definition, Verdict
from verifier.definitions.answer import Answer, header
from verifier.model.parameters import Family
from verifier.numbers import exact_text
from verifier.questions.check import check
from verifier.wings.families.factor import ParametricEpsilon


def family_header(family: Family) -> dict[str, Any]:
    """The header of an answer about a family: title, file with its hash, parameters and their ranges, fixed values."""
    return {
        **header(family),
        "sha256": family.sha256,
        "parameters": [str(parameter) for parameter in family.parameters],
        **family.restriction.json,
        "fixed": family.fixed_values,
    }


def ranges_text(family: Family) -> str:
    """The ranges of a family's parameters, and its conditions, as text."""
    return ", ".join(map(str, (*family.parameters, *family.side)))


def values_text(values: Mapping[str, Fraction]) -> str:
    """Values of parameters as text, such as `p = 1/2, q = 1/3`."""
    return ", ".join(f"{name} = {exact_text(value)}" for name, value in values.items())


@dataclass(frozen=True)
class FamilyAnswer(Answer):
    """The answer to a question about a family: holds, fails, vacuous, undecided or unsupported, with the reason."""

    family: Family
    definition: str
    reading: str
    factor: ParametricEpsilon | None
    delta: Fraction
    verdict: str
    reason: str = ""

    @property
    def question_text(self) -> str:
        """The question as text, such as `np at ε = ln(2), δ = 0`."""
        at_epsilon = f" at ε = {self.factor}" if self.factor else ""
        return self.family.restriction.beside(f"{self.definition}{at_epsilon}, δ = {exact_text(self.delta)}")

    def at(self, definition: Definition, values: Mapping[str, Fraction]) -> Verdict:
        """The answer to the question about the model at values of the parameters, which the checker re-checks."""
        at = (values[name] for name in self.family.names)
        epsilon = None if self.factor is None else self.factor.epsilon_at(*at)
        return check(self.family.at(values), definition, epsilon=epsilon, delta=self.delta, reading=self.reading)

    def failing(self, definition: Definition, values: Mapping[str, Fraction]) -> Verdict:
        """The answer about the model at values at which the family fails.

        Raises:
            ArithmeticError: for a model that does not fail.

        """
        answer = self.at(definition, values)
        if answer.verdict != "fails":
            raise ArithmeticError(f"the family fails at {values_text(values)}, and the model there {answer.verdict}")
        return answer

    def question_fields(self, method: str) -> dict[str, Any]:
        """The header and the question, the first fields of the object of `pkdp check --json`."""
        return {
            **family_header(self.family),
            "conditions": [str(condition) for condition in self.family.side],
            "definition": self.definition,
            "reading": self.reading,
            "method": method,
            "epsilon": None if self.factor is None else str(self.factor),
            "delta": self.delta,
            "verdict": self.verdict,
            "reason": self.reason or None,
        }
