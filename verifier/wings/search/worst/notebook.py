"""Best and worst mechanisms in a notebook: the mechanism, with its probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.model import database_text
from verifier.show.bars import bars_drawing
from verifier.show.display import box, figure, fold, note, table
from verifier.show.notebook import model_html
from verifier.wings.search.sheets import best_sheet, price_sheet, worst_sheet
from verifier.wings.search.worst.drawings import best_drawing, price_drawing

if TYPE_CHECKING:
    from verifier.wings.search.worst.best import Best
    from verifier.wings.search.worst.decide import Worst

MOST_BARS = 16
"""Largest number of probabilities of a mechanism that are drawn."""
MOST_FOLDED = 8
"""Largest number of mechanisms of a price of privacy that are folded away below its curve."""


def best_html(answer: Best) -> str:
    """The HTML of a best mechanism: the optimum in words, the mechanism as a table and as bars, and its model."""
    parts = [note(str(answer)), table(best_sheet(answer)), figure(best_drawing(answer))]
    if answer.found is not None:
        parts.append(fold("the model with this mechanism", model_html(answer.found)))
    return box(*parts)


def prices_html(answers: Sequence[Best]) -> str:
    """The HTML of the price of privacy: the least loss against ε drawn and as a table, each mechanism folded away."""
    folded = [fold(f"the mechanism at ε = {one.epsilon.text(24)}", best_html(one)) for one in answers[:MOST_FOLDED]]
    left_out = len(answers) - MOST_FOLDED
    more = [note(f"{left_out:,} more of these mechanisms left out here.")] if left_out > 0 else []
    return box(figure(price_drawing(answers)), table(price_sheet(answers)), *folded, *more)


def worst_html(answer: Worst) -> str:
    """The HTML of a worst mechanism: the optimum in words, the mechanism as bars and as a table, and its model."""
    bars = [
        (f"P[{label} | {database_text(database, answer.model.values)}]", Fraction(chance))
        for database, law in answer.mechanism.items()
        for label, chance in zip(answer.labels, law, strict=True)
    ]
    parts = [note(str(answer)), table(worst_sheet(answer))]
    if bars:
        left_out = len(bars) - MOST_BARS
        more = f"{left_out:,} more probabilities are left out here." if left_out > 0 else ""
        parts.append(figure(bars_drawing("The worst mechanism, output by output.", bars[:MOST_BARS]), more))
    if answer.found is not None:
        parts.append(fold("the model with this mechanism", model_html(answer.found)))
    return box(*parts)
