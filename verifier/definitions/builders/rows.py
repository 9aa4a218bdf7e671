"""Rows of DP22's scheme: two laws on databases, how much of ε they are allowed, and the share with which they count.

A law on databases has integer weights, up to their total. A *case* holds rows of which the worst counts; it is one
unordered pair where both orders are rows. A *group* is what an aggregation looks at: the worst case of a group, the
average of its cases (each of one row), or all of them but a share γ. Then the worst group counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from verifier.definitions.verdict import TwoLaws
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database, Model, World
from verifier.model.multisets import Multisets
from verifier.model.policy import Policy
from verifier.numbers import quotient
from verifier.tables import gathered

if TYPE_CHECKING:
    from verifier.definitions.builders.views import View

ONE = Fraction(1)
MOST_DATABASES = 1 << 10
"""Most databases of a model: pairs of them are listed one by one."""
MOST_KEPT = 1 << 12
"""Most rows, and most pairs of databases, that are kept for the other definitions of a model."""
Weights: TypeAlias = tuple[tuple[Database, int], ...]
"""A law on databases: integer weights, up to their total."""


class Row(NamedTuple):
    """P against Q, two laws on databases, which are allowed `scale`·ε; `names` are P and Q in words."""

    p: Weights
    q: Weights
    scale: Fraction = ONE
    names: tuple[str, str] = ("", "")
    seen: tuple[View, ...] | None = None
    """The views of the row, where its builder makes them: beliefs, events of outputs, or what clients see."""
    laws: TwoLaws | None = None
    """P and Q as data; None where they are what `p` and `q` say."""

    @property
    def words(self) -> str:
        """What is compared, in words: P against Q."""
        return " against ".join(name for name in self.names if name)


def law_of(weights: Weights) -> tuple[tuple[Database, Fraction], ...]:
    """The law on databases of a row's weights, without those of weight 0."""
    total = sum(weight for _, weight in weights)
    return tuple((database, quotient(weight, total)) for database, weight in weights if weight)


class Case(NamedTuple):
    """Rows of which the worst counts; `share` is their weight in the group."""

    rows: tuple[Row, ...]
    share: Fraction = ONE


@dataclass(frozen=True)
class Group:
    """The cases that an aggregation looks at together, of one θ or of none."""

    cases: tuple[Case, ...]
    distribution: str | None = None
    record: int | None = None
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """The views of the rows by the name of the view, kept where they are few."""


@dataclass(frozen=True)
class Setting:
    """What a builder reads: the model with its `[policy]`, the engine, and the reading."""

    key: str
    model: Model
    engine: Engine = field(compare=False, repr=False)
    reading: str = "default"

    @property
    def policy(self) -> Policy:
        """The parameters of the file."""
        return self.model.policy

    def need(self, name: str) -> Any:
        """The value of a field of `[policy]`.

        Raises:
            UnsupportedError: where the file does not give it.

        """
        return self.policy.need(name)

    def databases(self) -> list[Database]:
        """All databases: lists of the one size in lexicographic order, or multisets of the sizes of the file.

        Raises:
            LimitError: for more than `MOST_DATABASES`, before they are listed.

        """
        number = self.number_of_databases
        if number > MOST_DATABASES:
            raise LimitError(
                f"{self.key} looks at pairs of {number:,} databases",
                wanted=f"at most {MOST_DATABASES:,} databases",
                tip="use fewer records or values",
            )
        if self.model.sizes is not None:
            return list(Multisets(len(self.model.values), *self.model.sizes))
        return list(self.model.mechanism.all_databases())

    @property
    def number_of_databases(self) -> int:
        """How many databases the file has."""
        if self.model.sizes is not None:
            return len(Multisets(len(self.model.values), *self.model.sizes))
        return int(len(self.model.values) ** self.model.size)

    @property
    def absent(self) -> int | None:
        """The position in T of the value of an absent record; None where none is named, or databases have sizes."""
        return self.policy.absent if self.model.sizes is None else None

    def protected(self) -> frozenset[int] | None:
        """The records that `[sensitive]` protects; None where databases are multisets.

        Raises:
            UnsupportedError: where a function of the database is protected.

        """
        if self.model.sizes is not None:
            return None
        if not self.model.protects_records:
            raise UnsupportedError(
                f"{self.key} compares databases by their records, but [sensitive] protects a function of the database"
            )
        return frozenset(self.model.protected_records)

    def need_indices(self, why: str) -> None:
        """Refuse databases that are multisets: their records have no indices.

        Raises:
            UnsupportedError: which says why the definition needs them.

        """
        if self.model.sizes is not None:
            raise UnsupportedError(f"{self.key} {why}")

    def words(self, database: Database) -> str:
        """A database in words."""
        return f"[{', '.join(self.model.values[v].text for v in database)}]"


Builder: TypeAlias = Callable[[Setting], Iterator[Group]]
"""Lists the groups of rows of a setting."""


def groups_of(setting: Setting, builder: Builder) -> Iterator[Group]:
    """The groups of rows that a builder lists; few rows are listed once for all definitions of a model."""
    kept: dict[object, list[Group]] = setting.engine.memo("groups of rows", dict)
    key = builder, setting.reading
    if key in kept:
        yield from kept[key]
        return
    groups: list[Group] = []
    rows = 0
    for group in builder(setting):
        yield group
        rows += sum(len(case.rows) for case in group.cases)
        if rows <= MOST_KEPT:
            groups.append(group)
    if rows <= MOST_KEPT:
        kept[key] = groups


def point(database: Database) -> Weights:
    """The law that has one database with certainty."""
    return ((database, 1),)


def law_of_worlds(worlds: Iterable[tuple[World, int]]) -> Weights:
    """The law of the databases of weighted worlds."""
    return tuple(gathered((world.database, weight) for world, weight in worlds).items())
