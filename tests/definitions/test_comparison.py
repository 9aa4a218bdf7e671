"""Averages of pairs: the quick way to their smallest ε, and to their lines, beside the whole curve."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import verifier as pk
from verifier.definitions import TAIL
from verifier.definitions.comparison import AVERAGE, WORST, Comparison, Pair, Term
from verifier.engine import Engine, KnowledgeCase
from verifier.numbers import INFINITY, ZERO, Epsilon, log_epsilon
from verifier.tables import label

OUTPUTS = tuple(map(label, "xyz"))
Drawn = list[tuple[int, tuple[int, ...], tuple[int, ...] | None]]
WEIGHTS = st.tuples(*[st.integers(0, 6)] * 3).filter(any)
TERMS = st.lists(st.tuples(st.integers(1, 4), WEIGHTS, st.none() | WEIGHTS), min_size=2, max_size=4)


def comparison(drawn: Drawn, missing: int) -> Comparison:
    """The average of some pairs; of the mass `missing`, the second law is the first."""
    terms = tuple(Term(mass, Pair(None, OUTPUTS, p, q)) for mass, p, q in drawn)
    return Comparison("θ", 0, None, None, terms, total=sum(mass for mass, _, _ in drawn) + missing)


def value(drawn: Drawn, missing: int, factor: Fraction) -> Fraction:
    """δ at e^ε = `factor`: the sum of max(0, P(o) - e^ε·Q(o)), averaged over the pairs; all is lost without Q."""
    lost = Fraction(0)
    for mass, p, q in drawn:
        q_law = [Fraction(0)] * 3 if q is None else [Fraction(w, sum(q)) for w in q]
        lost += mass * sum(max(Fraction(0), Fraction(w, sum(p)) - factor * y) for w, y in zip(p, q_law, strict=True))
    return lost / (sum(mass for mass, _, _ in drawn) + missing)


@given(TERMS, st.integers(0, 2), st.fractions(0, 1, max_denominator=30))
@example([(1, (3, 1, 0), (1, 3, 0)), (2, (4, 1, 1), (1, 1, 4))], 0, Fraction(1, 7))
def test_the_smallest_epsilon_of_an_average_is_that_of_its_whole_curve(
    drawn: Drawn, missing: int, delta: Fraction
) -> None:
    average = comparison(drawn, missing)
    found = average.epsilon(delta)
    assert found == average.profile.epsilon(delta)
    if found == INFINITY:
        assert value(drawn, missing, Fraction(10**6)) > delta
        return
    assert found.exp is not None
    assert value(drawn, missing, found.exp) <= delta
    if found != ZERO:
        assert value(drawn, missing, found.exp) == delta
        assert value(drawn, missing, (1 + found.exp) / 2) > delta
    assert average.needs(found, delta)


@given(TERMS, st.integers(0, 2), st.fractions(1, 9, max_denominator=12))
def test_the_delta_of_an_average_is_the_average_of_the_sums(drawn: Drawn, missing: int, factor: Fraction) -> None:
    average = comparison(drawn, missing)
    epsilon: Epsilon = log_epsilon(factor)
    assert average.delta(epsilon).a == value(drawn, missing, factor)


def test_an_event_has_the_outputs_above_epsilon_and_closed_those_at_it() -> None:
    """P = (6, 1, 1)/8 and Q = (1, 0, 3)/4: the losses are ln(3), infinite, and ln(1/6)."""
    pair = Pair(None, OUTPUTS, (6, 1, 1), (1, 0, 3))
    x, y, z = OUTPUTS
    for factor, above, at_least in (
        (Fraction(1), (x, y), (x, y)),
        (Fraction(3), (y,), (x, y)),
        (Fraction(4), (y,), (y,)),
    ):
        epsilon = log_epsilon(factor)
        assert (pair.event(epsilon), pair.event(epsilon, closed=True)) == (above, at_least)
    assert pair.event(INFINITY) == (y,)
    assert Pair(None, OUTPUTS, (6, 1, 1), None).event(ZERO) == (x, y, z)


@pytest.mark.parametrize(("members", "mass", "total"), [(1, 1, 1), (2, 2, 2), (1, 3, 3), (2, 1, 1), (2, 3, 5)])
def test_in_the_worst_case_each_knowledge_value_counts_by_itself(members: int, mass: int, total: int) -> None:
    """Whatever its weight; one that stands for two counts twice, as often as the records that are alike."""
    pair = Pair(KnowledgeCase("k", lambda: label("k"), {}, {}, members), OUTPUTS, (1, 2, 3), (3, 2, 1))
    listed = Comparison("θ", 0, None, None, (Term(mass, pair),), 3, total=total)
    (alone,) = WORST.of([listed])
    assert (alone.terms, alone.total, alone.multiplicity) == ((Term(1, pair),), 1, 3 * members)
    assert tuple(AVERAGE.of([listed])) == (listed,)


def test_the_smallest_epsilon_of_a_tail_by_hand() -> None:
    """P = (6, 1, 1)/8 and Q = (1, 0, 3)/4: above ln(3) is 1/8, above 0 are 7/8."""
    tail = replace(comparison([(1, (6, 1, 1), (1, 0, 3))], 0), measure=TAIL)
    eighths = [str(tail.epsilon(Fraction(k, 8))) for k in range(9)]
    assert eighths == ["inf", *["ln(3)"] * 6, "0", "0"]


def test_the_curve_of_an_average_in_which_some_pairs_have_no_second_law() -> None:
    """The count of three records, all 1 with 1/2, else fair coins; which of both is known, and x/0 is ∞.

    Of D(0) = 1 they are all 1 with 2/3, where 0 is impossible. Else 1 + Bin(2, 1/2) stands against Bin(2, 1/2): 1/4 on
    3, which 0 cannot give, and 1/2 against 1/4 on 2, and 1/4 against 1/2 on 1.
    """
    coins = {"name": "coins", "weight": "1/2", "iid": {0: "1/2", 1: "1/2"}}
    ones = {"name": "ones", "weight": "1/2", "iid": {1: "1"}}
    model = pk.build(
        size=3, values=[0, 1], distribution={"mixture": [coins, ones]}, knowledge={"kind": "component"},
        mechanism={"kind": "count", "value": 1},
    )  # fmt: skip
    for way in ("rows", "sum"):
        found = pk.check(model, "ppkdp", reading="infinite-loss", engine=Engine(model, force=way), replay=False)
        deltas = [found.profile.delta(at) for at in ("0", "ln(3/2)", "ln(2)", "inf")]
        assert deltas == ["5/6", "19/24", "3/4", "3/4"]
