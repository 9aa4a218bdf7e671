"""The certificates of exchange rates at one ε, as functions, and with δ: their refusal, replay and file, as plain data.

A rate at one ε has its multipliers and mechanism as numbers, a rate as a function as polynomials, a rate with δ the
lines with their columns. All list the worlds and the policy of the model, so that the checker lists the rows by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, TypeVar

from verifier.checker import Beyond
from verifier.checker.exchange.curve import replay_exchange_curve
from verifier.checker.exchange.multipliers import replay_exchange, replay_exchange_delta
from verifier.errors import UnsupportedError
from verifier.evidence.files import file_text
from verifier.evidence.rejected import rechecking
from verifier.evidence.schemes import MAX_DATABASES, MAX_WORLDS, names_of_thetas, policy_table
from verifier.evidence.texts import database_texts, number_text, world_rows
from verifier.model import Database, Model
from verifier.model.multisets import number_of
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.numbers.flints import coefficients
from verifier.wings.exchange.curve.answer import Cell, Curve, RowCurve
from verifier.wings.exchange.delta.answer import DeltaCurve
from verifier.wings.exchange.delta.program import Piece
from verifier.wings.exchange.program import Bounded
from verifier.wings.exchange.rate import UNSUPPORTED, Exchange, Exchanged
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.families.comparisons import general_member
from verifier.wings.families.domain import domain, inner_value
from verifier.wings.families.intervals import Interval, joined
from verifier.wings.families.points import Point

RateAnswer = TypeVar("RateAnswer", bound=Exchanged[Any])


@dataclass(frozen=True)
class Certificates(Generic[RateAnswer]):
    """The certificates of one kind of rate: `entry` writes one as plain data, `replay` derives it again.

    `beyond` is the reason why the checker does not check a rate, and empty where it does. `model` is the model whose
    file a certificate names.
    """

    kind: str
    entry: Callable[[RateAnswer], dict[str, Any]]
    replay: Callable[[Any], object]
    beyond: Callable[[RateAnswer], str]
    model: Callable[[RateAnswer], Model | None]

    @rechecking()
    def replayed(self, answer: RateAnswer) -> RateAnswer:
        """The answer marked as `replayed`, after the independent checker has derived all of it again.

        An answer that the checker does not check comes back unchanged.

        Raises:
            RejectedError: for an answer that does not add up.

        """
        if answer.verdict == UNSUPPORTED or self.beyond(answer):
            return answer
        try:
            self.replay(json.loads(json.dumps(self.entry(answer))))
        except Beyond:
            return answer
        return replace(answer, replayed=True)

    def file(self, answer: RateAnswer, beside: Path | None = None) -> str:
        """The certificate file of an answer (proofs/FORMAT.md), for a place `beside` which its model is named.

        Raises:
            UnsupportedError: where nothing was computed, or the model is too large for the checker.

        """
        reason = answer.reason if answer.verdict == UNSUPPORTED else self.beyond(answer)
        if reason:
            raise UnsupportedError(f"no certificate: {reason}")
        return file_text(self.kind, self.model(answer), self.entry(answer), beside)


def too_large(model: Model) -> str:
    """The reason why the checker does not list the rows of a model; empty where it does."""
    size = number_of(len(model.values), *model.sizes) if model.sizes else len(model.values) ** min(model.size, 64)
    if size > MAX_DATABASES:
        return f"the model has more than {MAX_DATABASES} databases"
    if sum(theta.count() for theta in model.thetas) > MAX_WORLDS:
        return f"the model has more than {MAX_WORLDS:,} worlds"
    return ""


def tables(model: Model, chance_text: Callable[[Fraction], object]) -> dict[str, Any]:
    """The size, values, secrets, worlds and policy of a model; `chance_text` writes the probability of a world."""
    return {
        "size": model.size if model.sizes is None else list(model.sizes),
        "values": [v.text for v in model.values],
        "secrets": [secret.record for secret in model.secrets] if model.protects_records else ["S"],
        "worlds": {theta.name: world_rows(model, theta, chance_text) for theta in model.thetas},
        **names_of_thetas(model),
        "policy": policy_table(model),
    }


def row_entry(model: Model, row: LinearRow, chance_text: Callable[[Any], object] = number_text) -> dict[str, Any]:
    """A row as a certificate has it: two laws on databases, and the multiple of ε."""
    return {
        "p": law_entry(model, row.p, chance_text),
        "q": law_entry(model, row.q, chance_text),
        "scale": number_text(row.scale),
    }


def law_entry(
    model: Model, law: Iterable[tuple[Database, Any]], chance_text: Callable[[Any], object] = number_text
) -> list[list[Any]]:
    """A law on databases, or a column of a mechanism: each database with its probability."""
    return [[database_texts(model, database), chance_text(chance)] for database, chance in law]


def head(kind: str, answer: Exchanged[Any], model: Model, chance_text: Callable[[Any], object]) -> dict[str, Any]:
    """The first entries of a certificate: its model, and what was asked."""
    epsilon = answer.epsilon
    return {
        "schema": f"pkdp {kind} 1",
        **tables(model, chance_text),
        "from": answer.source,
        "to": answer.target,
        "epsilon": None if epsilon is None else epsilon.text(10**9),
    }


def used_lines(proofs: Iterable[Bounded]) -> list[int]:
    """The numbers of the lines that proofs use, in order: a certificate lists their rows, and names them by place."""
    return sorted({number for proof in proofs for number, _ in proof.multipliers})


def certificate_of(answer: Exchange) -> dict[str, Any]:
    """The certificate of a rate as plain data; rows of the source are named by their numbers in `assumed`."""
    model, used = answer.model, used_lines(answer.rates)
    return {
        **head("exchange", answer, model, number_text),
        "tight_epsilon": "0" if answer.tight_epsilon is None else answer.tight_epsilon.text(10**9),
        "assumed": [row_entry(model, answer.assumed[number]) for number in used],
        "rates": [
            {
                "row": row_entry(model, rate.row),
                "factor": number_text(rate.factor),
                "multipliers": [[used.index(number), number_text(times)] for number, times in rate.multipliers],
            }
            for rate in answer.rates
            if rate.factor is not None
        ],
        "extreme": law_entry(model, (answer.chances or {}).items()),
    }


RATES: Certificates[Exchange] = Certificates(
    kind="exchange",
    entry=certificate_of,
    replay=replay_exchange,
    beyond=lambda answer: too_large(answer.model),
    model=lambda answer: answer.model,
)
"""The certificates of exchange rates at one ε."""


def _beyond(answer: Curve) -> str:
    """The reason why the checker does not check a curve; empty where it does."""
    if any(cell.verdict == UNSUPPORTED for cell in answer.cells):
        return "the rate is unsupported somewhere"
    if isinstance(answer.model, Family) and all(span.point is not None for span in domain(answer.model)):
        return "the range of the parameter has no inner value"
    return too_large(_member(answer))


def _member(answer: Curve) -> Model:
    """The model of a curve; for a family the model whose probabilities are functions of the parameter."""
    if not isinstance(answer.model, Family):
        return answer.model
    family = answer.model
    return general_member(family, [{answer.name: inner_value(family)}])


def curve_certificate(answer: Curve) -> dict[str, Any]:
    """The certificate of a curve as plain data; rows of the source are named by their numbers in `assumed`."""
    model = _member(answer)
    used = used_lines(piece for curve in answer.curves for piece in curve.pieces)
    text = number_text if answer.over_epsilon else _function
    spans = [answer.span] if answer.span is not None else list(joined([cell.where for cell in answer.cells]))
    return {
        **head("exchange curve", answer, model, text),
        "root": answer.root,
        "spans": [_interval(span) for span in spans],
        "assumed": [row_entry(model, answer.assumed[number], text) for number in used],
        "rows": [_curve(model, curve, answer.cells, used, text) for curve in answer.curves],
        "cells": [_cell(model, cell, answer.curves) for cell in answer.cells],
    }


def _curve(model: Model, curve: RowCurve, cells: Sequence[Cell], used: Sequence[int], text: Any) -> dict[str, Any]:
    """A row with its pieces where the rate is finite, and their multipliers."""
    finite = [cell.where.sample for cell in cells if cell.factor is not None]
    pieces = [
        {
            "where": _interval(piece.where),
            "factor": _function(piece.factor),
            "multipliers": [[used.index(number), _function(times)] for number, times in piece.multipliers],
        }
        for piece in curve.pieces
        if piece.factor is not None and any(piece.where.has(sample) for sample in finite)
    ]
    return {"row": row_entry(model, curve.row, text), "pieces": pieces}


def _cell(model: Model, cell: Cell, curves: tuple[RowCurve, ...]) -> dict[str, Any]:
    attained = None
    if cell.worst and cell.worst[0].column is not None:
        piece = cell.worst[0]
        column = law_entry(model, (piece.column or {}).items(), _function)
        attained = [next(k for k, curve in enumerate(curves) if curve.row is piece.row), column]
    return {
        "where": _interval(cell.where),
        "factor": None if cell.factor is None else _function(cell.factor),
        "scale": number_text(cell.scale),
        "verdict": cell.verdict,
        "attained": attained,
        "model": None if cell.answer is None else certificate_of(cell.answer),
    }


def _interval(where: Interval) -> list[Any]:
    return [_end(where.low), _end(where.high), where.low_closed, where.high_closed]


def _end(end: Point | None) -> Any:
    """A rational as its text; an irrational end as the polynomial and the bounds of its root."""
    if end is None or isinstance(end, Fraction):
        return None if end is None else number_text(end)
    polynomial = getattr(end, "polynomial", None)
    if polynomial is None:
        raise ArithmeticError("an end of a piece is no algebraic number")
    return [[number_text(Fraction(c)) for c in polynomial], number_text(end.low), number_text(end.high)]


def _function(f: Function | Fraction | int) -> list[list[str]]:
    """A function as the coefficients of its top and bottom, the constant term first."""
    if not isinstance(f, Function):
        return [[number_text(Fraction(f))] if f else [], ["1"]]
    return [[number_text(c) for c in coefficients(polynomial)] for polynomial in (f.top, f.bottom)]


CURVES: Certificates[Curve] = Certificates(
    kind="exchange-curve",
    entry=curve_certificate,
    replay=replay_exchange_curve,
    beyond=_beyond,
    model=lambda answer: answer.model if isinstance(answer.model, Model) else None,
)
"""The certificates of exchange rates as functions."""


def delta_certificate(answer: DeltaCurve) -> dict[str, Any]:
    """The certificate of a curve as plain data; rows of A and of B are named by their numbers."""
    model, count = answer.model, len(answer.assumed)
    used = sorted({n % count for n in used_lines(gain for piece in answer.pieces for gain in piece.gains)})
    rows = {row.key: number for number, row in enumerate(answer.compared)}

    def piece_entry(piece: Piece) -> dict[str, Any]:
        return {
            "start": number_text(piece.start),
            "above": number_text(piece.best.above),
            "below": number_text(piece.best.below),
            "row": rows[piece.best.row.key],
            "column": law_entry(model, (piece.best.column or {}).items()),
            "multipliers": [
                [[used.index(n % count), "10"[n // count], number_text(price)] for n, price in gain.multipliers]
                for gain in piece.gains
            ],
        }

    return {
        **head("exchange delta", answer, model, number_text),
        "delta": number_text(answer.delta_from),
        "assumed": [row_entry(model, answer.assumed[number]) for number in used],
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
