"""The reduced diagram of the proved order: each definition above those that follow from it, as SVG.

Definitions that imply each other are one box. An arrow that follows from others is not drawn. Boxes stand in layers, by
the longest way from the top; within a layer each stands near the middle of its neighbours. All places are integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from verifier.definitions.registry import ALIASES, entry_of
from verifier.wings.implications.matrix.matrix import Matrix

if TYPE_CHECKING:
    from networkx import DiGraph

LETTER, LINE, PAD, GAP, LAYER = 7, 15, 8, 18, 64
"""The width of a letter, the height of a line, the margin of a box, the gaps between boxes and between layers."""
WIDEST = 1500
"""Largest width of a row; a layer that is wider goes on in another row."""
SWEEPS = 6
COLOURS = {
    "": "#444444",
    "Q": "#b3243d",
    "N": "#1b5e8c",
    "V": "#7a5600",
    "B": "#2e7d32",
    "F": "#6d4a94",
    "R": "#00696e",
}
"""The colour of the first dimension that a definition changes."""


@dataclass(frozen=True)
class Box:
    """The box of definitions that imply each other, with the place of its middle."""

    keys: tuple[str, ...]
    x: int
    y: int

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of text: the names, two on a line."""
        return _lines(self.keys)

    @property
    def width(self) -> int:
        """The width of the box."""
        return width_of(self.keys)

    @property
    def height(self) -> int:
        """The height of the box."""
        return LINE * len(self.lines) + PAD


def width_of(keys: Sequence[str]) -> int:
    """The width of a box with some keys."""
    return LETTER * max(map(len, _lines(keys))) + 2 * PAD


def _lines(keys: Sequence[str]) -> tuple[str, ...]:
    names = list(map(name_of, keys))
    return tuple(" = ".join(names[k : k + 2]) for k in range(0, len(names), 2))


def name_of(key: str) -> str:
    """The name of a definition of the matrix: that of pkdp, if pkdp has another than DP22's.

    >>> name_of("npr"), name_of("renyidp")
    ('np', 'renyidp')
    """
    return ALIASES[key].key if key in ALIASES else key


def dimension_of(key: str) -> str:
    """The letter of the first dimension that a definition changes; empty if it changes none.

    >>> dimension_of("npr"), dimension_of("renyidp"), dimension_of("dp-any")
    ('B', 'Q', '')
    """
    dimensions = ALIASES[key].dimensions if key in ALIASES else str(entry_of(key).get("dimensions", ""))
    return dimensions[:1]


def reduced(known: Matrix, level: str) -> DiGraph:
    """The graph of the classes of definitions that imply each other, with the arrows that do not follow from others.

    A class that follows from every other one has no arrows, which would hide the others.
    """
    import networkx as nx

    order: DiGraph = nx.DiGraph()
    order.add_nodes_from(known.definitions)
    order.add_edges_from(pair for pair, cell in known.cells[level].items() if cell.chain is not None)
    place = {key: number for number, key in enumerate(known.definitions)}
    classes: DiGraph = nx.condensation(order)
    names = {node: tuple(sorted(classes.nodes[node]["members"], key=place.__getitem__)) for node in classes}
    arrows: DiGraph = nx.DiGraph()
    arrows.add_nodes_from(sorted(names.values(), key=lambda keys: place[keys[0]]))
    bottom = {node for node in classes if len(nx.ancestors(classes, node)) == len(classes) - 1}
    classes.remove_nodes_from(bottom)
    arrows.add_edges_from((names[a], names[b]) for a, b in nx.transitive_reduction(classes).edges)
    return arrows


