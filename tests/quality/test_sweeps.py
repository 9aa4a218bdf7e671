"""Of a sweep the same cases are looked at every time, and each value of a parameter in some of them."""

from __future__ import annotations

from itertools import product

import pytest
from sweeps import chosen

LINE = {f"case {k}": {"number": k, "name": k} for k in range(20)}
GRID = {f"{x}-{y}": {"x": x, "y": y} for x, y in product(range(12), range(5))}


@pytest.mark.parametrize(("share", "kept"), [(1, 20), (2, 10), (3, 7), (20, 1), (99, 1)])
def test_one_in_some_cases_is_kept_rounded_up(share: int, kept: int) -> None:
    assert len(chosen(LINE, share)) == kept
    assert chosen(LINE, share) == chosen(dict(reversed(LINE.items())), share)


def test_no_value_of_several_parameters_is_left_out() -> None:
    for share in (1, 3, 6, 60):
        kept = chosen(GRID, share)
        assert {GRID[name]["x"] for name in kept} == set(range(12))
        assert {GRID[name]["y"] for name in kept} == set(range(5))
        assert len(kept) >= 60 / share
    assert chosen(GRID, 1) == set(GRID)
    assert len(chosen(GRID, 3)) == 20
