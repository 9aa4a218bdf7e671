"""Formulas as MathML: well-formed, and the same as in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from verifier.definitions import DEFINITIONS, ON_REQUEST, Definition
from verifier.definitions.atlas import atlas
from verifier.show.mathml import definition_formula, formula, mixed, plain

pytestmark = pytest.mark.quick


OF_DP22 = list(atlas.entries.values())
EVERY = [*DEFINITIONS.values(), *ON_REQUEST.values(), *OF_DP22]


def tree(body: str) -> ET.Element:
    return ET.fromstring(body)  # noqa: S314 - our own text


@pytest.mark.parametrize("definition", EVERY, ids=lambda one: one.key)
def test_formulas_in_latex_say_what_the_formulas_in_words_say(definition: Definition) -> None:
    pieces = definition.latex.split("$")
    assert len(pieces) % 2 == 1
    said = "".join(plain(one) if k % 2 else one for k, one in enumerate(pieces))
    if definition.undecided:
        return
    assert re.sub(r"\s", "", said) == re.sub(r"\s", "", definition.formula)
    assert "<math" in definition_formula(definition)


@pytest.mark.parametrize("definition", EVERY, ids=lambda one: one.key)
def test_formulas_are_well_formed_and_have_a_text(definition: Definition) -> None:
    found = tree(f"<p>{definition_formula(definition)}</p>").findall(".//math")
    assert found
    for one in found:
        assert one.attrib["alttext"]
        assert "\\" not in one.attrib["alttext"] + "".join(one.itertext())


def test_formulas_of_somebody_else() -> None:
    own = Definition("mine", "mine", "me", "a < b", "conditional")
    assert definition_formula(own) == "a &lt; b"
    assert "display='block'" in formula(r"\delta", display=True)
    assert mixed("a < $b$").startswith("a &lt; <math")
