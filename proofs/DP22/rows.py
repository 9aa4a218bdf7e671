"""Rows of DP22's Table 3 whose signs fail, or hold under a reading: relations of sections 5 to 8, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3
from sympy import log

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    Law,
    bits,
    either_excess,
    gathered,
    mixture,
    neighbours,
    replaced,
    total,
)
from verifier.wings.papers.ledger.plain import Plain, smallest, uniform
from verifier.wings.papers.ledger.steps import Steps, equal, for_all, identity, positive, unsatisfiable

Bits = tuple[int, ...]


def one_order_at_every_level() -> Steps:
    """PerDP as printed: u surely without the record, u with 1/E and v else with it. Level 0 makes both laws equal."""
    e, x, y = z3.Reals("E x y")
    half = ({"u": ONE}, {"u": HALF, "v": HALF})
    return (
        unsatisfiable([e > 1, e * (1 / e) < 1], "every level ln E above 0: P[u] = 1 without is at most E·(1/E)"),
        unsatisfiable([e > 1, 1 - 1 / e <= 0], "every level above 0: v is possible with the record, and never without"),
        equal(smallest([half]), None, "e^ε of DP, for E = 2"),
        unsatisfiable([x <= y, 1 - x <= 1 - y, x != y], "level 0 for every event: both laws are one, as for ε = 0"),
    )


def a_record_is_changed() -> Steps:
    """CausDP with θ on one database compares the laws of bounded DP, and with any θ means of such laws."""
    p, q, r, s, w, e = z3.Reals("p q r s w E")
    laws = {d: {"u": Fraction(1 + sum(d), 4), "v": Fraction(3 - sum(d), 4)} for d in bits(2)}
    points = [pair for d in bits(2) for pair in Plain(((ONE, d, ""),), laws.__getitem__).cdp(every=True)]
    changed = [(laws[d], laws[replaced(d, i, t)]) for d in bits(2) for i in BITS for t in BITS]
    return (
        equal(points, changed, "what is compared where θ has one of four databases, and what bounded DP compares"),
        unsatisfiable(
            [w >= 0, w <= 1, e >= 1, p <= e * q, r <= e * s, w * p + (1 - w) * r > e * (w * q + (1 - w) * s)],
            "every θ: a mean of laws that are within e^ε, with the same weights, is within e^ε",
        ),
    )


def sizes_are_told() -> Steps:
    """M tells how many records there are: a changed record never changes it, an added one does."""
    databases = [d for size in range(4) for d in product("ab", repeat=size)]
    cases = [(d, i, t) for d in databases for i in range(len(d)) for t in "ab"]
    return (
        for_all(cases, lambda d, i, t: len(replaced(d, i, t)) == len(d), "the size, one record being changed"),
        equal(smallest([({0: ONE}, {1: ONE})]), None, "e^ε where a record is added"),
    )


def sizes_by_mixtures() -> Steps:
    """A second code: θ on databases of one to three records; given D(i) = t, before and after the change."""
    rows = [(d, Fraction(k + 1, 105)) for k, d in enumerate(d for n in (1, 2, 3) for d in product("ab", repeat=n))]

    def size_law(i: int, t: str, to: str | None) -> dict[object, Fraction]:
        kept = [(d if to is None else replaced(d, i, to), p) for d, p in rows if len(d) > i and d[i] == t]
        return gathered((len(d), p) for d, p in kept)

    return (
        equal(total(p for _, p in rows), ONE, "θ, on fourteen databases"),
        for_all(
            product(range(3), "ab", "ab"),
            lambda i, t, to: size_law(i, t, None) == size_law(i, t, to),
            "what is told given D(i) = t, and once record i is changed",
        ),
        equal({len(())} & {len("a")}, set(), "sizes that both the empty database and one record can tell"),
    )


def one_law_of_records() -> Steps:
    """A Θ of one law that has a single database: D₁ = D₂, and the average of KL is 0 for each mechanism."""
    database = (0, 0)
    p, q = positive("p q")
    return (
        for_all(
            product(bits(2), BITS),
            lambda d, i: d != database or replaced(d, i, database[i]) == d,
            "a record drawn again from a law of one value: the same database, whatever it was",
        ),
        identity((p * log(p / q)).subs(q, p), 0, "every output: p·ln(p/q) at q = p is p·0 = 0"),
    )


def means_of_losses() -> Steps:
    """Kullback and Leibler's divergence is a mean of losses, and so is its average over pairs."""
    x, y, w, e = z3.Reals("x y w eps")
    return (
        unsatisfiable(
            [w >= 0, w <= 1, x <= e, y <= e, w * x + (1 - w) * y > e],
            "every mean of losses that are at most ε, and of such means, is at most ε",
        ),
    )


