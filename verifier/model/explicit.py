"""Mechanisms that are given database by database: a table, or a Python function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import chain, repeat

from verifier.errors import InputError, PkdpError, UnsupportedError
from verifier.model.mechanism import OTHERWISE, Database, Mechanism, database_text
from verifier.model.ranges import among
from verifier.numbers import cut
from verifier.tables import NO_ANSWER, Label, Law


def from_rows(
    title: str,
    size: int,
    values: tuple[Label, ...],
    rows: Mapping[Database, Law],
    otherwise: Law | None,
) -> Mechanism:
    """A mechanism given as a table of databases."""

    def table(database: Database) -> Law:
        found = rows.get(database, otherwise)
        if found is None:
            shown = database_text(database, values)
            raise UnsupportedError(f"the {title} has no row for the database {shown}", tip=OTHERWISE)
        return found

    return Mechanism(
        title,
        size,
        values,
        table=table,
        domain=None if otherwise else tuple(rows),
        publishes="table",
        codomain=among(
            outcome for law in [*rows.values(), *([otherwise] if otherwise else [])] for outcome in law.outcomes
        ),
    )


def _shown(law: Law) -> str:
    """A law in a message."""
    if len(law.outcomes) == 1:
        return cut(law.outcomes[0].text)
    return cut("{" + ", ".join(f"{o}: {Fraction(w, law.denominator)}" for o, w in law.items()) + "}")


def from_function(
    function: Callable[..., object],
    size: int,
    values: tuple[Label, ...],
    read: Callable[[object, str], Law],
    where: str,
) -> Mechanism:
    """A mechanism given as a Python function from a database (a tuple of values as they were given).

    It is called twice on each database that is reached (eight times on each of the first eight), so that one that draws
    its answer is refused. `read` is given an answer and the text of the database.
    """
    given = tuple(v.shown for v in values)
    name = getattr(getattr(function, "func", function), "__name__", type(function).__name__)
    title = "Python function" if name == "<lambda>" else f"Python function {name}"
    again = chain([7] * 8, repeat(1))

    def call(database: Database, shown: str) -> Law:
        try:
            answer = function(tuple(given[v] for v in database))
        except PkdpError:
            raise
        except Exception as error:
            raise InputError(
                f"the function raised {type(error).__name__} on the database {shown}: {error}",
                where=where,
                wanted="an answer on every database that is reached",
            ) from error
        if answer is None:
            raise InputError(
                f"the function returned None on the database {shown}",
                where=where,
                wanted="a label, or a table from labels to probabilities",
                tip=f'"{NO_ANSWER}" means no answer',
            )
        return read(answer, shown)

    def table(database: Database) -> Law:
        shown = database_text(database, values)
        first = call(database, shown)
        for _ in range(next(again)):
            second = call(database, shown)
            if first != second:
                raise InputError(
                    f"the function, called again on the database {shown}, gave {_shown(first)}, then {_shown(second)}",
                    where=where,
                    wanted="a function of the database alone",
                    tip='a random mechanism returns its exact law, such as {0: "1/4", 1: "3/4"}',
                )
        return first

    return Mechanism(title, size, values, table=table, publishes="table")
