"""Random candidates and statements, and a candidate as plain tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from hypothesis import strategies as st
from naive import Plain, Row

from verifier.numbers import INFINITY, Epsilon, epsilon
from verifier.questions.statement import And, Has, Holds, Not, Or, Scaled, Statement
from verifier.wings.search.batch.block import Block, Mask
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumeration import Layer
from verifier.wings.search.scope import Shape

DELTAS = [Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
DEFINITIONS = ["np", "apkdp", "ppkdp", "cdp", "ibcdp", "dp", "tail-apkdp", "tail-ppkdp", "tail-cdp", "tail-dp"]


def plain(one: Candidate) -> Plain:
    """The candidate as plain tables."""
    values = [str(v) for v in range(one.values)]
    databases = list(product(values, repeat=one.records))
    worlds = [
        Row(d, str(k), None, Fraction(one.law[j * one.knowledge + k], one.law_total))
        for j, d in enumerate(databases)
        for k in range(one.knowledge)
    ]
    table = {
        d: {str(o): Fraction(w, one.row_total) for o, w in enumerate(row) if w}
        for d, row in zip(databases, one.mechanism, strict=True)
    }
    secrets = [0] if one.first_only else list(range(one.records))
    return Plain(one.records, values, {"#1": [row for row in worlds if row.p]}, table.__getitem__, secrets, values)


@st.composite
def candidates(draw: st.DrawFn, most: int = 6) -> list[Candidate]:
    """Some models of one layer, sharing θ and mechanisms as a block does: all pairs."""
    records, values = draw(st.sampled_from([(1, 2), (2, 2), (1, 3), (2, 3), (3, 2)]))
    outputs, knowledge = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    law_total, row_total = draw(st.integers(1, most)), draw(st.integers(1, 3))
    first_only = draw(st.booleans())

    def weights(total: int, parts: int) -> tuple[int, ...]:
        cuts = sorted(draw(st.lists(st.integers(0, parts - 1), min_size=total, max_size=total)))
        return tuple(cuts.count(k) for k in range(parts))

    laws = [weights(law_total, values**records * knowledge) for _ in range(draw(st.integers(1, 3)))]
    tables = [
        tuple(weights(row_total, outputs) for _ in range(values**records)) for _ in range(draw(st.integers(1, 3)))
    ]
    return [
        Candidate(records, values, outputs, knowledge, law_total, row_total, law, table, first_only)
        for law in laws
        for table in tables
    ]


@st.composite
def structured(draw: st.DrawFn) -> Candidate:
    """A model that has some property more often than by chance: products, sums of records, knowledge of a part."""
    records, values = draw(st.sampled_from([(2, 2), (2, 3), (3, 2)]))
    databases = list(product(range(values), repeat=records))
    weight = st.integers(0, 3)

    def table(size: int) -> list[int]:
        return draw(st.lists(weight, min_size=size, max_size=size).filter(any))

    kind = draw(st.sampled_from(["product", "rest", "count", "any"]))
    if kind == "product":
        single = [table(values) for _ in range(records)]
        law = [prod(single[i][v] for i, v in enumerate(d)) for d in databases]
    elif kind == "rest":
        one, rest = table(values), table(values ** (records - 1))
        law = [one[d[0]] * rest[k % len(rest)] for k, d in enumerate(databases)]
    elif kind == "count":
        by_count = table(records * (values - 1) + 1)
        law = [by_count[sum(d)] for d in databases]
    else:
        law = table(len(databases))
    knowledge = draw(st.integers(1, 2))
    known = draw(st.sampled_from(["none", "last", "first", "any"]))
    joint = []
    for d, w in zip(databases, law, strict=True):
        both = {
            "none": (1, 2),
            "last": (d[-1] == 0, d[-1] > 0),
            "first": (2 - (d[0] > 0), 1 + (d[0] > 0)),
            "any": (1, 1),
        }
        shares = both[known] if known != "any" else (draw(weight), draw(weight))
        joint += [w * share for share in shares[:knowledge]] if knowledge == 2 else [w]
    if not any(joint):
        joint[0] = 1
    law_total = sum(joint)
    rows = draw(st.sampled_from([[(2, 0)], [(1, 1)], [(2, 0), (0, 2)], [(2, 0), (1, 1), (0, 2)]]))
    order = draw(st.booleans())
    made = {key: draw(st.sampled_from(rows)) for key in databases}
    mechanism = tuple(made[tuple(sorted(d))] if order else made[d] for d in databases)
    return Candidate(
        records, values, 2, knowledge, law_total, 2, tuple(joint), mechanism, draw(st.booleans())
    )  # fmt: skip


@st.composite
def heavy(draw: st.DrawFn) -> Candidate:
    """A model with large denominators, so that 32 or 64 bits may be too few."""
    records, values, knowledge = draw(st.sampled_from([(1, 2, 1), (1, 2, 2), (2, 2, 1), (1, 3, 1)]))
    worlds = values**records * knowledge
    law = draw(st.lists(st.integers(0, 40 // worlds), min_size=worlds, max_size=worlds).filter(any))
    total = draw(st.sampled_from([12, 40, 1000, 10**6, 10**9]))
    cuts = [draw(st.integers(0, total)) for _ in range(values**records)]
    near = draw(st.booleans())
    rows = tuple((cut // 2 + near * total // 4, total - cut // 2 - near * total // 4) for cut in cuts)
    return Candidate(records, values, 2, knowledge, sum(law), total, tuple(law), rows)


def block_of(models: list[Candidate], bound: int) -> tuple[Block, Layer]:
    """The block of all pairs of their θ and mechanisms."""
    first = models[0]
    shape = Shape(first.records, first.values, first.outputs, first.knowledge)
    laws = list(dict.fromkeys(one.law for one in models))
    tables = list(dict.fromkeys(one.mechanism for one in models))
    totals = (first.law_total, first.row_total)
    block = Block.of(shape, totals, np.array(laws), np.array(tables), bound, first_only=first.first_only)
    return block, Layer(shape, 1, *totals)


def at(mask: Mask, models: list[Candidate], one: Candidate) -> bool:
    """The entry of one of the models."""
    laws = list(dict.fromkeys(m.law for m in models))
    tables = list(dict.fromkeys(m.mechanism for m in models))
    return bool(np.broadcast_to(mask, (len(laws), len(tables)))[laws.index(one.law), tables.index(one.mechanism)])


EPSILONS: list[Epsilon | None] = [None, INFINITY, *map(epsilon, ["0", "ln(3/2)", "ln(2)", "ln(3)", "1/2", "1/2*ln(3)"])]
FACTORS = [Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 2)]
FEATURES = [
    "independent", "independent-records", "full-support", "exchangeable", "no-knowledge", "functional-knowledge",
    "knowledge-of-others", "informed", "every-value-possible", "deterministic", "symmetric", "constant",
    "full-outputs", "acceptable",
]  # fmt: skip


@st.composite
def atoms(draw: st.DrawFn, variable: str) -> Statement:
    """A definition at constants, or with the variable (`e`, `d` or none), or a property."""
    if draw(st.integers(0, 4)) == 0:
        return Has(draw(st.sampled_from(FEATURES)))
    definition = draw(st.sampled_from(DEFINITIONS))
    eps: Epsilon | Scaled | None = draw(st.sampled_from(EPSILONS))
    delta: Fraction | Scaled = draw(st.sampled_from(DELTAS))
    if variable == "e" and draw(st.booleans()):
        eps = Scaled("e", draw(st.sampled_from(FACTORS)))
        if "tail" in definition:
            delta = Fraction(0)
    if variable == "d" and draw(st.booleans()):
        eps = draw(st.sampled_from([epsilon("ln(2)"), epsilon("0"), INFINITY]))
        delta = Scaled("d", draw(st.sampled_from(FACTORS)), draw(st.sampled_from([Fraction(0), Fraction(1, 10)])))
    readings = {"ppkdp": ["infinite-loss"], "cdp": ["all-values"], "ibcdp": ["possible-values"]}
    reading = draw(st.sampled_from(["default", "default", "one-order", *readings.get(definition, [])]))
    return Holds(definition, eps, delta, reading, draw(st.sampled_from(["", "", "", "twice", "post"])))


@st.composite
def moved(draw: st.DrawFn) -> Statement:
    """One definition with the variable implies another one with a multiple of it."""
    name, definitions = draw(st.sampled_from("ed")), st.sampled_from(DEFINITIONS[:6])
    sides = []
    for _ in range(2):
        factor = draw(st.sampled_from(FACTORS))
        at = draw(st.sampled_from([epsilon("0"), epsilon("ln(3/2)"), INFINITY]))
        sides.append(
            Holds(draw(definitions), Scaled("e", factor), draw(st.sampled_from(DELTAS[:3])))
            if name == "e"
            else Holds(draw(definitions), at, Scaled("d", factor, draw(st.sampled_from(DELTAS[:2]))))
        )
    return Or((Not(sides[0]), sides[1]))


@st.composite
def statements(draw: st.DrawFn) -> Statement:
    """A small statement with at most one variable."""
    variable = draw(st.sampled_from(["", "e", "e", "d"]))
    one, two, three = draw(atoms(variable)), draw(atoms(variable)), draw(atoms(variable))
    return draw(
        st.sampled_from(
            [one, Not(one), Or((Not(one), two)), And((one, two)), Or((Not(And((one, two))), three)),
             And((Or((Not(one), two)), Or((Not(two), one))))]
        )
    )  # fmt: skip
