"""What other papers prove, by elementary means (DMKB20): DDP and IBDDP with a δ, the orders of section 4.1, δ ≥ 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3
from sympy import exp, limit, log, oo, sqrt

from verifier.wings.papers.ledger.laws import HALF, ONE, ZERO, excess
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    for_all,
    identity,
    positive,
    positive_part,
    unsatisfiable,
)


def values_that_occur() -> Steps:
    """Definition 7: without its values of probability 0, each parameter has values that occur in every combination."""
    p, q = z3.Reals("p q")
    weights = [(ONE, ZERO), (HALF, HALF), (ZERO, ONE)]

    def all_occur(*laws: tuple[Fraction, Fraction]) -> bool:
        left = [[weight for weight in law if weight] for law in laws]
        return all(first * second > 0 for first, second in product(*left))

    return (
        unsatisfiable([p > 0, q > 0, p * q <= 0], "every combination of values that occur has a positive probability"),
        for_all(product(weights, repeat=2), all_occur, "two parameters without their values of probability 0"),
    )


def nothing_is_claimed() -> Steps:
    """Theorem 4 with f/(1 - r) ≥ 1: at δ ≥ 1 any two laws are (ε, δ)-indistinguishable, at every ε."""
    p, q, e = z3.Reals("p q E")
    return (
        unsatisfiable(
            [p >= 0, q >= 0, e >= 0, positive_part(p - e * q) > p],
            "max(0, p - E·q) ≤ p at every E, so that every excess is at most the sum of p, 1",
        ),
    )


def ddp_to_ibddp_with_delta() -> Steps:
    """(ε, δ)-DDP implies (4ε, δ′)-IBDDP, with η = δ·E/(E - 1), E = e^ε, and δ′ = 2η + (1 + E)·√η + δ."""
    p, q, e, d, s = z3.Reals("p q E delta s")
    a, b, x, y, w, v = z3.Reals("a b x y w v")
    return (
        unsatisfiable(
            [w >= 0, v >= 0, a <= e * b + d, x <= e * y + d, w + v == 1, w * a + v * x > e * (w * b + v * y) + d],
            "the joint laws of D(i) and the output, given each B̂, are (ε, δ)-indistinguishable, as each pair is",
        ),
        unsatisfiable(
            [e > 1, p > 0, q >= 0, p > e * e * q, p - e * q < p * (1 - 1 / e)],
            "where p > E²·q, p - E·q ≥ p·(1 - 1/E): all such outcomes together have at most η = δ·E/(E - 1)",
        ),
        unsatisfiable(
            [p >= 0, s > 0, p > s * s, p / s <= s],
            "what has at most s² = η on average exceeds s with a probability of at most s (Markov)",
        ),
        unsatisfiable(
            [e >= 1, q > 0, b > 0, a >= 0, a <= e * e * b, q <= e * e * p, p > 0, a / p > e * e * e * e * (b / q)],
            "for every outcome that is not left out, P(a, o)/P(o) ≤ E⁴·Q(a, o)/Q(o)",
        ),
        unsatisfiable(
            [e > 1, s >= 0, d >= 0, x >= 0, y >= 0, x <= e * y + d, y <= s, x > e * s + d],
            "a set of outputs with at most s under Sim has at most E·s + δ under M",
        ),
    )


def parity_needs_half() -> Steps:
    """The parity of two fair bits is known and published: a Sim that is not told it errs by 1/2, whatever ε is."""
    s, e, d = z3.Reals("s E delta")
    return (
        unsatisfiable(
            [e >= 1, s >= 0, s <= 1, d < z3.Q(1, 2), 1 - s <= d, s <= d],
            "s is Sim's probability of output 0: δ ≥ 1 - s given parity 0, and δ ≥ s given parity 1, at every ε",
        ),
        equal(excess({0: HALF, 1: HALF}, {0: ONE}, 10**9), HALF, "δ of the fair Sim against a certain output"),
    )


def orders() -> Steps:
    """Section 4.1: the closed form of Theorem 3 has the orders that are named, for equal and for different p_i."""
    n, share, d, eps = positive("n lambda delta eps")
    square = 14 * log(1 / d) / (share * (n - 1))
    solved = exp(-(eps**2) * share * (n - 1) / 14)
    ratio = limit(square.subs(d, 1 / sqrt(n)) / (log(n) / n), n, oo)
    return (
        identity(square * n / log(1 / d), 14 * n / (share * (n - 1)), "ε² = 14·ln(1/δ)/(λ(n - 1)) over ln(1/δ)/n"),
        equal(limit(14 * n / (share * (n - 1)), n, oo), 14 / share, "which tends, for every λ, to"),
        identity(square.subs(d, solved), eps**2, "δ = exp(-ε²λ(n - 1)/14) is the closed form solved for δ"),
        equal(
            limit(-log(solved) / (eps**2 * n), n, oo),
            share / 14,
            "so it is e^-Ω(ε²n) at every λ: ln(1/δ)/(ε²n) tends to",
        ),
        equal(ratio, 7 / share, "with δ = 1/√n, for every λ: ε² over ln(n)/n tends to"),
        equal(
            limit(27 / (share * (n - 1)) / sqrt(log(n) / n), n, oo), 0, "27/(λ(n - 1)) over √(ln(n)/n), at every λ, to"
        ),
    )
