"""The door to linear programs: each answer is proved, guesses and the simplex method agree, no guess is believed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.numbers import linear
from verifier.numbers.guess import has_highs
from verifier.numbers.linear import Constraint, Infeasible, LinearProgram, Outcome, Unbounded, proves
from verifier.numbers.simplex import Optimum

WIDTH = 3
small = st.integers(-3, 3).map(Fraction)
rows = st.lists(st.tuples(st.dictionaries(st.integers(0, WIDTH - 1), small), small, st.booleans()), max_size=5).flatmap(
    lambda listed: (
        st.lists(st.sampled_from(listed), max_size=3).map(lambda again: listed + again) if listed else st.just(listed)
    )
)
"""Rows of small integers, some of them twice: degenerate, redundant and contradicting ones are frequent."""
objectives = st.dictionaries(st.integers(0, WIDTH - 1), small)
Rows = list[tuple[dict[int, Fraction], Fraction, bool]]


@pytest.fixture
def guessing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program is guessed, however small."""
    if not has_highs():
        pytest.skip("highspy of the extra `linear` is not installed")
    monkeypatch.setattr(linear, "GUESSED_FROM", 0)


def program_of(listed: Rows) -> LinearProgram:
    return LinearProgram(range(WIDTH), dict(enumerate(listed)))


def left_of(row: Mapping[int, Fraction], x: Mapping[int, Fraction]) -> Fraction:
    return sum((a * x[j] for j, a in row.items()), Fraction(0))


def stays(listed: Rows, x: Mapping[int, Fraction], bounded: int) -> bool:
    """Whether x ≥ 0 is in all rows, whose bounds count `bounded` times."""
    overs = [(left_of(row, x) - bounded * b, equal) for row, b, equal in listed]
    return min(x.values()) >= 0 and all(over <= 0 and not (equal and over) for over, equal in overs)


def is_right(listed: Rows, objective: Mapping[int, Fraction], found: Outcome) -> bool:
    """The proof of an outcome by its own definition, in fractions; `proves` is not asked."""
    if isinstance(found, Unbounded):
        gains = left_of(objective, found.direction) > 0
        return gains and stays(listed, found.point, 1) and stays(listed, found.direction, 0)
    y, zero = found.multipliers, Fraction(0)
    covered = [sum((y[k] * row.get(j, zero) for k, (row, *_) in enumerate(listed)), zero) for j in range(WIDTH)]
    paid = sum((y[k] * b for k, (_, b, _) in enumerate(listed)), zero)
    if any(y[k] < 0 for k, (*_, equal) in enumerate(listed) if not equal):
        return False
    if isinstance(found, Infeasible):
        return min(covered) >= 0 > paid
    dominated = all(price >= objective.get(j, zero) for j, price in enumerate(covered))
    return dominated and stays(listed, found.point, 1) and left_of(objective, found.point) == found.value == paid


def is_corner(listed: Rows, program: LinearProgram, found: Optimum) -> bool:
    """Whether the basis has as many variables as rows; the others are 0, and these have no slack."""
    support, active = program.corner
    square = len(support) == len(active) and all(not found.point[j] for j in set(range(WIDTH)) - set(support))
    return square and all(left_of(listed[k][0], found.point) == listed[k][1] for k in active)


@settings(max_examples=300, deadline=None)
@given(rows, objectives, objectives)
def test_the_simplex_method_proves_what_it_says(
    listed: Rows, objective: dict[int, Fraction], other: dict[int, Fraction]
) -> None:
    program = program_of(listed)
    for asked in (objective, other, objective):
        found = program.solve(asked)
        assert is_right(listed, asked, found)
        assert not isinstance(found, Optimum) or is_corner(listed, program, found)


@settings(max_examples=150, deadline=None)
@given(rows, objectives)
def test_a_guessed_basis_and_the_simplex_method_agree(listed: Rows, objective: dict[int, Fraction]) -> None:
    plain = program_of(listed).solve(objective)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(linear, "GUESSED_FROM", 0)
        program = program_of(listed)
        found = program.solve(objective)
    assert is_right(listed, objective, found)
    assert type(found) is type(plain)
    if isinstance(found, Optimum) and isinstance(plain, Optimum):
        assert found.value == plain.value
        assert is_corner(listed, program, found)


