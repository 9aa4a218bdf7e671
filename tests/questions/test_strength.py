"""Relative strength of knowledge against all factorizations, and Proposition 3 as a law (DMKB20, Definition 9)."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import weights
from test_acceptability import factorizations, names

import verifier as pk
from verifier.questions.properties import strength
from verifier.questions.properties.strength import stronger

pytestmark = pytest.mark.quick


World = tuple[str, str]
"""(B̂, D) of a single record with values in a small set."""
Law = dict[World, Fraction]
VALUES = ["a0", "a1", "b0", "b1", "a2", "a3"]
"""Databases of one record; what is protected is the letter, or the whole record."""


def brute(one: Law, two: Law, secrets: list[dict[str, str]], reading: str) -> bool:
    """All bijections of the worlds of θ₁ to all grids, all sets I₂ ⊆ I₁, and all names of the values of B₂."""
    if reading == "one-for-all":
        return some(one, two, {d: "|".join(s[d] for s in secrets) for d in VALUES}, reading)
    return all(some(one, two, secret, reading) for secret in secrets)


def some(one: Law, two: Law, secret: dict[str, str], reading: str) -> bool:
    for at, subsets in factorizations(one, lambda world: secret[world[1]]):
        for first in (chosen for chosen in subsets if names(at, chosen, lambda world: world[0])):
            if any(second_law(at, one, two, chosen, reading) for chosen in subsets if {*chosen} <= {*first}):
                return True
    return False


def second_law(at: dict[tuple[int, ...], World], one: Law, two: Law, second: tuple[int, ...], reading: str) -> bool:
    parts = sorted({tuple(c[j] for j in second) for c in at})
    names = sorted({heard for heard, _ in two})
    if len(parts) != len(names):
        return False
    for order in permutations(names):
        name = dict(zip(parts, order, strict=True))
        law: Law = {}
        for c, world in at.items():
            key = (name[tuple(c[j] for j in second)], world[1])
            law[key] = law.get(key, Fraction(0)) + one[world]
        if law == two and (reading == "joint" or len(law) == len(at)):
            return True
    return False


def model(law: Law, *, size: int = 1, mechanism: Any = None) -> pk.Model:
    return pk.build(
        size=size,
        values=VALUES,
        distribution={
            "table": [{"database": [d], "knowledge": k, "probability": str(p)} for (k, d), p in law.items() if p]
        },
        mechanism=mechanism or {"kind": "identity"},
        sensitive={"rows": [{"database": [d], "value": d[0]} for d in VALUES]},
    )


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Law, Law]:
    """Two laws; often θ₂ is made of θ₁, by forgetting something."""
    every = [(k, d) for k in "xyz" for d in VALUES]
    number = draw(st.sampled_from([1, 2, 3, 4, 4, 4, 5]))
    chosen = draw(st.lists(st.sampled_from(every), unique=True, min_size=number, max_size=number))
    uniform = st.just([Fraction(1, number)] * number)
    if draw(st.integers(0, 2)) == 0:  # as many values of B₁ as worlds: only what is beside B₂ is in question
        chosen = list(zip("wxyz", ["a0", "a1", "a2", "a3"], strict=True))[:number]
        number = len(chosen)
        uniform = st.just([Fraction(1, number)] * number)
    one = {w: p for w, p in zip(chosen, draw(st.one_of(uniform, weights(number, 2))), strict=True) if p}
    image = {k: draw(st.sampled_from("uvw")) for k in "wxyz"}
    two: Law = {}
    for (k, d), p in one.items():
        key = (image[k], d)
        two[key] = two.get(key, Fraction(0)) + p
    if draw(st.integers(0, 3)) == 0 and len(two) > 1:
        keys = draw(st.permutations(list(two)))
        two = dict(zip(keys, two.values(), strict=True))
    return one, two


READINGS = ["default", "joint", "one-for-all"]


@pytest.mark.parametrize("reading", READINGS)
@given(pairs())
@settings(max_examples=100, deadline=None)
def test_it_is_what_all_factorizations_say(reading: str, pair: tuple[Law, Law]) -> None:
    one, two = pair
    found = stronger(model(one), model(two), reading)
    assert found.verdict == ("holds" if brute(one, two, [{d: d[0] for d in VALUES}], reading) else "fails")


@st.composite
def grid_pairs(draw: st.DrawFn) -> tuple[pk.Model, pk.Model]:
    """Three independent parameters behind three records; θ₁ knows φ₁ and φ₂, θ₂ knows φ₁."""
    laws = [draw(weights(2, 3)) for _ in "012"]
    databases = draw(st.permutations(list(product((0, 1), repeat=3))))
    cells = list(product((0, 1), repeat=3))
    at = dict(zip(cells, databases, strict=True))
    target = draw(st.integers(0, 2))
    at = {cell: (*d[:target], cell[0], *d[target:]) for cell, d in at.items()}
    mechanism = {
        "rows": [
            {"database": list(d), "outputs": {"p": str(w[0]), "q": str(w[1])}}
            for d in product((0, 1), repeat=4)
            for w in [draw(weights(2, 4))]
        ]
    }

    def build(told: tuple[int, ...]) -> pk.Model:
        table = [
            {
                "database": list(d),
                "knowledge": "k" + "".join(str(cell[j]) for j in told),
                "probability": str(prod((laws[j][x] for j, x in enumerate(cell)), start=Fraction(1))),
            }
            for cell, d in at.items()
        ]
        return pk.build(
            size=4,
            values=[0, 1],
            distribution={"table": table},
            mechanism=mechanism,
            sensitive={"records": [target]},
        )

    return build((1, 2)), build((1,))


@given(grid_pairs())
@settings(max_examples=24, deadline=None)
def test_proposition_3_also_with_delta_and_for_passive_attackers(pair: tuple[pk.Model, pk.Model]) -> None:
    more, less = pair
    assert stronger(more, less).verdict == "holds"
    for name in ("apkdp", "ppkdp"):
        curves = [pk.check(one, name, epsilon="0", replay=False).profile for one in (more, less)]
        for epsilon in ("0", "ln(5/4)", "ln(2)", "ln(4)", "inf"):
            assert curves[1].delta(epsilon).a <= curves[0].delta(epsilon).a


COIN = {
    ("x", "a0"): Fraction(1, 4),
    ("y", "a0"): Fraction(1, 4),
    ("x", "b0"): Fraction(1, 4),
    ("y", "b0"): Fraction(1, 4),
}
NOTHING = {("u", "a0"): Fraction(1, 2), ("u", "b0"): Fraction(1, 2)}


def test_a_coin_of_her_own_is_knowledge_only_jointly() -> None:
    assert stronger(model(COIN), model(NOTHING)).verdict == "fails"
    assert stronger(model(COIN), model(NOTHING), "joint").verdict == "holds"
    assert stronger(model(NOTHING), model(COIN), "joint").verdict == "fails"


def records(known: list[int], sensitive: list[int], law: dict[int, str] | None = None) -> pk.Model:
    return pk.build(
        size=3,
        values=[0, 1],
        distribution={"iid": law or {0: "1/3", 1: "2/3"}},
        knowledge={"records": known},
        sensitive={"records": sensitive},
        mechanism={"kind": "sum"},
    )


def test_known_records() -> None:
    assert stronger(records([0, 1], [2]), records([0], [2])).verdict == "holds"
    assert stronger(records([0], [2]), records([0], [2])).verdict == "holds"
    assert stronger(records([1], [2]), records([0], [2])).verdict == "fails"
    assert "no acceptable" in str(stronger(records([0, 1], [1]), records([0], [1])).reason)
    assert "P[D = " in str(stronger(records([0, 1], [2], {0: "1/2", 1: "1/2"}), records([0], [2])).reason)


def test_forgetting_is_not_enough() -> None:
    """B₁ = (D(0), D(1)), B₂ = max: a function of B₁, but B₁ is not B₂ with something independent."""
    found = stronger(
        records([0, 1], [2]),
        pk.build(
            size=3,
            values=[0, 1],
            distribution={"iid": {0: "1/3", 1: "2/3"}},
            knowledge=lambda d: max(d[0], d[1]),
            sensitive={"records": [2]},
            mechanism={"kind": "sum"},
        ),
    )
    assert found.verdict == "fails"
    assert "no parameter that is independent of B₂" in str(found.reason)


def test_a_search_that_is_cut_off_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "MAX_NODES", 1)
    found = stronger(model(COIN), model(COIN), "joint")
    assert found.verdict == "undecided"
    assert found.exit_status == 3


def test_one_normalization_for_all_records() -> None:
    """D(0) and D(1) are each independent of B = whether they agree; together they are not."""

    def build(knowledge: Any) -> pk.Model:
        return pk.build(
            size=2,
            values=[0, 1],
            distribution={"iid": {0: "1/2", 1: "1/2"}},
            knowledge=knowledge,
            mechanism={"kind": "sum"},
        )

    agree, nothing = build({"kind": "parity", "value": 1}), build({"records": []})
    assert stronger(agree, nothing).verdict == "holds"
    assert stronger(agree, nothing, "one-for-all").verdict == "fails"
