"""Sums as single integers, powers by the binomial formula, lines in integers: each against its plain twin."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from verifier.checker import Rejected
from verifier.checker.engines import sums as blocks
from verifier.checker.engines.sums import Mechanism, Ratios, Theta
from verifier.checker.laws import Pair, Weighted
from verifier.checker.measures import above, average
from verifier.checker.numbers import Exponential

NUMBERS = [Fraction(0), Fraction(1), Fraction(-1), Fraction(2, 3), Fraction(-5, 2), Fraction(7)]
State = tuple[Any, ...]
STEPS: dict[str, Any] = {"+": lambda x, y: x + y, "max": max, "mod 3": lambda x, y: (x + y) % 3}


@st.composite
def mechanisms(draw: st.DrawFn) -> tuple[dict[str, Any], int]:
    """A mechanism on a few records with two values each, that draw one or two elements at random."""
    operations = draw(st.sampled_from([["+"], ["+", "+"], ["+", "+", "+"], ["+", "max"], ["mod 3"]]))
    values = {"+": NUMBERS, "max": [Fraction(0), Fraction(2), Fraction(5)], "mod 3": [Fraction(k) for k in range(3)]}
    size = draw(st.integers(1, 4))
    element = st.tuples(*(st.sampled_from(values[one]) for one in operations))

    def law() -> list[Any]:
        drawn = draw(st.lists(element, min_size=1, max_size=2, unique=True))
        shares = ["1"] if len(drawn) == 1 else ["1/3", "2/3"]
        return [[[str(x) for x in e], p] for e, p in zip(drawn, shares, strict=True)]

    elements = [[law(), law()] for _ in range(size)]
    return {"operations": operations, "zero": ["0"] * len(operations), "elements": elements, "finish": []}, size


def schoolbook(operations: list[str], laws: list[dict[State, Any]]) -> dict[State, Any]:
    """The law of the sum of independent parts, term by term."""
    found: dict[State, Any] = {}
    for rows in product(*(law.items() for law in laws)):
        state, weight = (Fraction(0),) * len(operations), Fraction(1)
        for element, p in rows:
            state = tuple(STEPS[one](x, y) for one, x, y in zip(operations, state, element, strict=True))
            weight *= p
        found[state] = found.get(state, Fraction(0)) + weight
    return found


@given(mechanisms())
def test_laws_of_sums_are_those_of_the_schoolbook(case: tuple[dict[str, Any], int]) -> None:
    told, size = case
    mechanism = Mechanism(told, size, 2)
    plain = [{tuple(map(Fraction, e)): Fraction(p) for e, p in record[0]} for record in told["elements"]]
    total: dict[Any, Any] = {mechanism.zero: Fraction(1)}
    for record in mechanism.elements:
        total = mechanism.together(total, record[0])
    wanted = schoolbook(told["operations"], plain)
    assert {mechanism.state_of(at): p for at, p in total.items()} == wanted
    assert len(total) == len(wanted)


@pytest.mark.parametrize("values", [[(0,), (1,)], [(-2,), (3,), (4,)], [(1, 0), (0, 1), (0, 0)], [(5,)]])
@pytest.mark.parametrize("times", [0, 1, 2, 7])
@pytest.mark.parametrize("operation", ["+", "mod 3", "max"])
def test_powers_are_repeated_products(values: list[State], times: int, operation: str) -> None:
    if operation != "+":
        values = [(abs(x) % 3, *rest) for x, *rest in values]
        values = list(dict.fromkeys(values))
    width = len(values[0])
    element = [[[str(x) for x in e], str(Fraction(1, len(values)))] for e in values]
    given = {"operations": [operation] * width, "zero": ["0"] * width, "elements": [[element]] * 7, "finish": []}
    mechanism = Mechanism(given, 7, 1)
    weights = {at: k + 2 for k, at in enumerate(mechanism.elements[0][0])}
    wanted = {mechanism.zero: 1}
    for _ in range(times):
        wanted = mechanism.together(wanted, weights)
    assert mechanism.repeated(weights, times) == wanted


# --- no sum stands for another --------------------------------------------------------------------------------


def test_sums_are_as_far_apart_as_they_must_be() -> None:
    """Every sum has its own integer, up to the ends of what can be reached; one less in the base would mix two up."""
    elements = [[[[["2", "-1"], "1"]], [[["-2", "1"], "1"]]], [[[["1/2", "3"], "1"]], [[["0", "0"], "1"]]]]
    mechanism = Mechanism({"operations": ["+", "+"], "zero": ["0", "0"], "elements": elements, "finish": []}, 2, 2)
    assert (mechanism.scale, mechanism.base) == (2, 1 + 2 * (2 * 2 + 2 * 3))
    every = [(Fraction(x, 2), Fraction(y, 2)) for x in range(-10, 11) for y in range(-10, 11)]
    codes = [mechanism.code(state) for state in every]
    assert len(set(codes)) == len(every) == 21 * 21
    assert [mechanism.state_of(code) for code in codes] == every
    assert (codes[0], codes[-1]) == (-10 - 10 * 21, 10 + 10 * 21)
    for beyond in [(Fraction(11, 2), 0), (0, 6), (0, -6), (Fraction(1, 3), 0), (Fraction(21, 4), 0), (8, -1)]:
        assert mechanism.code(beyond) is None
    closer = 20
    assert (-10 + 1 * closer) == (10 + 0 * closer)  # with a base of 20 the sums (-5, 1/2) and (5, 0) would be one


def test_a_row_of_finish_beyond_all_sums_stands_for_none() -> None:
    """With two coordinates (0, 1) has the integer 2·12 + 1 = 25; a row of (25, 0) is no row of (0, 1)."""

    def counted(rows: list[Any]) -> dict[str, Any]:
        elements = [[[[["1", "0"], "1"]], [[["0", "1"], "1"]]]] * 12
        return {"operations": ["+", "+"], "zero": ["0", "0"], "elements": elements, "finish": rows}

    honest, other = (
        Mechanism(counted([[["0", "1"], {"x": "1"}]]), 12, 2),
        Mechanism(counted([[["25", "0"], {"x": "1"}]]), 12, 2),
    )
    assert honest.finish == {25: [("x", 1)]}
    assert other.finish == {}


def test_records_that_are_joined_are_refused_by_the_product_of_their_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one component they are always alike, so that in the other the values of both are listed together."""
    elements = [[[[["0"], "1"]]] * 3] * 2
    mechanism = Mechanism({"operations": ["+"], "zero": ["0"], "elements": elements, "finish": []}, 2, 3)

    def theta(*numbers: int) -> Theta:
        apart = [
            {"records": [i], "rows": [[[v], f"1/{number}"] for v in "abc"[:number]]} for i, number in enumerate(numbers)
        ]
        alike = [{"records": [0, 1], "rows": [[["a", "a"], "1"]]}]
        components = [{"name": None, "weight": "1/2", "groups": groups} for groups in (apart, alike)]
        return Theta(mechanism, components, ["a", "b", "c"], "nothing", [])

    monkeypatch.setattr(blocks, "LIMIT", 6)
    (block,) = theta(2, 3).blocks
    assert [len(table) for table in block.tables] == [6, 1]
    with pytest.raises(Rejected, match="too many values together"):
        theta(3, 3)


