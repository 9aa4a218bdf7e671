"""The computational definitions of DP22 (section 9): what follows from sums of negligible numbers alone."""

from __future__ import annotations

import z3

from verifier.wings.papers.ledger.steps import Steps, unsatisfiable


def chosen_by_chance() -> Steps:
    """Proposition 6, convexity: for each distinguisher and each size the inequalities of both mechanisms add up."""
    a, b, c, d, e, n, m, w = z3.Reals("a b c d E n m w")
    chance = [w >= 0, w <= 1, e >= 1, n >= 0, m >= 0]
    mixed = w * a + (1 - w) * c > e * (w * b + (1 - w) * d) + w * n + (1 - w) * m
    return (
        unsatisfiable(
            [*chance, a <= e * b + n, c <= e * d + m, mixed],
            "IndCDP: every choice by chance keeps e^ε, with w·neg₁ + (1 - w)·neg₂",
        ),
        unsatisfiable(
            [*chance, n <= m, w * n + (1 - w) * m > m], "which is at most the larger one, so that it is negligible"
        ),
        unsatisfiable(
            [*chance, a - b <= n, c - d <= m, w * a + (1 - w) * c - (w * b + (1 - w) * d) > w * n + (1 - w) * m],
            "SimCDP: every choice of M₁ and M₂ is near the same choice of the ε-DP mechanisms",
        ),
        unsatisfiable(
            [*chance, a <= e * b, c <= e * d, w * a + (1 - w) * c > e * (w * b + (1 - w) * d)],
            "and that choice is ε-DP, event by event",
        ),
    )


def simulated_is_indistinguishable() -> Steps:
    """ε-SimCDP implies ε-IndCDP: M(D₁), M′(D₁), M′(D₂), M(D₂) are compared one after the other."""
    a, b, c, d, e, n = z3.Reals("a b c d E n")
    return (
        unsatisfiable(
            [e >= 1, n >= 0, a <= b + n, b <= e * c, c <= d + n, a > e * d + (1 + e) * n],
            "every distinguisher has P[M(D₁)] ≤ e^ε·P[M(D₂)] + (1 + e^ε)·neg",
        ),
    )
