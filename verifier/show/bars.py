"""Drawings of probabilities as bars: laws of privacy losses, and any list of probabilities.

Floats place ink and decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verifier.errors import printable
from verifier.model import subject_of
from verifier.numbers import DIGITS, exact_text
from verifier.questions.losses import KnowledgeLoss, LossTable, OutputLoss
from verifier.show.frame import (
    LEFT,
    LETTER,
    RIGHT,
    TOP,
    WIDTH,
    Drawing,
    Frame,
    Mark,
    cut_name,
    exactly,
    ln,
    near,
    rule,
    ticks,
    top_of,
    word,
)
from verifier.show.plots import ACTIVE, PASSIVE, stroke_of
from verifier.show.witnesses import knowledge_title
from verifier.tables import collected

LANE, GAP = 74.0, 36.0
MOST_LABELS, LONGEST, MOST_OUTPUTS = 8, 14, 6
BAR, NAMES, LONGEST_BAR = 22.0, 196.0, 28


def loss_subject(table: LossTable) -> str:
    """Return the two values of a record, or of S, whose laws are compared, in words."""
    subject = subject_of(table.record)
    return f"{subject} = {table.a} against {subject} = {table.b}"


def loss_drawing(table: LossTable, most: int) -> Drawing | None:
    """Draw the law of the privacy loss ln(P/Q) (nats) under P; ∞ stands apart.

    It has a lane for each of the first knowledge values, at `most` so many; it is None where nothing is compared.
    """
    lanes = [known for known in table.knowledge if known.rows][:most]
    if not lanes:
        return None
    titles = [knowledge_title(known, several=len(table.model.thetas) > 1) for known in lanes]
    subject = loss_subject(table)
    ratios = [row.loss.ratio for lane in lanes for row in lane.rows if row.probability_a]
    losses = [ln(ratio) for ratio in ratios if ratio]
    reach = max([1.0, *(abs(loss) for loss in losses)]) * 1.08
    certain = None in ratios
    frame = Frame(-reach if min([0.0, *losses]) < 0 else -0.12 * reach, reach * (1.5 if certain else 1.0), height=LANE)
    beyond = reach * 1.34
    marks, sentences = [], []
    for number, (lane, title) in enumerate(zip(lanes, titles, strict=True)):
        lift = number * (LANE + GAP) + 14.0
        ground, masses = frame.bottom + lift, _masses(lane)
        marks.append(word(LEFT, TOP + lift - 8.0, cut_name(title), kind="v"))
        marks.append(rule(f"M{LEFT:.0f},{ground:.1f}H{WIDTH - RIGHT:.0f}", kind="ax"))
        marks.append(rule(f"M{frame.x(0.0):.1f},{ground:.1f}v-{LANE:.0f}"))
        for ratio, rows in masses.items():
            mass, stroke = _mass(rows), stroke_of(ACTIVE if ratio is None else PASSIVE)
            x = frame.x(beyond if ratio is None else ln(ratio))
            height = float(mass) * (LANE - 18.0)
            bar = f"d='M{x:.1f},{ground:.1f}v-{max(height, 0.8):.1f}'"
            look = f"fill='none' stroke='{stroke.colour}' stroke-width='6'"
            marks.append(Mark("path", f"bar {stroke.tone}", bar, look, _bar_words(rows)))
            if len(masses) <= MOST_LABELS:
                text = exact_text(mass) if len(exact_text(mass)) <= LONGEST else near(mass)
                right = min(x + len(text) * LETTER / 2, WIDTH - 2.0)
                marks.append(word(right, ground - height - 4.0, text, anchor="end"))
        listed = ", ".join(
            f"{_loss(ratio)} with probability {near(_mass(rows))}" for ratio, rows in list(masses.items())[:8]
        )
        sentences.append(f"{title}: loss {listed or 'of nothing'}")
    floor = frame.bottom + (len(lanes) - 1) * (LANE + GAP) + 14.0
    for tick, text in ticks(frame.low, reach):
        marks.append(rule(f"M{frame.x(tick):.1f},{floor:.1f}v4", kind="ax"))
        marks.append(word(frame.x(tick), floor + 17.0, text, anchor="middle"))
    if certain:
        marks.append(word(frame.x(beyond), floor + 17.0, "∞", anchor="middle"))
    marks.append(word((LEFT + WIDTH - RIGHT) / 2, floor + 34.0, "privacy loss ln(P/Q) (nats)", anchor="middle"))
    return Drawing(
        "loss",
        f"The privacy loss of {subject}, one lane for each knowledge value: a bar at each loss, as high as its "
        "probability; ∞ stands apart.",
        floor + 42.0,
        f"Privacy loss of {subject}",
        "; ".join(sentences) + ".",
        marks,
    )


def bars_drawing(title: str, bars: Sequence[tuple[str, Fraction]]) -> Drawing:
    """Draw probabilities as bars below each other, each with its name and its exact value."""
    top = top_of([value for _, value in bars])
    across = WIDTH - NAMES - 110.0
    marks = []
    for number, (name, value) in enumerate(bars):
        y = TOP + BAR * number
        label = name if len(name) <= LONGEST_BAR else f"{name[: LONGEST_BAR - 1]}…"
        text = exact_text(value) if len(exact_text(value)) <= LONGEST else near(value)
        length = max(float(value / top) * across, 0.8) if value else 0.0
        position = f"x='{NAMES:.0f}' y='{y:.1f}' width='{length:.1f}' height='14'"
        marks.append(word(NAMES - 8.0, y + 11.0, printable(label), anchor="end"))
        look = f"fill='{PASSIVE.colour}'"
        marks.append(Mark("rect", "m passive", position, look, f"{name}: {exactly(value)}"))
        marks.append(word(NAMES + length + 6.0, y + 11.0, text, kind="v"))
    description = "; ".join(f"{name}: {exact_text(value, 24)}" for name, value in bars)
    return Drawing("bars", title, TOP + BAR * len(bars) + 4.0, title, f"{description}.", marks)


def _masses(lane: KnowledgeLoss) -> dict[Fraction | None, list[OutputLoss]]:
    """Return the rows of each ratio P/Q (None: Q = 0), without outputs that P cannot produce."""
    rows = collected((row.loss.ratio, row) for row in lane.rows if row.probability_a)
    return dict(sorted(rows.items(), key=lambda pair: (pair[0] is None, pair[0] or Fraction(0))))


def _mass(rows: Sequence[OutputLoss]) -> Fraction:
    return sum((row.probability_a for row in rows), Fraction(0))


def _bar_words(rows: Sequence[OutputLoss]) -> str:
    """Return the tooltip of a bar: the loss, its probability, and the outputs with this loss."""
    outputs = ", ".join(cut_name(row.output.text) for row in rows[:MOST_OUTPUTS])
    more = f" and {len(rows) - MOST_OUTPUTS} more" if len(rows) > MOST_OUTPUTS else ""
    loss = exactly(rows[0].loss).replace("inf", "∞")
    return f"loss {loss} with probability {exactly(_mass(rows))}: output{'s' if len(rows) > 1 else ''} {outputs}{more}"


def _loss(ratio: Fraction | None) -> str:
    if ratio is None:
        return "∞"
    return "0" if ratio == 1 else f"ln({exact_text(ratio, DIGITS)})"
