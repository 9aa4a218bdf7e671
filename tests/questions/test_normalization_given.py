"""Normalizations that a file gives: accepted where Definitions 7 and 8 hold, else refused with the condition."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import verifier as pk
from verifier.questions.normalization.generating_table import worlds_of

pytestmark = pytest.mark.quick


LAW = {"0": "1/3", "1": "2/3"}
GIVEN: dict[str, Any] = {
    "record": 2,
    "parameters": [{"name": name, "table": LAW} for name in ("φ0", "φ1", "φ2")],
    "table": [{"when": [c, a, b], "database": [a, b, c]} for c, a, b in product((0, 1), repeat=3)],
    "knowledge": ["φ1"],
}


def why(given: dict[str, Any]) -> str | None:
    """The reason at record 2 of three independent records, of which the first is known."""
    model = pk.build(
        size=3,
        values=[0, 1],
        distribution={"iid": LAW},
        knowledge={"records": [0]},
        sensitive={"records": [2, 1]},
        mechanism={"kind": "identity"},
        normalization=[given],
    )
    at_two, at_one = pk.acceptable(model)
    assert at_one.objections == ()
    (reason,) = at_two.objections
    entry = at_two.to_json()["given"]
    assert entry == [{"accepted": reason is None, "reason": reason}]
    return reason


def changed(**keys: Any) -> dict[str, Any]:
    return {**deepcopy(GIVEN), **keys}


def row(number: int, **keys: Any) -> dict[str, Any]:
    given = deepcopy(GIVEN)
    given["table"][number] |= keys
    return given


def test_a_right_one_is_accepted() -> None:
    assert why(GIVEN) is None


def test_a_finer_one_with_merged_parameters_is_accepted() -> None:
    """(D(2), D(1)) as one φ₀."""
    both = {f"{c}{b}": f"{2 ** (c + b)}/9" for c, b in product((0, 1), repeat=2)}
    table = [{"when": [f"{c}{b}", a], "database": [a, b, c]} for c, a, b in product((0, 1), repeat=3)]
    parameters = [{"name": "rest", "table": both}, {"name": "known", "table": LAW}]
    assert why(changed(parameters=parameters, table=table, knowledge=["known"])) is None


def test_any_bijection_may_name_the_knowledge() -> None:
    given = deepcopy(GIVEN)
    given["parameters"][1]["table"] = {"zero": "1/3", "one": "2/3"}
    for one in given["table"]:
        one["when"][1] = ["zero", "one"][one["when"][1]]
    assert why(given) is None


def swapped_rows() -> dict[str, Any]:
    given = deepcopy(GIVEN)
    table = given["table"]
    table[0]["database"], table[7]["database"] = table[7]["database"], table[0]["database"]
    return given


def other_law(which: int, law: dict[str, str]) -> dict[str, Any]:
    given = deepcopy(GIVEN)
    given["parameters"][which]["table"] = law
    return given


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (changed(knowledge=["φ0", "φ1"]), "cannot be part of the knowledge"),
        (changed(knowledge=[]), "knowing no parameter does not determine the knowledge"),
        (changed(knowledge=["φ2"]), "φ2 = 0 does not determine the knowledge"),
        (changed(knowledge=["φ1", "φ2"]), "not injective"),
        (changed(table=GIVEN["table"][1:]), "no row for"),
        (changed(table=[*GIVEN["table"], GIVEN["table"][0]]), "two rows"),
        (row(0, database=[0, 1, 0]), "not injective"),
        (swapped_rows(), "does not determine the sensitive value"),
        (other_law(2, {"0": "1/2", "1": "1/2"}), "probability"),
        (other_law(1, {"0": "2/3", "1": "1/3"}), "probability"),
        (other_law(0, {"0": "2/3", "1": "1/3"}), "probability"),
        (other_law(2, {"0": "1", "1": "0"}), "probability 0"),
    ],
)
def test_a_wrong_one_is_refused_with_the_condition(given: dict[str, Any], reason: str) -> None:
    found = why(given)
    assert found is not None
    assert reason in found


@pytest.mark.parametrize("given", [row(7, when=[1, 1, 5]), other_law(2, {"0": "1"})], ids=["a row", "a law"])
def test_a_row_for_a_value_that_no_parameter_has_is_refused_when_it_is_read(given: dict[str, Any]) -> None:
    with pytest.raises(pk.InputError, match="Expected a value of the parameter"):
        why(given)


def test_a_dependent_pair_has_none_and_a_given_one_is_refused() -> None:
    model = pk.build(
        size=2,
        values=[0, 1],
        distribution={"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]},
        knowledge={"records": [0]},
        sensitive={"records": [1]},
        mechanism={"kind": "identity"},
        normalization=[
            {
                "record": 1,
                "parameters": [{"name": "s", "table": {"0": "1/2", "1": "1/2"}}],
                "table": [{"when": [v], "database": [v, v]} for v in (0, 1)],
            }
        ],
    )
    (answer,) = pk.acceptable(model)
    assert not answer.acceptable
    assert answer.objections[0] is not None


def test_a_knowledge_column_is_checked_against_the_rows() -> None:
    def built(known: str) -> str | None:
        rows = [{"database": [v], "knowledge": k, "probability": "1/4"} for v in (0, 1) for k in "xy"]
        table = [{"when": [v, k], "database": [v], "knowledge": k} for v in (0, 1) for k in "xy"]
        if known == "swapped":
            table[0]["knowledge"], table[1]["knowledge"] = "y", "x"
        if known == "unknown":
            table[0]["knowledge"] = "z"
        model = pk.build(
            size=1,
            values=[0, 1],
            distribution={"table": rows},
            mechanism={"kind": "identity"},
            normalization=[
                {
                    "record": 0,
                    "parameters": [
                        {"name": "s", "table": {"0": "1/2", "1": "1/2"}},
                        {"name": "b", "table": {"x": "1/2", "y": "1/2"}},
                    ],
                    "table": table,
                    "knowledge": ["b"],
                }
            ],
        )
        return pk.acceptable(model)[0].objections[0]

    assert built("right") is None
    assert built("swapped") is not None
    assert built("unknown") is not None


def test_a_row_that_contradicts_the_channel_is_not_accepted() -> None:
    """B = D(0) here, so a row that claims another B̂ generates an impossible world."""
    given = deepcopy(GIVEN)
    given["table"][0]["knowledge"] = "[1]"
    try:
        reason = why(given)
    except pk.InputError:
        return
    assert reason is not None


def noisy(given: list[dict[str, Any]]) -> pk.Model:
    """D(0) is drawn apart from what is known, which is the bit D(1), or a third value half of the time if that is 1."""
    heard = ({"no": "1"}, {"yes": "1/2", "silent": "1/2"})
    known = [{"database": [a, b], "outputs": heard[b]} for a, b in product((0, 1), repeat=2)]
    return pk.build(
        size=2,
        values=[0, 1],
        distribution={"iid": LAW},
        knowledge={"table": known},
        sensitive={"records": [0]},
        mechanism={"kind": "identity"},
        normalization=given,
    )


def normalized(**silent: Any) -> dict[str, Any]:
    """The normalization of it by D(0) and by what is known; `silent` are other entries of its third row."""
    heard = {"no": "1/3", "yes": "1/3", "silent": "1/3"}
    rows = [
        {"when": [a, b], "database": [a, int(b != "no")], "knowledge": b}
        for a in (0, 1)
        for b in ("no", "yes", "silent")
    ]
    rows[2] = {key: value for key, value in {**rows[2], **silent}.items() if value is not None}
    parameters = [{"name": "mine", "table": LAW}, {"name": "heard", "table": heard}]
    return {"record": 0, "parameters": parameters, "table": rows, "knowledge": ["heard"]}


def test_knowledge_may_be_random_in_some_worlds_alone() -> None:
    """A row that does not say what is known there is refused; where nothing is random it need not say so."""
    (answer,) = pk.acceptable(noisy([normalized()]))
    assert answer.acceptable
    assert answer.objections == (None,)
    with pytest.raises(pk.InputError, match="the knowledge is random, and a row of the generating table lacks"):
        pk.acceptable(noisy([normalized(knowledge=None)]))
    certain = normalized()
    for one in certain["table"]:
        if one["knowledge"] == "no":
            del one["knowledge"]
    assert pk.acceptable(noisy([certain]))[0].objections == (None,)


def test_the_worlds_of_a_random_channel_have_probability_one_in_all() -> None:
    """Also where some worlds leave B certain and others draw it."""
    (theta,) = noisy([]).thetas
    (secret,) = noisy([]).secrets
    worlds, denominator = worlds_of(theta, secret)
    chances = {(b.text, s.text, d): Fraction(w, denominator) for (b, s, d), w in worlds.items()}
    law = {0: Fraction(1, 3), 1: Fraction(2, 3)}
    heard = {0: {"no": Fraction(1)}, 1: {"yes": Fraction(1, 2), "silent": Fraction(1, 2)}}
    assert chances == {
        (known, str(a), (a, b)): law[a] * law[b] * chance
        for a, b in product((0, 1), repeat=2)
        for known, chance in heard[b].items()
    }


def test_a_normalization_of_another_database_is_refused() -> None:
    """It makes the only possible world never: that is what is said, and not that it makes it too seldom."""
    given = {
        "record": 0,
        "parameters": [{"name": "s", "table": {"a": "1"}}],
        "table": [{"when": ["a"], "database": [1]}],
    }
    keys = {"size": 1, "values": [0, 1], "mechanism": {"kind": "identity"}, "normalization": [given]}
    (answer,) = pk.acceptable(pk.build(**keys, distribution={"iid": {0: "1", 1: "0"}}))
    assert answer.objections == ("the database [0] gets probability 0, but the distribution gives it 1",)
    (answer,) = pk.acceptable(pk.build(**keys, distribution={"iid": {0: "0", 1: "1"}}))
    assert answer.objections == (None,)