def deltas_of_one() -> Steps:
    """Definition 6 for a definition with a δ: δ = 1 is implied by each other one; nothing left out implies each δ."""
    x, y, e, w, d = z3.Reals("x y E w d")
    return (
        unsatisfiable([x >= 0, x <= 1, y >= 0, e >= 0, x > e * y + 1], "δ = 1 holds of every mechanism"),
        unsatisfiable([w >= 0, w <= 1, d >= 0, x <= 0, y <= 0, w * x + (1 - w) * y > d],
                      "γ = 0 and a π with all values: no pair has an excess, nor has an average, for every δ"),
    )  # fmt: skip


def everything_is_secret() -> Steps:
    """IBCWPr with D itself as the secret, nothing told, and a θ with all databases: every M is near one law."""
    x, y, m, w, e = z3.Reals("x y m w E")
    hypotheses = [e >= 1, m > 0, w >= 0, w <= 1, x >= 0, y >= 0]
    return (
        unsatisfiable(
            [*hypotheses, x / m <= e, x > e * m],
            "every output and database: the belief in D grows by x/m, m being the mean of all laws",
        ),
        unsatisfiable(
            [*hypotheses, x <= e * m, y <= e * m, m <= e * x, m <= e * y,
             z3.Or(w * x + (1 - w) * y > e * m, m > e * (w * x + (1 - w) * y))],
            "every distribution on databases: the law of M given any secret is within e^ε of m, which a simulator says",
        ),
    )  # fmt: skip


def one_level_of_a_divergence() -> Steps:
    """f(t) = max(0, t - E) has the divergence 0 exactly where P ≤ E·Q: distribution privacy at one level."""
    p, q, e, x, y = z3.Reals("p q E x y")
    excess = z3.If(p > e * q, p - e * q, 0)
    return (
        unsatisfiable([(excess == 0) != (p <= e * q)], "every output: no excess exactly where p ≤ e^ε·q"),
        unsatisfiable([x >= 0, y >= 0, x + y == 0, z3.Or(x > 0, y > 0)], "a sum of such terms is 0 where each one is"),
    )


def given_laws_are_pairs() -> Steps:
    """What partial knowledge compares are laws of M on two distributions: θ given B̂ and either value of a record."""
    worlds = tuple((Fraction(k + 1, 36), d, d[2]) for k, d in enumerate(bits(3)))

    def rule(d: Bits) -> Law:
        return {"u": Fraction(1 + d[0] + 2 * d[1], 5), "v": Fraction(4 - d[0] - 2 * d[1], 5)}

    model = Plain(worlds, rule)

    def conditioned(known: int, i: int, a: int) -> Law:
        kept = {d: p for p, d, b in worlds if b == known and d[i] == a}
        mass = total(kept.values())
        return mixture({d: p / mass for d, p in kept.items()}, rule)

    return (
        for_all(
            product(BITS, BITS, BITS),
            lambda known, i, a: conditioned(known, i, a) == model.given_value(known, i, a),
            "the law of M given B̂ and D(i) = a, and that of M on the distribution θ given both",
        ),
    )


def predicates_of_values() -> Steps:
    """Pufferfish privacy: D(i) = a and D(i) = b are predicates; and so are two databases, each by itself."""
    laws = {d: {"u": Fraction(1 + d[0] + d[1], 4), "v": Fraction(3 - d[0] - d[1], 4)} for d in bits(2)}
    worlds = uniform(bits(2))

    def law_given(kept: list[Bits]) -> Law:
        return mixture({d: Fraction(1, len(kept)) for d in kept}, laws.__getitem__)

    by_value = [
        (law_given([d for d in bits(2) if d[i] == a]), law_given([d for d in bits(2) if d[i] == 1 - a]))
        for i in BITS
        for a in BITS
    ]
    return (
        equal(
            by_value, list(Plain(worlds, laws.__getitem__).np()), "laws given D(i) = a and b, as noiseless privacy has"
        ),
        for_all(
            product(bits(2), bits(2)),
            lambda d, other: (law_given([d]), law_given([other])) == (laws[d], laws[other]),
            "laws given D = D₁ and given D = D₂ under a θ with all databases: those of generic DP",
        ),
    )


