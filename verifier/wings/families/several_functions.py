"""What a definition compares in a family with several parameters: every probability as a quotient of polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from verifier.definitions import Definition
from verifier.wings.families.comparisons import collected
from verifier.wings.families.grid import Axes, axes_of, bounds_of, on_grid
from verifier.wings.families.quotient import Quotient
from verifier.wings.families.region import Region

Row: TypeAlias = tuple[Quotient, Quotient | None]
"""The weighted probabilities (P, Q) of the outputs with one loss; Q is None where it does not exist, or is 0."""
Rows: TypeAlias = tuple[Row, ...]


def functions(
    region: Region, definition: Definition, reading: str, max_rows: int, number: int = 0
) -> tuple[tuple[Rows, ...], Axes]:
    """The outputs of each comparison on the inner part, those with the same loss together; and the grid that was used.

    Raises:
        ArithmeticError: where the grid meets special values by chance; another `number` is another grid.
        LimitError: where there would be too many models, or functions.
        UnsupportedError: where the definition does not apply to the family.

    """
    family, names = region.family, region.names
    degrees = bounds_of(family)
    axes = axes_of(family, degrees, region.centre.at, region.inside, number)
    models = (family.beyond(dict(zip(names, at, strict=True))) for at in product(*axes))
    known: dict[tuple[Fraction, ...], Quotient] = {}

    def function(values: Sequence[Fraction]) -> Quotient:
        key = tuple(values)
        if key not in known:
            known[key] = on_grid(names, axes, key, degrees)
        return known[key]

    found = []
    for terms in collected(models, definition, reading, max_rows).values():
        rows: dict[Quotient | None, Row] = {}
        for one in terms.values():
            weight = function(one.weights)
            for values in one.rows.values():
                p, q = (weight * function(side) for side in zip(*values, strict=True))
                if p:
                    _add(rows, p, None if one.lost or not q else q)
        found.append(tuple(rows.values()))
    return tuple({frozenset(rows): rows for rows in found}.values()), axes


def _add(rows: dict[Quotient | None, Row], p: Quotient, q: Quotient | None) -> None:
    loss = None if q is None else p / q
    if loss in rows:
        before, other = rows[loss]
        p, q = p + before, None if q is None or other is None else q + other
    rows[loss] = p, q
