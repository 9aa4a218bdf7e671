"""Answers of the verifier as a notebook shows them: verdicts, passports, losses and profiles."""

from __future__ import annotations

import html
from collections.abc import Sequence

from verifier.course.prose import inline, mathml
from verifier.course.shown import Shown
from verifier.definitions import Definition, Verdict, find
from verifier.engine import Engine
from verifier.losses import loss as find_losses
from verifier.model import NOTHING, Model, subject_of
from verifier.profile import Profile
from verifier.questions import check
from verifier.report.markup import table
from verifier.report.plots import loss_plot, profile_plot
from verifier.report.witnesses import exact_and_decimal, witness_words
from verifier.report.words import convention_lines, loss_sheets, passport_sheet

MARKS = {"holds": "✓", "fails": "✗", "vacuous": "○", "undecided": "?", "unsupported": "–"}


def badge(word: str) -> str:
    """A verdict as its word with its mark."""
    return f"<span class='pk-badge {word}'><span aria-hidden='true'>{MARKS[word]} </span>{word}</span>"


def verdict(answer: Verdict, *, witness: bool = True, conventions: bool = True) -> Shown:
    """One answer: verdict, tightest ε and δ, the witness in words, and the conventions folded.

    >>> import verifier as pk
    >>> coin = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    >>> verdict(pk.check(coin, "np", epsilon="ln(2)"))
    np fails at ε = ln(2), δ = 0; smallest δ 1; smallest ε inf
    """
    definition = find(answer.definition)
    asked = "for some finite ε" if answer.epsilon is None else f"at ε = {answer.epsilon}"
    lines = [
        f"{badge(answer.verdict)} <b>{definition.title}</b> {html.escape(asked)}, δ = {html.escape(str(answer.delta))}"
    ]
    if answer.reason:
        lines.append(inline(answer.reason))
    found = []
    if answer.tight_delta is not None and answer.epsilon is not None:
        found.append(f"smallest δ at this ε: <b class='n'>{html.escape(exact_and_decimal(answer.tight_delta))}</b>")
    if answer.tight_epsilon is not None:
        smallest = exact_and_decimal(answer.tight_epsilon).replace("inf", "∞")
        found.append(f"smallest ε at this δ: <b class='n'>{html.escape(smallest)}</b>")
    lines += [" · ".join(found)] if found else []
    if witness and answer.witness is not None:
        lines.append(inline(witness_words(answer.witness)))
    body = "".join(f"<p>{line}</p>" for line in lines)
    if conventions:
        items = "".join(f"<li>{html.escape(one)}</li>" for one in convention_lines(answer.definition))
        body += f"<details><summary>Conventions</summary><ul>{items}</ul></details>"
    return Shown(f"<section class='pk-verdict {answer.verdict}'>{body}</section>", str(answer))


def passport(
    model: Model,
    *definitions: str | Definition,
    epsilon: object = None,
    delta: object = 0,
    engine: Engine | None = None,
) -> Shown:
    """The named definitions on one model: verdicts and tightest parameters, at ε and δ or "for some finite ε"."""
    engine = engine or Engine(model)
    names = definitions or ("dp", "np", "cdp")
    answers = [check(model, one, epsilon=epsilon, delta=delta, engine=engine) for one in names]
    sheet = passport_sheet(model, answers)
    page = table(model.title, sheet.columns, sheet.rows, sheet.notes)
    return Shown(page, "\n".join(str(answer) for answer in answers))


def losses(model: Model, *, record: int | None = None, values: tuple[object, object] | None = None) -> Shown:
    """The exact loss of every output for each thing that the attacker may know."""
    found = find_losses(model, record=record, values=values)
    return Shown("".join(sheet.html() for sheet in loss_sheets(found)), repr(found))


def profile(*answers: Verdict, names: Sequence[str] = ()) -> Shown:
    """The privacy profiles δ(ε) of some answers in one drawing; `names` where the definitions' keys will not do."""
    called = names or [answer.definition for answer in answers]
    curves = [
        (name, answer.profile)
        for name, answer in zip(called, answers, strict=True)
        if answer.has_profile and isinstance(answer.profile, Profile)
    ]
    if not curves:
        return Shown("<p class='pk-soft'>There is no profile to draw: nothing is compared.</p>", "no profile")
    drawing = profile_plot(curves)
    return Shown(f"<figure class='pk-plot'>{drawing}</figure>", f"profile of {', '.join(name for name, _ in curves)}")


def loss_picture(
    model: Model, *, record: int | None = None, values: tuple[object, object] | None = None, known: int = 0
) -> Shown:
    """The distribution of the loss under D(i) = a, for one thing that the attacker may know."""
    found = find_losses(model, record=record, values=values)
    compared = [one for one in found.knowledge if one.rows]
    if known >= len(compared):
        return Shown("<p class='pk-soft'>Nothing is compared here.</p>", "nothing is compared")
    one = compared[known]
    which = "nothing is known" if one.knowledge == NOTHING else f"given B = {one.knowledge}"
    bars = [(row.loss.ratio, row.probability_a) for row in one.rows if row.probability_a]
    subject = f"{subject_of(found.record)} = {found.a} against {found.b}"
    return Shown(f"<figure class='pk-plot'>{loss_plot(bars, subject, which)}</figure>", f"losses of {subject}, {which}")


def formula(tex: str) -> Shown:
    """A formula on a line of its own."""
    return Shown(f"<div class='pk-formula'>{mathml(tex, block=True)}</div>", tex)
