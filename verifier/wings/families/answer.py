"""The answer about a family of models: the question, where which verdict holds, and the smallest δ and ε."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from verifier.definitions import Definition, Verdict
from verifier.definitions.answer import Answer, header
from verifier.model.neighbours import NamedRelation
from verifier.model.parameters import Family
from verifier.numbers import exact_text
from verifier.questions.check import check
from verifier.wings.families.curves import Piece
from verifier.wings.families.factor import ParametricEpsilon
from verifier.wings.families.formulas import formula, perfect_power
from verifier.wings.families.intervals import Interval, text_of
from verifier.wings.families.pairs import UNSCALED
from verifier.wings.families.points import ONE, Point, point_text

VERDICTS = ("holds", "fails", "vacuous", "undecided")
NOWHERE: Mapping[str, tuple[Interval, ...]] = dict.fromkeys(VERDICTS, ())


def ranges_text(family: Family) -> str:
    """The ranges of a family's free parameters, and its conditions, as text."""
    return ", ".join(map(str, (*family.parameters, *family.side)))


@dataclass(frozen=True)
class FamilyVerdict(Answer):
    """Where a definition holds, fails, is vacuous, or was not decided; and the smallest δ and ε as pieces.

    `verdict` is the worst of these that some value has, or `unsupported` with the `reason`.
    `witness` is a value of the parameter at which it fails, with the answer about that model, which is re-checked.
    The value of a piece of `tight_epsilon` is e^(unit·ε), with unit 1 unless comparisons are allowed multiples of ε;
    if `linear`, it is ε itself.
    """

    family: Family
    definition: str
    reading: str
    factor: ParametricEpsilon | None
    delta: Fraction
    verdict: str
    reason: str = ""
    where: Mapping[str, tuple[Interval, ...]] = field(default_factory=lambda: NOWHERE)
    tight_delta: tuple[Piece, ...] | None = None
    tight_epsilon: tuple[Piece, ...] | None = None
    witness: tuple[Fraction, Verdict] | None = None
    unit: Fraction = UNSCALED
    linear: bool = False
    relation: NamedRelation | None = field(default=None, compare=False, repr=False)
    """What is a step from a database to the neighbours that are compared; None where other laws are compared."""

    @property
    def name(self) -> str:
        """The name of the only parameter."""
        return self.family.names[0]

    @property
    def question_text(self) -> str:
        """The question as text, such as `np at ε = ln(2), δ = 0`, with the neighbours where databases are compared."""
        at_epsilon = f" at ε = {self.factor}" if self.factor else ""
        neighbours = "" if self.relation is None else f", when {self.relation.words}"
        asked = self.family.restriction.beside(f"{self.definition}{at_epsilon}, δ = {exact_text(self.delta)}")
        return self.family.seen(f"{asked}{neighbours}")

    def at(self, definition: Definition, value: Fraction) -> Verdict:
        """The answer to the question about the model at a value of the parameter, which the checker re-checks."""
        epsilon = None if self.factor is None else self.factor.epsilon_at(value)
        model = self.family.at({self.name: value})
        return check(model, definition, epsilon=epsilon, delta=self.delta, reading=self.reading)

    def failing(self, definition: Definition, value: Fraction) -> Verdict:
        """The answer about the model at a value at which the family fails.

        Raises:
            ArithmeticError: for a model that does not fail.

        """
        answer = self.at(definition, value)
        if answer.verdict != "fails":
            at = f"{self.name} = {exact_text(value)}"
            raise ArithmeticError(f"the family fails at {at}, and the model there {answer.verdict}")
        return answer

    def text(self, which: str, show: Callable[[Point], str] = point_text) -> str:
        """The set of parameter values with one of the four verdicts, in words; `show` formats the ends."""
        return text_of(self.where[which], self.name, show)

    def __str__(self) -> str:
        if self.reason:
            return f"{self.definition} is unsupported: {self.reason}"
        verdict_texts = [f"{verdict} for {self.text(verdict)}" for verdict in VERDICTS if self.where[verdict]]
        return f"{self.question_text}: {'; '.join(verdict_texts)}"

    def fields(self) -> dict[str, Any]:
        """One object of `pkdp check --json` for a family."""
        return {
            **header(self.family),
            "sha256": self.family.sha256,
            "parameters": [str(parameter) for parameter in self.family.parameters],
            **self.family.restriction.json,
            **self.family.observed_json,
            "fixed": self.family.fixed_values,
            "conditions": [str(condition) for condition in self.family.side],
            "definition": self.definition,
            "relation": None if self.relation is None else self.relation.name,
            "reading": self.reading,
            "method": "symbolic",
            "epsilon": None if self.factor is None else str(self.factor),
            "delta": self.delta,
            "verdict": self.verdict,
            "reason": self.reason or None,
            "where": {verdict: [interval.text(self.name) for interval in self.where[verdict]] for verdict in VERDICTS},
            "tight_delta": self._pieces(self.tight_delta, partial(delta_text, self.name)),
            "tight_epsilon": self._pieces(self.tight_epsilon, partial(epsilon_text, self)),
            "witness": None if self.witness is None else {self.name: self.witness[0], "answer": self.witness[1]},
        }

    def _pieces(self, pieces: Sequence[Piece] | None, show: Any) -> list[dict[str, str]] | None:
        if pieces is None:
            return None
        return [{"where": piece.where.text(self.name), "value": show(piece)} for piece in pieces]


def delta_text(name: str, piece: Piece) -> str:
    """The smallest δ on a piece, as a formula in the parameter."""
    return "inf" if piece.value is None else piece.value.text(name, _inside(piece))


def epsilon_text(answer: FamilyVerdict, piece: Piece) -> str:
    """The smallest ε on a piece, in nats, as a formula in the parameter."""
    if piece.value is None:
        return "inf"
    if answer.linear:
        return piece.value.text(answer.name, _inside(piece))
    if piece.value.a == ONE:
        return "0"
    value, power = piece.value.a, 1
    if answer.unit != 1 and isinstance(piece.where.sample, Fraction):
        value, power = perfect_power(value, piece.where.sample)
    multiple = "" if answer.unit == power else f"{exact_text(power / answer.unit)}*"
    return f"{multiple}ln({formula(value, answer.name, _inside(piece))})"


def _inside(piece: Piece) -> Fraction:
    sample = piece.where.sample
    return sample if isinstance(sample, Fraction) else Fraction(1, 2)
