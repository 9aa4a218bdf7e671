"""More refutations (DMKB20, sections 3 to 4.1), added up a second time from the definitions alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from verifier.wings.papers.ledger.laws import (
    ONE,
    binomial_law,
    count_law,
    either_excess,
    exp_bracket,
    total,
)
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, less


def _count_delta(chances: Sequence[Fraction], factor: Fraction) -> Fraction:
    """The smallest δ of the count at e^ε = factor: the larger one of both orders of D(i) = 0 and D(i) = 1."""
    return either_excess(count_law(chances), count_law(chances, 1), factor)


def success_of_one_value() -> Steps:
    """X/Y ≥ e^ε with success λ: n = 3, λ = 1/8, ε = ln(11/10), the others at 1251/10000 and 8749/10000.

    1575/2048 is claimed, and the exact δ is larger.
    """
    share, e = Fraction(1, 8), Fraction(11, 10)
    law = count_law([share, share])
    claimed = total(law[x] * law[y] for x, y in product(range(3), repeat=2) if x >= e * y)
    inside = Fraction(1251, 10000)
    return (
        equal(claimed, Fraction(1575, 2048), "claimed"),
        less(claimed, _count_delta([inside, 1 - inside], e), "exact δ, with p_i strictly between λ and 1 - λ"),
        equal(_count_delta([share, 1 - share], e), Fraction(493, 640), "and at the ends, as a limit"),
    )


def independent_counts() -> Steps:
    """(X + 1)/Y ≥ e^ε with independent X and Y: n = 9, λ = 12/25, ε = 2; 7.389 < e² < 7.3891.

    Less than 0.006422 is claimed, and the exact δ is above 0.006424.
    """
    share = Fraction(12, 25)
    low, high = Fraction(7389, 1000), Fraction(73891, 10000)
    law = binomial_law(8, share)
    claimed = total(law[x] * law[y] for x, y in product(range(9), repeat=2) if x + 1 >= low * y)
    inside = Fraction(4801, 10000)
    exact = max(_count_delta([inside] * (8 - h) + [1 - inside] * h, high) for h in range(9))
    return (
        for_all([exp_bracket(ONE)], lambda e, more: low < e**2 < more**2 < high, "e², by the series of e"),
        every_case([claimed], lambda x: x < Fraction(6422, 10**6), "claimed: below 0.006422, with more ratios counted"),
        every_case([exact], lambda x: x > Fraction(6424, 10**6), "exact: above 0.006424, with p_i strictly inside"),
    )
