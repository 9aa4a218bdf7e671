"""True verdicts with a false witness, and numbers of which a part is not those of the model: each is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from filing import place_in

import verifier as pk
from verifier.checker import compared
from verifier.checker.answers import checked
from verifier.checker.comparisons import Asked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.files import words_on
from verifier.checker.judge import Decision
from verifier.checker.models import Model
from verifier.checker.numbers import Rejected, Wrong
from verifier.checker.reading import Models
from verifier.definitions.answer import json_of
from verifier.definitions.gain import gains
from verifier.engine import Engine
from verifier.wings.search.worst.proof import best_document

pytestmark = pytest.mark.quick

VOTES = """
size = 2
values = [0, 1, 2]
[[distribution]]
name = "θ"
independent = [ { 0 = "1/3", 1 = "1/3", 2 = "1/3" }, { 0 = "3/4", 1 = "1/4" } ]
[knowledge]
records = [1]
[mechanism]
kind = "sum"
then = [ { kind = "geometric-noise", p = "1/2" } ]
"""
PEOPLE = """
size = 2
values = ["x", "y", "none"]
[policy]
absent = "none"
error = "1/4"
[mechanism]
kind = "count"
value = "x"
then = [ { rows = [
    { input = 0, outputs = { a = "1/2", b = "1/4", c = "1/4" } },
    { input = 1, outputs = { a = "1/4", b = "1/2", c = "1/4" } },
    { input = 2, outputs = { a = "1/20", b = "1/20", c = "9/10" } } ] } ]
