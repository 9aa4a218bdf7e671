"""The base of every answer: named values, the verdict as a word, the JSON, and columns of plain text for `print`.

Other text is made elsewhere (`verifier.show`). What an answer says stands once, in its `fields`; the JSON of every
command, the exit status and the refusal to be a truth value follow from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Protocol

from verifier.errors import printable
from verifier.model import NOTHING
from verifier.numbers import (
    DIGITS,
    MAX_DIGITS,
    NO_VALUE,
    Delta,
    Enclosure,
    Epsilon,
    FieldElement,
    Loss,
    Value,
    decimal_form,
    exact_form,
    exact_text,
    plural,
    with_decimal,
)
from verifier.tables import Label
from verifier.version import VERSION

VERDICTS = ("holds", "fails", "vacuous", "undecided", "unsupported")
EXIT_STATUS = {"holds": 0, "vacuous": 0, "fails": 1, "undecided": 3, "unsupported": 3}
"""The exit status of the command line for each verdict."""
REPR = 240
"""Most characters of the `repr` of an answer."""
WIDTH = 100
"""Most characters of a line."""
CELL, BESIDE, FIGURES = 22, 14, 6
"""Most characters of a cell, and of an exact number that stands beside its decimal; digits of that decimal."""
LONGEST = 1000
"""Most characters of a sentence."""
ALL_DIGITS = 10**9
"""More digits than any number has: such a number is not cut."""
MOST_ROWS = 24
"""Most rows that are printed; the answer itself has all."""
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


@dataclass(frozen=True)
class Whole:
    """A value that JSON has in full, however long it is: what anyone adds up again."""

    value: Any


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
            'Hint: write answer.verdict == "holds"'
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
        case Whole():
            return json_of(value.value, ALL_DIGITS, digits)
        case Label():
            return None if value == NOTHING else value.shown
        case Valued():
            return value.to_json(max_digits, digits)
        case Mapping():
            return {name: json_of(entry, max_digits, digits) for name, entry in value.items()}
        case Iterable():
            return [json_of(entry, max_digits, digits) for entry in value]
    raise TypeError(f"a {type(value).__name__} has no exact JSON")


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows in aligned columns under their heads; long cells are cut, so that no line exceeds 100 characters.

    >>> print(columns(["output", "loss"], [["⊥", "ln(10/9)"], ["2", "-inf"]]))
    output  loss
    ⊥       ln(10/9)
    2       -inf
    """
    table = [list(map(printable, row)) for row in (heads, *rows)]
    widths = [max(len(row[k]) for row in table) for k in range(len(heads))]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    return "\n".join(
        "  ".join(cut_to(cell, width).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    )


def cut_to(text: str, most: int) -> str:
    """The text on one line with control characters escaped; more than `most` characters are cut, and end with `…`."""
    shown = printable(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def lines(text: str, before: str = "") -> Iterator[str]:
    """Yield a sentence in lines of at most 100 characters, each after `before`; it is cut after 1,000 characters."""
    yield from wrap(cut_to(text, LONGEST), WIDTH, initial_indent=before, subsequent_indent=before)


def left_out(number_of: int, what: str) -> list[str]:
    """A line that counts the rows that are not printed, such as `… and 3 more outputs`; no line where all are."""
    return [f"… and {plural(number_of, f'more {what}')}"] if number_of > 0 else []


def number(value: Fraction | Value | None) -> str:
    """A number in a cell of 22 characters: exact with its decimal of six digits if both fit, else the one that fits.

    >>> number(Fraction(1, 4)), number(Fraction(1, 10000019)), number(Fraction(3**20, 2**40))
    ('1/4 (0.25)', '1/10000019', '≈ 0.00317121')
    """
    if value is None:
        return NO_VALUE
    if isinstance(value, Enclosure):
        return value.decimal(FIGURES)
    exact, text = exact_form(value), with_decimal(value, digits=FIGURES, most=BESIDE, longer="≈ {decimal}")
    return exact if len(exact) <= BESIDE and len(text) > CELL else cut_to(text, CELL)
