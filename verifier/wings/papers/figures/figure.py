"""Figures as data: panels of series over a grid, whose values are exact or enclosed; drawing is elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from verifier.numbers import Order
from verifier.wings.papers.bounds.real import Real

Value = Real | Literal["inf"] | None
"""A number; `inf`; or None where a formula has no value or its conditions are not met."""
Kind = Literal["printed", "repaired", "exact"]
Scale = Literal["linear", "log"]
DIGITS = 6
"""Significant digits of a table's numbers, correctly rounded."""


@dataclass(frozen=True)
class Axis:
    """An axis: its quantity with the unit, its scale, and the `floor` below which nothing is drawn."""

    label: str
    scale: Scale = "linear"
    floor: Fraction | None = None


@dataclass(frozen=True)
class Series:
    """A curve: `printed` as the paper states it, `repaired` as it holds, or `exact`.

    `at` gives the value at a point of the axis, exactly or enclosed. The colour and the mark of the curve follow from
    `hue`, its line from the kind.
    """

    label: str
    kind: Kind
    at: Callable[[Fraction], Value]
    hue: int = 0


@dataclass(frozen=True)
class Panel:
    """Curves over one grid. `few` are the points of the grid that the documents show.

    `below` names pairs (printed, exact): where the first is less than the second, the claim is false.
    """

    title: str
    grid: tuple[Fraction, ...]
    few: tuple[Fraction, ...]
    series: tuple[Series, ...]
    below: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure of a paper: its panels, axes, parameters and notes."""

    paper: str
    number: str
    title: str
    shows: str
    parameters: str
    x: Axis
    y: Axis
    panels: tuple[Panel, ...]
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the figure's files without the ending, such as `LQS12-figure-6`."""
        return f"{self.paper}-figure-{self.number}"


@dataclass(frozen=True)
class PanelValues:
    """A panel with its values at the points `xs`: one row for each point, one column for each series."""

    panel: Panel
    xs: tuple[Fraction, ...]
    values: tuple[tuple[Value, ...], ...]

    def column(self, label: str) -> tuple[Value, ...]:
        """The values of the series with this label, in the order of the grid."""
        position = [series.label for series in self.panel.series].index(label)
        return tuple(row[position] for row in self.values)

    def false(self, printed: str, exact: str) -> tuple[Fraction, ...]:
        """The grid points at which the printed value is proved to be less than the exact one."""
        pairs = zip(self.xs, self.column(printed), self.column(exact), strict=True)
        return tuple(x for x, claimed, truth in pairs if smaller(claimed, truth))


def smaller(first: Value, second: Value) -> bool:
    """Whether the first value is proved to be less than the second; False where either is missing."""
    if first is None or second is None or first == "inf":
        return False
    return second == "inf" or first.order(second) is Order.LESS


def values(panel: Panel, *, few: bool = False, tick: Callable[[], object] = lambda: None) -> PanelValues:
    """The values of a panel at all its grid points, or at the few that documents show; `tick` is called after each."""
    xs = panel.few if few else panel.grid
    rows: list[tuple[Value, ...]] = []
    for x in xs:
        row = []
        for series in panel.series:
            row.append(series.at(x))
            tick()
        rows.append(tuple(row))
    return PanelValues(panel, xs, tuple(rows))


def steps(first: str, last: str, by: str) -> tuple[Fraction, ...]:
    """The numbers first, first + by, first + 2·by, … up to the last.

    >>> [str(x) for x in steps("0", "1/2", "1/4")]
    ['0', '1/4', '1/2']
    """
    low, high, width = Fraction(first), Fraction(last), Fraction(by)
    return tuple(low + k * width for k in range(int((high - low) / width) + 1))


def numbers(text: str) -> tuple[Fraction, ...]:
    """The numbers of a text, separated by spaces.

    >>> [str(x) for x in numbers("0.05 1/2")]
    ['1/20', '1/2']
    """
    return tuple(map(Fraction, text.split()))
