"""The conventions: each that no text decides has a case that shows it, and is on the cards of what it is about."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from verifier.definitions import CONVENTIONS, DEFINITIONS, ON_REQUEST, Convention, conventions_of
from verifier.definitions.atlas import atlas
from verifier.definitions.compared_kinds import READS_POLICY
from verifier.definitions.conventions import CHOSEN_HERE
from verifier.definitions.registry import OF_DP22
from verifier.definitions.scheme import Scheme
from verifier.show.axis_words import fields_read
from verifier.show.cards import card_text

CASES = [
    case
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]
CHOSEN = [convention for convention in CONVENTIONS if CHOSEN_HERE in convention.source]
BY_KEY = {convention.key: convention for convention in CONVENTIONS}
EVERY = {**OF_DP22, **DEFINITIONS, **ON_REQUEST}


def asked_of(convention: Convention) -> set[str]:
    """The definitions that the cases of a convention ask about, by their keys."""
    names = {
        asked["definition"] for case in CASES if case.get("convention") == convention.key for asked in case["asked"]
    }
    return {atlas[name].key if name in atlas else name for name in names}


@pytest.mark.parametrize("convention", CHOSEN, ids=lambda convention: convention.key)
def test_what_no_text_decides_is_shown_by_a_case(convention: Convention) -> None:
    asked = asked_of(convention)
    about = {key for key in asked if convention in conventions_of(key)}
    assert about, "no case asks what the convention is about"


def test_cases_name_conventions_that_there_are() -> None:
    named = {case["convention"] for case in CASES if "convention" in case}
    assert named <= BY_KEY.keys()
    assert len(named) >= len(CHOSEN)


@pytest.mark.parametrize("key", ["grdp", "pmpr", "dlpr-rot", "ddpr", "dnpr", "gcdp-km", "dp", "np", "safe", "fdp"])
def test_a_card_states_the_conventions_of_its_definition(key: str) -> None:
    text = card_text(atlas[key] if key in atlas else EVERY[key])
    stated = conventions_of(key)
    assert stated
    assert all(f"{convention.key}: {convention.question} {convention.choice}" in text for convention in stated)


READ = {
    "hamming-distance": {"distance"},
    "directions": {"distance", "theta-distances", "graph", "pairs"},
    "multiple-0": {"distance", "theta-distances", "scale", "levels", "tailored"},
    "entries-for-absent": {"attributes", "bits"},
    "absent-in-prior": {"prior"},
    "neighbours-where-nobody-is-missing": {"neighbours"},
    "vectors-of-answers": {"neighbours"},
}
"""Conventions about all definitions that read one of these fields."""


@pytest.mark.parametrize("key", list(READ))
def test_a_convention_about_a_field_is_about_all_that_read_it(key: str) -> None:
    reading = {name for name in OF_DP22 if READ[key] & fields_read(OF_DP22[name]).keys()}
    at_a_distance = {"consdp", "dlpr-zlw"} if key == "multiple-0" else set()  # a largest distance is no multiple of ε
    assert {name for name in BY_KEY[key].about if name in OF_DP22} == reading - at_a_distance


def test_conventions_about_a_kind_of_definition_are_about_all_of_the_kind() -> None:
    without_epsilon = {name for name, one in OF_DP22.items() if isinstance(one.compare, Scheme) and not one.has_epsilon}
    assert {*BY_KEY["numbers-without-epsilon"].about} == without_epsilon
    assert BY_KEY["refusals"].about == (READS_POLICY,)
    assert all(BY_KEY["refusals"] in conventions_of(name) for name in OF_DP22)
