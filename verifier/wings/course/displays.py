"""Answers of the verifier as a notebook shows them: verdicts, passports, losses and profiles."""

from __future__ import annotations

import html
from collections.abc import Sequence
from fractions import Fraction

from verifier.definitions import DEFINITIONS, Definition, Verdict, find
from verifier.definitions.compare import comparing, outputs
from verifier.definitions.verdict import Witness, both
from verifier.engine import Engine
from verifier.model import NOTHING, Model, subject_of
from verifier.numbers import Delta, Enclosure, Epsilon, exact_text
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import Profile
from verifier.questions.ask import check
from verifier.questions.losses import loss as find_losses
from verifier.show.markup import table
from verifier.show.sheet import Sheet
from verifier.show.signs import NOT_TESTED, SIGNS
from verifier.show.witnesses import exact_and_decimal, witness_words
from verifier.show.words import convention_lines, loss_sheets, passport_sheet
from verifier.wings.course.plots import legend, loss_drawing, profile_drawing
from verifier.wings.course.prose import inline, mathml
from verifier.wings.course.shown import Shown
from verifier.wings.course.typed import amount

DIGITS = 6
"""Digits of the decimals beside the exact values; they are correctly rounded."""


def badge(word: str) -> str:
    """A verdict as its word with its mark."""
    return f"<span class='pk-badge {word}'><span aria-hidden='true'>{SIGNS[word].mark} </span>{word}</span>"


def verdict(answer: Verdict, *, witness: bool = True, conventions: bool = True) -> Shown:
    """One answer: verdict, tightest ε and δ, the witness in words, and the conventions folded.

    >>> import verifier as pk
    >>> coin = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    >>> verdict(pk.check(coin, "np", epsilon="ln(2)"))
    np fails at ε = ln(2), δ = 0; smallest δ 1; smallest ε inf
    """
    definition = find(answer.definition)
    asked = "for some finite ε" if answer.epsilon is None else f"at ε = {answer.epsilon}"
    question = f"{html.escape(asked.replace('inf', '∞'))}, δ = {html.escape(exact_text(answer.delta))}"
    lines = [f"{badge(answer.verdict)} <b>{html.escape(definition.title)}</b> {question}"]
    if answer.reason:
        lines.append(inline(answer.reason))
    found = []
    tested = answer.verdict != "vacuous"
    if not tested:
        lines.append(inline(NOT_TESTED))
    if tested and answer.tight_delta is not None and answer.epsilon is not None:
        smallest = exact_and_decimal(answer.tight_delta, digits=DIGITS)
        found.append(f"smallest δ at this ε: <b class='n'>{html.escape(smallest)}</b>")
    if tested and answer.tight_epsilon is not None:
        smallest = exact_and_decimal(answer.tight_epsilon, digits=DIGITS).replace("inf", "∞")
        found.append(f"smallest ε at this δ: <b class='n'>{html.escape(smallest)}</b>")
    lines += [" · ".join(found)] if found else []
    if witness and answer.witness is not None:
        lines.append(inline(_witness(answer, answer.witness)))
    body = "".join(f"<p>{line}</p>" for line in lines)
    if conventions:
        items = "".join(f"<li>{inline(one)}</li>" for one in convention_lines(answer.definition))
        body += f"<details><summary>Conventions</summary><ul>{items}</ul></details>"
    return Shown(f"<section class='pk-verdict {answer.verdict}'>{body}</section>", str(answer))


def _witness(answer: Verdict, found: Witness) -> str:
    """The witness in words; the only distribution of a model need not be named."""
    words = witness_words(found).replace("e^ε", "$e^ε$")
    alone = f'In "{found.distribution}", '
    if len(answer.model.thetas) > 1 or not words.startswith(alone):
        return words
    rest = words.removeprefix(alone)
    return rest[:1].upper() + rest[1:]


def passport(
    model: Model,
    *definitions: str | Definition,
    epsilon: object = None,
    delta: object = 0,
    engine: Engine | None = None,
) -> Shown:
    """The named definitions on one model: verdicts and tightest parameters, at ε and δ or "for some finite ε".

    Without names, dp, np and cdp: the first definition of each kind of comparison of outputs.
    """
    engine = engine or Engine(model)
    asked = definitions or _first_of_each_kind()
    answers = [check(model, one, epsilon=epsilon, delta=delta, engine=engine) for one in asked]
    sheet = passport_sheet(model, answers, digits=DIGITS)
    return Shown(_sheet(model.title, sheet), "\n".join(str(answer) for answer in answers))


