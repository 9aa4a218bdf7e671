"""DP22's Table 3 beside the derived verdicts: which cells agree, clash, or answer a question mark.

The cells are data, as printed. For each clash `clashes.toml` names a second derivation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from verifier.wings.implications.axioms.axioms import OPEN, PROVED, AxiomVerdict, derive
from verifier.wings.implications.axioms.facts import AXIOMS, table

AGREES, CLASHES, ANSWERED, NOT_ANSWERED, NOT_DECIDED = "agrees", "clashes", "answered", "still ?", "not decided"
OTHER = "another reading here"
STATES = (AGREES, CLASHES, OTHER, ANSWERED, NOT_ANSWERED, NOT_DECIDED)
PRINTED = ("yes", "no", "?", "? with a note")
"""The values of a printed cell; the cross of a no is lost in the extracted text (table-3.toml)."""


@dataclass(frozen=True)
class Row:
    """A row of Table 3: its number, the key here, the printed name and citation, and the three cells."""

    at: int
    key: str
    name: str
    cites: str
    dimensions: str
    cells: Mapping[str, str]


@dataclass(frozen=True)
class Clash:
    """The reason of a clash, what the printed cell may rest on, and the second derivation in `proofs/axioms`.

    With a `reading` DP22's definition is another one than the one that is decided here, and so is the printed cell's.
    """

    key: str
    axiom: str
    because: str
    rests_on: str
    second: str
    reading: str = ""


@dataclass(frozen=True)
class Cell:
    """One cell of Table 3: what is printed, what is derived, and how they compare."""

    row: Row
    verdict: AxiomVerdict
    printed: str
    state: str
    clash: Clash | None = None


@cache
def rows() -> Mapping[str, Row]:
    """The rows of Table 3 by their keys here, in its order."""
    read = []
    for fields in table("table-3")["rows"]:
        cells = {axiom: fields[axiom] for axiom in AXIOMS}
        names = {name: value for name, value in fields.items() if name not in AXIOMS}
        read.append(Row(**names, cells=cells))
    return {row.key: row for row in read}


@cache
def clashes() -> Mapping[tuple[str, str], Clash]:
    """The reasons of the clashes, by definition and axiom."""
    listed = [Clash(**given) for given in table("clashes")["clash"]]
    return {(clash.key, clash.axiom): clash for clash in listed}


def compared(printed: str, verdict: str) -> str:
    """The state of a printed cell beside a derived verdict, one of `STATES`.

    >>> compared("yes", "refuted"), compared("?", "proved"), compared("no", "refuted"), compared("yes", "open")
    ('clashes', 'answered', 'agrees', 'not decided')
    """
    if verdict == OPEN:
        return NOT_ANSWERED if printed.startswith("?") else NOT_DECIDED
    if printed.startswith("?"):
        return ANSWERED
    return AGREES if (printed == "yes") is (verdict == PROVED) else CLASHES


def cell(key: str, axiom: str) -> Cell | None:
    """The cell of a definition and an axiom; None where Table 3 has no row for the definition."""
    row = rows().get(key)
    if row is None:
        return None
    verdict = derive(key, axiom)
    clash = clashes().get((key, axiom))
    state = OTHER if clash and clash.reading else compared(row.cells[axiom], verdict.verdict)
    return Cell(row, verdict, row.cells[axiom], state, clash if state in {CLASHES, OTHER} else None)


def every_cell() -> tuple[Cell, ...]:
    """All cells of Table 3, row by row."""
    listed = (cell(key, axiom) for key in rows() for axiom in AXIOMS)
    return tuple(each for each in listed if each is not None)


def counts(cells: tuple[Cell, ...]) -> dict[str, int]:
    """The number of cells in each state, in the order of the states."""
    return {state: sum(each.state == state for each in cells) for state in STATES}
