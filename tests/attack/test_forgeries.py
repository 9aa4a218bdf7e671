"""Honest certificates of every kind are accepted; every forgery in the registry is refused with its reason."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from time import process_time
from typing import Any

import pytest

from verifier.checker import Beyond, Rejected
from verifier.checker.files import replay_data
from verifier.checker.laws import Row
from verifier.checker.search.statement import Undecided, parsed

from .forgeries import FORGERIES, HERE, TABLES, Forgery, honest, honest_names


@pytest.mark.parametrize(("table", "base"), honest_names())
def test_an_honest_certificate_is_accepted(table: str, base: str) -> None:
    one = honest(table, base)
    TABLES[table].replay(one)
    if base in {"holds", "fails", "vacuous"}:
        assert one["answer"]["verdict"] == base


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_a_forgery_is_refused_with_its_reason(forgery: Forgery) -> None:
    forged = forgery.of(honest(forgery.table, forgery.base))
    with pytest.raises(Rejected) as caught:
        TABLES[forgery.table].replay(forged)
    assert re.search(forgery.reason, str(caught.value)), caught.value
    assert forgery.table != "files" or "malformed" not in str(caught.value)


@pytest.mark.parametrize("forgery", [one for one in FORGERIES if one.name.startswith("limit")], ids=str)
def test_what_would_take_long_is_refused_at_once(forgery: Forgery) -> None:
    """The time is that of this process: other work on the machine does not count."""
    forged = forgery.of(honest(forgery.table, forgery.base))
    started = process_time()
    with pytest.raises(Rejected):
        TABLES[forgery.table].replay(forged)
    assert process_time() - started < 2


LIMITS = list(map(json.loads, (HERE / "limits.jsonl").read_text(encoding="utf-8").splitlines()))
"""Whole certificates, each small, that ask for more work than their size pays for."""


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: str(limit["name"]))
def test_a_small_certificate_does_not_make_much_work(limit: dict[str, Any]) -> None:
    content = json.dumps(limit["certificate"]).encode()
    assert len(content) < 20_000
    started = process_time()
    with pytest.raises(Rejected, match=limit["reason"]):
        replay_data(content, [])
    assert process_time() - started < 2


def test_a_search_with_many_definitions_is_counted_at_once() -> None:
    """What counts is the models times the definitions that are asked of each."""
    definitions = ("np", "cdp", "apkdp", "ppkdp", "dp", "tail-apkdp", "ibcdp")
    asked = " and ".join(f"{key}({factor}*e)" for factor in range(2, 6) for key in definitions)
    scope = dict.fromkeys(("records", "values", "outputs", "knowledge"), 2)
    content: dict[str, Any] = {
        **honest("files", "none"),
        "scope": {**scope, "weights": 6, "mechanism_weights": 1, "first_only": False},
        "satisfies": [asked],
        "violates": "np(e)",
        "models": 24_711,
        "orbits": 2012,
    }
    started = process_time()
    assert "more than 75,000 questions" in replay_data(json.dumps(content).encode(), []).counted
    assert process_time() - started < 2


def test_a_search_says_that_its_model_is_on_a_finer_grid() -> None:
    found = honest("files", "separated")
    assert replay_data(json.dumps(found).encode(), []).title == "separated among 824 models"
    finer = "separated by a model on a finer grid than that of the scope, which has 824 models"
    in_worlds, in_mechanism = deepcopy(found), deepcopy(found)
    for world, chance in zip(in_worlds["found"]["worlds"]["#1"], ("1/3", "2/3"), strict=True):
        world[3] = chance
    in_mechanism["found"]["mechanism"][2][1] = {"u": "1/3", "v": "2/3"}
    for one in (in_worlds, in_mechanism):
        assert replay_data(json.dumps(one).encode(), []).title == finer


@pytest.mark.parametrize("joined", ["({} iff np(e))", "({0} => np(e)) and ({0})", "not ({} iff not np(e))"])
def test_a_statement_that_grows_when_it_is_written_out_is_not_decided(joined: str) -> None:
    text = "np(e)"
    while len(text) < 1000:
        text = joined.format(text)
    started = process_time()
    with pytest.raises(Undecided, match="more than 64 definitions and properties"):
        parsed(text)
    assert process_time() - started < 1


def test_the_outputs_of_an_event_that_are_parts_of_each_other() -> None:
    """`a, a, a` may be one output, or several: there are as many ways as compositions of their number."""
    labels = frozenset(", ".join("a" * k) for k in range(1, 40))
    row = Row({}, {}, "x", event=labels)
    assert row.named(f"x, event {{{', '.join(sorted(labels))}}}")
    assert not Row({}, {}, "x", event=frozenset({"a", "a, a"})).named("x, event {a, a}")
    started = process_time()
    with pytest.raises(Beyond, match="in too many ways"):
        row.named(f"x, event {{{', '.join('a' * (39 * 20 + 1))}}}")
    assert process_time() - started < 1


def test_attacks_on_files_have_distinct_names() -> None:
    names = [one.name for one in FORGERIES if one.table == "files"]
    assert len(set(names)) == len(names) >= 80
