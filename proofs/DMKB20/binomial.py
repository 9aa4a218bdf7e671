"""Lemma 2 and the proof of Theorem 4 (DMKB20, section 4.2), for records that are all 1 with the same probability p.

f(s, n, p) is the binomial law. Of n records |B| are known, b of them ones, and M_T hides counts up to T.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import z3
from sympy import Rational, Symbol, binomial, diff, exp, factorial, limit, log, oo, symbols

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    binomial_chance,
    count_law,
    excess,
    pushforward,
    tail,
    total,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    at_most,
    equal,
    every_case,
    for_all,
    identity,
    less,
    positive,
    positive_part,
    unsatisfiable,
)


def _lemma_2(n: int, m: int, p: Fraction) -> Fraction:
    """The right side of Lemma 2: f(m)/(1 - ρ) with ρ = pn/((1 - p)m)."""
    return binomial_chance(m, n, p) / (1 - p * n / ((1 - p) * m))


def lemma_2_edges() -> Steps:
    """The strict inequality is 0 < 0 where m > n, and where p = 0."""
    quarter = QUARTER
    steps = []
    for n, m, p in ((1, 2, quarter), (3, 4, quarter), (2, 1, ZERO)):
        if not m > p * n / (1 - p):
            raise ArithmeticError("the hypothesis of Lemma 2 is not met")
        steps += [
            equal(tail(m, n, p), ZERO, f"n = {n}, m = {m}, p = {p}: the left side"),
            equal(_lemma_2(n, m, p), ZERO, f"n = {n}, m = {m}, p = {p}: the right side"),
        ]
    return tuple(steps)


def law(n: int, known: int, ones: int, target: int, threshold: int, p: Fraction) -> Law:
    """The law of M_T, from the definition: every vote of the unknown others is enumerated."""
    return pushforward(
        count_law([p] * (n - known - 1), ones + target), lambda count: count if count > threshold else "hidden"
    )


def _grid() -> list[tuple[int, int, int, int, Fraction]]:
    return [
        (n, known, b, threshold, p)
        for n in range(1, 6)
        for known in range(n)
        for b in range(known + 1)
        for threshold in range(n + 1)
        for p in (Fraction(1, 5), HALF)
    ]


def _loss(n: int, known: int, b: int, threshold: int, p: Fraction, output: Any) -> tuple[Fraction, Fraction]:
    """Numerator and denominator of e^L for D(t) = 0 against 1."""
    law_0, law_1 = (law(n, known, b, v, threshold, p) for v in BITS)
    return law_0.get(output, ZERO), law_1.get(output, ZERO)


def loss_as_extracted() -> Steps:
    """The loss as extracted, b̄ in place of b, is wrong: n = 3, one known record that is 1, T = 0, k = 2, p = 1/5."""
    p, n, b, bar, k = Fraction(1, 5), 3, 1, 0, 2
    x, y = _loss(3, 1, 1, 0, p, 2)
    printed = p * (n - bar - k) / ((1 - p) * (k - bar))
    restored = p * (n - bar - k) / ((1 - p) * (k - b))
    return (
        equal(x / y, QUARTER, "e^L, by enumeration"),
        equal(restored, QUARTER, "with k - b"),
        equal(printed, Fraction(1, 8), "with k - b̄, as extracted"),
        less(printed, x / y, "the extracted formula is another number"),
    )


def loss_at_bottom() -> Steps:
    """At ⊥ the denominator is a sum up to T - 1; up to k - 1, with any shown count k, it is another: n = 2, T = 1."""
    p, n, threshold = Fraction(1, 3), 2, 1
    x, y = _loss(n, 0, 0, threshold, p, "hidden")
    shown_counts = range(threshold + 1, n + 1)
    return (
        equal(x / y, Fraction(3, 2), "e^L at ⊥, by enumeration"),
        every_case(
            shown_counts,
            lambda k: total(binomial_chance(s, n - 1, p) for s in range(k)) == 1,
            "Σ f up to k - 1, so that e^L were 1",
        ),
        equal(binomial_chance(0, n - 1, p), y, "Σ f up to T - 1"),
    )


def theorem_4_without_knowledge() -> Steps:
    """The chain of the proof with g = f(T, n - 1), t = P[X ≥ T] and x = f(T, n - 1)/(1 - r) > t (Lemma 2).

    Given D(i) = 0 the output is shown with probability t - g, given 1 with t. For 1 ≤ T ≤ n - 1 all is as printed.
    """
    g, t, x, e = z3.Reals("g t x E")
    hypotheses = [g > 0, g <= t, t < x, x < 1]
    hidden_0, hidden_1 = 1 - t + g, 1 - t
    order_01 = positive_part(hidden_0 - e * hidden_1) + (t - g)
    order_10 = positive_part(hidden_1 - e * hidden_0) + t
    claimed = [*hypotheses, e * (1 - x) == 1]
    return (
        unsatisfiable([*hypotheses, t - g >= t], "P[shown | 0] < P[shown | 1] = P[X ≥ T]"),
        unsatisfiable([*hypotheses, hidden_1 / hidden_0 >= 1], "L for 1 against 0 at ⊥ is below 0"),
        unsatisfiable(
            [*hypotheses, hidden_0 / hidden_1 > 1 / hidden_1], "e^L for 0 against 1 at ⊥ is at most 1/(1 - t)"
        ),
        unsatisfiable([*hypotheses, hidden_0 / hidden_1 >= 1 / (1 - x)], "which is below 1/(1 - x) = e^ε"),
        unsatisfiable([*claimed, order_01 > x], "δ = x for 0 against 1: only shown outputs can add"),
        unsatisfiable([*claimed, order_10 > x], "δ = x for 1 against 0"),
    )


def strict_steps_at_the_top() -> Steps:
    """For T = n - 1 the numerator is 1, so that one < of the chain is =; for T ≥ n nothing is ever shown."""
    p = Fraction(1, 3)
    return (
        equal(total(binomial_chance(s, 2, p) for s in range(3)), ONE, "n = 3, T = 2: Σ f(s, n - 1) up to T"),
        equal(tail(3, 2, p), ZERO, "n = 3, T = 3: P[shown | 1] = 0, and P[shown | 0] = 0 is not below it"),
    )


def last_line_as_extracted() -> Steps:
    """ε = -ln(1 - f/(1 - p)), with p for r, is below the loss at ⊥: n = 6, T = 1, p = 3/20."""
    n, threshold, p = 6, 1, Fraction(3, 20)
    x, y = _loss(n, 0, 0, threshold, p, "hidden")
    r = p * (n - 1) / ((1 - p) * threshold)
    bound = binomial_chance(threshold, n - 1, p)
    return (
        less(r, ONE, "r"),
        less(1 / (1 - bound / (1 - p)), x / y, "e^ε with 1 - p is below e^L at ⊥"),
        less(bound / (1 - p), tail(threshold, n - 1, p), "and f/(1 - p) is below the tail that Lemma 2 bounds"),
    )


def last_line_repaired() -> Steps:
    """ε = -ln(1 - f/(1 - r)) covers the loss at ⊥: every n ≤ 8, T from 1 to n - 1, p in twentieths."""
    cases = [
        (n, t, p)
        for n in range(2, 9)
        for t in range(1, n)
        for p in (Fraction(k, 20) for k in range(1, 20))
        if p * (n - 1) < (1 - p) * t and binomial_chance(t, n - 1, p) < 1 - p * (n - 1) / ((1 - p) * t)
    ]

    def covered(n: int, t: int, p: Fraction) -> bool:
        x = binomial_chance(t, n - 1, p) / (1 - p * (n - 1) / ((1 - p) * t))
        return (1 - tail(t + 1, n - 1, p)) * (1 - x) < 1 - tail(t, n - 1, p)

    return (for_all(cases, covered, "e^L at ⊥ < 1/(1 - f/(1 - r))"),)


def power_is_weaker() -> Steps:
    """(1 - p)^T ≤ (1 - p)·T for T ≥ 1: with the power r is larger, and so is f/(1 - r). For T = 0, δ ≥ 1."""
    p, power, t, n, chance = z3.Reals("p power T n head")
    return (
        unsatisfiable([p > 0, p < 1, power <= 1 - p, t >= 1, power > (1 - p) * t], "(1 - p)^T ≤ 1 - p ≤ (1 - p)·T"),
        unsatisfiable(
            [p > 0, p < 1, n >= 1, chance >= 1 - p * (n - 1), p * (n - 1) < 1, chance / (1 - p * (n - 1)) < 1],
            "T = 0: f(0, n - 1) = (1 - p)^(n - 1) ≥ 1 - p(n - 1) (Bernoulli), so that f/(1 - r) ≥ 1",
        ),
    )


def theorem_4_at_epsilon_zero() -> Steps:
    """δ = P[X ≥ T] is enough at ε = 0: with the same other votes the outputs differ only where these reach T."""
    cases = [(n, t, p) for n, _, _, t, p in _grid() if t]

    def covered(n: int, t: int, p: Fraction) -> bool:
        law_0, law_1 = (law(n, 0, 0, v, t, p) for v in BITS)
        return excess(law_0, law_1, 1) <= tail(t, n - 1, p)

    return (
        for_all(
            product(range(9), repeat=2),
            lambda s, t: s >= t or (s <= t and s + 1 <= t),
            "s other ones below T: s ≤ T and s + 1 ≤ T, so that both outputs are ⊥",
        ),
        for_all(cases, covered, "the total variation by enumeration is at most P[X ≥ T], n ≤ 5"),
    )


def theorem_4_with_knowledge() -> Steps:
    """The three cases. u = P[b ≥ b_max] < y; for b < b_max the tails from T - b on are at most that from T', below x.

    T - b ≥ T' + 1 for b ≤ b_max - 1, so that P[X ≥ T - b] ≤ P[X ≥ T'], and given 1 the output is shown with that.
    """
    u, y, g, t, x, e = z3.Reals("u y g t x E")
    hypotheses = [u >= 0, u <= 1, u <= y, g >= 0, g <= t, t < x, x < 1, e * (1 - x) == 1]
    h0, h1 = 1 - t + g, 1 - t
    excess_01 = positive_part(h0 - e * h1) + (t - g)
    excess_10 = positive_part(h1 - e * h0) + t
    return (
        for_all(
            product(range(6), range(1, 7), (Fraction(1, 9), HALF)),
            lambda m, s, p: tail(s + 1, m, p) <= tail(s, m, p),
            "tails fall",
        ),
        unsatisfiable([*hypotheses, h1 > h0], "b < b_max, ⊥: L for 1 against 0 is at most 0"),
        unsatisfiable([*hypotheses, h0 > e * h1], "b < b_max, ⊥: e^L for 0 against 1 is at most 1/(1 - x) = e^ε"),
        unsatisfiable([*hypotheses, u * 1 + (1 - u) * excess_01 > y + x], "PPK for 0 against 1 is at most y + x"),
        unsatisfiable([*hypotheses, u * 1 + (1 - u) * excess_10 > y + x], "PPK for 1 against 0 is at most y + x"),
        at_most(
            binomial_chance(1, 1, QUARTER),
            tail(1, 1, QUARTER),
            "|B| = b_max = 1: P[b ≥ b_max] is f(b_max)",
        ),
    )


def poisson() -> Steps:
    """For pn = c fixed and n → ∞, f(T, n - 1, p) → c^T·e^(-c)/T! and r → c/T: T = 1, …, 5, and ε = δ + O(δ²)."""
    n, c = positive("n"), positive("c")
    x = symbols("x")
    steps = []
    for t in range(1, 6):
        chance = binomial(n - 1, t).expand(func=True) * (c / n) ** t
        steps.append(identity(limit(chance, n, oo), c**t / factorial(t), f"T = {t}: C(n - 1, T)·p^T"))
        steps.append(identity(limit(c / n * (n - 1) / ((1 - c / n) * t), n, oo), c / t, f"T = {t}: r"))
    exponent = limit((n - 1 - Symbol("t")) * log(1 - c / n), n, oo)
    two = Rational(1, 2)  # c = 1, T = 2
    return (
        *steps,
        identity(exp(exponent), exp(-c), "(1 - p)^(n - 1 - T) → e^(-c)"),
        identity(diff(-log(1 - x) - x, x), x / (1 - x), "-ln(1 - x) - x rises from 0 on [0, 1): ε ≥ δ"),
        identity(diff(x / (1 - x) + log(1 - x), x), x / (1 - x) ** 2, "x/(1 - x) + ln(1 - x) too: ε ≤ δ/(1 - δ)"),
        less((1 - two) ** 2 * 2, (1 - two) * 2, "c = 1, T = 2: (1 - r)^T·T!, as extracted, is not (1 - r)·T!"),
    )
