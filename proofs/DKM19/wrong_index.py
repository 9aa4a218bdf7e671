"""DKM19, section 4.1: the attacker is said to distinguish D(i) = a from D(j) = b, with two indices."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verifier.wings.papers.ledger.laws import HALF, ONE, ZERO, excess
from verifier.wings.papers.ledger.steps import Steps, equal

FAIR = {database: Fraction(1, 4) for database in product((0, 1), repeat=2)}


def _first_given(index: int, value: int) -> dict[int, Fraction]:
    """The law of D(0) given D(index) = value, for two fair bits."""
    law = {0: ZERO, 1: ZERO}
    for database, weight in FAIR.items():
        if database[index] == value:
            law[database[0]] += 2 * weight
    return law


def two_indices() -> Steps:
    """Two fair bits, the first is published: a = b tells nothing of one record, and something of two."""
    return (
        equal(excess(_first_given(0, 0), _first_given(0, 0), ONE), ZERO, "δ at ε = 0 of D(0) = 0 against D(0) = 0"),
        equal(excess(_first_given(0, 0), _first_given(1, 0), ONE), HALF, "δ at ε = 0 of D(0) = 0 against D(1) = 0"),
    )


def one_index() -> Steps:
    """Definition 5 has one index: D(0) = 0 against D(0) = 1, which the output tells apart."""
    return (equal(excess(_first_given(0, 0), _first_given(0, 1), ONE), ONE, "δ at ε = 0 of D(0) = 0 against D(0) = 1"),)
