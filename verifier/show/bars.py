"""Drawings of probabilities as bars: laws of privacy losses, and any list of probabilities.

Floats place ink and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import exp

from verifier.definitions.gain import Gain, Posterior
from verifier.errors import printable
from verifier.model import NOTHING, subject_of
from verifier.numbers import DIGITS, Epsilon, Order, exact_text
from verifier.profile import profile_of
from verifier.questions.losses import KnowledgeLoss, LossTable, OutputLoss
from verifier.show.frame import (
    INK,
    LEFT,
    LETTER,
    RIGHT,
    TOP,
    WIDTH,
    Drawing,
    Frame,
    Mark,
    Place,
    axis_value,
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
from verifier.show.witnesses import knowledge_text, knowledge_title
from verifier.tables import Label, collected

EDGE = 8.0
LANE, GAP = 74.0, 36.0
MOST_LABELS, LONGEST, MOST_OUTPUTS = 8, 14, 6
BAR, NAMES, LONGEST_BAR = 22.0, 196.0, 28
BELIEF, BELIEF_NAMES, BELIEF_NUMBERS = 24.0, 176.0, 168.0
"""Height of a line of a drawing of beliefs, and the width of what stands left and right of its axis."""
MOST_DRAWN = 16
"""Most outputs whose beliefs are drawn."""


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


UP, DOWN = "#dfe1e5", "#ffffff"
"""The fills of the two laws: without a hue, which in a drawing of worlds means an output."""
HALF_HIGH, NAME_ROW = 100.0, 24.0


def mirrored_drawing(rows: Sequence[tuple[str, Fraction, Fraction]], names: tuple[str, str], at: Epsilon) -> Drawing:
    """Draw two laws as bars, one up and one down; hatched is what sticks out above e^ε times the lower one: δ.

    The law that sticks out more is drawn upwards. `rows` are outputs with both probabilities, `names` the two laws.
    """
    curves = [profile_of([row[1 + k] for row in rows], [row[2 - k] for row in rows]) for k in (0, 1)]
    deltas = [curve.delta(at) for curve in curves]
    if deltas[1].order(deltas[0]) is Order.GREATER:
        rows, names, deltas = [(o, q, p) for o, p, q in rows], (names[1], names[0]), deltas[::-1]
    factor = None if at.is_infinite else at.exp if at.exp is not None else Fraction(exp(axis_value(at)))
    highest = max(max(p, q) for _, p, q in rows)
    middle, step = 44.0 + HALF_HIGH, (WIDTH - 2 * EDGE) / len(rows)
    said = f"Up: {cut_name(names[0], 34)}. Down: {cut_name(names[1], 34)}."
    marks = [word(EDGE, 20.0, said, more=" font-weight='600'")]
    events = []
    for number, (output, p, q) in enumerate(rows):
        left, wide = EDGE + step * number + step * 0.12, step * 0.76
        limit = p if factor is None and q else Fraction(0) if factor is None else min(factor * q, p)
        is_over = p > limit
        up, down, under = (float(value / highest) * HALF_HIGH for value in (p, q, limit))
        over = Place(left, middle - up, wide, up - under)
        told = f"{output}: {exactly(p)} up, {exactly(q)} down"
        inside = [
            Mark("rect", "", Place(left, middle - up, wide, up).box, f"fill='{UP}' stroke='{INK}'"),
            Mark("rect", "", Place(left, middle + NAME_ROW, wide, down).box, f"fill='{DOWN}' stroke='{INK}'"),
        ]
        if is_over:
            events.append(output)
            edge = f"fill='{UP}' stroke='{ACTIVE.colour}' stroke-width='2'"
            inside.append(Mark("rect", "", over.box, edge))
            inside.append(
                Mark("path", "", f"d='{over.pattern(1)}'", f"fill='none' stroke='{ACTIVE.colour}' stroke-width='2'")
            )
            if factor is None or at.exp is not None:
                marks.append(word(left + wide / 2, middle - up - 6.0, short(p - limit), anchor="middle"))
        if factor is not None and 0 < factor * q <= highest:
            y = middle - float(factor * q / highest) * HALF_HIGH
            dashed = f"fill='none' stroke='{ACTIVE.colour}' stroke-width='2' stroke-dasharray='5 3'"
            inside.append(Mark("path", "", f"d='M{left - 4.0:.1f} {y:.1f}h{wide + 8.0:.1f}'", dashed))
        marks.append(Mark("g", "", "", tooltip=told, inside=tuple(inside)))
        most = max(1, int(step / LETTER))
        bold = f" font-weight='{700 if is_over else 400}'"
        marks.append(word(left + wide / 2, middle + 16.0, cut_name(output, most), anchor="middle", more=bold))
    foot = middle + NAME_ROW + HALF_HIGH + 22.0
    times = "" if factor is None else " Dashed: e^ε times the lower bar."
    summed = f"Hatched, in all: δ = {deltas[0].text(24)} at ε = {at.text(24)}."
    marks += [
        word(EDGE, foot + 18.0 * k, line, more=" font-weight='600'")
        for k, line in enumerate((summed, times.strip()))
        if line
    ]
    words = f"The event: {', '.join(map(cut_name, events)) or 'none'}."
    listed = "; ".join(f"{o}: {exact_text(p, 24)} and {exact_text(q, 24)}" for o, p, q in rows)
    caption = f"Two laws, bar by bar; what is hatched is δ. {words}"
    return Drawing(
        "bars", caption, foot + 26.0, "Two laws as bars", f"{said} {summed} {words} {listed}.", marks, painted=True
    )


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


def short(value: Fraction) -> str:
    """Return a probability as a short text: exact where that is short."""
    text = exact_text(value)
    return text if len(text) <= 11 else near(value)


def belief_drawing(gain: Gain) -> Drawing | None:
    """Draw an arrow from the prior to the posterior for each output, of the value whose probability moves most.

    It is None where the posteriors were left out, or nothing can be seen.
    """
    seen = (gain.posteriors or ())[:MOST_DRAWN]
    if not seen:
        return None
    subject = subject_of(gain.record)
    title = f"Belief about {subject}, without the output and with it"
    bottom = TOP + BELIEF * len(seen)
    marks: list[Mark] = []
    for tick in (Fraction(0), Fraction(1, 2), Fraction(1)):
        marks.append(rule(f"M{_belief_x(tick):.1f} {TOP:.1f}V{bottom:.1f}"))
        marks.append(word(_belief_x(tick), bottom + 16.0, exact_text(tick), anchor="middle"))
    marks += [
        mark for number, posterior in enumerate(seen) for mark in _arrow(posterior, TOP + BELIEF * (number + 0.5))
    ]
    left_out = len(gain.posteriors or ()) - len(seen)
    if left_out:
        marks.append(word(BELIEF_NAMES, bottom + 34.0, f"… and {left_out:,} more outputs"))
    words = "; ".join(
        f"{_seen_name(one)}: {value.text} from {short(one.prior[value])} to {short(one.posterior[value])}"
        for one in seen
        for value in [_most_moved(one)]
    )
    return Drawing("beliefs", title, bottom + (44.0 if left_out else 26.0), title, f"{words}.", marks)


def _belief_x(probability: Fraction) -> float:
    return BELIEF_NAMES + float(probability) * (WIDTH - BELIEF_NAMES - BELIEF_NUMBERS)


def _most_moved(posterior: Posterior) -> Label:
    return max(posterior.prior, key=lambda value: posterior.posterior[value] - posterior.prior[value])


def _seen_name(posterior: Posterior) -> str:
    known = "" if posterior.knowledge == NOTHING else f"B = {knowledge_text(posterior.knowledge)}, "
    return f"{known}output {posterior.output.text}"


def _arrow(posterior: Posterior, y: float) -> Iterator[Mark]:
    """Yield the marks of one output: its name, a ring at the prior, a line, a dot at the posterior, and the numbers."""
    value = _most_moved(posterior)
    before, after = posterior.prior[value], posterior.posterior[value]
    told = f"{_seen_name(posterior)}: {value.text} from {exactly(before)} to {exactly(after)}"
    yield word(BELIEF_NAMES - 8.0, y + 4.0, printable(cut_name(_seen_name(posterior))), anchor="end")
    yield rule(f"M{_belief_x(before):.1f} {y:.1f}H{_belief_x(after):.1f}")
    for at, look in ((before, PASSIVE), (after, ACTIVE)):
        position = f"cx='{_belief_x(at):.1f}' cy='{y:.1f}' r='4.5'"
        yield Mark("circle", f"m {look.tone}", position, f"fill='{look.colour}'", told)
    numbers = f"{value.text}: {short(before)} → {short(after)}"
    yield word(WIDTH - BELIEF_NUMBERS + 12.0, y + 4.0, printable(cut_name(numbers)), kind="v")