# --- lines ----------------------------------------------------------------------------------------------------

LAWS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 6), min_size=1).filter(lambda law: any(law.values()))


def by_fractions(
    p: dict[str, int], q: dict[str, int], E: Fraction | None, *, closed: bool
) -> tuple[Fraction, Fraction]:
    """A and B of A - B·E from probabilities, output by output; E is None where it is infinite."""
    a = b = Fraction(0)
    for output in {**p, **q}:
        x, y = (Fraction(law.get(output, 0), sum(law.values())) for law in (p, q))
        if (x > 0 and y == 0) if E is None else (x >= E * y if closed else x > E * y):
            a, b = a + x, b + y
    return a, b


@given(st.lists(st.tuples(st.sampled_from([1, 2, 3]), LAWS, LAWS), min_size=1, max_size=3), st.booleans())
def test_lines_in_integers_are_those_in_fractions(rows: list[tuple[int, Any, Any]], closed: bool) -> None:  # noqa: FBT001
    for text, E in (("0", Fraction(1)), ("ln(2)", Fraction(2)), ("ln(5/4)", Fraction(5, 4)), ("inf", None)):
        e = Exponential(text)
        plain = [by_fractions(p, q, E, closed=closed) for _, p, q in rows]
        lines = [above(p, q, e, closed=closed) for _, p, q in rows]
        assert [line.ends for line in lines] == plain
        kept = [above(Weighted(p, sum(p.values())), Weighted(q, sum(q.values())), e, closed=closed) for _, p, q in rows]
        assert kept == lines
        weights = [Fraction(w, 9) for w, _, _ in rows]
        mean = average(list(zip(weights, lines, strict=True)), tail=False)
        wanted = [sum((w * line[k] for w, line in zip(weights, plain, strict=True)), Fraction(0)) for k in (0, 1)]
        assert list(mean.ends) == wanted
        for bound in (Fraction(0), Fraction(1, 3), wanted[0]):
            least = wanted[0] - bound - (wanted[1] * E if E is not None else 0)
            assert mean.over(bound) == (least > 0) - (least < 0)


def test_an_irrational_line_is_that_between_two_rational_ones() -> None:
    p, q = {"a": 7, "b": 3, "c": 2}, {"a": 1, "b": 2, "c": 9}
    assert above(p, q, Exponential("1"))[:3] == above(p, q, Exponential("ln(27/10)"))[:3] == (7, 1, 12)
    pairs = [Pair(Fraction(1), "x", p, None, "")]
    assert above(p, pairs[0][3], Exponential("1"))[:3] == (1, 0, 1)


@given(LAWS, LAWS, st.integers(1, 5), st.integers(1, 5))
def test_laws_are_one_key_where_their_probabilities_are(p: Any, q: Any, x: int, y: int) -> None:
    p, q = ({o: w for o, w in law.items() if w} for law in (p, q))
    one, other = (Ratios({o: times * w for o, w in law.items()}) for times, law in ((x, p), (y, q)))
    equal = all(Fraction(p.get(o, 0), sum(p.values())) == Fraction(q.get(o, 0), sum(q.values())) for o in {**p, **q})
    assert (one == other) == equal
    assert hash(one) == hash(other) or not equal
