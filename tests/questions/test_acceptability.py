"""Acceptability against all factorizations, on every small support; what is found and what is given, re-checked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from typing import Any, TypeVar

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.questions.normalization import Acceptability
from verifier.recheck import word_on

pytestmark = pytest.mark.quick


World = tuple[str, str, tuple[str, ...]]
"""(B̂, S, D)."""


def grids(number: int, least: int = 1) -> list[tuple[int, ...]]:
    """The sizes of (φ₀, φ₁ ≤ φ₂ ≤ …) whose product is `number`; φ₀ may be constant."""

    def rest(left: int, smallest: int) -> list[tuple[int, ...]]:
        if left == 1:
            return [()]
        sizes = [f for f in range(smallest, left + 1) if left % f == 0]
        return [(f, *more) for f in sizes for more in rest(left // f, f)]

    zeros = [f for f in range(least, number + 1) if number % f == 0]
    return [(f, *more) for f in zeros for more in rest(number // f, 2)]


Cell = tuple[int, ...]
Placed = TypeVar("Placed", bound=Hashable)


def factorizations(
    worlds: Mapping[Placed, Fraction], secret: Callable[[Placed], str]
) -> Iterator[tuple[dict[Cell, Placed], list[Cell]]]:
    """All normalizations: the worlds at the cells of a grid, with all sets of the parameters but φ₀ (Definition 7).

    The parameters are independent, and φ₀ determines the sensitive value.
    """
    first, *others = worlds
    for sizes in grids(len(worlds)):
        cells, number = list(product(*(range(f) for f in sizes))), len(sizes)
        subsets = [chosen for size in range(number) for chosen in combinations(range(1, number), size)]
        for order in permutations(others):
            at = dict(zip(cells, (first, *order), strict=True))
            told: dict[int, str] = {}
            if any(told.setdefault(cell[0], secret(world)) != secret(world) for cell, world in at.items()):
                continue
            law: list[dict[int, Fraction]] = [{} for _ in range(number)]
            for cell, world in at.items():
                for j, x in enumerate(cell):
                    law[j][x] = law[j].get(x, Fraction(0)) + worlds[world]
            if all(worlds[w] == prod((law[j][x] for j, x in enumerate(c)), start=Fraction(1)) for c, w in at.items()):
                yield at, subsets


def factorizable(worlds: dict[World, Fraction]) -> bool:
    """Is there any normalization that is acceptable? (Definition 8.)"""
    found = factorizations(worlds, lambda world: world[1])
    return any(names(at, chosen, lambda world: world[0]) for at, subsets in found for chosen in subsets)


def names(at: dict[Cell, Placed], chosen: Cell, knowledge: Callable[[Placed], str]) -> bool:
    """Whether these parameters are the knowledge, under other names."""
    return bijection((tuple(cell[j] for j in chosen), knowledge(world)) for cell, world in at.items())


def bijection(pairs: Any) -> bool:
    forward: dict[Any, Any] = {}
    backward: dict[Any, Any] = {}
    return all(forward.setdefault(x, y) == y and backward.setdefault(y, x) == x for x, y in pairs)


def asked(worlds: dict[World, Fraction]) -> tuple[pk.Model, Acceptability]:
    """The model with these worlds as a table, and the answer at S."""
    values = sorted({v for _, _, d in worlds for v in d})
    model = pk.build(
        size=len(next(iter(worlds))[2]),
        values=values,
        distribution={
            "table": [
                {"database": list(d), "knowledge": b, "sensitive": s, "probability": p}
                for (b, s, d), p in worlds.items()
            ]
        },
        mechanism={"kind": "constant", "output": "c"},
    )
    (answer,) = pk.acceptable(model)
    return model, answer


@pytest.mark.parametrize("number", [1, 2, 3, pytest.param(4, marks=pytest.mark.sweep(0))])
def test_every_support_of_few_worlds(number: int) -> None:
    """Every B in {x, y, z}, S in {s, t} and weights 1 or 2, up to names."""
    found = 0
    for known in product("xyz"[: 1 + number // 2], repeat=number):
        for secret in product("st", repeat=number):
            for weight in product((1, 2), repeat=number):
                if known[0] != "x" or secret[0] != "s" or weight[0] != 1:
                    continue
                total = sum(weight)
                worlds: dict[World, Fraction] = {}
                for k in range(number):
                    worlds[known[k], secret[k], (f"d{k}",)] = Fraction(weight[k], total)
                model, answer = asked(worlds)
                assert answer.acceptable == factorizable(worlds), worlds
                found += answer.acceptable
                assert answer.acceptable or answer.reason
                assert word_on(answer.to_json(), model)[0].word == "confirmed"
    assert found


@given(cases())
@settings(max_examples=40)
def test_what_is_found_is_accepted_when_it_is_given(case: Case) -> None:
    model = pk.build(**case.keys)
    given_back = []
    for answer in (one.to_json() for one in pk.acceptable(model) if one.acceptable):
        entry = {"distribution": answer["distribution"], **answer["normalization"]}
        entry["table"] = [{k: v for k, v in row.items() if v is not None} for row in entry["table"]]
        given_back.append(entry if answer["record"] is None else {**entry, "record": answer["record"]})
    again = pk.build(**case.keys, normalization=given_back)
    for one in at_least_one(pk.acceptable(again)):
        assert one.objections == ((None,) if one.acceptable else ())


def test_values_that_look_like_numbered_names() -> None:
    """`0#1` is a value here, and would be the name of the first world with the value 0."""
    worlds: dict[World, Fraction] = {}
    for known in "xy":
        for k, secret in enumerate(["0", "0", "0#1"]):
            worlds[known, secret, (f"{known}{k}",)] = Fraction(1, 6)
    model, answer = asked(worlds)
    assert answer.acceptable
    assert word_on(answer.to_json(), model)[0].word == "confirmed"


@settings(max_examples=60)
@given(st.data())
def test_group_by_group_is_what_the_worlds_say(data: st.DataObject) -> None:
    """Independent groups, looked at one by one, against the listed worlds."""
    from verifier.questions.normalization.acceptability import Separate, _differ, separates

    def law(outcomes: list[Any]) -> dict[Any, str]:
        weights = data.draw(st.lists(st.integers(0, 2), min_size=len(outcomes), max_size=len(outcomes)).filter(any))
        return {one: f"{w}/{sum(weights)}" for one, w in zip(outcomes, weights, strict=True)}

    pair = [{"database": list(d), "probability": p} for d, p in law(list(product([0, 1], repeat=2))).items()]
    other = [{"database": list(d), "probability": p} for d, p in law(list(product([0, 1], repeat=2))).items()]
    groups = [{"size": 2, "table": pair}, {"iid": law([0, 1])}, {"size": 2, "table": other}]
    known = data.draw(st.lists(st.integers(0, 4), unique=True, max_size=4))
    model = pk.build(
        size=5,
        values=[0, 1],
        distribution={"groups": groups},
        mechanism={"kind": "count", "value": 1},
        **({"knowledge": {"records": known}} if known else {}),
    )
    theta = model.thetas[0]
    assert separates(model, theta)
    apart = Separate(model, theta, _differ)
    for answer in pk.acceptable(model):
        assert answer.record is not None
        assert (apart.reason(answer.record) == "") == answer.acceptable


def test_a_thousand_voters_are_acceptable_but_for_the_known() -> None:
    model = pk.build(
        size=1000,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        knowledge={"records": {"from": 0, "to": 99}},
        mechanism={"kind": "count", "value": 1},
    )
    answers = pk.acceptable(model)
    assert [answer.acceptable for answer in answers] == [False] * 100 + [True] * 900
    assert "determines the sensitive value" in (answers[0].reason or "")
    assert answers[999].to_json()["normalization"] == {"described": answers[999].described}
