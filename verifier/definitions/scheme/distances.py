"""Distances between databases, exactly: `hamming`, `largest`, or the rows of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from verifier.definitions.scheme.rows import Setting
from verifier.errors import UnsupportedError
from verifier.model import Database
from verifier.numbers.rational import number_or_none

if TYPE_CHECKING:
    from verifier.model.policy import Table

Distance: TypeAlias = Callable[[Database, Database], Fraction | None]
"""A distance; None is infinite."""


def distance_of(setting: Setting) -> Distance:
    """The distance that `[policy] distance` names.

    `hamming` is the least number of records to change, add or remove. `largest` is the largest |D(i) - D′(i)|, of
    values that are numbers. Rows of the file count in both orders, and other pairs are infinitely far apart.

    Raises:
        UnsupportedError: where the file has no distance, or asks `largest` of multisets or of values without numbers.

    """
    name_or_rows = setting.need("distance")
    if name_or_rows == "hamming":
        return _hamming if setting.model.sizes is None else _edits
    if name_or_rows == "largest":
        return _largest(setting)
    rows: Table = name_or_rows
    table = {ends: d for first, second, d in rows for ends in ((first, second), (second, first))}
    return lambda first, second: Fraction(0) if first == second else table.get((first, second))


def _hamming(first: Database, second: Database) -> Fraction:
    return Fraction(sum(a != b for a, b in zip(first, second, strict=True)))


def _edits(first: Database, second: Database) -> Fraction:
    gone, new = Counter(first) - Counter(second), Counter(second) - Counter(first)
    return Fraction(max(gone.total(), new.total()))


def _largest(setting: Setting) -> Distance:
    numbers = [number_or_none(value.text) for value in setting.model.values]
    if setting.model.sizes is not None or any(number is None for number in numbers):
        raise UnsupportedError(
            f"{setting.key} takes the largest difference of two records: it needs one size, and values that are numbers"
        )
    values = [number for number in numbers if number is not None]
    return lambda first, second: max(
        (abs(values[a] - values[b]) for a, b in zip(first, second, strict=True)), default=Fraction(0)
    )
