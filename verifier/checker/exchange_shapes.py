"""What the certificates of exchange rates look like: of a rate, of a rate as a function, and of a rate with δ."""

from __future__ import annotations

from verifier.checker.shapes import ANYTHING, DATABASE, EPSILON, OR_NONE, RATIONAL, SIGNED, WORLDS, Either, Table, maybe

LAW_ON_DATABASES = [(DATABASE, RATIONAL)]
DATABASE_ROW = {"p": LAW_ON_DATABASES, "q": LAW_ON_DATABASES, "scale": RATIONAL}
EXCHANGE = {
    "schema": str,
    "size": Either((int, [int])),
    "values": [str],
    "secrets": [Either((int, "S"))],
    "worlds": WORLDS,
    "policy": Table(ANYTHING),
    "from": str,
    "to": str,
    "epsilon": EPSILON,
    "tight_epsilon": EPSILON,
    "assumed": [DATABASE_ROW],
    "rates": [{"row": DATABASE_ROW, "factor": RATIONAL, "multipliers": [(int, RATIONAL)]}],
    "extreme": LAW_ON_DATABASES,
}
NUMBER_OR_FUNCTION = Either((RATIONAL, ([SIGNED], [SIGNED])))
FUNCTION = ([SIGNED], [SIGNED])
"""A quotient of polynomials: the coefficients of its top and its bottom, the constant term first."""
END = Either((None, SIGNED, ([SIGNED], SIGNED, SIGNED)))
"""An end of an interval: none, a rational, or the root of a polynomial between two rationals."""
INTERVAL = (END, END, bool, bool)
CURVE_ROW = {**DATABASE_ROW, "p": [(DATABASE, NUMBER_OR_FUNCTION)], "q": [(DATABASE, NUMBER_OR_FUNCTION)]}
EXCHANGE_CURVE = {
    **{key: shape for key, shape in EXCHANGE.items() if key not in {"tight_epsilon", "rates", "extreme"}},
    "worlds": Table([(DATABASE, OR_NONE, OR_NONE, NUMBER_OR_FUNCTION)]),
    "epsilon": Either((EPSILON, None)),
    "root": int,
    "spans": [INTERVAL],
    "assumed": [CURVE_ROW],
    "rows": [{"row": CURVE_ROW, "pieces": [{"where": INTERVAL, "factor": FUNCTION, "multipliers": [(int, FUNCTION)]}]}],
    "cells": [
        {
            "where": INTERVAL,
            "factor": Either((FUNCTION, None)),
            "scale": RATIONAL,
            "verdict": str,
            "attained": maybe((int, [(DATABASE, FUNCTION)])),
            "model": maybe(EXCHANGE),
        }
    ],
}
EXCHANGE_DELTA = {
    **{key: shape for key, shape in EXCHANGE.items() if key not in {"tight_epsilon", "rates", "extreme"}},
    "delta": RATIONAL,
    "rows": [DATABASE_ROW],
    "pieces": [
        {
            "start": RATIONAL,
            "above": RATIONAL,
            "below": RATIONAL,
            "row": int,
            "column": LAW_ON_DATABASES,
            "multipliers": [[(int, str, RATIONAL)]],
        }
    ],
}
