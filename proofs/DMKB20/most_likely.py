"""Proposition 7 (DMKB20, section 4.1) with the absolute third moment: it follows from δ at ε = 0, without GK17.

S is the sum of the other votes, v its variance, σ² = n·μ₂ that of all n votes. The proof is written out in
`proofs/bounds.md`; each function checks one of its steps.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import z3
from sympy import binomial, symbols

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, ZERO, bits, count_law, either_excess, total
from verifier.wings.papers.ledger.steps import Steps, every_case, identity, positive, unsatisfiable

GRID = (ZERO, Fraction(1, 10), QUARTER, HALF, Fraction(2, 3), ONE)


def one_peak() -> Steps:
    """The law r of S is log-concave without gaps, so it rises to one peak, and TV(S, S + 1) = max P[S = k].

    One more vote with chance p makes s_k = (1 - p)·r_k + p·r_(k - 1) of r; a, b, c, d are r_(k - 2), …, r_(k + 1).
    """
    p, a, b, c, d = symbols("p a b c d")
    before, here, after = ((1 - p) * y + p * x for x, y in ((a, b), (b, c), (c, d)))
    kept = (1 - p) ** 2 * (c**2 - b * d) + p**2 * (b**2 - a * c) + p * (1 - p) * (b * c - a * d)
    w, x, y, z = z3.Reals("a b c d")
    laws = [count_law(chances) for size in (1, 2, 3, 4) for chances in combinations_with_replacement(GRID, size)]
    return (
        identity(here**2 - before * after, kept, "s_k² - s_(k - 1)·s_(k + 1) in terms of r"),
        unsatisfiable(
            [w >= 0, x > 0, y > 0, z >= 0, x * x >= w * y, y * y >= x * z, x * y < w * z],
            "r_(k - 1)·r_k ≥ r_(k - 2)·r_(k + 1) for every log-concave r, so s is log-concave too",
        ),
        every_case(
            laws,
            lambda law: either_excess(law, {k + 1: weight for k, weight in law.items()}, 1) == max(law.values()),
            "rises up to the peak add up to it: δ at ε = 0 is the largest P[S = k]",
        ),
    )


def most_likely_count() -> Steps:
    """(max P[S = k])² ≤ 1/(2v), v the variance of S, for independent votes with any chances.

    A vote with chance p is, with probability q = 2·min(p, 1 - p), a fair coin, else certain. N is the number of coins.
    """
    p = z3.Real("p")
    fair = z3.If(p <= z3.Q(1, 2), 2 * p, 2 - 2 * p)
    certain = z3.If(p <= z3.Q(1, 2), z3.RealVal(0), z3.RealVal(1))
    m = positive("m")
    x, y, u = z3.Reals("x y u")
    return (
        unsatisfiable(
            [p >= 0, p <= 1, fair / 2 + (1 - fair) * certain != p], "a coin with q, else the likelier vote: every p"
        ),
        unsatisfiable([p >= 0, p <= 1, fair < 2 * p * (1 - p)], "q ≥ 2p(1 - p), so that Σ q ≥ 2v, for every p"),
        identity(
            binomial(2 * m + 2, m + 1) / 4 ** (m + 1),
            binomial(2 * m, m) / 4**m * (2 * m + 1) / (2 * m + 2),
            "c(N) = C(N, ⌊N/2⌋)/2^N, from N = 2m to 2m + 2",
        ),
        identity(
            binomial(2 * m + 1, m) / (2 * 4**m), binomial(2 * m + 2, m + 1) / 4 ** (m + 1), "c(2m + 1) = c(2m + 2)"
        ),
        identity(
            (2 * m + 2) ** 2 - (2 * m + 1) * (2 * m + 3), 1, "c(2m)²·(2m + 1) falls in m, from 1: c(N)² ≤ 1/(N + 1)"
        ),
        unsatisfiable(
            [u >= 0, u <= 1, (u * x + (1 - u) * y) * (u * x + (1 - u) * y) > u * x * x + (1 - u) * y * y],
            "the square of a mean is at most the mean of the squares: P[S = k]² ≤ E[1/(N + 1)]",
        ),
        every_case(
            [ones for size in range(1, 9) for ones in bits(size) if any(ones)],
            lambda ones: total(Fraction(one, sum(ones)) for one in ones) == 1,
            "the coins that are thrown share N in equal parts: Σ ξ_j/N = 1",
        ),
        every_case(
            list(combinations_with_replacement(GRID, 4)),
            _shared,
            "so E[1/(N + 1)]·Σ q ≤ P[N ≥ 1] ≤ 1, since one coin fewer makes 1/(N + 1) larger",
        ),
    )


def _shared(chances: tuple[Fraction, ...]) -> bool:
    """E[ξ_j/N] = q_j·E[1/(N - ξ_j + 1)] ≥ q_j·E[1/(N + 1)] for each coin, and all of them together give P[N ≥ 1]."""
    every = count_law(chances)
    inverse = total(weight / (count + 1) for count, weight in every.items())
    parts = []
    for j, q in enumerate(chances):
        others = count_law([*chances[:j], *chances[j + 1 :]])
        part = q * total(weight / (count + 1) for count, weight in others.items())
        if part < q * inverse:
            return False
        parts.append(part)
    return total(parts) == 1 - every.get(0, ZERO) and inverse * total(chances) <= 1


def restored() -> Steps:
    """1.12·μ₃·(1 + e^ε)/(√n·μ₂³) ≥ 1.12/σ ≥ δ at ε = 0, with the absolute third moment; so with μ₂^(3/2).

    T stands for (max P[S = k])², which is at most 1 and 1/(2v), and x for μ₃·(1 + e^ε).
    """
    p, mu, third, both, x, s, v, largest = z3.Reals("p mu_2 mu_3 both x s v T")
    constant = z3.Q(28, 25)
    limit = constant**2
    return (
        unsatisfiable([p >= 0, p <= 1, p * p + (1 - p) * (1 - p) < z3.Q(1, 2)], "p² + (1 - p)² ≥ 1/2, so μ₃ ≥ μ₂/2"),
        unsatisfiable([p >= 0, p <= 1, p * (1 - p) > z3.Q(1, 4)], "p(1 - p) ≤ 1/4, so μ₂ ≤ 1/4 and v ≥ σ² - 1/4"),
        unsatisfiable([mu > 0, third >= mu / 2, both >= 2, third * both < mu], "x = μ₃(1 + e^ε) ≥ μ₂ at every ε ≥ 0"),
        unsatisfiable(
            [mu > 0, s > 0, x >= mu, (constant * x) ** 2 / (s * mu**2) < limit / s],
            "with μ₂^(3/2) the square of the error is at least 1.12²/σ², s = σ² = nμ₂",
        ),
        unsatisfiable(
            [mu > 0, mu <= z3.Q(1, 4), 64 * mu**3 > 1],
            "1/μ₂³ ≥ 64: with μ₂³ in place of μ₂^(3/2) the error is at least 8 times as large",
        ),
        unsatisfiable(
            [s > 0, v >= 0, v >= s - z3.Q(1, 4), largest >= 0, largest <= 1, 2 * v * largest <= 1, largest * s > limit],
            "the largest P[S = k] is at most 1.12/σ",
        ),
    )
