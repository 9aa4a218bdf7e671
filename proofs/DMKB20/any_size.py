"""Steps of sections 3.5 to 5 for any number of records, known records, values and days (DMKB20)."""

from __future__ import annotations

import z3
from sympy import Rational, Symbol, binomial, combsimp, cosh, diff, exp, factorial, limit, oo, symbols

from verifier.wings.papers.ledger.steps import Steps, equal, identity, less, positive, unsatisfiable


def completed() -> Steps:
    """A bijection of the possible outputs of a finite 𝒪 leaves equally many impossible ones on both sides."""
    outputs, possible_1, possible_2 = z3.Ints("every one other")
    return (
        unsatisfiable(
            [possible_1 == possible_2, outputs - possible_1 != outputs - possible_2],
            "|𝒪| - |possible given B₁| = |𝒪| - |given B₂|",
        ),
    )


def known_ones() -> Steps:
    """What M_T hides given b known ones, s ones among the others and the target's vote v, for all s, b and T."""
    b, s, v, t, k, n, size, u = z3.Ints("b s v T k n K u")
    ends = [v >= 0, v <= 1, s >= 0, s <= n - size - 1, k == b + s + v, b >= 0, b <= size]
    return (
        unsatisfiable(
            [(b + v + s <= t) != (v + s <= t - b)], "hidden iff v + s ≤ T - b: M_{T-b} of the others, moved by b"
        ),
        unsatisfiable([b <= size, t - b < t - size], "T - b is least for b = |B|"),
        unsatisfiable([*ends, k == b, v == 1], "k = b is impossible given 1"),
        unsatisfiable([*ends, k < b], "k < b is impossible"),
        unsatisfiable([*ends, k == n - (size - b), v == 0], "k = n - b̄ is impossible given 0"),
        unsatisfiable([b == t, s >= 0, u >= 0, s + b <= t, u + b <= t, s != u], "b = T: ⊥ stands for one count alone"),
        unsatisfiable([b > t, s >= 0, s + b <= t], "b > T: ⊥ does not occur"),
    )


def same_others() -> Steps:
    """With the same other records two outputs differ only where enough of these have the value, for any n, T and k."""
    s, t, k, n = z3.Ints("s T k n")
    return (
        unsatisfiable([s < t, z3.Or(s > t, s + 1 > t)], "counts above T shown, fewer than T others: ⊥ both times"),
        unsatisfiable([s < k - 1, z3.Or(s >= k, s + 1 >= k)], "counts from k on shown, fewer than k - 1: ⊥ both times"),
        unsatisfiable([s >= 0, s <= n - 1, t >= n, z3.Or(s > t, s + 1 > t)], "T ≥ n: nothing is ever shown, δ = 0"),
    )


def mirrored() -> Steps:
    """With 0 and 1 exchanged the count c becomes n - c: n - c ≥ n - T exactly where c ≤ T, so the same are hidden."""
    c, n, t = z3.Ints("c n T")
    return (unsatisfiable([(n - c >= n - t) != (c <= t)], "n - c ≥ n - T iff c ≤ T, so that δ is the same at 1 - p_i"),)


def not_reducible_at_full_size() -> Steps:
    """Example 7: given no known yes, and given 100 of them, different numbers of outputs are possible."""
    none = {s if s > 100 else -1 for s in range(901)}
    outputs = {s + 100 if s + 100 > 100 else -1 for s in range(901)}
    return (
        equal((len(none), len(outputs)), (801, 901), "outputs that 900 unknown voters leave, by known yes 0 and 100"),
        less(len(none), len(outputs), "so no bijection carries the one law over to the other"),
    )


def poisson() -> Steps:
    """For any T ≥ 1, p = c/n: C(n - 1, T)·p^T → c^T/T! by induction from 1 at T = 0, and r → c/T."""
    n, c = positive("n"), positive("c")
    t = Symbol("T", integer=True, positive=True)
    step = combsimp(binomial(n - 1, t + 1) / binomial(n - 1, t))
    return (
        identity(step, (n - 1 - t) / (t + 1), "C(n - 1, T + 1)/C(n - 1, T)"),
        identity(limit((n - 1 - t) / (t + 1) * c / n, n, oo), c / (t + 1), "times p it tends to c/(T + 1)"),
        identity(c ** (t + 1) / factorial(t + 1) / (c**t / factorial(t)), c / (t + 1), "the step of c^T/T!"),
        identity(limit(c / n * (n - 1) / ((1 - c / n) * t), n, oo), c / t, "r"),
    )


