"""Random candidates, blocks of them, and statements."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

from verifier.numbers import Epsilon, epsilon
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import And, Has, Holds, Not, Or, Scaled, Statement
from verifier.wings.search.batch.block import Block, Mask
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.layers import Layer
from verifier.wings.search.scope import Shape

DEFINITIONS = ("np", "apkdp", "ppkdp", "cdp", "ibcdp", "dp", "tail-apkdp", "tail-ppkdp", "tail-cdp", "tail-dp")
READINGS = {"ppkdp": ["infinite-loss"], "cdp": ["all-values"], "ibcdp": ["possible-values"]}
EPSILONS = (None, *map(epsilon, ("0", "ln(3/2)", "ln(2)", "ln(3)", "inf", "1/2*ln(3)", "1/2")))
DELTAS = tuple(map(Fraction, ("0", "0", "1/10", "1/4", "1/3", "1/2", "1")))
FACTORS = tuple(map(Fraction, ("1", "1", "2", "1/2", "3")))


@st.composite
def blocks(
    draw: st.DrawFn,
    records: int = 3,
    values: int = 3,
    outputs: int = 3,
    knowledge: int = 3,
    most: int = 6,
    each: int = 3,
) -> list[Candidate]:
    """Some models of one layer, sharing θ and mechanisms as a block does: all pairs."""
    shapes = [(n, t) for n, t in ((1, 2), (2, 2), (1, 3), (2, 3), (3, 2)) if n <= records and t <= values]
    n, t = draw(st.sampled_from(shapes))
    o, b = draw(st.integers(1, outputs)), draw(st.integers(1, knowledge))
    law_total, row_total, first_only = draw(st.integers(1, most)), draw(st.integers(1, 4)), draw(st.booleans())

    def weights(total: int, parts: int) -> tuple[int, ...]:
        places = draw(st.lists(st.integers(0, parts - 1), min_size=total, max_size=total))
        return tuple(places.count(k) for k in range(parts))

    laws = [weights(law_total, t**n * b) for _ in range(draw(st.integers(1, each)))]
    tables = [tuple(weights(row_total, o) for _ in range(t**n)) for _ in range(draw(st.integers(1, each)))]
    return [Candidate(n, t, o, b, law_total, row_total, law, table, first_only) for law in laws for table in tables]


def candidates(**sizes: Any) -> st.SearchStrategy[Candidate]:
    """One model."""
    return blocks(**({"records": 2, "knowledge": 2} | sizes), each=1).map(lambda models: models[0])


@st.composite
def structured(draw: st.DrawFn) -> Candidate:
    """A model that has some property more often than by chance: products, sums of records, knowledge of a part."""
    records, values = draw(st.sampled_from([(2, 2), (2, 3), (3, 2)]))
    databases = list(product(range(values), repeat=records))
    weight = st.integers(0, 3)

    def table(size: int) -> list[int]:
        return draw(st.lists(weight, min_size=size, max_size=size).filter(any))

    kind = draw(st.sampled_from(["product", "rest", "count", "uniform", "any"]))
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
        law = [1] * len(databases) if kind == "uniform" else table(len(databases))
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


@st.composite
def moved(draw: st.DrawFn) -> Statement:
    """One definition with the variable implies another one with a multiple of it."""
    name, definitions = draw(st.sampled_from("ed")), st.sampled_from(DEFINITIONS[:6])
    sides = []
    for _ in range(2):
        factor = draw(st.sampled_from(FACTORS))
        at = draw(st.sampled_from([epsilon("0"), epsilon("ln(3/2)"), epsilon("inf")]))
        sides.append(
            Holds(draw(definitions), Scaled("e", factor), draw(st.sampled_from(DELTAS[1:4])))
            if name == "e"
            else Holds(draw(definitions), at, Scaled("d", factor, draw(st.sampled_from(DELTAS[:2]))))
        )
    return Or((Not(sides[0]), sides[1]))


@st.composite
def asked(draw: st.DrawFn, *, variables: bool = True, transforms: bool = True) -> Holds:
    """One definition at constants, or at the variables e (an ε) and d (a δ)."""
    definition = draw(st.sampled_from(DEFINITIONS))
    eps: Epsilon | Scaled | None = draw(st.sampled_from(EPSILONS))
    delta: Fraction | Scaled = draw(st.sampled_from(DELTAS))
    if variables and draw(st.booleans()):
        eps = Scaled("e", draw(st.sampled_from(FACTORS)))
        if draw(st.booleans()):
            delta = Scaled("d", draw(st.sampled_from(FACTORS)), draw(st.sampled_from([Fraction(0), Fraction(1, 10)])))
    on = draw(st.sampled_from(["", "", "", "post", "twice"])) if transforms else ""
    reading = draw(st.sampled_from(["default", "default", "one-order", *READINGS.get(definition, [])]))
    return Holds(definition, eps, delta, reading, on)


def statements(*, variables: bool = True, transforms: bool = True, depth: int = 4) -> st.SearchStrategy[Statement]:
    """Trees of a few atoms."""
    atoms: st.SearchStrategy[Statement] = st.one_of(
        asked(variables=variables, transforms=transforms), st.sampled_from(sorted(PROPERTIES)).map(Has)
    )
    return st.recursive(
        atoms,
        lambda inside: st.one_of(
            inside.map(Not),
            st.lists(inside, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
            st.lists(inside, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
            st.tuples(inside, inside).map(lambda pair: pair[0].implies(pair[1])),
            st.tuples(inside, inside).map(lambda pair: pair[0].iff(pair[1])),
        ),
        max_leaves=depth,
    )
