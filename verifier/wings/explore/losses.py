"""The privacy losses of a record, and acceptability, as tables of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.model import NOTHING, need_distributions
from verifier.numbers import Loss
from verifier.questions.losses import KnowledgeLoss, OutputLoss, loss
from verifier.questions.normalization import acceptable
from verifier.show.answers import acceptance_sheets, loss_sheets
from verifier.wings.explore.highlight import secret_of
from verifier.wings.explore.open_documents import OpenDocument
from verifier.wings.explore.plots import axis_position
from verifier.wings.explore.request_fields import RequestFields, about_field, field_of
from verifier.wings.explore.texts import copies, exact, in_table, sheet_json

MOST_KNOWN = 60
"""Largest number of knowledge values in one answer."""
MOST_OUTPUTS = 400
MOST_CELLS = 1 << 11
MOST_RECORDS = 1000
MOST_TRIED = 64
"""Largest number of records that are looked at for one of which something is compared."""


def loss_of(opened: OpenDocument, fields: RequestFields) -> dict[str, Any]:
    """The exact laws of the output given two values of a record, and the losses in nats, for each B̂.

    Without a record, or without values, they are the first ones of which something is compared.
    """
    model = opened.model
    need_distributions(model, "a privacy loss")
    _admit(opened)
    record, values = fields.get("record"), fields.get("values")
    if record is not None and (isinstance(record, bool) or not isinstance(record, int)):
        raise InputError("there is no record", where=field_of("record"), wanted="the index of a record")
    if values is not None and not (isinstance(values, list) and len(values) == 2):
        raise InputError("these are not two values", where=field_of("values"), wanted="[a, b]")
    with about_field("values" if values is not None else "record"):
        pair = None if values is None else (values[0], values[1])
        if pair is None:
            record, pair = _first_compared(opened, record)
        table = loss(model, record=record, values=pair, engine=opened.engine)
    shown_table = replace(table, knowledge=table.knowledge[:MOST_KNOWN])
    secret = secret_of(model, table.record)
    return {
        "record": table.record,
        "records": [secret.record for secret in model.secrets[:MOST_RECORDS]],
        "a": table.a.shown,
        "b": table.b.shown,
        "domain": [value.shown for value in secret.domain] if secret else [],
        "knowledge": [_known(knowledge) for knowledge in shown_table.knowledge],
        "left_out": len(table.knowledge) - len(shown_table.knowledge),
        **copies(loss_sheets(shown_table)),
    }


def _first_compared(opened: OpenDocument, record: int | None) -> tuple[int | None, tuple[Any, Any] | None]:
    """The named record, or else the first, and its first two values that some B̂ leaves possible.

    A record that every attacker knows has no such values: of it nothing is compared. Where no record has them, the
    first record and no values.
    """
    model = opened.model
    every = model.secrets[:MOST_TRIED] if record is None else [secret_of(model, record)]
    for secret in every:
        if secret is None:
            continue
        for theta in model.thetas:
            for case in opened.engine.factual(theta, secret).cases.values():
                possible = [value for value in secret.domain if value in case.laws]
                if len(possible) > 1:
                    return secret.record, (possible[0].shown, possible[1].shown)
    return model.secrets[0].record if record is None else record, None


def _admit(opened: OpenDocument) -> None:
    """Refuse tables that are too long to be read, before they are made.

    Raises:
        LimitError: with the size.

    """
    engine = opened.engine
    if engine.balls or (engine.sums and engine.cost.totals * engine.cost.classes > MOST_CELLS):
        size = (
            "" if engine.balls else f": {engine.cost.totals:,} outputs for {engine.cost.classes:,} classes of knowledge"
        )
        raise LimitError(
            f"the loss tables are too long for a page{size}",
            where="the loss table",
            wanted=f"at most {MOST_CELLS:,} rows",
            tip="use fewer records; pkdp loss writes longer tables",
        )


def _known(knowledge: KnowledgeLoss) -> dict[str, Any]:
    """One knowledge value with its outputs and losses, as JSON."""
    ratios = [row.loss.ratio for row in knowledge.rows]
    finite = [ratio for ratio in ratios if ratio]
    worst = max((max(ratio, 1 / ratio) for ratio in finite), default=None)
    largest = None if not knowledge.rows else Loss(worst if len(finite) == len(ratios) else None)
    return {
        "distribution": knowledge.distribution,
        "knowledge": None if knowledge.knowledge == NOTHING else knowledge.knowledge.text,
        **exact(knowledge.probability, "probability"),
        **exact(largest, "tight_epsilon"),
        "excludes": ", ".join(value.text for value in knowledge.excludes) or None,
        "members": knowledge.members,
        "rows": [_row(row) for row in knowledge.rows[:MOST_OUTPUTS]],
        "rows_left_out": max(0, len(knowledge.rows) - MOST_OUTPUTS),
    }


def _row(row: OutputLoss) -> dict[str, Any]:
    return {
        "output": row.output.text,
        **in_table(row.probability_a, "probability_a"),
        **in_table(row.probability_b, "probability_b"),
        **in_table(row.loss, "loss"),
        "x": axis_position(row.loss),
    }


def acceptable_of(opened: OpenDocument, _: RequestFields) -> dict[str, Any]:
    """Whether each θ has an acceptable normalization for each protected record (DMKB20, Definition 8)."""
    answers = acceptable(opened.model, opened.engine.max_rows)
    sheets = acceptance_sheets(answers)
    return {
        "answers": [
            {"distribution": answer.distribution, "record": answer.record, "acceptable": answer.acceptable}
            for answer in answers[:MOST_RECORDS]
        ],
        "sheets": [sheet_json(sheet) for sheet in sheets],
        **copies(sheets),
    }
