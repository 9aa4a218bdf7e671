"""Reading functions of a database, which simulators are told: a name, some records, or a table of laws."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from verifier.errors import InputError
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, listed, of_length
from verifier.model.mechanism import Database
from verifier.model.policy import Aggregate
from verifier.numbers import shorten
from verifier.tables import Label


def aggregate(raw: Any, domain: Domain, location: Location) -> Aggregate:
    """A function of a database: a name, the records that it tells, or a table."""
    if raw == "constant":
        return Aggregate()
    if raw == "identity":
        return Aggregate(tuple(range(domain.size)))
    if isinstance(raw, Mapping):
        keys = Keys(raw, location, "{ records = [0] }", ["records"])
        records = tuple(domain.records(keys.take("records"), location))
        keys.done()
        return Aggregate(records)
    table: dict[Database, tuple[tuple[Label, Fraction], ...]] = {}
    wanted = '"identity", "constant", { records = [0] }, or rows [database, value]'
    for n, row in enumerate(listed(raw, location, wanted)):
        at = location.at(f"{n}", n)
        given_database, value = of_length(row, 2, at, "a row [database, value], or [database, { value = probability }]")
        database = domain.database(given_database, at)
        if database in table:
            raise InputError(f"given {shorten(given_database)} twice", where=str(at), wanted="one row a database")
        if isinstance(value, Mapping):
            law = domain.label_law(value, at)
            table[database] = tuple((outcome, law.probability(outcome)) for outcome in law.outcomes)
        else:
            table[database] = ((domain.label(value, at), Fraction(1)),)
    return Aggregate((), tuple(table.items()))
