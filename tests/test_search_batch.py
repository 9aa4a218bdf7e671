"""Batches against the naive twin and against the meaning of statements: the same verdicts, model by model."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Exp, answer, families
from strategies_search import DELTAS, at, block_of, candidates, plain, statements

from verifier.search.batch_measure import BATCHED, READINGS, Asked, empty, fails
from verifier.search.batch_statement import Wanted
from verifier.search.candidate import Candidate
from verifier.search.meaning import decide
from verifier.search.statement import Statement

FACTORS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), None]


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    definition = draw(st.sampled_from(BATCHED))
    readings = READINGS.get(definition.removeprefix("tail-"), ("default", "one-order"))
    return Asked(
        definition, draw(st.sampled_from(FACTORS)), draw(st.sampled_from(DELTAS)), draw(st.sampled_from(readings))
    )


@settings(max_examples=200, deadline=None)
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


@settings(max_examples=120, deadline=None)
@given(candidates(4), statements(), st.tuples(st.booleans(), st.booleans()))
def test_statements_of_blocks_mean_the_same(models: list[Candidate], said: Statement, ask: tuple[bool, bool]) -> None:
    true, vacuous = ask
    layer = block_of(models, 1)[1]
    found = Wanted(said, true, vacuous).find(lambda bound: block_of(models, bound)[0], layer)
    for one in models:
        if 0 in [sum(one.law[k :: one.knowledge]) for k in range(one.knowledge)]:
            continue
        answer_ = decide(said, one.model())
        wanted = answer_.value is true and (vacuous or not answer_.vacuous)
        sure, possible = at(found.sure, models, one), at(found.possible, models, one)
        assert sure <= wanted <= possible, (str(said), one, answer_)
        known.append(sure == possible)


known: list[bool] = []


def test_most_questions_are_answered_by_blocks() -> None:
    assert len(known) > 100
    assert sum(known) > 0.8 * len(known)
