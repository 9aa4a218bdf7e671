"""Honest answers of every kind are confirmed; every forgery in the registry is refused with its reason."""

from __future__ import annotations

import re

import pytest
from rechecked import checker_word

from .forgeries import ASKED, TABLES, Forgery, forgeries, honest, model_named


@pytest.mark.parametrize(("table", "base"), [(table, base) for table in TABLES for base in ASKED[table]])
def test_an_honest_answer_is_confirmed(table: str, base: str) -> None:
    text = model_named(ASKED[table][base]["model"]).text
    assert checker_word(honest(table, base), text).word == "confirmed"


@pytest.mark.parametrize("forgery", [one for table in TABLES for one in forgeries(table)], ids=str)
def test_a_forgery_is_refused_with_its_reason(forgery: Forgery) -> None:
    found = forgery.word()
    assert found.word != "confirmed"
    assert re.search(forgery.reason, found.text), found.text
