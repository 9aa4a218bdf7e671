"""Geometric noise, added up output by output."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Law = Mapping[Any, Fraction]


def noisy(law: Law, p: Fraction, low: int, high: int) -> dict[Any, Fraction]:
    """The law of k + X for k of a law on integers, on low to high, and of all that is `below` and `above`."""
    share = (1 - p) / (1 + p)
    table: dict[Any, Fraction] = {
        k: sum((q * share * p ** abs(k - at) for at, q in law.items()), Fraction(0)) for k in range(low, high + 1)
    }
    table["below"] = sum((q * p ** (at - low + 1) / (1 + p) for at, q in law.items()), Fraction(0))
    table["above"] = sum((q * p ** (high - at + 1) / (1 + p) for at, q in law.items()), Fraction(0))
    assert sum(table.values()) == 1
    return table


def noise(p: str) -> dict[str, Any]:
    return {"kind": "geometric-noise", "p": p}


BIT: dict[str, Any] = {"size": 1, "values": [0, 1]}
COUNT: dict[str, Any] = {"kind": "count", "value": 1, "then": [noise("1/2")]}
