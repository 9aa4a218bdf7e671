"""All definitions of DP22 in Python: by key, as `pk.check` answers each, as text and in a notebook."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as ET

import pytest

import verifier as pk
from verifier.definitions.answer import Answer
from verifier.errors import InputError
from verifier.model.library import models_folder
from verifier.questions.atlas import check_all

NEAR_COPIES = pk.read(models_folder() / "atlas" / "near-copies.toml")
TOUR = pk.read(models_folder() / "atlas" / "tour.toml")


def same(first: Answer, second: Answer) -> bool:
    """Whether two answers say the same to a script."""
    return bool(first.to_json() == second.to_json())


def test_each_answer_is_that_of_check() -> None:
    answers = pk.check_all(NEAR_COPIES, epsilon="ln(2)", delta="1/10")
    assert list(answers) == list(pk.atlas)
    for key, answer in answers.items():
        definition = pk.atlas[key]
        epsilon, delta = "ln(2)" if definition.has_epsilon else None, "1/10" if definition.has_delta else 0
        assert same(answer, pk.check(NEAR_COPIES, definition, epsilon=epsilon, delta=delta)), key


def test_a_dimension_selects_its_definitions() -> None:
    answers = pk.check_all(TOUR, dimension="vq", replay=False)
    assert list(answers) == [key for key in pk.atlas if set("VQ") <= set(pk.atlas.dimensions(key))]
    assert len(answers) == len(answers.entries) >= 5
    assert all(same(answer, pk.check(TOUR, pk.atlas[key], replay=False)) for key, answer in answers.items())


def test_what_is_no_dimension_or_key_is_refused() -> None:
    with pytest.raises(pk.InputError, match=r"Q .quantification of privacy loss., N"):
        pk.check_all(TOUR, dimension="X")
    answers = pk.check_all(TOUR, dimension="C")
    with pytest.raises(pk.InputError, match=r"the key .* is unknown"):
        answers["renyidp"]
    assert "ocdp" in answers
    assert "renyidp" not in answers


def test_the_answers_show_themselves() -> None:
    answers = check_all(TOUR, dimension="N", epsilon="ln(2)", replay=False)
    text = str(answers)
    assert max(map(len, text.splitlines())) <= 100
    decided = {key for key, answer in answers.items() if answer.verdict != "unsupported"}
    assert {line.split()[0] for line in text.splitlines() if " fails " in line or " holds " in line} == decided
    counts = Counter(answer.verdict for answer in answers.values())
    said = f"{counts['holds']} hold, {counts['fails']} fail, {counts['unsupported']} unsupported"
    assert repr(answers).endswith(f" {len(answers)} definitions: {said}>")
    page = answers._repr_html_()  # type: ignore[attr-defined]
    ET.fromstring(page)  # noqa: S314 - our own text
    assert "osdp" in page
    assert "✗ fails" in page
    assert "sempr" not in page, "it changes F alone"


def test_a_dimension_has_letters_or_a_name() -> None:
    for spelled in ("relativization", "relativisation"):
        assert list(check_all(TOUR, dimension=spelled, replay=False)) == pk.atlas.changing("R")
    assert pk.atlas.changing("") == list(pk.atlas)
    with pytest.raises(InputError, match="dimension: the dimension"):
        check_all(TOUR, dimension="knowledge of the weather")


def test_json_has_the_keys_and_the_dimensions() -> None:
    (first, *_) = check_all(TOUR, dimension="V", replay=False).to_json()
    assert (first["key"], first["dimensions"], first["definition"]) == ("absdp", "QNV", "absdp")
