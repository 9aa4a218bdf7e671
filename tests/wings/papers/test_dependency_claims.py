"""The claims of DMKB20, section 5.1, that are false, derived a second time from worlds and fractions alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import table_of, weights

import verifier as pk
from verifier.model.library import models_folder

F = Fraction
Law = dict[tuple[Any, Any], Fraction]
Worlds = list[tuple[tuple[Any, ...], Fraction]]


def outputs(worlds: Worlds, two: Callable[[Any], Law], given_: Callable[[Any], bool]) -> Law:
    """P[(o₁, o₂) | an event of the database]."""
    law: Law = {}
    for database, p in worlds:
        if given_(database):
            for pair, q in two(database).items():
                law[pair] = law.get(pair, F(0)) + p * q
    return {pair: p / sum(law.values()) for pair, p in law.items() if p}


def alone(law: Law, place: int, what: Any) -> Fraction:
    return sum((p for pair, p in law.items() if pair[place] == what), F(0))


def factor(p: Law, q: Law, pair: Any) -> Fraction | None:
    """e^Dep of Definition 17 by the conditional laws; None for ∞ - ∞ and for x/0."""
    one, two = pair
    known = q.get(pair, F(0)) / alone(q, 0, one)
    before = alone(q, 1, two)
    if not known or not before:
        return None
    return (p[pair] / alone(p, 0, one) / known) / (alone(p, 1, two) / before)


def bits(number: int) -> Worlds:
    return [(database, F(1, 2**number)) for database in product((0, 1), repeat=number)]


def answer(name: str, reading: str, epsilon: str = "1") -> tuple[str, str]:
    model = pk.read(models_folder() / "DMKB20" / "composition" / name)
    found = pk.check(model, "dependency", epsilon=epsilon, reading=reading)
    return str(found.tight_delta), str(found.tight_epsilon)


def test_theorem_6_has_the_dependency_once() -> None:
    yes = {0: F(1, 3), 1: F(1, 2), 2: F(2, 3)}

    def two(d: tuple[int, int]) -> Law:
        said = {d[1]: F(3, 4), 1 - d[1]: F(1, 4)}
        return {(s, t): p * (yes[sum(d)] if t else 1 - yes[sum(d)]) for s, p in said.items() for t in (0, 1)}

    p, q = (outputs(bits(2), two, lambda d, a=a: d[0] == a) for a in (0, 1))  # type: ignore[misc]
    dep = factor(p, q, (1, 1))
    assert dep == F(77, 75)
    first, second = (alone(p, k, 1) / alone(q, k, 1) for k in (0, 1))
    assert (p[1, 1], q[1, 1], first, second) == (F(11, 48), F(15, 48), F(1), F(5, 7))
    assert p[1, 1] / q[1, 1] == dep * first * second == F(11, 15)
    assert dep**2 * first * second == F(847, 1125)
    largest = [factor(one, other, pair) for one, other in ((p, q), (q, p)) for pair in one]
    assert max(x for x in largest if x is not None) == F(65, 63)
    assert answer("theorem-6-two-dependencies.toml", "default", "0") == ("1/70", "ln(65/63)")


def test_proposition_9_given_the_target() -> None:
    def two(d: tuple[int, int]) -> Law:
        return {(d[0], d[0] ^ d[1]): F(1)}

    whole = outputs(bits(2), two, lambda _: True)
    assert all(p == alone(whole, 0, s) * alone(whole, 1, t) for (s, t), p in whole.items())
    assert len(whole) == 4
    p, q = (outputs(bits(2), two, lambda d, a=a: d[1] == a) for a in (0, 1))  # type: ignore[misc]
    # the first loss is infinite (Q(o₂ | o₁) = 0 < P(o₂ | o₁)), the second is 0: Dep = ∞ for all of P
    assert not p.keys() & q.keys()
    assert all(alone(q, 0, s) and alone(p, 1, t) == alone(q, 1, t) for s, t in p)
    for reading in pk.DEFINITIONS["dp"].readings.keys() & {"default"} | {
        "no-loss",
        "equal-infinities",
        "infinite-loss",
    }:
        assert answer("proposition-9-given-the-target.toml", reading) == ("1", "inf")


def test_proposition_9_given_the_knowledge() -> None:
    def two(d: tuple[int, int, int]) -> Law:
        return {(d[0], d[1] ^ d[2]): F(1)}

    for known in (0, 1):
        p, q = (
            outputs(bits(3), two, lambda d, a=a, known=known: d[2] == a and d[0] ^ d[1] == known)  # type: ignore[misc]
            for a in (0, 1)
        )  # fmt: skip
        assert all(
            pair not in q and alone(q, 0, pair[0]) and alone(p, 1, pair[1]) == alone(q, 1, pair[1]) for pair in p
        )
    for reading in ("default", "no-loss", "equal-infinities", "infinite-loss"):
        assert answer("proposition-9-given-the-knowledge.toml", reading) == ("1", "inf")


def test_a_constant_is_depended_on_as_infinities_are_printed() -> None:
    """L(o₂; o₁) = L(o₂) = ln(1/0) = ∞, and ∞ - ∞ = ∞."""
    p, q = (outputs(bits(1), lambda d: {("nothing", d[0]): F(1)}, lambda d, a=a: d[0] == a) for a in (0, 1))  # type: ignore[misc]
    assert (p, q) == ({("nothing", 0): F(1)}, {("nothing", 1): F(1)})
    assert answer("proposition-9-constant.toml", "default") == ("1", "inf")
    assert answer("proposition-9-constant.toml", "equal-infinities", "0") == ("0", "0")


def people(number: int, law: dict[str, Fraction]) -> Worlds:
    worlds = []
    for database in product(law, repeat=number):
        p = F(1)
        for one in database:
            p *= law[one]
        worlds.append((database, p))
    return worlds


def days(database: Any) -> Law:
    return {tuple(sum(one[day] == "1" for one in database) for day in (0, 1)): F(1)}


def nearness(law: dict[str, Fraction], day: int) -> Fraction:
    """e^c: how far the second day given the first is from the law of a day."""
    found = F(1)
    for first, second in product("01", repeat=2):
        given_first = law[first + second] / (law[first + "0"] + law[first + "1"])
        reference = sum((p for one, p in law.items() if one[day] == second), F(0))
        found = max(found, given_first / reference, reference / given_first)
    return found


def largest(number: int, law: dict[str, Fraction]) -> Fraction:
    """The largest finite e^Dep."""
    worlds, found = people(number, law), F(0)
    for a, b in product(law, repeat=2):
        if a != b:
            p, q = (outputs(worlds, days, lambda d, v=v: d[0] == v) for v in (a, b))  # type: ignore[misc]
            pairs = [pair for pair in p if alone(q, 0, pair[0]) and alone(q, 1, pair[1])]
            found = max([found, *(x for pair in pairs if (x := factor(p, q, pair)) is not None)])
    return found


def test_example_9() -> None:
    law = {"00": F(1, 6), "01": F(1, 3), "10": F(1, 3), "11": F(1, 6)}
    assert nearness(law, 0) == nearness(law, 1) == F(3, 2)
    assert largest(2, law) <= F(9, 4)
    assert largest(3, law) == F(5, 2) > F(9, 4)
    assert answer("example-9-three-people.toml", "equal-infinities", "2*ln(3/2)")[1] == "ln(5/2)"
    assert answer("example-9-three-people.toml", "default", "2*ln(3/2)")[1] == "inf"
    other = {"00": F(1, 11), "01": F(3, 11), "10": F(4, 11), "11": F(3, 11)}
    assert nearness(other, 0) == F(11, 7)
    assert largest(2, other) == F(5, 2) > F(121, 49)


@st.composite
def apart(draw: st.DrawFn) -> pk.Model:
    """Independent records, two mechanisms on disjoint sets of them, some records known."""
    values: list[Any] = draw(st.sampled_from([[0, 1], [0, 1, 2]]))
    size = 3 if len(values) == 2 else 2
    cut = draw(st.integers(0, size))
    parts = [range(cut), range(cut, size)]
    of = []
    for part in parts:
        law = {one: table_of(["p", "q"], draw(weights(2))) for one in product(values, repeat=len(part))}
        of.append(lambda d, part=part, law=law: law[tuple(d[i] for i in part)])
    mixed = draw(st.permutations(range(size)))
    return pk.build(
        size=size,
        values=values,
        distribution={"independent": [table_of(values, draw(weights(len(values)))) for _ in range(size)]},
        knowledge={"records": draw(st.lists(st.sampled_from(range(size)), unique=True))},
        mechanism={
            "kind": "all",
            "of": [lambda d, one=one: one([d[mixed[i]] for i in range(size)]) for one in of],
        },
    )


@given(apart())
@settings(max_examples=30)
def test_proposition_9_repaired(model: pk.Model) -> None:
    found = pk.check(model, "dependency", epsilon="0", reading="equal-infinities")
    assert found.verdict in {"holds", "vacuous"}
