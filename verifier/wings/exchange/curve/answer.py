"""The answer about an exchange rate as a function: its pieces, and the curve of each row that proves them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from verifier.model import Database, Model
from verifier.model.parameters import Family
from verifier.numbers import Epsilon, Function
from verifier.numbers.flints import coefficients
from verifier.wings.exchange.answer import COMPUTED, UNSUPPORTED, Exchange, Exchanged
from verifier.wings.exchange.curve.program import RowPiece
from verifier.wings.exchange.rows import LinearRow
from verifier.wings.families.formulas import formula as formula_of
from verifier.wings.families.intervals import Interval, continues, united
from verifier.wings.families.points import Line, Point, point_text

UNDECIDED = "undecided"


@dataclass(frozen=True)
class RowCurve:
    """A row of B with the pieces of its rate."""

    row: LinearRow
    pieces: tuple[RowPiece, ...]

    def renamed(self, row: LinearRow, lines: Callable[[int], int], databases: Mapping[Database, Database]) -> RowCurve:
        """The curve of a row that is a renaming of this one, with its proofs renamed."""
        return RowCurve(row, tuple(piece.renamed(row, lines, databases) for piece in self.pieces))


@dataclass(frozen=True)
class Cell:
    """The rate ln(y)/c on an interval: `factor` is y, or None where no finite ε′ is enough; `scale` is c.

    `verdict` is `vacuous` where B compares nothing (y = 1), and `undecided` at an irrational point where the rate is
    not known; `worst` has pieces of rows that attain it; `answer` is the answer about the model at a single point,
    if it was asked.
    """

    where: Interval
    factor: Function | None
    scale: Fraction
    verdict: str = COMPUTED
    worst: tuple[RowPiece, ...] = field(default=(), repr=False)
    answer: Exchange | None = field(default=None, repr=False)

    def text(self, name: str) -> str:
        """The rate as a formula in the variable: `ln(x^2)`, `1/2*ln(x)`, `0` or `inf`."""
        if self.verdict in {UNDECIDED, UNSUPPORTED}:
            return self.verdict
        if self.factor is None:
            return "inf"
        if self.factor == 1:
            return "0"
        logarithm = f"ln({formula_of(self.factor, name, self.inside)})"
        return logarithm if self.scale == 1 else f"{1 / self.scale}*{logarithm}"

    @property
    def inside(self) -> Fraction:
        """A rational value in the interval, or near its only point."""
        sample = self.where.sample
        return sample if isinstance(sample, Fraction) else sample.bracket(32)[0]


@dataclass(frozen=True, kw_only=True)
class Curve(Exchanged[Model | Family]):
    """The exact rate as a function of `name`: of x with e^ε = x^`root`, or of a parameter at `epsilon`."""

    epsilon: Epsilon | None = None
    """The ε of a curve over a parameter; None for a curve over ε."""
    name: str = "x"
    root: int = 1
    span: Interval | None = None
    """The range of a curve over ε."""
    curves: tuple[RowCurve, ...] = field(default=(), repr=False)
    cells: tuple[Cell, ...] = field(default=(), repr=False)

    @property
    def over_epsilon(self) -> bool:
        """Whether the curve is over ε, and not over a parameter."""
        return self.epsilon is None

    @property
    def variable(self) -> str:
        """The meaning of the variable of a curve over ε as text, such as `x = e^ε`."""
        return f"{self.name} = e^ε" if self.root == 1 else f"{self.name} = e^(ε/{self.root})"

    @property
    def pieces(self) -> list[Cell]:
        """The cells, with neighbours joined that have the same formula, or of which one is a point on the other."""
        return joined(self.cells)

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 0 where the whole curve was computed, else 3."""
        return max(super().exit_status, *(3 * (cell.verdict in {UNDECIDED, UNSUPPORTED}) for cell in self.cells), 0)

    def __str__(self) -> str:
        at = "ε" if self.epsilon is None else str(self.epsilon)
        question = f"{self.source} at {at} is {self.target} at ε′"
        if self.verdict == UNSUPPORTED:
            return f"{question}: {self.verdict}, {self.reason}"
        return f"{question}: {self.formula}" + (f", with {self.variable}" if self.over_epsilon else "")

    @property
    def formula(self) -> str:
        """The rate in words, piece by piece."""
        return "; ".join(f"{cell.text(self.name)} for {cell.where.text(self.name)}" for cell in self.pieces)

    @property
    def asked_too(self) -> dict[str, Any]:
        """The variable of the curve."""
        return {"over": self.variable if self.over_epsilon else self.name}

    def found_fields(self) -> dict[str, Any]:
        """The pieces of the curve."""
        return {
            "rows_from": len(self.assumed),
            "rows_to": len(self.curves),
            "pieces": [self._piece(cell) for cell in self.pieces],
        }

    def _piece(self, cell: Cell) -> dict[str, Any]:
        low, high = (None if end is None else point_text(end) for end in (cell.where.low, cell.where.high))
        alone = cell.answer.worst if cell.answer is not None else None
        row = cell.worst[0].row if cell.worst else alone.row if alone else None
        finite = cell.factor is not None
        return {
            "for": cell.where.text(self.name),
            "from": low,
            "from_included": cell.where.low_closed,
            "to": high,
            "to_included": cell.where.high_closed,
            "verdict": cell.verdict,
            "tight_epsilon": cell.text(self.name),
            "factor": formula_of(cell.factor, self.name, cell.inside) if cell.factor is not None else None,
            "numerator": _coefficients(cell.factor.top) if cell.factor is not None else None,
            "denominator": _coefficients(cell.factor.bottom) if cell.factor is not None else None,
            "scale": cell.scale if finite else None,
            "row": row.words if row else None,
        }


def _coefficients(polynomial: Any) -> list[Fraction]:
    """The coefficients of a polynomial, the constant term first."""
    return list(coefficients(polynomial))


def joined(cells: Sequence[Cell]) -> list[Cell]:
    """The cells with neighbours of the same formula joined; a point joins a neighbour that has its value there."""

    def union(last: Cell, cell: Cell) -> Cell:
        kept = last if last.where.point is None or _alike(last, cell) else cell
        return replace(kept, where=last.where.to(cell.where), worst=last.worst + cell.worst)

    return united(cells, _continues, union)


def _alike(x: Cell, y: Cell) -> bool:
    return (x.factor, x.scale, x.verdict) == (y.factor, y.scale, y.verdict)


def _continues(x: Cell, y: Cell) -> bool:
    def equal_at(at: Point) -> bool:
        if x.factor is None or y.factor is None or (x.scale, x.verdict) != (y.scale, y.verdict):
            return False
        return Line(x.factor).meets(Line(y.factor), at)

    return continues(x.where, y.where, alike=_alike(x, y), equal_at=equal_at)