def lemma_2_near_zero() -> Steps:
    """Lemma 2: f(m) ≤ P[X ≥ m], so the quotient of both sides is in (1, 1/(1 - ρ)], and ρ → 0 as p → 0."""
    f, tail, rho = z3.Reals("f tail rho")
    p, n, m = positive("p n m")
    return (
        unsatisfiable(
            [f > 0, tail >= f, rho > 0, rho < 1, (f / (1 - rho)) / tail > 1 / (1 - rho)], "the quotient is ≤ 1/(1 - ρ)"
        ),
        identity(limit(p * n / ((1 - p) * m), p, 0), 0, "ρ = pn/((1 - p)m) as p → 0"),
    )


def theorem_4_is_approached() -> Steps:
    """For n = 2, T = 1, the other vote with p: ⊥ given 0, shown with p given 1. So δ = p, at ε = 0 and as stated."""
    p = positive("p")
    claimed = p / (1 - p / (1 - p))
    x, e = z3.Reals("p E")
    return (
        identity(claimed, p * (1 - p) / (1 - 2 * p), "f(1, 1, p)/(1 - r) with r = p/(1 - p)"),
        identity(limit(p / claimed, p, 0), 1, "the quotient of the exact δ and the claimed one as p → 0"),
        unsatisfiable([x > 0, 2 * x < 1, e >= 1, z3.If(1 - x > e, 1 - x - e, 0) + x != x], "1 against 0: p at every ε"),
        unsatisfiable(
            [x > 0, 2 * x < 1, e * (1 - x * (1 - x) / (1 - 2 * x)) == 1, e > 0, 1 - e * (1 - x) > x],
            "0 against 1: less",
        ),
    )


def fair_bits() -> Steps:
    """The steps of the closed form of Theorem 3 that hold for any N and n.

    E[x^N] and E[exp(s(N/2 - Y))] are products of one factor a record; 1[v ≥ 0] ≤ e^v gives the tail (Markov).
    """
    q, x, s, y = positive("q x s y")
    bit = Rational(1, 2) * exp(s / 2) + Rational(1, 2) * exp(-s / 2)
    return (
        identity((1 - q) + q * x, 1 - q * (1 - x), "a record is fair with probability q = 2λ: one factor of E[x^N]"),
        identity(bit.rewrite(cosh), cosh(s / 2), "a fair bit: one factor of E[exp(s(N/2 - Y))]"),
        identity(diff(exp(-y) - 1 + y, y), 1 - exp(-y), "e^-y - 1 + y rises from 0 for y ≥ 0: 1 - y ≤ e^-y"),
        identity(diff(1 - exp(-y) - y + y**2 / 2, y), exp(-y) - 1 + y, "so 1 - e^-y - y + y²/2 rises from 0 as well"),
    )


def shuffled() -> Steps:
    """A count, and each cell of a histogram, is a sum over records: exchanging two neighbours changes nothing."""
    first, second, remainder = symbols("one two rest")
    return (
        identity(
            first + second + remainder,
            second + first + remainder,
            "two neighbours exchanged; all permutations are such exchanges",
        ),
    )


def several_values() -> Steps:
    """K values of probability above λ each: a randomized response with γ = Kλ, each value with γ/K = λ."""
    k, share, p = positive("K lambda p")
    x, low, other_values, count = z3.Reals("p lambda others K")
    hypotheses = [count >= 2, low > 0, x > low, other_values > (count - 1) * low, x + other_values == 1]
    return (
        unsatisfiable([*hypotheses, count * low >= 1], "Kλ < 1"),
        unsatisfiable(
            [*hypotheses, z3.Or((x - low) / (1 - count * low) < 0, (x - low) / (1 - count * low) > 1)], "what is left"
        ),
        identity(k * share * (1 / k) + (1 - k * share) * (p - share) / (1 - k * share), p, "P[D(i) = k]"),
        identity((1 - k * share) / (1 - k * share), 1, "Σ (p_k - λ) = 1 - Kλ, so that what is left sums to 1"),
    )


def wider_ranges() -> Steps:
    """A larger λ allows fewer p_i, so that the supremum of δ does not rise; p_i of 0 or 1 is no chance at all."""
    p, low, high = z3.Reals("p lambda more")
    return (
        unsatisfiable(
            [low <= high, high < p, p < 1 - high, z3.Or(p <= low, p >= 1 - low)], "allowed for more λ, for less"
        ),
        unsatisfiable([z3.Or(p == 0, p == 1), p * (1 - p) != 0], "p_i = 0 or 1: variance 0, a record that is known"),
    )


def shown_counts() -> Steps:
    """Definition 16 for any n and k: a shown count stands for at least k records; an exact one tells s from s + 1."""
    c, k, output, s, o = z3.Ints("c k shown s o")
    hypotheses = [c >= 0, k >= 1, output == z3.If(c >= k, c, -1)]
    return (
        unsatisfiable([*hypotheses, output >= 0, output < k], "a shown count is at least k"),
        unsatisfiable([*hypotheses, output < 0, c >= k], "only counts below k are hidden"),
        unsatisfiable([o == s, o == s + 1], "no tally is that of s and of s + 1 ones: excess 1 at every ε"),
    )


