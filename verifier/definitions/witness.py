"""The evidence of a verdict: a comparison and a set of outputs that anyone can add up again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.definitions.answer import REPR, Valued, Whole
from verifier.definitions.compared_laws import TwoLaws
from verifier.definitions.measures.curves import CURVES
from verifier.model import NOTHING, subject_of
from verifier.numbers import Delta, Enclosure, Epsilon, cut, exact_text
from verifier.tables import Label, values_text


@dataclass(frozen=True)
class Share(Valued):
    """One knowledge value's part in an average: its weight, its own δ, and its outputs with their probabilities.

    δ = P(S) - e^ε·Q(S) (of a tail form P(S)); Q is None where B̂ excludes b.
    """

    knowledge: Label | None
    weight: Fraction
    delta: Delta
    event: tuple[Label, ...]
    probability_a: Fraction
    probability_b: Fraction | None
    members: int = 1
    """How many knowledge values are counted together; `knowledge` is the first of them."""
    laws: TwoLaws | None = None

    def fields(self) -> dict[str, Any]:
        """The event, its probabilities and its weight are never cut."""
        return whole(super().fields())


@dataclass(frozen=True)
class Part(Valued):
    """One knowledge value's part in the average of a divergence."""

    knowledge: Label | None
    weight: Fraction
    divergence: Epsilon | Enclosure
    members: int = 1
    """How many knowledge values are counted together; `knowledge` is the first of them."""
    laws: TwoLaws | None = None
    outputs: tuple[Chances, ...] = ()

    def fields(self) -> dict[str, Any]:
        """The weight is never cut."""
        return whole(super().fields())


@dataclass(frozen=True)
class Chances(Valued):
    """One output with its probabilities under both laws; the second is None where that law does not exist."""

    output: Label
    probability_a: Fraction
    probability_b: Fraction | None

    def fields(self) -> dict[str, Any]:
        """The probabilities are never cut."""
        return whole(super().fields())


@dataclass(frozen=True)
class Piece(Valued):
    """One of several events that fail the bound together.

    Where a share of the pairs of laws may be left out, each pair that needs more has its `laws`, and its share as its
    `weight`. Where outputs may be left out, each choice has what is `left_out`. Of a set of outputs for all priors each
    of two databases has its `laws`.
    """

    event: tuple[Label, ...]
    probability_a: Fraction
    probability_b: Fraction
    laws: TwoLaws | None = None
    weight: Fraction | None = None
    left_out: tuple[Label, ...] | None = None

    def fields(self) -> dict[str, Any]:
        """The fields that apply, none of them cut."""
        return whole({name: value for name, value in super().fields().items() if value is not None})


WHOLE = frozenset({"event", "probability_a", "probability_b", "at_epsilon", "weight", "left_out"})
"""The fields that anyone adds up again, which JSON has in full."""


