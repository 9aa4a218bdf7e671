"""The re-check of sums: accepts what the table answers, rejects what was forged, and is fast without a table."""

from __future__ import annotations

import time
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from attack.forgeries import honest
from forging import Certificate
from hypothesis import given
from plain_sums import Component, Sum, answered, described, model_of, voters

import verifier as pk
from verifier.checker import answers as replay
from verifier.engine import Engine

EPSILONS = ["0", "ln(2)", "1/10", None, "inf", "ln(3/2)"]


@given(described())
def test_what_the_table_answers_is_accepted(case: tuple[list[Component], Sum, Certificate]) -> None:
    components, one, base = case
    engine = Engine(model_of(components, one, base), force="rows")
    for number, definition in enumerate(("np", "apkdp", "ppkdp", "cdp")):
        for k, reading in enumerate(pk.DEFINITIONS[definition].readings):
            for m, epsilon in enumerate(EPSILONS[(number + k) % 2 :: 2]):
                told = answered(base, engine, definition, epsilon, ["0", "1/7", "1/2"][m], reading)
                replay.replay(told)
                told["answer"]["multiplicity"] += 1
                with pytest.raises(replay.Rejected):
                    replay.replay(told)


def test_many_voters_are_checked_without_a_table() -> None:
    one = voters(200, 20, "ln(2)")
    began = time.process_time()
    replay.replay(one)
    assert time.process_time() - began < 5
    one["answer"]["witness"]["knowledge"] = "[" + ",".join(["1"] + ["0"] * 19) + "]"
    with pytest.raises(replay.Rejected, match="an event lists an output"):
        replay.replay(one)


# --- other certificates -----------------------------------------------------------------------------------------------


def leaves(one: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else []
    return [path] * bool(path) + [deeper for key, part in list(entries) for deeper in leaves(part, (*path, key))]


@pytest.mark.parametrize("name", ["fails", "average"])
@pytest.mark.parametrize("junk", [None, [], {}, "x", -1, "1/0", 1.5, [[]], "9" * 5000], ids=range(9))
def test_junk_anywhere_is_rejected_or_harmless(name: str, junk: Any) -> None:
    """Never another exception, whatever stands where."""
    whole = honest("sums", name)
    for path in leaves(whole):
        one = deepcopy(whole)
        target: Any = one
        for key in path[:-1]:
            target = target[key]
        if target[path[-1]] == junk:
            continue
        target[path[-1]] = junk
        try:
            replay.replay(one)
        except replay.Rejected:
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
    with pytest.raises(replay.Rejected, match="weights"):
        replay.replay(one)


def test_a_member_of_another_class_or_record_is_checked_as_such() -> None:
    """A witness may name any record and B̂ of its class, and no other."""
    one = voters(12, 3, "ln(2)")
    one["answer"]["witness"]["record"] = 11
    replay.replay(one)
    one["answer"]["witness"]["record"] = 1
    with pytest.raises(replay.Rejected, match="0 comparisons"):
        replay.replay(one)
