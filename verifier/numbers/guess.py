"""Guesses of the optimal basis of a linear program, by HiGHS, in floating point. Nothing here is believed.

A guess names variables and rows; `linear` solves them exactly, and proves or throws away what comes out. HiGHS is in
an extra; where it is not installed there are no guesses, and the answers are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import inf
from typing import Any

QUIET_BELOW = 1, 16
"""The first version of HiGHS that greets on standard output, where answers stand: it is not asked."""
SWEEPS = 4
"""How often rows and columns are scaled in turn."""
CLOSE: dict[str, Any] = dict.fromkeys(("primal_feasibility_tolerance", "dual_feasibility_tolerance"), 1 / 10**10)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {**CLOSE, "presolve": "off", "simplex_strategy": 1},
    {**CLOSE, "simplex_strategy": 4},
)
"""The options of HiGHS of one try after the other, from the second on with its smallest tolerances."""


@cache
def has_highs() -> bool:
    """Whether HiGHS is installed, in a version that prints nothing."""
    from importlib import metadata  # which loads slowly, and most questions have no linear program

    try:
        version = metadata.version("highspy").split(".")
    except metadata.PackageNotFoundError:
        return False
    return tuple(int(part) for part in version[:2]) < QUIET_BELOW


def bases(width: int, rows: Sequence[Any], costs: Mapping[int, Any]) -> Iterator[tuple[list[int], list[int]]]:
    """Guess bases of max costs·x with x ≥ 0: the variables in each, and the rows without slack.

    `rows` are coefficients by variable, a bound, and whether the row is an equation; variables are numbered below
    `width`. There is no guess where HiGHS says that the program has no optimum.
    """
    import highspy
    import numpy as np

    places = [(i, j, value) for i, row in enumerate(rows) for j, value in row[0].items()]
    down, across = _scales(places, len(rows), width)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = width, len(rows)
    most = max((_length(value) + across[j] for j, value in costs.items()), default=0)
    cost = np.zeros(width)
    for j, value in costs.items():
        cost[j] = -_near(value, across[j] - most)
    bounds = np.array([_near(row[1], down[i]) for i, row in enumerate(rows)])
    model.col_cost_, model.col_lower_, model.col_upper_ = cost, np.zeros(width), np.full(width, highspy.kHighsInf)
    equal = np.array([row[2] for row in rows])
    model.row_lower_, model.row_upper_ = np.where(equal, bounds, -highspy.kHighsInf), bounds
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *(len(row[0]) for row in rows)])
    model.a_matrix_.index_ = np.array([j for _, j, _ in places])
    model.a_matrix_.value_ = np.array([_near(value, down[i] + across[j]) for i, j, value in places])
    for options in SETTINGS:
        highs = highspy.Highs()
        highs.silent()
        for name, setting in options.items():
            highs.setOptionValue(name, setting)
        highs.passModel(model)
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return
        basis, basic = highs.getBasis(), highspy.HighsBasisStatus.kBasic
        yield (
            [j for j, status in enumerate(basis.col_status) if status == basic],
            [i for i, status in enumerate(basis.row_status) if status != basic],
        )


def _scales(places: Sequence[tuple[int, int, Any]], height: int, width: int) -> tuple[list[int], list[int]]:
    """Exponents of powers of two for rows and columns that bring the entries near 1: a guess needs even numbers."""
    import numpy as np

    lines = [np.array([place[k] for place in places], dtype=int) for k in (0, 1)]
    lengths = np.array([_length(value) for *_, value in places], dtype=int)
    scales = [np.zeros(height, dtype=int), np.zeros(width, dtype=int)]
    for k in (0, 1) * SWEEPS:
        scaled = lengths + scales[1 - k][lines[1 - k]]
        low, high = (np.full(len(scales[k]), end * (1 << 40)) for end in (1, -1))
        np.minimum.at(low, lines[k], scaled)
        np.maximum.at(high, lines[k], scaled)
        scales[k] = np.where(low <= high, -(low + high) // 2, 0)
    return scales[0].tolist(), scales[1].tolist()


def _length(value: Any) -> int:
    """The binary logarithm of the size of a rational, up to 1."""
    return int(abs(value.p).bit_length()) - int(value.q.bit_length())


def _near(value: Any, shift: int) -> Any:
    """The floating-point number next to value·2^shift; infinite where it is too large."""
    p, q = int(value.p) << max(shift, 0), int(value.q) << max(-shift, 0)
    try:
        return p / q
    except OverflowError:
        return inf if p > 0 else -inf
