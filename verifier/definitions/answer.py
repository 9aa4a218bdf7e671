"""The base of every answer: named values, the verdict as a word, and the JSON.

Text is made elsewhere (`verifier.show`). What an answer says stands once, in its `fields`; the JSON of every command,
the exit status and the refusal to be a truth value follow from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from verifier.model import NOTHING
from verifier.numbers import DIGITS, MAX_DIGITS, Delta, Enclosure, Epsilon, FieldElement, Loss, decimal_form, exact_text
from verifier.tables import Label
from verifier.version import VERSION

VERDICTS = ("holds", "fails", "vacuous", "undecided", "unsupported")
EXIT_STATUS = {"holds": 0, "vacuous": 0, "fails": 1, "undecided": 3, "unsupported": 3}
"""The exit status of the command line for each verdict."""
REPR = 240
"""Most characters of the `repr` of an answer."""
Real = Fraction | Delta | Epsilon | Enclosure | Loss


class AskedAbout(Protocol):
    """What a question is about: a model, or a family of models."""

    @property
    def label(self) -> str:
        """The path of its file, else its title."""
        ...

    @property
    def sha256(self) -> str:
        """The hash of its file; empty where there is none."""
        ...


@dataclass(frozen=True)
class Decimal:
    """A number that JSON has as its decimal, correctly rounded."""

    number: Real | None


class Valued:
    """An object that is made of named values: `fields` gives them, and `to_json` writes them as JSON."""

    def fields(self) -> Any:
        """The values by their names in JSON, or a list; by default the fields that the `repr` of the dataclass has."""
        return {field.name: getattr(self, field.name) for field in fields_of(self) if field.repr}  # type: ignore[arg-type]

    def to_json(self, max_digits: int = MAX_DIGITS, digits: int = DIGITS) -> Any:
        """The values as JSON: exact numbers as texts of at most `max_digits` digits, decimals of `digits` digits."""
        return json_of(self.fields(), max_digits, digits)


class Answer(Valued):
    """The answer to a question: `verdict` is one of the five words, or one of the question's own.

    An answer has no truth value, since there are more than two: ask for `.verdict == "holds"`.
    """

    if TYPE_CHECKING:  # some answers have it as a field, some as a property

        @property
        def verdict(self) -> str:
            """The verdict as a word."""

    def __bool__(self) -> bool:
        """Refuse to be a truth value.

        Raises:
            TypeError: always.

        """
        raise TypeError(
            f"an answer has one of several verdicts, here {self.verdict!r}, and is not true or false; "
            'Tip: write answer.verdict == "holds"'
        )

    @property
    def exit_status(self) -> int:
        """The exit status of the command line."""
        return EXIT_STATUS[self.verdict]


def header(subject: AskedAbout) -> dict[str, Any]:
    """The first fields of an answer that is one JSON object: its schema, this version, the model and its hash."""
    return {"schema": 1, "version": VERSION, "model": subject.label, "sha256": subject.sha256 or None}


def json_of(value: Any, max_digits: int = MAX_DIGITS, digits: int = DIGITS) -> Any:
    """A value as JSON: numbers as exact texts, labels as they are shown (no knowledge is null), objects by name.

    >>> json_of({"delta": Fraction(1, 3), "decimal": Decimal(Fraction(1, 3))}, digits=3)
    {'delta': '1/3', 'decimal': '0.333'}

    Raises:
        TypeError: for an object that has no JSON, such as a float.

    """
    match value:
        case None | bool() | int() | str():
            return value
        case Fraction():
            return exact_text(value, max_digits)
        case Delta() | Epsilon() | Enclosure() | Loss() | FieldElement():
            return value.text(max_digits)
        case Decimal():
            return None if value.number is None else decimal_form(value.number, digits)
        case Label():
            return None if value == NOTHING else value.shown
        case Valued():
            return value.to_json(max_digits, digits)
        case Mapping():
            return {name: json_of(entry, max_digits, digits) for name, entry in value.items()}
        case Iterable():
            return [json_of(entry, max_digits, digits) for entry in value]
    raise TypeError(f"given a {type(value).__name__}, which has no exact JSON")
