"""Theorem 3.9 and its proof in A.2: a sampled crowd of n equal tuples against n - 1, hidden below k.

f(j; n) is the probability of j of n, F(m; n) that of at most m, T(n, j) that of at least j; γ = (E - 1 + β)/E, E = e^ε.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil

import sympy
import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, Law, binomial_chance, excess, independent, tail
from verifier.wings.papers.ledger.steps import Steps, at_most, equal, for_all, identity, positive, unsatisfiable

RATES = tuple(Fraction(a, b) for a, b in ((1, 20), (1, 10), (1, 5), (1, 3), (1, 2), (3, 4), (9, 10)))


def cumulative(m: int, n: int, rate: Fraction) -> Fraction:
    """F(m; n), the probability that at most m of n tuples are sampled."""
    return 1 - tail(m + 1, n, rate)


def published(n: int, k: int, rate: Fraction) -> Law:
    """The law of the number of published tuples, of n equal ones that are sampled: 0 in place of a number below k."""
    return {0: cumulative(k - 1, n, rate), **{j: binomial_chance(j, n, rate) for j in range(max(k, 1), n + 1)}}


def largest_tail(k: int, rate: Fraction, gamma: Fraction, last: int) -> Fraction:
    """The largest T(⌈j/γ⌉ - 1, j) for k ≤ j < `last`."""
    return max(tail(j, ceil(j / gamma) - 1, rate) for j in range(k, last))


def gamma_above_rate() -> Steps:
    """γ - β = (E - 1)(1 - β)/E > 0 for ε > 0 and β < 1."""
    b, e = positive("beta E")
    rate, factor = z3.Reals("b E")
    return (
        identity((e - 1 + b) / e - b, (e - 1) * (1 - b) / e, "γ - β"),
        unsatisfiable([rate > 0, rate < 1, factor > 1, (factor - 1) * (1 - rate) <= 0], "it is > 0"),
    )


def ratios() -> Steps:
    """f(j; n)/f(j; n - 1) = n(1 - β)/(n - j) for j < n; f(j; n) = (1 - β)·f(j; n - 1) + β·f(j - 1; n - 1)."""
    n, j, b = positive("n j beta")
    over_less = sympy.combsimp(sympy.binomial(n, j) / sympy.binomial(n - 1, j))
    over_both = sympy.combsimp(sympy.binomial(n, j) / sympy.binomial(n - 1, j - 1))
    return (
        identity(over_less * (1 - b), n * (1 - b) / (n - j), "f(j; n)/f(j; n - 1)"),
        identity(1 / over_less + 1 / over_both, sympy.Integer(1), "C(n, j) = C(n - 1, j) + C(n - 1, j - 1)"),
        for_all(
            [(j, n, r) for n in range(1, 9) for j in range(n) for r in RATES],
            lambda j, n, r: binomial_chance(j, n, r) == n * (1 - r) / (n - j) * binomial_chance(j, n - 1, r),
            "the same in numbers",
        ),
    )


def copies_at_the_edge() -> Steps:
    """At j = n the printed n(1 - β)/(n - j) divides by 0: D has n copies with β^n > 0, D without t never; then 0/0."""
    cases = [(n, r) for n in range(1, 9) for r in RATES]
    return (
        for_all(cases, lambda n, r: binomial_chance(n, n, r) == r**n > 0, "f(n; n) = β^n > 0"),
        for_all(cases, lambda n, r: binomial_chance(n, n - 1, r) == 0, "f(n; n - 1) = 0: the loss is infinite"),
        for_all(
            cases,
            lambda n, r: binomial_chance(n + 1, n, r) == binomial_chance(n + 1, n - 1, r) == 0,
            "for j > n neither can have j copies: the ratio printed as 1 is 0/0",
        ),
    )


def suppressed_output() -> Steps:
    """1 - β ≤ F(k - 1; n)/F(k - 1; n - 1) ≤ 1: F(m; n) = F(m; n - 1) - β·f(m; n - 1), by summing the recursion."""
    b = positive("beta")
    g = sympy.symbols("g0:6")
    cumulated, before, now = sympy.symbols("G g h")
    rate, old, last = z3.Reals("b F f")
    steps = [
        identity(
            sum((1 - b) * g[j] + (b * g[j - 1] if j else 0) for j in range(m + 1)),
            sum(g[: m + 1]) - b * g[m],
            f"Σ (1 - β)g(j) + βg(j - 1) = Σ g(j) - βg(m) for m = {m}",
        )
        for m in range(6)
    ]
    steps.append(
        identity(
            (cumulated - b * before) + (1 - b) * now + b * before,
            (cumulated + now) - b * now,
            "from m - 1 to m, for every m",
        )
    )
    base = [rate > 0, rate < 1, last >= 0, old >= last, old > 0]
    steps += [
        unsatisfiable([*base, old - rate * last < (1 - rate) * old], "F(m; n) ≥ (1 - β)·F(m; n - 1)"),
        unsatisfiable([*base, old - rate * last > old], "F(m; n) ≤ F(m; n - 1)"),
    ]
    return tuple(steps)


def suppressed_output_without_a_crowd() -> Steps:
    """A.2 says that F(k - 1; n) is always less than F(k - 1; n - 1): for n < k both are 1; for n ≥ k it is."""
    small = [(k, n, r) for k in range(1, 7) for n in range(1, k) for r in RATES]
    large = [(k, n, r) for k in range(1, 7) for n in range(k, 9) for r in RATES]
    rate, old, last = z3.Reals("b F f")
    return (
        for_all(small, lambda k, n, r: cumulative(k - 1, n, r) == 1, "F(k - 1; n) = 1 for n < k"),
        equal(cumulative(1, 1, RATES[0]), cumulative(1, 0, RATES[0]), "k = 2, n = 1: F(1; 1) and F(1; 0)"),
        unsatisfiable(
            [rate > 0, last > 0, old - rate * last >= old], "F(k - 1; n) < F(k - 1; n - 1) where f(k - 1; n - 1) > 0"
        ),
        for_all(large, lambda k, n, r: binomial_chance(k - 1, n - 1, r) > 0, "f(k - 1; n - 1) > 0 for n ≥ k"),
    )


def bad_counts() -> Steps:
    """For k ≤ j < n the ratio is above E exactly where j > γn, and never below 1 - β ≥ 1/E; at j = n it is infinite."""
    n, j, b, e = z3.Reals("n j b E")
    base = [n > 0, j > 0, j < n, b > 0, b < 1, e >= 1, e * (1 - b) >= 1]
    above, bad = n * (1 - b) > e * (n - j), e * j > (e - 1 + b) * n
    return (
        unsatisfiable([*base, above, z3.Not(bad)], "n(1 - β)/(n - j) > E gives j > γn"),
        unsatisfiable([*base, bad, z3.Not(above)], "j > γn gives n(1 - β)/(n - j) > E"),
        unsatisfiable([*base, n * (1 - b) <= (1 - b) * (n - j)], "n(1 - β)/(n - j) > 1 - β"),
        unsatisfiable([*base, 1 - b < 1 / e], "1 - β ≥ 1/E"),
        unsatisfiable([n > 0, b > 0, b < 1, e >= 1, e * n <= (e - 1 + b) * n], "j = n is above γn"),
    )


def tails_grow() -> Steps:
    """T(n + 1, j) = T(n, j) + β·f(j - 1; n): more tuples, a larger tail; so D is worse than D without t."""
    rate, old, more = z3.Reals("b T f")
    cases = [(n, j, r) for n in range(9) for j in range(1, n + 2) for r in RATES]
    return (
        *ratios()[:2],
        *suppressed_output()[:7],
        unsatisfiable([rate > 0, more >= 0, old + rate * more < old], "T(n + 1, j) ≥ T(n, j)"),
        for_all(
            cases,
            lambda n, j, r: tail(j, n + 1, r) == tail(j, n, r) + r * binomial_chance(j - 1, n, r),
            "T(n + 1, j) = T(n, j) + β·f(j - 1; n) in numbers",
        ),
    )


def smallest_crowd() -> Steps:
    """Let m = ⌈k/γ - 1⌉: γm < k ≤ γ(m + 1); then j > γm gives j ≥ k, and the first whole j > γ(m + 1) is k + 1.

    For whole numbers, j ≥ k is j > k - 1.
    """
    k, m, g, j, n = z3.Reals("k m g j n")
    base = [k >= 1, g > 0, g < 1, g * m < k, g * (m + 1) >= k]
    ceiling = [k >= 1, g > 0, g < 1, m >= k / g - 1, m < k / g]
    return (
        unsatisfiable([*ceiling, z3.Or(g * m >= k, g * (m + 1) < k)], "γm < k ≤ γ(m + 1)"),
        unsatisfiable([*base, j > g * m, j <= k - 1], "j > γm gives j > k - 1"),
        unsatisfiable([*base, n <= m, n >= 0, j >= k, j <= g * n], "for n ≤ m, j ≥ k gives j > γn"),
        unsatisfiable([*base, n >= m + 1, j > g * n, j < k], "for n > m, j > γn gives j ≥ k"),
        unsatisfiable([*base, k + 1 <= g * (m + 1)], "k + 1 > γ(m + 1) ≥ k"),
        unsatisfiable([*ceiling, m <= k - 1], "m > k - 1, so that m ≥ k"),
    )


def local_maxima() -> Steps:
    """While the smallest j > γn stays, T grows with n; at n = ⌈j/γ⌉ it is j + 1, and T falls.

    T(n + 1, j + 1) = T(n, j + 1) + β·f(j; n) and T(n, j) = T(n, j + 1) + f(j; n).
    """
    rate, more, upper_tail, g, n, j = z3.Reals("b f T g n j")
    return (
        unsatisfiable(
            [rate > 0, rate < 1, more > 0, upper_tail + rate * more >= upper_tail + more], "T(n + 1, j + 1) < T(n, j)"
        ),
        unsatisfiable([g > 0, g < 1, g * n < j, g * (n + 1) >= j, j + 1 <= g * (n + 1)], "j + 1 > γ(n + 1) ≥ j"),
    )


def tails_vanish() -> Steps:
    """T(n, j)·s^j ≤ (1 - β + βs)^n for s ≥ 1 (Markov); with n < j/γ and some s > 1 near 1 that is q^j, q < 1.

    h(s) = ln(1 - β + βs)/γ - ln s is 0 at s = 1 and falls there, since γ > β.
    """
    s, b, g = positive("s beta gamma")
    h = sympy.log(1 - b + b * s) / g - sympy.log(s)
    chance, factor, low, rate, gamma = z3.Reals("c S L b g")
    cases = [(n, j, r, top) for n in range(1, 9) for j in range(n + 1) for r in RATES for top in (1, 2, 3)]
    return (
        unsatisfiable([chance >= 0, low >= 1, factor >= low, chance * low > chance * factor], "s^i ≥ s^j for i ≥ j"),
        for_all(
            cases,
            lambda n, j, r, s: tail(j, n, r) * s**j <= (1 - r + r * s) ** n,
            "T(n, j)·s^j ≤ (1 - β + βs)^n in numbers",
        ),
        identity(h.subs(s, 1), sympy.Integer(0), "h(1) = 0"),
        identity(sympy.diff(h, s).subs(s, 1), b / g - 1, "h′(1) = β/γ - 1"),
        unsatisfiable([rate > 0, gamma > rate, rate / gamma - 1 >= 0], "which is below 0 for γ > β"),
    )


def crowd_of_one() -> Steps:
    """At k = 1, T(n, 1) = 1 - (1 - β)^n ≥ β for n ≥ 1, so d ≥ β; and {t} against nothing has δ = β at every E."""
    q, x = z3.Reals("q x")
    at = [(r, Fraction(e)) for r in RATES for e in (20, 1000)]
    return (
        unsatisfiable([q > 0, q < 1, x >= 0, x <= 1, 1 - q * x < 1 - q], "1 - (1 - β)^n ≥ β"),
        for_all(at, lambda r, e: excess(published(1, 1, r), published(0, 1, r), e) == r, "δ = β"),
    )


def replaced_tuples() -> Steps:
    """A tuple moves from one crowd to another: n and m tuples against n - 1 and m + 1, k ≤ 3, n ≤ 7, m ≤ 6.

    For all of them with E/(1 - β) in place of E: first t is removed, then u is added, M between them.
    """
    p, between, q, e, b, d = z3.Reals("P M Q E b d")
    rates, factors = (Fraction(1, 10), Fraction(1, 3), HALF), (ONE, Fraction(3, 2), Fraction(3))
    cases = [(k, rate, factor / (1 - rate)) for k, rate, factor in product((1, 2, 3), rates, factors)]
    pairs = list(product(range(1, 8), range(7)))

    def covered(k: int, rate: Fraction, factor: Fraction) -> bool:
        gamma = 1 - (1 - rate) / factor
        claimed = largest_tail(k, rate, gamma, k + 8)
        laws = [published(n, k, rate) for n in range(9)]
        for n, m in pairs:
            if excess(independent(laws[n], laws[m]), independent(laws[n - 1], laws[m + 1]), factor) > claimed:
                return False
        return True

    return (
        for_all(cases, covered, "the smallest δ is at most d(k, β, ε)"),
        equal(len(pairs), 49, "pairs of crowds of up to 7 and 6 tuples"),
        unsatisfiable(
            [b > 0, b < 1, e >= 1, p <= e * between + d, between * (1 - b) <= q, p > e / (1 - b) * q + d],
            "P ≤ E·M + d and (1 - β)·M ≤ Q give P ≤ E/(1 - β)·Q + d",
        ),
    )


def anonymized_before_sampling() -> Steps:
    """Published first and sampled then, k tuples are seen with 1 - (1 - β)^k ≥ β, and k - 1 never."""
    cases = [(k, r) for k in range(2, 9) for r in RATES]
    q, x, b = z3.Reals("q x b")
    return (
        unsatisfiable([q > 0, q < 1, x >= 0, x <= 1, 1 - q * x < 1 - q], "1 - (1 - β)^k ≥ β"),
        unsatisfiable([b > 0, b < 1, x > 0, x < 1, b * x >= b], "β^k < β for k ≥ 2"),
        for_all(
            cases,
            lambda k, r: 1 - (1 - r) ** k > r**k,
            "more than β^k, which sampling first shows of k tuples",
        ),
        at_most(Fraction(1, 10) ** 2, 1 - Fraction(9, 10) ** 2, "k = 2, β = 1/10: 1/100 and 19/100"),
    )
