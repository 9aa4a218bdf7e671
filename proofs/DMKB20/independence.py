"""Propositions 2 and 4: where the other records do not depend on D(i) given B̂, NP and CDP compare the same laws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verifier.wings.papers.ledger.laws import BITS, bits
from verifier.wings.papers.ledger.plain import Plain, smallest, surely
from verifier.wings.papers.ledger.steps import Steps, every_case, identity, positive


def needed() -> Steps:
    """The condition cannot be dropped: M(D) = D₋ᵢ is in CDP with ε = 0, and in NP under the condition alone."""
    grid = [counts for counts in product(range(4), repeat=4) if sum(counts) == 3]

    def agrees(counts: tuple[int, ...]) -> bool:
        databases = bits(2)
        worlds = tuple((Fraction(k, 3), d, "") for k, d in zip(counts, databases, strict=True))
        model = Plain(worlds, surely(lambda d: d[1]), BITS, (0,))
        free = counts[0] * counts[3] == counts[1] * counts[2]
        return smallest(model.cdp()) == 1 and (smallest(model.np()) == 1) == free

    return (
        every_case(
            grid, agrees, "publishing the other bit: CDP at ε = 0 always, NP at ε = 0 iff the bits are independent"
        ),
    )


def changing_the_parameter() -> Steps:
    """Proposition 4 holds where φ₀, not the record, is drawn again given f(φ₀) = b: two values of φ₀ for a, two for b.

    Given B̂ and D(i) = a the other parameters have the law that they have given B̂ and D(i) = b, by independence.
    """
    old, new = positive("p1 p2"), positive("r1 r2")
    weights, m = positive("q1 q2"), positive("m11 m12 m21 m22")
    table = {(k, j): m[2 * k + j] for k, j in bits(2)}
    rest_given_a = [sum(p * q for p in old) / sum(p * w for p in old for w in weights) for q in weights]
    changed = sum(new[k] / sum(new) * rest_given_a[j] * table[k, j] for k, j in table)
    factual = sum(new[k] * weights[j] * table[k, j] for k, j in table) / sum(r * w for r in new for w in weights)
    return (
        identity(rest_given_a[0], weights[0] / sum(weights), "the other parameters given a: as without a"),
        identity(changed, factual, "φ₀ drawn again given b, the others given a: the law of M(D) given b"),
    )
