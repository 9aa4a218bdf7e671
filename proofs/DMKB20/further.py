"""More refutations (DMKB20, sections 3 to 4.1), added up a second time from the definitions alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, factorial
from typing import Any

from verifier.wings.papers.ledger.steps import each, equal, less, unsatisfiable

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def _excess(p: dict[Any, Fraction], q: dict[Any, Fraction], factor: Fraction) -> Fraction:
    return sum((max(ZERO, x - factor * q.get(o, ZERO)) for o, x in p.items()), ZERO)


def _votes(chances: list[Fraction]) -> list[Fraction]:
    """The law of a sum of independent bits."""
    law = [ONE]
    for p in chances:
        law = [
            (law[k] * (1 - p) if k < len(law) else ZERO) + (law[k - 1] * p if k else ZERO) for k in range(len(law) + 1)
        ]
    return law


def _count_delta(others: list[Fraction], factor: Fraction) -> Fraction:
    """δ of the count, the larger of both orders."""
    law = _votes(others)
    zero, one = dict(enumerate(law)), {k + 1: p for k, p in enumerate(law)}
    return max(_excess(zero, one, factor), _excess(one, zero, factor))


def level_with_exponential() -> tuple[str, ...]:
    """X/Y ≥ e^ε with success 2λ: n = 2, λ = 1/4, any ε > 0: the level is reached where Y = 0, with probability 1/2."""
    found = _count_delta([Fraction(26, 100)], Fraction(2))
    return (
        equal(sum((HALF * HALF for x, y in product((0, 1), repeat=2) if x >= 2 * y), ZERO), HALF, "claimed, ε = ln(2)"),
        equal(found, Fraction(37, 50), "exact δ for p = 13/50"),
        less(HALF, found, "above the claim"),
    )


def success_of_one_value() -> tuple[str, ...]:
    """X/Y ≥ e^ε with success λ: n = 3, λ = 1/8, ε = ln(11/10), the others at 1251/10000 and 8749/10000."""
    share, e = Fraction(1, 8), Fraction(11, 10)
    law = _votes([share, share])
    claimed = sum((law[x] * law[y] for x, y in product(range(3), repeat=2) if x >= e * y), ZERO)
    inside = Fraction(1251, 10000)
    return (
        equal(claimed, Fraction(1575, 2048), "claimed"),
        less(claimed, _count_delta([inside, 1 - inside], e), "exact δ, with p_i strictly between λ and 1 - λ"),
        equal(_count_delta([share, 1 - share], e), Fraction(493, 640), "and at the ends, as a limit"),
    )


def independent_counts() -> tuple[str, ...]:
    """(X + 1)/Y ≥ e^ε with independent X and Y: n = 9, λ = 12/25, ε = 2; 7.389 < e² < 7.3891."""
    share = Fraction(12, 25)
    e = sum((Fraction(1, factorial(k)) for k in range(20)), ZERO), ZERO
    low, high = Fraction(7389, 1000), Fraction(73891, 10000)
    law = _votes([share] * 8)
    claimed = sum((law[x] * law[y] for x, y in product(range(9), repeat=2) if x + 1 >= low * y), ZERO)
    inside = Fraction(4801, 10000)
    exact = max(_count_delta([inside] * (8 - h) + [1 - inside] * h, high) for h in range(9))
    return (
        each([e[0]], lambda s: low < s**2 < (s + Fraction(2, factorial(20))) ** 2 < high, "e², by the series of e"),
        each([claimed], lambda x: x < Fraction(6422, 10**6), "claimed: below 0.006422, with more ratios counted"),
        each([exact], lambda x: x > Fraction(6424, 10**6), "exact: above 0.006424, with p_i strictly inside"),
    )


def knowledge_that_excludes() -> tuple[str, ...]:
    """M is constant; B = y excludes D(0) = 1: an infinite loss counts all of P[B = y | D(0) = 0]."""
    worlds = {(0, "x"): Fraction(1, 3), (0, "y"): Fraction(1, 3), (1, "x"): Fraction(1, 3)}
    zero = sum((p for (v, _), p in worlds.items() if v == 0), ZERO)
    constant = {"u": ONE}
    whole = sum((p / zero for (v, b), p in worlds.items() if v == 0 and (1, b) not in worlds), ZERO)
    return (
        equal(_excess(constant, constant, ONE), ZERO, "given B = x the excess"),
        equal(whole, HALF, "P[B = y | D(0) = 0]"),
    )


def impossible_value() -> tuple[str, ...]:
    """One record with values 0, 1, 2, of which 2 has probability 0; M tells whether it is 2."""
    law = {v: {v == 2: ONE} for v in range(3)}
    return (
        equal(_excess(law[0], law[1], ONE), ZERO, "0 against 1, all that θ allows"),
        equal(_excess(law[0], law[2], Fraction(10**9)), ONE, "0 against 2, which DP compares"),
    )


def parity_published() -> tuple[str, ...]:
    """Two fair bits, B = M = their parity. No belief changes, and no simulator that sees D(1) alone has this law."""
    import z3

    worlds = list(product((0, 1), repeat=2))
    chance = {r: z3.Real(f"sim_{r}") for r in (0, 1)}  # P[Sim(r) = 1]
    laws = [z3.And(c >= 0, c <= 1) for c in chance.values()]
    never_one = (chance[0] + chance[1]) / 2 == 0  # given B = 0, where M is 0: only outputs of M
    never_zero = (2 - chance[0] - chance[1]) / 2 == 0  # given B = 1, where M is 1
    known = [[d[0] for d in worlds if d[0] ^ d[1] == b] for b in (0, 1)]
    return (
        each(
            known,
            lambda values: sorted(values) == [0, 1],
            "given B̂ (and M) both values of D(0) are as likely",
        ),
        unsatisfiable([*laws, never_one, never_zero], "Sim(D(1)) never answers 1 given B = 0, nor 0 given B = 1"),
    )


def parity_known() -> tuple[str, ...]:
    """Two fair bits, B = M = their parity: NP sees a constant given B̂, CDP sets one bit and turns the parity over."""
    worlds = list(product((0, 1), repeat=2))

    def told(known: int, value: int, new: int) -> dict[int, Fraction]:
        rest = [y for x, y in worlds if x == value and x ^ y == known]
        return {new ^ y: Fraction(1, len(rest)) for y in rest}

    return (
        each((0, 1), lambda b: _excess(told(b, 0, 0), told(b, 1, 1), ONE) == 0, "NP: D(0) = 0 against 1, given each B̂"),
        each((0, 1), lambda b: _excess(told(b, 0, 0), told(b, 0, 1), Fraction(10**9)) == 1, "CDP: record 0 set to 1"),
        each(
            worlds, lambda d: worlds.count((d[0], d[1])) == 1, "all four worlds are as likely: B is independent of D(0)"
        ),
    )


def worst_and_best_knowledge() -> tuple[str, ...]:
    """Five voters, two known, T = 2, P[yes] = 1/10, ε = ln(2): the excess for each number of known yes."""
    p = Fraction(1, 10)

    def law(ones: int) -> dict[Any, Fraction]:
        found: dict[Any, Fraction] = {}
        for s in range(3):
            o = s + ones if s + ones > 2 else "hidden"
            found[o] = found.get(o, ZERO) + comb(2, s) * p**s * (1 - p) ** (2 - s)
        return found

    by_known = [
        max(_excess(law(b), law(b + 1), Fraction(2)), _excess(law(b + 1), law(b), Fraction(2))) for b in range(3)
    ]
    return (
        equal(by_known[0], Fraction(1, 100), "no known yes: privacy is greatest"),
        equal(by_known[2], Fraction(81, 100), "two: the loss is greatest, and it is what APKDP bounds"),
        less(by_known[0], by_known[2], "so that the two differ"),
    )
