"""Numbers, laws and databases as texts of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from verifier.errors import InputError, UnsupportedError
from verifier.model import NOTHING, Database, Mechanism, Model, Theta
from verifier.numbers import Enclosure
from verifier.numbers.rational import integer_text
from verifier.tables import Label, Law

WorldRow = tuple[Database, Label, "Label | None", Any]
"""A database, B̂, S (None where records are protected), and the probability."""


def number_text(value: Fraction | Enclosure) -> str:
    """The text of a rational number, with all its digits.

    >>> number_text(Fraction(3, 64))
    '3/64'

    Raises:
        UnsupportedError: for an enclosure.

    """
    if isinstance(value, Enclosure):
        raise UnsupportedError("an enclosure has no certificate")
    top = integer_text(value.numerator)
    return top if value.denominator == 1 else f"{top}/{integer_text(value.denominator)}"


def law_text(law: Law) -> dict[str, str]:
    """A law as texts: each output with its probability."""
    return {o.text: number_text(Fraction(w, law.denominator)) for o, w in law.items()}


def law_where_defined(model: Model, database: Database) -> dict[str, str] | None:
    """The law of the output on a database; None where the mechanism is not defined there."""
    try:
        return law_text(model.mechanism.law(database))
    except (UnsupportedError, InputError):
        return None


def database_texts(model: Model, database: Database) -> list[str]:
    """The texts of a database's values."""
    return [model.values[v].text for v in database]


def worlds_of(model: Model, theta: Theta) -> Iterator[WorldRow]:
    """The worlds of a θ, each once: the parts of a mixture that lead to one world are added up.

    The probability is a rational, or for a family a function of its parameter.
    """
    masses: dict[tuple[Database, Label, Label | None], Any] = {}
    for world, known, p in theta.known_worlds():
        key = world.database, known, None if model.protects_records else model.secrets[0].of(world)
        masses[key] = masses[key] + p if key in masses else p
    for key, p in masses.items():
        yield *key, p


def world_rows(
    model: Model, theta: Theta, chance_text: Callable[[Any], object] = number_text, *, nothing: str | None = None
) -> list[list[Any]]:
    """The worlds of a θ as a certificate lists them; `nothing` is written where nothing is known."""
    return [
        [
            database_texts(model, database),
            nothing if known == NOTHING else known.text,
            None if secret is None else secret.text,
            chance_text(p),
        ]
        for database, known, secret, p in worlds_of(model, theta)
    ]


def absent_text(model: Model) -> dict[str, str]:
    """The key `absent` of a certificate; none where the file names no value of an absent record."""
    return {} if model.absent is None else {"absent": model.absent.text}


def mechanism_rows(model: Model, mechanism: Mechanism, databases: Iterable[Database]) -> list[list[Any]]:
    """The rows (database, law of the output) of a mechanism, as texts."""
    return [[database_texts(model, database), law_text(mechanism.law(database))] for database in databases]
