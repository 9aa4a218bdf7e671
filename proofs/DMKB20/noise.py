"""Noise after the count (DMKB20, section 5.2): Definition 19 and the sentences around Figures 5 and 6."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3
from sympy import Rational, Symbol, diff, exp, oo, summation, symbols

from verifier.wings.papers.ledger.laws import (
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    count_law,
    either_excess,
    excess,
    mixture,
    pushforward,
    total,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    absolute,
    equal,
    for_all,
    identity,
    less,
    positive,
    positive_part,
    unsatisfiable,
)


def definition_19() -> Steps:
    """(1 - p)/(1 + p)·p^|k| over all integers k: the sum is 1, the mean 0, neighbours differ by the factor p."""
    k = Symbol("k", integer=True, positive=True)
    p = positive("p")
    at_zero = (1 - p) / (1 + p)
    x, y = positive("x y")
    half = summation(p**k, (k, 1, oo)).args[0][0]
    return (
        identity(half, p / (1 - p), "Σ p^k over k ≥ 1, for p < 1"),
        identity(at_zero * (1 + 2 * half), 1, "the probabilities sum to 1"),
        identity(at_zero * x * y + at_zero * x * -y, 0, "k·P[k] and -k·P[-k] cancel: the mean is 0"),
        identity(at_zero * p ** (k + 1) / (at_zero * p**k), p, "P[k + 1]/P[k] = p for k ≥ 0"),
    )


def noisy_count() -> Steps:
    """A count plus this noise is ln(1/p)-DP, attained: p^|k|/p^|k - 1| is between p and 1/p."""
    k = z3.Int("k")
    distance = absolute(k) - absolute(k - 1)
    p = HALF, Fraction(3, 4)
    return (
        unsatisfiable([z3.Or(distance > 1, distance < -1)], "| |k| - |k - 1| | ≤ 1 for all integers"),
        unsatisfiable([k <= 0, distance != -1], "and it is -1 for k ≤ 0: the ratio 1/p is attained"),
        equal([1 / factor for factor in p], [Fraction(2), Fraction(4, 3)], "e^ε for p = 1/2 and p = 3/4"),
    )


def laplace_noise() -> Steps:
    """Laplace noise of scale 2 on a count: the density at x and at x - 1 differ by at most exp(1/2)."""
    x = z3.Real("x")
    a, b = symbols("a b", real=True)
    distance = absolute(x - 1) - absolute(x)
    return (
        unsatisfiable([z3.Or(distance > 1, distance < -1)], "| |x - 1| - |x| | ≤ 1 for all real x"),
        unsatisfiable([x <= 0, distance != 1], "and it is 1 for x ≤ 0: the bound is attained"),
        identity(exp(-a / 2) / exp(-b / 2), exp((b - a) * Rational(1, 2)), "the ratio is exp((|x - 1| - |x|)/2)"),
    )


def both_guarantees() -> Steps:
    """Noise after M keeps what M has (post-processing), and DP of the noisy count holds for every B̂ (a mixture).

    A mixture over the other records, whose law does not depend on D(i), has at most the largest excess of its parts.
    """
    w, x, y, d = z3.Reals("w x y d")

    return (
        unsatisfiable(
            [positive_part(x + y) > positive_part(x) + positive_part(y)],
            "post-processing: max(0, x + y) ≤ max(0, x) + max(0, y)",
        ),
        unsatisfiable(
            [w >= 0, w <= 1, positive_part(x) <= d, positive_part(y) <= d, positive_part(w * x + (1 - w) * y) > d],
            "a mixture: max(0, ·) of the mean is at most the larger",
        ),
    )


def dp_alone_is_not_enough() -> Steps:
    """Without independence, DP of the noisy count does not bound APKDP: two equal records and their noisy sum.

    P[D = (0, 0)] = P[D = (1, 1)] = 1/2: the sums are 0 and 2, and noise with p = 1/2 has the ratio 4 and not 2.
    """
    p = HALF
    ratios = [p ** abs(k) / p ** abs(k - 2) for k in range(-3, 6)]
    return (
        equal(max(ratios), Fraction(4), "the largest ratio for sums that differ by 2"),
        less(1 / p, max(ratios), "above e^ε of the noisy sum, whose neighbours differ by 1"),
    )


def convolved() -> Steps:
    """Binomial and geometric noise together: the law of the sum is the convolution, and δ is below both (n = 4).

    Noise with p = 1/2; its tails beyond the counts are merged, since all laws decay there alike.
    """
    other_votes, p, noise = 3, Fraction(1, 3), HALF

    def noisy(law: Law) -> Law:
        at_zero, top = (1 - noise) / (1 + noise), other_votes + 1

        def shifted(count: int) -> Law:
            inside: Law = {o: at_zero * noise ** abs(o - count) for o in range(top + 1)}
            ends = {"less": noise ** (count + 1), "more": noise ** (top + 1 - count)}
            return inside | {name: at_zero * weight / (1 - noise) for name, weight in ends.items()}

        return mixture(law, shifted)

    law_0, law_1 = count_law([p] * other_votes), count_law([p] * other_votes, 1)
    alone = {0: ONE}, {1: ONE}
    e = Fraction(3, 2)
    combined = either_excess(noisy(law_0), noisy(law_1), e)
    return (
        equal(total(noisy(law_0).values()), ONE, f"{other_votes + 1} records: the convolution is a law"),
        less(combined, either_excess(law_0, law_1, e), "δ at E = 3/2 with noise, and without noise"),
        less(combined, either_excess(noisy(alone[0]), noisy(alone[1]), e), "and with noise alone (all others known)"),
    )


def shifts_of_any_noise() -> Steps:
    """Comparing X and X + s is not the worst for every noise: X uniform on {0, 2}, sensitivity 2, shift 1."""
    law = {0: HALF, 2: HALF}

    def delta(shift: int) -> Fraction:
        return excess(law, pushforward(law, lambda o: o + shift), 1)

    return (
        equal(delta(2), HALF, "δ at ε = 0 for X against X + 2"),
        equal(delta(1), ONE, "for X against X + 1, which a mechanism of sensitivity 2 may need"),
    )


def shifts_of_this_noise() -> Steps:
    """For two-sided geometric noise the worst of the shifts 0, …, s is s: exact, p = 1/2 and 3/4, s ≤ 5."""

    def delta(p: Fraction, shift: int, e: Fraction) -> Fraction:
        at_zero = (1 - p) / (1 + p)
        inner = total(max(ZERO, at_zero * (p ** abs(k) - e * p ** abs(k - shift))) for k in range(shift))
        low = max(ZERO, 1 - e * p**shift) * at_zero / (1 - p) * p
        return inner + low

    cases = product((HALF, Fraction(3, 4)), range(5), (ONE, Fraction(5, 4), Fraction(2), Fraction(5)))
    return (
        for_all(
            cases, lambda p, shift, e: delta(p, shift, e) <= delta(p, shift + 1, e), "δ does not fall in the shift"
        ),
    )


def binomials_add() -> Steps:
    """B(n, p) + B(m, p) = B(n + m, p), by generating functions; with different p it is no binomial law."""
    x, p, n, m = positive("x p n m")
    base = 1 - p + p * x
    a, b = HALF, QUARTER
    middle, ends = a * (1 - b) + b * (1 - a), (1 - a) * (1 - b) * a * b
    return (
        identity(base**n * base**m, base ** (n + m), "the generating functions multiply"),
        less(4 * ends, middle**2, "p = 1/2 and 1/4: 4·P[0]·P[2] < P[1]², where a binomial law has ="),
    )


def gets_worse_slowly() -> Steps:
    """The closed form of Theorem 3 changes smoothly with λ and n, through m = λ(n - 1) alone."""
    m, loss = positive("m L")
    return (
        identity(diff(14 * loss / m, m), -14 * loss / m**2, "ε² = 14·L/m has a derivative for every m > 0"),
        identity(diff(27 / m, m), -27 / m**2, "so has 27/m"),
    )
