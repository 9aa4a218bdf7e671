"""The displays of models, verdicts, overviews, losses and profiles in a notebook, each with a drawing.

Their classes do not know this file: `verifier.show.on_demand` gives them their `_repr_html_`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from verifier.definitions import Verdict
from verifier.definitions.registry import is_tail
from verifier.definitions.verdict import Overview
from verifier.model import Independent, Model
from verifier.numbers import NO_VALUE, Delta, with_decimal
from verifier.profile import Profile, Steps
from verifier.questions.atlas import AtlasAnswers
from verifier.questions.losses import LossTable
from verifier.questions.normalization import Acceptabilities, Acceptability
from verifier.show.answers import (
    acceptance_sheets,
    convention_lines,
    folded_sheet,
    loss_sheets,
    overview_sheet,
    verdict_sheet,
)
from verifier.show.atlas import atlas_sheets
from verifier.show.bars import bars_drawing, loss_drawing, loss_subject
from verifier.show.display import MOST_ROWS, box, figure, fold, items, listed, note, table
from verifier.show.drawings import Bound, plot, profile_drawing
from verifier.show.facts import MOST, distribution_lines, model_facts, named_world
from verifier.show.on_demand import give_displays
from verifier.show.worlds import shown_worlds

MOST_KNOWN, MOST_THETAS = 6, 3
"""Knowledge values whose losses are drawn, and distributions that are drawn."""
MOST_DRAWN = 2000
"""Most records of a model without a table whose whole profile is computed for its display."""
FIRST = frozenset(("definition", "question", "verdict", "why", "reason", "smallest δ", "smallest ε", "witness", "note"))
"""The items of a verdict that are seen at once; the others are folded away."""


def verdict_html(answer: Verdict) -> str:
    """Return a verdict as HTML: reason, smallest ε and δ, witness and curve; formula and conventions folded away."""
    rows = verdict_sheet(answer).rows
    conventions = convention_lines(answer.definition)
    return box(
        items(answer.model.title, [row for row in rows if row[0] in FIRST]),
        _curve(answer),
        fold("formula, reading, method", items("", [row for row in rows if row[0] not in FIRST])),
        fold("conventions", listed(conventions)) if conventions else "",
    )


def _curve(answer: Verdict) -> str:
    """Return the drawing of a verdict's privacy profile with the question marked; empty where it has no profile."""
    if not is_drawn(answer):
        return (
            note("The model is large, so its curve is not drawn here: answer.profile.plot() draws it.")
            if _is_large(answer)
            else ""
        )
    return figure(profile_drawing([(answer.definition, answer.profile)], bound_of(answer)))


def is_drawn(answer: Verdict) -> bool:
    """Whether the whole privacy profile of a verdict is drawn: it is not vacuous, and the model is not too large."""
    return answer.has_profile and answer.verdict != "vacuous" and not _is_large(answer)


def _is_large(answer: Verdict) -> bool:
    """Whether the whole privacy profile may take long to compute."""
    return answer.has_profile and answer.method != "table" and answer.model.size > MOST_DRAWN


def bound_of(answer: Verdict) -> Bound:
    """Return the ε and δ of a verdict's question with the verdict in words, to mark them in a drawing."""
    at = "for some finite ε" if answer.epsilon is None else f"at ε = {answer.epsilon.text(24)}"
    words = f"Asked: {at}, δ = {with_decimal(answer.delta)}: {answer.definition} {answer.restricted_verdict}."
    smallest = answer.tight_delta if isinstance(answer.tight_delta, Delta) and answer.epsilon is not None else None
    return Bound(answer.epsilon, answer.delta, words, smallest)


def model_html(model: Model) -> str:
    """Return a model in a few lines as HTML, with a drawing of its worlds, or of its distributions as bars."""
    facts = [(name, text) for name, text in model_facts(model) if text not in {"", NO_VALUE}]
    lines = items(model.title, [*facts[:1], *distribution_lines(model), *facts[1:]])
    drawn = shown_worlds(model)
    if drawn is not None:
        return box(lines, figure(drawn))
    return box(lines, *(figure(bars_drawing(title, bars)) for title, bars in chances(model)))


