"""The frame of a drawing: axes, ticks, legends, tooltips, the positions of marks, and the SVG around them.

Floats place ink here and decide nothing; every number that is written is an exact text. Marks carry their colours as
attributes and take the colour of the text around them, so that a drawing is readable on any page, light or dark; their
classes let a page with a style sheet choose its own colours.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log, log10
from pathlib import Path

from verifier.errors import InputError, printable
from verifier.machine.files import write_whole
from verifier.numbers import Epsilon, Value, decimal_of, with_decimal
from verifier.show.plots import Stroke

WIDTH, LEFT, RIGHT, TOP = 520.0, 56.0, 14.0, 12.0
TALL = 230.0
TEN = log(10.0)
LETTER = 6.3
HEIGHTS = tuple(Fraction(1, part) for part in (20, 10, 5, 4, 2, 1))
"""The possible ends of an axis of probabilities."""
LONGEST_NAME, LONGEST_TIP = 64, 600
"""Characters of a name in a drawing, and of a tooltip."""
SHORT_NAME = 28
"""Characters of a name that leaves room for another beside it."""
LEAST = Fraction(1, 1000)
"""A power of ten that is at most this is written as a power."""
FEW = 3.0
"""A logarithmic axis of fewer powers of ten has marks between them."""
INK = "#1c1c1e"
"""Ink on a coloured mark; other words have the colour of the text around the drawing."""
FAINT, DASHED = "#80808050", "3 3"
HOVER = "hover"
"""The class of invisible marks, which only have a tooltip."""
EXACT = 60
"""Digits of an exact number in a tooltip; a longer one says how many it has."""
PRINT = """<style>
svg { --ink: #1c1c1e; --soft: #5b5b61; --line: #dcdcd8; --c-active: #b3243d; --c-passive: #1b5e8c; --c-causal: #6d4a94; --c-other: #7a5600; }
text { font: 12px system-ui, sans-serif; fill: var(--soft); } .v { fill: var(--ink); } .ax, .gr { stroke: var(--line); fill: none; }
.c { fill: none; stroke: var(--k); stroke-width: 2; } .m { fill: var(--k); } .bar { stroke: var(--k); stroke-width: 6; }
.gap { fill: var(--c-active); opacity: .1; }
.active { --k: var(--c-active); } .passive { --k: var(--c-passive); } .causal { --k: var(--c-causal); } .other { --k: var(--c-other); } .anybody { --k: var(--soft); }
.hue0 { --k: #d55e00; } .hue1 { --k: #e69f00; } .hue2 { --k: #cc79a7; } .hue3 { --k: #0072b2; } .hue4 { --k: #56b4e9; } .hue5 { --k: #009e73; } .hue6 { --k: #8a6fb0; }
</style>"""  # noqa: E501
"""The style sheet of a drawing that stands alone, in the colours of print."""
DARK = (
    "@media (prefers-color-scheme: dark) { svg { --ink: #e8e8e6; --soft: #a9a9a6; --line: #37383b; "
    "--c-active: #f393a2; --c-passive: #7db8e0;\n --c-causal: #c3a5e6; --c-other: #e5c06a; } }\n"
)
STYLE = PRINT.replace("text {", DARK + "text {", 1)
"""The same for light and dark."""
PAPER = "<rect width='100%' height='100%' fill='#fff'/>"


@dataclass(frozen=True)
class Mark:
    """One SVG element of a drawing: its class, where it stands, how it looks where no style sheet says so, its tooltip.

    >>> mark = Mark("circle", "m active", "r='3' cx='1' cy='2'", "fill='red'", "δ < 1")
    >>> print(mark.svg)
    <circle class='m active' fill='red' r='3' cx='1' cy='2'><title>δ &lt; 1</title></circle>
    >>> print(mark.styled)
    <circle class='m active' r='3' cx='1' cy='2'/>
    """

    element: str
    kind: str
    position: str
    look: str = ""
    tooltip: str = ""
    text: str = ""
    label: str = ""
    """What a reader who does not see the mark hears."""
    inside: tuple[Mark, ...] = ()
    """The marks of a group."""

    @property
    def svg(self) -> str:
        """The element for any page: with its look and its tooltip."""
        inside = "".join(mark.svg for mark in self.inside)
        return self._element(self.look, (tip(self.tooltip) if self.tooltip else "") + inside)

    @property
    def styled(self) -> str:
        """The element for a page whose style sheet knows the classes, with a table of the numbers beside the drawing.

        It is empty for an invisible mark, which only has a tooltip.
        """
        return "" if self.kind == HOVER else self._element("", "")

    def _element(self, look: str, more: str) -> str:
        kind = f"class='{self.kind}'" if self.kind else ""
        label = f"aria-label='{written(printable(self.label))}'" if self.label else ""
        opening = " ".join(part for part in (self.element, kind, look, self.position, label) if part)
        inside = written(self.text) + more
        return f"<{opening}>{inside}</{self.element}>" if inside else f"<{opening}/>"


@dataclass(frozen=True)
class Drawing:
    """One drawing: a name for its file, a caption, and the height, title, description and marks of its SVG."""

    kind: str
    caption: str
    height: float
    title: str
    description: str
    marks: Sequence[Mark]
    width: float = WIDTH
    painted: bool = False
    """Whether the marks have all their colours, so that no style sheet of a page changes them; they can be reached."""

    def __repr__(self) -> str:
        return f"<Drawing {self.kind}: .save(path) writes it>"

    def __str__(self) -> str:
        """The drawing in words."""
        return self.description

    def _repr_svg_(self) -> str:
        return self.svg

    @property
    def svg(self) -> str:
        """The SVG for any page, light or dark: marks have their colours and exact tooltips."""
        return self._svg([mark.svg for mark in self.marks])

    @property
    def styled(self) -> str:
        """The SVG for a page of the report, whose style sheet has the colours."""
        if self.painted:
            return self.svg
        return self._svg([text for mark in self.marks if (text := mark.styled)])

    @property
    def alone(self) -> str:
        """The SVG as a file of its own, with a style sheet for light and dark."""
        return self._with(PAPER if self.painted else STYLE)

    @property
    def printed(self) -> str:
        """The SVG as a file of its own in the colours of print, on white."""
        return self._with(PAPER if self.painted else PAPER + PRINT)

    def save(self, path: str | Path) -> Path:
        """Write the drawing as `.svg` in the colours of print; return the path.

        Raises:
            InputError: for another ending. The pages in a browser save a PNG of each drawing.

        """
        file = Path(path)
        if file.suffix != ".svg":
            problem = f"the ending of {file.name} is not one of this drawing"
            tip = "the explorer's page saves it as PNG" if file.suffix == ".png" else f'save("{self.kind}.svg")'
            raise InputError(problem, where="path", wanted="a file that ends in .svg", tip=tip)
        write_whole(file, self.printed)
        return file

    def _with(self, style: str) -> str:
        before, end_of_description, after = self.svg.partition("</desc>")
        return f"{before}{end_of_description}\n{style}{after}\n"

    def _svg(self, marks: Sequence[str]) -> str:
        """The SVG around its marks; readers who do not see it hear its title and its description."""
        body = "\n".join(marks)
        role = "class='painted' role='group'" if self.painted else "class='plot' role='img'"
        label, details = written(printable(self.title)), written(printable(self.description))
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' {role} aria-label='{label}' "
            f"viewBox='0 0 {self.width:.0f} {self.height:.0f}' width='{self.width:.0f}' height='{self.height:.0f}' "
            "font-family='system-ui, sans-serif' font-size='12' fill='currentColor'>\n"
            f"<title>{label}</title>\n<desc>{details}</desc>\n{body}\n</svg>"
        )


@dataclass(frozen=True)
class Place:
    """Where a rectangle stands."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Its horizontal middle."""
        return self.x + self.width / 2

    @property
    def box(self) -> str:
        """The position of a rectangle."""
        return f"x='{self.x:.1f}' y='{self.y:.1f}' width='{self.width:.1f}' height='{self.height:.1f}'"

    def pattern(self, kind: int) -> str:
        """Return the path of a pattern: 0 none, 1 rising lines, 2 falling lines, 3 level lines."""
        x, y, w, h = self.x, self.y, self.width, self.height
        if not kind or w < 3.0 or h < 3.0:
            return ""
        if kind == 3:
            return "".join(f"M{x:.1f} {y + 6.0 * k:.1f}h{w:.1f}" for k in range(1, int(h / 6.0) + 1) if 6.0 * k < h)
        lines = []
        for k in range(1, int((w + h) / 8.0) + 1):
            c = 8.0 * k  # where x + y = c from the corner
            if c >= w + h:
                break
            start, end = (min(c, w), max(0.0, c - w)), (max(0.0, c - h), min(c, h))
            if kind == 1:
                lines.append(f"M{x + start[0]:.1f} {y + start[1]:.1f}L{x + end[0]:.1f} {y + end[1]:.1f}")
            else:
                lines.append(f"M{x + w - start[0]:.1f} {y + start[1]:.1f}L{x + w - end[0]:.1f} {y + end[1]:.1f}")
        return "".join(lines)


@dataclass(frozen=True)
class Frame:
    """The axes of a drawing: x from `low` to `high`, y from 0 up to `top`.

    On a logarithmic axis y goes from the power `floor` of ten up to the power `ceiling`.
    """

    low: float
    high: float
    floor: float = 0.0
    ceiling: float = 0.0
    height: float = TALL
    top: Fraction = Fraction(1)

    @property
    def bottom(self) -> float:
        """The vertical position of δ = 0, in units of the drawing."""
        return TOP + self.height

    def x(self, value: float) -> float:
        """Return the horizontal position of an ε or a privacy loss (nats)."""
        return LEFT + (value - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    @property
    def decades(self) -> float:
        """How many powers of ten a logarithmic axis has; 0 for another one."""
        return self.ceiling - self.floor

    def y(self, value: Fraction) -> float:
        """Return the vertical position of a δ; on a logarithmic axis 0 lies at the bottom."""
        if not self.decades:
            return self.bottom - float(value / self.top) * self.height
        power = ln(value) / TEN if value > 0 else self.floor
        return self.bottom - (max(power, self.floor) - self.floor) / self.decades * self.height


def ln(value: Fraction) -> float:
    """Return the natural logarithm of a positive fraction of any size as a float; it places ink only."""
    return log(value.numerator) - log(value.denominator)


def axis_value(epsilon: Epsilon) -> float:
    """Return a finite ε (nats) as a float; it places ink only."""
    return float(epsilon.decimal(12))


def exactly(value: Fraction | Value) -> str:
    """Return a number for a tooltip: exact, with its decimal.

    >>> exactly(Fraction(1, 3)), exactly(Fraction(2))
    ('1/3 (0.333333333333)', '2')
    """
    return with_decimal(value, EXACT)


def near(value: Fraction) -> str:
    """Return a number as a decimal of three digits, correctly rounded."""
    return decimal_of(value, 3)


def top_of(values: Sequence[Fraction]) -> Fraction:
    """Return the lowest end of an axis (1/20, …, 1/2, 1) that no value exceeds.

    >>> top_of([Fraction(1, 50)]), top_of([Fraction(1, 3), Fraction(1, 7)])
    (Fraction(1, 20), Fraction(1, 2))
    """
    return next((height for height in HEIGHTS if height >= max(values, default=Fraction(1))), Fraction(1))


def cut_name(text: str, most: int = LONGEST_NAME) -> str:
    """Return a name that fits into a drawing: cut after so many characters, without control characters."""
    name = printable(text)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def written(text: str) -> str:
    """Return text escaped for a page or an attribute."""
    return html.escape(text, quote=True)


def tip(text: str) -> str:
    """Return the tooltip of a mark as an SVG element.

    >>> tip("δ < 1")
    '<title>δ &lt; 1</title>'
    """
    tooltip = printable(text)
    return f"<title>{written(tooltip if len(tooltip) <= LONGEST_TIP else f'{tooltip[: LONGEST_TIP - 1]}…')}</title>"


def word(x: float, y: float, text: str, *, anchor: str = "start", kind: str = "", more: str = "") -> Mark:
    """Return a text at a position of the drawing."""
    side = "" if anchor == "start" else f"text-anchor='{anchor}' "
    return Mark("text", kind, f"{side}x='{x:.1f}' y='{y:.1f}'{more}", text=text)


def rule(path: str, *, kind: str = "gr") -> Mark:
    """Return a line of the frame: `ax` is an axis, `gr` a faint line, `gr dot` a dotted line."""
    colour = "currentColor" if kind == "ax" else FAINT
    dash = " stroke-dasharray='2 3'" if kind == "gr dot" else ""
    return Mark("path", kind, f"d='{path}'", f"fill='none' stroke='{colour}'{dash}")


def curve_path(stroke: Stroke, path: str, title: str = "") -> Mark:
    """Return the line of a curve, with a tooltip where `title` is not empty; its dashes tell it from others."""
    dash = f"stroke-dasharray='{stroke.dash}' " if stroke.dash else ""
    look = f"fill='none' stroke='{stroke.colour}' stroke-width='2'"
    return Mark("path", f"c {stroke.tone}", f"{dash}d='{path}'", look, title)


def hover(path: str, title: str) -> Mark:
    """Return an invisible piece of a curve, broad enough for a finger, with its tooltip."""
    unseen = "fill='none' stroke='currentColor' stroke-opacity='0' stroke-width='11'"
    return Mark("path", HOVER, f"d='{path}'", unseen, title)


def ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return the round numbers between two ends, at most about eight, with their texts."""
    width = (high - low) or 1.0
    power = Fraction(10) ** floor(log10(width / 7))
    step = next(power * times for times in (1, 2, 5, 10) if width / float(power * times) <= 7)
    first, last = ceil(low / float(step)), floor(high / float(step))
    return [(float(k * step), decimal_of(k * step).replace("-", "−")) for k in range(first, last + 1)]


def axes(frame: Frame, below: float, x: str = "ε (nats)", y: str = "smallest δ") -> list[Mark]:
    """Return the axes with their ticks and names, by default δ against ε; `x` stands `below` units under its axis."""
    marks = [rule(f"M{LEFT:.0f},{TOP:.0f}V{frame.bottom:.0f}H{WIDTH - RIGHT:.0f}", kind="ax")]
    for tick, text in ticks(frame.low, frame.high):
        marks.append(word(frame.x(tick), frame.bottom + 16.0, text, anchor="middle"))
    heights = [frame.top * Fraction(k, 5) for k in range(6)]
    if frame.decades:
        powers = range(floor(frame.ceiling), ceil(frame.floor) - 1, -max(1, int(frame.decades / 6.0)))
        heights = [Fraction(10) ** k for k in powers]
    if 0.0 < frame.decades < FEW:
        steps = [
            times * Fraction(10) ** k for k in range(floor(frame.floor), ceil(frame.ceiling)) for times in (1, 2, 5)
        ]
        heights = [step for step in steps if frame.floor <= ln(step) / TEN <= frame.ceiling]
    for height in heights:
        place = frame.y(height)
        is_power = frame.decades and not LEAST < height < 1 / LEAST
        text = f"1e{round(ln(height) / TEN)}" if is_power else decimal_of(height)
        if place > TOP + 0.5:  # a curve may run along the top
            marks.append(rule(f"M{LEFT:.0f},{place:.1f}H{WIDTH - RIGHT:.0f}"))
        marks.append(word(LEFT - 7.0, place + 4.0, text, anchor="end"))
    marks.append(word((LEFT + WIDTH - RIGHT) / 2, frame.bottom + below, x, anchor="middle"))
    turned = f" transform='translate(12 {TOP + frame.height / 2:.0f}) rotate(-90)'"
    marks.append(word(0.0, 0.0, y, anchor="middle", more=turned))
    return marks


def key(start: float, names: Sequence[tuple[Stroke, str]]) -> tuple[list[Mark], float]:
    """Return the legend from the vertical position `start` on, and the position of its last name."""
    columns = 2 if all(len(name) <= SHORT_NAME for _, name in names) else 1
    marks = []
    for number, (stroke, name) in enumerate(names):
        x, y = LEFT + 230.0 * (number % columns), start + 18.0 * (number // columns)
        marks.append(curve_path(stroke, f"M{x:.0f},{y - 4.0:.0f}h26"))
        marks.append(word(x + 33.0, y, cut_name(name), kind="v"))
    return marks, start + 18.0 * ((len(names) - 1) // columns)
