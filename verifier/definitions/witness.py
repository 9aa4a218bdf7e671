"""The evidence of a verdict: a comparison and a set of outputs that anyone can add up again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.definitions.answer import REPR, Valued
from verifier.model import NOTHING, subject_of
from verifier.numbers import Delta, Enclosure, Epsilon, cut
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


@dataclass(frozen=True)
class Part(Valued):
    """One knowledge value's part in the average of a divergence."""

    knowledge: Label | None
    weight: Fraction
    divergence: Epsilon | Enclosure
    members: int = 1
    """How many knowledge values are counted together; `knowledge` is the first of them."""


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
    the weighted sum over `parts`), and there is no event. Fields that do not apply are None.
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
    value: Delta | Enclosure | Epsilon
    terms: tuple[Share, ...] | None = None
    databases: tuple[tuple[Label, ...], tuple[Label, ...]] | None = None
    direction: str | None = None
    output: Label | None = None
    """The output t whose posteriors are compared; the event is then a set of values of the record."""
    measure: str = "hockey-stick"
    parts: tuple[Part, ...] | None = None
    compared: Compared | None = None
    """The comparison in words, for readers of an answer; it is no part of the evidence."""

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
        if isinstance(self.value, Epsilon):
            return cut(f"<Witness {', '.join(where)}: {self.measure} {self.value.text(24)}>", REPR)
        return cut(f"<Witness {', '.join(where)}: δ {self.value.text(24)} at ε = {self.epsilon.text(24)}>", REPR)

    def fields(self) -> dict[str, Any]:
        """The witness as it stands in an answer."""
        return {
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
            "at_epsilon": self.epsilon,
            "value": self.value,
            "measure": self.measure,
            "direction": self.direction,
            "databases": self.databases,
            "terms": self.parts if self.terms is None else self.terms,
        }
