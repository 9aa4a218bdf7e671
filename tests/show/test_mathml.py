"""Exact values and formulas as MathML: well-formed, the same numbers, the same formulas as in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.definitions import DEFINITIONS, ON_REQUEST, Definition
from verifier.numbers import Delta, Enclosure, Loss, epsilon
from verifier.show.mathml import definition_formula, exact, formula, mixed, number, plain

EVERY = [*DEFINITIONS.values(), *ON_REQUEST.values()]
fractions = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)


def tree(body: str) -> ET.Element:
    return ET.fromstring(body)  # noqa: S314 - our own text


def shown(body: str) -> str:
    """What is read in a `<math>`, with a slash for each fraction bar."""

    def told(one: ET.Element) -> str:
        parts = [told(child) for child in one]
        if one.tag == "mfrac":
            return "/".join(parts)
        return (one.text or "") + "".join(parts)

    return told(tree(body))


@pytest.mark.parametrize("definition", EVERY, ids=lambda one: one.key)
def test_formulas_in_latex_say_what_the_formulas_in_words_say(definition: Definition) -> None:
    pieces = definition.latex.split("$")
    assert len(pieces) % 2 == 1
    said = "".join(plain(one) if k % 2 else one for k, one in enumerate(pieces))
    assert re.sub(r"\s", "", said) == re.sub(r"\s", "", definition.formula)
    assert "<math" in definition_formula(definition)


@pytest.mark.parametrize("definition", EVERY, ids=lambda one: one.key)
def test_formulas_are_well_formed_and_have_a_text(definition: Definition) -> None:
    found = tree(f"<p>{definition_formula(definition)}</p>").findall(".//math")
    assert found
    for one in found:
        assert one.attrib["alttext"]
        assert "\\" not in one.attrib["alttext"] + "".join(one.itertext())


@given(fractions)
def test_numbers_keep_their_digits(value: Fraction) -> None:
    assert shown(number(value)) == str(value)
    assert shown(number(-value)) == f"−{value}"
    assert tree(number(value)).attrib["alttext"] == str(value)


@given(fractions.filter(lambda x: x > 1), st.fractions(min_value=Fraction(1, 99), max_value=99))
def test_values_keep_their_digits(argument: Fraction, factor: Fraction) -> None:
    for value in (Loss(argument), epsilon(f"{factor}*ln({argument})"), Delta(factor, argument, epsilon(factor))):
        body = number(value)
        read = re.findall(r"\d+", shown(body))
        assert read == re.findall(r"\d+", value.text(60))
        assert "mtext" not in body


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("inf", "∞"), ("-inf", "−∞"), ("sqrt(5/2)", "5/2"), ("5.7e-561", "5.7·10−561"), ("3/8 - 1/5*e^ε", "3/8−1/5eε"),
        ("ln(root of x^2 - x - 1 in [8/5, 17/10])", "ln(root of x2−x−1 in [8/5,17/10])"),
        ("1/7178979876… (25 digits)", "1/7178979876… (25 digits)"), ("[1/2, 0.75]", "[1/2,0.75]"),
        ("<odd> & more", "<odd> & more"), ("1/", "1/"), ("ln(2", "ln(2"), ("", ""),
    ],
)  # fmt: skip
def test_every_form_and_what_is_none(text: str, said: str) -> None:
    assert shown(exact(text)) == said


def test_enclosures_and_nothing() -> None:
    assert shown(number(Enclosure.between(Fraction(1, 4), Fraction(1, 2)))).startswith("[0.25")
    assert number(None) == "–"


def test_formulas_of_somebody_else() -> None:
    own = Definition("mine", "mine", "me", "a < b", "conditional")
    assert definition_formula(own) == "a &lt; b"
    assert "display='block'" in formula(r"\delta", display=True)
    assert mixed("a < $b$").startswith("a &lt; <math")
