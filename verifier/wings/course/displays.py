"""Answers of the verifier as a notebook shows them: verdicts, overviews, losses, profiles, a model as one table."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from fractions import Fraction
from inspect import getsource
from itertools import product
from textwrap import dedent
from typing import Any

from verifier.definitions import Verdict, find
from verifier.definitions.verdict import Witness
from verifier.model import NOTHING, Database, Model, database_text
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers import exact_text
from verifier.questions.losses import loss as find_losses
from verifier.show.answers import convention_lines, loss_sheets
from verifier.show.display import figure
from verifier.show.drawings import Bound, profile_drawing
from verifier.show.notebook import is_drawn, loss_figure
from verifier.show.sheet import NOT_TESTED, SIGNS, Sheet, table
from verifier.show.witnesses import witness_words
from verifier.wings.course.fragment import FIGURES, Fragment, said
from verifier.wings.course.prose import inline, mathml


def badge(word: str) -> str:
    """Return the HTML of a verdict: its word with its mark."""
    return f"<span class='pk-badge {word}'><span aria-hidden='true'>{SIGNS[word].mark} </span>{word}</span>"


def verdict(answer: Verdict, *, witness: bool = True, conventions: bool = True) -> Fragment:
    """Show one answer: verdict, tightest ε and δ, the witness in words, and the conventions folded.

    >>> import verifier as pk
    >>> coin = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    >>> verdict(pk.check(coin, "np", epsilon="ln(2)"), witness=False, conventions=False)
    ✗ fails noiseless privacy at ε = ln(2), δ = 0 smallest δ at this ε: 1 · smallest ε at this δ: ∞
    """
    definition = find(answer.definition)
    asked_at = "for some finite ε" if answer.epsilon is None else f"at ε = {answer.epsilon}"
    question = f"{html.escape(asked_at.replace('inf', '∞'))}, δ = {html.escape(exact_text(answer.delta))}"
    lines = [f"{badge(answer.verdict)} <b>{html.escape(definition.title)}</b> {question}"]
    if answer.reason:
        lines.append(inline(answer.reason))
    tightest = []
    tested = answer.verdict != "vacuous"
    if not tested:
        lines.append(inline(NOT_TESTED))
    if tested and answer.tight_delta is not None and answer.epsilon is not None:
        smallest = said(answer.tight_delta)
        tightest.append(f"smallest δ at this ε: <b class='n'>{html.escape(smallest)}</b>")
    if tested and answer.tight_epsilon is not None:
        smallest = said(answer.tight_epsilon)
        tightest.append(f"smallest ε at this δ: <b class='n'>{html.escape(smallest)}</b>")
    lines += [" · ".join(tightest)] if tightest else []
    if witness and answer.witness is not None:
        lines.append(inline(_witness(answer, answer.witness)))
    body = "".join(f"<p>{line}</p>" for line in lines)
    if conventions:
        items = "".join(f"<li>{inline(line)}</li>" for line in convention_lines(answer.definition))
        body += f"<details><summary>Conventions</summary><ul>{items}</ul></details>"
    return Fragment(f"<section class='pk-verdict {answer.verdict}'>{body}</section>")


def _witness(answer: Verdict, witness: Witness) -> str:
    """Return the witness in words; the only distribution of a model need not be named."""
    said = witness_words(witness, model=answer.model, definition=answer.definition, asked=answer.epsilon)
    words = said.replace("e^ε", "$e^ε$")
    alone = f'In "{witness.distribution}", '
    if len(answer.model.thetas) > 1 or not words.startswith(alone):
        return words
    sentence = words.removeprefix(alone)
    return sentence[:1].upper() + sentence[1:]


def losses(model: Model, *, record: int | None = None, values: tuple[object, object] | None = None) -> Fragment:
    """Show the exact privacy loss of every output (in nats) for each value of the attacker's knowledge."""
    table_of_losses = find_losses(model, record=record, values=values)
    several = len(model.thetas) > 1
    pages = []
    for known_case, sheet in zip(table_of_losses.knowledge, loss_sheets(table_of_losses, digits=FIGURES), strict=True):
        knowledge_words = (
            "The attacker knows nothing"
            if known_case.knowledge == NOTHING
            else f"The attacker knows B = {known_case.knowledge}"
        )
        chance = "" if known_case.probability == 1 else f" (probability {said(known_case.probability)})"
        where = f'In "{known_case.distribution}": ' if several else ""
        pages.append(_sheet(f"{where}{knowledge_words}{chance}", sheet))
    return Fragment("".join(pages))


