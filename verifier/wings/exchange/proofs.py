"""The documents of exchange rates at one ε, as functions, and with δ: question, answer, multipliers and mechanisms.

They hold no table of the model: `verifier/checker` reads the model file, and lists the rows by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.numbers.rational import coefficients
from verifier.recheck.documents import comparison_entry, head, law_entry
from verifier.recheck.texts import number_text
from verifier.wings.exchange.answer import NO, UNSUPPORTED, Exchange, Exchanged, mechanism_rows
from verifier.wings.exchange.curve.answer import Cell, Curve, RowCurve
from verifier.wings.exchange.delta.answer import DeltaCurve
from verifier.wings.exchange.delta.program import Piece
from verifier.wings.exchange.program import Bounded, Column
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.families.comparisons import general_member
from verifier.wings.families.domain import inner_value
from verifier.wings.families.intervals import Interval, joined
from verifier.wings.families.points import Point

Parameters = Mapping[str, Any] | None


def used_lines(proofs: Iterable[Bounded]) -> list[int]:
    """The numbers of the lines that proofs use, in order: a document lists their rows, and names them by place."""
    return sorted({number for proof in proofs for number, _ in proof.multipliers})


def member(answer: Curve) -> Model:
    """The model of a curve; for a family the model whose probabilities are functions of the parameter."""
    if not isinstance(answer.model, Family):
        return answer.model
    family = answer.model
    return general_member(family, [{answer.name: inner_value(family)}])


def rate_document(answer: Exchange, beside: Path | None = None, parameters: Parameters = None) -> dict[str, Any]:
    """The document of a rate at one ε."""
    return {**head("exchange", answer.model, beside, parameters), **_question(answer), **rate_entry(answer)}


def rate_entry(answer: Exchange) -> dict[str, Any]:
    """The answer of a rate, with the mechanism that needs it and the multipliers for each row of B."""
    model, computed = answer.model, answer.chances is not None
    finite = answer.tight_epsilon is not None and not answer.tight_epsilon.is_infinite
    return {
        "verdict": answer.verdict,
        "tight_epsilon": None if answer.tight_epsilon is None else answer.tight_epsilon.text(10**9),
        "mechanism": _mechanism(model, answer.chances or {}) if computed else None,
        "proof": _bounds(answer) if computed and finite else None,
    }


def _bounds(answer: Exchange) -> dict[str, Any]:
    model, used = answer.model, used_lines(answer.rates)
    bounds = [
        {
            **_row(model, rate.row),
            "factor": number_text(rate.factor),
            "multipliers": [[used.index(number), 0, 0, number_text(times)] for number, times in rate.multipliers],
        }
        for rate in answer.rates
        if rate.factor is not None
    ]
    return {"assumed": [_row(model, answer.assumed[number]) for number in used], "bounds": bounds}


def _question(answer: Exchanged[Any]) -> dict[str, Any]:
    """What was asked.

    Raises:
        UnsupportedError: where nothing was computed.

    """
    if answer.verdict == UNSUPPORTED:
        raise UnsupportedError(f"no document: {answer.reason}")
    epsilon = None if answer.epsilon is None else answer.epsilon.text(10**9)
    return {"from": answer.source, "to": answer.target, "epsilon": epsilon}


def _row(model: Model, row: LinearRow, chance_text: Any = number_text) -> dict[str, Any]:
    return comparison_entry(model, [(Fraction(1), row.p, row.q)], row.scale, chance_text)


def _mechanism(model: Model, column: Column) -> dict[str, Any]:
    return {"rows": mechanism_rows(model, column), "otherwise": NO}


def delta_document(answer: DeltaCurve, beside: Path | None = None, parameters: Parameters = None) -> dict[str, Any]:
    """The document of a δ at each ε: lines, a mechanism that needs each, and multipliers where each begins."""
    model, count = answer.model, len(answer.assumed)
    used = sorted({n % count for n in used_lines(gain for piece in answer.pieces for gain in piece.gains)})

    def piece_entry(piece: Piece) -> dict[str, Any]:
        return {
            "from": number_text(piece.start),
            "value": number_text(piece.best.above),
            "slope": number_text(-piece.best.below),
            "mechanism": _mechanism(model, piece.best.column or {}),
            "multipliers": [
                [[used.index(n % count), 0, n // count, number_text(price)] for n, price in gain.multipliers]
                for gain in piece.gains
            ],
        }

    proof = {
        "assumed": [_row(model, answer.assumed[number]) for number in used],
        "rows": [_row(model, row) for row in answer.compared],
    }
    return {
        **head("exchange-delta", model, beside, parameters),
        **_question(answer),
        "delta": number_text(answer.delta_from),
        "verdict": answer.verdict,
        "pieces": list(map(piece_entry, answer.pieces)),
        "proof": proof if answer.pieces else None,
    }


def curve_document(answer: Curve, beside: Path | None = None, parameters: Parameters = None) -> dict[str, Any]:
    """The document of a rate as a function; a family is the model of its file, with the variable left open."""
    subject, model = answer.model, member(answer)
    if isinstance(subject, Family):
        parameters = {name: number_text(x) for name, x in subject.fixed_values.items()}
    question = _question(answer)
    used = used_lines(piece for curve in answer.curves for piece in curve.pieces)
    text = number_text if answer.over_epsilon else _function
    spans = [answer.span] if answer.span is not None else list(joined([cell.where for cell in answer.cells]))
    proof = {
        "assumed": [_row(model, answer.assumed[number], text) for number in used],
        "rows": [_curve(model, curve, answer.cells, used, text) for curve in answer.curves],
    }
    return {
        **head("exchange-curve", subject, beside, parameters),
        **question,
        "over": None if answer.over_epsilon else answer.name,
        "root": answer.root,
        "spans": [_interval(span) for span in spans],
        "cells": [_cell(model, cell, answer.curves) for cell in answer.cells],
        "proof": proof if answer.curves else None,
    }


def _curve(model: Model, curve: RowCurve, cells: Sequence[Cell], used: Sequence[int], text: Any) -> dict[str, Any]:
    """A row with its pieces where the rate is finite, and their multipliers."""
    finite = [cell.where.sample for cell in cells if cell.factor is not None]
    pieces = [
        {
            "where": _interval(piece.where),
            "factor": _function(piece.factor),
            "multipliers": [[used.index(number), 0, 0, _function(times)] for number, times in piece.multipliers],
        }
        for piece in curve.pieces
        if piece.factor is not None and any(piece.where.has(sample) for sample in finite)
    ]
    return {**_row(model, curve.row, text), "pieces": pieces}


def _cell(model: Model, cell: Cell, curves: tuple[RowCurve, ...]) -> dict[str, Any]:
    attained = None
    if cell.worst and cell.worst[0].column is not None:
        piece = cell.worst[0]
        column = law_entry(model, (piece.column or {}).items(), _function)
        attained = [next(k for k, curve in enumerate(curves) if curve.row is piece.row), column]
    return {
        "where": _interval(cell.where),
        "verdict": cell.verdict,
        "factor": None if cell.factor is None else _function(cell.factor),
        "scale": number_text(cell.scale),
        "attained": attained,
        "point": None if cell.answer is None else rate_entry(cell.answer),
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
