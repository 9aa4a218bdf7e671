"""More refutations (DMKB20, sections 3 to 4.1), added up a second time from the definitions alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    ZERO,
    binomial_law,
    bits,
    count_law,
    either_excess,
    excess,
    exp_bracket,
    pushforward,
    total,
)
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, less, unsatisfiable


def _count_delta(chances: Sequence[Fraction], factor: Fraction) -> Fraction:
    """The smallest δ of the count at e^ε = factor: the larger one of both orders of D(i) = 0 and D(i) = 1."""
    return either_excess(count_law(chances), count_law(chances, 1), factor)


def level_with_exponential() -> Steps:
    """X/Y ≥ e^ε with success 2λ: n = 2, λ = 1/4, any ε > 0: the level is reached where Y = 0, with probability 1/2.

    That is claimed; the exact δ at p = 1/3 is 2/3.
    """
    delta = _count_delta([Fraction(1, 3)], Fraction(2))
    return (
        equal(total(HALF * HALF for x, y in bits(2) if x >= 2 * y), HALF, "claimed, ε = ln(2)"),
        equal(delta, Fraction(2, 3), "exact δ for p = 1/3"),
        less(HALF, delta, "above the claim"),
    )


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


def knowledge_that_excludes() -> Steps:
    """M is constant; B = y excludes D(0) = 1: an infinite loss counts all of P[B = y | D(0) = 0]."""
    worlds = dict.fromkeys([(0, "x"), (0, "y"), (1, "x")], Fraction(1, 3))
    zero = total(p for (v, _), p in worlds.items() if v == 0)
    constant = {"u": ONE}
    excluded_mass = total(p / zero for (v, b), p in worlds.items() if v == 0 and (1, b) not in worlds)
    return (
        equal(excess(constant, constant, ONE), ZERO, "given B = x the excess"),
        equal(excluded_mass, HALF, "P[B = y | D(0) = 0]"),
    )


def impossible_value() -> Steps:
    """One record with values 0, 1, 2, of which 2 has probability 0; M tells whether it is 2."""
    law = {v: {v == 2: ONE} for v in range(3)}
    return (
        equal(excess(law[0], law[1], ONE), ZERO, "0 against 1, all that θ allows"),
        equal(excess(law[0], law[2], Fraction(10**9)), ONE, "0 against 2, which DP compares"),
    )


def parity_published() -> Steps:
    """Two fair bits, B = M = their parity. No belief changes, and no simulator that sees D(1) alone has this law."""
    worlds = bits(2)
    chance = {r: z3.Real(f"sim_{r}") for r in BITS}  # P[Sim(r) = 1]
    laws = [z3.And(c >= 0, c <= 1) for c in chance.values()]
    never_one = (chance[0] + chance[1]) / 2 == 0  # given B = 0, where M is 0: only outputs of M
    never_zero = (2 - chance[0] - chance[1]) / 2 == 0  # given B = 1, where M is 1
    known = [[d[0] for d in worlds if d[0] ^ d[1] == b] for b in BITS]
    return (
        every_case(
            known,
            lambda values: sorted(values) == [0, 1],
            "given B̂ (and M) both values of D(0) are as likely",
        ),
        unsatisfiable([*laws, never_one, never_zero], "Sim(D(1)) never answers 1 given B = 0, nor 0 given B = 1"),
    )


def parity_known() -> Steps:
    """Two fair bits, B = M = their parity: NP sees a constant given B̂, CDP sets one bit and turns the parity over."""
    worlds = bits(2)

    def output_law(known: int, value: int, new: int) -> dict[int, Fraction]:
        other_votes = [y for x, y in worlds if x == value and x ^ y == known]
        return {new ^ y: Fraction(1, len(other_votes)) for y in other_votes}

    return (
        every_case(
            BITS,
            lambda b: excess(output_law(b, 0, 0), output_law(b, 1, 1), ONE) == 0,
            "NP: D(0) = 0 against 1, given each B̂",
        ),
        every_case(
            BITS,
            lambda b: excess(output_law(b, 0, 0), output_law(b, 0, 1), Fraction(10**9)) == 1,
            "CDP: record 0 set to 1",
        ),
        every_case(
            bits(2),
            lambda pair: sum((x, x ^ y) == pair for x, y in worlds) == 1,
            "each pair of D(0) and B has one world of four: B is independent of D(0)",
        ),
    )


def worst_and_best_knowledge() -> Steps:
    """Five voters, two known, T = 2, P[yes] = 1/10, ε = ln(2): the excess for each number of known yes."""
    p = Fraction(1, 10)

    laws = [pushforward(count_law([p, p], ones), lambda count: count if count > 2 else "hidden") for ones in range(4)]
    by_known = [either_excess(laws[b], laws[b + 1], 2) for b in range(3)]
    return (
        equal(by_known[0], Fraction(1, 100), "no known yes: privacy is greatest"),
        equal(by_known[2], Fraction(81, 100), "two: the loss is greatest, and it is what APKDP bounds"),
        less(by_known[0], by_known[2], "so that the two differ"),
    )
