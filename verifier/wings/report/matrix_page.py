"""The matrix: the report's page of the definitions, and the page of every ordered pair with its reason.

Without the script the table of all pairs shows the first question; with it the question is chosen, a pair is chosen by
the names of its definitions or by its cell, and definitions are searched. `#np` in the address shows the pairs of np.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import product
from typing import Any

from verifier.definitions import DEFINITIONS, ON_REQUEST
from verifier.definitions.registry import entry_of
from verifier.show.sections import Diagram, Document, Folded, Link, Paragraph, Section, Span, Terms, Text
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
from verifier.wings.implications.matrix.plot import COLOURS, diagram, dimension_of, name_of
from verifier.wings.implications.matrix.sheets import (
    LEGEND,
    SHORT,
    count_sheet,
    model_sheet,
    proof_of,
    with_text,
)
from verifier.wings.papers.ledger.printed_relations import printed_sheets
from verifier.wings.report.definition_sections import PATH as DEFINITIONS_PAGE

PATH, PAIRS = "matrix.html", "pairs.html"
"""The pages of a report; `pkdp relations --matrix` writes the page of the pairs alone, under the first name."""
TITLE = "What follows from what: all pairs of definitions"
BOXES = (
    "Each box implies those that an arrow leads to; definitions in one box imply each other. What follows from "
    "everything, or from nothing else and implies nothing, has no arrows."
)
WHOLE: Text = (
    Link("Every ordered pair, with its reason", PAIRS),
    ": `pkdp relations --matrix --output DIR` writes this page. `pkdp relations A B` explains one pair.",
)
GRID = "Open a definition to see what it implies and what implies it, with the same ε at δ = 0."
PROVEN = (PROVED, CLOSURE, ONE)
"""The states of a pair of which the first definition implies the second."""


def definitions_grid(known: Matrix) -> Section:
    """The definitions as a grid that one can click: each opens to what follows from it, and from what it follows."""
    proved = [pair for pair, cell in known.cells[SAME].items() if cell.state in PROVEN]
    implied = {key: [target for source, target in proved if source == key] for key in known.definitions}
    folds = tuple(_fold(key, implied) for key in sorted(known.definitions, key=name_of))
    counted = f"{len(folds)} definitions, one by one"
    return Section(counted, (Paragraph(GRID, "note"), *folds), "definitions", "folds")


def _fold(key: str, implied: Mapping[str, Sequence[str]]) -> Folded:
    """One definition of the grid."""
    name = name_of(key)
    words: list[Span] = [str(entry_of(key)["title"])]
    if name in {**DEFINITIONS, **ON_REQUEST}:
        words += [" (", Link(name, f"{DEFINITIONS_PAGE}#{name}"), ")"]
    given_by = [other for other, targets in implied.items() if key in targets]
    named = (("implies", implied[key]), ("follows from", given_by))
    terms = tuple((word, ", ".join(map(name_of, keys)) or "no other definition") for word, keys in named)
    pairs = Paragraph((Link(f"Every pair with {name}, and why", f"{PAIRS}#{name}"),))
    return Folded(name, (Paragraph(words), Terms(terms), pairs))


def matrix_document(*, drawn: bool = True) -> Document:
    """The page of the matrix as a document: the diagram where `drawn`, DP22's Table 3, and the models.

    Before them are the definitions, to be clicked, and the counts behind a line; what is not `drawn` has the counts.
    """
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
            *((definitions_grid(known),) if drawn else (Section("", (count_sheet(known),)),)),
            *((Section("The reduced diagram", (Paragraph(BOXES, "note"), *pictures)),) if drawn else ()),
            Section("DP22's printed relations beside ours", tuple(printed_sheets())),
            Section("The models that separate", (model_sheet(),)),
            *((Section("", (Folded("How many pairs are in each state", (count_sheet(known),)),)),) if drawn else ()),
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
.tools :is(select, input, button) { font: inherit; max-width: 100%; } .tools label { max-width: 100%; }
.box-scroll { overflow: auto; max-height: 80vh; max-width: 100%; border: 1px solid #8888; }
#matrix { border-collapse: collapse; font-size: 12px; margin: 0; width: auto; }
#matrix th, #matrix td { border: 1px solid #8883; padding: 0 2px; text-align: center; min-width: 14px; height: 16px; }
#matrix th { word-break: normal; overflow-wrap: normal; hyphens: none; white-space: nowrap; }
#matrix th { position: sticky; color: var(--ink); background: var(--paper); }
#matrix thead th { writing-mode: vertical-rl; height: 12em; top: 0; z-index: 1; }
#matrix tbody th { left: 0; text-align: left; }
#matrix tr[id] { scroll-margin-top: 14em; }
#matrix td { cursor: pointer; } #matrix td.self { background: #8883; cursor: default; }
#matrix td.proved { background: #2e7d3266; } #matrix td.closure { background: #2e7d3233; }
#matrix td.separated { background: #b3243d26; } #matrix td.complete { background: #1b5e8c55; }
#matrix td.depends { background: #c9a22755; } #matrix td.open { background: none; font-weight: bold; }
#matrix td.finite { background: #2e7d321a; } #matrix td.always { background: none; }
#matrix td.depends-finite { background: #c9a2272a; }
#matrix td.hit { outline: 2px solid var(--link); } .box-scroll svg { width: 100%; height: auto; display: block; }
#detail h2 { font-size: 1.2rem; border: 0; margin: 1rem 0 .3rem; }
#detail { min-height: 5rem; overflow-wrap: anywhere; }
"""


