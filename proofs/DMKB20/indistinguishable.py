"""Definitions 1 to 6: what they ask of two laws, and the steps that all proofs of section 2 take for granted."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, product

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    bits,
    mass,
    subsets,
)
from verifier.wings.papers.ledger.plain import Plain, smallest, surely, uniform
from verifier.wings.papers.ledger.steps import Steps, at_most, equal, every_case, less, rational, unsatisfiable


def single_outputs() -> Steps:
    """Definition 1 at δ = 0 may be asked of single outputs, at δ > 0 not; neither line follows from the other."""
    p, q = z3.Reals("p1 p2 p3"), z3.Reals("q1 q2 q3")
    E = z3.Real("E")
    apart = [a <= E * b for a, b in zip(p, q, strict=True)]
    first: Law = {0: ONE}
    second: Law = {0: HALF, 1: HALF}
    left, right = second, {2: HALF, 3: HALF}
    return (
        unsatisfiable([*apart, p[0] + p[1] > E * (q[0] + q[1])], "two outputs within E have unions within E"),
        unsatisfiable([*apart, sum(p) > E * sum(q)], "and so have three; more are added one by one"),
        every_case(
            subsets(range(2)),
            lambda x: mass(first, x) <= 2 * mass(second, x),
            "P = (1, 0) ≤ 2·(1/2, 1/2) on each event",
        ),
        less(2 * first.get(1, ZERO), second[1], "yet 2·P{1} is below Q{1}: the second line says more"),
        every_case(
            range(4),
            lambda o: abs(mass(left, (o,)) - mass(right, (o,))) <= HALF,
            "δ = 1/2, ε = 0 on single outputs, in both orders",
        ),
        less(
            mass(right, (0, 1)) + HALF, mass(left, (0, 1)), "yet the event {0, 1} exceeds it: sets are needed at δ > 0"
        ),
    )


def parameters() -> Steps:
    """Definition 1 is symmetric, grows with ε and δ, is empty for ε < 0 = δ, and always true at δ = 1."""
    p, q, E, F, d, e = z3.Reals("p q E F d e")
    return (
        unsatisfiable([p == 1, q == 1, E < 1, p <= E * q], "ε < 0 with δ = 0 holds for no two laws: X = everything"),
        unsatisfiable([p <= 1, q >= 0, E > 0, p > E * q + 1], "δ = 1 holds for all"),
        unsatisfiable([q >= 0, E <= F, d <= e, p <= E * q + d, p > F * q + e], "larger ε or δ ask for less"),
        unsatisfiable([q >= 0, p <= q, q <= p, p != q], "ε = 0 = δ says that the laws are equal"),
    )


def simulators() -> Steps:
    """With independence DDP at ε gives NP at 2ε: Sim has one law for all values; and the factor 2 is attained."""
    p, q, r, E = z3.Reals("p q r E")
    low, high = Fraction(1, 8), HALF
    laws = ({0: high, 1: low, 2: Fraction(3, 8)}, {0: low, 1: high, 2: Fraction(3, 8)})
    middle = {0: QUARTER, 1: QUARTER, 2: HALF}
    pairs = [(laws[0], middle), (laws[1], middle)]
    x, y, z = z3.Reals("x y z")
    within = [
        bound
        for law in laws
        for s, o in ((x, 0), (y, 1), (z, 2))
        for bound in (s <= E * rational(law[o]), rational(law[o]) <= E * s)
    ]
    return (
        unsatisfiable([E >= 1, p <= E * q, q <= E * r, p > E * E * r], "P_a ≤ E·Sim and Sim ≤ E·P_b give P_a ≤ E²·P_b"),
        equal(smallest(pairs), Fraction(2), "(4, 1, 3)/8 and (1, 4, 3)/8 are both within 2 of (1, 1, 2)/4"),
        equal(smallest([laws]), Fraction(4), "and within 4 of each other"),
        unsatisfiable([E >= 1, E < 2, z3.And(*within)], "no Sim is within less than 2 of both"),
    )


def points() -> Steps:
    """A record with a bounded density takes each value with probability 0: read literally, nothing is compared."""
    p, m, h = z3.Reals("p m h")
    return (
        unsatisfiable(
            [p > 0, m > 0, h == p / (4 * m), p <= 2 * h * m], "P[D(i) = a] ≤ 2·h·m for all h > 0 leaves only 0"
        ),
    )


def copies_of_identity() -> Steps:
    """Duplicated bits, the identity: IBCDP with ε = 0, CDP and NP for no ε (Definitions 3, 5 and 6, summed again)."""
    model = Plain(uniform([(0, 0), (1, 1)]), surely(lambda d: d))
    pairs = list(model.ibcdp())
    return (
        at_most(1, len(pairs), "posteriors are compared"),
        equal(smallest(pairs), ONE, "IBCDP: the smallest e^ε"),
        equal(smallest(model.cdp()), None, "CDP: no finite e^ε"),
        equal(smallest(model.np()), None, "NP: no finite e^ε"),
    )


def thirds() -> list[Plain]:
    """All laws of two bits and a knowledge bit in multiples of 1/3, with the identity, and both records protected."""
    points = list(product(bits(2), BITS))
    models = []
    for chosen in combinations_with_replacement(range(len(points)), 3):
        worlds = tuple((Fraction(chosen.count(k), 3), *points[k]) for k in sorted(set(chosen)))
        models.append(Plain(worlds, surely(lambda d: d)))
    return models


def conditions_are_possible() -> Steps:
    """Definitions 3, 5 and 6 condition on events of positive probability alone, and NP's pairs come in both orders."""

    def are_laws(pairs: Iterable[tuple[Law, Law]]) -> bool:
        return all(sum(p.values()) == 1 == sum(q.values()) for p, q in pairs)

    def both_orders(model: Plain) -> bool:
        pairs = list(model.np())
        return all((q, p) in pairs for p, q in pairs)

    models = thirds()
    return (
        every_case(models, lambda model: are_laws(model.np()), "Definition 3: both laws have mass 1"),
        every_case(
            models, lambda model: are_laws(model.cdp(every=True)), "Definition 5, all b of T: both laws have mass 1"
        ),
        every_case(models, lambda model: are_laws(model.ibcdp()), "Definition 6: both posteriors have mass 1"),
        every_case(models, both_orders, "Definition 3: with (a, b) also (b, a)"),
        less(0, sum(not list(model.np()) for model in models), "laws for which Definition 3 compares nothing"),
    )


def relabelled() -> Steps:
    """Knowledge under other names, by an injective g, compares the same laws."""

    def agrees(model: Plain) -> bool:
        named = tuple((p, d, ("name", known)) for p, d, known in model.worlds)
        renamed = Plain(named, model.rule, model.values, model.records)
        return list(model.np()) == list(renamed.np()) and list(model.cdp()) == list(renamed.cdp())

    return (every_case(thirds(), agrees, "NP and CDP compare the same laws"),)
