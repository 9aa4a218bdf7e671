"""`[policy]` of a model file: the parameters that some definitions of DP22 have beside θ, B, T and M.

Every field is optional. A definition that misses a field says which (`Policy.need`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.errors import UnsupportedError
from verifier.model.mechanism import Database
from verifier.tables import Label, label

Pairs = tuple[tuple[Database, Database], ...]
Table = tuple[tuple[Database, Database, Fraction | None], ...]
"""Two databases and a multiple of ε; None is infinite: that pair is not compared."""


@dataclass(frozen=True)
class Aggregate:
    """A function of a database, which may be random: its values at `positions`, or a `table` of laws.

    In the first form its value is the list of the pairs [position, value].
    """

    positions: tuple[int, ...] = ()
    table: tuple[tuple[Database, tuple[tuple[Label, Fraction], ...]], ...] | None = None

    def law(self, database: Database, values: Sequence[Label]) -> dict[Label, Fraction]:
        """The law of the function's value on a database; `values` is T.

        Raises:
            UnsupportedError: for a database that has no row in the table.

        """
        if self.table is None:
            return {label([[k, values[database[k]].shown] for k in self.positions]): Fraction(1)}
        for row, law in self.table:
            if row == database:
                return dict(law)
        words = ", ".join(values[v].text for v in database)
        raise UnsupportedError(f"a function of the database in [policy] has no row for [{words}]")


@dataclass(frozen=True)
class Policy:
    """The fields of `[policy]`, None where the file does not give one; values are positions in T.

    Multiples of ε are rationals; None in a table stands for `"inf"`, which demands nothing.
    """

    neighbours: str | None = None
    absent: int | None = None
    sensitive: frozenset[int] | None = None
    graph: frozenset[frozenset[int]] | None = None
    attributes: tuple[tuple[Label, ...], ...] | None = None
    bits: tuple[str, ...] | None = None
    databases: tuple[Database, ...] | None = None
    fixed: Database | None = None
    record: int | None = None
    pairs: Pairs | None = None
    secrets: tuple[tuple[frozenset[Database], frozenset[Database]], ...] | None = None
    dependence: frozenset[tuple[int, int]] | None = None
    levels: tuple[Fraction | None, ...] | None = None
    scale: tuple[tuple[frozenset[int], Fraction | None], ...] | None = None
    tailored: tuple[tuple[int, Database, Fraction | None], ...] | None = None
    blocks: tuple[tuple[int, ...], ...] | None = None
    group: int | None = None
    distance: str | Table | None = None
    at_most: Fraction | None = None
    statistic: tuple[tuple[Database, Fraction], ...] | None = None
    adversaries: tuple[tuple[int, tuple[int, ...]], ...] | None = None
    theta_pairs: tuple[tuple[str, str], ...] | None = None
    theta_distances: tuple[tuple[str, str, Fraction | None], ...] | None = None
    prior: tuple[Fraction, ...] | None = None
    gamma: Fraction | None = None
    rate: Fraction | None = None
    order: Fraction | None = None
    divergence: str | None = None
    tests: tuple[tuple[tuple[Label, Fraction], ...], ...] | None = None
    tradeoff: tuple[tuple[Fraction, Fraction], ...] | None = None
    error: Fraction | None = None
    predicate: tuple[tuple[Fraction, Fraction, Fraction], ...] | None = None
    leak: tuple[tuple[Label, Label], ...] | None = None
    image: tuple[tuple[Label, Label], ...] | None = None
    agg: tuple[Aggregate, ...] | None = None
    coupled: tuple[tuple[Aggregate, Aggregate], ...] | None = None
    views: tuple[tuple[tuple[Label, Label], ...], ...] | None = None
    xi: Fraction | None = None
    omega: Fraction | None = None
    mu: Fraction | None = None

    @property
    def outputs(self) -> list[tuple[str, tuple[Label, ...]]]:
        """The outputs of the mechanism that each table names, with the field that the table is, or is a part of."""
        fields: dict[str, Sequence[Sequence[tuple[Label, object]]]] = {
            "tests": self.tests or (),
            "leak": (self.leak or (),),
            "image": (self.image or (),),
            "views": self.views or (),
        }
        return [
            (field, tuple(output for output, _ in table))
            for field, tables in fields.items()
            for table in tables
            if table
        ]

    def has(self, field: str) -> bool:
        """Whether the file gives a field, by its name in files, such as `at-most`."""
        return getattr(self, field.replace("-", "_")) is not None

    def need(self, field: str) -> Any:
        """The value of a field, by its name in Python, such as `at_most`.

        Raises:
            UnsupportedError: where the file does not give it.

        """
        value = getattr(self, field)
        if value is None:
            name = field.replace("_", "-")
            raise UnsupportedError(
                f"this definition needs `{name}` in [policy], which the file does not give",
                tip="pkdp guide format has every field, under Policy",
            )
        return value


NO_POLICY = Policy()
"""The policy of a file without `[policy]`."""
