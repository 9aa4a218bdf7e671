"""Proposition 1: its two displayed equations, both halves where they hold, the constant 2, both refutations again."""

from __future__ import annotations

from fractions import Fraction

import z3
from sympy import limit

from verifier.wings.papers.ledger.laws import HALF, QUARTER, ZERO, Law, total
from verifier.wings.papers.ledger.plain import Database, Plain, smallest, uniform
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    identity,
    less,
    positive,
    unsatisfiable,
)

FACTOR_TWO: dict[Database, Fraction] = {
    (0, 0): Fraction(1, 8),
    (0, 1): QUARTER,
    (1, 0): HALF,
    (1, 1): QUARTER,
}
"""P[M = t] on (D(0), D(1)) in models/DMKB20/proposition-1-factor-two.toml."""


def two_copies(table: dict[Database, Fraction]) -> Plain:
    """The model of two equal fair bits and a mechanism with the outputs t and u; the table has P[M = t]."""
    return Plain(uniform([(0, 0), (1, 1)]), lambda d: {"t": table[d], "u": 1 - table[d]})


def first_display() -> Steps:
    """The first equation: Bayes' rule gives P_b(t)/P(t) as the second factor, which is printed upside down.

    With x = P[D(i) = a], m = P[M(D) = t given a], n the same for D with i set to b, and M, N the probabilities of t.
    """
    x, m, n, M, N = positive("x m n M N")
    posteriors = (n * x / N) / (m * x / M)
    return (
        identity(n / m, posteriors * (N / M), "likelihood ratio = posterior ratio · P[M(D_b) = t]/P[M(D) = t]"),
        identity(posteriors * (M / N), (n / m) * (M / N) ** 2, "as printed, the right side is (M/N)² times the left"),
    )


def first_display_fails() -> Steps:
    """The first equation in numbers, on models/DMKB20/proposition-1-factor-two.toml, for b = 0 and for b = 1."""
    model = two_copies(FACTOR_TWO)
    likelihood_ratio = model.given_value("", 0, 1, 0)["t"] / model.given_value("", 0, 1)["t"]
    posterior = model.given_output("", 0, "t", 0)[1] / model.given_output("", 0, "t")[1]
    changed, factual = model.given_value("", 0, 0, 1)["t"], model.given_value("", 0, 0)["t"]
    ratio = model.given_output("", 0, "t", 1)[0] / model.given_output("", 0, "t")[0]
    before, after = sum_of(model, None), sum_of(model, 1)
    return (
        equal(likelihood_ratio, posterior, "with b = 0 the output is as likely as before, and both forms agree"),
        equal(changed / factual, Fraction(4), "a = 0, b = 1: the left side"),
        equal(ratio * after / before, Fraction(4), "posterior ratio 2 times P[M(D_b) = t]/P[M(D) = t] = 2"),
        less(ratio * before / after, changed / factual, "as printed, posterior ratio 2 times 1/2"),
    )


def sum_of(model: Plain, to: int | None) -> Fraction:
    """P[M(D) = t], or P[M(D with 0 set to `to`) = t]."""
    return total(p for (_, t), p in model.joint("", 0, to).items() if t == "t")


def second_display() -> Steps:
    """The second equation: for D(i) = b both likelihoods are one number, so posterior ratio · P_b(t)/P(t) = 1."""
    x, m, M, N = positive("x m M N")
    return (identity((m * x / N) / (m * x / M) * (N / M), 1, "with D(i) = b, D set to b is D"),)


def second_display_needs_t() -> Steps:
    """The second equation says nothing where t is impossible given D(i) = b: the posteriors of b are 0."""
    model = nearly_four(Fraction(1, 1000))
    before, after = sum_of(model, None), sum_of(model, 2)
    return (
        equal(model.given_value("", 0, 2).get("t", ZERO), ZERO, "P[M(D) = t given b]"),
        equal(model.given_output("", 0, "t").get(2, ZERO), ZERO, "the posterior of b after M(D) = t"),
        equal(model.given_output("", 0, "t", 2).get(2, ZERO), ZERO, "and after M(D with i set to b) = t"),
        less(ZERO, before, "while t is possible"),
        less(after / before, Fraction(503, 1000), "and P[M(D with i set to b) = t]/P[M(D) = t] is not 1"),
        less(abs(after / before - HALF), Fraction(1, 300), "it differs from 1/2 by"),
        equal(len(model.values), 3, "values"),
    )


def second_half() -> Steps:
    """IBCDP at ε gives CDP at 2ε for a and b possible and t possible on both sides: the proof's two factors."""
    r, s, R, E = z3.Reals("r s R E")
    hypotheses = [E >= 1, r > 0, s > 0, R > 0, r <= E, E * r >= 1, s <= E, E * s >= 1, s * R == 1]
    return (
        unsatisfiable([*hypotheses, z3.Or(R > E, E * R < 1)], "posterior ratio s of b times R is 1: R is within E"),
        unsatisfiable(
            [*hypotheses, z3.Or(r * R > E * E, E * E * r * R < 1)], "posterior ratio r of a times R is within E²"
        ),
    )


def first_half_is_not_attained() -> Steps:
    """For ε > 0 the 2ε of CDP ⟹ IBCDP is approached and not attained: the value a itself counts in P(t)."""
    w, v, m, n, k, j, E = z3.Reals("w v m n k j E")
    hypotheses = [E > 1, w > 0, v >= 0, m > 0, k >= 0, j >= 0, n <= E * m, k <= E * j, j <= E * k]
    p, e, x = positive("p e x")
    ratio = (e * x / x) * (p * x + (1 - p) * x) / (p * e * x + (1 - p) * x / e)
    near = nearly_four(Fraction(1, 1000))
    return (
        unsatisfiable(
            [*hypotheses, n * (w * m + v * k) >= E * E * m * (w * n + v * j), n > 0],
            "the ratio of posteriors is below E² where E > 1",
        ),
        identity(limit(ratio, p, 0), e**2, "with P[D(i) = a] = p, P_b = e·P given a and P/e given c, p to 0"),
        equal(smallest(near.cdp()), Fraction(2), "a model with p = 1/1000: CDP, the smallest e^ε"),
        less(Fraction(398, 100), smallest(near.ibcdp()) or ZERO, "and IBCDP for the same model"),
    )


def nearly_four(p: Fraction) -> Plain:
    """Three copies of a value with the probabilities p, 1 - 2p, p; t is more likely with a 2 among 0s, less among 1s.

    A row of `t` is what most records are, a column what the last one is; no single change alters the former.
    """
    t = {0: {0: 8, 1: 8, 2: 16}, 1: {0: 8, 1: 8, 2: 4}, 2: {0: 0, 1: 0, 2: 0}}

    def rule(database: Database) -> Law:
        most = sorted(database)[1]
        likely = Fraction(t[most][sum(database) - 2 * most], 64)
        return {o: q for o, q in (("t", likely), ("u", 1 - likely)) if q}

    worlds = tuple((q, (v, v, v), "") for v, q in enumerate((p, 1 - 2 * p, p)))
    return Plain(worlds, rule, (0, 1, 2))
