"""Square systems of linear equations over the rationals with few entries, solved exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def solved(rows: Mapping[int, Mapping[int, Any]], right: Mapping[int, Any]) -> dict[int, Any] | None:
    """The x with Σ_j rows[i][j]·x[j] = right[i] for each i, or None where there is not exactly one.

    Rows with one unknown and unknowns of one row are put aside first, as often as there are any; python-flint solves
    what is left. Entries are rationals of python-flint; there are as many rows as unknowns.
    """
    from flint import fmpq, fmpq_mat

    order = _order(rows)
    if order is None:
        return None
    first, (names, unknowns), last = order
    x: dict[int, Any] = {}

    def left(i: int) -> Any:
        return right[i] - sum((value * x[j] for j, value in rows[i].items() if j in x), fmpq(0))

    for i, j in first:
        x[j] = left(i) / rows[i][j]
    if names:
        matrix: Any = fmpq_mat(len(names), len(names), [rows[i].get(j, 0) for i in names for j in unknowns])
        try:
            values = matrix.solve(fmpq_mat(len(names), 1, [left(i) for i in names]), algorithm="dixon")
        except ZeroDivisionError:
            return None
        x.update((j, values[k, 0]) for k, j in enumerate(unknowns))
    for i, j in reversed(last):
        x[j] = left(i) / rows[i][j]
    return x


Places = list[tuple[int, int]]


def _order(rows: Mapping[int, Mapping[int, Any]]) -> tuple[Places, tuple[list[int], list[int]], Places] | None:
    """The places (i, j) that are solved first, the rows and unknowns of the rest, and the places that are solved last.

    None where a row or an unknown is left without entries: then the system has no or many solutions.
    """
    of_row = {i: set(row) for i, row in rows.items()}
    of_column: dict[int, set[int]] = {}
    for i, row in rows.items():
        for j in row:
            of_column.setdefault(j, set()).add(i)
    first: Places = []
    last: Places = []
    singles = [(True, i) for i, row in of_row.items() if len(row) == 1]
    singles += [(False, j) for j, column in of_column.items() if len(column) == 1]
    while singles:
        is_row, name = singles.pop()
        left = (of_row if is_row else of_column).get(name)
        if not left:
            continue  # it was put aside as the other half of a place, or is empty, which is seen below
        (other,) = left
        i, j = (name, other) if is_row else (other, name)
        (first if is_row else last).append((i, j))
        for k in of_row.pop(i):
            of_column[k].discard(i)
            if k != j and len(of_column[k]) == 1:
                singles.append((False, k))
        for k in of_column.pop(j):
            of_row[k].discard(j)
            if len(of_row[k]) == 1:
                singles.append((True, k))
    if len(of_row) != len(of_column) or not all((*of_row.values(), *of_column.values())):
        return None
    return first, (sorted(of_row), sorted(of_column)), last