def _sheet(title: str, sheet: Sheet) -> str:
    """Return a table that scrolls in its own box, with ∞ for inf; on a page of many its region needs no name."""
    rows = [[cell.replace("inf", "∞") if cell in {"inf", "-inf"} else cell for cell in row] for row in sheet.rows]
    page = table(title, [name.replace("inf", "∞") for name in sheet.columns], rows, sheet.notes)
    return page.replace("role='region'", "role='group'")


def profile(*answers: Verdict, names: Sequence[str] = (), at: object = None) -> Fragment:
    """Draw the privacy profiles δ(ε) of some answers together; `at` marks one ε.

    `names` stand in the legend, where the definitions' keys will not do. Equal curves are drawn once, with all names.
    """
    called = names or [answer.definition for answer in answers]
    curves = [(name, answer.profile) for name, answer in zip(called, answers, strict=True) if is_drawn(answer)]
    if not curves:
        return Fragment(f"<p class='pk-soft'>There is no profile to draw. {NOT_TESTED}</p>")
    marked = None if at is None else Bound(read_epsilon(at), None, f"ε = {at} is marked.")
    return Fragment(figure(profile_drawing(curves, marked)))


def loss_picture(model: Model, *, record: int | None = None, values: tuple[object, object] | None = None) -> Fragment:
    """Draw the law of the privacy loss under D(i) = a, a lane for each value of the attacker's knowledge."""
    drawing = loss_figure(find_losses(model, record=record, values=values))
    return Fragment(drawing or f"<p class='pk-soft'>{NOT_TESTED}</p>")


def grid(
    columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "", notes: Sequence[str] = ()
) -> Fragment:
    """Show a table of results, each as `said` writes it; notes stand below.

    >>> from fractions import Fraction
    >>> grid(["n", "δ"], [[2, Fraction(1, 2)], [3, Fraction(1, 3)]], notes=["At ε = 0."])
    n δ 2 1/2 (0.5) 3 1/3 (0.333333) At ε = 0.
    """
    texts = [[said(cell) for cell in row] for row in rows]
    return Fragment(table(title, list(columns), texts, notes).replace("role='region'", "role='group'"))


def formula(tex: str) -> Fragment:
    """Show a formula on a line of its own."""
    return Fragment(f"<div class='pk-formula'>{mathml(tex, block=True)}</div>")


def source(text: str) -> Fragment:
    """Show a text as it stands in a file, to be copied: a model file, a certificate, LaTeX.

    >>> source("size = 2")
    size = 2
    """
    return Fragment(f"<pre class='pk-file' tabindex='0'>{html.escape(text.strip())}</pre>")


def listing(*functions: Callable[..., Any]) -> Fragment:
    """Show the Python text of functions, for readers who see the page without its code."""
    return source("\n\n".join(dedent(getsource(function)).strip() for function in functions))


def least(answer: Verdict) -> str:
    """Say the smallest ε of an answer in words: a number, "none is enough", or "nothing is compared".

    >>> import verifier as pk
    >>> coin = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    >>> least(pk.check(coin, "np"))
    'none is enough'
    """
    if answer.verdict == "vacuous":
        return "nothing is compared"
    epsilon = answer.tight_epsilon
    if epsilon is None:
        return answer.verdict
    if str(epsilon) == "inf":
        return "none is enough"
    return said(epsilon)


def model_table(model: Model, title: str = "") -> Fragment:
    """Show a small model as one table: each database, how it is drawn (and with what knowledge), and its output.

    >>> import verifier as pk
    >>> model_table(pk.search(satisfies="np(0)", violates="cdp").model)
    database drawn with probability published [0, 0] 1/2 (0.5) u [0, 1] never drawn u [1, 0] never drawn v [1, 1] ...
    """
    theta = model.thetas[0].shape
    cases_of: dict[Database, list[tuple[str, Fraction]]] = {}
    for world in theta.worlds():
        knowledge = "" if world.knowledge is None else str(world.knowledge)
        cases_of.setdefault(world.database, []).append((knowledge, Fraction(world.weight, theta.denominator)))
    has_knowledge = any(knowledge for cases in cases_of.values() for knowledge, _ in cases)
    rows = []
    for database in product(range(len(model.values)), repeat=model.size):
        law = model.mechanism.law(database)
        outputs = [(str(o), p) for o, p in law.chances()]
        said = outputs[0][0] if len(outputs) == 1 else ", ".join(f"{o}: {exact_text(p)}" for o, p in outputs)
        for knowledge, p in cases_of.get(database, [("", Fraction(0))]):
            rows.append(
                [
                    database_text(database, model.values),
                    *([knowledge] if has_knowledge else []),
                    p or "never drawn",
                    said,
                ]
            )
    columns = ["database", *(["known"] if has_knowledge else []), "drawn with probability", "published"]
    return grid(columns, rows, title=title)
