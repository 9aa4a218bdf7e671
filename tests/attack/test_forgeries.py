"""Honest certificates of every kind are accepted; every forgery in the registry is refused with its reason."""

from __future__ import annotations

import re

import pytest

from verifier.checker import Rejected

from .forgeries import FORGERIES, TABLES, Forgery, honest, honest_names


@pytest.mark.parametrize(("table", "base"), honest_names())
def test_an_honest_certificate_is_accepted(table: str, base: str) -> None:
    one = honest(table, base)
    TABLES[table].replay(one)
    if base in {"holds", "fails", "vacuous"}:
        assert one["answer"]["verdict"] == base


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_a_forgery_is_refused_with_its_reason(forgery: Forgery) -> None:
    forged = forgery.of(honest(forgery.table, forgery.base))
    with pytest.raises(Rejected) as caught:
        TABLES[forgery.table].replay(forged)
    assert re.search(forgery.reason, str(caught.value)), caught.value
    assert forgery.table != "files" or "malformed" not in str(caught.value)


def test_attacks_on_files_have_distinct_names() -> None:
    names = [one.name for one in FORGERIES if one.table == "files"]
    assert len(set(names)) == len(names) >= 80
