"""Theorem 3, Corollary 1 and Proposition 7 (DMKB20, section 4.1): the closed form is derived, step by step.

E stands for e^ε, h for tanh(ε/2) = (E - 1)/(E + 1), m for λ(n - 1), and L for ln(1/δ).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import z3
from sympy import Integer, Rational, Symbol, binomial, exp, factorial, log, oo, summation, symbols

from verifier.wings.papers.ledger.laws import (
    HALF,
    ONE,
    QUARTER,
    ZERO,
    binomial_law,
    total,
)
from verifier.wings.papers.ledger.steps import (
    Steps,
    every_case,
    identity,
    less,
    positive,
    positive_part,
    unsatisfiable,
)


def decomposition() -> Steps:
    """Ber(p) is a fair bit with probability 2λ, and else Ber((p - λ)/(1 - 2λ)), for λ ≤ p ≤ 1 - λ and λ < 1/2."""
    p, share = symbols("p lambda")
    x, y, r = z3.Reals("p lambda r")
    hypotheses = [y > 0, y < z3.Q(1, 2), x >= y, x <= 1 - y, r * (1 - 2 * y) == x - y]
    return (
        identity(2 * share / 2 + (1 - 2 * share) * (p - share) / (1 - 2 * share), p, "P[1]"),
        unsatisfiable([*hypotheses, z3.Or(r < 0, r > 1)], "(p - λ)/(1 - 2λ) is a probability, λ < 1/2"),
    )


def outside_the_range() -> Steps:
    """With p < λ the decomposition does not exist: p = 1/10, λ = 1/4."""
    p, share = Fraction(1, 10), QUARTER
    return (less((p - share) / (1 - 2 * share), ZERO, "(p - λ)/(1 - 2λ)"),)


def blanket() -> Steps:
    """δ ≤ E[max(0, 1 - E·Y/(X + 1))], (X, Y, rest) multinomial with shares (λ, λ, 1 - 2λ).

    Tell the attacker which other records are fair bits, N = X + Y of them, and all that is not one: less is then
    hidden, so δ does not fall. The target's own value adds one to X given a, and to Y given b.
    """
    x, n = symbols("x N", integer=True, positive=True)
    ratio, e, w = z3.Reals("ratio E w")
    up, down, share = z3.Reals("p_a p_b lambda")
    return (
        identity(
            binomial(n, x + 1) / binomial(n, x), (n - x) / (x + 1), "P[X = x + 1 | b]/P[X + 1 = x + 1 | a] = Y/(X + 1)"
        ),
        unsatisfiable(
            [e > 0, w >= 0, ratio >= 0, positive_part(w - e * ratio * w) != w * positive_part(1 - e * ratio)],
            "max(0, P(o) - E·Q(o)) = P(o)·max(0, 1 - E·Y/(X + 1))",
        ),
        unsatisfiable(
            [e > 0, ratio >= 0, positive_part(1 - e * ratio) > z3.If(e * ratio < 1, z3.RealVal(1), 0)],
            "the integrand is at most 1, and 0 unless X + 1 > E·Y",
        ),
        unsatisfiable(
            [share > 0, up >= share, down >= share, up + down <= 1, (up - share) + (down - share) > 1 - 2 * share],
            "what is left of both values, and of the others, has the share 1 - 2λ (Corollary 1: any K)",
        ),
    )


def chernoff() -> Steps:
    """P[Y ≤ (N + 1)/(1 + E)] ≤ exp(-N·h²/2 + 2h/(1 + E)) for N fair bits, Y of one kind (X + 1 ≥ E·Y, X = N - Y).

    E[exp(s(N/2 - Y))] = cosh(s/2)^N ≤ exp(s²N/8), taken at s = 2h; then the mean over N ~ Bin(n - 1, 2λ).
    """
    n, e, s, k = positive("N E s k")
    h = (e - 1) / (e + 1)
    t = n / 2 - (n + 1) / (1 + e)
    term = factorial(2 * k) / (2**k * factorial(k))
    y, z = z3.Reals("N E")
    count = z3.Real("Y")
    return (
        unsatisfiable(
            [z >= 1, count * z <= y - count + 1, count > (y + 1) / (1 + z)], "X + 1 ≥ E·Y is Y ≤ (N + 1)/(1 + E)"
        ),
        identity(term.subs(k, k + 1) / term, 2 * k + 1, "(2k)!/(2^k·k!) rises with k from 1: cosh(x) ≤ exp(x²/2)"),
        identity((s / 2) ** 2 / 2, s**2 / 8, "cosh(s/2) ≤ exp(s²/8)"),
        identity(t, n * h / 2 - 1 / (1 + e), "N/2 - (N + 1)/(1 + E) = N·h/2 - 1/(1 + E)"),
        identity(
            (2 * h) ** 2 * n / 8 - 2 * h * t,
            -Rational(1, 2) * n * h**2 + 2 * h / (1 + e),
            "s²N/8 - s·t at s = 2h",
        ),
    )


def _numbers() -> tuple[Any, list[Any]]:
    """The unknowns ε, E, h of z3, and the hypotheses 0 < ε ≤ 1, 1 + ε + ε²/2 ≤ E ≤ 1 + ε + ε², h = (E - 1)/(E + 1)."""
    eps, e, h = z3.Reals("eps E h")
    hypotheses = [eps > 0, eps <= 1, e >= 1 + eps + eps * eps / 2, e <= 1 + eps + eps * eps, h * (e + 1) == e - 1]
    return (eps, e, h), hypotheses


def series() -> Steps:
    """1 + ε + ε²/2 ≤ e^ε ≤ 1 + ε + ε² on (0, 1]: the rest of the series is positive, and at most ε²·Σ 2^-k."""
    k = Symbol("k", integer=True, positive=True)
    ratio = factorial(k + 3) / factorial(k + 2)
    return (
        identity(ratio, k + 3, "k! grows by a factor of at least 2 from 1 on, so that 1/k! ≤ 2^-(k - 1)"),
        identity(summation(Rational(1, 2) ** k, (k, 1, oo)), Integer(1), "Σ 2^-(k - 1) for k ≥ 2"),
    )


def _closed(first: int, second: int) -> Steps:
    (eps, e, h), hypotheses = _numbers()
    m, size, loss = z3.Reals("m u L")
    x = 9 * eps * eps / 98
    bounded = [eps > 0, eps <= 1, loss >= 0, size == m * eps * eps, size >= first * loss, size >= second * eps]
    return (
        unsatisfiable([*hypotheses, 7 * h < 3 * eps], "h ≥ 3ε/7"),
        unsatisfiable([*hypotheses, 7 * h >= 3 * eps, 2 * x > h * h], "hence h²/2 ≥ x = 9ε²/98"),
        unsatisfiable([*hypotheses, 4 * h > eps * (1 + e)], "2h/(1 + E) ≤ ε/2"),
        unsatisfiable([eps > 0, eps <= 1, x - x * x / 2 < 187 * x / 196], "1 - exp(-x) ≥ x - x²/2 ≥ 187x/196"),
        unsatisfiable(
            [*bounded, 2 * size * z3.Q(9, 98) * z3.Q(187, 196) < loss + eps / 2],
            f"mε² ≥ {first}L and mε² ≥ {second}ε: 2m(1 - exp(-h²/2)) ≥ L + 2h/(1 + E), so that the tail is at most δ",
        ),
    )


def closed_form() -> Steps:
    """ε ≥ √(14L/m) and ε ≥ 27/m, ε ≤ 1: with the steps above δ is enough."""
    return (*series(), *_closed(14, 27))


def smaller_constants() -> Steps:
    """The closed form holds with 7 for 14 and 16 for 27 too: the constants are not tight."""
    return (*series(), *_closed(7, 16))


def printed_level() -> Steps:
    """P[X/Y ≥ ε] ≥ P[X ≥ Y] ≥ 1/2 for ε ≤ 1, whatever the closed form says: n = 57, λ = 49/100, δ = 1/6.

    ln(6) < 1.8 by e > 2.71 and 2.71^9 > 6^5.
    """
    more, tied = z3.Reals("more same")
    n, share, delta = 57, Fraction(49, 100), Fraction(1, 6)
    size = share * (n - 1)
    law = binomial_law(n - 1, 2 * share)
    upper = total(p * q for (x, p), (y, q) in product(law.items(), repeat=2) if y <= x)
    return (
        less(6**5, Fraction(271, 100) ** 9, "6^5 < 2.71^9 < e^9, so that ln(1/δ) < 9/5"),
        less(14 * Fraction(9, 5) / size, ONE, "14·ln(1/δ)/(λ(n - 1)) is below"),
        less(27 / size, ONE, "27/(λ(n - 1)): so the closed form allows ε = 1"),
        unsatisfiable(
            [more >= 0, tied >= 0, 2 * more + tied == 1, 2 * (more + tied) < 1], "P[X > Y] = P[Y > X]: P[X ≥ Y] ≥ 1/2"
        ),
        every_case([upper], lambda x: x > HALF, "P[X ≥ Y] for X, Y binomial with 2λ is above 1/2"),
        less(delta, HALF, "above δ"),
    )


def level_with_exponential() -> Steps:
    """With the level e^ε the condition does follow: P[X ≥ E·Y] ≤ exp(2m(e^s + e^(-sE) - 2)), here at s = ε/6.

    (1 + 2λ(e^s - 1))(1 + 2λ(e^(-sE) - 1)) ≤ exp(2λ(e^s + e^(-sE) - 2)), e^s ≤ 1 + s + s² for s ≤ 1, and
    e^(-x) ≤ 1 - x + x²/2.
    """
    (eps, e, _), hypotheses = _numbers()
    s, size, loss = z3.Reals("s u L")
    rate = (s + s * s) - s * e + s * s * e * e / 2
    return (
        *series(),
        unsatisfiable([*hypotheses[:4], 6 * s == eps, rate > -eps * eps / 28], "e^s + e^(-sE) - 2 ≤ -ε²/28 at s = ε/6"),
        unsatisfiable([loss >= 0, size >= 14 * loss, -2 * size / 28 > -loss], "mε² ≥ 14L: the exponent is at most -L"),
    )


def decrease() -> Steps:
    """The closed form, solved for δ: ε²·λ(n - 1)/14 = L, so that δ = exp(-ε²·λ(n - 1)/14) where ε ≥ 27/(λ(n - 1))."""
    eps, m, d = positive("eps m delta")
    return (
        identity((eps**2 - 14 * log(1 / d) / m).subs(d, exp(-(eps**2) * m / 14)), 0, "ε² = 14·ln(1/δ)/m at this δ"),
    )


def false_for_every_n() -> Steps:
    """For ε > n - 1 the printed level is reached only where Y = 0: (1 - 2λ)^(n-1), below the exact (1 - λ)^(n-1)."""
    share, a, b, x, y, eps, m = z3.Reals("lambda a b x y eps m")
    return (
        unsatisfiable([x >= 0, x <= m, y >= 1, eps > m, x >= eps * y], "X ≤ n - 1 < ε: no Y ≥ 1 has X/Y ≥ ε"),
        unsatisfiable([share > 0, 2 * share < 1, 1 - 2 * share >= 1 - share], "n = 2"),
        unsatisfiable(
            [share > 0, 2 * share < 1, a > 0, a < b, a * (1 - 2 * share) >= b * (1 - share)], "from n to n + 1"
        ),
    )
