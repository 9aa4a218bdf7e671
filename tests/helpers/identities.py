"""What the tests of docs/identities.md share: the formulas once more, models, and what both engines say of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

import verifier as pk
from verifier.engine import MAX_ROWS, Engine
from verifier.numbers import Delta
from verifier.questions.losses import KnowledgeLoss

F = Fraction
WAYS = pytest.mark.parametrize("way", ["table", "sum"])
CHANCES = st.fractions(min_value="1/40", max_value="39/40", max_denominator=40)
FEW = settings(max_examples=20)
FACTORS = st.sampled_from([F(1), F(3, 2), F(2), F(7, 2), F(20)])


def f(s: int, m: int, p: Fraction) -> Fraction:
    return comb(m, s) * p**s * (1 - p) ** (m - s) if 0 <= s <= m else F(0)


def below(s: int, m: int, p: Fraction) -> Fraction:
    return sum((f(j, m, p) for j in range(s + 1)), F(0))


def above(s: int, m: int, p: Fraction) -> Fraction:
    return sum((f(j, m, p) for j in range(max(s, 0), m + 1)), F(0))


def shown_loss(n: int, known: int, b: int, k: int, p: Fraction) -> Fraction:
    return p * (n - (known - b) - k) / ((1 - p) * (k - b))


def count_delta(m: int, b: int, threshold: int, p: Fraction, e: Fraction, n: int) -> Fraction:
    events = range(threshold, n + 1)
    one = [below(j - b, m, p) - e * below(j - b - 1, m, p) for j in events]
    two = [above(j - b, m, p) - e * above(j - b + 1, m, p) for j in events]
    return max([F(0), *one, *two])


def noise_delta(p: Fraction, s: int, e: Fraction) -> Fraction:
    return max([F(0), *(1 - (p ** (j + 1) + e * p ** (s - j)) / (1 + p) for j in range(s))])


def losses(model: pk.Model, way: str, values: tuple[object, object] = (0, 1)) -> Sequence[KnowledgeLoss]:
    return pk.loss(model, values=values, engine=Engine(model, MAX_ROWS, way)).knowledge


def laws(one: KnowledgeLoss) -> dict[str, tuple[Fraction, Fraction]]:
    return {row.output.text: (row.probability_a, row.probability_b) for row in one.rows}


def delta(model: pk.Model, definition: str, e: Fraction, way: str) -> Fraction:
    found = pk.check(model, definition, epsilon=f"ln({e})", engine=Engine(model, MAX_ROWS, way)).tight_delta
    assert isinstance(found, Delta)
    assert not found.b
    return found.a


def votes(n: int, known: int, threshold: int, p: Fraction, **more: Any) -> pk.Model:
    keys: dict[str, Any] = {
        "distribution": {"iid": {0: 1 - p, 1: p}},
        "knowledge": {"records": list(range(known))},
        "sensitive": {"records": [n - 1]},
        "mechanism": {"kind": "threshold-count", "value": 1, "above": threshold},
    }
    return pk.build(size=n, values=[0, 1], **(keys | more))


@st.composite
def referendums(draw: st.DrawFn, most: int) -> tuple[int, int, int, Fraction]:
    n = draw(st.integers(1, most))
    return n, draw(st.integers(0, n - 1)), draw(st.integers(0, n)), draw(CHANCES)


def ones(one: KnowledgeLoss) -> int:
    """How many known ones; where nothing is known, none."""
    return sum(int(digit) for digit in re.findall(r"\d", one.knowledge.text)) if one.knowledge.text[:1] == "[" else 0
