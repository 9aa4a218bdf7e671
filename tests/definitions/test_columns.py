"""Columns of comparisons answer each question as the same comparisons do when they are looked at one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

import verifier as pk
import verifier.engine as room
from verifier.definitions import DEFINITIONS, pools
from verifier.definitions.pools import Columns, Listed, pools_of
from verifier.engine import Engine
from verifier.numbers import INFINITY, Order, epsilon, log_epsilon
from verifier.profile import maximum

FACTORS = [Fraction(1), Fraction(9, 8), Fraction(2), Fraction(5)]


@pytest.fixture(params=[(1, 60), (2, 60), (3, 20), (4, 60)], ids=str)
def columns(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Columns:
    """Two records of three values, with random laws on six outputs, some of which are impossible."""
    seed, word = request.param
    random = Random(seed)  # noqa: S311
    table: dict[tuple[int, ...], Any] = {}
    for database in product(range(3), repeat=2):
        weights = [random.choice((0, 1, 2, 3, 7, 19)) for _ in range(5)] + [1]
        table[database] = {f"o{k}": Fraction(w, sum(weights)) for k, w in enumerate(weights) if w}
    model = pk.build(
        size=2,
        values=[0, 1, 2],
        distribution={"iid": dict.fromkeys(range(3), "1/3")},
        mechanism=lambda database: table[tuple(database)],
    )
    monkeypatch.setattr(room, "FEW_ROWS", 0)
    monkeypatch.setattr(pools, "WORD", word)
    families = DEFINITIONS["dp"].sets(Engine(model), "default")
    pool = pools_of(families)[0]
    assert isinstance(pool, Columns)
    return pool


def test_the_largest_is_the_first_of_those_that_are_listed(columns: Columns) -> None:
    listed = Listed(list(columns))
    for at in ("0", "ln(9/8)", "1/3", "1/2*ln(3)", "2", "inf"):
        one, line = columns.largest(epsilon(at))
        other, same = listed.largest(epsilon(at))
        assert (one.a, one.b, line.delta(epsilon(at))) == (other.a, other.b, same.delta(epsilon(at)))


def test_what_needs_an_epsilon_is_the_first_of_those_that_are_listed(columns: Columns) -> None:
    listed = Listed(list(columns))
    for delta in (Fraction(0), Fraction(1, 9), Fraction(1, 3), Fraction(2, 3)):
        tight = max(one.epsilon(delta) for one in listed)
        for asked in (tight, INFINITY):
            one, other = columns.needing(asked, delta), listed.needing(asked, delta)
            assert (one is None) == (other is None)
            if one is not None and other is not None:
                assert (one.a, one.b) == (other.a, other.b)


def test_the_lines_of_a_law_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The losses are ln(64), ln(16), ln(4), and below 0; from each of them on one output less counts."""
    laws = ({"x": 512, "y": 32, "z": 16, "rest": 464}, {"x": 8, "y": 2, "z": 4, "rest": 1010})
    rows = [
        {"database": [v], "outputs": {output: f"{weight}/1024" for output, weight in law.items()}}
        for v, law in enumerate(laws)
    ]
    coin = {"iid": {0: "1/2", 1: "1/2"}}
    model = pk.build(size=1, values=[0, 1], distribution=coin, mechanism={"rows": rows})
    monkeypatch.setattr(room, "FEW_ROWS", 0)
    (family,) = DEFINITIONS["dp"].sets(Engine(model), "one-order")
    assert isinstance(family.comparisons, Columns)
    lines = [tuple(map(int, line)) for line in family.comparisons.lines()]
    assert sorted((1024 // bottom * p, 1024 // bottom * q) for p, q, bottom in lines) == [
        (0, 0),
        (512, 8),
        (512 + 32, 8 + 2),
        (512 + 32 + 16, 8 + 2 + 4),
    ]


def test_the_lines_have_the_maximum_of_all_comparisons(columns: Columns) -> None:
    worst = maximum(one.profile for one in columns)  # type: ignore[misc]
    lines = columns.lines()
    for factor in {*FACTORS, *worst.breakpoints}:
        at = log_epsilon(factor)
        best = max(Fraction(int(line.p), int(line.denominator)) - factor * Fraction(int(line.q), int(line.denominator))
                   for line in lines)  # fmt: skip
        assert worst.delta(at).order(max(best, Fraction(0))).settled() is Order.EQUAL
