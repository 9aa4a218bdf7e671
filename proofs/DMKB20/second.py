"""Refutations of sections 3.5 to 4.2 (DMKB20), added up a second time from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import product
from math import comb

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    binomial_chance,
    binomial_law,
    count_law,
    either_excess,
    exp_bracket,
    total,
    votes,
)
from verifier.wings.papers.ledger.plain import Database, Plain, Rule, surely
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, less


def voters(chances: Sequence[Fraction], known: Callable[[Database], Hashable], rule: Rule, record: int = 0) -> Plain:
    """The model of independent votes with these chances, B = known(D), a rule, and the one record that is protected."""
    worlds = tuple((p, ballot, known(ballot)) for ballot, p in votes(chances).items())
    return Plain(worlds, rule, BITS, (record,))


def theorem_3_two_records() -> Steps:
    """For n = 2, λ = 1/4, ε = 2 Theorem 3 claims 1/2, and the exact δ at p = 1/3 is 2/3.

    X and Y are single bits with success 1/2, and X/Y ≥ 2 exactly where Y = 0.
    """
    pairs = votes([HALF, HALF])
    claimed = {
        counted: total(p for (x, y), p in pairs.items() if y == 0 and (x > 0 or counted)) for counted in (True, False)
    }
    delta = voters([Fraction(1, 3)] * 2, lambda _: None, surely(sum)).active(Fraction(8))
    return (
        equal(claimed[True], HALF, "claimed, with 0/0 counted"),
        equal(claimed[False], QUARTER, "claimed, with 0/0 not counted"),
        equal(delta, Fraction(2, 3), "exact δ for p = 1/3 at E = 8 > e², and so at ε = 2"),
        less(claimed[True], delta, "the claim does not cover it"),
    )


def theorem_4_more_than_the_threshold() -> Steps:
    """For n = 3, p = 1/4, |B| = 1, T = 0 and b_max = 2, Theorem 4 claims ε = δ = 0, and the exact δ is 4/5.

    r_b < 1 and r' < 1, and both terms are 0; the exact δ is for p_i = 1/5.
    """
    n, p, known, threshold, top = 3, QUARTER, 1, 0, 2
    r_b = p * known / ((1 - p) * top)
    r = p * (n - known - 1) / ((1 - p) * (threshold - top))
    rule = surely(lambda d: sum(d) if sum(d) > threshold else "hidden")
    delta = voters([Fraction(1, 5)] * n, lambda d: d[0], rule).passive(1, ONE)
    return (
        less(r_b, ONE, "r_b"),
        less(r, ONE, "r'"),
        equal(
            (binomial_chance(top, known, p), binomial_chance(threshold - top, n - known - 1, p)),
            (0, 0),
            "f(b_max, |B|) and f(T - b_max, …) are 0",
        ),
        equal(delta, Fraction(4, 5), "exact δ of PPKDP at ε = 0, where ε = δ = 0 is claimed"),
    )


def proposition_7_fair_coins() -> Steps:
    """p_i = 1/2, ε = 1: μ₃ as printed is 0, so that δ = δ₂ = 1.25·exp(-n/8). Refuted at n = 555, not at n = 554."""
    low, high = exp_bracket(ONE)

    def exact(n: int, e: Fraction) -> Fraction:
        ways = [comb(n - 1, k) for k in range(n)]
        above = total(max(ZERO, ways[o] - e * (ways[o - 1] if o else 0)) for o in range(n))
        return above / Fraction(2) ** (n - 1)

    def refuted(n: int) -> bool:  # 1.25·exp(-n/8) < δ, by 8th powers, with e from below and the exact δ from below
        return (exact(n, high) * Fraction(4, 5)) ** 8 * low**n > 1

    def covered(n: int) -> bool:
        return (exact(n, low) * Fraction(4, 5)) ** 8 * high**n < 1

    return (
        equal(HALF * HALF * abs(1 - 2 * HALF), ZERO, "p(1 - p)|1 - 2p| at p = 1/2"),
        every_case([555, 900], refuted, "exact δ > 1.25·exp(-n/8)"),
        every_case([2, 10, 100, 300, 554], covered, "while it is below for smaller n"),
    )


def example_7() -> Steps:
    """1,000 voters, p = 10^-7, 100 known, shown above 100: active, the least δ is P[899 others say no], or nearly.

    The active attacker's voters say yes: ⊥ is the count 100, and 101 tells a yes. So M is the count of the others.
    """
    p, other_votes = Fraction(1, 10**7), 899
    none = (1 - p) ** other_votes

    def relabelled(n: int, known: int) -> bool:
        outputs = {s: s + known if s + known > known else "hidden" for s in range(n - known + 1)}
        return len(set(outputs.values())) == len(outputs)

    return (
        for_all(
            [(n, k) for n in range(2, 9) for k in range(1, n)],
            relabelled,
            "T = |B| known ones: M is one to one",
        ),
        every_case([none], lambda x: 1 - x < Fraction(9, 10**5), "everybody else says no but for 9·10^-5"),
        every_case([(1 - p) ** 100], lambda x: 1 - x < Fraction(1, 10**5), "the known ones all say no but for 10^-5"),
        every_case([p**100], lambda x: x == Fraction(1, 10**700), "they all say yes with probability 10^-700"),
        every_case(
            [comb(900, 100) * p**100],
            lambda x: x < Fraction(1, 10**500),
            "with one yes among the known, 100 others have to say yes before a count is shown: less than 10^-500",
        ),
    )


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
