"""Batches against the naive twin and against the meaning of statements: the same verdicts, model by model."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from naive import Exp, answer, families
from small_models import plain
from strategies_search import DELTAS, at, block_of, blocks, heavy, moved, statements, structured

from verifier.definitions import DEFINITIONS
from verifier.numbers import epsilon
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import Holds, Not, Or, Scaled, Statement
from verifier.wings.search.batch.measure import Query, empty, fails
from verifier.wings.search.batch.statement import Blocks, Wanted
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.statement_truth import decide
from verifier.wings.search.theta_properties import FEATURES, bound_of

FACTORS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), None]
EVERY = [
    (key, reading)
    for key, definition in DEFINITIONS.items()
    for reading in definition.readings
    if Query(key, None, Fraction(0), reading).supported
]


def compare(models: list[Candidate], asked: Query, large: int) -> None:
    """The block against the definition."""
    layer = block_of(models, 1)[1]
    block, _ = block_of(models, max(asked.bound(layer), large))
    broken, nothing = fails(block, asked), empty(block, asked)
    for one in models:
        e = Exp("inf") if asked.factor is None else Exp("log", Fraction(1), asked.factor)
        twin = answer(families(plain(one), asked.definition, asked.reading), e, asked.delta, tail=asked.tail)
        assert at(nothing, models, one) == (twin.verdict == "vacuous"), (one, asked)
        assert at(broken, models, one) == (twin.verdict == "fails"), (one, asked, twin)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("definition", "reading"), EVERY)
@settings(max_examples=30, deadline=None)
@given(
    blocks(), st.sampled_from(FACTORS), st.sampled_from(DELTAS), st.sampled_from([1, 10**12, 10**30])
)  # fmt: skip
def test_batches_answer_as_the_definitions_do(
    definition: str, reading: str, models: list[Candidate], factor: Fraction | None, delta: Fraction, large: int
) -> None:
    # in integers of 32 bits, of 64 bits, and Python's own
    compare(models, Query(definition, factor, delta, reading), large)


@settings(max_examples=150, deadline=None)
@given(heavy(), st.sampled_from(EVERY), st.sampled_from(FACTORS), st.sampled_from(DELTAS))
def test_large_denominators_do_not_overflow(
    one: Candidate, which: tuple[str, str], factor: Fraction | None, delta: Fraction
) -> None:
    compare([one], Query(which[0], factor, delta, which[1]), 1)


def test_batches_know_the_properties() -> None:
    """Each property has models with it and models without it."""
    seen: set[tuple[str, bool]] = set()

    @settings(max_examples=60, deadline=None)
    @example(Candidate(2, 2, 2, 2, 4, 2, (1, 0, 0, 1, 1, 0, 0, 1), ((2, 0),) * 4, first_only=True))  # informed
    @given(structured())
    def ask(one: Candidate) -> None:
        block, _ = block_of([one], bound_of(one.law_total, one.row_total))
        model = one.model()
        for name, feature in FEATURES.items():
            found = PROPERTIES[name].verdict(model) == "holds"
            assert at(feature(block), [one], one) == found, (name, one)
            seen.add((name, found))

    ask()
    assert seen == set(product(FEATURES, (True, False)))


def blocks_of(models: list[Candidate]) -> Blocks:
    """The block in integers for a bound."""
    return lambda bound: block_of(models, bound)[0]


def means_the_same(models: list[Candidate], said: Statement, ask: tuple[bool, bool]) -> list[bool]:
    """Compare a block's answers with the statement's meaning; say for which models the block knew the answer."""
    known = []
    true, vacuous = ask
    layer = block_of(models, 1)[1]
    found = Wanted(said, true, vacuous).find(blocks_of(models), layer)
    for one in models:
        if 0 in [sum(one.law[k :: one.knowledge]) for k in range(one.knowledge)]:
            continue
        truth = decide(said, one.model())
        wanted = truth.value is true and (vacuous or not truth.vacuous)
        sure, possible = at(found.sure, models, one), at(found.possible, models, one)
        assert sure <= wanted <= possible, (str(said), one, truth)
        known.append(sure == possible)
    return known


BOTH = st.tuples(st.booleans(), st.booleans())


@pytest.mark.parametrize("kind", [statements(), moved()], ids=["statements", "variables"])
def test_statements_of_blocks_mean_the_same(kind: st.SearchStrategy[Statement]) -> None:
    """And most questions are answered by blocks."""
    known: list[bool] = []

    @settings(max_examples=80, deadline=None)
    @given(blocks(most=4), kind, BOTH)
    def ask(models: list[Candidate], said: Statement, how: tuple[bool, bool]) -> None:
        known.extend(means_the_same(models, said, how))

    ask()
    assert len(known) > 100
    assert sum(known) > 0.8 * len(known)


@settings(max_examples=80, deadline=None)
@given(heavy(), moved(), BOTH)
def test_thresholds_do_not_overflow(one: Candidate, said: Statement, ask: tuple[bool, bool]) -> None:
    means_the_same([one], said, ask)


@pytest.mark.parametrize(("row", "fails_"), [((99, 70), True), ((140, 99), False)])
def test_what_is_too_close_to_an_irrational_factor_is_left_open(row: tuple[int, int], fails_: bool) -> None:  # noqa: FBT001
    """99/70 is above √2, 140/99 below; both are within 2⁻¹² of it."""
    one = Candidate(1, 2, 2, 1, 2, 400, (1, 1), ((row[0], 400 - row[0]), (row[1], 400 - row[1])))
    said = Holds("np", epsilon("1/2*ln(2)"))
    found = Wanted(said).find(blocks_of([one]), block_of([one], 1)[1])
    assert (bool(found.sure.any()), bool(found.possible.any())) == (False, True)
    assert decide(said, one.model()).value is not fails_
    means_the_same([one], said, (True, False))


def test_powers_of_thresholds_do_not_overflow() -> None:
    """With one record NP and CDP are one; 3ε and 2ε compare the cubes and the squares of their factors."""
    e2, e3 = Scaled("e", Fraction(2)), Scaled("e", Fraction(3))
    weak, strong = Or((Not(Holds("np", e3)), Holds("cdp", e2))), Or((Not(Holds("np", e2)), Holds("cdp", e3)))
    for a, b in product(range(1, 40, 3), repeat=2):
        one = Candidate(1, 2, 2, 1, 40, 40, (20, 20), ((a, 40 - a), (b, 40 - b)))
        for said, false in ((weak, a != b), (strong, False)):
            found = Wanted(said).find(blocks_of([one]), block_of([one], 1)[1])
            assert bool(found.sure.any()) == bool(found.possible.any()) == false, (a, b)
