"""Numbers and laws as they stand in a certificate."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from verifier.errors import UnsupportedError
from verifier.model import Database, Mechanism, Model
from verifier.numbers import Enclosure
from verifier.numbers.rational import integer_text
from verifier.tables import Law


def number_text(value: Fraction | Enclosure) -> str:
    """A rational with all its digits.

    >>> number_text(Fraction(3, 64))
    '3/64'
    """
    if isinstance(value, Enclosure):
        raise UnsupportedError("an enclosure has no certificate")
    top = integer_text(value.numerator)
    return top if value.denominator == 1 else f"{top}/{integer_text(value.denominator)}"


def law_text(law: Law) -> dict[str, str]:
    """A law, output by output."""
    return {o.text: number_text(Fraction(w, law.denominator)) for o, w in law.items()}


def database_texts(model: Model, database: Database) -> list[str]:
    """A database by the texts of its values."""
    return [model.values[v].text for v in database]


def mechanism_rows(model: Model, mechanism: Mechanism, databases: Iterable[Database]) -> list[list[Any]]:
    """The law of a mechanism on each database."""
    return [[database_texts(model, one), law_text(mechanism.law(one))] for one in databases]