def placed(arrows: DiGraph) -> list[Box]:
    """The boxes with their places; boxes without arrows stand below all others."""
    import networkx as nx

    alone = [keys for keys in arrows if not arrows.degree(keys)]
    depth: dict[tuple[str, ...], int] = {}
    for keys in nx.lexicographical_topological_sort(arrows, key=lambda keys: keys[0]):
        depth[keys] = max((depth[above] + 1 for above in arrows.predecessors(keys)), default=0)
    layers: list[list[tuple[str, ...]]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for keys in arrows:
        if keys not in alone:
            layers[depth[keys]].append(keys)
    for sweep in range(SWEEPS):
        neighbours: Callable[[tuple[str, ...]], object] = arrows.successors if sweep % 2 else arrows.predecessors
        _sweep(layers, neighbours, downwards=not sweep % 2)
    rows = [row for layer in [*layers, alone] for row in _rows(layer)]
    boxes, y = [], 0
    widest = max(map(_row_width, rows), default=0)
    for row in rows:
        tallest = max(Box(keys, 0, 0).height for keys in row)
        x = (widest - _row_width(row)) // 2
        for keys in row:
            boxes.append(Box(keys, x + width_of(keys) // 2, y + tallest // 2))
            x += width_of(keys) + GAP
        y += tallest + LAYER
    return boxes


def _sweep(layers: list[list[tuple[str, ...]]], neighbours: Callable[..., object], *, downwards: bool) -> None:
    """Order each layer by the mean place of its neighbours in the layers that are ordered already."""
    share: dict[tuple[str, ...], Fraction] = {}
    for layer in layers if downwards else reversed(layers):
        means = {}
        for place, keys in enumerate(layer):
            near = [share[other] for other in neighbours(keys) if other in share]  # type: ignore[attr-defined]
            means[keys] = sum(near, Fraction(0)) / len(near) if near else Fraction(2 * place + 1, 2 * len(layer))
        layer.sort(key=lambda keys: (means[keys], keys))
        share |= {keys: Fraction(2 * place + 1, 2 * len(layer)) for place, keys in enumerate(layer)}


def _row_width(row: Sequence[tuple[str, ...]]) -> int:
    return sum(map(width_of, row)) + GAP * (len(row) - 1)


def _rows(layer: Sequence[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    """A layer in rows that are not too wide."""
    rows: list[list[tuple[str, ...]]] = []
    for keys in layer:
        if not rows or _row_width([*rows[-1], keys]) > WIDEST:
            rows.append([])
        rows[-1].append(keys)
    return rows


def diagram(known: Matrix, level: str, title: str) -> str:
    """The reduced diagram as SVG."""
    arrows = reduced(known, level)
    boxes = {box.keys: box for box in placed(arrows)}
    width = max(box.x + box.width // 2 for box in boxes.values()) + PAD
    height = max(box.y + box.height // 2 for box in boxes.values()) + PAD
    lines = [_arrow(boxes[a], boxes[b]) for a, b in sorted(arrows.edges)]
    drawn = list(map(_drawn, boxes.values()))
    marker = (
        '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#808080"/></marker>'
    )
    view = f"{-PAD} {-PAD} {width + 2 * PAD} {height + 2 * PAD}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<defs>{marker}</defs>", *lines, *drawn, "</svg>"])


def _arrow(first: Box, second: Box) -> str:
    x1, y1, x2, y2 = first.x, first.y + first.height // 2, second.x, second.y - second.height // 2
    middle = (y1 + y2) // 2
    keys = f'data-from="{first.keys[0]}" data-to="{second.keys[0]}"'
    look = 'fill="none" stroke="#808080" stroke-width="1" marker-end="url(#tip)"'
    return f'<path class="arrow" {keys} {look} d="M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}"/>'


def _drawn(box: Box) -> str:
    left, top = box.x - box.width // 2, box.y - box.height // 2
    colour = COLOURS.get(dimension_of(box.keys[0]), COLOURS[""])
    rect = (
        f'<rect x="{left}" y="{top}" width="{box.width}" height="{box.height}" rx="5" '
        f'fill="{colour}" fill-opacity="0.12" stroke="{colour}"/>'
    )
    texts = "".join(
        f'<text x="{box.x}" y="{top + LINE * (k + 1)}" text-anchor="middle" fill="currentColor" '
        f'font-family="sans-serif" font-size="12">{escape(line)}</text>'
        for k, line in enumerate(box.lines)
    )
    return f"<g>{rect}{texts}</g>"
