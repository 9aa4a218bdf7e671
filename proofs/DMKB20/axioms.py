"""The f-divergence form of PPKDP, in the proof of DMKB20, Proposition 5; `proofs/coq` has the proposition itself."""

from __future__ import annotations

from fractions import Fraction

import z3

from verifier.wings.papers.ledger.laws import BITS, ONE, ZERO
from verifier.wings.papers.ledger.steps import Steps, equal, less, positive_part, unsatisfiable


def divergence_is_the_other_order() -> Steps:
    """With f(x) = max(0, 1 - E·x) and D_f(P ‖ Q) = Σ Q·f(P/Q), the sum is the excess of Q over P.

    That is the divergence of the pair (b, a). Where the weights of B̂ are the same given a and given b, and all
    ordered pairs are asked, nothing changes.
    """
    p, q, e, ratio = z3.Reals("p q E x")
    hypotheses = [p >= 0, q > 0, e > 0, ratio * q == p]
    return (
        unsatisfiable(
            [*hypotheses, q * positive_part(1 - e * ratio) != positive_part(q - e * p)], "Q·f(P/Q) = max(0, Q - E·P)"
        ),
        unsatisfiable(
            [p > 0, q >= 0, e > 0, ratio * p == q, p * positive_part(1 - e * ratio) != positive_part(p - e * q)],
            "P·f(Q/P) = max(0, P - E·Q), the order that Definition 13 asks",
        ),
        unsatisfiable([e > 0, p >= 0, positive_part(0 - e * p) != 0], "Q = 0 adds nothing to the first"),
    )


def divergence_with_dependence() -> Steps:
    """Where B depends on D(i), the printed sum with the usual D_f is another definition.

    B = D(1) equals the target D(0) with probability 3/4; M is constant for D(1) = 0, and for D(1) = 1 it answers u
    given D(0) = 0, and u or v, 1/2 each, given D(0) = 1. E = 4.
    """
    zero, one = ZERO, ONE
    law = {0: (one, zero), 1: (one / 2, one / 2)}
    weight = {0: one / 4, 1: 3 * one / 4}

    def h(p: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction]) -> Fraction:
        return sum((max(zero, x - 4 * y) for x, y in zip(p, q, strict=True)), zero)

    largest_ppk = max(weight[a] * h(law[a], law[1 - a]) for a in BITS)
    printed = max(weight[a] * h(law[1 - a], law[a]) for a in BITS)
    return (
        equal(largest_ppk, Fraction(3, 8), "the largest PPK at ε = ln(4)"),
        equal(printed, Fraction(1, 8), "the largest value of the sum with D_f(O_a ‖ O_b) = Σ O_b·f(O_a/O_b)"),
        less(printed, largest_ppk, "δ = 1/4 is enough for the printed sum, and not for PPKDP"),
    )
