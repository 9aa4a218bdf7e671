"""Each field of an answer is compared, or has a line that says why not: a change of any other is refused."""

from __future__ import annotations

import json
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one
from filing import mutants, place_in

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.fields import FOR_PEOPLE, OF_A_TERM, OF_A_WITNESS, OF_AN_ANSWER, OF_THE_WAY
from verifier.checker.models import Model
from verifier.checker.numbers import Wrong
from verifier.model.library import models_folder

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
    assert checked(answer, Model(text)).left == ()
    looked_at, confirmed = 0, []
    for place, value, other in mutants(answer):
        if (
            {*FOR_PEOPLE, *OF_THE_WAY} & set(place)
            or place[0] in OTHERWISE
            or same(value, place)
            or as_true(key, place, value)
        ):
            continue
        looked_at += 1
        try:
            word = checked(other, Model(text)).word
        except Wrong:
            continue
        if word != "rejected":
            confirmed.append((place, value))
    assert not confirmed
    assert looked_at > 15


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
    for table, known in (("answer", OF_AN_ANSWER), ("witness", OF_A_WITNESS), ("term", OF_A_TERM)):
        assert set(at_least_one(pages[table])) <= {*known, *neither}
        assert not neither & {*known}
