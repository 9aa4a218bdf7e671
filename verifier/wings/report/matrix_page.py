"""The page of the matrix: the diagrams of the proved order, and every ordered pair with its reason.

Without the script the table shows the first question; with it the question is chosen, a cell says why, and definitions
are searched. The table scrolls within its box.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from itertools import product
from typing import Any

from verifier.show.sections import Diagram, Document, Paragraph, Section
from verifier.wings.implications.conditions import where_text
from verifier.wings.implications.facts import LEVELS, SAME, SOME, implications
from verifier.wings.implications.matrix.matrix import (
    ALWAYS,
    CLOSURE,
    COMPLETE,
    DEPENDS,
    DEPENDS_FINITE,
    FINITE,
    ONE,
    OPEN,
    PROVED,
    SEPARATED,
    STATES,
    WITH_DELTA,
    Matrix,
    MatrixCell,
    cover,
    matrix,
)
from verifier.wings.implications.matrix.plot import COLOURS, diagram, dimension_of
from verifier.wings.implications.matrix.sheets import (
    LEGEND,
    SHORT,
    count_sheet,
    model_sheet,
    proof_of,
    with_text,
)
from verifier.wings.papers.ledger.printed_relations import printed_sheets

PATH = "matrix.html"
TITLE = "What follows from what: all pairs of definitions"
BOXES = (
    "Each box implies those that an arrow leads to; definitions in one box imply each other. What follows from "
    "everything, or from nothing else and implies nothing, has no arrows."
)
WHOLE = (
    "`pkdp relations --matrix --output DIR` writes every ordered pair as a page, with the reason of each; "
    "`pkdp relations A B` says of two definitions whether one implies the other, and why."
)


def matrix_document(*, drawn: bool = True) -> Document:
    """The page of the matrix as a document: counts, the diagram where `drawn`, DP22's Table 3, and the models."""
    known = matrix()
    title = "What follows from what, with the same ε, at δ = 0: the reduced diagram"
    pictures = (
        Diagram(diagram(known, SAME, title), "The same ε at δ = 0, without the arrows that follow from others."),
    )
    return Document(
        path=PATH,
        title=TITLE,
        below=(Paragraph(WHOLE, "source"),),
        sections=(
            Section("", (count_sheet(known),)),
            *((Section("The reduced diagram", (Paragraph(BOXES, "note"), *pictures)),) if drawn else ()),
            Section("DP22's printed relations beside ours", tuple(printed_sheets())),
            Section("The models that separate", (model_sheet(),)),
        ),
    )


SCRIPT = "matrix.js"
MARKS = {
    PROVED: "⟹",
    CLOSURE: "→",
    ONE: "=",
    WITH_DELTA: "δ",
    FINITE: "⇢",
    ALWAYS: "·",
    SEPARATED: "×",
    COMPLETE: "∀",
    DEPENDS: "≬",
    DEPENDS_FINITE: "≀",
    OPEN: "?",
}
"""The sign of each state in the table."""
KINDS = {
    CLOSURE: "closure",
    ONE: "proved",
    WITH_DELTA: "finite",
    FINITE: "finite",
    ALWAYS: "always",
    COMPLETE: "complete",
    DEPENDS_FINITE: "depends-finite",
}
"""The class of a state's cells, if it is not the state itself."""
DRAWN = (SOME, SAME)
"""The questions whose order of definitions is drawn as a diagram."""
STYLE = """
.tools { display: flex; flex-wrap: wrap; gap: .7rem; align-items: center; margin: .7rem 0; }
.box-scroll { overflow: auto; max-height: 80vh; max-width: 100%; border: 1px solid #8888; }
#matrix { border-collapse: collapse; font-size: 12px; margin: 0; width: auto; }
#matrix th, #matrix td { border: 1px solid #8883; padding: 0 2px; text-align: center; min-width: 14px; height: 16px; }
#matrix th { word-break: normal; overflow-wrap: normal; hyphens: none; white-space: nowrap; }
#matrix thead th { writing-mode: vertical-rl; height: 12em; position: sticky; top: 0; background: Canvas; z-index: 1; }
#matrix tbody th { position: sticky; left: 0; background: Canvas; text-align: left; }
#matrix td { cursor: pointer; } #matrix td.self { background: #8883; cursor: default; }
#matrix td.proved { background: #2e7d3266; } #matrix td.closure { background: #2e7d3233; }
#matrix td.separated { background: #b3243d26; } #matrix td.complete { background: #1b5e8c55; }
#matrix td.depends { background: #c9a22755; } #matrix td.open { background: none; font-weight: bold; }
#matrix td.finite { background: #2e7d321a; } #matrix td.always { background: none; }
#matrix td.depends-finite { background: #c9a2272a; }
#matrix td.hit { outline: 2px solid #1b5e8c; } .box-scroll svg { width: 100%; height: auto; display: block; }
a.box.hit rect { stroke-width: 4; fill-opacity: .45; }
#detail { min-height: 5rem; overflow-wrap: anywhere; }
"""


