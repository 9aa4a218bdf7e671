"""Witnesses of many people without a table: their laws have names, as those of a table, and are added up again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import verifier as pk
from verifier.checker.answers import Word, checked
from verifier.checker.judge import Decision
from verifier.checker.models import Model
from verifier.checker.numbers import Wrong
from verifier.checker.sums import SUMS

HEAD = """
size = 4
values = ["no", "yes", "none"]
[[distribution]]
name = "fair"
iid = { no = "1/2", yes = "1/3", none = "1/6" }
[[distribution]]
groups = [ { size = 2, times = 2, table = [ { database = ["no", "no"], probability = "1/4" },
           { database = ["yes", "none"], probability = "3/4" } ] } ]
"""
KNOWN = "[knowledge]\nrecords = [3, 2]\n"
MECHANISMS = {
    "count": 'kind = "count"\nvalue = "yes"',
    "noise": 'kind = "count"\nvalue = "yes"\nthen = [ { kind = "geometric-noise", p = "1/2" } ]',
    "noise on one count": 'kind = "count"\nvalue = "yes"\nthen = [ { rows = [ { input = 0, outputs = { a = "1/3", '
    'b = "2/3" } } ], otherwise = "c" } ]',
    "histogram": 'kind = "histogram"\nvalues = ["yes", "none"]',
    "threshold": 'kind = "threshold-count"\nvalue = "yes"\nabove = 1',
}
KEYS = ("dp", "np", "ppkdp", "cdp", "tail-apkdp", "tail-ppkdp", "tail-cdp", "adp", "klpr", "rbpr")


@pytest.fixture
def _by_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(self: Decision) -> list[Any]:
        self.summed = True
        return list(SUMS[self.definition.listing](self.asked))

    monkeypatch.setattr(Decision, "_listed", listed)


def claim_of(text: str, key: str, epsilon: str | None, delta: str = "0") -> dict[str, Any]:
    model = pk.loads(text)
    found = pk.check(model, key, epsilon=epsilon, delta=delta, replay=False).to_json()
    claim: dict[str, Any] = json.loads(json.dumps(found))
    return {**claim, "definition": key}


@pytest.mark.usefixtures("_by_sums")
@pytest.mark.parametrize("knowledge", ["", KNOWN, "[knowledge]\nrecords = []\n"], ids=["nothing", "two", "none"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_witness_of_a_table_is_one_of_a_sum(mechanism: str, knowledge: str) -> None:
    text = f"{HEAD}{knowledge}[mechanism]\n{MECHANISMS[mechanism]}\n"
    model = Model(text)
    shown = 0
    for key in KEYS:
        for epsilon in (None, "0", "ln(2)", "1/10", "inf"):
            claim = claim_of(text, key, epsilon)
            assert checked(claim, model) == Word("confirmed", checked(claim, Model(text)).why), (key, epsilon)
            shown += claim["witness"] is not None or claim["tightest"] is not None
    assert shown > len(KEYS)


def put(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def act(claim: dict[str, Any]) -> None:
        place: Any = claim["witness"]
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to

    return act


def both(field: str, to: Any) -> Callable[[dict[str, Any]], None]:
    def act(claim: dict[str, Any]) -> None:
        for law in claim["witness"]["laws"]:
            law[field] = to

    return act


FORGED = [
    ("np", put("event", to=[3]), "probability_a"),
    ("np", put("event", to=["> 0"]), "probability_a"),
    ("np", put("probability_a", to="1/2"), "probability_a"),
    ("np", put("probability_b", to="1/1000"), "probability_b"),
    ("np", put("laws", 0, "distribution", to="fair"), "does not compare"),
    ("np", put("laws", 0, "record", to=1), "does not compare"),
    ("np", put("laws", 0, "knowledge", to=["no", "yes"]), "does not compare"),
    ("np", put("laws", 0, "value", to="none"), "does not compare"),
    ("np", put("laws", 0, "set_to", to="no"), "does not compare"),
    ("np", put("laws", 0, "output", to=3), "no law of"),
    ("np", lambda claim: claim["witness"]["laws"].reverse(), "probability_a"),
    ("np", both("distribution", to="fair"), "probability_a"),
    ("np", both("distribution", to="other"), "there is no law"),
    ("np", both("record", to=39), "there is no law"),
    ("np", both("record", to=7), "there is no law"),
    ("np", both("knowledge", to=["yes"]), "there is no law"),
    ("np", both("knowledge", to=["yes", "no"]), "probability_a"),
    ("np", both("knowledge", to=["none", "yes"]), "cannot be known"),
    ("np", both("knowledge", to=None), "no law of"),
    ("cdp", put("laws", 0, "set_to", to="maybe"), "does not compare"),
    ("cdp", put("laws", 0, "set_to", to=None), "does not compare"),
    ("dp", put("laws", 0, "databases", 0, "database", to=["yes"] * 40), "does not compare two databases"),
    ("dp", put("laws", 0, "databases", 0, "probability", to="1/2"), "drawn"),
    ("dp", put("laws", 0, "databases", 0, "database", to=["no"] * 39), "no database"),
    ("ppkdp", put("terms", 0, "weight", to="1"), "weights"),
    ("ppkdp", put("terms", 0, "laws", 0, "knowledge", to=["yes", "no", "no"]), "does not compare"),
]  # fmt: skip
MANY = """
size = 40
values = ["no", "yes", "none"]
[[distribution]]
name = "fair"
iid = { no = "1/2", yes = "1/2" }
[[distribution]]
iid = { no = "1/3", yes = "2/3" }
[knowledge]
records = [3, 39]
[sensitive]
records = [0, 1, 2]
[mechanism]
kind = "sum"
"""


@pytest.mark.parametrize(("key", "forge", "reason"), FORGED, ids=range(len(FORGED)))
def test_a_forged_witness_of_a_sum_is_refused(key: str, forge: Callable[[dict[str, Any]], None], reason: str) -> None:
    text = MANY.replace('kind = "sum"', 'kind = "count"\nvalue = "yes"')
    claim = claim_of(text, key, "1/10")
    assert checked(claim, Model(text)).word == "confirmed"
    honest = json.dumps(claim)
    forge(claim)
    assert json.dumps(claim) != honest
    try:
        found = checked(claim, Model(text))
    except Wrong as error:
        found = Word("rejected", str(error))
    assert found.word == "rejected"
    assert reason in found.why


TWO = """
size = 11
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[[distribution]]
iid = { 0 = "1/3", 1 = "2/3" }
[mechanism]
kind = "count"
value = 1
"""


@pytest.mark.parametrize("key", ["np", "ppkdp", "cdp"])
def test_a_distribution_alone_keeps_its_place_as_its_name(key: str) -> None:
    claim = claim_of(TWO, key, "ln(3/2)")
    assert claim["witness"]["distribution"] == "#2"
    word = checked({**claim, "distribution": "#2"}, Model(TWO))
    assert (word.word, word.why.partition("; ")[2]) == ("confirmed", "of #2 alone")


@pytest.mark.parametrize("key", ["np", "ppkdp", "cdp"])
def test_several_knowledge_functions_of_many_people_have_their_names(key: str) -> None:
    text = TWO + '[[knowledge]]\nrecords = []\n[[knowledge]]\nname = "other"\nrecords = [0]\n'
    claim = claim_of(text, key, "ln(3/2)")
    assert claim["witness"]["distribution"] in {"#2 / #1", "#2 / other"}
    assert checked(claim, Model(text)).word == "confirmed"
