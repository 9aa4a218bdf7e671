"""The privacy loss of every output, for every knowledge value (DMKB20, Definition 11)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.definitions.pairs import pair_of
from verifier.definitions.verdict import shown
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model import Model, Secret, Theta, counted, need_distributions, need_model, subject_of
from verifier.model.model import RecordSecrets
from verifier.numbers import DIGITS, Loss, exact_text, shorten
from verifier.tables import Label, label
from verifier.version import VERSION


@dataclass(frozen=True)
class Row:
    """One output with its probability under both laws and its loss ln(P/Q)."""

    output: Label
    probability_a: Fraction
    probability_b: Fraction
    loss: Loss


@dataclass(frozen=True)
class KnowledgeLoss:
    """One knowledge value: how likely it is, and the losses; `excludes` names a value that it rules out."""

    distribution: str
    knowledge: Label
    probability: Fraction
    rows: tuple[Row, ...]
    excludes: tuple[Label, ...] = ()
    members: int = 1
    """How many knowledge values have these laws; `knowledge` is the first of them, `probability` that of all."""


@dataclass(frozen=True)
class LossTable:
    """The exact conditional laws and losses of a record, for two values a and b."""

    model: Model
    record: int | None
    a: Label
    b: Label
    knowledge: tuple[KnowledgeLoss, ...]

    def __repr__(self) -> str:
        subject = subject_of(self.record)
        outputs = [row for one in self.knowledge for row in one.rows]
        worst = max((row.loss.ratio for row in outputs if row.loss.ratio is not None), default=None)
        largest = Loss(None if any(row.loss.ratio is None for row in outputs) else worst).text(24)
        known = f"{len(self.knowledge)} knowledge value{'' if len(self.knowledge) == 1 else 's'}"
        found = f", largest loss {largest}" if outputs else ""
        found = self.model.restriction.beside(found)
        return f"<LossTable of {subject} = {self.a} against {self.b}: {known}, {len(outputs)} outputs{found}>"

    def to_json(self, max_digits: int = 200, digits: int = DIGITS) -> dict[str, Any]:
        """The table as `pkdp loss --json` prints it."""
        return {
            "schema": 1,
            "version": VERSION,
            "model": self.model.path or self.model.title,
            "sha256": self.model.sha256 or None,
            "record": self.record,
            **self.model.restriction.json,
            "a": self.a.shown,
            "b": self.b.shown,
            "knowledge": [
                {
                    "distribution": one.distribution,
                    "knowledge": shown(one.knowledge),
                    "probability": exact_text(one.probability, max_digits),
                    "members": one.members,
                    "excludes": [value.shown for value in one.excludes],
                    "outputs": [
                        {
                            "output": row.output.shown,
                            "probability_a": exact_text(row.probability_a, max_digits),
                            "probability_b": exact_text(row.probability_b, max_digits),
                            "loss": row.loss.text(max_digits),
                            "loss_decimal": row.loss.decimal(digits),
                        }
                        for row in one.rows
                    ],
                }
                for one in self.knowledge
            ],
        }


def loss(
    model: Model,
    *,
    record: int | None = None,
    values: tuple[object, object] | None = None,
    engine: Engine | None = None,
) -> LossTable:
    """Exact conditional laws and privacy losses, for each knowledge value of each θ.

    `record` may be left out where only one is sensitive; `values` default to the first two.

    >>> from verifier.model import build
    >>> vote = build(size=2, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "sum"})
    >>> [(str(row.output), str(row.loss)) for row in loss(vote, record=1).knowledge[0].rows]
    [('0', 'inf'), ('1', 'ln(1/3)'), ('2', '-inf')]
    """
    need_model(model)
    need_distributions(model, "a privacy loss")
    secret = _secret(model, record)
    if values is None and len(secret.domain) < 2:
        raise InputError("the sensitive value has only one possible value", wanted="two values to compare")
    a, b = (_value(secret, one) for one in (values or secret.domain[:2]))
    if a == b:
        raise InputError(f"given the value {a} twice", wanted="two different values")
    engine = engine or Engine(model)
    found = [one for theta in model.thetas for one in _losses(engine, theta, secret, a, b)]
    return LossTable(model, secret.record, a, b, tuple(found))


def _losses(engine: Engine, theta: Theta, secret: Secret, a: Label, b: Label) -> list[KnowledgeLoss]:
    joint = engine.factual(theta, secret)
    result = []
    for heard in joint.heard.values():
        excludes = tuple(value for value in (a, b) if value not in heard.laws)
        rows: tuple[Row, ...] = ()
        if not excludes:
            pair = pair_of(heard, heard.laws[a], heard.laws[b])
            rows = tuple(Row(output, p, q, Loss.between(p, q)) for output, p, q in pair.rows())
        result.append(KnowledgeLoss(theta.name, heard.label, joint.probability(heard), rows, excludes, heard.members))
    return result


def _secret(model: Model, record: int | None) -> Secret:
    """The protected record, or what is protected in its place.

    Raises:
        InputError: where no record is named, and where that one is not protected.

    """
    protected = ", ".join(str(secret.record) for secret in model.secrets[:20])
    protected += ", …" if len(model.secrets) > 20 else ""
    if record is None:
        if len(model.secrets) > 1:
            raise InputError("given no record", wanted=f"record= with one of {protected}")
        return model.secrets[0]
    found = model.secrets.only(record) if isinstance(model.secrets, RecordSecrets) else ()
    if found:
        return found[0]
    if not model.protects_records:
        raise InputError(f"given the record {record}, but [sensitive] protects a function", tip="leave record= out")
    if type(record) is int and 0 <= record < model.size:
        given = f"given the record {record}, which [sensitive] does not protect"
        raise InputError(given, where="record=", wanted=f"a protected record: {protected}")
    raise InputError(
        f"given the record {shorten(record)}, but there are {counted(model.size)}, counted from 0",
        where="record=",
        wanted=f"a protected record: {protected}",
    )


def _value(secret: Secret, given: object) -> Label:
    wanted = label(given)
    for value in secret.domain:
        if value == wanted:
            return value
    known = ", ".join(value.text for value in secret.domain[:12])
    raise InputError(f"given the value {shorten(given)}", wanted=f"one of {known}")
