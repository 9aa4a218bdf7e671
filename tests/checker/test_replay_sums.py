"""The re-check of sums: rejects what was forged, and is fast without a table."""

from __future__ import annotations

import json
import time
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

import hypothesis.strategies as st
import pytest
from attack.forgeries import honest
from examined import at_least_one
from forging import Certificate, put
from hypothesis import given, settings

import verifier as pk
from verifier.checker import Rejected
from verifier.checker import judge as replay
from verifier.engine import Engine
from verifier.evidence import certificate

EPSILONS = ["0", "ln(2)", "1/10", None, "inf", "ln(3/2)"]
MECHANISMS: list[dict[str, Any]] = [
    {"kind": "count", "value": 1},
    {"kind": "count", "value": 1, "sample": "1/3"},
    {"kind": "threshold-count", "value": 1, "above": 1},
    {"kind": "parity", "value": 1},
    *({"kind": kind} for kind in ("sum", "maximum", "minimum", "histogram")),
]


@st.composite
def models(draw: st.DrawFn) -> pk.Model:
    """Groups of one or two records, a hidden choice or none; all equally often (hypothesis draws the simplest)."""
    dice = draw(st.randoms(use_true_random=True))
    values = list(range(dice.choice([2, 2, 3])))
    size, hidden = dice.choice([1, 2, 3, 4] if len(values) == 2 else [2, 3]), dice.random() < Fraction(1, 2)

    def group(width: int) -> dict[str, Any]:
        rows = list(product(values, repeat=width))
        weights = [dice.randint(0, 3) for _ in rows]
        weights[dice.randrange(len(rows))] += 1
        shares = [Fraction(weight, sum(weights)) for weight in weights]
        table = [{"database": list(row), "probability": str(p)} for row, p in zip(rows, shares, strict=True) if p]
        return {"size": width, "table": table}

    def groups() -> dict[str, Any]:
        widths = [2] * dice.randint(0, size // 2)
        widths += [1] * (size - sum(widths))
        return {"groups": [group(width) for width in dice.sample(widths, len(widths))]}

    mixture = [{"name": name, "weight": weight, **groups()} for name, weight in (("up", "1/3"), ("down", "2/3"))]
    known = {"records": sorted(dice.sample(range(size), dice.randint(1, max(1, size - 1))))}
    told = {"kind": "component"} if hidden else known
    knowledge: dict[str, Any] = dice.choice([{}, *[{"knowledge": one} for one in (known, known, told)]])
    return pk.build(
        size=size,
        values=values,
        distribution={"mixture": mixture} if hidden else groups(),
        mechanism=dice.choice([*MECHANISMS, {"kind": "linear", "weights": [1, -2, 1, -2, 1, -2][:size]}]),
        sensitive={"records": sorted(dice.sample(range(size), dice.randint(1, size)))},
        **knowledge,
    )


@given(models())
@settings(max_examples=15)
def test_what_the_table_answers_is_accepted_as_a_sum(model: pk.Model) -> None:
    rows, engine = Engine(model, force="rows"), Engine(model, force="sum")
    for number, definition in enumerate(("np", "apkdp", "ppkdp", "cdp")):
        for k, reading in at_least_one(enumerate(pk.DEFINITIONS[definition].readings)):
            for m, epsilon in at_least_one(enumerate(EPSILONS[(number + k) % 2 :: 2])):
                asked: dict[str, Any] = {"epsilon": epsilon, "delta": ["0", "1/7", "1/2"][m], "reading": reading}
                answers = [
                    json.loads(
                        json.dumps(certificate(pk.check(model, definition, engine=one, replay=False, **asked), one))
                    )
                    for one in (engine, rows)
                ]
                by_sum, by_rows = (one["answer"] for one in answers)
                assert answers[0]["engine"] == "sums"
                assert [by_sum[key] for key in NUMBERS] == [by_rows[key] for key in NUMBERS]
                for answer in (by_sum, by_rows):
                    told = {**answers[0], "answer": answer}
                    replay.replay(told)
                    with pytest.raises(Rejected):
                        replay.replay({**told, "answer": {**answer, "multiplicity": answer["multiplicity"] + 1}})


NUMBERS = ("verdict", "tight_delta", "tight_epsilon", "multiplicity", "empty")


def voters(size: int, known: int) -> Certificate:
    """Fair voters and their count, some of them known."""
    model = pk.build(
        size=size, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}},
        knowledge={"records": list(range(known))}, mechanism={"kind": "count", "value": 1},
    )  # fmt: skip
    engine = Engine(model, force="sum")
    answer = pk.check(model, "np", epsilon="ln(2)", engine=engine, replay=False)
    assert answer.verdict == "fails"
    return certificate(answer, engine)


def test_many_voters_are_checked_without_a_table() -> None:
    one = voters(200, 20)
    began = time.process_time()
    replay.replay(one)
    assert time.process_time() - began < 5
    one["answer"]["witness"]["knowledge"] = "[" + ",".join(["1"] + ["0"] * 19) + "]"
    with pytest.raises(Rejected, match="an event lists an output"):
        replay.replay(one)


# --- other certificates -----------------------------------------------------------------------------------------------


def leaves(one: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else []
    return [path] * bool(path) + [deeper for key, part in list(entries) for deeper in leaves(part, (*path, key))]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", ["fails", "average"])
@pytest.mark.parametrize("junk", [None, [], {}, "x", -1, "1/0", 1.5, [[]], "9" * 5000], ids=range(9))
def test_junk_anywhere_is_rejected_or_harmless(name: str, junk: Any) -> None:
    """Never another exception, whatever stands where."""
    whole = honest("sums", name)
    for path in at_least_one(leaves(whole)):
        one = deepcopy(whole)
        target: Any = one
        for key in path[:-1]:
            target = target[key]
        if target[path[-1]] == junk:
            continue
        target[path[-1]] = junk
        try:
            replay.replay(one)
        except Rejected:
            continue
        assert path[-1] == "name" or (path[-1] == "direction" and not junk), path


def test_terms_of_equal_laws_may_be_one() -> None:
    """The engine lumps B̂ with the same laws; the table does not. The weight then is that of all of them."""
    one = honest("sums", "average")
    terms = one["answer"]["witness"]["terms"]
    at = {term["knowledge"]: term for term in terms}
    first, second = at["[0,1]"], at["[1,0]"]
    assert first["event"] == second["event"]
    first["weight"] = str(Fraction(first["weight"]) + Fraction(second["weight"]))
    terms.remove(second)
    replay.replay(one)
    first["weight"] = second["weight"]
    with pytest.raises(Rejected, match="weights"):
        replay.replay(one)


def test_a_member_of_another_class_or_record_is_checked_as_such() -> None:
    """A witness may name any record and B̂ of its class, and no other."""
    one = voters(12, 3)
    one["answer"]["witness"]["record"] = 11
    replay.replay(one)
    one["answer"]["witness"]["record"] = 1
    with pytest.raises(Rejected, match="0 comparisons"):
        replay.replay(one)


def test_forged_rows_of_finish_are_rejected() -> None:
    one = voters(12, 3)
    replay.replay(one)
    rows = [row[0][0] for row in one["mechanism"]["finish"]]
    put("mechanism", "finish", rows.index("4"), 0, ["29"])(one)
    with pytest.raises(Rejected, match=r"finish has no law for the sum \(4,\)"):
        replay.replay(one)
