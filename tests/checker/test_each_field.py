"""Each field of an answer is compared, or has a line that says why not: a change of any other is refused."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attack.forgeries import model_named
from examined import at_least_one
from filing import Place, leaves, mutants, place_in

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.fields import (
    FOR_PEOPLE,
    OF_A_PROPERTY,
    OF_A_TERM,
    OF_A_WITNESS,
    OF_AN_ANSWER,
    OF_EVIDENCE,
    OF_THE_WAY,
)
from verifier.checker.models import Model
from verifier.checker.numbers import Wrong
from verifier.definitions.centres import simulator_ddp
from verifier.engine import Engine
from verifier.model.library import models_folder
from verifier.recheck import fields_of

ROOT = Path(__file__).parents[2]
ASKED = [
    ("section-4.4-tail", "apkdp", "1/10", "0"),
    ("section-4.4-tail", "ibcdp", "1/10", "0"),
    ("section-4.4-tail", "ppkdp", "1/10", "1/20"),
    ("section-4.4-tail", "tail-ppkdp", "1/10", "1/20"),
    ("remark-cdp-not-ddp", "ppkdp", "ln(3/2)", "0"),
    ("remark-cdp-not-ddp", "cdp", "ln(3/2)", "0"),
    ("kept-or-not", "dp", "1/10", "0"),
    ("never-drawn", "sempr", "1/10", "0"),
    ("never-drawn", "samdp", "1/10", "0"),
    ("random-record", "randp", "1/10", "0"),
    ("random-record", "avgklpr", "1/10", "0"),
    ("a-posteriori", "cordp", "1/10", "0"),
    ("one-or-all", "pfpr", "1/10", "0"),
    ("one-coin", "reldp", "1/10", "1/20"),
    ("one-coin", "klpr", "1/10", "0"),
    ("one-coin", "renyidp", "1/10", "0"),
    ("one-coin", "cbdp", "1/10", "0"),
    ("one-coin", "iddp", "1/10", "0"),
    ("tour", "iddp", "1/10", "0"),
    ("leak-coin", "bldp", "1/2", "1/20"),
    ("table-3-exchanged", "dps", "1/2", "0"),
]
"""One question for each form of a witness, and a sum over several θ or values of the knowledge among them."""
OTHERWISE = {
    "definition", "reading", "epsilon", "delta", "sha256", "model", "tight_delta_decimal", "tight_epsilon_decimal",
}  # fmt: skip
"""Another question, which may have the same answer; and a decimal of fewer digits, which may be right."""


def asked(model: str, key: str, epsilon: str, delta: str) -> tuple[dict[str, Any], str]:
    (path,) = models_folder().rglob(f"{model}.toml")
    text = path.read_text(encoding="utf-8")
    answer = pk.check(pk.loads(text), key, epsilon=epsilon, delta=delta, replay=False)
    return json.loads(json.dumps(answer.to_json())), text


@pytest.mark.parametrize(("model", "key", "epsilon", "delta"), ASKED, ids=lambda one: one)
def test_a_change_of_any_field_is_refused(model: str, key: str, epsilon: str, delta: str) -> None:
    answer, text = asked(model, key, epsilon, delta)
    found = confirmed(answer, text, lambda place: place[0] in OTHERWISE or bool({*FOR_PEOPLE, *OF_THE_WAY} & {*place}))
    assert [one for one in found if not as_true(key, *one)] == []


def confirmed(answer: dict[str, Any], text: str, left_out: Callable[[Place], bool]) -> list[tuple[Place, Any]]:
    """The changes of an honest answer, besides those that are left out, that the checker does not refuse."""
    honest = checked(answer, Model(text))
    assert (honest.word, honest.left) == ("confirmed", ())
    found, looked_at = [], 0
    for place, value, other in mutants(answer):
        if left_out(place) or same(value, place):
            continue
        looked_at += 1
        try:
            word = checked(other, Model(text)).word
        except Wrong:
            continue
        if word != "rejected":
            found.append((place, value))
    assert looked_at > (12 if "property" in answer else 15)
    return found


def as_true(key: str, place: tuple[Any, ...], value: object) -> bool:
    """Whether it stays true: another pair with the same two laws, or the one record in which two databases differ.

    Of what exceeds e^ε where a share may be left out, less than all may be said.
    """
    if key == "randp" and place[-1] == "weight":
        return True
    return (key in {"avgklpr", "randp"} and "laws" in place) or (
        place[-1] == "record" and value == 0 and key in {"reldp", "iddp"}
    )


def same(value: object, place: tuple[Any, ...]) -> bool:
    """Whether it says the same in another way: 00 is 0, and nothing is no list."""
    return value in ("00", []) or (value == 0 and place[-1] in {"databases", "terms", "laws", "event"})


@pytest.mark.parametrize("place", [[], ["witness"], ["witness", "terms", 0]], ids=["answer", "witness", "term"])
def test_a_field_that_the_checker_does_not_know_is_named(place: list[Any]) -> None:
    """It is true of the rest that it was compared, and nobody takes the field for compared."""
    answer, text = asked("section-4.4-tail", "ppkdp", "1/10", "0")
    forged = deepcopy(answer)
    target, key = place_in(forged, [*place, "certainty"])
    target[key] = "beyond doubt"
    word = checked(forged, Model(text))
    assert word.word == "confirmed"
    assert word.left == (".".join([*(str(key) for key in place if key != 0), "certainty"]),)
    assert "not checked: " in word.text


def test_the_fields_on_the_page_are_those_of_the_checker() -> None:
    pages = tomllib.loads((ROOT / "docs" / "_ext" / "json_fields.toml").read_text(encoding="utf-8"))
    neither = {*FOR_PEOPLE, *OF_THE_WAY}
    tables = {"answer": OF_AN_ANSWER, "witness": OF_A_WITNESS, "term": OF_A_TERM, "property": OF_A_PROPERTY}
    for table, known in tables.items():
        assert set(at_least_one(pages[table])) <= {*known, *neither}
        assert not neither & {*known}


# --- simulators -------------------------------------------------------------------------------------------------------

APART = """
size = 1
values = ["0", "1"]
distribution = [{ name = "apart", iid = "uniform" }]
mechanism = { table = [{ database = ["0"], outputs = { n = 1 } }, { database = ["1"], outputs = { y = 1 } }] }
policy = { agg = ["constant"] }
"""
"""No ε is enough, and no δ below 1/2."""
ALIKE = APART.replace("n = 1 ", 'n = "3/4", y = "1/4" ').replace("y = 1 ", 'n = "1/4", y = "3/4" ')
BITS, FUNCTION = model_named("two-bits").text, model_named("function").text
IMITATED = [
    (BITS, "ddp", {"epsilon": "ln(3/2)"}),
    (BITS, "ddp", {"epsilon": "ln(2)", "delta": "1/10"}),
    (APART, "ddp", {}),
    (ALIKE, "zkpr", {"epsilon": "1/10", "delta": "1/10"}),
    (ALIKE, "ibddp", {}),
]


def proved(text: str, key: str, question: dict[str, Any]) -> dict[str, Any]:
    """An honest answer about a simulator, with its proof."""
    model = pk.loads(text)
    engine = Engine(model)
    answer = pk.check(model, key, engine=engine, replay=False, **question)
    written: dict[str, Any] = json.loads(json.dumps({**answer.to_json(), **fields_of(answer, engine)}))
    return written


def beside_a_proof(place: Place) -> bool:
    """What of an answer about a simulator is not looked at; another proof may be one too."""
    for_people = {*FOR_PEOPLE, *OF_THE_WAY} - {"direction"} if "tests" in place else {*FOR_PEOPLE, *OF_THE_WAY}
    return place[0] in {*OTHERWISE, "proof"} or bool(for_people & {*place})


@pytest.mark.parametrize(("text", "key", "question"), IMITATED, ids=range(len(IMITATED)))
def test_a_change_of_what_is_shown_of_a_simulator_is_refused(text: str, key: str, question: dict[str, str]) -> None:
    assert confirmed(proved(text, key, question), text, beside_a_proof) == []


def test_the_first_contexts_of_a_simulator_are_those_of_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more than 256 contexts the first ones are shown."""
    monkeypatch.setattr(simulator_ddp, "MOST_CONTEXTS", 1)
    answer = proved(BITS, "ddp", {"epsilon": "ln(2)", "delta": "1/10"})
    assert len(answer["tightest"]["simulator"]) == 1 < answer["tightest"]["contexts"]
    assert confirmed(answer, BITS, lambda place: "simulator" not in place or place[0] == "proof") == []


