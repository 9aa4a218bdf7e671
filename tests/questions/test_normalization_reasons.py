"""The reasons and names that answers about normalizations give: each says what is true of the worlds."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier.checker.numbers import Rejected, Wrong
from verifier.questions.normalization.acceptability import separates
from verifier.recheck import word_on

World = tuple[str, str, int]
"""(B̂, S, weight); each is a database of its own."""


def model_of(worlds: list[World], **keys: Any) -> pk.Model:
    """A table of these worlds, about S."""
    total = sum(weight for _, _, weight in worlds)
    rows = [
        {"database": [f"d{k}"], "knowledge": known, "sensitive": secret, "probability": f"{weight}/{total}"}
        for k, (known, secret, weight) in enumerate(worlds)
    ]
    values = [f"d{k}" for k in range(len(worlds))]
    mechanism = {"kind": "constant", "output": "c"}
    return pk.build(size=1, values=values, distribution={"table": rows}, mechanism=mechanism, **keys)


def chances(worlds: list[World], known: str, secret: str) -> list[Fraction]:
    """P[ω | B̂] of the worlds with this knowledge and this sensitive value."""
    total = sum(weight for heard, _, weight in worlds if heard == known)
    return sorted(Fraction(weight, total) for heard, s, weight in worlds if (heard, s) == (known, secret))


def acceptable(worlds: list[World]) -> bool:
    """Whether all B̂ look alike."""
    secrets = sorted({secret for _, secret, _ in worlds})
    return len({tuple(tuple(chances(worlds, b, s)) for s in secrets) for b, _, _ in worlds}) == 1


@st.composite
def listed(draw: st.DrawFn) -> list[World]:
    """Worlds of two or three B̂, of which many are near to looking alike."""
    entries = st.tuples(st.sampled_from("st"), st.integers(1, 3))
    fibre = draw(st.lists(entries, min_size=1, max_size=3))
    fibres = [fibre]
    for _ in range(draw(st.integers(1, 2))):
        other = draw(st.permutations(fibre))
        scale = draw(st.integers(1, 2))
        other = [(secret, weight * scale) for secret, weight in other]
        if draw(st.booleans()):
            spoiled = draw(st.integers(0, len(other) - 1))
            secret, weight = other[spoiled]
            change = draw(st.sampled_from(["secret", "weight", "split", "swap"]))
            if change == "secret":
                other[spoiled] = draw(st.sampled_from("st")), weight
            elif change == "weight":
                other[spoiled] = secret, weight + 1
            elif change == "split":
                other = [(secret, 2 * weight) for secret, weight in other]
                other[spoiled : spoiled + 1] = [(secret, weight), (secret, weight)]
            else:
                other = [(secret, 3 * weight) for secret, weight in other]
                other[spoiled : spoiled + 1] = [(secret, weight), (secret, 2 * weight)]
        fibres.append(other)
    worlds = [("xyz"[k], secret, weight) for k, fibre in enumerate(fibres) for secret, weight in fibre]
    return [worlds[0], *draw(st.permutations(worlds[1:]))]


@given(listed())
def test_an_answer_is_confirmed_and_the_other_one_rejected(worlds: list[World]) -> None:
    model = model_of(worlds)
    (answer,) = pk.acceptable(model)
    assert answer.acceptable == acceptable(worlds)
    assert word_on(answer.to_json(), model)[0].word == "confirmed"
    told = {**answer.to_json(), "acceptable": not answer.acceptable}
    with pytest.raises((Rejected, Wrong)):
        word_on(told, model)


@pytest.mark.parametrize(
    ("worlds", "reason"),
    [
        (
            [("x", "s", 1), ("y", "t", 2)],
            "B = x makes S = s certain, B = y makes it t: the knowledge determines the sensitive value",
        ),
        (
            [("x", "s", 1), ("x", "t", 1), ("y", "t", 2)],
            "P[S = s | B = x] = 1/2 but P[S = s | B = y] = 0: the knowledge depends on the sensitive value",
        ),
        (
            [("x", "s", 1), ("x", "s", 1), ("x", "t", 2), ("y", "t", 3), ("y", "s", 3)],
            (
                "with S = s, B = x leaves 2 possible worlds but B = y leaves 1 possible world: "
                "an injective parameter apart from B cannot count both"
            ),
        ),
        (
            [("x", "s", 1), ("x", "s", 3), ("x", "t", 4), ("y", "t", 2), ("y", "s", 1), ("y", "s", 1)],
            (
                "with S = s, the worlds have the probabilities {1/8, 3/8} given B = x but {1/4, 1/4} given B = y: "
                "no parameter that is independent of B has both laws"
            ),
        ),
        (
            [("x", "s", 1)] * 8 + [("x", "s", 8)] + [("y", "s", 1)] * 7 + [("y", "s", 4), ("y", "s", 5)],
            (
                "with S = s, the worlds have the probabilities "
                "{1/16, 1/16, 1/16, 1/16, 1/16, 1/16, 1/16, 1/16, …} given B = x but "
                "{1/16, 1/16, 1/16, 1/16, 1/16, 1/16, 1/16, 1/4, …} given B = y: "
                "no parameter that is independent of B has both laws"
            ),
        ),
        (
            [("x", "s", 1)] * 7 + [("x", "s", 3)] + [("y", "s", 1)] * 6 + [("y", "s", 2)] * 2,
            (
                "with S = s, the worlds have the probabilities {1/10, 1/10, 1/10, 1/10, 1/10, 1/10, 1/10, 3/10} "
                "given B = x but {1/10, 1/10, 1/10, 1/10, 1/10, 1/10, 1/5, 1/5} given B = y: "
                "no parameter that is independent of B has both laws"
            ),
        ),
    ],
)
def test_reasons_by_hand(worlds: list[World], reason: str) -> None:
    (answer,) = pk.acceptable(model_of(worlds))
    assert answer.reason == reason
    assert answer.to_json()["reason"] == reason


@pytest.mark.parametrize("digits", [39, 40])
def test_probabilities_of_more_than_forty_digits_are_cut(digits: int) -> None:
    """1/N and 2/N have one digit more than N."""
    n = 10**digits - 1
    (answer,) = pk.acceptable(model_of([("x", "s", 1), ("x", "s", n - 1), ("y", "s", 2), ("y", "s", n - 2)]))
    shown = str(n) if digits == 39 else f"{str(n)[:20]}… (41 digits)"
    assert f"{{1/{shown}, " in (answer.reason or "")
    assert f"{{2/{shown}, " in (answer.reason or "")


def test_names_of_phi_0() -> None:
    """Sensitive values where they are enough, else numbers from 1 that are no value; databases where B̂ is one."""
    worlds = [(b, s, w) for b in "xy" for s, w in (("s", 1), ("s", 2), ("t", 1), ("s", 3))]
    (answer,) = pk.acceptable(model_of(worlds))
    names, rows = answer.to_json()["normalization"]["parameters"], answer.to_json()["normalization"]["table"]
    assert names == [
        {"name": "φ0", "table": {"s#1": "1/7", "s#2": "2/7", "s#3": "3/7", "t": "1/7"}},
        {"name": "φ1", "table": {"x": "1/2", "y": "1/2"}},
    ]
    assert [(row["when"], row["database"], row["knowledge"]) for row in rows[:2]] == [
        (["s#1", "x"], ["d0"], "x"), (["s#2", "x"], ["d1"], "x"),
    ]  # fmt: skip
    (alone,) = pk.acceptable(model_of(worlds[:4]))
    (parameter, known) = alone.to_json()["normalization"]["parameters"]
    assert parameter["table"] == {'["d0"]': "1/7", '["d1"]': "2/7", '["d2"]': "1/7", '["d3"]': "3/7"}
    assert known["table"] == {"x": "1"}


def voters(size: int, **keys: Any) -> pk.Model:
    count = {"kind": "count", "value": 1}
    return pk.build(size=size, values=[0, 1], distribution={"iid": {0: "1/3", 1: "2/3"}}, mechanism=count, **keys)


def test_nothing_known_is_no_parameter() -> None:
    answer = pk.acceptable(voters(2))[0].to_json()["normalization"]
    assert [parameter["name"] for parameter in answer["parameters"]] == ["φ0"]
    assert answer["knowledge"] == []
    assert {json.dumps(row["when"]): row["database"] for row in answer["table"]} == {
        f"[[{a}, {b}]]": [a, b] for a in (0, 1) for b in (0, 1)
    }


def test_many_worlds_are_described() -> None:
    """From 2^15 worlds on."""
    nothing = pk.acceptable(voters(15))
    assert {answer.described for answer in nothing} == {"φ0 = D, nothing is known"}
    known = pk.acceptable(voters(15, knowledge={"records": [3]}))
    words = "φ0 = what B leaves open, in the order of its worlds; φ1 = B"
    assert [answer.described for answer in known] == [words] * 3 + [""] + [words] * 11
    assert known[3].reason == (
        "B = [0] makes D(3) = 0 certain, B = [1] makes it 1: the knowledge determines the sensitive value"
    )
    first = pk.acceptable(voters(15, knowledge={"records": [0]}))
    assert [answer.acceptable for answer in first] == [False] + [True] * 14
    assert [answer.verdict for answer in first] == ["not acceptable"] + ["acceptable"] * 14


def test_a_group_that_spoils_another_record_is_named() -> None:
    """Record 1 is known and never 0 where record 0 is 1: no record has a normalization, and each is told why."""
    pair = [{"database": list(d), "probability": "1/3"} for d in ((0, 0), (0, 1), (1, 1))]
    groups = [{"size": 2, "table": pair}, {"size": 14, "iid": {0: "1/2", 1: "1/2"}}]
    count = {"kind": "count", "value": 1}
    known = {"records": [1, 5]}
    model = pk.build(size=16, values=[0, 1], distribution={"groups": groups}, knowledge=known, mechanism=count)
    answers = pk.acceptable(model)
    assert not any(answer.acceptable for answer in answers)
    reasons = [answer.reason or "" for answer in answers]
    assert reasons[5].startswith("B = [0] makes D(5) = 0 certain")
    assert all(reason.startswith("among the records 0, 1: ") for reason in reasons[:5] + reasons[6:])


def test_too_many_records_are_refused_before_any_is_looked_at() -> None:
    with pytest.raises(pk.LimitError, match="acceptability is asked for at 65,537 records"):
        pk.acceptable(voters((1 << 16) + 1))


def test_groups_that_are_alike_name_their_own_records() -> None:
    """Two pairs have one table, and each record that is known is the one of which its reason speaks."""
    pair = [{"database": list(d), "probability": "1/3"} for d in ((0, 0), (0, 1), (1, 1))]
    groups = [{"times": 2, "size": 2, "table": pair}, {"size": 12, "iid": {0: "1/2", 1: "1/2"}}]
    count = {"kind": "count", "value": 1}
    known = {"records": [1, 3]}
    model = pk.build(size=16, values=[0, 1], distribution={"groups": groups}, knowledge=known, mechanism=count)
    answers = pk.acceptable(model)
    for record, group in ((0, "0, 1"), (1, "0, 1"), (2, "2, 3"), (3, "2, 3")):
        reason = answers[record].reason or ""
        assert reason.startswith(f"among the records {group}: ")
        assert f"D({record})" in reason


def test_what_is_told_of_several_records_at_once_is_looked_at_world_by_world() -> None:
    """The parity of two records is told: each alone stays even, and groups taken one by one would not show it."""
    rows = [{"database": [*d, 0], "output": str(sum(d) % 2)} for d in product((0, 1), repeat=2)]
    rows += [{"database": [*d, 1], "output": str(sum(d) % 2)} for d in product((0, 1), repeat=2)]
    told = voters(3, knowledge={"table": rows})
    assert separates(voters(3, knowledge={"records": [0]}), voters(3, knowledge={"records": [0]}).thetas[0])
    assert not separates(told, told.thetas[0])


def test_worlds_are_listed_up_to_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.questions.normalization.acceptability.LISTED_WORLDS", 4)
    assert [answer.described for answer in pk.acceptable(voters(2))] == ["", ""]
    assert {answer.described for answer in pk.acceptable(voters(3))} == {"φ0 = D, nothing is known"}
