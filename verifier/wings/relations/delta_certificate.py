"""The certificate of an exchange rate with δ: worlds, rows, the lines with their columns, and all multipliers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from verifier.errors import UnsupportedError
from verifier.evidence.files import file_text
from verifier.evidence.texts import database_texts, number_text
from verifier.replay.exchange_delta import replay_exchange_delta
from verifier.replay.rejected import Beyond
from verifier.wings.relations.delta_answer import DeltaCurve
from verifier.wings.relations.delta_curve import Piece
from verifier.wings.relations.exchange import UNSUPPORTED
from verifier.wings.relations.exchange_certificate import beyond, row_entry, tables


def replayed(answer: DeltaCurve) -> DeltaCurve:
    """The answer marked as `replayed`, after the independent replay has checked every piece of it.

    An answer about a model that is too large for the replay comes back unchanged.

    Raises:
        verifier.replay.answers.Rejected: for an answer that does not add up.

    """
    if answer.verdict == UNSUPPORTED or beyond(answer.model):
        return answer
    try:
        replay_exchange_delta(json.loads(json.dumps(delta_certificate(answer))))
    except Beyond:
        return answer
    return replace(answer, replayed=True)


def delta_file(answer: DeltaCurve, beside: Path | None = None) -> str:
    """The certificate file of an exchange rate with δ (proofs/FORMAT.md).

    Raises:
        UnsupportedError: where nothing was computed, or the model is too large for the replay.

    """
    if answer.verdict == UNSUPPORTED:
        raise UnsupportedError(f"no certificate: {answer.reason}")
    if reason := beyond(answer.model):
        raise UnsupportedError(f"no certificate: {reason}")
    return file_text("exchange-delta", answer.model, delta_certificate(answer), beside)


def delta_certificate(answer: DeltaCurve) -> dict[str, Any]:
    """The certificate of a curve as plain data; rows of A and of B are named by their numbers."""
    model, count = answer.model, len(answer.assumed)
    numbers = sorted({n % count for piece in answer.pieces for gain in piece.gains for n, _ in gain.multipliers})
    places = {number: place for place, number in enumerate(numbers)}
    rows = {row.key: number for number, row in enumerate(answer.compared)}

    def piece_entry(piece: Piece) -> dict[str, Any]:
        column = [
            [database_texts(model, database), number_text(p)] for database, p in (piece.best.column or {}).items()
        ]
        return {
            "start": number_text(piece.start),
            "above": number_text(piece.best.above),
            "below": number_text(piece.best.below),
            "row": rows[piece.best.row.key],
            "column": column,
            "multipliers": [
                [[places[n % count], "10"[n // count], number_text(price)] for n, price in gain.multipliers]
                for gain in piece.gains
            ],
        }

    return {
        "schema": "pkdp exchange delta 1",
        **tables(model, number_text),
        "from": answer.source,
        "to": answer.target,
        "epsilon": answer.epsilon.text(10**9),
        "delta": number_text(answer.delta_from),
        "assumed": [row_entry(model, answer.assumed[number]) for number in numbers],
        "rows": [row_entry(model, row) for row in answer.compared],
        "pieces": [piece_entry(piece) for piece in answer.pieces],
    }
