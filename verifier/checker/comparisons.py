"""What definitions compare: functions that list comparisons. `definitions.DEFINITIONS` says which definition has which.

A comparison has terms (share, P, Q) and a multiple of ε. P and Q are mixtures of databases, on which M is run, or laws
of something else, such as beliefs. Formulas: `pkdp definitions KEY`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from .mechanisms import Database
from .models import Model
from .neighbours import OF_VECTORS, RELATIONS
from .numbers import (
    Label,
    Measure,
    Unsupported,
    Wrong,
    label,
    rational,
)

ONE = Fraction(1)
Mixture = tuple[tuple[Database, Fraction | int], ...]
Side = Mixture | Measure
"""M run on a database that is drawn so, or a law that has been worked out."""


Name = frozenset[tuple[str, object]]
"""What says which law is meant: the fields that `check --json` writes of it, such as its θ, record and value."""


def named(**fields: object) -> Name:
    """A name of these fields, but for those that are None; databases stay a mixture, all else is a label."""
    return frozenset((field, x if field == "databases" else label(x)) for field, x in fields.items() if x is not None)


Names = tuple[object, object]
"""Of each law a `Name` or `Mixture`; of a sum see `sums`."""


class Term(NamedTuple):
    """P against Q, with the share that they have in an average, and their names, if these are more than databases."""

    share: Fraction
    p: Side
    q: Side
    names: Names | None = None


class Comparison(NamedTuple):
    """Terms that are averaged; ε is multiplied by `scale` (None: nothing is demanded); `only` is an event."""

    terms: tuple[Term, ...]
    scale: Fraction | None = ONE
    only: Label | None = None


NOTHING = Measure({}, 1)
"""In place of a law that does not exist: every output of P counts as one that Q cannot give."""


class Asked:
    """A model with the reading and the records that an answer names."""

    def __init__(self, model: Model, reading: str = "default", records: Sequence[int] | None = None) -> None:
        self.model, self.reading = model, reading
        self.policy = model.policy
        self.protected = model.records if records is None else records

    @property
    def records(self) -> Sequence[int]:
        """The records that are protected, where a definition singles out records."""
        if self.model.function:
            raise Unsupported("a function of the database is protected, and this compares records")
        return self.protected

    @property
    def secrets(self) -> Sequence[int | None]:
        """What θ is conditioned on: each protected record, or (None) the protected function."""
        return [None] if self.model.function else self.protected

    def in_order(self, a: Label, b: Label, record: int | None) -> bool:
        """Whether (a, b) is compared; `one-order` compares a before b alone."""
        if self.reading != "one-order":
            return True
        order = self.model.values if record is not None else self.model.secret_values
        if not order:
            raise Unsupported("the reading one-order needs the order of the protected values")
        return order.index(a) < order.index(b)

    def relation(self, which: str | None = None) -> str:
        """What neighbours are: as named, or as [policy] says; any step where it says nothing."""
        named_ = which or self.policy.get("neighbours", "")
        if named_ not in ("", *RELATIONS):
            raise Wrong(f"[policy] neighbours: {str(named_)[:60]!r}. Expected one of {', '.join(RELATIONS)}.")
        missing = named_ == "add-remove" or (named_ == "any" and which is None)
        if missing and not self.model.many and self.model.absent is None:
            raise Unsupported("no record can be missing: the file has one size and no `absent`")
        return named_ or "any"

    def one_size(self) -> None:
        """Refuse databases of several sizes, where a record has no place."""
        if self.model.many:
            raise Unsupported("the databases have several sizes")


@lru_cache(1 << 16)
def point(database: Database) -> Mixture:
    """The database itself; one object for all comparisons with it."""
    return ((database, 1),)


def mixture(weights: Mapping[Database, Fraction]) -> Mixture:
    """A database that is drawn; always in one order, so that equal mixtures are equal."""
    return tuple(sorted(weights.items()))


def pair(
    p: Side, q: Side, scale: Fraction | None = ONE, names: Names | None = None, only: Label | None = None
) -> Comparison:
    """P against Q."""
    return Comparison((Term(ONE, p, q, names),), scale, only)


def both(p: Side, q: Side, scale: Fraction | None = ONE, names: Names | None = None) -> list[Comparison]:
    """In both orders."""
    return [pair(p, q, scale, names), pair(q, p, scale, names and (names[1], names[0]))]


def multiple(text: object) -> Fraction | None:
    """A multiple of ε; `inf` demands nothing."""
    return None if str(text) == "inf" else rational(text)


Listing = Callable[["Asked"], Iterator[Comparison]]
RELATED: dict[Callable[..., Iterator[Comparison]], str | None] = {}
"""The relation between the databases that a listing compares, or None where it is what [policy] says."""
CHANGE_OR_VECTORS = "a change, or a relation of vectors that [policy] names"


def relation_of(listing: Listing, asked: Asked) -> str | None:
    """The name of the relation between the databases that a definition compares; None where it compares others."""
    listing = getattr(listing, "func", listing)
    named_ = asked.policy.get("neighbours")
    if RELATED.get(listing) == CHANGE_OR_VECTORS:
        return named_ if named_ in OF_VECTORS else "change"
    if listing not in RELATED:
        return None
    missing = asked.model.many or asked.model.absent is not None
    return RELATED[listing] or str(named_ or ("any" if missing else "change"))
