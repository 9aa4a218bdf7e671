"""Identities for every n, |B|, b, k, T, p and s at once; proofs/identities.md lists them with their conditions.

f(s, m) is the binomial law with success p, F its sum up to s. Of n records |B| are known, b of them ones and b̄ zeros;
m = n - |B| - 1 others are not known. E stands for e^ε.
"""

from __future__ import annotations

from typing import Any

import z3
from sympy import Symbol, binomial, sqrt, symbols

from verifier.wings.papers.ledger.steps import Steps, identity, positive, unsatisfiable


def _binomial(k: Any, m: Any, p: Any) -> Any:
    return binomial(m, k) * p**k * (1 - p) ** (m - k)


def loss_of_a_shown_count() -> Steps:
    """e^L(k) = p(n - b̄ - k)/((1 - p)(k - b)) for b < k ≤ n - b̄, k > T, 0 < p < 1; it falls in k.

    Given D(t) = v the count is b + v + X with X of law f(·, m): P[k | 0] = f(k - b, m) and P[k | 1] = f(k - b - 1, m).
    """
    j, more, ones, zeros = symbols("j more b zeros", integer=True, positive=True)
    p, n, k = positive("p"), Symbol("n"), Symbol("k")
    m = j + more - 1
    substitution = {j: k - ones, more: n - ones - zeros - 1 - (k - ones) + 1}
    x, u = z3.Reals("j m")
    return (
        identity(_binomial(j, m, p) / _binomial(j - 1, m, p), p * more / ((1 - p) * j), "f(j, m)/f(j - 1, m), j ≤ m"),
        identity(
            (p * more / ((1 - p) * j)).subs(substitution, simultaneous=True),
            p * (n - zeros - k) / ((1 - p) * (k - ones)),
            "with j = k - b and m = n - |B| - 1",
        ),
        unsatisfiable([x >= 1, x <= u, (u - x) * x >= (u - x + 1) * (x + 1)], "(m - j)/(j + 1) < (m - j + 1)/j"),
    )


def delta_of_a_thresholded_count() -> Steps:
    """δ at ε is the largest of 0, F(j - b) - E·F(j - b - 1) and F̄(j - b) - E·F̄(j - b + 1) over j ≥ T; F̄(s) = P[X ≥ s].

    The quotient of both laws falls in the output, ⊥ standing before all counts: ⊥ has the quotient of two sums, which
    is at least that of the largest hidden count. So the worst events are "⊥ or at most j" and "more than j".
    """
    p0, q0, p1, q1, p2, q2, e = z3.Reals("P_0 Q_0 P_1 Q_1 P_2 Q_2 E")
    positive = [p0 >= 0, q0 > 0, p1 >= 0, q1 > 0, p2 >= 0, q2 > 0, e >= 1]
    falls = [p0 * q1 >= p1 * q0, p1 * q2 >= p2 * q1]
    return (
        unsatisfiable(
            [*positive, *falls, (p0 + p1) * q2 < p2 * (q0 + q1)], "merged, the first two stay before the third"
        ),
        unsatisfiable([*positive, *falls, (p0 + p1) * q1 < p1 * (q0 + q1)], "⊥ is not before its largest count"),
        unsatisfiable([*positive, *falls, p1 > e * q1, p0 <= e * q0], "what lies before an output above E is above E"),
        unsatisfiable([*positive, *falls, p2 > 0, q1 > e * p1, q2 <= e * p2], "in the other order what lies behind it"),
    )


