"""What is kept of sums of noise, across databases that begin alike: with it and without, the laws are the same."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.programs import noisy_number

CLASSICS = tomllib.loads((Path(__file__).parent / "classics.toml").read_text(encoding="utf-8"))


def laws(name: str) -> list[Any]:
    classic = CLASSICS[name]
    text = CLASSICS["model"].format(size=2, neighbours="every-entry-by-one", program=classic["program"])
    family = loads_any(text, "model.toml")
    assert isinstance(family, Family)
    mechanism = family.general.mechanism
    found = [mechanism.law(database) for database in product(range(3), repeat=2)]
    return [(law.outcomes, law.weights, law.denominator) for law in found]


@pytest.mark.parametrize("name", [name for name in CLASSICS if name != "model"])
def test_what_is_kept_of_noise_changes_no_law(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    noisy_number._settled.cache_clear()
    first, again = laws(name), laws(name)
    assert noisy_number._settled.cache_info().hits
    for kept in ("_settled", "_ways"):
        monkeypatch.setattr(noisy_number, kept, getattr(noisy_number, kept).__wrapped__)
    assert first == again == laws(name)
