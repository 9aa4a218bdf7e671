"""What a certificate lists is well formed, and searches are answered as they were asked: by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from attack.files import honest
from test_replay_parts import FAIR, RESPONSE, model

from verifier.checker.definitions import DEFINITIONS
from verifier.checker.labels import MOST, Uncovered
from verifier.checker.made import side_by_side as outputs_side_by_side
from verifier.checker.numbers import Rejected
from verifier.checker.search import replay_search
from verifier.checker.sizes import check as check_sizes
from verifier.checker.tables import Tables

SMALLEST = {"records": 1, "values": 2, "outputs": 1, "knowledge": 1, "weights": 1, "mechanism_weights": 1}
RENAMED = ["records", "values", "outputs", "knowledge"]
TOLD: dict[str, Any] = model(FAIR, RESPONSE)
TWO_OUTPUTS = [(w, x, y) for w in range(3) for x in range(5) for y in range(5) if x + y not in {0, 8}]
"""θ gives w/2 to the value 0; the mechanism gives its first output with x/4 on 0 and y/4 on 1: both are possible."""


@pytest.mark.parametrize(
    ("name", "most", "models", "orbits"),
    [
        ("records", 4, 2 + 4 + 8 + 16, 1 + 2 + 2 + 3),
        ("values", 5, 2 + 3 + 4 + 5, 4),
        ("outputs", 6, 2 + 2 * 2, 1 + 1),
        ("knowledge", 6, 2, 1),
        ("weights", 1000, 1001, 501),
        ("mechanism_weights", 1000, 2, 1),
    ],
)
def test_the_largest_scopes(name: str, most: int, models: int, orbits: int) -> None:
    """By hand: a point of Tⁿ up to renaming, or two weights of a sum; one output, or two that tell the points apart."""
    certificate = {
        "scope": {**SMALLEST, name: most, "first_only": False},
        "satisfies": [],
        "violates": "np(e) => np(2*e)",
        "renamed": RENAMED,
        "models": models,
        "orbits": orbits,
        "verdict": "none in scope",
        "found": None,
        "vacuous": False,
    }
    assert replay_search(certificate) == ""
    forgeries: list[dict[str, Any]] = [{"models": models + 1}, {"orbits": orbits + 1}, {"renamed": []}]
    for wrong in (*forgeries, {"verdict": "separated"}):
        with pytest.raises(Rejected):
            replay_search({**certificate, **wrong})
    larger = {**certificate, "scope": {**SMALLEST, name: most + 1, "first_only": False}}
    with pytest.raises(Rejected, match=f"the scope has {name} = {most + 1}, wanted at most {most}"):
        replay_search(larger)


@pytest.mark.parametrize(("worlds", "only_vacuously"), [({("0", "k"): "1"}, True), (FAIR, False)])
def test_a_model_that_satisfies_something_only_where_nothing_is_compared(
    worlds: dict[tuple[str, str], str],
    only_vacuously: bool,  # noqa: FBT001
) -> None:
    """At a small ε dp fails; at a larger one it holds, and np compares nothing where D(0) is certain."""
    left, orbits = set(TWO_OUTPUTS), 0
    while left:
        w, x, y = next(iter(left))
        left -= {(w, x, y), (2 - w, y, x), (w, 4 - x, 4 - y), (2 - w, 4 - y, 4 - x)}
        orbits += 1
    found = {**model(worlds, RESPONSE), "at": {}, "only_vacuously": only_vacuously}
    certificate = {
        "scope": {**SMALLEST, "outputs": 2, "weights": 2, "mechanism_weights": 4, "first_only": False},
        "satisfies": ["dp(e) => np(e)"],
        "violates": None,
        "renamed": RENAMED,
        "models": 3 + len(TWO_OUTPUTS),
        "orbits": 2 + orbits,
        "verdict": "separated",
        "found": found,
        "vacuous": True,
    }
    assert replay_search(certificate) == ""
    with pytest.raises(Rejected):
        replay_search({**certificate, "found": {**found, "only_vacuously": not only_vacuously}})


def test_the_tables_of_an_honest_certificate_are_read() -> None:
    assert list(Tables(TOLD).families(DEFINITIONS["np"], "default"))


def test_possible_values_are_those_that_each_knowledge_value_leaves() -> None:
    """k says that the record is 0, l nothing: after b = 1 only l is compared, after b = 0 both, in both directions."""
    told = model({("0", "k"): "1/2", ("0", "l"): "1/4", ("1", "l"): "1/4"}, RESPONSE)
    ((*compared,),) = Tables(told).families(DEFINITIONS["ibcdp"], "possible-values")
    found = Counter((comparison.b, *comparison.pairs[0].knowledge) for comparison in compared)
    assert found == {(b, known, t): 2 for b, known in (("0", "k"), ("0", "l"), ("1", "l")) for t in ("x", "y")}


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 0},
        {"size": True},
        {"size": "1"},
        {"size": 2},
        {"values": [], "domain": []},
        {"values": ["0", "0"], "domain": ["0", "0"]},
        {"secrets": []},
        {"secrets": [0, 0]},
        {"secrets": [1]},
        {"secrets": [-1]},
        {"domain": ["1", "0"]},
        {"worlds": {"θ": [[["0"], "k", "0", "1"]]}},
        {"worlds": {"θ": [[["2"], "k", None, "1"]]}},
        {"worlds": {"θ": [[["0"], "k", None, "1/2"]]}},
        {"worlds": {}},
        {"mechanism": []},
        {"mechanism": [[["0"], {"x": "1"}]]},
        {"mechanism": [[["0"], {"x": "1"}], [["0"], {"x": "1"}], [["1"], {"x": "1"}]]},
        {"mechanism": [[["0"], {"x": "1/2"}], [["1"], {"x": "1"}]]},
    ],
    ids=str,
)
def test_tables_that_are_none_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        list(Tables({**TOLD, **wrong}).families(DEFINITIONS["np"], "default"))


def test_as_many_outputs_side_by_side_as_there_may_be() -> None:
    long: list[Any] = [(k, 1) for k in range(MOST)]
    assert len(outputs_side_by_side([lambda: long])) == MOST
    with pytest.raises(Uncovered, match="too many"):
        outputs_side_by_side([lambda: [*long, (-1, 1)]])


@pytest.mark.parametrize("sizes", [[2, 1], [-1, 2], [0, 0], ["0", 2], [0, "2"], [0, True], [None, 2]], ids=str)
def test_sizes_that_are_none_are_rejected_as_such(sizes: list[Any]) -> None:
    with pytest.raises(Rejected, match="sizes must be two integers with 0 ≤ from ≤ to and to ≥ 1"):
        check_sizes({**honest("sizes"), "sizes": sizes})


@pytest.mark.parametrize("wrong", [{"values": []}, {"values": ["t", "t"]}, {"rate": "3/2"}], ids=str)
def test_values_that_are_alike_and_a_rate_above_1_are_rejected_as_such(wrong: dict[str, Any]) -> None:
    with pytest.raises(Rejected, match="values must be distinct, and the rate at most 1"):
        check_sizes({**honest("sizes"), **wrong})
