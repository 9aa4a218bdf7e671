"""Verdicts: what was decided, the tightest parameters, and the evidence; no more than was done.

The evidence is a witness: a comparison and a set of outputs that anyone can add up again. It names the two laws that it
compares as data (`ComparedLaw`), so that anyone can make them again from the model file: `models/FORMAT.md` (*Laws of a
witness*) says how to read the fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from verifier.definitions.answer import REPR, Answer, Decimal, Valued, Whole, columns, header, json_of, lines, number
from verifier.definitions.comparison import CURVES
from verifier.definitions.gain import Gain, gains
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, UnsupportedError, one_of
from verifier.model import NOTHING, Model, subject_of
from verifier.model.model import Restriction
from verifier.model.neighbours import NamedRelation
from verifier.numbers import DIGITS, INFINITY, ZERO, Delta, Enclosure, Epsilon, cut, exact_text, shorten, with_decimal
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import Profile, Steps
from verifier.tables import Label, collected, runs_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verifier.definitions.definition import Definition
    from verifier.model import Database, Model

RECORD, DATABASE, ELEMENT, RECODING = "record", "database", "element", "recoding"
"""What a law is of, where it is not of outputs: D(i), D, whether some record has a value, which recoding is chosen."""


@dataclass(frozen=True)
class Chance(Valued):
    """A database with its probability."""

    database: tuple[Label, ...]
    probability: Fraction

    def fields(self) -> dict[str, Any]:
        """The probability is never cut."""
        return {"database": self.database, "probability": Whole(self.probability)}


@dataclass(frozen=True)
class KnownValue(Valued):
    """The value of a record that the attacker knows beside B̂."""

    record: int
    value: Label


@dataclass(frozen=True)
class ComparedLaw(Valued):
    """One of the two laws of a comparison; fields that do not apply are None, and left out of JSON.

    D is drawn from `databases`, or from θ (`distribution`) given what the next fields say; then `record` is set to
    `set_to`; then M is run on D. What is compared is the law of the output, or what `about` names, given what the
    attacker sees.
    """

    databases: tuple[Chance, ...] | None = None
    distribution: str | None = None
    knowledge: Label | None = None
    given: tuple[KnownValue, ...] | None = None
    """Other records that are known."""
    record: int | None = None
    value: Label | None = None
    """The value of the record, or of the protected function where there is no record."""
    present: bool | None = None
    """Whether the record is there: its value is not `absent`."""
    secret: tuple[int, int] | None = None
    """D satisfies a predicate of `[policy] secrets`: the number of the pair, and 0 or 1."""
    set_to: Label | None = None
    about: str | None = None
    """What the law is of where it is not of the output: `record`, `database`, `element`, `recoding`."""
    element: Label | None = None
    output: Label | None = None
    """The output that is seen: the law is then a belief."""
    leak: Label | None = None
    """What has leaked of the output."""
    image: bool | None = None
    """Whether only the image of the output is seen."""
    group: tuple[int, ...] | None = None
    """The clients that see the output together, each by its view."""
    dependency: str | None = None
    """Which of two mechanisms depends on the other: the law is the measure R = P·e^(-Dep)."""

    def fields(self) -> dict[str, Any]:
        """The fields that apply."""
        return {name: value for name, value in super().fields().items() if value is not None and value != NOTHING}


TwoLaws: TypeAlias = tuple[ComparedLaw, ComparedLaw]


def law_on(model: Model, weights: Iterable[tuple[Database, int]]) -> ComparedLaw:
    """The law of M(D) for D from a law on databases, given as weights."""
    listed = [(database, weight) for database, weight in weights if weight]
    total = sum(weight for _, weight in listed)
    return ComparedLaw(
        tuple(Chance(tuple(model.values[v] for v in d), Fraction(int(weight), int(total))) for d, weight in listed)
    )


def laws_on_two(model: Model, databases: tuple[Database, Database]) -> TwoLaws:
    """The laws of M(D) for each of two databases."""
    first, second = (law_on(model, [(database, 1)]) for database in databases)
    return first, second


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
            where.append(" against ".join(map(runs_text, self.databases)))
        else:
            where.append(f"{subject_of(self.record)} = {self.a} against {self.b}" if self.a else f"b = {self.b}")
        if self.output is not None:
            where.append(f"t = {self.output}")
        if self.knowledge is not None and self.knowledge != NOTHING:
            where.append(f"B = {runs_text(self.knowledge.entries or (self.knowledge,), self.knowledge.text)}")
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
    relation: NamedRelation | None = field(default=None, compare=False, repr=False)
    """What is a step from a database to the neighbours that are compared; None where other laws are compared."""
    restricts: bool = field(default=True, compare=False, repr=False)
    """Whether what `[sensitive]` protects plays a part in what the definition compares on the model."""
    _witness: Callable[[], Witness] | None = field(default=None, compare=False, repr=False)
    _tightest: Callable[[], Witness] | None = field(default=None, compare=False, repr=False)
    _profile: Callable[[], Profile | Steps] | None = field(default=None, compare=False, repr=False)
    _at: Callable[[Epsilon], Delta | Enclosure] | None = field(default=None, compare=False, repr=False)

    if TYPE_CHECKING:  # `verifier.show.on_demand` gives it, since this room comes before that one

        def worlds(self) -> Any:
            """Draw the worlds that the answer is about, with `.save(path)`."""

    @cached_property
    def witness(self) -> Witness | None:
        """Where the answer is `fails`: a comparison and a set of outputs that anyone can re-add."""
        return self._witness() if self._witness else None

    @cached_property
    def tightest(self) -> Witness | None:
        """Where the answer is `holds`: the comparison closest to failing, and the outputs that attain it."""
        return self._tightest() if self._tightest else None

    @cached_property
    def gain(self) -> tuple[Gain, ...]:
        """What the attacker gains by the output, in probabilities of being right, for each θ and protected record.

        Raises:
            UnsupportedError: for a model without a distribution, and for one whose laws are only enclosed.
            LimitError: where the laws are too large.

        """
        return gains(Engine(self.model))

    def delta_at(self, epsilon: object) -> Delta | Enclosure:
        """The smallest δ at any ε, from the whole profile, or computed for this ε.

        ε is what `check` takes: `"ln(2)"`, a rational, `"inf"`.

        Raises:
            UnsupportedError: if the measure has no δ, or nothing was decided.

        """
        return self._at(read_epsilon(epsilon, "epsilon")) if self._at else self.profile.delta(epsilon)

    def epsilon_at(self, delta: object) -> Epsilon:
        """The smallest ε at any δ, from the whole profile.

        Raises:
            UnsupportedError: if the measure has no δ, or only single points of the profile are known.

        """
        return self.profile.epsilon(delta)

    def rows(self) -> list[dict[str, Any]]:
        """The answer as a row for a table of pandas or polars: the question, the verdict, and the smallest ε and δ."""
        return [row_of(self)]

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
        return self.model.seen(self.restriction.beside(self.verdict))

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
        asked = self.restriction.beside(f"{self.definition}{reading} {self.verdict}{at}, δ = {delta}")
        return self.model.seen(asked)

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
            "relation": None if self.relation is None else self.relation.name,
            "reading": self.reading,
            "method": self.method,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "verdict": self.verdict,
            **self.restriction.json,
            **self.model.observed_json,
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
        neighbours = "" if self.relation is None else f", when {self.relation.words}"
        parts = [f"{self._asked('', at, exact_text(self.delta))}{neighbours}"]
        tested = self.verdict != "vacuous"
        if tested and self.tight_delta is not None:
            parts.append(f"smallest δ {with_decimal(self.tight_delta)}")
        if tested and self.tight_epsilon is not None:
            parts.append(f"smallest ε {with_decimal(self.tight_epsilon)}")
        if self.reason:
            parts.append(self.reason)
        return "; ".join(parts)


def row_of(answer: Verdict) -> dict[str, Any]:
    """The numbers of an answer by their names in JSON, without its evidence; texts are exact."""
    named = {
        "definition": answer.definition,
        "reading": answer.reading,
        "epsilon": answer.epsilon,
        "delta": answer.delta,
        "verdict": answer.verdict,
        "tight_epsilon": answer.tight_epsilon,
        "tight_delta": answer.tight_delta,
        "reason": answer.reason,
    }
    found: dict[str, Any] = json_of(named)
    return found


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
        compared = definition.comparisons
        return partial(asked, relation=compared.relation(model), restricts=compared.restricted_by_secrets(model))


class Overview(tuple[Verdict, ...]):
    """The verdicts of an overview's definitions on one model, in the order of the overview.

    A definition's name finds its verdict, as in `check_all`: `overview(model)["np"]`.
    """

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """The verdict on a definition by its name, or as of any tuple."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        for answer in self:
            if answer.definition == key:
                return answer
        raise InputError(
            f"the overview has no definition {shorten(key)}", wanted=one_of([one.definition for one in self], key)
        )

    def keys(self) -> list[str]:
        """The names of the definitions."""
        return [answer.definition for answer in self]

    def values(self) -> tuple[Verdict, ...]:
        """The verdicts."""
        return tuple(self)

    def items(self) -> list[tuple[str, Verdict]]:
        """The names of the definitions with their verdicts."""
        return [(answer.definition, answer) for answer in self]

    def rows(self) -> list[dict[str, Any]]:
        """The answers as rows for a table of pandas or polars."""
        return [row_of(answer) for answer in self]

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
                *lines(model.seen(model.restriction.beside(model.title))),
                f"Asked {asked}, with δ = {exact_text(delta, 24)}.",
                columns(heads, rows),
                *(line for reason, names in reasons.items() for line in lines(f"{', '.join(names)}: {reason}")),
            ]
        )
