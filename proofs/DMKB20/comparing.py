"""Around Theorem 3 (DMKB20, section 4.1): Proposition 7, the figures, and what the text says of them."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import z3
from sympy import Rational, exp, limit, log, oo, solve, sqrt

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, ZERO, excess, exp_bracket, total
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    for_all,
    identity,
    less,
    positive,
    unsatisfiable,
)


def proposition_7_condition() -> Steps:
    """ε ≤ 1 iff δ₂ ≥ 1.25·exp(-n·μ₂/2), and ε at δ₂ = 4/(5√n)."""
    n, mu, d = positive("n mu delta_2")
    square = 2 * log(Rational(5, 4) / d) / (n * mu)
    x, y, size = z3.Reals("x y size")
    return (
        identity(square.subs(d, Rational(5, 4) * exp(-n * mu / 2)), 1, "ε² at δ₂ = 1.25·exp(-n·μ₂/2)"),
        unsatisfiable([size > 0, x < y, 2 * x / size >= 2 * y / size], "ε² = 2·ln(1.25/δ₂)/(nμ₂) falls in δ₂"),
        identity(square.subs(d, 4 / (5 * sqrt(n))), 2 * log(Rational(25, 16) * sqrt(n)) / (n * mu), "δ₂ = 4/(5√n)"),
    )


def smallest_epsilon() -> Steps:
    """In Proposition 7, ε = c/√n has δ₂ = 1.25·exp(-c²μ₂/2), whatever n is; δ₂ = C/√n has ε·√n → ∞."""
    n, mu, c, d, top = positive("n mu c delta_2 C")
    square = 2 * log(Rational(5, 4) / d) / (n * mu)
    smallest_delta = solve(square - c**2 / n, d)[0]
    return (
        identity(
            smallest_delta,
            Rational(5, 4) * exp(-(c**2) * mu / 2),
            "ε = c/√n: δ ≥ δ₂ = 1.25·exp(-c²μ₂/2), the same for all n",
        ),
        equal(
            limit(square.subs(d, top / sqrt(n)) * n, n, oo),
            oo,
            "δ₂ = C/√n: ε is not of order 1/√n, as the limit of n·ε² = 2·ln(1.25·√n/C)/μ₂ is",
        ),
    )


def exact_count_is_not_dp() -> Steps:
    """An exact count tells neighbours apart with certainty: the excess is 1 at every ε, so that δ must be 1."""

    def told_apart(n: int, s: int) -> bool:
        law = {sum([1] * s + [0] * (n - s)): ONE}
        neighbour = {sum([1] * (s + 1) + [0] * (n - s - 1)): ONE}
        return excess(law, neighbour, 10**9) == 1

    return (
        for_all([(n, s) for n in range(1, 6) for s in range(n)], told_apart, "s ones against s + 1 ones: 1 - E·0 = 1"),
    )


def figures() -> Steps:
    """Numbers around Figures 2 and 5: at λ = 1/20 and n = 100 the closed form never applies; at n = 10³ it does."""
    share = Fraction(1, 20)
    return (
        less(ONE, 27 / (share * 99), "n = 100: 27/(λ(n - 1)), to be at most ε ≤ 1"),
        less(27 / (share * 999), ONE, "n = 1,000: 27/(λ(n - 1))"),
        for_all(
            [(100, 1000), (10000, 100000)], lambda caption, text: caption < text, "the caption's n is not the text's"
        ),
        less(
            14 * 10 * Fraction(2303, 1000) / (share * 99999), Fraction(254, 1000) ** 2, "Figure 5, |B| = 0: ε² is below"
        ),
        less(Fraction(253, 1000) ** 2, 14 * 10 * Fraction(2302, 1000) / (share * 99999), "and above; ε = 0.25…"),
        for_all(
            [exp_bracket(ONE)],
            lambda low, high: high**2302 < 10**1000 < low**2303,
            "2.302 < ln(10) < 2.303, by the series of e",
        ),
    )


def two_readings_of_one_user() -> Steps:
    """One record near λ moves the bound of Theorem 3 from its λ, and μ₂ by at most 1/(4n) (section 4.1)."""
    n, low, chance = 100, Fraction(1, 20), HALF
    fair, changed = [chance] * n, [low] + [chance] * (n - 1)
    all_fair, one_low = (total(p * (1 - p) for p in chances) / n for chances in (fair, changed))
    shares = [min(min(p, 1 - p) for p in chances) for chances in (fair, changed)]
    return (
        equal(all_fair, QUARTER, "μ₂ of fair records"),
        less(all_fair - one_low, Fraction(1, 4 * n), "with one at 1/20, μ₂ falls by"),
        less(shares[1], shares[0], "while the largest λ that Theorem 3 may use falls from 1/2 to 1/20"),
    )


def at_the_ends() -> Steps:
    """Figure 2 takes p₁ = λ = 1/20 and p_i up to 1 - λ, where Theorem 3 asks λ < p_i < 1 - λ."""
    share = Fraction(1, 20)
    ends = [share, 1 - share]
    return (
        every_case(ends, lambda p: not share < p < 1 - share, "1/20 and 19/20 are not strictly between λ and 1 - λ"),
    )


def values_cancel() -> Steps:
    """With γ = Kλ the number of values cancels: K/γ = 1/λ."""
    k, share, n = positive("K lambda n")
    return (
        identity(14 * k / (k * share * (n - 1)), 14 / (share * (n - 1)), "14·K/(γ(n - 1))"),
        identity(27 * k / (k * share * (n - 1)), 27 / (share * (n - 1)), "27·K/(γ(n - 1))"),
    )


def closed_and_numerical() -> Steps:
    """At n = 1,000, λ = 1/20 and ε = 1: exp(-49.95/14) > 0.028 in closed form, and P[X + 1 ≥ e·Y] < 0.000004."""
    trials, share, low = 999, Fraction(1, 20), Fraction(2718, 1000)  # e > 2.718, so that more ratios count
    total = ZERO
    for n in range(trials + 1):
        top, ways, cumulative = int((n + 1) / (1 + low)), 1, 0
        for y in range(top + 1):
            cumulative += ways
            ways = ways * (n - y) // (y + 1)
        total += comb(trials, n) * 9 ** (trials - n) * Fraction(cumulative, 2**n)
    probability = total / 10**trials
    size = share * trials / 14
    return (
        less(size, Fraction(357, 100), "n = 1,000: λ(n - 1)/14"),
        for_all(
            [exp_bracket(ONE)],
            lambda below, above: low < below < above < Fraction(2719, 1000),
            "2.718 < e < 2.719, by its series",
        ),
        less(
            Fraction(28, 1000) ** 100 * Fraction(2719, 1000) ** 357, ONE, "0.028·e^3.57 < 1, by e < 2.719: 100th powers"
        ),
        every_case([probability], lambda x: x < Fraction(4, 10**6), "the repaired numerical form is below 0.000004"),
        equal(round(probability, 7), Fraction("0.0000032"), "to seven places, with 2.718 for e, which counts more"),
    )


def moments() -> Steps:
    """The central moments of a record with probability p, with and without absolute values."""
    p = positive("p")
    square = (1 - p) * p**2 + p * (1 - p) ** 2
    signed = (1 - p) * (-p) ** 3 + p * (1 - p) ** 3
    absolute = (1 - p) * p**3 + p * (1 - p) ** 3
    return (
        identity(square, p * (1 - p), "the second central moment; the second moment itself is p"),
        identity(signed, p * (1 - p) * (1 - 2 * p), "the third central moment"),
        identity(absolute, p * (1 - p) * (p**2 + (1 - p) ** 2), "the absolute third central moment"),
    )


def printed_moment() -> Steps:
    """At p = 1/2 the printed μ₃ is 0, and the average absolute third moment 1/8."""
    p = HALF
    return (
        equal(p * (1 - p) * abs(1 - 2 * p), ZERO, "p(1 - p)|1 - 2p|"),
        equal((1 - p) * p**3 + p * (1 - p) ** 3, Fraction(1, 8), "E|D - p|³"),
    )


def vanishes() -> Steps:
    """With a share s < 1 of known records m = λ((1 - s)n - 1) → ∞, and both parts of the closed form tend to 0."""
    n = positive("n")
    share, unknown, loss = positive("lambda u L")
    m = share * (unknown * n - 1)
    return (
        identity(limit(14 * loss / m, n, oo), 0, "14·L/m, u = 1 - s"),
        identity(limit(27 / m, n, oo), 0, "27/m"),
    )


def where_noise_takes_over() -> Steps:
    """Figure 5: the closed form is above 1/2 from |B| = 74,211 on, and above 1, where it says nothing, from 93,552 on.

    ε² = 14·L/(λ(n - |B| - 1)), L = 10·ln(10); ln(10) = 2·artanh(9/11) from below and above, by its series.
    """
    x, terms = Fraction(9, 11), 40
    low = total(2 * x ** (2 * k + 1) / (2 * k + 1) for k in range(terms))
    bounds = low, low + 2 * x ** (2 * terms + 1) / (1 - x**2)
    share, n = Fraction(1, 20), 100000

    def reaches(level: Fraction, known: int, ln_10: Fraction) -> bool:
        squares = [140 * ln_10 / (share * (n - b - 1)) for b in (known - 1, known)]
        return squares[0] <= level**2 < squares[1]

    cases = [(level, known, ln_10) for level, known in ((HALF, 74211), (ONE, 93552)) for ln_10 in bounds]
    return (
        equal((1 + x) / (1 - x), Fraction(10), "2·artanh(x) = ln((1 + x)/(1 - x)), at x = 9/11"),
        for_all(cases, reaches, "ε at |B| - 1 is at most the level, and at |B| above it, by both bounds of ln(10)"),
        every_case(
            [27 / (share * (n - b - 1)) for b in (0, 74211, 93551)], lambda x: x < Fraction(1, 10), "27/m is far below"
        ),
    )


def error_term() -> Steps:
    """With the absolute third moment μ₃ ≥ μ₂^(3/2), so that the error of Proposition 7 is at least 2.24/√n.

    For one record with v = p(1 - p): (v(1 - 2v))² ≥ v³; for means, x^(3/2) is convex. And μ₂³ ≤ μ₂^(3/2).
    """
    v, x, y, w = z3.Reals("v x y w")
    mean = w * x * x + (1 - w) * y * y
    third = w * x * x * x + (1 - w) * y * y * y
    return (
        unsatisfiable(
            [v >= 0, 4 * v <= 1, (v * (1 - 2 * v)) * (v * (1 - 2 * v)) < v * v * v], "μ₃² ≥ μ₂³ for one record"
        ),
        unsatisfiable(
            [x >= 0, y >= 0, w >= 0, w <= 1, third * third < mean * mean * mean],
            "and for means: Σ w·x³ ≥ (Σ w·x²)^(3/2)",
        ),
        equal(Fraction(112, 100) * 2, Fraction(224, 100), "1.12·(1 + e^ε) is at least, at ε = 0"),
    )
