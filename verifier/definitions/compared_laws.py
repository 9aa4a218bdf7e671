"""The two laws of a comparison as data, so that anyone can make them again from the model file.

A builder names them; a view says what is seen of an output. `models/FORMAT.md` (*Laws of a witness*) says how to read
the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from verifier.definitions.answer import Valued, Whole
from verifier.model import NOTHING
from verifier.tables import Label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verifier.model import Database, Model

RECORD, DATABASE, ELEMENT, RECODING = "record", "database", "element", "recoding"
"""What a law is of, where it is not of outputs: D(i), D, whether some record has a value, which recoding is chosen."""


@dataclass(frozen=True)
class Chance(Valued):
    """A database with its probability."""

    database: tuple[Label, ...]
    probability: Fraction

    def fields(self) -> dict[str, Any]:
        """The probability is never cut."""
        return {"database": self.database, "probability": Whole(self.probability)}


@dataclass(frozen=True)
class KnownValue(Valued):
    """The value of a record that the attacker knows beside B̂."""

    record: int
    value: Label


@dataclass(frozen=True)
class ComparedLaw(Valued):
    """One of the two laws of a comparison; fields that do not apply are None, and left out of JSON.

    D is drawn from `databases`, or from θ (`distribution`) given what the next fields say; then `record` is set to
    `set_to`; then M is run on D. What is compared is the law of the output, or what `about` names, given what the
    attacker sees.
    """

    databases: tuple[Chance, ...] | None = None
    distribution: str | None = None
    knowledge: Label | None = None
    given: tuple[KnownValue, ...] | None = None
    """Other records that are known."""
    record: int | None = None
    value: Label | None = None
    """The value of the record, or of the protected function where there is no record."""
    present: bool | None = None
    """Whether the record is there: its value is not `absent`."""
    secret: tuple[int, int] | None = None
    """D satisfies a predicate of `[policy] secrets`: the number of the pair, and 0 or 1."""
    set_to: Label | None = None
    about: str | None = None
    """What the law is of where it is not of the output: `record`, `database`, `element`, `recoding`."""
    element: Label | None = None
    output: Label | None = None
    """The output that is seen: the law is then a belief."""
    leak: Label | None = None
    """What has leaked of the output."""
    image: bool | None = None
    """Whether only the image of the output is seen."""
    group: tuple[int, ...] | None = None
    """The clients that see the output together, each by its view."""
    dependency: str | None = None
    """Which of two mechanisms depends on the other: the law is the measure R = P·e^(-Dep)."""

    def fields(self) -> dict[str, Any]:
        """The fields that apply."""
        return {name: value for name, value in super().fields().items() if value is not None and value != NOTHING}


TwoLaws: TypeAlias = tuple[ComparedLaw, ComparedLaw]


def law_on(model: Model, weights: Iterable[tuple[Database, int]]) -> ComparedLaw:
    """The law of M(D) for D from a law on databases, given as weights."""
    listed = [(database, weight) for database, weight in weights if weight]
    total = sum(weight for _, weight in listed)
    return ComparedLaw(
        tuple(Chance(tuple(model.values[v] for v in d), Fraction(int(weight), int(total))) for d, weight in listed)
    )


def laws_on_two(model: Model, databases: tuple[Database, Database]) -> TwoLaws:
    """The laws of M(D) for each of two databases."""
    first, second = (law_on(model, [(database, 1)]) for database in databases)
    return first, second
