"""Models whose exchange rates are known."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import verifier as pk
from verifier.numbers.simplex import Simplex

PAIR = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
TWINS = pk.build(title="twins", size=2, values=[0, 1], distribution=PAIR, mechanism={"kind": "sum"})


AGREEING_FILE = """
title = "two bits that agree"
size = 2
values = [0, 1]
[parameters]
agree = { above = "0", below = "1" }
[[distribution]]
table = [
  { database = [0, 0], probability = "agree/2" },
  { database = [0, 1], probability = "1/2 - agree/2" },
  { database = [1, 0], probability = "1/2 - agree/2" },
  { database = [1, 1], probability = "agree/2" },
]
"""
TWINS_FILE = """
title = "twins"
size = 2
values = [0, 1]
[[distribution]]
table = [ { database = [0, 0], probability = "1/2" }, { database = [1, 1], probability = "1/2" } ]
"""


def write_files(folder: Path) -> Path:
    """Write files about which rates are asked: with parameters, with a mechanism and without one; return the folder."""
    (folder / "agreeing.toml").write_text(AGREEING_FILE, encoding="utf-8")
    (folder / "twins.toml").write_text(TWINS_FILE + '[mechanism]\nkind = "sum"\n', encoding="utf-8")
    (folder / "alone.toml").write_text(TWINS_FILE, encoding="utf-8")
    return folder


def agreeing(c: str) -> pk.Model:
    """Two bits that agree with probability c."""
    agree = Fraction(c)
    table = [
        {"database": [a, b], "probability": str((agree if a == b else 1 - agree) / 2)} for a in (0, 1) for b in (0, 1)
    ]
    return pk.build(size=2, values=[0, 1], distribution={"table": table}, mechanism={"kind": "sum"})


def scaled(first: str, second: str) -> pk.Model:
    """One record with three values, of which pairs may differ by multiples of ε."""
    policy = {"scale": [[[0, 1], first], [[1, 2], second]]}
    return pk.build(size=1, values=[0, 1, 2], mechanism={"kind": "sum"}, policy=policy)


def halve_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault in the simplex: it finds half of every multiplier."""
    honest = Simplex.maximise

    def halved(self: Any, objective: Any) -> Any:
        value, point, prices = honest(self, objective)
        return value, point, {row: price / 2 for row, price in prices.items()}

    monkeypatch.setattr(Simplex, "maximise", halved)
