"""Membership and adversarial privacy (DP22, Definitions 34 and 35, Proposition 5), in fractions."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, Law, bits, neighbours
from verifier.wings.papers.ledger.plain import smallest
from verifier.wings.papers.ledger.steps import Steps, equal, identity, less, unsatisfiable


def majority(database: tuple[int, ...]) -> Law:
    """The law of M on three bits: a coin where all are equal, else the value that two of them have."""
    if len(set(database)) == 1:
        return {0: HALF, 1: HALF}
    return {int(sum(database) >= 2): ONE}


def membership_of_equal_values() -> Steps:
    """The majority mechanism has membership privacy with e^ε = 2, and no ε in bounded DP.

    θ gives the databases the weights s (a has the majority, b occurs), t (the other way), z (only a) and y (only b);
    the output is a.
    """
    s, t, z, y = z3.Reals("s t z y")
    hypotheses = [s >= 0, t >= 0, z >= 0, y >= 0, s + t + z + y == 1]
    out = s + z / 2 + y / 2
    inside, prior = s + z / 2, s + t + z
    return (
        unsatisfiable([*hypotheses, inside > 2 * prior * out], "every θ: P[a ∈ D | output a] ≤ 2·P[a ∈ D]"),
        unsatisfiable([*hypotheses, 2 * (y / 2) < (1 - prior) * out], "every θ: P[a ∉ D | output a] ≥ P[a ∉ D]/2"),
        unsatisfiable([*hypotheses, s + y / 2 > 2 * (s + t + y) * out], "every θ: P[b ∈ D | output a] ≤ 2·P[b ∈ D]"),
        unsatisfiable([*hypotheses, 2 * (z / 2) < (1 - s - t - y) * out], "every θ: P[b ∉ D | output a] ≥ P[b ∉ D]/2"),
        equal(smallest([(majority(d), majority(e)) for d, e in neighbours(bits(3))]), None, "e^ε of bounded DP"),
    )


def membership_of_rare_outputs() -> Steps:
    """An output of probability τ where all records are equal, τ·h where a has the majority, 0 where b has it; h ≤ 1.

    It makes neither a nor b likelier; its complement, between 1 - τ and 1, makes each likelier by at most 1/(1 - τ).
    """
    s, t, z, y, h = z3.Reals("s t z y h")
    within, without, prior, seen_at_all, tau = z3.Reals("within without prior seen_at_all tau")
    hypotheses = [s >= 0, t >= 0, z >= 0, y >= 0, s + t + z + y == 1, h >= 0, h <= 1]
    output_mass = z + h * s + y
    complement = [tau > 0, tau < 1, prior >= 0, prior <= 1, seen_at_all >= 1 - tau, seen_at_all <= 1]
    return (
        unsatisfiable([*hypotheses, z + h * s > (1 - y) * output_mass], "every θ: P[a ∈ D | output] ≤ P[a ∈ D]"),
        unsatisfiable([*hypotheses, y + h * s > (1 - z) * output_mass], "every θ: P[b ∈ D | output] ≤ P[b ∈ D]"),
        unsatisfiable(
            [*complement, within >= 0, within <= prior, within * (1 - tau) > prior * seen_at_all],
            "every θ: P[t ∈ D | the complement] ≤ P[t ∈ D]/(1 - τ)",
        ),
        unsatisfiable(
            [*complement, without >= (1 - tau) * (1 - prior), without < (1 - tau) * (1 - prior) * seen_at_all],
            "every θ: P[t ∉ D | the complement] ≥ (1 - τ)·P[t ∉ D]",
        ),
        equal(smallest([({"o": QUARTER, "c": Fraction(3, 4)}, {"c": ONE})]), None, "bounded DP with τ·h = 1/4, e^ε"),
    )


def membership_of_people() -> Steps:
    """Where a value belongs to one person alone, priors on the two databases with and without it give back DP."""
    p, m, n, e = z3.Reals("p m n E")
    share = p * m + (1 - p) * n
    hypotheses = [e >= 1, p > 0, p < 1, m >= 0, n > 0]
    return (
        unsatisfiable([*hypotheses, m <= e * n, n <= e * m, z3.Or(m > e * share, n * e < share)],
                      "every prior p: DP with ε gives both inequalities of the definition"),
        unsatisfiable([e >= 1, m > e * n, n >= 0, m <= 1, p > 0, p < 1, e * share >= m, 2 * p * e * m <= m - e * n],
                      "every m > E·n is seen by each small prior p"),
    )  # fmt: skip


def negative_of_equal_values() -> Steps:
    """NMPr: "alike" is sure where one value alone occurs, else has 1/E, and with 1 - 1/E the majority is told.

    Weights: s and t (both values occur, a or b has the majority), z (only a), y (only b).
    """
    s, t, z, y, e, m, n, h, p = z3.Reals("s t z y E m n h p")
    hypotheses = [s >= 0, t >= 0, z >= 0, y >= 0, s + t + z + y == 1, e > 1]
    alike = (s + t) / e + z + y
    return (
        unsatisfiable([*hypotheses, y > e * y * alike], "every θ: P[a ∉ D | alike] ≤ E·P[a ∉ D]"),
        unsatisfiable([*hypotheses, e * ((s + t) / e + z) < (1 - y) * alike], "every θ: P[a ∈ D | alike] ≥ P[a ∈ D]/E"),
        unsatisfiable([*hypotheses, z > e * z * alike], "every θ: P[b ∉ D | alike] ≤ E·P[b ∉ D]"),
        unsatisfiable([*hypotheses, e * ((s + t) / e + y) < (1 - z) * alike], "every θ: P[b ∈ D | alike] ≥ P[b ∈ D]/E"),
        equal(smallest([({"=": HALF, "a": HALF}, {"=": HALF, "b": HALF})]), None, "e^ε of bounded DP, for E = 2"),
        unsatisfiable([h > 0, h < 1, m == 1, n == 1 - h, p > 0, p < 1, p * m <= p * (p * m + (1 - p) * n)],
                      "NMPr with ε′ = 0: every answer that is likelier with t moves a belief p that is neither 0 nor 1,"
                      " however little"),
    )  # fmt: skip


def negative_of_people() -> Steps:
    """Where a value belongs to one person alone: the priors on two databases ask for n ≤ E·m in each event."""
    p, m, n, e = z3.Reals("p m n E")
    share = p * m + (1 - p) * n
    hypotheses = [e >= 1, p > 0, p < 1, m >= 0, n >= 0, m <= 1, n <= 1]
    return (
        unsatisfiable([*hypotheses, n <= e * m, z3.Or(e * m < share, n > e * share)],
                      "every prior p: n ≤ E·m gives both inequalities of the definition"),
        unsatisfiable([*hypotheses, n > e * m, e * share >= n, 2 * (1 - p) * n >= n + e * m, e * m >= share],
                      "every n > E·m is seen by each small prior p"),
    )  # fmt: skip


def rarely_told_for_every_share() -> Steps:
    """For every prior p and every share s > 0: the posterior of a telling output is that of the whole truth."""
    p, s = sympy.symbols("p s", positive=True)
    return (
        identity(p * s / (p * s + (1 - p) * 0), sympy.Integer(1), "P[1 | output 1], for every p and s"),
        identity(p * (1 - s) / (p * (1 - s) + (1 - p) * (1 - s)), p, "P[1 | ⊥], for every p and s"),
    )


def adversarial_proof() -> Steps:
    """The sum in the proof of Proposition 5 need not be at most e^ε·P + δ as printed.

    With + between the terms and brackets around X·(e^ε·P + δ) it is.
    """
    x, y, u, v, b = z3.Reals("X1 X2 u v b")
    hypotheses = [x >= 0, y >= 0, x + y > 0, u >= 0, v >= 0, b >= 0, u <= b, v <= b]
    share, bound, delta = QUARTER, HALF, Fraction(1, 10)
    printed = 2 * (share * bound + delta) / (2 * share)
    return (
        equal(
            printed, Fraction(9, 10), "as printed (X₁·e^ε·P + δ)/(X₁ + X₂) twice, for X = 1/4, e^ε·P = 1/2, δ = 1/10"
        ),
        less(bound + delta, printed, "e^ε·P + δ, and the printed sum that is said to be at most that"),
        equal(
            (share * HALF / (2 * share)) * (share * HALF / (2 * share)),
            Fraction(1, 16),
            "the printed product of both terms where each posterior is 1/2",
        ),
        unsatisfiable(
            [*hypotheses, x * u + y * v > b * (x + y)], "every mean of posteriors that are at most b is at most b"
        ),
    )


def adversarial_proof_by_symbols() -> Steps:
    """The printed sum is e^ε·P + 2·δ/(X₁ + X₂), above e^ε·P + δ as X₁ + X₂ is at most 1."""
    x, y, b, d = sympy.symbols("X1 X2 b delta", positive=True)
    printed = (x * b + d) / (x + y) + (y * b + d) / (x + y)
    return (
        identity(printed, b + 2 * d / (x + y), "the printed sum, for every X₁ and X₂"),
        identity((x * (b + d) + y * (b + d)) / (x + y), b + d, "with δ in the bracket, for every X₁ and X₂"),
    )
