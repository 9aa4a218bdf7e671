"""What an attacker gains, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.definitions.gain import Gain, Posterior
from verifier.model import NOTHING, Model, subject_of
from verifier.numbers import DIGITS, exact_text
from verifier.show.bars import belief_drawing, short
from verifier.show.display import MOST_ROWS, box, figure, items
from verifier.show.sheet import Sheet, amount
from verifier.show.witnesses import knowledge_text
from verifier.tables import Label

FEW = 6
"""Digits of decimals where a table has many columns."""
GUESSES = "How often the attacker guesses right, and tells two values apart"


def gain_sheets(gains: Sequence[Gain], model: Model, digits: int = DIGITS, most: int | None = MOST_ROWS) -> list[Sheet]:
    """Return a table with a row for each θ and record, and one of the beliefs after each output for each of them.

    `most` is how many outputs a table of beliefs has; None stands for all.
    """
    notes = (
        "leakage: ln of right with the output over right without it, in nats.",
        "advantage, TPR: of the two values, and of what is known, that the output tells apart best.",
    )
    if len(gains) == 1:
        first = Sheet(GUESSES, (f"about {subject_of(gains[0].record)}", ""), tuple(_numbers(gains[0], digits)), notes)
    else:
        heads = ("distribution", "record", *(name for gain in gains[:1] for name, _ in _numbers(gain, FEW)))
        rows = ((gain.distribution, _who(gain), *(value for _, value in _numbers(gain, FEW))) for gain in gains)
        first = Sheet(GUESSES, heads, tuple(rows), notes)
    named = [gain for gain in gains if gain.posteriors]
    return [first, *(_beliefs(gain, model, digits, most) for gain in named)]


def _numbers(gain: Gain, digits: int) -> list[tuple[str, str]]:
    """The numbers of one gain, by their names."""
    return [
        ("right without the output", amount(gain.prior_success, digits)),
        ("right with it", amount(gain.success, digits)),
        ("leakage", amount(gain.min_entropy_leakage, digits)),
        ("advantage", amount(gain.advantage, digits)),
        *((f"TPR at FPR {exact_text(rate)}", amount(tpr, digits)) for rate, tpr in gain.true_positive_rates.items()),
    ]


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
    return f"{short(posterior.prior[value])} → {short(posterior.posterior[value])}"


def gain_html(gain: Gain) -> str:
    """Return what an attacker gains about one record as HTML: the drawing of beliefs, and the numbers."""
    drawing = belief_drawing(gain)
    title = f"What the output tells about {subject_of(gain.record)}"
    return box(items(title, _numbers(gain, DIGITS)), figure(drawing) if drawing else "")
