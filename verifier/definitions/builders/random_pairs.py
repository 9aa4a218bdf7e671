"""Builders of random databases, whose records are drawn from π, and of samples of databases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from verifier.definitions.builders.relations import Relation
from verifier.definitions.builders.rows import ONE, Case, Group, Row, Setting, Weights, point
from verifier.errors import UnsupportedError
from verifier.model import Database, replaced
from verifier.tables import collected, gathered

WITHOUT = "without-replacement"
ONE_SIZE = "draws a fixed number of records, but the databases have several sizes"


def _rows(setting: Setting, first: Database, second: Database) -> tuple[Row, Row]:
    names = f"M({setting.words(first)})", f"M({setting.words(second)})"
    p, q = point(first), point(second)
    return Row(p, q, ONE, names), Row(q, p, ONE, names[::-1])


def _by_direction(pairs: Sequence[tuple[Fraction, tuple[Row, Row]]], record: int | None = None) -> Iterator[Group]:
    """Yield for each direction a group of the rows of pairs, each with its share."""
    for direction in (0, 1):
        yield Group(tuple(Case((rows[direction],), share) for share, rows in pairs), None, record)


def _prior(setting: Setting) -> tuple[Fraction, ...]:
    """π, from which a record that is there is redrawn: it stays there.

    Raises:
        UnsupportedError: for databases of several sizes, and where π gives a record the value `absent`.

    """
    setting.need_indices(ONE_SIZE)
    prior: tuple[Fraction, ...] = setting.need("prior")
    absent = setting.policy.absent
    if absent is not None and prior[absent]:
        raise UnsupportedError(
            f"{setting.key} replaces a record by one from π, but [policy] prior gives {setting.model.absent}, the "
            f"value of a record that is absent, the probability {prior[absent]}",
            tip="leave that value out of `prior`; definitions about θ, such as np, compare a record with its absence",
        )
    return prior


def _chance(prior: tuple[Fraction, ...], database: Database) -> Fraction:
    return prod((prior[v] for v in database), start=ONE)


@dataclass(frozen=True)
class RandomPair:
    """D₁ from πⁿ against D₂, which is D₁ with a random record redrawn from π, perhaps to the same value (RanDP).

    With `by_direction`, for an average, each direction is a group of its own.
    """

    by_direction: bool = False

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group with both directions of each pair, or one for each direction."""
        pairs = list(self._pairs(setting))
        if not self.by_direction:
            yield Group(tuple(Case(rows, share) for share, rows in pairs))
            return
        yield from _by_direction(pairs)

    def _pairs(self, setting: Setting) -> Iterator[tuple[Fraction, tuple[Row, Row]]]:
        prior = _prior(setting)
        records = sorted(setting.protected() or ())
        for first in setting.databases():
            for record, value in product(records, range(len(prior))):
                share = _chance(prior, first) * prior[value] / len(records)
                if share:
                    yield share, _rows(setting, first, replaced(first, record, value))


@dataclass(frozen=True)
class RandomDatabases:
    """Two databases, each of n records from π; the reading `without-replacement` draws no value twice (DlPr[Rot]).

    Records that are not protected are drawn once, for both databases.
    """

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group with both directions of each pair, whose share is p·q over the chance of the records in common."""
        setting.need_indices(ONE_SIZE)
        prior: tuple[Fraction, ...] = setting.need("prior")
        without = setting.reading == WITHOUT
        if without and sum(1 for p in prior if p) < setting.model.size:
            raise UnsupportedError(f"π has fewer than {setting.model.size} values, so that none can be left out")
        laws = [(d, _distinct(prior, d) if without else _chance(prior, d)) for d in setting.databases()]
        protected = setting.protected() or () if setting.model.protects_records else range(setting.model.size)
        alike = collected(
            (tuple(v for i, v in enumerate(database) if i not in protected), (database, share))
            for database, share in laws
            if share
        )
        cases = []
        for members in alike.values():
            chance = sum(p for _, p in members)
            cases += [Case(_rows(setting, x, y), p * q / chance) for x, p in members for y, q in members]
        yield Group(tuple(cases))


def _distinct(prior: tuple[Fraction, ...], database: Database) -> Fraction:
    """The probability of a database whose records are drawn one after the other, no value twice."""
    if len(set(database)) < len(database):
        return Fraction(0)
    share, left = ONE, ONE
    for v in database:
        if not prior[v]:
            return Fraction(0)
        share, left = share * prior[v] / left, left - prior[v]
    return share


@dataclass(frozen=True)
class RedrawnRecord:
    """A database D and its record i, whose value is redrawn from π: each (D, i) and direction is a group (WBDP)."""

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """Two groups for each database and protected record, one for each direction."""
        prior = _prior(setting)
        for first, record in product(setting.databases(), sorted(setting.protected() or ())):
            if first[record] == setting.policy.absent:
                continue
            drawn = [(p, _rows(setting, first, replaced(first, record, v))) for v, p in enumerate(prior) if p]
            yield from _by_direction(drawn, record)


@dataclass(frozen=True)
class Sampled:
    """The rows of a relation, of which each record is kept with probability β (SamDP)."""

    relation: Relation

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group, with a case for each row of the relation.

        Raises:
            UnsupportedError: where the model has no empty database, and the file names no `absent` value.

        """
        absent = setting.policy.absent if setting.model.sizes is None else None
        if absent is None and (setting.model.sizes is None or setting.model.sizes[0] > 0):
            raise UnsupportedError(
                f"{setting.key} samples databases, which may be empty: size = [0, n] is needed, or absent in [policy]"
            )
        rate: Fraction = setting.need("rate")
        cases = []
        for row in self.relation.rows(setting):
            p, q = (_sample(weights[0][0], rate, absent) for weights in (row.p, row.q))
            cases.append(Case((row._replace(p=p, q=q),)))
        yield Group(tuple(cases))


def _sample(database: Database, rate: Fraction, absent: int | None = None) -> Weights:
    """The law of the records that are kept, as integers over (the denominator of β)^n.

    A record that is not kept has the value `absent`; without one it leaves the multiset.
    """
    keep, leave = rate.numerator, rate.denominator - rate.numerator

    def part(kept: tuple[bool, ...]) -> Database:
        places = zip(database, kept, strict=True)
        return tuple(v if stays else absent for v, stays in places if stays or absent is not None)  # type: ignore[misc]

    chances = (
        (part(kept), keep ** sum(kept) * leave ** (len(database) - sum(kept)))
        for kept in product((True, False), repeat=len(database))
    )
    return tuple(gathered((sample, weight) for sample, weight in chances if weight).items())