"""


def answer(text: str, key: str, epsilon: str, delta: str = "0") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        json.dumps(pk.check(pk.loads(text), key, epsilon=epsilon, delta=delta, replay=False).to_json())
    )
    return found


def word(text: str, claim: dict[str, Any], *changes: tuple[list[Any], Any]) -> str:
    """The word on an answer with other entries at some places."""
    forged = deepcopy(claim)
    for place, value in changes:
        target, key = place_in(forged, place)
        target[key] = value
    found = checked(forged, Model(text))
    return found.word if found.word == "confirmed" else f"{found.word}: {found.why}"


def test_a_term_does_not_weigh_less_than_nothing() -> None:
    """An event that the other law gives more often would else count as an attack, taken so often away."""
    honest = answer(VOTES, "ppkdp", "ln(3/2)", "1/20")
    assert word(VOTES, honest) == "confirmed"
    forged: list[tuple[list[Any], Any]] = [
        (["witness", "value"], None),
        (["witness", "terms", 0, "weight"], "-1000"),
        (["witness", "terms", 0, "event"], ["> 2"]),
        (["witness", "terms", 0, "probability_a"], "1/12"),
        (["witness", "terms", 0, "probability_b"], "1/3"),
    ]
    assert "has the weight -1000" in word(VOTES, honest, *forged)


@pytest.mark.parametrize("share", ["1", "1/2"])
def test_laws_of_ones_own_do_not_weigh_less_than_nothing(share: str) -> None:
    """Two laws that exclude each other, and the same taken away again."""
    apart = {"p": {"a": "1"}, "q": {"b": "1"}}
    laws = {
        "measure": "hockey-stick",
        "compared": [{"terms": [{**apart, "weight": share}, {**apart, "weight": f"-{share}"}], "multiplicity": 1}],
        "empty": 0,
    }
    claim = {
        "definition": "mine", "reading": "of my own", "epsilon": "0", "delta": "0", "verdict": "holds",
        "tight_epsilon": "0", "tight_delta": "0", "comparisons": 1, "multiplicity": 1, "empty": 0,
        "witness": None, "tightest": None, "laws": laws,
    }  # fmt: skip
    assert "weighs less than 0" in word(VOTES, claim)


def test_a_belief_is_moved_by_one_event_about_one_record() -> None:
    honest = answer(PEOPLE, "sempr", "1/100")
    assert word(PEOPLE, honest) == "confirmed"
    other = honest["witness"]["terms"][1]
    assert other["event"] == ["b"]
    event = {**other, "event": ["a"], "probability_a": "1/20", "probability_b": "1/4"}
    without = [other["laws"][0], {**other["laws"][1], "record": 1}]
    for forged in (event, {**other, "laws": without}):
        assert "two records, or two events" in word(PEOPLE, honest, (["witness", "terms", 1], forged))


def test_each_largest_choice_of_what_is_left_out_is_shown() -> None:
    honest = answer(PEOPLE, "reldp", "ln(6/5)", "1/20")
    terms = honest["witness"]["terms"]
    assert word(PEOPLE, honest) == "confirmed"
    assert [term["left_out"] for term in terms] == [["a", "b"]]
    nothing = {
        "event": terms[0]["event"],
        "left_out": [],
        **{n: terms[0][n] for n in ("probability_a", "probability_b")},
    }
    assert "not every largest choice" in word(PEOPLE, honest, (["witness", "terms", 0], nothing))


FIELDS: list[tuple[str, list[Any], Any, str]] = [
    ("np", ["distribution"], "other", "has the distribution other"),
    ("np", ["record"], 1, "has the record 1"),
    ("np", ["knowledge"], [1], r"has the knowledge [1]"),
    ("np", ["a"], 1, "has the a 1"),
    ("np", ["b"], 1, "has the b 1"),
    ("np", ["value"], "1", "and the answer says 1"),
    ("cdp", ["b"], 1, "has the b 1"),
    ("dp", ["databases", 0], [2, 2], "has the databases"),
    ("dp", ["a"], 1, "has the a 1"),
    ("ppkdp", ["a"], 1, "has the a 1"),
    ("ppkdp", ["laws", 0, "value"], 1, "other laws than the whole"),
    ("ppkdp", ["terms", 0, "knowledge"], [1], r"has the knowledge [1]"),
    ("ppkdp", ["value"], "1", "and the answer says 1"),
]


@pytest.mark.parametrize(("key", "place", "value", "why"), FIELDS)
def test_the_fields_of_a_witness_say_what_its_laws_say(key: str, place: list[Any], value: object, why: str) -> None:
    honest = answer(VOTES, key, "ln(3/2)", "1/20")
    assert word(VOTES, honest) == "confirmed"
    assert why in word(VOTES, honest, (["witness", *place], value))


def test_the_terms_of_an_average_are_of_its_laws() -> None:
    honest = answer(VOTES, "ppkdp", "ln(3/2)", "1/20")
    found = word(VOTES, honest, (["witness", "a"], 1), (["witness", "laws", 0, "value"], 1))
    assert "other laws than the whole" in found


@pytest.mark.parametrize(
    ("key", "epsilon", "name"), [("np", None, "tight_delta_decimal"), ("np", "ln(2)", "tight_epsilon_decimal")]
)
def test_a_decimal_stands_beside_its_number(key: str, epsilon: str | None, name: str) -> None:
    """None beside a number that there is not, and no other one beside an infinite ε."""
    certain = VOTES.replace('then = [ { kind = "geometric-noise", p = "1/2" } ]', "")
    claim = json.loads(json.dumps(pk.check(pk.loads(certain), key, epsilon=epsilon, replay=False).to_json()))
    assert word(certain, claim) == "confirmed"
    assert word(certain, claim, ([name], "1/2")).startswith("rejected")


def test_a_gain_is_about_records_with_its_numbers() -> None:
    model = VOTES.replace('kind = "sum"', 'kind = "records"\nrecords = [0]').split("then")[0].replace("[1]", "[]")
    found = json.loads(json.dumps(json_of(gains(Engine(pk.loads(model))))))
    assert word(model, {"gain": found}) == "confirmed"
    assert [one["members"] for one in found] == [1, 1]
    assert "about more records" in word(model, {"gain": [{**found[0], "members": 2}]})
    assert "about 0 records" in word(model, {"gain": found}, (["gain", 0, "members"], 0))
    assert checked({"gain": found, "certainty": "beyond doubt"}, Model(model)).left == ("certainty",)
    beside = {**json.loads(json.dumps(pk.reducible(pk.loads(model)).to_json())), "gain": found}
    assert word(model, beside) == "confirmed"
    assert word(model, beside, (["verdict"], "holds")).startswith("rejected")


def documents() -> Iterator[dict[str, Any]]:
    """The least largest loss of a sum: an honest document, and one about a single database."""
    text = 'size = 1\nvalues = [0, 1, 2]\n[[distribution]]\niid = "uniform"\n[mechanism]\nkind = "sum"\n'
    honest = json.loads(
        json.dumps(best_document(pk.best(pk.loads(text), loss="absolute", of="sum", assuming="dp(0)", worst=True)))
    )
    yield honest
    row = {"database": [0], "outputs": {"0": "1"}}
    yield {
        **honest,
        "optimum": "0",
        "mechanism": {"rows": [row], "otherwise": "0"},
        "proof": {"assumed": [], "weights": [[[0], "1"]], "multipliers": []},
    }


def test_a_largest_loss_is_over_all_databases() -> None:
    honest, forged = documents()
    assert [one.word for one in words_on([honest], Models([], {}), Path())] == ["confirmed"]
    (found,) = words_on([forged], Models([], {}), Path())
    assert (found.word, "no row for a database" in found.why) == ("rejected", True)


def test_an_order_of_curves_is_none_of_numbers() -> None:
    """Two curves that cross are not in the order of their smallest ε."""
    rows = "{{ database = [0], outputs = {} }}, {{ database = [1], outputs = {} }}"
    table = f"size = 1\nvalues = [0, 1]\n[mechanism]\nrows = [ {rows} ]\n"
    two = [
        table.format('{ x = "2/3", y = "1/3" }', '{ x = "1/3", y = "2/3" }'),
        table.format('{ x = "1/6", z = "5/6" }', '{ y = "1/6", z = "5/6" }'),
    ]
    honest = json.loads(json.dumps(pk.compare(pk.loads(two[0]), pk.loads(two[1]), "dp").to_json(10**9)))
    both = [Model(text) for text in two]
    assert honest["definitions"]["dp"]["order"] == "incomparable"
    compared.verify(honest, both)
    honest["definitions"]["dp"] |= {"by": "number", "order": "first", "crossings": []}
    with pytest.raises(Rejected, match="of two curves"):
        compared.verify(honest, both)


@pytest.mark.parametrize("key", ["cordp", "dnpr", "np"])
def test_a_distribution_sums_to_1_wherever_it_is_read(key: str) -> None:
    text = VOTES.replace('1 = "1/4"', '1 = "1/5"')
    with pytest.raises(Wrong, match="not 1"):
        Decision(Asked(Model(text)), DEFINITIONS[key], None, Fraction(0))
    mixed = 'size = 1\nvalues = [0, 1]\n[[distribution]]\nmixture = [ { weight = "1/2", iid = "uniform" } ]\n'
    with pytest.raises(Wrong, match="does not sum to 1"):
        Decision(Asked(Model(f'{mixed}[mechanism]\nkind = "sum"\n')), DEFINITIONS[key], None, Fraction(0))
