"""The draws of programs: their laws against a plain count, their widths, and a sampler that agrees."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier.programs.draws import DRAWS, MOST, OLDER, number_of_arrangements, sameness

HALF = Fraction(1, 2)
VALUES = st.lists(st.sampled_from([0, 1, True, "a", None, (0, 1)]), max_size=6)


def law_of(name: str, *arguments: object) -> dict[object, Fraction]:
    """The law of a draw, equal results added up."""
    law: dict[object, Fraction] = {}
    for value, p in DRAWS[name].law(*arguments):
        key = sameness(tuple(value) if isinstance(value, list) else value)
        law[key] = law.get(key, Fraction(0)) + p
    return law


def plain(law: dict[Any, Fraction]) -> dict[object, Fraction]:
    return {sameness(value): p for value, p in law.items() if p}


@given(VALUES, st.integers(0, 6))
def test_arrangements_are_those_of_places(values: list[Any], length: int) -> None:
    length = min(length, len(values))
    every = list(permutations(values, length))
    law: dict[object, Fraction] = {}
    for one in every:
        law[sameness(one)] = law.get(sameness(one), Fraction(0)) + Fraction(1, len(every))
    assert law_of("sample", values, length) == law
    assert DRAWS["sample"].width(values, length) == len(DRAWS["sample"].law(values, length)) == len(law)
    if length == len(values):
        assert law_of("permutation", values) == law


@given(st.lists(st.integers(1, 5), max_size=4), st.integers(0, 8))
def test_the_number_of_arrangements_is_known_without_them(counts: list[int], length: int) -> None:
    values = [k for k, count in enumerate(counts) for _ in range(count)][:8]
    counts, length = [values.count(k) for k in set(values)], min(length, len(values))
    assert number_of_arrangements(counts, length) == len(set(permutations(values, length)))


@pytest.mark.parametrize(
    ("counts", "length", "number"),
    [([1, 19_999], 20_000, 20_000), ([1, 20_000], 20_001, MOST + 1), ([200] * 3, 202, MOST + 1),
     ([1] * 142, 3, MOST + 1), ([1] * 20_000, 1, 20_000), ([10**6], 10**6, 1), ([2, 10**6], 198, 19_702)],
)  # fmt: skip
def test_the_number_of_many_arrangements(counts: list[int], length: int, number: int) -> None:
    assert number_of_arrangements(counts, length) == number


def test_laws_by_hand() -> None:
    third = Fraction(1, 3)
    assert law_of("flip", "1/3") == plain({True: third, False: 1 - third})
    assert law_of("flip", 1) == plain({True: Fraction(1)})
    assert law_of("choice", {"a": "0.25", 1: "3/4", 2: 0}) == plain({"a": Fraction(1, 4), 1: Fraction(3, 4)})
    assert law_of("uniform", "aab") == plain({"a": 2 * third, "b": third})
    assert law_of("randint", -1, 1) == plain(dict.fromkeys((-1, 0, 1), third))
    assert law_of("binomial", 3, third) == plain({k: Fraction(comb(3, k) * 2 ** (3 - k), 27) for k in range(4)})
    assert law_of("exponential_mechanism", [0, 1, -1], 2) == plain(
        {0: Fraction(2, 7), 1: Fraction(4, 7), 2: Fraction(1, 7)}
    )
    assert law_of("exponential_mechanism", {"x": 0, "y": 1}, "1/2") == plain({"x": 2 * third, "y": third})


@given(st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9), st.integers(-4, 4), st.integers(0, 5))
def test_clamped_noise_is_noise_whose_ends_hold_the_tails(r: Fraction, low: int, span: int) -> None:
    """Beyond 60 the tails are summed by their formula: r^60/(1 + r) on each side."""
    high, long = low + span, 60
    law: dict[int, Fraction] = {}
    for k in range(-long, long + 1):
        p = r**long / (1 + r) if abs(k) == long else (1 - r) / (1 + r) * r ** abs(k)
        end = max(low, min(high, k))
        law[end] = law.get(end, Fraction(0)) + p
    assert sum(law.values()) == 1
    assert law_of("geometric_noise", r, low, high) == plain(law)


def test_older_names_are_the_same_draws() -> None:
    assert all(DRAWS[older] is DRAWS[name] for older, name in OLDER.items())


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("flip", (0.5,), "the float 0.5 is not an exact number"),
        ("flip", ("3/2",), "3/2 is more than 1"),
        ("flip", (), r"missing a required argument: 'p'. Expected rng.flip\(p\)"),
        ("choice", (3,), r"3 is not a table.*or a list of values"),
        ("choice", ([],), "the list is empty"),
        ("choice", ({1: "1/2", 2: "1/3"},), "the probabilities sum to 5/6"),
        ("uniform", (0, 1), "of numpy and random is a real number"),
        ("uniform", ({1, 2},), "a set has no order"),
        ("uniform", ([],), "the list is empty"),
        ("randint", (2, 1), "2 is more than 1"),
        ("randint", (True, 1), "true is not an integer"),
        ("randint", (0, 10**30), "more than 20,000 results"),
        ("binomial", (10**9, "1/2"), "more than 20,000 results"),
        ("binomial", (19_000, "1/3"), "bits"),
        ("permutation", (list(range(8)),), "more than 20,000 results"),
        ("permutation", ([1] + [0] * 19_998,), "bits"),
        ("sample", ([1, 2], 3), "3 values cannot be drawn from 2"),
        ("geometric_noise", ("1", 0, 1), "the ratio 1 is out of range"),
        ("geometric_noise", ("1/2", 1, 0), "1 is more than 0"),
        ("exponential_mechanism", ([0, 10**9], 2), "bits"),
        ("exponential_mechanism", ([HALF], 2), "1/2 is not an integer"),
        ("exponential_mechanism", ([0], 0), "the base 0 is not positive"),
    ],
)
def test_what_is_refused(name: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(pk.PkdpError, match=message):
        DRAWS[name].law(*arguments)


@pytest.mark.parametrize(
    ("name", "named", "message"),
    [("choice", {"p": [1]}, "numpy's choice"), ("geometric", {"p": "1/2"}, "counts trials"),
     ("exponential", {"scale": 2}, "real number"), ("flip", {"size": 3}, "draws many at once")],
)  # fmt: skip
def test_the_forms_of_other_libraries_are_refused_with_both_readings(name: str, named: Any, message: str) -> None:
    with pytest.raises(pk.InputError, match=message):
        DRAWS[name].law(**named)


SAMPLED: list[tuple[str, tuple[Any, ...]]] = [
    ("flip", ("1/3",)),
    ("choice", ({"a": "1/6", "b": "5/6"},)),
    ("uniform", ([0, 1, 2],)),
    ("randint", (-1, 2)),
    ("binomial", (3, "1/4")),
    ("permutation", ([0, 0, 1],)),
    ("sample", ([0, 1, 2], 2)),
    ("geometric_noise", ("1/2", -2, 1)),
    ("exponential_mechanism", ([0, 1], 2)),
]


@pytest.mark.parametrize(("name", "arguments"), SAMPLED, ids=[name for name, _ in SAMPLED])
def test_the_sampler_draws_by_the_law(name: str, arguments: tuple[Any, ...]) -> None:
    """Each result within six standard deviations of its mean, in 3,000 draws with a fixed seed."""
    rng, law, times = pk.sampler(5), law_of(name, *arguments), 3_000
    drawn = Counter(
        sameness(tuple(one) if isinstance(one, list) else one)
        for one in (getattr(rng, name)(*arguments) for _ in range(times))
    )
    assert set(drawn) <= set(law)
    for value, p in law.items():
        assert (drawn[value] - times * p) ** 2 <= 36 * times * p * (1 - p)


def test_the_sampler_repeats_and_refuses() -> None:
    assert [pk.sampler(3).randint(0, 10**30) for _ in range(2)] == [pk.sampler(3).randint(0, 10**30)] * 2
    assert len(pk.sampler(3).permutation(range(50))) == 50
    assert isinstance(pk.sampler(3).geometric("1/2"), int)
    with pytest.raises(pk.InputError, match=r"rng\.laplace"):
        pk.sampler().laplace(0, 1)
    with pytest.raises(pk.InexactError, match="float that was computed"):
        pk.sampler().flip(1 / 3)
