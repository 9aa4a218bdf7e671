"""Theorem 5 of DMKB20 repaired: its levels by another way, and its promise beside the exact δ of small models."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from verifier.errors import LimitError
from verifier.wings.papers.bounds.assess import assess
from verifier.wings.papers.bounds.bernoulli import blanket
from verifier.wings.papers.bounds.sampling import upper_tail
from verifier.wings.papers.bounds.thresholding import MAX_RECORDS, levels, repaired_theorem_5

SHARES = (Fraction(1, 20), Fraction(1, 5), Fraction(2, 5), Fraction(1, 2))


@pytest.mark.parametrize("share", SHARES, ids=str)
def test_the_levels_are_those_of_the_blanket(share: Fraction) -> None:
    """Between two levels d does not change: its value there is that of the sum over fair bits at any point between."""
    for n in range(1, 8):
        listed = list(levels(n, share))
        ends = [factor for factor, _ in listed]
        assert ends == sorted(set(ends))
        assert ends[0] == 1
        for (factor, d), end in zip(listed, [*ends[1:], ends[-1] + 2], strict=True):
            assert d == blanket(n, share, end, tail=True)
            assert d == blanket(n, share, (factor + end) / 2, tail=True)
        assert all(before >= after for (_, before), (_, after) in pairwise(listed))


@pytest.mark.parametrize("above", [False, True])
def test_no_level_promises_less(above: bool) -> None:  # noqa: FBT001 - a case
    """On a grid of e^ε, the plain formula is nowhere below what is said to be the smallest, and below δ only later."""
    for share in SHARES:
        given = {"n": 5, "k": 3, "lambda": share, "p": (share / 2,)}
        claimed = repaired_theorem_5(given, above=above)
        assert claimed.delta is not None
        assert claimed.exp is not None
        x = upper_tail(4, share, 3 if above else 2)
        for step in range(60):
            factor = 1 + Fraction(step, 12)
            promised = max(2 * x, blanket(5, share, factor, tail=True) + factor * x)
            assert promised >= claimed.delta.exact  # type: ignore[operator]
            assert claimed.exp.exact is not None
            assert promised > claimed.delta.exact or factor >= claimed.exp.exact  # type: ignore[operator]


@pytest.mark.parametrize("reading", ["repaired", "above-repaired"])
@pytest.mark.parametrize("n", ["2", "3", "5"])
def test_the_repaired_promise_covers_the_exact_delta(n: str, reading: str) -> None:
    """Rare, frequent and mixed values, at the smallest δ and at a larger one."""
    for share, p in (
        ("2/5", "2/5"),
        ("1/5", "1/10,1/2"),
        ("1/5", "1/5,1/5"),
        ("1/20", "1/40,1/40"),
        ("1/3", "1/9,1/3"),
    ):
        for k in ("1", "2", "4"):
            given = {"n": n, "k": k, "lambda": share, "p": p}
            (least,) = assess("theorem-5", given, reading)
            assert least.covers == "yes", given
            (wide,) = assess("theorem-5", {**given, "delta": "99/100"}, reading)
            assert wide.covers == "yes" or wide.claimed.met is False, given


def test_what_is_out_of_reach_is_refused() -> None:
    with pytest.raises(LimitError, match=f"at most {MAX_RECORDS}"):
        repaired_theorem_5({"n": MAX_RECORDS + 1, "k": 3, "lambda": Fraction(1, 5)}, above=False)
    claimed = repaired_theorem_5({"n": 3, "k": 2, "lambda": Fraction(3, 5)}, above=False)
    assert claimed.conditions[0] == ("λ ≤ 1/2", False)
    assert claimed.delta is None
    (row,) = assess("theorem-5", {"n": "3", "k": "2", "lambda": "1/5", "p": "9/10"}, "repaired")
    assert row.covers == "condition not met"
