"""The answers of one model about the atoms of a statement: verdicts at constants, and δ as a curve for variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from verifier.definitions import Verdict, find
from verifier.engine import Engine
from verifier.errors import LimitError, PkdpError, UnsupportedError
from verifier.model import Model
from verifier.model.compose import compose, post_process, with_mechanism
from verifier.numbers import Enclosure, Epsilon
from verifier.questions.check import check
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import Has, Holds, Scaled
from verifier.tables import Law

MAX_POST = 8
"""Largest number of outputs whose post-processings are listed: 8 outputs have 4,140 partitions."""
MAX_DATABASES = 1 << 10
OPEN = ("undecided", "unsupported")


@dataclass(frozen=True)
class DeltaCurve:
    """δ as a function of E = e^ε: from `pieces[k][0]` on, up to the next one, δ = A - B·E."""

    pieces: tuple[tuple[Fraction, Fraction, Fraction], ...]

    def at(self, e: Fraction) -> Fraction:
        """The smallest δ at e^ε = e, for e ≥ 1."""
        _, a, b = next(piece for piece in reversed(self.pieces) if piece[0] <= e)
        return a - b * e


NEVER = DeltaCurve(((Fraction(1), Fraction(2), Fraction(0)),))
"""The curve of a definition that holds for no δ in [0, 1], at any ε."""


@dataclass
class Facts:
    """The answers of one model, each computed once; with `replay` the independent checker re-checks them."""

    model: Model
    replay: bool = False
    reasons: list[str] = field(default_factory=list)
    """The reasons of undecided and unsupported answers."""
    _variants: dict[str, tuple[Engine, ...]] = field(default_factory=dict)
    _verdicts: dict[Holds | Has, str] = field(default_factory=dict)

    def engines(self, on: str) -> tuple[Engine, ...]:
        """The engines of the models with the derived mechanisms: one, or one for each post-processing."""
        if on not in self._variants:
            models = [self.model]
            for name in on.split():
                models = [derived for model in models for derived in MAKERS[name](model)]
            self._variants[on] = tuple(map(Engine, models))
        return self._variants[on]

    def verdict(self, atom: Holds | Has) -> str:
        """The verdict on an atom without variables: `holds`, `fails`, `vacuous`, `undecided` or `unsupported`."""
        if atom not in self._verdicts:
            self._verdicts[atom] = self._verdict(atom)
        return self._verdicts[atom]

    def _verdict(self, atom: Holds | Has) -> str:
        if isinstance(atom, Has):
            try:
                verdict = PROPERTIES[atom.name].verdict(self.model)
            except LimitError as error:
                self.reasons.append(str(error))
                return "unsupported"
            if verdict in OPEN:
                self.reasons.append(f"{atom} is {verdict}")
            return verdict
        answers = [answer.verdict for answer in self.answers(atom)]
        if "fails" in answers:
            return "fails"
        unknown = next((verdict for verdict in answers if verdict in OPEN), None)
        return unknown or ("vacuous" if set(answers) == {"vacuous"} else "holds")

    def answers(self, atom: Holds) -> Iterator[Verdict]:
        """The verdicts at the atom's constants, for each derived mechanism; a variable ε or δ is taken to be 0."""
        epsilon = Fraction(0) if isinstance(atom.epsilon, Scaled) else atom.epsilon
        delta = Fraction(0) if isinstance(atom.delta, Scaled) else atom.delta
        try:
            engines = self.engines(atom.on)
        except PkdpError as error:
            engines = ()
            unsupported = Verdict(self.model, atom.definition, atom.reading, None, delta, "unsupported", str(error))
            self.reasons.append(str(error))
            yield unsupported
        for engine in engines:
            try:
                answer = check(
                    engine.model, atom.definition, epsilon=epsilon, delta=delta, reading=atom.reading, engine=engine,
                    replay=self.replay,
                )  # fmt: skip
            except LimitError as error:
                answer = Verdict(engine.model, atom.definition, atom.reading, None, delta, "unsupported", str(error))
            if answer.verdict in OPEN:
                self.reasons.append(f"{atom}: {answer.reason or answer.verdict}")
            yield answer

    def curves(self, atom: Holds) -> tuple[DeltaCurve, ...] | str:
        """The curves of δ by e^ε for an atom with a variable, one for each derived mechanism; or a verdict.

        Where δ is a constant, the curve says only from which e^ε on it is enough: 0 there, and more than 1 before.
        """
        curves, vacuous = [], True
        for answer in self.answers(atom):
            if answer.verdict in OPEN:
                return answer.verdict
            if answer.verdict == "vacuous":
                continue
            vacuous = False
            named = find(atom.definition).compares_named_laws
            curve = _curve(atom, answer) if named else self._stepped(atom, answer)
            if curve is None:
                self.reasons.append(f"{atom}: the smallest ε or δ is no simple number in {self.model.title}")
                return "undecided"
            curves.append(curve)
        return "vacuous" if vacuous else tuple(curves)

    def _stepped(self, atom: Holds, answer: Verdict) -> DeltaCurve | None:
        """The curve of a definition with its own decider, which need not be monotone in δ.

        It has one at a constant δ alone, and only if the definition holds at the smallest ε when asked again.
        """
        if isinstance(atom.delta, Scaled) or not isinstance(atom.epsilon, Scaled):
            return None
        curve, enough = _curve(atom, answer), answer.tight_epsilon
        if curve is None or curve == NEVER or not isinstance(enough, Epsilon):
            return curve
        tried = check(answer.model, atom.definition, epsilon=enough, delta=atom.delta, reading=atom.reading)
        return curve if tried.verdict == "holds" else None