def _first_of_each_kind() -> tuple[Definition, ...]:
    firsts: dict[str, Definition] = {}
    for definition in DEFINITIONS.values():
        compared = comparing(definition)
        if compared is not None and compared.view is outputs:
            firsts.setdefault(compared.kind, definition)
    return tuple(firsts.values())


def losses(model: Model, *, record: int | None = None, values: tuple[object, object] | None = None) -> Shown:
    """The exact loss of every output for each thing that the attacker may know."""
    found = find_losses(model, record=record, values=values)
    several = len(model.thetas) > 1
    pages = []
    for one, sheet in zip(found.knowledge, loss_sheets(found, digits=DIGITS), strict=True):
        known = "The attacker knows nothing" if one.knowledge == NOTHING else f"The attacker knows B = {one.knowledge}"
        chance = "" if one.probability == 1 else f" (probability {both(one.probability)})"
        where = f'In "{one.distribution}": ' if several else ""
        pages.append(_sheet(f"{where}{known}{chance}", sheet))
    return Shown("".join(pages), repr(found))


def _sheet(title: str, sheet: Sheet) -> str:
    """A table that scrolls in its own box, with ∞ for inf; its region needs no name of its own on a page of many."""
    rows = [[cell.replace("inf", "∞") if cell in {"inf", "-inf"} else cell for cell in row] for row in sheet.rows]
    page = table(title, [name.replace("inf", "∞") for name in sheet.columns], rows, sheet.notes)
    return page.replace("role='region'", "role='group'")


def profile(*answers: Verdict, names: Sequence[str] = (), at: object = None) -> Shown:
    """The privacy profiles δ(ε) of some answers in one drawing; `at` marks one ε.

    `names` stand in the legend, where the definitions' keys will not do. Equal curves are drawn once, with all names.
    """
    called = names or [answer.definition for answer in answers]
    found: dict[Profile, list[str]] = {}
    for name, answer in zip(called, answers, strict=True):
        if answer.verdict != "vacuous" and answer.has_profile and isinstance(answer.profile, Profile):
            found.setdefault(answer.profile, []).append(name)
    if not found:
        return Shown(f"<p class='pk-soft'>There is no profile to draw. {NOT_TESTED}</p>", "no profile")
    curves = [(" = ".join(same), curve) for curve, same in found.items()]
    drawing = profile_drawing(curves, None if at is None else read_epsilon(at))
    page = f"<figure class='pk-plot'>{drawing}{legend([name for name, _ in curves])}</figure>"
    return Shown(page, f"profile of {', '.join(called)}")


def loss_picture(
    model: Model, *, record: int | None = None, values: tuple[object, object] | None = None, known: int = 0
) -> Shown:
    """The distribution of the loss under D(i) = a, for one thing that the attacker may know."""
    found = find_losses(model, record=record, values=values)
    compared = [one for one in found.knowledge if one.rows]
    if known >= len(compared):
        return Shown(f"<p class='pk-soft'>{NOT_TESTED}</p>", "nothing is compared")
    one = compared[known]
    given = "" if one.knowledge == NOTHING else f", given B = {one.knowledge}"
    subject = f"{subject_of(found.record)} = {found.a} against {found.b}{given}"
    return Shown(f"<figure class='pk-plot'>{loss_drawing(one.rows, subject)}</figure>", f"losses of {subject}")


def grid(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "", notes: Sequence[str] = ()) -> Shown:
    """A table of computed things: fractions, δ and ε with their decimals, texts and verdicts as they are.

    >>> from fractions import Fraction
    >>> grid(["n", "δ"], [[2, Fraction(1, 2)], [3, Fraction(1, 3)]], notes=["At ε = 0."])
    n | δ
    2 | 1/2 (0.5)
    3 | 1/3 ≈ 0.3333
    At ε = 0.
    """
    texts = [[_cell(cell) for cell in row] for row in rows]
    lines = [
        *([title] if title else []),
        *(" | ".join(row).replace("\n", ", ") for row in [list(columns), *texts]),
        *notes,
    ]
    page = table(title, list(columns), texts, notes).replace("role='region'", "role='group'")
    return Shown(page, "\n".join(lines))


def _cell(thing: object) -> str:
    if isinstance(thing, Fraction):
        return amount(thing)
    if isinstance(thing, Delta | Epsilon | Enclosure):
        return exact_and_decimal(thing, 40, DIGITS).replace("inf", "∞")
    return str(thing)


def formula(tex: str) -> Shown:
    """A formula on a line of its own."""
    return Shown(f"<div class='pk-formula'>{mathml(tex, block=True)}</div>", tex)
