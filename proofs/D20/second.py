"""The models of D20's refuted claims once more, with plain fractions from the definitions alone."""

from __future__ import annotations

from fractions import Fraction

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    ZERO,
    bit,
    count_law,
    excess,
    pushforward,
)
from verifier.wings.papers.ledger.steps import Steps, equal, less, positive_part, unsatisfiable


def not_reducible() -> Steps:
    """Two laws on two outputs have the δ(ε) of the same laws with the first output split in halves, at every ε."""
    e = z3.Real("E")

    p, q = z3.Q(3, 4), z3.Q(1, 4)
    known = [{"u": (p, q), "v": (q, p)}, {"u": (p / 2, q / 2), "w": (p / 2, q / 2), "v": (q, p)}]
    delta, delta_of_halves = (z3.Sum([positive_part(x - e * y) for x, y in law.values()]) for law in known)
    return (
        unsatisfiable(
            [e >= 1, delta != delta_of_halves], "section-3.1.3-not-reducible: δ given D(0) = 0 is δ given D(0) = 1"
        ),
        equal([len(law) for law in known], [2, 3], "possible outputs given D(0) = 0 and given D(0) = 1: no bijection"),
    )


def no_bijection() -> Steps:
    """Five voters, two known, shown above 2: the pairs of probabilities, given the target's vote."""
    p = Fraction(1, 10)

    def pairs(known: int) -> list[tuple[Fraction, ...]]:
        laws = [
            pushforward(count_law([p, p], known + vote), lambda count: str(count) if count > 2 else "⊥")
            for vote in BITS
        ]
        return sorted(tuple(law.get(o, ZERO) for law in laws) for o in {*laws[0], *laws[1]})

    return (
        equal(pairs(0), [(ZERO, Fraction(1, 100)), (ONE, Fraction(99, 100))], "known votes (0, 0): outputs 3 and ⊥"),
        equal(len(pairs(2)), 4, "known votes (1, 1): four outputs, so that no bijection maps them"),
    )


def ibddp() -> Steps:
    """M publishes a fair bit with probability 1/10, else a hint: (0, 1/10) with probability 9/10, more on average."""
    prior, hinted, certain = map(bit, (HALF, Fraction(2, 5), ZERO))
    weight = Fraction(1, 10)
    return (
        equal(excess(hinted, prior, ONE), weight, "after a hint: (0, 1/10)-indistinguishable from the prior"),
        equal(excess(certain, prior, ONE), HALF, "told, with probability 1/10: not so"),
        less(weight, weight * HALF + (1 - weight) * weight, "on average more than δ"),
        equal(
            sum(p for law, p in ((hinted, 1 - weight), (certain, weight)) if max(law.values()) > max(prior.values())),
            ONE,
            "the probability, not δ, that the posterior of some value is above its prior",
        ),
    )
