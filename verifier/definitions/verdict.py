"""Verdicts: what was decided, the tightest parameters, and the evidence; no more than was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from verifier.definitions.answer import REPR, Answer, Decimal, columns, header, lines, number
from verifier.definitions.witness import Witness
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Model
from verifier.model.model import Restriction
from verifier.numbers import DIGITS, INFINITY, ZERO, Delta, Enclosure, Epsilon, cut, exact_text, with_decimal
from verifier.profile import Profile, Steps
from verifier.tables import collected

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition
    from verifier.engine import Engine

NO_DELTA = Delta(Fraction(0), Fraction(0), ZERO)


@dataclass(frozen=True)
class Verdict(Answer):
    """The answer to one question about one model.

    `verdict` is `holds`, `fails`, `vacuous`, `undecided` or `unsupported`.
    """

    model: Model
    definition: str
    reading: str
    epsilon: Epsilon | None
    delta: Fraction
    verdict: str
    reason: str | None = None
    tight_delta: Delta | Enclosure | None = None
    tight_epsilon: Epsilon | Enclosure | None = None
    comparisons: int = 0
    multiplicity: int | None = 0
    empty: int = 0
    note: str = ""
    replayed: bool | None = None
    method: str = "table"
    unchecked: str = field(default="", compare=False)
    """Why the checker did not decide the answer again; where it did, what it took over or left out."""
    restricts: bool = field(default=True, compare=False, repr=False)
    """Whether what `[sensitive]` protects plays a part in what the definition compares on the model."""
    _witness: Callable[[], Witness] | None = field(default=None, compare=False, repr=False)
    _tightest: Callable[[], Witness] | None = field(default=None, compare=False, repr=False)
    _profile: Callable[[], Profile | Steps] | None = field(default=None, compare=False, repr=False)
    _at: Callable[[Epsilon], Delta | Enclosure] | None = field(default=None, compare=False, repr=False)

    @cached_property
    def witness(self) -> Witness | None:
        """Where the answer is `fails`: a comparison and a set of outputs that anyone can re-add."""
        return self._witness() if self._witness else None

    @cached_property
    def tightest(self) -> Witness | None:
        """Where the answer is `holds`: the comparison closest to failing, and the outputs that attain it."""
        return self._tightest() if self._tightest else None

    def delta_at(self, epsilon: Epsilon) -> Delta | Enclosure:
        """The smallest δ at any ε, from the whole profile, or computed for this ε.

        Raises:
            UnsupportedError: if the measure has no δ, or nothing was decided.

        """
        return self._at(epsilon) if self._at else self.profile.delta(epsilon)

    def delta_or_none(self, epsilon: Epsilon) -> Delta | Enclosure | None:
        """The smallest δ at any ε; None where that alone would exceed the limits, or the measure has no δ."""
        if self._at is None and self._profile is None:
            return None
        try:
            return self.delta_at(epsilon)
        except LimitError:
            return None

    def numbers(self) -> list[str]:
        """The smallest ε, and δ at the asked ε, or at ε = 0 and at ε = ∞ where none was asked, as text; else dashes."""
        if self.tight_epsilon is None or self.verdict == "vacuous":
            return [number(None)] * (3 if self.epsilon is None else 2)
        asked = (
            [self.tight_delta] if self.epsilon is not None else [self.delta_or_none(end) for end in (ZERO, INFINITY)]
        )
        return [number(value) for value in (self.tight_epsilon, *asked)]

    @property
    def restriction(self) -> Restriction:
        """The records, or the function, to which the answer is restricted; of none where these play no part in it."""
        return self.model.restriction if self.restricts else Restriction(None)

    @property
    def restricted_verdict(self) -> str:
        """The verdict, and what it is restricted to: `holds, restricted to record 3`."""
        return self.restriction.beside(self.verdict)

    @property
    def restricted_to(self) -> list[int] | dict[str, int] | str | None:
        """The only records that are protected, or `rows` of a function, as in `to_json`; None where every record is."""
        protected: list[int] | dict[str, int] | str | None = self.restriction.json.get("restricted_to")
        return protected

    @property
    def has_profile(self) -> bool:
        """Whether the whole profile is known, and not only single points of it."""
        return self._profile is not None

    @cached_property
    def profile(self) -> Profile | Steps:
        """The whole privacy profile: δ as a function of ε, the maximum over all comparisons.

        Raises:
            UnsupportedError: if only single points of the profile are known, or the measure has no δ.

        """
        if self._profile is None and self._at:
            raise UnsupportedError(
                f"the whole profile of {self.definition} is not known, only its value at each ε",
                wanted="an answer with .has_profile",
                tip='answer.delta_at(pk.epsilon("ln(2)")) is the smallest δ at one ε',
            )
        if self._profile is None:
            why = self.reason or "its measure is one number"
            raise UnsupportedError(f"{self.definition} has no profile: {why}", wanted="an answer with .has_profile")
        return self._profile()

    def _asked(self, reading: str, at: str, delta: str) -> str:
        return self.restriction.beside(f"{self.definition}{reading} {self.verdict}{at}, δ = {delta}")

    def __repr__(self) -> str:
        reading = "" if self.reading == "default" else f" ({self.reading})"
        at = "" if self.epsilon is None else f" at ε = {self.epsilon.text(24)}"
        details = [] if self.tight_delta is None or at == "" else [f"smallest δ {self.tight_delta.text(24)}"]
        if self.tight_epsilon is not None:
            details.append(f"smallest ε {self.tight_epsilon.text(24)}")
        if self.reason:
            details = [self.reason]
        asked = self._asked(reading, at, exact_text(self.delta, 24))
        return cut(f"<Verdict {asked}{': ' if details else ''}{', '.join(details)}>", REPR)

    def fields(self) -> dict[str, Any]:
        """The answer as `pkdp check --json` prints it."""
        return {
            **header(self.model),
            "definition": self.definition,
            "reading": self.reading,
            "method": self.method,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "verdict": self.verdict,
            **self.restriction.json,
            "reason": self.reason,
            "tight_delta": self.tight_delta,
            "tight_delta_decimal": Decimal(self.tight_delta),
            "tight_epsilon": self.tight_epsilon,
            "tight_epsilon_decimal": Decimal(self.tight_epsilon),
            "comparisons": self.comparisons,
            "multiplicity": self.multiplicity,
            "empty": self.empty,
            "witness": self.witness,
            "tightest": self.tightest,
            "note": self.note or None,
            "replayed": self.replayed,
        }

    def __str__(self) -> str:
        at = "" if self.epsilon is None else f" at ε = {self.epsilon}"
        parts = [self._asked("", at, exact_text(self.delta))]
        tested = self.verdict != "vacuous"
        if tested and self.tight_delta is not None:
            parts.append(f"smallest δ {with_decimal(self.tight_delta)}")
        if tested and self.tight_epsilon is not None:
            parts.append(f"smallest ε {with_decimal(self.tight_epsilon)}")
        if self.reason:
            parts.append(self.reason)
        return "; ".join(parts)


@dataclass(frozen=True)
class Question:
    """What is asked of a definition on an engine's model: ε in nats, or some finite one for None, δ, and a reading.

    `digits` is the number of certain digits of an enclosure, where the engine encloses.
    """

    engine: Engine
    definition: Definition
    epsilon: Epsilon | None
    delta: Fraction
    reading: str
    digits: int = DIGITS

    @property
    def answer(self) -> partial[Verdict]:
        """The verdict on the question, up to what is decided: its word, the reason and the numbers."""
        definition, model = self.definition, self.engine.model
        asked = partial(Verdict, model, definition.key, self.reading, self.epsilon, self.delta, note=definition.note)
        return partial(asked, restricts=definition.comparisons.restricted_by_secrets(model))


class Overview(tuple[Verdict, ...]):
    """The verdicts of an overview's definitions on one model, in the order of the overview."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(repr(answer) for answer in self) or "<Overview without verdicts>"

    def __str__(self) -> str:
        """A table of plain text: each definition, its verdict, the smallest ε and δ; then the reasons."""
        if not self:
            return repr(self)
        model, epsilon, delta = self[0].model, self[0].epsilon, self[0].delta
        asked = "for some finite ε" if epsilon is None else f"at ε = {epsilon.text(24)}"
        deltas = ["δ at ε = 0", "δ at ε = inf"] if epsilon is None else ["smallest δ"]
        heads = ["definition", "verdict", "smallest ε", *deltas]
        rows = [[answer.definition, answer.verdict, *answer.numbers()] for answer in self]
        reasons = collected((answer.reason, answer.definition) for answer in self if answer.reason)
        return "\n".join(
            [
                *lines(model.restriction.beside(model.title)),
                f"Asked {asked}, with δ = {exact_text(delta, 24)}.",
                columns(heads, rows),
                *(line for reason, names in reasons.items() for line in lines(f"{', '.join(names)}: {reason}")),
            ]
        )
