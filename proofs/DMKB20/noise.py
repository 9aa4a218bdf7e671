"""Noise after the count (DMKB20, section 5.2): Definition 19 and the sentences around Figures 5 and 6."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from verifier.wings.papers.ledger.steps import each, equal, identity, less, unsatisfiable

ZERO, ONE = Fraction(0), Fraction(1)


def definition_19() -> tuple[str, ...]:
    """(1 - p)/(1 + p)·p^|k| over all integers k: the sum is 1, the mean 0, neighbours differ by the factor p."""
    from sympy import Symbol, oo, summation, symbols

    k = Symbol("k", integer=True, positive=True)
    p = Symbol("p", positive=True)
    head = (1 - p) / (1 + p)
    x, y = symbols("x y", positive=True)
    half = summation(p**k, (k, 1, oo)).args[0][0]
    return (
        identity(half, p / (1 - p), "Σ p^k over k ≥ 1, for p < 1"),
        identity(head * (1 + 2 * half), 1, "the probabilities sum to 1"),
        identity(head * x * y + head * x * -y, 0, "k·P[k] and -k·P[-k] cancel: the mean is 0"),
        identity(head * p ** (k + 1) / (head * p**k), p, "P[k + 1]/P[k] = p for k ≥ 0"),
    )


def edges_of_p() -> tuple[str, ...]:
    """At p = 0 and p = 1, which the definition excludes: a sure 0 (with 0^0 = 1), and no distribution."""
    return (
        equal((ONE - 0) / (1 + 0) * 1, ONE, "p = 0: P[0] with 0^0 = 1"),
        equal((ONE - 1) / (1 + ONE), ZERO, "p = 1: every P[k]"),
    )


def noisy_count() -> tuple[str, ...]:
    """A count plus this noise is ln(1/p)-DP, attained: p^|k|/p^|k - 1| is between p and 1/p."""
    import z3

    k = z3.Int("k")
    distance = z3.If(k >= 0, k, -k) - z3.If(k >= 1, k - 1, 1 - k)
    p = Fraction(1, 2), Fraction(3, 4)
    return (
        unsatisfiable([z3.Or(distance > 1, distance < -1)], "| |k| - |k - 1| | ≤ 1 for all integers"),
        unsatisfiable([k <= 0, distance != -1], "and it is -1 for k ≤ 0: the ratio 1/p is attained"),
        equal([1 / one for one in p], [Fraction(2), Fraction(4, 3)], "e^ε for p = 1/2 and p = 3/4"),
    )


def laplace_noise() -> tuple[str, ...]:
    """Laplace noise of scale 2 on a count: the density at x and at x - 1 differ by at most exp(1/2)."""
    import z3
    from sympy import Rational, exp, symbols

    x = z3.Real("x")
    a, b = symbols("a b", real=True)
    distance = z3.If(x >= 1, x - 1, 1 - x) - z3.If(x >= 0, x, -x)
    return (
        unsatisfiable([z3.Or(distance > 1, distance < -1)], "| |x - 1| - |x| | ≤ 1 for all real x"),
        unsatisfiable([x <= 0, distance != 1], "and it is 1 for x ≤ 0: the bound is attained"),
        identity(exp(-a / 2) / exp(-b / 2), exp((b - a) * Rational(1, 2)), "the ratio is exp((|x - 1| - |x|)/2)"),
    )


def both_guarantees() -> tuple[str, ...]:
    """Noise after M keeps what M has (post-processing), and DP of the noisy count holds for every B̂ (a mixture).

    A mixture over the other records, whose law does not depend on D(i), has at most the largest excess of its parts.
    """
    import z3

    w, x, y, d = z3.Reals("w x y d")

    def part(value: Any) -> Any:
        return z3.If(value > 0, value, 0)

    return (
        unsatisfiable([part(x + y) > part(x) + part(y)], "post-processing: max(0, x + y) ≤ max(0, x) + max(0, y)"),
        unsatisfiable(
            [w >= 0, w <= 1, part(x) <= d, part(y) <= d, part(w * x + (1 - w) * y) > d],
            "a mixture: max(0, ·) of the mean is at most the larger",
        ),
    )


def dp_alone_is_not_enough() -> tuple[str, ...]:
    """Without independence DP of the noise says nothing of APKDP: two equal records and their noisy sum.

    P[D = (0, 0)] = P[D = (1, 1)] = 1/2: the sums are 0 and 2, and noise with p = 1/2 has the ratio 4 and not 2.
    """
    p = Fraction(1, 2)
    ratios = [p ** abs(k) / p ** abs(k - 2) for k in range(-3, 6)]
    return (
        equal(max(ratios), Fraction(4), "the largest ratio for sums that differ by 2"),
        less(1 / p, max(ratios), "above e^ε of the noisy sum, whose neighbours differ by 1"),
    )


def convolved() -> tuple[str, ...]:
    """Binomial and geometric noise together: the law of the sum is the convolution, and δ is below both (n = 4).

    Noise with p = 1/2; its tails beyond the counts are merged, since all laws decay there alike.
    """
    others, p, noise = 3, Fraction(1, 3), Fraction(1, 2)
    count = [comb(others, s) * p**s * (1 - p) ** (others - s) for s in range(others + 1)]

    def noisy(law: dict[int, Fraction]) -> dict[Any, Fraction]:
        head, top = (1 - noise) / (1 + noise), others + 1
        found: dict[Any, Fraction] = {
            o: sum((w * head * noise ** abs(o - s) for s, w in law.items()), ZERO) for o in range(top + 1)
        }
        found["less"] = sum((w * head * noise ** (s + 1) / (1 - noise) for s, w in law.items()), ZERO)
        found["more"] = sum((w * head * noise ** (top + 1 - s) / (1 - noise) for s, w in law.items()), ZERO)
        return found

    def worst(one: dict[Any, Fraction], two: dict[Any, Fraction], e: Fraction) -> Fraction:
        return max(
            sum((max(ZERO, x - e * b.get(o, ZERO)) for o, x in a.items()), ZERO) for a, b in ((one, two), (two, one))
        )

    zero, one = dict(enumerate(count)), {s + 1: w for s, w in enumerate(count)}
    alone = {0: ONE}, {1: ONE}
    e = Fraction(3, 2)
    combined = worst(noisy(zero), noisy(one), e)
    return (
        equal(sum(noisy(zero).values(), ZERO), ONE, f"{others + 1} records: the convolution is a law"),
        less(combined, worst(zero, one, e), "δ at E = 3/2 with noise, and without noise"),
        less(combined, worst(noisy(alone[0]), noisy(alone[1]), e), "and with noise alone (all others known)"),
    )


def shifts_of_any_noise() -> tuple[str, ...]:
    """Comparing X and X + s is not the worst for every noise: X uniform on {0, 2}, sensitivity 2, shift 1."""
    law = {0: Fraction(1, 2), 2: Fraction(1, 2)}

    def delta(shift: int) -> Fraction:
        return sum((max(ZERO, p - law.get(o - shift, ZERO)) for o, p in law.items()), ZERO)

    return (
        equal(delta(2), Fraction(1, 2), "δ at ε = 0 for X against X + 2"),
        equal(delta(1), ONE, "for X against X + 1, which a mechanism of sensitivity 2 may need"),
    )


def shifts_of_this_noise() -> tuple[str, ...]:
    """For two-sided geometric noise the worst of the shifts 0, …, s is s: exact, p = 1/2 and 3/4, s ≤ 5."""

    def delta(p: Fraction, shift: int, e: Fraction) -> Fraction:
        head = (1 - p) / (1 + p)
        inner = sum((max(ZERO, head * (p ** abs(k) - e * p ** abs(k - shift))) for k in range(shift)), ZERO)
        low = max(ZERO, 1 - e * p**shift) * head / (1 - p) * p
        return inner + low

    cases = list(product((Fraction(1, 2), Fraction(3, 4)), range(5), (ONE, Fraction(5, 4), Fraction(2), Fraction(5))))
    return (
        each(cases, lambda c: delta(c[0], c[1], c[2]) <= delta(c[0], c[1] + 1, c[2]), "δ does not fall in the shift"),
    )


def binomials_add() -> tuple[str, ...]:
    """B(n, p) + B(m, p) = B(n + m, p), by generating functions; with different p it is no binomial law."""
    from sympy import symbols

    x, p, n, m = symbols("x p n m", positive=True)
    base = 1 - p + p * x
    a, b = Fraction(1, 2), Fraction(1, 4)
    middle, ends = a * (1 - b) + b * (1 - a), (1 - a) * (1 - b) * a * b
    return (
        identity(base**n * base**m, base ** (n + m), "the generating functions multiply"),
        less(4 * ends, middle**2, "p = 1/2 and 1/4: 4·P[0]·P[2] < P[1]², where a binomial law has ="),
    )


def gets_worse_slowly() -> tuple[str, ...]:
    """The closed form of Theorem 3 changes smoothly with what is assumed, through m = λ(n - 1) alone."""
    from sympy import diff, symbols

    m, loss = symbols("m L", positive=True)
    return (
        identity(diff(14 * loss / m, m), -14 * loss / m**2, "ε² = 14·L/m has a derivative for every m > 0"),
        identity(diff(27 / m, m), -27 / m**2, "so has 27/m"),
    )