def matrix_page(bar: Sequence[tuple[str, str]]) -> str:
    """The page of the matrix as HTML; `bar` has the names and addresses of the pages at its head."""
    known = matrix()
    links = " ".join(f'<a href="{escape(address)}">{escape(name)}</a>' for name, address in bar)
    options = "".join(f"<option>{SHORT[level]}</option>" for level in LEVELS)
    drawings = "".join(
        f'<div class="box-scroll" tabindex="0" role="region" aria-label="Diagram: {SHORT[level]}" '
        f'data-level="{level}">{_svg(known, level)}</div>'
        for level in DRAWN
    )
    colours = ", ".join(f'<b style="color:{colour}">{letter or "DP"}</b>' for letter, colour in COLOURS.items())
    legend = ", ".join(f"{MARKS[state]} {state}" for state in STATES)
    return "\n".join([
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta name="viewport" content="width=device-width">\n<title>{TITLE}</title>',
        '<link rel="icon" href="icon.svg">',
        f'<link rel="stylesheet" href="report.css">\n<style>{STYLE}</style>',
        f'<script src="{SCRIPT}" defer></script>\n</head>\n<body>',
        f'<nav class="bar" aria-label="Report">{links} <!-- doors --></nav>',
        f'<header><h1>{TITLE}</h1></header>\n<main id="content">',
        f"<p>{escape(LEGEND)}</p>",
        count_sheet(known).html(),
        '<div class="tools script" hidden><label>Question <select id="question">' + options + "</select></label>",
        '<label>Search <input id="search" type="search" autocomplete="off" /></label>',
        '<button type="button" data-zoom="1">Larger</button><button type="button" data-zoom="-1">Smaller</button>',
        '<button type="button" data-zoom="0">Whole</button></div>',
        "<h2>The reduced diagram</h2>",
        f"<p>{BOXES} The order is drawn of some ε, and of the same ε, at δ = 0.</p>",
        f"<p>Colours, by dimension: {colours}.</p>",
        drawings,
        f"<h2>Every ordered pair</h2>\n<p>A row implies a column: {legend}. A click on a cell says why.</p>",
        '<div id="detail" role="status" aria-live="polite"></div>',
        _table(known),
        "<h2>DP22's printed relations</h2>",
        *(sheet.html() for sheet in printed_sheets()),
        f'<script type="application/json" id="cells">{_json(known)}</script>',
        "</main>\n</body>\n</html>\n",
    ])  # fmt: skip


def _svg(known: Matrix, level: str) -> str:
    title = f"What follows from what, with {SHORT[level]}: the reduced diagram"
    return (
        diagram(known, level, title).replace('id="tip"', f'id="tip-{level}"').replace("url(#tip)", f"url(#tip-{level})")
    )


def _by_dimension(known: Matrix) -> list[str]:
    order = list(COLOURS)
    place = {key: number for number, key in enumerate(known.definitions)}
    return sorted(known.definitions, key=lambda key: (order.index(dimension_of(key)), place[key]))


def _table(known: Matrix) -> str:
    """The table of the first question; the script writes the others into it."""
    keys, cells = _by_dimension(known), known.cells[LEVELS[0]]
    heads = "".join(f'<th scope="col" style="color:{COLOURS[dimension_of(key)]}">{key}</th>' for key in keys)
    rows = []
    for source in keys:
        listed = [_td(None if source == target else cells[source, target]) for target in keys]
        head = f'<th scope="row" style="color:{COLOURS[dimension_of(source)]}">{source}</th>'
        rows.append(f'<tr id="row-{source}" data-key="{source}">{head}{"".join(listed)}</tr>')
    label = "Every ordered pair of definitions"
    return (
        f'<div class="box-scroll" tabindex="0" role="region" aria-label="{label}"><table id="matrix"><thead><tr>'
        f"<th></th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _td(cell: MatrixCell | None) -> str:
    if cell is None:
        return '<td class="self"></td>'
    chain = cell.shown
    words = with_text(chain) if chain else cell.separation.model if cell.separation else ""
    title = f"{cell.source} ⟹ {cell.target}: {cell.state}{f', {words}' if words else ''}"
    return f'<td class="{_kind(cell.state)}" title="{escape(title)}">{MARKS[cell.state]}</td>'


def _kind(state: str) -> str:
    return KINDS.get(state, state)


def _json(known: Matrix) -> str:
    """What the script knows of every cell."""
    keys = _by_dimension(known)
    facts = {fact: number for number, fact in enumerate(dict.fromkeys(implications()))}
    levels = []
    for level in LEVELS:
        cells = [
            0 if source == target else _packed(known.cells[level][source, target], facts)
            for source, target in product(keys, keys)
        ]
        levels.append({"name": level, "words": SHORT[level], "cells": cells})
    packed = {
        "keys": keys,
        "looked": cover().looked,
        "states": [{"name": state, "kind": _kind(state), "mark": MARKS[state]} for state in STATES],
        "facts": [[fact.sentence, proof_of(fact)] for fact in facts],
        "levels": levels,
    }
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _packed(cell: MatrixCell, facts: dict[Any, int]) -> list[Any]:
    """State, facts, map, condition, model, both ε, δ, and the number of models, without the empty end."""
    chain, shown = cell.shown, cell.separation
    packed: list[Any] = [
        STATES.index(cell.state),
        [facts[fact] for fact in chain.facts] if chain else 0,
        with_text(chain) if chain else 0,
        where_text(chain.when) if chain and chain.when else 0,
        f"models/{shown.model}.toml" if shown else 0,
        shown.first if shown else 0,
        shown.second if shown else 0,
        shown.delta if shown else 0,
        cell.checked,
    ]
    while packed and not packed[-1] and len(packed) > 1:
        packed.pop()
    return packed
