"""Two mechanisms in a notebook: what holds of both, their order by each definition, and both curves in one drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.show.display import box, figure, fold, note, table
from verifier.wings.compare.sheets import curves_plot, different_curves, order_words, sheets

if TYPE_CHECKING:
    from verifier.wings.compare.answer import Compared

MOST_FOLDED = 4
"""Drawings that are folded away below the first one."""


def compared_html(answer: Compared) -> str:
    """Return a comparison as HTML: the tables, the curves of the first definition that differ, and the others folded.

    Definitions with the same two curves share a drawing.
    """
    laws, *others = list(sheets(answer))
    orders, proofs = (others[:1], others[1:]) if answer.definitions else ([], others)
    drawings = []
    for pair, found in different_curves(answer):
        names = " = ".join(one.definition for one in found)
        title = f"By {names}: {order_words(found[0])}"
        drawings.append((title, figure(curves_plot(answer, pair).drawing, f"{title}.")))
    left_out = len(drawings) - 1 - MOST_FOLDED
    more = f"{left_out} more drawings are left out here: answer.plot(definition) draws each."
    return box(
        table(laws),
        *map(table, orders),
        *(drawn for _, drawn in drawings[:1]),
        *(fold(title, drawn) for title, drawn in drawings[1 : 1 + MOST_FOLDED]),
        note(more) if left_out > 0 else "",
        *(fold(proof.title, table(proof)) for proof in proofs),
    )
