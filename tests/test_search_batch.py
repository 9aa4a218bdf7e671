"""Batches against the naive twin: the same verdicts, model by model, with `==`."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np_
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Exp, Plain, Row, answer, families

from verifier.search.batch import Block
from verifier.search.batch_measure import BATCHED, READINGS, Asked, empty, fails
from verifier.search.candidate import Candidate
from verifier.search.enumeration import Layer
from verifier.search.scope import Shape

FACTORS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), None]
DELTAS = [Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1)]


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


def block_of(models: list[Candidate], bound: int) -> tuple[Block, Layer]:
    first = models[0]
    shape = Shape(first.records, first.values, first.outputs, first.knowledge)
    laws = list(dict.fromkeys(one.law for one in models))
    tables = list(dict.fromkeys(one.mechanism for one in models))
    totals = (first.law_total, first.row_total)
    block = Block.of(shape, totals, np_.array(laws), np_.array(tables), bound, first_only=first.first_only)
    return block, Layer(shape, 1, *totals)


def at(mask: np_.ndarray, models: list[Candidate], one: Candidate) -> bool:
    laws = list(dict.fromkeys(m.law for m in models))
    tables = list(dict.fromkeys(m.mechanism for m in models))
    return bool(np_.broadcast_to(mask, (len(laws), len(tables)))[laws.index(one.law), tables.index(one.mechanism)])


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    definition = draw(st.sampled_from(BATCHED))
    readings = READINGS.get(definition.removeprefix("tail-"), ("default", "one-order"))
    return Asked(
        definition, draw(st.sampled_from(FACTORS)), draw(st.sampled_from(DELTAS)), draw(st.sampled_from(readings))
    )


@settings(max_examples=400, deadline=None)
@given(candidates(), questions(), st.sampled_from([1, 10**12, 10**30]))
def test_batches_answer_as_the_definitions_do(models: list[Candidate], asked: Asked, large: int) -> None:
    layer = block_of(models, 1)[1]
    block, _ = block_of(models, max(asked.bound(layer), large))  # 32 bits, 64 bits, Python's integers
    broken, nothing = fails(block, asked), empty(block, asked.kind, asked.reading)
    for one in models:
        e = Exp("inf") if asked.factor is None else Exp("log", Fraction(1), asked.factor)
        twin = answer(families(plain(one), asked.definition, asked.reading), e, asked.delta, tail=asked.tail)
        assert at(nothing, models, one) == (twin.verdict == "vacuous"), (one, asked)
        assert at(broken, models, one) == (twin.verdict == "fails"), (one, asked, twin)
