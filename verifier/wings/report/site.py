"""The pages of a report as HTML: an index, a page a model, definitions, relations, and what they share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from itertools import chain

from verifier.definitions import CONVENTIONS, DEFINITIONS, HOCKEY_STICK, ON_REQUEST, Definition, Verdict
from verifier.definitions.notions import notions
from verifier.numbers import exact_text
from verifier.show.drawings import STYLE
from verifier.show.layout import environment, unique
from verifier.show.markup import inline, linked
from verifier.show.mathml import definition_formula, formula
from verifier.show.sheet import PROSE, latex_marks
from verifier.show.signs import SIGNS, VERDICT_COLUMNS, in_text
from verifier.version import VERSION
from verifier.wings.papers.relations.plot import relation_plot
from verifier.wings.papers.relations.sheets import relation_sheets
from verifier.wings.papers.relations.table import Relations
from verifier.wings.report.findings import CLASSES, Shown, about, badge, count
from verifier.wings.report.groups import first_of, groups
from verifier.wings.report.pages import Page

SHORT = 12
SHARED = ("report.css", "copy.js")
PROFILE = r"\delta(\varepsilon) = \max_{S} \left( P(S) - e^{\varepsilon} Q(S) \right)"
LOSS = r"\ln\frac{P(o)}{Q(o)}"


def shared() -> dict[str, str]:
    """The files that all pages share: one style sheet, and the copy buttons."""
    folder = files("verifier.show") / "templates"
    found = {name: (folder / name).read_text(encoding="utf-8") for name in SHARED}
    given = {"LATEX = {}": latex_marks(), 'STYLE = ""': STYLE, "PROSE = 0": PROSE}
    given |= {"SIGNED = {}": {word: in_text(word) for word in SIGNS}, "VERDICTS = []": VERDICT_COLUMNS}
    for name, value in given.items():
        filled = f"{name.partition(' ')[0]} = {json.dumps(value, ensure_ascii=False)}"
        found["copy.js"] = found["copy.js"].replace(name, filled, 1)
    return found


def bar(*, claims: bool) -> list[tuple[str, str]]:
    """What stands at the head of every page."""
    listed = [("Overview", "index.html")]
    if claims:
        listed += [("Claims", "claims/index.html"), ("Relations", "relations.html")]
    return [*listed, ("Definitions", "definitions.html")]


def site(
    title: str, pages: Sequence[Page], claims: Sequence[Shown], checked: str, related: Relations | None
) -> dict[str, str]:
    """Every page by its name below the report's folder; claim pages are written beside them."""
    whole = related is not None
    fill = partial(_filled, claims_written=whole, checked=checked)
    found = shared()
    first = first_of(claims) if whole else []
    found["index.html"] = fill(
        "index.html",
        "",
        title=title,
        groups=groups(pages),
        glance=_glance(pages),
        claims=first,
        count=count(first),
        badge=partial(badge, claims),
        profile_formula=formula(PROFILE, "δ(ε) = max over S of P(S) - e^ε·Q(S)", display=True),
        loss_formula=formula(LOSS, "ln(P(o)/Q(o))"),
        verdict=_verdict,
        signs=SIGNS,
    )
    names = [page.name for page in pages]
    for place, page in enumerate(pages):
        found[f"models/{page.name}.html"] = fill(
            "model.html",
            "../",
            names=names,
            page=page,
            said=badge(claims, page.name),
            about=about(claims, page.name),
            asked=_asked(page.answers),
            before=pages[place - 1] if place else None,
            after=pages[place + 1] if place + 1 < len(pages) else None,
        )
    found["definitions.html"] = fill(
        "definitions.html",
        "",
        definitions=list(chain(DEFINITIONS.values(), ON_REQUEST.values())),
        on_request=list(ON_REQUEST),
        formulas={one.key: definition_formula(one) for one in chain(DEFINITIONS.values(), ON_REQUEST.values())},
        conventions=CONVENTIONS,
    )
    if related is not None:
        drawing = unique(relation_plot(related), "relations")
        found["relations.html"] = fill("relations.html", "", drawing=drawing, sheets=relation_sheets(related))
    return found


def _filled(template: str, up: str, *, claims_written: bool, names: Iterable[str] = (), **given: object) -> str:
    """One page; `up` leads to the folder of the report."""
    from markupsafe import Markup

    return (
        environment()
        .get_template(template)
        .render(
            linked=lambda text, own: Markup(linked(text, [name for name in names if name != own])),
            version=VERSION,
            up=up,
            here=template,
            bar=bar(claims=claims_written),
            claims_written=claims_written,
            classes=CLASSES,
            **given,
        )
    )


def _asked(answers: Sequence[Verdict]) -> str:
    if not answers:
        return ""
    first = answers[0]
    asked = "some finite ε" if first.epsilon is None else f"ε = {first.epsilon}"
    return f"Asked was for {asked} and δ = {exact_text(first.delta)}."


def _verdict(name: str) -> object:
    """A verdict as its mark and its word."""
    from markupsafe import Markup

    return Markup(f"<span class='verdict {name}'>{name}</span>")


def _glance(pages: Sequence[Page]) -> str:
    """A row a model, a column a definition: the verdict with its mark, and the smallest ε where it holds."""
    columns = [definition.key for definition in notions(DEFINITIONS.values()) if _in_overview(definition)]
    head = "".join(f"<th scope='col'><a href='definitions.html#{name}'>{name}</a></th>" for name in columns)
    body = "".join(
        f"<tr><th scope='row'><a href='models/{page.name}.html'>{inline(page.model.title)}</a></th>"
        + "".join(_mark(page, name) for name in columns)
        + "</tr>"
        for _, members in groups(pages)
        for page in members
    )
    return (
        "<div class='scroll wide' tabindex='0' role='region' aria-label='At a glance'><table class='glance'>"
        f"<thead><tr><th scope='col'>model</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _in_overview(definition: Definition) -> bool:
    """Definitions of the texts about records, without the tail forms."""
    return definition.measure is HOCKEY_STICK and not definition.changes_size and not definition.own


def _mark(page: Page, name: str) -> str:
    answer = next((one for one in page.answers if one.definition == name), None)
    if answer is None:
        return "<td>–</td>"
    least = ""
    if answer.verdict == "holds" and answer.tight_epsilon is not None:
        exact = answer.tight_epsilon.text()
        text = exact if len(exact) <= SHORT else f"≈ {answer.tight_epsilon.decimal(4)}"
        least = f"<br><small>{escape(text, quote=False)}</small>"
    return f"<td class='{answer.verdict}' title='{SIGNS[answer.verdict].sentence}'>{answer.verdict}{least}</td>"