def images() -> Steps:
    """A fixed map of values: images of independent records are independent, and M_k sees the images alone."""
    p, q, r, s = positive("p q r s")
    return (
        identity((p + q) * (r + s), p * r + p * s + q * r + q * s, "two values in one class, for two records: P·P"),
    )


def large_counts() -> Steps:
    """A sum S of independent bits of mean m is at most m/2 with probability at most 4/m (Chebyshev).

    Var S = Σ p(1 - p) ≤ m. With λ ≤ p_i ≤ 1 - λ both options have means of at least λn.
    """
    p, m, v, least, hit, s = z3.Reals("p m v least hit S")
    other, either = z3.Reals("other either")
    return (
        unsatisfiable([p >= 0, p <= 1, p * (1 - p) > p], "p(1 - p) ≤ p: the variance is at most the mean"),
        unsatisfiable([m > 0, 2 * s <= m, (m / 2) * (m / 2) > (s - m) * (s - m)], "S ≤ m/2: (m/2)² ≤ (S - m)²"),
        unsatisfiable(
            [least > 0, m >= least, v <= m, hit * (m / 2) * (m / 2) <= v, hit * least > 4],
            "so P[S ≤ m/2] ≤ 4/m ≤ 4/(λn)",
        ),
        unsatisfiable(
            [least > 0, hit * least <= 4, other * least <= 4, either <= hit + other, either * least > 8],
            "both options together: at most 8/(λn)",
        ),
    )


def difference() -> Steps:
    """Three values, n known: where b and c are shown the count of a is n less the others, and tells a from b.

    Event: b and c are shown and n - b - c ≥ 1. h is the probability that b or c is hidden, s = (n - 1)·P[a].
    """
    a, b, c, n, k = z3.Ints("a b c n k")
    p, q, h, s, e, m, x = z3.Reals("p q h s E m x")
    return (
        unsatisfiable([a + b + c == n, a != n - b - c], "the count of a"),
        unsatisfiable([a >= 1, a + b + c == n, n - b - c < 1], "given D(i) = a it is at least 1"),
        unsatisfiable([m >= 2 * k, x <= k - 1, 2 * x > m], "b is hidden only below half its mean, if that is ≥ 2k"),
        unsatisfiable(
            [p >= 1 - h, q <= s, e >= 1, p - e * q < 1 - h - e * s], "δ ≥ 1 - h - E·s: as P[a] → 0 it is at least 1 - h"
        ),
        *large_counts(),
    )


def two_counts() -> Steps:
    """Example 8 for any n: c votes with t's vote v, r of the others. What one count leaves, what both tell."""
    c, v, r, n, w, u = z3.Ints("c v r n w u")
    hypotheses = [n >= 2, v >= 0, v <= 1, r >= 0, r <= n - 1, c == v + r]
    return (
        unsatisfiable([*hypotheses, z3.And(r != c, r != c - 1)], "the second count is c or c - 1"),
        unsatisfiable([*hypotheses, c == 0, r != c], "c = 0 leaves one"),
        unsatisfiable([*hypotheses, c == n, r != c - 1], "c = n leaves one"),
        unsatisfiable([*hypotheses, c - r != v], "the difference is the vote of t"),
        unsatisfiable([v == 0, w == 1, v + r == w + u, r == u], "no (c, r) is possible given 0 and given 1: losses ±∞"),
    )


def days_as_one_histogram() -> Steps:
    """A person with bit b on day j adds b to the count of day j, and b to the sum of the cells with a 1 on day j."""
    cell, other_cells, bit, count = symbols("cell rest bit count")
    return (
        identity(
            (other_cells + (cell + 1) * bit) - (other_cells + cell * bit),
            (count + bit) - count,
            "person by person, any n and d",
        ),
    )


def days_apart() -> Steps:
    """Independent days, any number of records: each multiplies E[x^M₁ y^M₂ | a] by a factor in x and one in y."""
    x, y, a, b = positive("x y a b")
    f, g = positive("F G")
    record_factor = (1 - a) * (1 - b) + a * (1 - b) * x + (1 - a) * b * y + a * b * x * y
    return (
        identity(record_factor, (1 - a + a * x) * (1 - b + b * y), "one record"),
        identity(
            f * g * record_factor, (f * (1 - a + a * x)) * (g * (1 - b + b * y)), "one record more: still F(x)·G(y)"
        ),
    )


def convolution() -> Steps:
    """A count S and independent noise X: S + X = o iff X = o - S, so P[S + X = o] = Σ P[S = s]·P[X = o - s]."""
    s, x, o = z3.Ints("s x o")
    return (unsatisfiable([(s + x == o) != (x == o - s)], "one noise for each count"),)
