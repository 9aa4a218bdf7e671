"""Neighbours by name: each relation of `[policy] neighbours` against plain pairs of databases, and its words."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.definitions import find
from verifier.definitions.definition import NEEDS
from verifier.definitions.registry import find_for_all, register
from verifier.model.neighbours import NEIGHBOURS

Vector = tuple[Fraction, ...]
Law = dict[str, Fraction]
MOVES: dict[str, Callable[[list[Fraction]], bool]] = {
    "change": lambda apart: sum(x != 0 for x in apart) == 1,
    "every-entry-by-one": lambda apart: all(-1 <= x <= 1 for x in apart),
    "one-entry": lambda apart: sum(x != 0 for x in apart) == 1 and all(-1 <= x <= 1 for x in apart),
    "one-direction": lambda apart: all(0 <= x <= 1 for x in apart) or all(-1 <= x <= 0 for x in apart),
}
"""What relations say of the differences of two vectors, which are not all 0."""
VALUES: list[list[Any]] = [[-1, 0, 1], [0, 1, 3], [2, "1/2", 1], [0, 1], [5, 3, 4]]
OF_THE_FAMILY = ("dp", "adp", "dp-any", "prodp", "zcodp", "renyidp", "klpr", "tail-dp", "pidp", "subdp", "grdp", "wfdp")
FIELDS: dict[str, Any] = {
    "order": 2, "record": 0, "image": {"x": "u", "y": "u", "z": "v"}, "group": 1, "blocks": [[0], [1]],
    "views": [{"x": 0, "y": 0, "z": 1}, {"x": 1, "y": 0, "z": 0}], "tradeoff": [["0", "1/2"], ["1", "0"]],
}  # fmt: skip


def drawn(seed: int) -> tuple[dict[str, Any], dict[Vector, Law]]:
    """The keys of a model of two vectors of answers, and its laws by numbers."""
    draw = random.Random(seed)  # noqa: S311 - a model, not a secret
    values = draw.choice(VALUES)
    laws, rows = {}, []
    for database in product(values, repeat=2):
        weights = [draw.choice((1, 1, 2, 3, 5, 8)) for _ in "xyz"]
        law = {output: Fraction(w, sum(weights)) for output, w in zip("xyz", weights, strict=True)}
        laws[tuple(Fraction(v) for v in database)] = law
        rows.append({"database": list(database), "outputs": {o: str(p) for o, p in law.items()}})
    return {"size": 2, "values": values, "mechanism": {"table": rows}}, laws


def pairs(laws: dict[Vector, Law], name: str) -> list[tuple[Law, Law]]:
    """The ordered pairs of the laws of neighbours."""
    near = MOVES[name]
    return [
        (laws[d], laws[e])
        for d, e in permutations(laws, 2)
        if near([b - a for a, b in zip(d, e, strict=True)])
    ]  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("seed", range(12))
def test_a_relation_compares_all_its_pairs(seed: int, name: str) -> None:
    keys, laws = drawn(seed)
    model = pk.build(**keys, policy={"neighbours": name})
    compared = pairs(laws, name)
    ratio = max((p[o] / q[o] for p, q in compared for o in p), default=Fraction(1))
    delta = max((sum(max(Fraction(0), p[o] - 2 * q[o]) for o in p) for p, q in compared), default=Fraction(0))
    for key in ("dp", "adp", "dp-any"):
        answer = pk.check(model, key)
        assert str(answer.tight_epsilon) == str(pk.epsilon(f"ln({ratio})")), key
        assert answer.relation is not None
        assert answer.relation.name == answer.to_json()["relation"] == name
    assert str(pk.check(model, "dp", epsilon="ln(2)").tight_delta) == str(delta)


@pytest.mark.parametrize("name", NEIGHBOURS)
@pytest.mark.parametrize("seed", range(3))
def test_the_checker_finds_the_same_of_the_whole_family(seed: int, name: str) -> None:
    keys, _ = drawn(seed)
    fixed = keys["values"][:1] * 2
    for absent in at_least_one([{}, {"absent": keys["values"][0]}]):
        model = pk.build(**keys, policy={"neighbours": name, **FIELDS, "fixed": fixed, **absent})
        for key in at_least_one(OF_THE_FAMILY):
            answer = pk.check(model, key)
            missing = bool(absent) or name not in {"add-remove", "any"}
            of_one_record = name in {"change", "add-remove", "any"}
            decided = missing and (of_one_record or (not absent and key != "grdp"))
            assert (answer.verdict != "unsupported") == decided, (key, answer.reason)
            assert answer.replayed is (True if decided else None), (key, answer.unchecked)


def test_a_restriction_keeps_the_other_entries() -> None:
    keys, laws = drawn(1)
    model = pk.build(**keys, policy={"neighbours": "every-entry-by-one"}, sensitive={"records": [1]})
    compared = [
        (laws[d], laws[e]) for d, e in permutations(laws, 2) if d[0] == e[0] and abs(d[1] - e[1]) <= 1
    ]  # fmt: skip
    ratio = max(p[o] / q[o] for p, q in compared for o in p)
    assert str(pk.check(model, "dp").tight_epsilon) == str(pk.epsilon(f"ln({ratio})"))


def test_one_order_is_of_one_record() -> None:
    keys, _ = drawn(0)
    verdicts = {
        name: pk.check(pk.build(**keys, policy={"neighbours": name}), "dp", reading="one-order").verdict
        for name in MOVES
    }
    assert verdicts == {
        "change": "holds", "one-entry": "holds", "every-entry-by-one": "unsupported", "one-direction": "unsupported"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"values": ["a", "b"]}, "values that are numbers"),
        ({"size": [0, 1], "values": [0, 1]}, "one size"),
        ({"values": [0, 1], "policy": {"neighbours": "one-entry", "absent": 0}}, "no entry is `absent`"),
    ],
)
def test_vectors_are_numbers_of_one_size(keys: dict[str, Any], reason: str) -> None:
    model = pk.build(
        **{"size": 1, "policy": {"neighbours": "one-entry"}, "mechanism": {"kind": "constant", "output": "x"}, **keys}
    )
    assert reason in str(pk.check(model, "dp").reason)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ({}, "one record is replaced (replace one: bounded, REPLACE_ONE, change-one)"),
        (
            {"neighbours": "add-remove", "absent": 0},
            'one record becomes "0", or stops being it (replace with a',
        ),
        ({"neighbours": "any", "absent": 0}, "one record is replaced, or one record becomes"),
        ({"neighbours": "one-direction"}, "all in the same direction"),
    ],
)
def test_the_first_line_names_the_relation(policy: dict[str, Any], words: str) -> None:
    model = pk.build(size=1, values=[0, 1], mechanism={"kind": "identity"}, policy=policy)
    assert words in pk.check(model, "dp").relation.text  # type: ignore[union-attr]
    thetas = pk.build(size=1, values=[0, 1], mechanism={"kind": "identity"}, distribution={"iid": "uniform"})
    assert pk.check(thetas, "np").to_json()["relation"] is None


def test_names_that_ask_more_than_their_definition() -> None:
    reported = {"kind": "randomized-response", "keep": "1/2"}
    one, two = (pk.build(size=n, values=[0, 1], mechanism=reported) for n in (1, 2))
    assert str(pk.check(one, "ldp").tight_epsilon) == "ln(3)"
    assert pk.check(two, "ldp").verdict == "unsupported"
    assert pk.check(two, "pure-dp").verdict == pk.check(two, "approximate-dp", delta="1/10").verdict == "holds"
    assert pk.check(two, "pure-dp", delta="1/10").verdict == "unsupported"
    assert find("zcdp") is find("zcodp")
    for name in ("ldp", "pure-dp"):
        with pytest.raises(pk.InputError, match=f"{name} is dp for some models"):
            find_for_all(name)
        assert name in NEEDS
    vectors = pk.build(size=1, values=[0, 1], mechanism={"kind": "identity"}, policy={"neighbours": "one-entry"})
    assert pk.check(vectors, "bodp").verdict == "unsupported"
    with pytest.raises(pk.InputError, match="already a definition with the name zcdp"):
        register(pk.Definition("zcdp", "t", "s", "f", "neighbours"))