def chances(model: Model) -> list[tuple[str, list[tuple[str, Fraction]]]]:
    """Return for the first three θ the distribution of each record, or of the worlds, titled; large θ are left out.

    >>> from verifier.model import build
    >>> pair = build(size=2, values=[0, 1], mechanism={"kind": "sum"}, distribution={"iid": {0: "2/3", 1: "1/3"}})
    >>> chances(pair)
    [('The distribution of each record under "#1".', [('0', Fraction(2, 3)), ('1', Fraction(1, 3))])]
    """
    laws = []
    for theta in model.thetas[:MOST_THETAS]:
        shape = theta.shape
        if isinstance(shape, Independent) and len(set(shape.laws)) == 1 and len(model.values) <= MOST:
            weights, denominator = shape.laws[0]
            bars = [(v.text, Fraction(w, denominator)) for v, w in zip(model.values, weights, strict=True)]
            laws.append((f'The distribution of each record under "{theta.name}".', bars))
        elif theta.count() <= MOST:
            worlds = [
                (named_world(model, world), Fraction(world.weight, theta.denominator)) for world in theta.worlds()
            ]
            laws.append((f'The possible worlds of "{theta.name}".', worlds))
    return laws


def loss_html(losses: LossTable) -> str:
    """Return the privacy losses (nats) of each knowledge value as HTML: bars and a table."""
    displays = [items(losses.model.title, [("privacy loss of", loss_subject(losses))]), loss_figure(losses)]
    first = sorted(losses.knowledge, key=lambda known: not known.rows)[:MOST_KNOWN]
    short = replace(losses, knowledge=tuple(replace(known, rows=known.rows[:MOST_ROWS]) for known in first))
    for known, sheet in zip(first, loss_sheets(short), strict=True):
        displays.append(table(sheet, rows_in_all=len(known.rows)))
    if len(losses.knowledge) > MOST_KNOWN:
        displays.append(note(f"{len(losses.knowledge) - MOST_KNOWN:,} more knowledge values are left out here."))
    return box(*displays)


def loss_figure(losses: LossTable) -> str:
    """Return the drawing of the privacy losses (nats), a lane for each of the first six knowledge values, as HTML.

    It is empty where nothing is compared.
    """
    drawing = loss_drawing(losses, MOST_KNOWN)
    return figure(drawing) if drawing else ""


def overview_html(answers: Overview) -> str:
    """Return an overview as HTML: a table without equal rows, all curves in one drawing, the full table folded away."""
    if not answers:
        return box(note(repr(answers)))
    model = answers[0].model
    curves = [answer for answer in answers if is_drawn(answer) and not is_tail(answer.definition)]
    missing = [
        answer.definition
        for answer in answers
        if answer not in curves and answer.tight_epsilon is not None and not is_tail(answer.definition)
    ]
    words = f"Without a whole curve: {', '.join(missing)}." if missing else ""
    drawing = ""
    if curves:
        profiles = [(answer.definition, answer.profile) for answer in curves]
        question = replace(bound_of(answers[0]), words="What was asked.", smallest=None)
        drawing = figure(profile_drawing(profiles, question if answers[0].epsilon is not None else None), words)
    folded = folded_sheet(model, answers, alone="the folded table below has every row")
    return box(table(folded), drawing, fold("all definitions", table(overview_sheet(model, answers))))


def atlas_html(answers: AtlasAnswers) -> str:
    """Return the answers about DP22's definitions as HTML: a table for each dimension, the reasons folded away."""
    sheets = atlas_sheets(answers.model, answers.entries)
    notes = list(sheets[-1].notes)
    tables = [table(replace(sheet, notes=())) for sheet in sheets]
    return box(*tables, note(notes[0]), note(notes[1]), fold("what is not decided, and why", listed(notes[2:])))


def profile_html(curve: Profile | Steps) -> str:
    """Return the drawing of a privacy profile or a tail as HTML."""
    return plot(curve)._repr_html_()


def acceptable_html(answers: Acceptabilities) -> str:
    """Return the answers about acceptable normalizations as HTML tables (DMKB20, Definition 8)."""
    return box(*map(table, acceptance_sheets(answers)))


def answer_html(answer: Acceptability) -> str:
    """Return the answer about one distribution and record as HTML tables (DMKB20, Definition 8)."""
    return box(*map(table, acceptance_sheets([answer])))


give_displays()