@pytest.mark.usefixtures("guessing")
def test_guesses_are_proved() -> None:
    """Of programs with an optimum, also where rows have very uneven numbers, and of those without a point."""
    draw = random.Random(5)  # noqa: S311
    for _ in range(20):
        scale = [Fraction(2) ** draw.randint(-90, 90) for _ in range(6)]
        size = [Fraction(3) ** draw.randint(-50, 50) for _ in range(6)]
        matrix = [[Fraction(draw.randint(1, 9)) * a * b for b in size] for a in scale]
        listed = {i: (dict(enumerate(row)), a) for i, (row, a) in enumerate(zip(matrix, scale, strict=True))}
        program = LinearProgram(range(6), listed)
        assert isinstance(program.solve(dict(enumerate(size))), Optimum)
        assert program.guessed
        none = LinearProgram(range(6), {**listed, "more": ({0: -size[0]}, Fraction(-2))})
        assert isinstance(none.solve(dict(enumerate(size))), Infeasible)
        assert none.guessed


@pytest.mark.usefixtures("guessing")
def test_a_wrong_guess_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever basis is named, of any size, singular or of a point that is not the best: the answer is the same."""
    one = Fraction(1)
    listed: Rows = [({0: one, 1: one}, one, False), ({1: one, 2: one}, 2 * one, True), ({0: one, 1: one}, one, False)]
    objective = {0: 2 * one, 1: one, 2: -one}
    plain = program_of(listed)._simplex(objective)
    assert isinstance(plain, Optimum)
    named = [
        (list(support), list(active))
        for k in range(WIDTH + 1)
        for support in combinations(range(WIDTH), k)
        for m in range(len(listed) + 1)
        for active in combinations(range(len(listed)), m)
    ]
    guessed = 0
    for basis in at_least_one(named):

        def given_bases(*_: object, basis: Any = basis) -> Iterator[Any]:
            yield basis

        monkeypatch.setattr(linear, "bases", given_bases)
        program = program_of(listed)
        found = program.solve(objective)
        assert isinstance(found, Optimum)
        assert found.value == plain.value
        assert is_right(listed, objective, found)
        guessed += program.guessed
    assert 0 < guessed < len(named) // 4


@settings(max_examples=100, deadline=None)
@given(rows, objectives, st.integers(0, 20), small.filter(bool))
def test_a_changed_outcome_is_not_proved(
    listed: Rows, objective: dict[int, Fraction], place: int, change: Fraction
) -> None:
    """`proves` says of an outcome with one other number what its definition says."""
    program = program_of(listed)
    found = program.solve(objective)
    assert proves(program, objective, found)
    tables = [part for part in found if isinstance(part, dict) and part]
    for part in tables:
        name = sorted(part)[place % len(part)]
        part[name] += change
        assert proves(program, objective, found) == is_right(listed, objective, found)
        part[name] -= change
    if isinstance(found, Optimum):
        assert not proves(program, objective, found._replace(value=found.value + change))


def test_a_program_without_an_optimum_says_so() -> None:
    one = Fraction(1)
    with pytest.raises(ArithmeticError, match="not bounded"):
        LinearProgram("x", {}).maximise({"x": one})
    with pytest.raises(ArithmeticError, match="no point is in all rows"):
        LinearProgram("x", {"r": Constraint({"x": one}, -one)}).maximise({"x": one})


def test_small_programs_are_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """They never ask whether HiGHS is installed."""

    def asked() -> bool:
        raise AssertionError

    monkeypatch.setattr(linear, "has_highs", asked)
    assert LinearProgram("x", {0: ({"x": Fraction(2)}, Fraction(1))}).maximise({"x": Fraction(1)}).value == Fraction(
        1, 2
    )