@pytest.mark.parametrize(
    ("text", "key", "question", "name", "decimal"),
    [
        (ALIKE, "ddp", {}, "tight_delta_decimal", "0"),
        (ALIKE, "zkpr", {"epsilon": "1/10"}, "tight_delta_decimal", "0.1"),
        (ALIKE, "ibddp", {}, "tight_delta_decimal", "0"),
        (ALIKE, "ibddp", {}, "tight_epsilon_decimal", "0.1"),
        (APART, "ddp", {"epsilon": "ln(2)"}, "tight_epsilon_decimal", "0.1"),
    ],
)
def test_a_decimal_beside_a_proof_is_compared(
    text: str, key: str, question: dict[str, str], name: str, decimal: str
) -> None:
    answer = proved(text, key, question)
    assert checked(answer, Model(text)).word == "confirmed"
    assert checked({**answer, name: decimal}, Model(text)).word == "rejected"


def test_a_field_of_a_simulator_that_the_checker_does_not_know_is_named_or_refused() -> None:
    answer = proved(BITS, "ddp", {"epsilon": "ln(3/2)"})
    assert checked({**answer, "certainty": "beyond doubt"}, Model(BITS)).left == ("certainty",)
    for place in (["witness"], ["witness", "tests", 0], ["proof", "enough", 0, "simulator", 0]):
        forged = deepcopy(answer)
        target, key = place_in(forged, [*place, "certainty"])
        target[key] = "beyond doubt"
        assert "plays no part" in checked(forged, Model(BITS)).why