def whole(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, of which those that are added up again are not cut."""
    return {name: Whole(value) if name in WHOLE else value for name, value in fields.items()}


class Compared(NamedTuple):
    """A comparison in words: a sentence that names both sides, and where P and Q are the probabilities."""

    sentence: str
    sides: tuple[str, str] = ("under the first law", "under the second")
    subject: str = ""
    """What has the probabilities P and Q, with its verb; empty where they are those of the witness's event."""


@dataclass(frozen=True)
class Witness(Valued):
    """A comparison and a set of outputs that anyone can re-add: P(S) - e^ε·Q(S).

    `epsilon` is the ε at which the event is the best; `value` is P(S) - e^ε·Q(S) there, of a tail form P(S) (for an
    average the weighted sum over `terms`). Where the measure is a divergence, both are the divergence (for an average
    the weighted sum over `parts`); the event is then what shows it, such as the output with the largest ratio, and
    where no event does, `chances` has the outputs from which it is computed. Of a condition, which has no ε, `value` is
    by how much the event breaks it. Fields that do not apply are None.

    `laws` says which two laws are compared, `scale` which multiple of ε they are allowed, and `share` how much the
    comparison counts where some may be left out.
    """

    kind: str
    distribution: str | None
    record: int | None
    a: Label | None
    b: Label | None
    knowledge: Label | None
    event: tuple[Label, ...] | None
    probability_a: Fraction | Enclosure | None
    probability_b: Fraction | Enclosure | None
    epsilon: Epsilon
    value: Delta | Enclosure | Epsilon | Fraction
    terms: tuple[Share, ...] | None = None
    databases: tuple[tuple[Label, ...], tuple[Label, ...]] | None = None
    direction: str | None = None
    output: Label | None = None
    """The output t whose posteriors are compared; the event is then a set of values of the record."""
    measure: str = "hockey-stick"
    parts: tuple[Part, ...] | None = None
    compared: Compared | None = None
    """The comparison in words, for readers of an answer; it is no part of the evidence."""
    laws: TwoLaws | None = None
    scale: Fraction | None = None
    share: Fraction | None = None
    pieces: tuple[Piece, ...] | None = None
    chances: tuple[Chances, ...] | None = None

    def with_outputs(self, outputs: Callable[[tuple[Label, ...]], tuple[Label, ...]]) -> Witness:
        """The witness of a curve with the outputs that those of its events stand for, where some were merged."""
        pieces = self.pieces and tuple(
            replace(piece, event=outputs(piece.event), left_out=piece.left_out and outputs(piece.left_out))
            for piece in self.pieces
        )
        terms = self.terms and tuple(replace(term, event=outputs(term.event)) for term in self.terms)
        event = self.event if self.event is None else outputs(self.event)
        return replace(self, event=event, terms=terms, pieces=pieces)

    @property
    def number(self) -> Epsilon | Enclosure | None:
        """What a measure without a δ attains, exactly or enclosed; None where the value is a δ."""
        if isinstance(self.value, Epsilon):
            return self.value
        return self.value if isinstance(self.value, Enclosure) and self.measure not in CURVES else None

    @property
    def excess(self) -> Fraction | None:
        """By how much the event breaks a condition; None where the measure is none."""
        return self.value if isinstance(self.value, Fraction) else None

    def __repr__(self) -> str:
        where = [] if self.distribution is None else [f'"{self.distribution}"']
        if self.record is None and self.databases is not None:
            where.append(" against ".join(map(values_text, self.databases)))
        else:
            where.append(f"{subject_of(self.record)} = {self.a} against {self.b}" if self.a else f"b = {self.b}")
        if self.output is not None:
            where.append(f"t = {self.output}")
        if self.knowledge is not None and self.knowledge != NOTHING:
            where.append(f"B = {self.knowledge}")
        if self.event is not None:
            where.append(f"event {{{', '.join(o.text for o in self.event[:8])}{', …' if len(self.event) > 8 else ''}}}")
        if isinstance(self.value, Fraction):
            return cut(f"<Witness {', '.join(where)}: {self.measure} exceeded by {exact_text(self.value, 24)}>", REPR)
        if isinstance(self.value, Epsilon):
            return cut(f"<Witness {', '.join(where)}: {self.measure} {self.value.text(24)}>", REPR)
        return cut(f"<Witness {', '.join(where)}: δ {self.value.text(24)} at ε = {self.epsilon.text(24)}>", REPR)

    def fields(self) -> dict[str, Any]:
        """The witness as it stands in an answer."""
        listed = (self.terms, self.parts, self.pieces, self.chances)
        return whole(
            {
                "kind": self.kind,
                "distribution": self.distribution,
                "record": self.record,
                "a": self.a,
                "b": self.b,
                "knowledge": self.knowledge,
                "output": self.output,
                "event": self.event,
                "probability_a": self.probability_a,
                "probability_b": self.probability_b,
                "at_epsilon": None if self.excess is not None else self.epsilon,
                "value": self.value,
                "measure": self.measure,
                "direction": self.direction,
                "databases": self.databases,
                "terms": next((terms for terms in listed if terms is not None), None),
                "laws": self.laws,
                "scale": self.scale,
                "share": self.share,
            }
        )
