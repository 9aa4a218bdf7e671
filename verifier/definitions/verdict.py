"""Verdicts: what was decided, the tightest parameters, and the evidence; no more than was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from verifier.errors import LimitError
from verifier.model import NOTHING, Model, subject_of
from verifier.numbers import DIGITS, ZERO, Delta, Enclosure, Epsilon, cut, decimal_of, exact_text
from verifier.profile import Profile, Steps
from verifier.tables import Label
from verifier.version import VERSION

VERDICTS = ("holds", "fails", "vacuous", "undecided", "unsupported")
NO_DELTA = Delta(Fraction(0), Fraction(0), ZERO)
NOTHING_COMPARED = "nothing is compared: nowhere are two sensitive values possible with what is known"
REPR = 240
"""Most characters of an object on one line."""
EXIT_STATUS = {"holds": 0, "vacuous": 0, "fails": 1, "undecided": 3, "unsupported": 3}


@dataclass(frozen=True)
class Share:
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
class Part:
    """One knowledge value's part in the average of a divergence."""

    knowledge: Label | None
    weight: Fraction
    divergence: Epsilon
    members: int = 1
    """How many knowledge values are counted together; `knowledge` is the first of them."""


@dataclass(frozen=True)
class Witness:
    """A comparison and a set of outputs that anyone can re-add: P(S) - e^ε·Q(S).

    `epsilon` is the ε at which the event is the best; `value` is P(S) - e^ε·Q(S) there (for an average the
    weighted sum over `terms`). Where the measure is a divergence, both are the divergence (for an average the weighted
    sum over `parts`), and there is no event. Fields that do not apply are None.
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

    def __repr__(self) -> str:
        where = [] if self.distribution is None else [f'"{self.distribution}"']
        if self.record is None and self.databases is not None:
            where.append(" against ".join(f"[{', '.join(v.text for v in one)}]" for one in self.databases))
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

    def to_json(self, max_digits: int = 200) -> dict[str, Any]:
        """The witness as it stands in an answer."""
        return {
            "kind": self.kind,
            "distribution": self.distribution,
            "record": self.record,
            "a": None if self.a is None else self.a.shown,
            "b": None if self.b is None else self.b.shown,
            "knowledge": shown(self.knowledge),
            "output": None if self.output is None else self.output.shown,
            "event": None if self.event is None else [o.shown for o in self.event],
            "probability_a": probability_text(self.probability_a, max_digits),
            "probability_b": probability_text(self.probability_b, max_digits),
            "at_epsilon": self.epsilon.text(max_digits),
            "value": self.value.text(max_digits),
            "measure": self.measure,
            "direction": self.direction,
            "databases": None
            if self.databases is None
            else [[one.shown for one in database] for database in self.databases],
            "terms": self._terms(max_digits),
        }

    def _terms(self, max_digits: int) -> list[dict[str, Any]] | None:
        """The knowledge values of an average, each with its weight and what it adds."""
        if self.terms is not None:
            return [
                {
                    "knowledge": shown(term.knowledge),
                    "weight": exact_text(term.weight, max_digits),
                    "delta": term.delta.text(max_digits),
                    "event": [o.shown for o in term.event],
                    "probability_a": exact_text(term.probability_a, max_digits),
                    "probability_b": probability_text(term.probability_b, max_digits),
                    "members": term.members,
                }
                for term in self.terms
            ]
        if self.parts is None:
            return None
        return [
            {
                "knowledge": shown(part.knowledge),
                "weight": exact_text(part.weight, max_digits),
                "divergence": part.divergence.text(max_digits),
                "members": part.members,
            }
            for part in self.parts
        ]


def probability_text(value: Fraction | Enclosure | None, max_digits: int = 200) -> str | None:
    """A probability, exactly or between its ends; None where there is none."""
    if value is None:
        return None
    return value.text(max_digits) if isinstance(value, Enclosure) else exact_text(value, max_digits)


def shown(knowledge: Label | None) -> Any:
    """A knowledge value for JSON; knowing nothing is null."""
    return None if knowledge is None or knowledge == NOTHING else knowledge.shown


@dataclass(frozen=True)
class Verdict:
    """The answer to one question about one model.

    A verdict has no truth value, since five answers are possible: ask for `.verdict == "holds"`.
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
    _witness: Callable[[], Witness] | None = field(default=None, compare=False, repr=False)
    _tightest: Callable[[], Witness] | None = field(default=None, compare=False, repr=False)
    _profile: Callable[[], Profile | Steps] | None = field(default=None, compare=False, repr=False)
    _at: Callable[[Epsilon], Delta | Enclosure] | None = field(default=None, compare=False, repr=False)

    def __bool__(self) -> bool:
        """Refuse to be a truth value."""
        raise TypeError(
            "a verdict is holds, fails, vacuous, undecided or unsupported, not true or false; "
            'Tip: write verdict.verdict == "holds"'
        )

    @cached_property
    def witness(self) -> Witness | None:
        """Where the answer is `fails`: a comparison and a set of outputs that anyone can re-add."""
        return self._witness() if self._witness else None

    @cached_property
    def tightest(self) -> Witness | None:
        """Where the answer is `holds`: the comparison that is closest, and the outputs that attain it."""
        return self._tightest() if self._tightest else None

    def delta_at(self, epsilon: Epsilon) -> Delta | Enclosure:
        """The smallest δ at any ε: a look-up on the profile, or an enclosure."""
        return self._at(epsilon) if self._at else self.profile.delta(epsilon)

    def delta_or_none(self, epsilon: Epsilon) -> Delta | Enclosure | None:
        """The smallest δ at any ε; None where that alone would exceed the limits, or the measure has no δ."""
        if self._at is None and self._profile is None:
            return None
        try:
            return self.delta_at(epsilon)
        except LimitError:
            return None

    @property
    def said(self) -> str:
        """The verdict, and what it is restricted to: `holds, restricted to record 3`."""
        return self.model.restriction.beside(self.verdict)

    @property
    def restricted_to(self) -> list[int] | dict[str, int] | str | None:
        """What alone is protected, as `to_json` says it: records, or `rows` of a function; None: every record."""
        found: list[int] | dict[str, int] | str | None = self.model.restriction.json.get("restricted_to")
        return found

    @property
    def has_profile(self) -> bool:
        """Whether the whole profile is known, and not only single points of it."""
        return self._profile is not None

    @cached_property
    def profile(self) -> Profile | Steps:
        """The whole privacy profile: the maximum over all comparisons."""
        if self._profile is None:
            why = "only enclosures at each ε" if self._at else "the measure is one number, or nothing was decided"
            raise ValueError(f"there is no whole profile: {self.reason or why}")
        return self._profile()

    def _asked(self, reading: str, at: str, delta: str) -> str:
        return self.model.restriction.beside(f"{self.definition}{reading} {self.verdict}{at}, δ = {delta}")

    @property
    def exit_status(self) -> int:
        """The exit status of the command line."""
        return EXIT_STATUS[self.verdict]

    def __repr__(self) -> str:
        reading = "" if self.reading == "default" else f" ({self.reading})"
        at = "" if self.epsilon is None else f" at ε = {self.epsilon.text(24)}"
        found = [] if self.tight_delta is None or at == "" else [f"smallest δ {self.tight_delta.text(24)}"]
        if self.tight_epsilon is not None:
            found.append(f"smallest ε {self.tight_epsilon.text(24)}")
        if self.reason:
            found = [self.reason]
        asked = self._asked(reading, at, exact_text(self.delta, 24))
        return cut(f"<Verdict {asked}{': ' if found else ''}{', '.join(found)}>", REPR)

    def to_json(self, max_digits: int = 200, digits: int = DIGITS) -> dict[str, Any]:
        """The answer as `pkdp check --json` prints it."""
        tight_delta, tight_epsilon = self.tight_delta, self.tight_epsilon
        return {
            "schema": 1,
            "version": VERSION,
            "model": self.model.path or self.model.title,
            "sha256": self.model.sha256 or None,
            "definition": self.definition,
            "reading": self.reading,
            "method": self.method,
            "epsilon": None if self.epsilon is None else self.epsilon.text(max_digits),
            "delta": exact_text(self.delta, max_digits),
            "verdict": self.verdict,
            **self.model.restriction.json,
            "reason": self.reason,
            "tight_delta": None if tight_delta is None else tight_delta.text(max_digits),
            "tight_delta_decimal": None if tight_delta is None else tight_delta.decimal(digits),
            "tight_epsilon": None if tight_epsilon is None else tight_epsilon.text(max_digits),
            "tight_epsilon_decimal": None if tight_epsilon is None else tight_epsilon.decimal(digits),
            "comparisons": self.comparisons,
            "multiplicity": self.multiplicity,
            "empty": self.empty,
            "witness": self.witness.to_json(max_digits) if self.witness else None,
            "tightest": self.tightest.to_json(max_digits) if self.tightest else None,
            "note": self.note or None,
            "replayed": self.replayed,
        }

    def __str__(self) -> str:
        at = "" if self.epsilon is None else f" at ε = {self.epsilon}"
        parts = [self._asked("", at, exact_text(self.delta))]
        tested = self.verdict != "vacuous"
        if tested and self.tight_delta is not None:
            parts.append(f"smallest δ {_with_decimal(self.tight_delta)}")
        if tested and self.tight_epsilon is not None:
            parts.append(f"smallest ε {_with_decimal(self.tight_epsilon)}")
        if self.reason:
            parts.append(self.reason)
        return "; ".join(parts)


class Passport(tuple[Verdict, ...]):
    """The verdicts of all definitions on one model, in their order."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(repr(answer) for answer in self) or "<Passport without verdicts>"


def _with_decimal(value: Delta | Enclosure | Epsilon) -> str:
    """An exact value, with its decimal where that is another text."""
    exact, decimal = value.text(), value.decimal()
    return exact if exact == decimal else f"{exact} ({decimal})"


def both(value: Fraction | Enclosure) -> str:
    """An exact value with its decimal beside it; of an enclosure both ends.

    >>> both(Fraction(3, 64)), both(Fraction(2))
    ('3/64 (0.046875)', '2')
    """
    if isinstance(value, Enclosure):
        return value.text()
    exact, decimal = exact_text(value), decimal_of(value)
    return exact if exact == decimal else f"{exact} ({decimal})"
