"""Numbers, knowledge and worlds as the JSON of answers and proofs has them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verifier.errors import UnsupportedError
from verifier.model import NOTHING, Database, Model, Theta
from verifier.numbers import Enclosure
from verifier.numbers.rational import integer_text
from verifier.tables import Label

WorldRow = tuple[Database, Label, "Label | None", Any]
"""A database, B̂, S (None where records are protected), and the probability."""


def number_text(value: Fraction | Enclosure) -> str:
    """The text of a rational number, with all its digits.

    >>> number_text(Fraction(3, 64)), number_text(Fraction(-2))
    ('3/64', '-2')

    Raises:
        UnsupportedError: for an enclosure.

    """
    if isinstance(value, Enclosure):
        raise UnsupportedError("an enclosure has no certificate")
    top = integer_text(value.numerator)
    return top if value.denominator == 1 else f"{top}/{integer_text(value.denominator)}"


def known_shown(known: Label | None) -> Any:
    """What is known, or told, as JSON shows it; nothing is null."""
    return None if known is None or known == NOTHING else known.shown


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
