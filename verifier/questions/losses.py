"""The privacy loss of every output, for every knowledge value (DMKB20, Definition 11)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.definitions.answer import MOST_ROWS, Decimal, Valued, columns, header, left_out, lines, number
from verifier.definitions.comparison import pair_of
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model import NOTHING, Model, Secret, Theta, arguments, counted, need_distributions, need_model, subject_of
from verifier.model.arguments import takes
from verifier.model.model import RecordSecrets
from verifier.numbers import Loss, plural, shorten
from verifier.tables import Label, label

MOST_KNOWN = 12
"""Knowledge values that are printed; the table itself has all."""


@dataclass(frozen=True)
class OutputLoss(Valued):
    """One output with its probability under both laws and its privacy loss ln(P/Q), in nats."""

    output: Label
    probability_a: Fraction
    probability_b: Fraction
    loss: Loss

    def fields(self) -> dict[str, Any]:
        """One output of `pkdp loss --json`."""
        return {**super().fields(), "loss_decimal": Decimal(self.loss)}


@dataclass(frozen=True)
class KnowledgeLoss(Valued):
    """The losses given one knowledge value B̂, and P[B = B̂]; `excludes` names values of a, b that B̂ rules out."""

    distribution: str
    knowledge: Label
    probability: Fraction
    rows: tuple[OutputLoss, ...]
    excludes: tuple[Label, ...] = ()
    members: int = 1
    """How many knowledge values have these laws: `knowledge` is the first one, `probability` their total."""

    def fields(self) -> dict[str, Any]:
        """One knowledge value of `pkdp loss --json`."""
        return {
            "distribution": self.distribution,
            "knowledge": self.knowledge,
            "probability": self.probability,
            "members": self.members,
            "excludes": self.excludes,
            "outputs": self.rows,
        }


@dataclass(frozen=True)
class LossTable(Valued):
    """The exact conditional laws and losses of a record, for two values a and b."""

    model: Model
    record: int | None
    a: Label
    b: Label
    knowledge: tuple[KnowledgeLoss, ...]

    def __repr__(self) -> str:
        subject = subject_of(self.record)
        outputs = [row for knowledge in self.knowledge for row in knowledge.rows]
        worst = max((row.loss.ratio for row in outputs if row.loss.ratio is not None), default=None)
        largest = Loss(None if any(row.loss.ratio is None for row in outputs) else worst).text(24)
        known = plural(len(self.knowledge), "knowledge value")
        largest_text = f", largest loss {largest}" if outputs else ""
        largest_text = self.model.restriction.beside(largest_text)
        number = plural(len(outputs), "output")
        return f"<LossTable of {subject} = {self.a} against {self.b}: {known}, {number}{largest_text}>"

    def __str__(self) -> str:
        """Plain text: for each knowledge value a table of the outputs with their probabilities and losses."""
        subject = subject_of(self.record)
        heads = ["output", f"P[· | {self.a}]", f"P[· | {self.b}]", "loss"]
        parts = list(lines(self.model.restriction.beside(self.model.title)))
        parts += lines(f"Privacy loss of {subject} = {self.a} against {subject} = {self.b}")
        for known in self.knowledge[:MOST_KNOWN]:
            known_words = "nothing is known" if known.knowledge == NOTHING else f"B = {known.knowledge.text}"
            parts += ["", *lines(f'"{known.distribution}": {known_words}, of probability {number(known.probability)}')]
            parts += [f"  it excludes {subject} = {value}: nothing is compared" for value in known.excludes]
            rows = [
                [row.output.text, number(row.probability_a), number(row.probability_b), number(row.loss)]
                for row in known.rows[:MOST_ROWS]
            ]
            parts += [columns(heads, rows)] if rows else []
            parts += left_out(len(known.rows) - MOST_ROWS, "output")
        return "\n".join([*parts, *left_out(len(self.knowledge) - MOST_KNOWN, "knowledge value")])

    def fields(self) -> dict[str, Any]:
        """The table as `pkdp loss --json` prints it."""
        return {
            **header(self.model),
            "record": self.record,
            **self.model.restriction.json,
            "a": self.a,
            "b": self.b,
            "knowledge": self.knowledge,
        }


@takes(
    record=arguments.optional(arguments.number()),
    values=arguments.optional(arguments.pair("values")),
    engine=arguments.optional(arguments.one(Engine, "an Engine of the model")),
)
def loss(
    model: Model,
    *,
    record: int | None = None,
    values: tuple[object, object] | None = None,
    engine: Engine | None = None,
) -> LossTable:
    """Exact laws P[M(D) = o | D(i) = a, B̂] and losses ln(P[o | a, B̂]/P[o | b, B̂]) in nats, for each θ and B̂.

    `record` may be left out where only one is sensitive; `values` default to the first two.

    >>> from verifier.model import build
    >>> vote = build(size=2, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "sum"})
    >>> [(str(row.output), str(row.loss)) for row in loss(vote, record=1).knowledge[0].rows]
    [('0', 'inf'), ('1', 'ln(1/3)'), ('2', '-inf')]

    Raises:
        InputError: for a record that is not protected or is left out among several, and for values that are not two.
        UnsupportedError: for a model without a distribution.

    """
    need_model(model)
    need_distributions(model, "a privacy loss")
    secret = _secret(model, record)
    if values is None and len(secret.domain) < 2:
        raise InputError("the sensitive value has only one possible value", wanted="two values to compare")
    a, b = (_value(secret, value) for value in (values or secret.domain[:2]))
    if a == b:
        raise InputError(f"the value {a} is given twice", wanted="two different values")
    engine = engine or Engine(model)
    losses = [knowledge_loss for theta in model.thetas for knowledge_loss in _losses(engine, theta, secret, a, b)]
    return LossTable(model, secret.record, a, b, tuple(losses))


def _losses(engine: Engine, theta: Theta, secret: Secret, a: Label, b: Label) -> list[KnowledgeLoss]:
    joint = engine.factual(theta, secret)
    result = []
    for case in joint.cases.values():
        excludes = tuple(value for value in (a, b) if value not in case.laws)
        rows: tuple[OutputLoss, ...] = ()
        if not excludes:
            pair = pair_of(case, case.laws[a], case.laws[b])
            rows = tuple(OutputLoss(output, p, q, Loss.between(p, q)) for output, p, q in pair.rows())
        result.append(KnowledgeLoss(theta.name, case.label, joint.probability(case), rows, excludes, case.members))
    return result


def _secret(model: Model, record: int | None) -> Secret:
    """The protected record of this index; the protected function where [sensitive] names one.

    Raises:
        InputError: where no record is named but several are protected, and where the named record is not protected.

    """
    protected = ", ".join(str(secret.record) for secret in model.secrets[:20])
    protected += ", …" if len(model.secrets) > 20 else ""
    if record is None:
        if len(model.secrets) > 1:
            raise InputError(
                "the record is missing",
                wanted=f"record= with one of {protected}",
                tip="record= says whose value is compared; records that are drawn and counted alike have the same",
            )
        return model.secrets[0]
    protected_record = model.secrets.only(record) if isinstance(model.secrets, RecordSecrets) else ()
    if protected_record:
        return protected_record[0]
    if not model.protects_records:
        raise InputError(
            f"there is no record {record} to protect: [sensitive] protects a function", tip="leave record= out"
        )
    if type(record) is int and 0 <= record < model.size:
        problem = f"[sensitive] does not protect the record {record}"
        raise InputError(problem, where="record=", wanted=f"a protected record: {protected}")
    raise InputError(
        f"there is no record {shorten(record)}: there are {counted(model.size)}, counted from 0",
        where="record=",
        wanted=f"a protected record: {protected}",
    )


def _value(secret: Secret, value_given: object) -> Label:
    wanted = label(value_given)
    for value in secret.domain:
        if value == wanted:
            return value
    known = ", ".join(value.text for value in secret.domain[:12])
    raise InputError(f"the value {shorten(value_given)} is unknown", wanted=f"one of {known}")
