"""Propositions 2 and 4: where the other records do not depend on D(i) given B̂, NP and CDP compare the same laws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verifier.wings.papers.ledger.laws import BITS, ONE, ZERO, bits
from verifier.wings.papers.ledger.plain import Plain, smallest, smallest_delta, surely, uniform
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, identity, less, positive


def mutual() -> Steps:
    """Three records, each independent of the other two, are mutually independent: bits, from two of the three facts.

    P(d) = P₁(d₁)·R(d₀, d₂) says that record 1 is independent of the others; P(d) = P₀(d₀)·S(d₁, d₂) that record 0 is.
    """
    p1, p0 = positive("p1_0 p1_1"), positive("p0_0 p0_1")
    others_law = {(i, k): positive(f"r{i}{k}") for i, k in bits(2)}
    law = {(i, j, k): p1[j] * others_law[i, k] for i, j, k in bits(3)}
    pair = {(j, k): law[0, j, k] + law[1, j, k] for j, k in bits(2)}
    third = [others_law[0, k] + others_law[1, k] for k in BITS]
    steps = [identity(pair[j, k], p1[j] * third[k], f"P(d₁ = {j}, d₂ = {k}) = P₁·P₂") for j, k in pair]
    full_steps = [
        identity(p0[i] * pair[j, k], p0[i] * p1[j] * third[k], f"P({i}, {j}, {k}) = P₀·P₁·P₂") for i, j, k in law
    ]
    return (*steps, *full_steps)


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


def np_without_cdp() -> Steps:
    """models/DMKB20/proposition-4-np-not-cdp.toml from the definitions: two fair bits, B and M their exclusive or."""
    model = Plain(uniform(bits(2), lambda d: d[0] ^ d[1]), surely(lambda d: d[0] ^ d[1]))
    return (
        equal(smallest(model.np()), ONE, "NP: the smallest e^ε"),
        equal(smallest(model.cdp()), None, "CDP: no finite e^ε"),
        equal(smallest_delta(model.np(), ONE), ZERO, "NP at ε = 0: δ"),
        equal(smallest_delta(model.cdp(), Fraction(10**6)), ONE, "CDP at e^ε = 1,000,000: δ"),
        equal(len(set(known_laws(model))), 1, "the law of D(i) is the same for both B̂, both records: acceptable"),
    )


def cdp_without_np() -> Steps:
    """models/DMKB20/proposition-4-cdp-not-np.toml from the definitions: a tripled bit x, a bit y, B = (x = y)."""
    databases = [(x, x, x, y) for x, y in bits(2)]
    model = Plain(uniform(databases, lambda d: d[0] == d[3]), surely(lambda d: int(sum(d[:3]) > 1)))
    return (
        equal(smallest(model.cdp()), ONE, "CDP: the smallest e^ε"),
        equal(smallest(model.np()), None, "NP: no finite e^ε"),
        equal(smallest_delta(model.cdp(), ONE), ZERO, "CDP at ε = 0: δ"),
        equal(smallest_delta(model.np(), Fraction(10**6)), ONE, "NP at e^ε = 1,000,000: δ"),
        equal(len(set(known_laws(model))), 1, "the law of D(i) is the same for both B̂, all records: acceptable"),
    )


def known_laws(model: Plain) -> list[tuple[tuple[int, Fraction], ...]]:
    """The multiset of (D(i), P[world given B̂]) for each B̂ and record: all equal per record iff acceptable."""
    multisets = []
    for known in model.knowledge():
        mass = sum(p for p, _, world_known in model.worlds if world_known == known)
        inside = [(p / mass, d) for p, d, world_known in model.worlds if world_known == known]
        multisets += [tuple(sorted((d[i], p) for p, d in inside)) for i in model.records]
    return multisets


def without_knowledge() -> Steps:
    """Nothing known, hence acceptable: models/DMKB20/example-4-repaired.toml and example-5-one-triple.toml again."""
    parity = Plain(uniform([(0, 0), (1, 1)]), surely(lambda d: sum(d) % 2))
    triple = Plain(uniform([(0,) * 3, (1,) * 3]), surely(lambda d: int(sum(d) > 1)))
    return (
        equal(smallest(parity.np()), ONE, "the parity of two copies: NP, the smallest e^ε"),
        equal(smallest(parity.cdp()), None, "CDP: none"),
        equal(smallest(triple.cdp()), ONE, "the majority of three copies: CDP, the smallest e^ε"),
        equal(smallest(triple.np()), None, "NP: none"),
        less(0, len(list(parity.np())) * len(list(triple.cdp())), "laws were compared"),
    )