def _curve(atom: Holds, answer: Verdict) -> DeltaCurve | None:
    unit, zero = Fraction(1), Fraction(0)
    if isinstance(atom.epsilon, Epsilon):
        delta = answer.tight_delta
        exact = delta is not None and not isinstance(delta, Enclosure) and delta.b == 0
        return DeltaCurve(((unit, delta.a, zero),)) if exact else None  # type: ignore[union-attr]
    if not isinstance(atom.delta, Scaled):
        enough = answer.tight_epsilon
        if not isinstance(enough, Epsilon):
            return None
        if enough.is_infinite:
            return NEVER
        if enough.exp is None:
            return None
        return DeltaCurve((*(() if enough.exp == 1 else NEVER.pieces), (enough.exp, zero, zero)))
    try:
        segments = answer.profile.segments
    except UnsupportedError:
        return None
    pieces = tuple((start.exp, a, b) for start, a, b in segments if start.exp is not None)
    if atom.epsilon is None:  # for some finite ε: δ is constant after the last bend, and attained there
        return DeltaCurve(((unit, pieces[-1][1], zero),))
    return DeltaCurve(pieces) if len(pieces) == len(segments) else None


def _laws(model: Model) -> Iterator[Law]:
    """The law of the outputs on each database."""
    if len(model.values) ** model.size > MAX_DATABASES:
        raise LimitError(
            f"the model has {len(model.values) ** model.size:,} databases",
            wanted=f"at most {MAX_DATABASES:,} for post(…)",
        )
    return map(model.mechanism.law, model.mechanism.all_databases())


def post(model: Model) -> list[Model]:
    """The model with each deterministic post-processing of its outputs, up to the names of the results.

    A post-processing is a function of the output; outputs with the same result are one block of a partition. The
    finest partition, first, is the mechanism itself.

    Raises:
        LimitError: for more than 8 outputs, or more than 1,024 databases.

    """
    outputs = list(dict.fromkeys(o for law in _laws(model) for o in law.outcomes))  # by first appearance
    if len(outputs) > MAX_POST:
        raise LimitError(f"the mechanism has {len(outputs):,} outputs", wanted=f"at most {MAX_POST} for post(…)")
    models = []
    for blocks in sorted(partitions(len(outputs)), key=lambda partition: (-max(partition), partition)):
        rows = [{"input": o.shown, "output": f"#{k + 1}"} for o, k in zip(outputs, blocks, strict=True)]
        models.append(with_mechanism(model, post_process(model.mechanism, {"rows": rows})))
    return models


@cache
def partitions(size: int) -> tuple[tuple[int, ...], ...]:
    """All partitions of {0, …, size - 1}: for each element the number of its block, by first appearance.

    >>> partitions(3)
    ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
    """
    listed: list[tuple[int, ...]] = [()]
    for _ in range(size):
        listed = [(*partition, k) for partition in listed for k in range(max(partition, default=-1) + 2)]
    return tuple(listed)


def twice(model: Model) -> list[Model]:
    """The model whose mechanism is run twice on the database, independently, with both outputs shown; in a list."""
    return [with_mechanism(model, compose(model.mechanism, model.mechanism))]


MAKERS = {"post": post, "twice": twice}
