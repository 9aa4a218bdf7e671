"""Rules of publication: their words, their keys with sources, and what is said of a rule that is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier.model.rules import FORMS, named_rules, rule_of
from verifier.model.steps import STEPS

KEYS = (
    "threshold", "hide-small", "hide-small-and-zero", "remainder-group", "hide-then-round", "ons-10-5",
    "hide-then-round-zero-shown", "round", "round-half-even", "midpoint", "bands", "random-round",
    "fixed-random-round", "controlled-round", "cell-key", "cell-key-then-hide", "secondary", "top-code", "histogram",
    "noise-then-hide",
)  # fmt: skip
"""The keys by their numbers from 1 on."""
READ_HOW = ("code", "document", "part", "name")
"""How a source was read: its code, a published document, an excerpt alone, or known by name only."""
COUNT = st.integers(1, 30)
TIES = st.sampled_from(["up", "down", "even"])
PARTS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(lambda a, more: {"kind": "hide", "from": a, "to": a + more}, st.integers(0, 9), COUNT),
    st.builds(lambda k, zero: {"kind": "hide", "below": k, "zero": zero}, COUNT, st.sampled_from(["shown", "hidden"])),
    st.builds(lambda base, ties: {"kind": "round", "base": base, "ties": ties}, COUNT, TIES),
    st.builds(lambda base: {"kind": "round", "base": 2 * base - 1}, COUNT),
    st.builds(lambda base: {"kind": "midpoint", "base": base}, COUNT),
    st.builds(lambda base: {"kind": "random-round", "base": base}, COUNT),
    st.builds(lambda at: {"kind": "top-code", "at": at}, COUNT),
    st.builds(
        lambda a, b, ties: {
            "kind": "bands",
            "bands": [{"from": 1, "to": a, "base": b}, {"from": a + 1, "base": 5}],
            "ties": ties,
        },
        COUNT,
        COUNT,
        TIES,
    ),
)


def rule_words(steps: Sequence[Mapping[str, Any]]) -> str:
    """The words of some steps, from which `rule_of` makes them again."""
    return ", then ".join(map(_words, steps))


def _words(step: Mapping[str, Any]) -> str:
    ending = f" halves {step['ties']}" if "ties" in step else ""
    match step:
        case {"kind": "hide", "below": below, "zero": zero}:
            return f"hide below {below} with zero {zero}"
        case {"kind": "hide"}:
            return f"hide {step['from']} to {step['to']}"
        case {"kind": "round", "base": base}:
            return f"round to base {base}{ending}"
        case {"kind": "midpoint", "base": base}:
            return f"midpoint {base}"
        case {"kind": "random-round", "base": base}:
            return f"random rounding to base {base}"
        case {"kind": "cell-key", "table": table}:
            again = f" rows reused from {step['rows-reused-from']}" if "rows-reused-from" in step else ""
            return f"cell keys {table}{again}"
        case {"kind": "top-code", "at": at}:
            return f"top-code at {at}"
        case {"kind": "bands", "bands": bands}:
            parts = (f"{b['from']}{'-' + str(b['to']) if 'to' in b else '+'}:{b['base']}" for b in bands)
            return f"bands {' '.join(parts)}{ending}"
        case {"kind": "geometric-noise", "p": p}:
            return f"geometric noise {p}"
    raise AssertionError(step)


@given(st.lists(PARTS, min_size=1, max_size=3))
def test_words_are_the_steps_that_they_were_made_of(steps: list[dict[str, Any]]) -> None:
    """And a model takes both alike."""
    words = rule_words(steps)
    assert list(rule_of(words).steps) == steps
    assert rule_of(f"  {words.upper().replace(' TO ', '   to ')} ".replace(", THEN ", ", then ")).steps == tuple(steps)
    counted = [{"kind": "tables", "tables": [{"cells": [1]}], **way} for way in ({"rule": words}, {"then": steps})]
    one, other = (pk.build(size=9, values=[0, 1], mechanism=mechanism).mechanism for mechanism in counted)
    steps_alone = pk.build(size=9, values=[0, 1], mechanism={"kind": "count", "value": 1, "then": steps}).mechanism
    for k in range(10):
        database = (0,) * (9 - k) + (1,) * k
        assert one.law(database) == other.law(database) == steps_alone.law(database)


def test_each_kind_of_rule_has_words() -> None:
    assert {form.kind for form in FORMS} == set(STEPS) - {"randomized-response", "clamp", "mod"}
    for form in FORMS:
        assert rule_of(form.shown.split("|")[0].translate({ord(c): "3" for c in "BKT"}).replace("A", "1").replace(
            "R", "1/3").replace("FILE", "p").replace("50-249:25 250+:50 halves up", "")).steps  # fmt: skip


def test_the_known_rules_are_those_with_a_source() -> None:
    rules = named_rules()
    assert tuple(rules) == KEYS
    for number, rule in enumerate(at_least_one(rules.values()), start=1):
        assert rule.number == number
        assert rule.sources
        assert all(source.read in READ_HOW and source.who and source.where for source in rule.sources)
        said = [rule.words is not None, bool(rule.write), bool(rule.refused)]
        assert said.count(True) == 1, rule.key
        if rule.words:
            assert rule_words(rule_of(rule.key).steps) == rule.words
            assert list(rule_of(rule.key).steps) == list(rule_of(rule.words).steps)
        elif rule.words is None:
            with pytest.raises(pk.InputError, match=rule.key):
                rule_of(rule.key)
        if rule.write:
            assert rule_words(rule_of(rule.write).steps) == rule.write


@pytest.mark.parametrize("key", [key for key, rule in named_rules().items() if rule.words is not None])
def test_a_known_rule_is_one_of_a_model(key: str) -> None:
    """A table of three areas under it, whose answer the checker derives again."""
    people = {name: {"from": 3 * k, "to": 3 * k + 2} for k, name in enumerate(["a", "b", "c"])}
    tables = [{"cells": [1], "by": ["a", "b", "c"], "total": "rule"}]
    noise = {"noise": "fresh"} if key == "random-round" else {}
    model = pk.build(
        size=9,
        values=[0, 1],
        people=people,
        distribution={"iid": {0: "2/3", 1: "1/3"}},
        sensitive={"records": [0]},
        mechanism={"kind": "tables", "rule": key, **noise, "tables": tables},
    )
    assert pk.check(model, "ppkdp", epsilon="ln(2)").replayed


def test_ons_10_5_is_the_table_of_keys_that_the_office_publishes() -> None:
    """Its 750 rows: noise -c up to 9, and to the nearest 5 from 10 on; 501 to 750 again above; then hide below 10."""
    rows = [
        {"pcv": c, "ckey": key, "pvalue": -c if c < 10 else (c + 2) // 5 * 5 - c}
        for c in range(1, 751)
        for key in (0, 1)
    ]
    keys = [
        {"kind": "cell-key", "table": rows, "rows-reused-from": 501},
        {"kind": "hide", "below": 10, "zero": "hidden"},
    ]
    size = 1300
    by_rule, by_keys = (
        pk.build(size=size, values=[0, 1], mechanism={"kind": "count", "value": 1, "then": steps}).mechanism.statistic
        for steps in (list(rule_of("ons-10-5").steps), keys)
    )
    assert by_rule is not None
    assert by_keys is not None
    assert all(by_rule.finish(c) == by_keys.finish(c) for c in range(size + 1))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("hide 3", "write `hide below 3 with zero shown|hidden`"),
        ("Hidee 1 to 3", "write `hide 1 to 3`"),
        ("mask counts", "write `hide A to B` or `hide below K"),
        ("random round 3", "write `random rounding to base 3`"),
        ("random rounding to base 3, kept", "write `random rounding to base 3`"),
        ("ons-10-6", "is `ons-10-5` meant?"),
        ("hide 0 to 9 then round to base 5", "join two steps by `, then `"),
        ("hide 0 to 9; round to base 5", "write `hide A to B`"),
        ("suppress <5", "write `hide below 5 with zero shown|hidden`"),
        ("", "one of: hide A to B; "),
        ("hide 0 to 9, then", "join two steps by `, then `"),
        (f"bands {'1-1:1 ' * 90}x", "write `bands"),
        ("round to base 5 " * 200, ""),
    ],
)
def test_a_rule_that_is_none_is_refused_with_what_to_write(text: str, hint: str) -> None:
    with pytest.raises(pk.InputError) as caught:
        rule_of(text)
    assert caught.value.tip.startswith(hint)


def test_a_rule_may_be_a_function_of_the_count() -> None:
    """In Python; it is asked of each count that can come, as a step of a count is: eight times, in case it draws."""
    asked: list[int] = []

    def rule(count: int) -> Any:
        asked.append(count)
        return {"few": Fraction(1, 2), "none": Fraction(1, 2)} if count < 2 else count

    tables = {"kind": "tables", "then": rule, "noise": "kept", "tables": [{"cells": [1]}, {"without": ["her"]}]}
    people = {"her": {"from": 3, "to": 3}}
    law = pk.build(size=4, values=[0, 1], people=people, mechanism=tables).mechanism.law((0, 1, 0, 0))
    assert sorted(output.text for output in law.outcomes) == ['["few","few"]', '["none","none"]']
    assert sorted(asked) == sorted([*range(5)] * 8)
