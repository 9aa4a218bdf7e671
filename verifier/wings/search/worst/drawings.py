"""Drawings of best mechanisms: one as bars, and the price of privacy as the least loss against ε."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from verifier.model import database_text
from verifier.numbers import with_decimal
from verifier.show.bars import bars_drawing
from verifier.show.frame import Drawing, exactly
from verifier.show.lines import Axes, Line, lines_drawing, straight
from verifier.show.plots import PASSIVE, stroke_of

if TYPE_CHECKING:
    from verifier.wings.search.worst.best import Best

MOST_BARS = 24
"""Most probabilities of a mechanism that are drawn."""
PLACES = 60
"""Binary places to which an ε is placed on the axis."""


def best_drawing(answer: Best) -> Drawing:
    """Draw a best mechanism: a bar for each output that comes at all, by the statistic where that is enough."""
    by_value, statistic = answer.by_value, answer.of["kind"]
    laws = (
        [(database_text(database, answer.model.values), law) for database, law in answer.mechanism.items()]
        if by_value is None
        else [(f"{statistic} = {value}", law) for value, law in by_value]
    )
    bars = [
        (f"P[{label} | {given}]", chance)
        for given, law in laws
        for label, chance in zip(answer.labels, law, strict=True)
        if chance
    ]
    left_out = len(bars) - MOST_BARS
    title = f"The mechanism with the least {answer.named}. Outputs of probability 0 have no bar."
    if left_out > 0:
        title += f" {left_out:,} more {'bar is' if left_out == 1 else 'bars are'} left out here; the table has all."
    return bars_drawing(title, bars[:MOST_BARS])


def price_drawing(answers: Sequence[Best]) -> Drawing:
    """Draw the price of privacy: a dot with the least loss at each ε (nats); straight lines join the dots."""
    first = answers[0]
    placed = sorted(((one.epsilon.bracket(PLACES)[0], one) for one in _each_once(answers)), key=itemgetter(0))
    dots = [(at, answer.optimum) for at, answer in placed]
    words = [f"at ε = {exactly(answer.epsilon)} the least loss is {exactly(answer.optimum)}" for _, answer in placed]
    joins: list[list[tuple[Fraction, Fraction]]] = [list(two) for two in pairwise(dots)]
    pieces = [straight(ends, word) for ends, word in zip([*joins, dots[-1:]], words, strict=True)]
    assumed = " and ".join(one.definition for one in first.assuming)
    title = f"The least {first.named} under {assumed}, against ε"
    lowest, highest = (with_decimal(answer.optimum) for answer in (placed[-1][1], placed[0][1]))
    caption = f"The price of privacy: the least loss falls from {highest} to {lowest}. Dots are exact; lines join them."
    line = Line(f"least loss under {assumed}", stroke_of(PASSIVE), pieces)
    return lines_drawing("price", caption, title, Axes(f"ε of {assumed} (nats)", "least loss"), [line])


def _each_once(answers: Sequence[Best]) -> list[Best]:
    """Return the answers without a second one at the same ε."""
    return list({answer.epsilon: answer for answer in answers}.values())