def bijections() -> Steps:
    """The bijections of Proposition 6 for any number n of records, of which any are known.

    x and y stand for what the known records contribute under B₁ and B₂ (their weighted sum, product, sum of
    reciprocals or of squares), u for what the others contribute. φ carries M(x, u) to M(y, u), whatever u is.
    """
    u, x, y, n = positive("u x y n")
    geometric, harmonic, square = [{k: form(k) for k in (x, y)} for form in _means(u, n)]
    s, t, k, size = z3.Reals("s t k n")
    hypotheses = [s > 0, t > s, size > 0]
    return (
        identity(u + y, (u + x) + (y - x), "count, sum, linear; the mean divided by n"),
        identity(geometric[y], geometric[x] * (y / x) ** (1 / n), "geometric mean, all values positive"),
        identity(harmonic[y], n / (n / harmonic[x] + (y - x)), "harmonic mean, all values positive"),
        identity(square[y], sqrt((n * square[x] ** 2 + (y - x)) / n), "quadratic mean, the whole root over n"),
        unsatisfiable([*hypotheses, s + k >= t + k], "φ rises: sums"),
        unsatisfiable([*hypotheses, k > 0, s * k >= t * k], "products"),
        unsatisfiable(
            [*hypotheses, size / s + k > 0, size / t + k > 0, size / (size / s + k) >= size / (size / t + k)],
            "reciprocals",
        ),
        unsatisfiable([*hypotheses, s * s + k >= t * t + k], "squares"),
    )


def _means(u: Any, n: Any) -> Any:
    """The geometric, harmonic and quadratic mean, as functions of the contribution k of the known records."""
    return (lambda k: (u * k) ** (1 / n)), (lambda k: n / (u + k)), (lambda k: sqrt((u + k) / n))


def noise_tails() -> Steps:
    """P[X ≥ k] = p^k/(1 + p) and P[X ≤ -k] the same, for k ≥ 0 and 0 < p < 1, by steps down from infinity."""
    k = symbols("k", integer=True, nonnegative=True)
    p = positive("p")
    chance = (1 - p) / (1 + p) * p**k
    upper = p**k / (1 + p)
    return (
        identity(upper - upper.subs(k, k + 1), chance, "P[X ≥ k] - P[X ≥ k + 1] = P[X = k], and p^k tends to 0"),
        identity(2 * upper.subs(k, 1) + (1 - p) / (1 + p), 1, "both tails from 1 on, and P[X = 0], sum to 1"),
    )


def delta_of_shifted_noise() -> Steps:
    """X against X + s: δ at ε is the largest of 0 and 1 - (p^(j + 1) + E·p^(s - j))/(1 + p) over 0 ≤ j < s; s ≥ 1.

    The quotient P[X = o]/P[X + s = o] is p^(-s) up to o = 0, p^(2o - s) from 0 to s, p^s from s on. It does not rise,
    so that the worst events are {o ≤ j}. For s = 1: δ = max(0, (1 - E·p)/(1 + p)).
    """
    o, low, j, rest = symbols("o low j rest", integer=True, positive=True)
    p, e = positive("p"), positive("E")
    s, shift = o + rest, j + rest
    lower = 1 - p ** (j + 1) / (1 + p)
    shifted = p ** (shift - j) / (1 + p)
    return (
        identity(p**low / p ** (low + s), p ** (-s), "o = -low ≤ 0"),
        identity(p**o / p**rest, p ** (2 * o - s), "0 ≤ o ≤ s, rest = s - o"),
        identity(p ** (s + low) / p**low, p**s, "o = s + low ≥ s"),
        identity(p ** (2 * (o + 1) - s) / p ** (2 * o - s), p**2, "one step further, a factor p² < 1"),
        identity(
            lower - e * shifted,
            1 - (p ** (j + 1) + e * p ** (shift - j)) / (1 + p),
            "P[X ≤ j] - E·P[X ≤ j - s], from both tails",
        ),
        identity(1 - (p + e * p) / (1 + p), (1 - e * p) / (1 + p), "s = 1, j = 0"),
    )


def composition() -> Steps:
    """e^L = e^Dep·e^(L₁)·e^(L₂) for three mechanisms as well: Dep of the pair, then of the third on the pair.

    All probabilities are positive. P with an index is a law given D(i) = a, Q given b, at the outputs that were seen.
    """
    p, p12, p1, p2, p3, q, q12, q1, q2, q3 = positive("P P_12 P_1 P_2 P_3 Q Q_12 Q_1 Q_2 Q_3")
    pair = (p12 / p1) / (q12 / q1) / (p2 / q2)
    third = (p / p12) / (q / q12) / (p3 / q3)
    return (
        identity(pair * (p1 / q1) * (p2 / q2), p12 / q12, "two mechanisms"),
        identity(third * pair * (p1 / q1) * (p2 / q2) * (p3 / q3), p / q, "three mechanisms"),
    )
