"""The exponent of Definition 7 and Lemma 4 as extracted, e^(-ε - loss), and as in Definition 6, e^(ε - loss)."""

from __future__ import annotations

from fractions import Fraction

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, ZERO
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, less, positive_part, unsatisfiable


def as_extracted() -> Steps:
    """With e^(-ε - loss) a mechanism that says nothing needs δ = 1 - e^-ε, and more for a larger ε."""
    p, q, e, f = z3.Reals("p q E F")
    cases = [ONE, Fraction(3, 2), Fraction(2), Fraction(10)]
    base = [p > 0, q > 0, e > 1]
    return (
        every_case(cases, lambda big: 1 - 1 / (big * 1) == (big - 1) / big, "loss 0: 1 - e^(-ε - 0) is (E - 1)/E"),
        less(ZERO, 1 - HALF, "at ε = ln 2 the constant mechanism would need δ = 1/2, and not 0"),
        unsatisfiable(
            [*base, p == q, p * positive_part(1 - q / (e * p)) <= 0],
            "every output with loss 0 adds more than 0, at every ε > 0",
        ),
        unsatisfiable(
            [*base, f > e, p * positive_part(1 - q / (f * p)) < p * positive_part(1 - q / (e * p))],
            "a larger ε never needs a smaller δ: the guarantee would grow weaker as ε shrinks",
        ),
    )


def as_in_definition_6() -> Steps:
    """With e^(ε - loss) the summand is max(0, p - E·q), 0 for the loss 0, and it falls as ε grows."""
    p, q, e, f = z3.Reals("p q E F")
    base = [p > 0, q >= 0, e >= 1]
    return (
        unsatisfiable(
            [*base, p * positive_part(1 - e * q / p) != positive_part(p - e * q)],
            "p·max(0, 1 - E·q/p) = max(0, p - E·q)",
        ),
        unsatisfiable([*base, p == q, positive_part(p - e * q) != 0], "loss 0 adds 0, at every ε ≥ 0"),
        unsatisfiable(
            [*base, f >= e, positive_part(p - f * q) > positive_part(p - e * q)], "a larger ε needs no larger δ"
        ),
        equal(max(ZERO, 1 - Fraction(2)), ZERO, "at ε = ln 2 the constant mechanism needs δ = 0"),
    )
