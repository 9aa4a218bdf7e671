"""Proposition 26: the bijections; u is what unknown records give, s₁ and s₂ what the known ones give in B₁ and B₂."""

from __future__ import annotations

import sympy

from verifier.wings.papers.ledger.laws import bits
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, identity, positive

N, U, S1, S2 = positive("n u s1 s2")


def independent() -> Steps:
    """Independent records: the law of the unknown ones given D(i) = t does not depend on the known ones."""
    k, r, s = positive("k r s")
    return (identity(k * r / (k * r + k * s), r / (r + s), "P[unknown | known, of probability k]"),)


def counting() -> Steps:
    """φ(O) = O - M(B₁) + M(B₂), for counts and, with weights, for linear queries and arithmetic means."""
    return (
        *independent(),
        identity((U + S1) - S1 + S2, U + S2, "the count u + s₁ is mapped to u + s₂"),
        identity((U + S1) / N + (S2 - S1) / N, (U + S2) / N, "the arithmetic mean, with weights 1/n"),
        every_case(
            ((n, k, s1, s2) for n in range(1, 8) for k in range(n) for s1 in range(k + 1) for s2 in range(k + 1)),
            lambda c: (
                {o - c[2] + c[3] for o in range(c[2], c[2] + c[0] - c[1] + 1)}
                == set(range(c[3], c[3] + c[0] - c[1] + 1))
            ),
            "n ≤ 7 records, k known: the counts that B₁ allows are mapped onto those that B₂ allows",
        ),
    )


def not_into() -> Steps:
    """The shift does not map {0, …, n} into itself: of two votes one is known, B₁ = (0), B₂ = (1), and 2 goes to 3."""
    outputs = {sum(d) for d in bits(2)}
    return (
        equal(outputs, {0, 1, 2}, "the outputs of a count of two votes"),
        equal(max(o - 0 + 1 for o in outputs) in outputs, False, "2 - M(B₁) + M(B₂) = 3 is no output"),
    )


def means() -> Steps:
    """The geometric, harmonic and quadratic mean of positive records; products, inverses and squares add up in u, s."""
    geometric = (U * S1) ** (1 / N)
    harmonic = N / (U + S1)
    quadratic = sympy.sqrt((U + S1) / N)
    return (
        *independent(),
        identity(sympy.powsimp((geometric**N * S2 / S1) ** (1 / N)), (U * S2) ** (1 / N), "(Oⁿ·s₂/s₁)^(1/n)"),
        identity(N / (N / harmonic + S2 - S1), N / (U + S2), "n/(n/O + s₂ - s₁), s the sums of 1/x"),
        identity(
            sympy.sqrt(quadratic**2 + (S2 - S1) / N), sympy.sqrt((U + S2) / N), "√(O² + (s₂ - s₁)/n), s the sums of x²"
        ),
    )
