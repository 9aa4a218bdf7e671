"""Theorem 4 for different p_i, and what stands around it (DMKB20, section 4.2; Proposition 8)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import z3
from flint import arb, fmpq

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    binomial_chance,
    binomial_law,
    count_law,
    either_excess,
    pushforward,
    total,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    for_all,
    less,
    positive_part,
    unsatisfiable,
)


def hide(law: Law, threshold: int, top: int | None = None) -> Law:
    """The law of M_T from the law of the count: counts up to T become one output, and those from `top` on join it."""
    return pushforward(law, lambda count: count if count > threshold and (top is None or count < top) else "hidden")


def delta(chances: Sequence[Fraction], factor: Fraction, threshold: int, ones: int = 0) -> Fraction:
    """The smallest δ of M_T at e^ε = factor; others are 1 with these chances, and `ones` known records are 1."""
    return either_excess(
        hide(count_law(chances, ones), threshold), hide(count_law(chances, ones + 1), threshold), factor
    )


def different_chances() -> Steps:
    """With a tail t' ≤ t the loss at ⊥ and the shown outputs stay below: numerator at most 1, denominator 1 - t'."""
    own, t, x, at = z3.Reals("own t x at")
    hypotheses = [own >= 0, own <= t, t < x, x < 1, at >= 0, at <= own]
    return (
        unsatisfiable([*hypotheses, (1 - own + at) / (1 - own) >= 1 / (1 - x)], "e^L at ⊥ < 1/(1 - x)"),
        unsatisfiable([*hypotheses, own > x], "shown with probability at most x given 1"),
        unsatisfiable([*hypotheses, own - at > x], "and given 0"),
        unsatisfiable([*hypotheses, (1 - own) / (1 - own + at) > 1], "the other order: L at ⊥ is at most 0"),
    )


def printed_law_has_no_low_counts() -> Steps:
    """g(s) = P[M_T(D) = s] is 0 for every s ≤ T, so that the printed quotient of sums up to T is 0/0."""
    law = hide(count_law((QUARTER, Fraction(1, 5), Fraction(1, 6))), 1)
    counts = count_law((QUARTER, Fraction(1, 5), Fraction(1, 6)))
    return (
        equal(total(law.get(s, ZERO) for s in BITS), ZERO, "n = 3, T = 1: Σ P[M_T(D) = s] for s ≤ T"),
        less(ZERO, counts[0] + counts[1], "while the count itself is at most T with probability"),
    )


def law_of_the_count() -> Steps:
    """With g the law of the count, e^L at ⊥ is the quotient of both sums, and the inequalities are as printed."""
    cases = product(product((Fraction(1, 9), QUARTER, Fraction(1, 3)), repeat=3), (1, 2, 3))

    def agrees(chances: tuple[Fraction, ...], t: int) -> bool:
        law, most = count_law(chances), count_law((Fraction(1, 3),) * 3)
        law_0, law_1 = hide(law, t), hide(count_law(chances, 1), t)
        low = [total(law.get(s, ZERO) for s in range(t + 1 - d)) for d in BITS]
        least = total(most.get(s, ZERO) for s in range(t))
        return law_0["hidden"] == low[0] and law_1["hidden"] == low[1] and low[1] >= least

    return (for_all(cases, agrees, "P[⊥ | 0], P[⊥ | 1], and Σ g ≥ Σ f up to T - 1, p = 1/3"),)


def mirrored() -> Steps:
    """Exchanging 0 and 1 turns hiding counts up to T into hiding counts from n - T on; hiding both is less to see."""
    cases = [(n, t, e) for n in range(2, 6) for t in range((n + 1) // 2) for e in (ONE, Fraction(2))]

    def symmetric(n: int, t: int, e: Fraction) -> bool:
        rare_ones, frequent_ones = (Fraction(1, 7),) * (n - 1), (Fraction(6, 7),) * (n - 1)
        laws = [hide(count_law(frequent_ones, v), -1, n - t) for v in BITS]
        return either_excess(laws[0], laws[1], e) == delta(rare_ones, e, t)

    def less_seen(n: int, t: int, e: Fraction) -> bool:
        rare_ones = (Fraction(1, 7),) * (n - 1)
        laws = [hide(count_law(rare_ones, v), t, n - t) for v in BITS]
        return either_excess(laws[0], laws[1], e) <= delta(rare_ones, e, t)

    return (
        for_all(cases, symmetric, "δ of the mirrored threshold at 1 - p is δ of M_T at p"),
        for_all(cases, less_seen, "hiding both ends has at most the δ of M_T"),
    )


def neither_theorem() -> Steps:
    """For n = 1,000, p = 1/100 and T = 10 the closed form of Theorem 3 asks ε > 1, and Theorem 4 has r > 1."""
    n, p, t = 1000, Fraction(1, 100), 10
    return (
        less(ONE, Fraction(27) / (p * (n - 1)), "27/(λ(n - 1)) with λ = p, which ε ≤ 1 must reach"),
        less(ONE, p * (n - 1) / ((1 - p) * t), "r"),
        less(t, 2 * n * p, "with an expected count near T: n·p = 10"),
        equal(27 / (p * (n - 1)), 27 / Fraction("9.99"), "27/9.99"),
    )


def range_between_both() -> Steps:
    """Theorem 4 wants r < 1, so p < T/(n - 1 + T); the closed form with λ = p and ε ≤ 1 wants p ≥ 27/(n - 1).

    At T = 10 neither applies between the two. At T = 40, ε = 1 and δ = 1/8, both apply at p = 3/100; below it Theorem 4
    does, since f and r rise with p, and above it (up to 97/100) the closed form does, since λ is larger.
    """
    n, t, p, delta = 1000, 40, Fraction(3, 100), Fraction(1, 8)
    q, threshold, m = z3.Reals("p T m")
    r = p * (n - 1) / ((1 - p) * t)
    f = binomial_chance(t, n - 1, p)
    within = [q > 0, q < 1, threshold > 0, m > 0]
    return (
        unsatisfiable(
            [*within, q * m < (1 - q) * threshold, q * (m + threshold) >= threshold], "r < 1: p < T/(n - 1 + T)"
        ),
        less(
            Fraction(10, n - 1 + 10), Fraction(27, n - 1), "n = 1,000, T = 10: neither applies from 10/1009 up to 1/37"
        ),
        less(f / (1 - r), delta, "T = 40, p = 3/100: f/(1 - r), at most 1/8"),
        unsatisfiable(
            [*within, q * m < threshold, threshold * (1 - q) <= q * (m - threshold)], "f rises with p < T/(n - 1)"
        ),
        less(p, Fraction(t, n - 1), "3/100 is below 40/999"),
        less(27 / (p * (n - 1)), ONE, "λ = 3/100: 27/(λ(n - 1))"),
        less(8**50, Fraction(2718, 1000) ** 107, "8^50 < e^107, so that ln(8) < 2.14"),
        less(14 * Fraction("2.14") / (p * (n - 1)), ONE, "14·ln(1/δ)/(λ(n - 1)) at ε = 1 and δ = 1/8"),
    )


def private_above_the_threshold() -> Steps:
    """Forty fair votes and T = 5: the expected count 20 is far above T, and δ at ε = ln(2) is small."""
    n, t, e = 40, 5, 2
    other_votes = binomial_law(n - 1, HALF)
    law_0, law_1 = hide(other_votes, t), hide({s + 1: p for s, p in other_votes.items()}, t)
    return (
        less(t, Fraction(n, 2), "T and the expected count"),
        less(either_excess(law_0, law_1, Fraction(e)), Fraction(1, 50), "δ of M_T at ε = ln(2)"),
    )


def private_beyond_the_knowledge() -> Steps:
    """More known ones than the threshold, and still private: forty fair votes, six known, T = 5, ε = ln(2)."""
    votes, known, unknown = 40, 6, 33
    law_0 = binomial_law(unknown, HALF)
    law_1 = {s + 1: p for s, p in law_0.items()}
    x, y = z3.Reals("x y")
    return (
        equal(votes - known - 1, unknown, f"{votes} votes, {known} known, and the target: the others"),
        less(
            either_excess(law_0, law_1, Fraction(2)),
            Fraction(1, 40),
            "δ of the bare count of the 33 other unknown votes",
        ),
        unsatisfiable(
            [positive_part(x + y) > positive_part(x) + positive_part(y)],
            "M_5 is a function of it, given b known ones: no larger δ",
        ),
    )


def nearer_to_a_half() -> Steps:
    """A vote that is nearer to 1/2 can cost privacy: others at 1/5 and 2/5, or at 1/5 and 1/2, ε = 0."""
    first, second = (delta((Fraction(1, 5), p), ONE, -1) for p in (Fraction(2, 5), HALF))
    return (
        equal(first, Fraction(12, 25), "δ with 1/5 and 2/5"),
        equal(second, HALF, "δ with 1/5 and 1/2"),
        less(first, second, "more randomness, larger δ"),
    )


def wider_ranges() -> Steps:
    """The worst δ over λ < p_i < 1 - λ does not rise in λ, for the range shrinks; λ → 0 is a known record."""
    grid = [Fraction(k, 12) for k in range(7)]

    def worst(low: Fraction) -> Fraction:
        return max(delta(ends, Fraction(3, 2), -1) for ends in product((low, 1 - low), repeat=3))

    return (
        every_case(
            range(6), lambda k: worst(grid[k]) >= worst(grid[k + 1]), "n = 4, E = 3/2, at the vertices of the ranges"
        ),
        equal(worst(ZERO), ONE, "λ = 0: δ"),
    )


def near_the_expected_count() -> Steps:
    """Figure 4 just above the expected count: δ and ε of Theorem 4 are not close, or there are none."""
    p = Fraction(1, 200)

    def bound(n: int, t: int) -> Fraction:
        return binomial_chance(t, n - 1, p) / (1 - p * (n - 1) / ((1 - p) * t))

    def between(n: int, t: int, low: Fraction, high: Fraction) -> bool:
        return low < bound(n, t) < high

    def below_epsilon(decimal: str, n: int, t: int) -> bool:
        """Whether a decimal is below ln(1/(1 - δ)): a ball around its exponential is below 1/(1 - δ)."""
        exact, tried = 1 / (1 - bound(n, t)), Fraction(decimal)
        return bool(arb(fmpq(tried.numerator, tried.denominator)).exp() < arb(fmpq(exact.numerator, exact.denominator)))

    close = Fraction(89, 100), Fraction(90, 100)
    return (
        equal(round(bound(1000, 6), 3), Fraction("0.897"), "n = 1,000, T = 6: δ to three places"),
        equal((below_epsilon("2.265", 1000, 6), below_epsilon("2.275", 1000, 6)), (True, False), "ε is 2.27, rounded"),
        equal(round(bound(10000, 51), 1), Fraction("3.7"), "n = 10,000, T = 51: f/(1 - r) to one place"),
        for_all([(1000, 6, *close)], between, "n = 1,000, T = 6 > 5: δ is between 0.89 and 0.90"),
        less(9, 1 / (1 - close[0]), "e^ε = 1/(1 - δ) is at least"),
        for_all(
            [(10000, 51, Fraction(3), Fraction(4))],
            between,
            "n = 10,000, T = 51 > 50, p = 1/200: f/(1 - r) ≥ 1 gives no ε",
        ),
        for_all([(1000, 10, ZERO, Fraction(1, 25))], between, "n = 1,000, at twice the expected count: δ < 0.04"),
        for_all([(10000, 100, ZERO, Fraction(3, 10**10))], between, "n = 10,000, at twice it: δ < 3·10^-10"),
    )
