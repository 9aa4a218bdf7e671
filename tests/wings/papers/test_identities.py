"""The identities of docs/identities.md about counts: derived, what both engines give, and wrong without a condition."""

from __future__ import annotations

import importlib
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from identities import (
    CHANCES,
    FACTORS,
    FEW,
    WAYS,
    F,
    above,
    below,
    count_delta,
    delta,
    f,
    laws,
    losses,
    ones,
    referendums,
    shown_loss,
    votes,
)

import verifier as pk

ROOT = Path(__file__).resolve().parents[3]


def named() -> list[tuple[str, str]]:
    """Every derivation that the page names."""
    text = (ROOT / "docs" / "identities.md").read_text(encoding="utf-8")
    found = re.findall(r"`(?:proofs/DMKB20/)?(\w+)\.py`, `(\w+)`", text)
    return sorted(set(found))


@pytest.mark.parametrize(("module", "function"), named(), ids=lambda one: one)
def test_the_derivations_of_the_page_go_through(module: str, function: str) -> None:
    steps = getattr(importlib.import_module(f"proofs.DMKB20.{module}"), function)()
    assert steps
    assert all(isinstance(one, str) for one in steps)


def test_the_page_names_every_general_derivation() -> None:
    text = (ROOT / "proofs" / "DMKB20" / "general.py").read_text(encoding="utf-8")
    assert set(re.findall(r"^def ([a-z]\w*)", text, re.MULTILINE)) == {
        name for file, name in named() if file == "general"
    }


# --- counts ---


def compare_losses(n: int, known: int, threshold: int, p: Fraction, way: str) -> int:
    """Every output of every B̂ against the formulas, the ends included; how many."""
    m, count = n - known - 1, 0
    for one in losses(votes(n, known, threshold, p), way):
        b, found = ones(one), laws(one)
        zeros = known - b
        for k in range(threshold + 1, n + 1):
            x, y = found.get(str(k), (F(0), F(0)))
            assert (x, y) == (f(k - b, m, p), f(k - b - 1, m, p))
            if b < k <= n - zeros:
                assert x == y * shown_loss(n, known, b, k, p)
                assert y
            elif k == b:
                assert x > 0 == y
            else:
                assert x == y == 0
            count += 1
        hidden = found.get("⊥", (F(0), F(0)))
        assert hidden == (below(threshold - b, m, p), below(threshold - b - 1, m, p))
        assert (hidden[1] == 0) == (b >= threshold)
    return count


@WAYS
@FEW
@given(of=referendums(6))
def test_loss_of_a_thresholded_count(way: str, of: tuple[int, int, int, Fraction]) -> None:
    compare_losses(*of, way)


@given(of=referendums(40))
@settings(max_examples=8)
def test_loss_of_a_thresholded_count_of_many(of: tuple[int, int, int, Fraction]) -> None:
    compare_losses(*of, "sum")


@WAYS
@FEW
@given(of=referendums(6), e=FACTORS)
def test_delta_of_a_thresholded_count(way: str, of: tuple[int, int, int, Fraction], e: Fraction) -> None:
    n, known, threshold, p = of
    wanted = max(count_delta(n - known - 1, b, threshold, p, e, n) for b in range(known + 1))
    assert delta(votes(n, known, threshold, p), "apkdp", e, way) == wanted


def test_the_same_chance_for_all_is_needed() -> None:
    """Three votes, p = 1/2 and 1/4: at k = 1 with the mean 3/8 the formula gives 6/5, and the loss is ln(4/3)."""
    law = [{0: "1/2", 1: "1/2"}, {0: "3/4", 1: "1/4"}, {0: "1/2", 1: "1/2"}]
    found = laws(losses(votes(3, 0, 0, F(1, 2), distribution={"independent": law}), "sum")[0])
    assert found["1"][0] / found["1"][1] == F(4, 3)
    assert shown_loss(3, 0, 0, 1, F(3, 8)) == F(6, 5)
    assert all(found["1"][0] != found["1"][1] * shown_loss(3, 0, 0, 1, p) for p in (F(1, 2), F(1, 4), F(3, 8)))


def test_independence_is_needed() -> None:
    """D(1) = D(0), both fair: the count is 0 or 2, where the formula gives 1 at k = 1."""
    both = [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]
    found = laws(losses(votes(2, 0, -1, F(1, 2), distribution={"table": both}), "table")[0])
    assert "1" not in found
    assert shown_loss(2, 0, 0, 1, F(1, 2)) == 1
    assert found["2"] == (F(0), F(1))


def test_a_known_target_is_not_compared() -> None:
    model = votes(2, 1, 0, F(1, 3), sensitive={"records": [0]})
    assert pk.check(model, "apkdp", epsilon="ln(2)").verdict == "vacuous"


# --- Lemma 2 ---


def bound(a: int, m: int, p: Fraction) -> Fraction:
    return f(a, m, p) / (1 - p * m / ((1 - p) * a))


def tail_by_engine(a: int, m: int, p: Fraction, way: str) -> Fraction:
    """P[X ≥ a]: the chance that the count of m others and a one is shown above a."""
    (found,) = losses(votes(m + 1, 0, a, p), way)
    return 1 - laws(found).get("⊥", (F(0), F(0)))[1]


@WAYS
@FEW
@given(data=st.data())
def test_lemma_2(way: str, data: st.DataObject) -> None:
    m = data.draw(st.integers(1, 5 if way == "table" else 30))
    a = data.draw(st.integers(1, m))
    p = data.draw(CHANCES.filter(lambda p: p * m < (1 - p) * a))
    tail = tail_by_engine(a, m, p, way)
    assert tail == above(a, m, p)
    assert tail < bound(a, m, p)


@WAYS
def test_each_condition_of_lemma_2_is_needed(way: str) -> None:
    assert tail_by_engine(3, 2, F(1, 4), way) == bound(3, 2, F(1, 4)) == 0, "a > m: both sides are 0"
    assert tail_by_engine(1, 2, F(1, 2), way) > 0 > bound(1, 2, F(1, 2)), "ρ = 2"
    assert bound(1, 2, F(0)) == above(1, 2, F(0)) == 0, "p = 0"
