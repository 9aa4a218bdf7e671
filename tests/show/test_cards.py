"""The cards of DP22's definitions: complete, and the lines to copy are those that the definition needs."""

import tomllib
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.definitions.centres.centre import Centre, InferredCentre
from verifier.definitions.registry import ALIASES
from verifier.definitions.scheme import Scheme
from verifier.model.bundled import bundled
from verifier.model.policy import Policy
from verifier.model.write import toml_text
from verifier.questions.check import check
from verifier.show.axis_words import AXES, choices_of
from verifier.show.cards import (
    TOURS,
    card_html,
    card_json,
    card_rows,
    card_sheet,
    card_text,
    snippet,
)

DECIDED = [key for key in pk.atlas if not pk.atlas[key].undecided]
PARTS = Scheme | Centre | InferredCentre
OF_THE_SCHEME = [key for key in DECIDED if isinstance(pk.atlas[key].compare, PARTS)]


@pytest.mark.parametrize("key", list(pk.atlas))
def test_a_card_has_its_parts(key: str) -> None:
    definition = pk.atlas[key]
    rows = dict(card_rows(definition))
    assert rows["definition"].startswith(f"{definition.key}: ")
    assert key == definition.key or rows["definition"].endswith(f" (in the atlas {key})")
    assert rows["source"].startswith("DP22, ")
    assert rows["formula"] == definition.formula
    assert rows["dimension"]
    assert ("undecided" in rows) == (key not in DECIDED)
    assert set(AXES.values()) <= set(rows) or key not in DECIDED
    assert ("separated" in rows) or ("the same as" in rows) or key not in DECIDED
    assert definition.title in card_text(definition)
    assert ("in the atlas" in rows["definition"]) == (ALIASES.get(key, (key, ""))[0] != key)


def tables_of(key: str, fields: dict[str, Any]) -> str:
    """The tour of a definition with a [policy] of some fields alone."""
    choices = choices_of(pk.atlas[key])
    assert choices is not None
    tables = tomllib.loads(bundled()[TOURS[choices.records]].read_text(encoding="utf-8"))
    del tables["policy"], tables["expect"]
    return toml_text({**tables, **({"policy": fields} if fields else {})})


@pytest.mark.parametrize("key", OF_THE_SCHEME)
def test_a_definition_is_decided_with_the_lines_to_copy_and_without_none_of_them(key: str) -> None:
    choices = choices_of(pk.atlas[key])
    assert choices is not None
    text = snippet(choices)
    fields = tomllib.loads(text)["policy"] if text else {}
    with_all = check(pk.loads(tables_of(key, fields)), key, replay=False)
    assert with_all.verdict in {"holds", "fails"}, with_all.reason
    for field in choices.fields:
        fewer = {name: value for name, value in fields.items() if name != field}
        without = check(pk.loads(tables_of(key, fewer)), key, replay=False)
        assert without.verdict == "unsupported"
        assert f"`{field}`" in (without.reason or "")


def test_fields_are_those_of_the_policy() -> None:
    known = {name.replace("_", "-") for name in Policy.__dataclass_fields__}
    for key in at_least_one(DECIDED):
        choices = choices_of(pk.atlas[key])
        assert choices is not None
        assert {*choices.fields, *choices.optional} <= known


def test_a_card_in_a_notebook_and_in_a_terminal() -> None:
    for key in ("renyidp", "npr", "zkpr", "indcdp"):
        shown = card_html(pk.atlas[key])
        assert ET.fromstring(shown).findall(".//math")  # noqa: S314 - our own text
        assert pk.atlas[key]._repr_html_() == shown
        assert pk.atlas[key].card() == card_text(pk.atlas[key])


def test_a_definition_that_is_none_of_dp22_has_a_card() -> None:
    assert card_json(pk.DEFINITIONS["dps"])["dimensions"] is None
    assert "compares" not in dict(card_rows(pk.DEFINITIONS["safe"]))


def test_a_card_says_its_choices_in_sentences() -> None:
    """Each has a subject and a verb, and neither a phrase within it begins like another sentence."""
    subjects = ("It compares ", "The attacker ", "It bounds ", "It asks whether ", "Each pair ", "The average ")
    for key in at_least_one(DECIDED):
        choices = choices_of(pk.atlas[key])
        assert choices is not None
        for axis in AXES:
            words = getattr(choices, axis)
            assert words.startswith(subjects), (key, axis, words)
            assert words.endswith("."), (key, axis, words)
            assert sum(words.count(subject) for subject in subjects) == 1, (key, axis, words)
        for name, text in card_rows(pk.atlas[key]):
            if name in {"needs", "may be given", "separated", "the same as"}:
                assert text[0].isupper() or text[0] == "[", (key, name)
                assert text.endswith("."), (key, name)


def test_no_greek_letter_is_left_in_latex() -> None:
    """Words of cards and answers are typeset: a letter that plain LaTeX has not would stop it."""
    for key in at_least_one(pk.atlas):
        text = card_sheet(pk.atlas[key]).tex()
        assert not [mark for mark in text if "\u0370" <= mark <= "\u03ff" or "\u2000" <= mark <= "\u2bff"], key


def test_a_bound_has_the_letter_of_its_formula() -> None:
    """SIDP bounds its statistic by s, ConsDP a distance by Δ."""
    for key, words in (("sidp", "differs by at most s"), ("consdp", "distance is at most Δ")):
        choices = choices_of(pk.atlas[key])
        assert choices is not None
        assert words in choices.builder
        assert words.rpartition(" ")[2] in pk.atlas[key].formula