def matrix_page(bar: Sequence[tuple[str, str]]) -> str:
    """The page of every ordered pair as HTML; `bar` has the names and addresses of the pages at its head."""
    known = matrix()
    links = " ".join(f'<a href="{escape(address)}">{escape(name)}</a>' for name, address in bar)
    options = "".join(f"<option>{SHORT[level]}</option>" for level in LEVELS)
    names = "".join(f"<option>{name}</option>" for name in sorted(map(name_of, known.definitions)))
    drawings = "".join(
        f'<div class="box-scroll" tabindex="0" role="region" aria-label="Diagram: {SHORT[level]}" '
        f'data-level="{level}">{_svg(known, level)}</div>'
        for level in DRAWN
    )
    colours = ", ".join(
        f'<b style="border-bottom: 3px solid {colour}">{letter or "DP"}</b>' for letter, colour in COLOURS.items()
    )
    legend = ", ".join(f"{MARKS[state]} {state}" for state in STATES)
    return "\n".join([
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta name="viewport" content="width=device-width">\n<title>{TITLE}</title>',
        '<link rel="icon" href="icon.svg">',
        f'<link rel="stylesheet" href="report.css">\n<style>{STYLE}</style>',
        f'<script src="{SCRIPT}" defer></script>\n</head>\n<body>',
        '<a class="skip" href="#content">Skip to the content</a>',
        f'<nav class="bar" aria-label="Report">{links} <!-- doors --></nav>',
        f'<header><h1>{TITLE}</h1></header>\n<main id="content">',
        f"<p>{escape(LEGEND)}</p>",
        '<div class="tools script" hidden><label>Question <select id="question">' + options + "</select></label>",
        '<label>Does <select id="from">' + names + "</select></label>",
        '<label>imply <select id="to">' + names + "</select></label></div>",
        '<div id="detail" role="status" aria-live="polite"></div>',
        f"<h2>Every ordered pair</h2>\n<p>A row implies a column: {legend}. A click on a cell says why.</p>",
        '<div class="tools script" hidden><label>Search, such as np cdp ',
        '<input id="search" type="search" autocomplete="off" /></label></div>',
        _table(known),
        "<h2>The reduced diagram</h2>",
        f"<p>{BOXES} The order is drawn of some ε, and of the same ε, at δ = 0.</p>",
        f"<p>Colours, by dimension: {colours}.</p>",
        '<div class="tools script" hidden><button type="button" data-zoom="1">Larger</button>',
        '<button type="button" data-zoom="-1">Smaller</button>',
        '<button type="button" data-zoom="0">Whole</button></div>',
        drawings,
        "<h2>How many pairs are in each state</h2>",
        count_sheet(known).html(),
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
    heads = "".join(f'<th scope="col" style="{_edge("bottom", key)}">{name_of(key)}</th>' for key in keys)
    rows = []
    for source in keys:
        listed = [_td("" if source == target else cells[source, target].state) for target in keys]
        head = f'<th scope="row" style="{_edge("right", source)}">{name_of(source)}</th>'
        rows.append(f'<tr id="{name_of(source)}">{head}{"".join(listed)}</tr>')
    label = "Every ordered pair of definitions"
    return (
        f'<div class="box-scroll" tabindex="0" role="region" aria-label="{label}"><table id="matrix"><thead><tr>'
        f"<td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _edge(side: str, key: str) -> str:
    """The colour of a definition's dimension, at one side of its name."""
    return f"border-{side}: 3px solid {COLOURS[dimension_of(key)]}"


def _td(state: str) -> str:
    return f'<td class="{_kind(state)}">{MARKS[state]}</td>' if state else '<td class="self"></td>'


def _kind(state: str) -> str:
    return KINDS.get(state, state)


def _json(known: Matrix) -> str:
    """What the script knows of every cell: of each level the numbers of its cells, and each cell and text once."""
    keys = _by_dimension(known)
    facts = {fact: number for number, fact in enumerate(dict.fromkeys(implications()))}
    texts: dict[str, int] = {"": 0}
    cells: dict[tuple[Any, ...], int] = {(): 0}
    levels = []
    for level in LEVELS:
        pairs = product(keys, keys)
        packed = (() if a == b else _packed(known.cells[level][a, b], facts, texts) for a, b in pairs)
        numbers = [cells.setdefault(cell, len(cells)) for cell in packed]
        levels.append({"name": level, "words": SHORT[level], "cells": numbers})
    known_to_script = {
        "keys": list(map(name_of, keys)),
        "looked": cover().looked,
        "states": [{"name": state, "kind": _kind(state), "mark": MARKS[state]} for state in STATES],
        "facts": [[re.sub(r"[\w-]+", lambda key: name_of(key[0]), fact.sentence), proof_of(fact)] for fact in facts],
        "texts": list(texts),
        "cells": list(cells),
        "levels": levels,
    }
    return json.dumps(known_to_script, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _packed(cell: MatrixCell, facts: dict[Any, int], texts: dict[str, int]) -> tuple[Any, ...]:
    """State, facts, map, condition, model, both ε, δ, and the number of models, without the empty end."""
    chain, shown = cell.shown, cell.separation

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    packed: list[Any] = [
        STATES.index(cell.state),
        tuple(facts[fact] for fact in chain.facts) if chain else 0,
        number(with_text(chain) if chain else ""),
        number(where_text(chain.when) if chain and chain.when else ""),
        number(f"models/{shown.model}.toml" if shown else ""),
        number(shown.first if shown else ""),
        number(shown.second if shown else ""),
        number(shown.delta if shown else ""),
        cell.checked,
    ]
    while packed and not packed[-1] and len(packed) > 1:
        packed.pop()
    return tuple(packed)
