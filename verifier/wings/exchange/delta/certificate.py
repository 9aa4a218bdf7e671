"""The certificate of an exchange rate with δ: worlds, rows, the lines with their columns, and all multipliers."""

from __future__ import annotations

from typing import Any

from verifier.checker.exchange_delta import replay_exchange_delta
from verifier.evidence.texts import number_text
from verifier.wings.exchange.certificates import Certificates, law_entry, row_entry, tables, too_large
from verifier.wings.exchange.delta.answer import DeltaCurve
from verifier.wings.exchange.delta.curve import Piece


def delta_certificate(answer: DeltaCurve) -> dict[str, Any]:
    """The certificate of a curve as plain data; rows of A and of B are named by their numbers."""
    model, count = answer.model, len(answer.assumed)
    numbers = sorted({n % count for piece in answer.pieces for gain in piece.gains for n, _ in gain.multipliers})
    places = {number: place for place, number in enumerate(numbers)}
    rows = {row.key: number for number, row in enumerate(answer.compared)}

    def piece_entry(piece: Piece) -> dict[str, Any]:
        return {
            "start": number_text(piece.start),
            "above": number_text(piece.best.above),
            "below": number_text(piece.best.below),
            "row": rows[piece.best.row.key],
            "column": law_entry(model, (piece.best.column or {}).items()),
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


CURVES_OF_DELTA: Certificates[DeltaCurve] = Certificates(
    kind="exchange-delta",
    entry=delta_certificate,
    replay=replay_exchange_delta,
    beyond=lambda answer: too_large(answer.model),
    model=lambda answer: answer.model,
)
"""The certificates of exchange rates with δ."""