def conjunctions() -> Steps:
    """MPr is PMPr and NMPr at once; and the first inequality of PMPr is AdvPr, with any δ."""
    x, p, e, d = z3.Reals("x p E d")
    positive_part = z3.And(x <= e * p, 1 - x >= (1 - p) / e)
    negative_part = z3.And(1 - x <= e * (1 - p), x >= p / e)
    near = [z3.And(y <= e * z, z <= e * y) for y, z in ((x, p), (1 - x, 1 - p))]
    return (
        unsatisfiable(
            [e >= 1, d >= 0, positive_part, x > e * p + d], "every prior p and posterior x of PMPr: x ≤ e^ε·p + δ"
        ),
        unsatisfiable(
            [e >= 1, z3.And(*near) != z3.And(positive_part, negative_part)],
            "every posterior: it and its complement are within e^ε of the prior exactly where PMPr and NMPr hold",
        ),
    )


def two_small_steps() -> Steps:
    """(0, 1/4)-DP and a pseudo-metric: every neighbour is at distance 0, and then so are two bits that differ."""
    r, h, p = z3.Reals("R h p")
    rule = {d: {"u": Fraction(sum(d), 4), "v": 1 - Fraction(sum(d), 4)} for d in bits(2)}
    return (
        unsatisfiable(
            [r >= 1, p > 0, p <= 1, 1 - r * (1 - p) > p],
            "every distance ln R: u with p or never needs δ = p, which δ = 1/4 must tell apart from any larger p",
        ),
        unsatisfiable(
            [r > 1, r <= 2, h == 3 * (r - 1) / (16 * (1 + r)), z3.Or(h <= 0, 8 * h >= 1,
             z3.RealVal(5) / 8 + h - r * (z3.RealVal(3) / 8 - h) >= z3.RealVal(1) / 4)],
            "every R above 1: 5/8 + h and 3/8 - h have a δ below 1/4 at R, and above it at ε = 0; at 1/2 elsewhere all"
            " others are nearer",
        ),
        unsatisfiable(
            [r > 2, z3.RealVal(11) / 16 - r * (z3.RealVal(5) / 16) >= z3.RealVal(1) / 4],
            "every R above 2: so have 5/8 + 1/16 and 3/8 - 1/16",
        ),
        equal(max(either_excess(rule[d], rule[e], ONE) for d, e in neighbours(bits(2))), QUARTER,
              "δ at ε = 0 over all neighbours"),
        equal(either_excess(rule[0, 0], rule[1, 1], ONE), HALF, "and over two steps, at a distance of at most 0 + 0"),
    )  # fmt: skip


def distances_of_pairs() -> Steps:
    """A distance that is ε on chosen ordered pairs, and ∞ on all others, asks for those pairs what ε-DP asks."""
    databases = [(0,), (1,), (2,)]
    shares = (QUARTER, HALF, 3 * QUARTER)
    relations = [
        ("every two that differ", {(d, c) for d in databases for c in databases if d != c}),
        ("from the value 2 to any other", {((2,), (0,)), ((2,), (1,))}),
    ]

    def private(law: dict[Bits, Fraction], pairs: set[tuple[Bits, Bits]], ratio: Fraction) -> bool:
        """d-privacy by its formula: each event, each ordered pair of databases; e^d is infinite off the pairs."""
        events = [law, {d: 1 - p for d, p in law.items()}]
        bound = {pair: ratio if pair in pairs else None for pair in product(databases, repeat=2)}
        return all(
            factor is None or event[d] <= factor * event[c] for event in events for (d, c), factor in bound.items()
        )

    def asked(law: dict[Bits, Fraction], pairs: set[tuple[Bits, Bits]], ratio: Fraction) -> bool:
        """What the relation asks in one order: no excess of the law on D over e^ε times that on D′."""
        return all(max(law[d] - ratio * law[c], (1 - law[d]) - ratio * (1 - law[c])) <= 0 for d, c in pairs)

    return tuple(
        for_all(
            product(product(shares, repeat=3), (ONE, Fraction(3, 2), Fraction(2), Fraction(3))),
            lambda chances, ratio, pairs=pairs: (
                private(dict(zip(databases, chances, strict=True)), pairs, ratio)
                == asked(dict(zip(databases, chances, strict=True)), pairs, ratio)
            ),
            f"{name}: the distance, and the relation, of mechanisms with two outputs",
        )
        for name, pairs in relations
    )
