"""Distributional privacy with a small γ, and DP (DP22, after Definition 25), for n records."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import z3
from sympy import Symbol, limit, oo

from verifier.wings.papers.ledger.laws import ONE
from verifier.wings.papers.ledger.plain import smallest
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, less, unsatisfiable


def one_order_is_rare() -> Steps:
    """Records drawn independently: whether D is (1, …, n) is told with γ = 2·n^-n, and no ε of DP is enough."""
    x, y, z = z3.Reals("x y z")
    n = Symbol("n", positive=True)
    laws = {database: {int(database == (1, 2, 3)): ONE} for database in product((1, 2, 3), repeat=3)}
    return (
        unsatisfiable(
            [x >= 0, y >= 0, z >= 0, x + y + z <= 1, x * y * z > z3.Q(1, 27)],
            "n = 3: under every π (1, 2, 3) is drawn with a probability of at most 1/27",
        ),
        less(2 * Fraction(1, 27), Fraction(1, 9), "so that one of two databases is it with at most γ = 2/27; and 1/n²"),
        equal(limit(2 * n**2 / n**n, n, oo), 0, "2·n^-n is of smaller order than 1/n²: the limit of 2·n²·n^-n"),
        equal(smallest([(laws[1, 2, 3], laws[1, 2, 1])]), None, "e^ε between (1, 2, 3) and (1, 2, 1): none"),
    )


def one_order_by_listing() -> Steps:
    """A second code: n = 3, every π on three values in twelfths; the pairs that M tells apart have at most 2/27."""
    grid = [(Fraction(a, 12), Fraction(b, 12), Fraction(12 - a - b, 12)) for a in range(13) for b in range(13 - a)]

    def rare(a: Fraction, b: Fraction, c: Fraction) -> bool:
        drawn = a * b * c
        return 2 * drawn * (1 - drawn) <= Fraction(2, 27)

    return (for_all(grid, rare, "P[one of both is (1, 2, 3), and not the other] ≤ 2/27"),)


def sets_of_different_tuples() -> Steps:
    """Two neighbours are n of n + 1 tuples; the uniform π on these draws each such set with probability 1/(n + 1)."""

    def drawn_apart(n: int) -> bool:
        sets = list(combinations(range(n + 1), n))
        share = Fraction(1, len(sets))
        return 2 * share * share == Fraction(2, (n + 1) ** 2)

    m, g, out = z3.Reals("m gamma out")
    return (
        for_all([(n,) for n in range(1, 8)], drawn_apart, "both neighbours are drawn with 2/(n + 1)²"),
        unsatisfiable(
            [m >= 2, g < 2 / (m * m), out <= g, out >= 2 / (m * m)],
            "where γ is below that, every such pair is compared, as what is left out has at most γ; m stands for n + 1",
        ),
    )
