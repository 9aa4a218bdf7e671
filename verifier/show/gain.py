"""What an attacker gains, as tables, and a drawing of beliefs: from the prior to the posterior of each output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from verifier.definitions.gain import Gain, Posterior
from verifier.errors import printable
from verifier.model import NOTHING, Model, subject_of
from verifier.numbers import DIGITS, exact_text
from verifier.show.display import MOST_ROWS, box, figure, table
from verifier.show.frame import TOP, WIDTH, Drawing, Mark, cut_name, exactly, near, rule, word
from verifier.show.plots import ACTIVE, PASSIVE
from verifier.show.sheet import Sheet, amount
from verifier.show.witnesses import knowledge_text
from verifier.tables import Label

LINE, NAMES, NUMBERS = 24.0, 176.0, 168.0
"""Height of a line of the drawing, and the width of what stands left and right of its axis."""
MOST_DRAWN = 16
"""Most outputs that are drawn."""
GUESSES = "How often the attacker guesses right, and tells two values apart"


def gain_sheets(gains: Sequence[Gain], model: Model, digits: int = DIGITS, most: int | None = MOST_ROWS) -> list[Sheet]:
    """Return a table with a row for each θ and record, and one of the beliefs after each output for each of them.

    `most` is how many outputs a table of beliefs has; None stands for all.
    """
    rates = list(dict.fromkeys(rate for gain in gains for rate in gain.true_positive_rates))
    heads = (
        "distribution",
        "record",
        "right without the output",
        "right with it",
        "leakage",
        "advantage",
        *(f"TPR at FPR {exact_text(rate)}" for rate in rates),
    )
    rows = tuple(
        (
            gain.distribution,
            _who(gain),
            amount(gain.prior_success, digits),
            amount(gain.success, digits),
            amount(gain.min_entropy_leakage, digits),
            amount(gain.advantage, digits),
            *(amount(gain.true_positive_rates[rate], digits) for rate in rates),
        )
        for gain in gains
    )
    notes = (
        "leakage: ln of right with the output over right without it, in nats.",
        "advantage, TPR: of the two values, and of what is known, that the output tells apart best.",
    )
    named = [gain for gain in gains if gain.posteriors]
    return [Sheet(GUESSES, heads, rows, notes), *(_beliefs(gain, model, digits, most) for gain in named)]


def _who(gain: Gain) -> str:
    alike = f" and {gain.members - 1:,} like it" if gain.members > 1 else ""
    return "–" if gain.record is None else f"{gain.record}{alike}"


def _beliefs(gain: Gain, model: Model, digits: int, most: int | None) -> Sheet:
    """Return the table of the beliefs after each output; what is known has a column only where something is known."""
    seen = gain.posteriors or ()
    values = list(dict.fromkeys(value for posterior in seen for value in posterior.prior))
    is_known = any(posterior.knowledge != NOTHING for posterior in seen)
    subject = subject_of(gain.record)
    heads = (*(["known"] if is_known else []), "output", "probability", *(f"{subject} = {value}" for value in values))
    rows = tuple(
        (
            *([knowledge_text(posterior.knowledge)] if is_known else []),
            posterior.output.text,
            amount(posterior.probability, digits),
            *(_moved(posterior, value) for value in values),
        )
        for posterior in seen[:most]
    )
    left = len(seen) - len(rows)
    notes = (f"… and {left:,} more outputs (--json has all).",) if left else ()
    title = f"Belief about {subject}, without the output → with it"
    keys = (("distribution", gain.distribution),) if len(model.thetas) > 1 else ()
    return Sheet(title, heads, rows, notes, keys)


def _moved(posterior: Posterior, value: Label) -> str:
    if value not in posterior.prior:
        return "excluded"
    return f"{_short(posterior.prior[value])} → {_short(posterior.posterior[value])}"


def _short(value: Fraction) -> str:
    text = exact_text(value)
    return text if len(text) <= 11 else near(value)


def gain_html(gain: Gain) -> str:
    """Return what an attacker gains about one record as HTML: the drawing of beliefs, and the numbers."""
    drawing = belief_drawing(gain)
    numbers = [
        ("right without the output", amount(gain.prior_success)),
        ("right with it", amount(gain.success)),
        ("leakage (nats)", amount(gain.min_entropy_leakage)),
        ("advantage", amount(gain.advantage)),
        *((f"TPR at FPR {exact_text(rate)}", amount(found)) for rate, found in gain.true_positive_rates.items()),
    ]
    title = f"What the output tells about {subject_of(gain.record)}"
    return box(figure(drawing) if drawing else "", table(Sheet(title, ("", ""), tuple(numbers))))


def belief_drawing(gain: Gain) -> Drawing | None:
    """Draw an arrow from the prior to the posterior for each output, of the value whose probability moves most.

    It is None where the posteriors were left out, or nothing can be seen.
    """
    seen = (gain.posteriors or ())[:MOST_DRAWN]
    if not seen:
        return None
    subject = subject_of(gain.record)
    title = f"Belief about {subject}, without the output and with it"
    bottom = TOP + LINE * len(seen)
    marks = [mark for number, posterior in enumerate(seen) for mark in _arrow(posterior, TOP + LINE * (number + 0.5))]
    for tick in (Fraction(0), Fraction(1, 2), Fraction(1)):
        marks.append(rule(f"M{_at(tick):.1f} {TOP:.1f}V{bottom:.1f}"))
        marks.append(word(_at(tick), bottom + 16.0, exact_text(tick), anchor="middle"))
    left_out = len(gain.posteriors or ()) - len(seen)
    if left_out:
        marks.append(word(NAMES, bottom + 34.0, f"… and {left_out:,} more outputs"))
    words = "; ".join(
        f"{_name(one)}: {value.text} from {_short(one.prior[value])} to {_short(one.posterior[value])}"
        for one in seen
        for value in [_most_moved(one)]
    )
    return Drawing("beliefs", title, bottom + (44.0 if left_out else 26.0), title, f"{words}.", marks)


def _at(probability: Fraction) -> float:
    return NAMES + float(probability) * (WIDTH - NAMES - NUMBERS)


def _most_moved(posterior: Posterior) -> Label:
    return max(posterior.prior, key=lambda value: posterior.posterior[value] - posterior.prior[value])


def _name(posterior: Posterior) -> str:
    known = "" if posterior.knowledge == NOTHING else f"B = {knowledge_text(posterior.knowledge)}, "
    return f"{known}output {posterior.output.text}"


def _arrow(posterior: Posterior, y: float) -> Iterator[Mark]:
    """Yield the marks of one output: its name, a ring at the prior, a line, a dot at the posterior, and the numbers."""
    value = _most_moved(posterior)
    before, after = posterior.prior[value], posterior.posterior[value]
    told = f"{_name(posterior)}: {value.text} from {exactly(before)} to {exactly(after)}"
    yield word(NAMES - 8.0, y + 4.0, printable(cut_name(_name(posterior))), anchor="end")
    yield rule(f"M{_at(before):.1f} {y:.1f}H{_at(after):.1f}")
    for at, look in ((before, PASSIVE), (after, ACTIVE)):
        position = f"cx='{_at(at):.1f}' cy='{y:.1f}' r='4.5'"
        yield Mark("circle", f"m {look.tone}", position, f"fill='{look.colour}'", told)
    numbers = f"{value.text}: {_short(before)} → {_short(after)}"
    yield word(WIDTH - NUMBERS + 12.0, y + 4.0, printable(cut_name(numbers)), kind="v")
