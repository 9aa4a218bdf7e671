"""What the abstract, the introduction and section 2's remarks say of attackers, beliefs and dependencies."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import z3

from verifier.wings.papers.ledger.laws import BITS, bits, conditional, gathered, pushforward
from verifier.wings.papers.ledger.plain import Pair, Plain, smallest, surely
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    for_all,
    identity,
    less,
    positive,
    unsatisfiable,
)

PAIRS = bits(2)


def one_percent() -> Steps:
    """The introduction's referendum: one percent of ten million people are 100,000."""
    return (equal(Fraction(1, 100) * 10**7, Fraction(10**5), "1/100 of 10,000,000"),)


def unchanged_beliefs() -> Steps:
    """NP with ε = 0: outputs with one law for all values leave the belief about D(i) as it was."""
    p, q, m = positive("p q m")
    return (identity(p * m / (p * m + q * m), p / (p + q), "P[a given t] = P[a] where P(t given a) = m for all a"),)


def pufferfish() -> Steps:
    """NP is Pufferfish with the secrets `D(i) = a`, all pairs of them, and the laws of D given B̂: recomputed apart.

    Pufferfish asks P[M(D) = t given s, π] ≤ e^ε·P[M(D) = t given s′, π] for each law π and pair of possible secrets.
    """
    third = Fraction(1, 3)
    cells = list(product(PAIRS, BITS))

    def agrees(chosen: tuple[int, ...]) -> bool:
        table = gathered((cells[k], third) for k in chosen)
        model = Plain(tuple((p, d, b) for (d, b), p in table.items()), surely(sum))
        beliefs = [conditional({d: p for (d, b), p in table.items() if b == known}) for known in BITS]
        pairs: list[Pair] = []
        for belief, i in product([law for law in beliefs if law], BITS):
            laws = [
                pushforward(conditional({d: p for d, p in belief.items() if d[i] == a}), sum)
                for a in {d[i] for d in belief}
            ]
            pairs += [(law, other_law) for law in laws for other_law in laws]
        return smallest(pairs) == smallest(model.np())

    choices = list(product(range(8), repeat=3))
    return (every_case(choices, agrees, "the sum of two bits, laws with knowledge in thirds: one smallest e^ε"),)


def guessing() -> Steps:
    """The identity on fair bits that differ with probability q < 1/2: the smallest δ of DDP at ε = 0 is q.

    Sim sees the other bit v, returns it, and guesses 0 with probability s(v): what else it does is never right. Its
    distance from M(D) is (1-q)·(1-s(0)) + q·(1-s(1)) given D(0) = 0, and q·s(0) + (1-q)·s(1) given D(0) = 1.
    """
    q, s, r, d, p = z3.Reals("q s0 s1 d p")
    guess = [s >= 0, s <= 1, r >= 0, r <= 1]

    def distances(differ: z3.ArithRef, of_0: Any, of_1: Any) -> list[z3.ArithRef]:
        """Sim's distances from M(D), for s(0) and s(1), where the bits differ with this probability."""
        return [(1 - differ) * (1 - of_0) + differ * (1 - of_1), differ * of_0 + (1 - differ) * of_1]

    return (
        unsatisfiable(
            [q >= 0, 2 * q < 1, *guess, *(x <= d for x in distances(q, s, r)), d < q], "q < 1/2: no guess has δ < q"
        ),
        unsatisfiable([z3.Or(*(x != q for x in distances(q, 1, 0)))], "to guess what it sees has δ = q in both cases"),
        unsatisfiable(
            [q >= 0, q < p, 2 * p < 1, *guess, *(x <= d for x in distances(p, s, r)), d <= q],
            "so less dependence, p > q for q, needs a larger δ, whatever is guessed",
        ),
    )


def possible_replacement() -> Steps:
    """CDP gives DDP where one b is possible given every B̂: Sim puts b at i, and its pairs are some of CDP's."""
    cells = list(product(PAIRS, BITS))

    def fine(chosen: tuple[int, ...], b: int) -> bool:
        table = gathered((cells[k], Fraction(1, 3)) for k in chosen)
        model = Plain(
            tuple((p, d, known) for (d, known), p in table.items()), surely(lambda d: d[0] & d[1]), BITS, (0,)
        )
        if any(b not in model.possible(known, 0) for known in model.knowledge()):
            return True
        compared = list(model.cdp())
        simulated = [
            (model.given_value(known, 0, a), model.given_value(known, 0, a, b))
            for known in model.knowledge()
            for a in model.possible(known, 0)
        ]
        return all(pair in compared for pair in simulated)

    cases = list(product(product(range(8), repeat=3), BITS))
    return (for_all(cases, fine, "each pair that Sim has to be compared in is one of CDP's"),)


def two_parameters() -> Steps:
    """Example 1: D(i) = μ + noise is a function neither of μ alone nor of its noise alone (of both by definition)."""
    values = {(m, e): m + e for m, e in product((-1, 1), (-2, 0, 2))}
    alone = [(k, x) for k in BITS for x in {pair[k] for pair in values}]
    return (
        less(1, len({v for (m, _), v in values.items() if m == 1}), "with μ = 1 D(i) has several values"),
        less(1, len({v for (_, e), v in values.items() if e == 0}), "with noise 0 as well"),
        for_all(
            alone,
            lambda k, x: len({v for pair, v in values.items() if pair[k] == x}) > 1,
            "each value of μ, and each noise, leaves several",
        ),
    )
