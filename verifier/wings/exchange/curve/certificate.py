"""The certificate of an exchange rate as a function: worlds, rows, multipliers and columns, all as polynomials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.checker.exchange_curve import replay_exchange_curve
from verifier.evidence.texts import number_text
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.numbers.flints import coefficients
from verifier.wings.exchange.certificates import Certificates, law_entry, row_entry, tables, too_large
from verifier.wings.exchange.curve.answer import Cell, Curve, RowCurve
from verifier.wings.exchange.rate import UNSUPPORTED
from verifier.wings.exchange.rate_certificate import certificate_of
from verifier.wings.families.comparisons import general_member
from verifier.wings.families.domain import domain, inner_value
from verifier.wings.families.intervals import Interval, joined
from verifier.wings.families.points import Point


def _beyond(answer: Curve) -> str:
    """The reason why the replay does not check a curve; empty where it does."""
    if any(cell.verdict == UNSUPPORTED for cell in answer.cells):
        return "the rate is unsupported somewhere"
    if isinstance(answer.subject, Family) and all(span.point is not None for span in domain(answer.subject)):
        return "the range of the parameter has no inner value"
    return too_large(_member(answer))


def _member(answer: Curve) -> Model:
    """The model of a curve; for a family the model whose probabilities are functions of the parameter."""
    if not isinstance(answer.subject, Family):
        return answer.subject
    family = answer.subject
    return general_member(family, [{answer.name: inner_value(family)}])


def curve_certificate(answer: Curve) -> dict[str, Any]:
    """The certificate of a curve as plain data; rows of the source are named by their numbers in `assumed`."""
    model = _member(answer)
    used = sorted({n for curve in answer.curves for piece in curve.pieces for n, _ in piece.multipliers})
    places = {number: place for place, number in enumerate(used)}
    text = number_text if answer.over_epsilon else _function
    spans = [answer.span] if answer.span is not None else list(joined([cell.where for cell in answer.cells]))
    return {
        "schema": "pkdp exchange curve 1",
        **tables(model, text),
        "from": answer.source,
        "to": answer.target,
        "epsilon": None if answer.epsilon is None else answer.epsilon.text(10**9),
        "root": answer.root,
        "spans": [_interval(span) for span in spans],
        "assumed": [row_entry(model, answer.assumed[number], text) for number in used],
        "rows": [_curve(model, curve, answer.cells, places, text) for curve in answer.curves],
        "cells": [_cell(model, cell, answer.curves) for cell in answer.cells],
    }


def _curve(
    model: Model, curve: RowCurve, cells: Sequence[Cell], places: Mapping[int, int], text: Any
) -> dict[str, Any]:
    """A row with its pieces where the rate is finite, and their multipliers."""
    finite = [cell.where.sample for cell in cells if cell.factor is not None]
    pieces = [
        {
            "where": _interval(piece.where),
            "factor": _function(piece.factor),
            "multipliers": [[places[number], _function(times)] for number, times in piece.multipliers],
        }
        for piece in curve.pieces
        if piece.factor is not None and any(piece.where.has(sample) for sample in finite)
    ]
    return {"row": row_entry(model, curve.row, text), "pieces": pieces}


def _cell(model: Model, cell: Cell, curves: tuple[RowCurve, ...]) -> dict[str, Any]:
    attained = None
    if cell.worst and cell.worst[0][1].column is not None:
        curve, piece = cell.worst[0]
        column = law_entry(model, (piece.column or {}).items(), _function)
        attained = [next(k for k, own in enumerate(curves) if own is curve), column]
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
    model=lambda answer: answer.subject if isinstance(answer.subject, Model) else None,
)
"""The certificates of exchange rates as functions."""