def test_no_number_stands_beside_an_unsupported_simulator() -> None:
    answer = proved(FUNCTION, "ddp", {"epsilon": "1/10"})
    assert answer["verdict"] == "unsupported"
    assert checked(answer, Model(FUNCTION)).word == "confirmed"
    assert checked({**answer, "tight_delta": "0"}, Model(FUNCTION)).word == "rejected"


# --- properties -------------------------------------------------------------------------------------------------------

SUM = """
size = 2
values = [0, 1]
distribution = [{ iid = "uniform" }]
knowledge = { records = [0] }
sensitive = { records = [1] }
mechanism = { kind = "sum" }
"""
THREE = """
size = 2
values = ["0", "1", "2"]
distribution = [{ table = [
  { database = ["0", "0"], knowledge = "x", probability = "1/5" },
  { database = ["1", "0"], knowledge = "x", probability = "1/5" },
  { database = ["0", "0"], knowledge = "y", probability = "1/5" },
  { database = ["1", "1"], knowledge = "y", probability = "1/5" },
  { database = ["2", "0"], knowledge = "z", probability = "1/5" },
] }]
sensitive = { records = [0] }
mechanism = { kind = "records", records = [1] }
"""
"""Given x and y the value 2 is impossible, so that a column has no probability there."""
TWO = THREE.replace('knowledge = "z"', 'knowledge = "x"')
PROPERTIES = [
    (SUM, pk.reducible),
    (THREE, pk.reducible),
    (THREE, lambda model: pk.reducible(model, reading="ignore-impossible")),
    (TWO, pk.reducible),
    (TWO, lambda model: pk.reducible(model, reading="ignore-impossible")),
    (model_named("LQS12/algorithm-1").text, pk.k_anonymity),
    (model_named("LQS12/algorithm-1").text, lambda model: pk.k_anonymity(model, 3)),
    (model_named("LQS12/algorithm-1").text, pk.strongly_safe),
    (model_named("LQS12/proposition-1").text, pk.strongly_safe),
]


@pytest.mark.parametrize(("text", "decide"), PROPERTIES, ids=range(len(PROPERTIES)))
def test_a_change_of_an_answer_about_a_property_is_refused(text: str, decide: Callable[[pk.Model], Any]) -> None:
    answer = json.loads(json.dumps(decide(pk.loads(text)).to_json()))
    free = {*FOR_PEOPLE, *OF_THE_WAY, "property", "reading", "model", "sha256"}
    assert confirmed(answer, text, lambda place: bool(free & {*place})) == []


def test_the_evidence_of_a_property_has_no_field_that_the_checker_does_not_know() -> None:
    """How many outputs there are is counted in the program's way, where they are too many to be listed."""
    answer = json.loads(json.dumps(pk.reducible(pk.loads(SUM)).to_json()))
    assert {place[1] for place, _ in leaves(answer) if place[0] == "evidence"} <= {*OF_EVIDENCE}
    many = {**answer, "evidence": {"bijections": None, "outputs": 5000}, "certainty": "beyond doubt"}
    assert checked(many, Model(SUM)).left == ("certainty", "evidence.outputs")
    assert checked({**answer, "evidence": {**answer["evidence"], "value": 0}}, Model(SUM)).word == "rejected"


def test_a_long_column_of_probabilities_is_decided_again() -> None:
    """What is printed is cut; what is decided again is whole."""
    long = f"{'4' * 60}/1{'0' * 60}"
    rest = 1 - Fraction(long) - Fraction(1, 10**60) - Fraction(1, 5)
    text = f"""
size = 2
values = ["0", "1"]
distribution = [{{ table = [
  {{ database = ["0", "0"], knowledge = "x", probability = "1/1{"0" * 60}" }},
  {{ database = ["0", "1"], knowledge = "x", probability = "{long}" }},
  {{ database = ["1", "0"], knowledge = "x", probability = "1/10" }},
  {{ database = ["0", "0"], knowledge = "y", probability = "1/10" }},
  {{ database = ["1", "1"], knowledge = "y", probability = "{rest}" }},
] }}]
sensitive = {{ records = [0] }}
mechanism = {{ kind = "records", records = [1] }}
"""
    answer = json.loads(json.dumps(pk.reducible(pk.loads(text)).to_json()))
    assert max(map(len, answer["evidence"]["column"])) > 60
    assert "…" in answer["reason"]
    assert checked(answer, Model(text)).word == "confirmed"


def test_what_the_program_does_not_decide_of_a_property_is_no_wrong_answer() -> None:
    """The same noise of a known record, whatever the other one is, inside of a list."""
    text = SUM.replace(
        'kind = "sum"', 'kind = "records", records = [0], then = [{ kind = "geometric-noise", p = "1/2" }]'
    )
    word = checked(json.loads(json.dumps(pk.reducible(pk.loads(text)).to_json())), Model(text))
    assert word == ("not checked", "the answer decides nothing; the checker finds: holds", False, ())
