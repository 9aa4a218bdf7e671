"""Writing the report: a small site of static pages that needs no network, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from verifier.definitions import CONVENTIONS
from verifier.engine import MAX_ROWS
from verifier.machine.files import write_whole
from verifier.model import Model, need_distributions, read
from verifier.show.layout import smaller
from verifier.show.sheet import markdown_text
from verifier.show.words import conventions_sheet
from verifier.version import VERSION
from verifier.wings.papers.ledger.table import rows
from verifier.wings.papers.relations.sheets import relation_sheets
from verifier.wings.papers.relations.table import Relations, relations
from verifier.wings.report.claim_pages import write_claims
from verifier.wings.report.claims import shown
from verifier.wings.report.findings import Shown, about, badge, confirm, count, every_row, findings_sheet, known_models
from verifier.wings.report.groups import first_of, groups
from verifier.wings.report.pages import Page, make_page
from verifier.wings.report.site import site

MOST_LINES = 60
"""Longest model file that the Markdown shows."""
TITLE = "DMKB20, Examples 1–8 and Proposition 4, decided exactly"


def write_report(
    models: Sequence[Model] | None,
    output: Path,
    max_rows: int = MAX_ROWS,
    tick: Callable[[int, int, str], object] | None = None,
) -> list[Path]:
    """Write `index.html` with its pages, `report.md` and the drawings; gives the pages to begin with.

    Without models it is of DMKB20's Examples 1 to 8, with a page for each claim of the ledger; these many pages are
    kept small, and their drawings stand in them alone. `tick` is told how many pages of models are computed, of how
    many, and what is done.
    """
    title = TITLE if models is None else "Privacy with partial knowledge, decided exactly"
    tell = tick or (lambda *_: None)
    pages = make_pages(models if models is not None else [read(path) for path in shown()], max_rows, tick)
    tell(len(pages), len(pages), "asking what the ledger says of them")
    claims = claims_of(pages)
    related = relations() if models is None else None
    written = site(title, pages, claims, checked(pages), related)
    written["report.md"] = page_markdown(title, pages, claims, plots=related is None)
    if related is not None:
        written["report.md"] += "\n" + relations_markdown(related) + "\n"
        written = {name: smaller(text) if name.endswith(".html") else text for name, text in written.items()}
    else:
        for page in pages:
            for drawing, _ in page.drawings:
                written[f"plots/{page.name}-{drawing.kind}.svg"] = drawing.alone
    for name, text in written.items():
        write_whole(output / name, text)
    first = [output / "index.html", output / "report.md"]
    if models is not None:
        return first
    tell(len(pages), len(pages), "writing the pages of the claims")
    known = known_models()
    paged = {known[page.model.sha256]: page.name for page in pages if page.model.sha256 in known}
    return [*first, write_claims(rows(), output, paged)[0]]


def make_pages(
    models: Sequence[Model], max_rows: int = MAX_ROWS, tick: Callable[[int, int, str], object] | None = None
) -> list[Page]:
    """A page for each model; where two have the same name, the later ones are numbered. `tick` counts them."""
    for model in models:
        need_distributions(model, "the report")
    pages: list[Page] = []
    for model in models:
        if tick:
            tick(len(pages), len(models), model.title)
        pages.append(make_page(model, max_rows))
    wanted, used = {page.name for page in pages}, set[str]()
    for position, page in enumerate(pages):
        name, number = page.name, 1
        while name in used or (number > 1 and name in wanted):
            number += 1
            name = f"{page.name}-{number}"
        used.add(name)
        pages[position] = replace(page, name=name)
    return pages


def claims_of(pages: Sequence[Page]) -> list[Shown]:
    """What the ledger says of models that come with the package, the chosen readings first.

    Refused where a model answers otherwise.
    """
    known = known_models()
    ours = {
        known[page.model.sha256]: (page.name, page.model, page.engine) for page in pages if page.model.sha256 in known
    }
    return confirm(every_row(), ours) if ours else []


def checked(pages: Sequence[Page]) -> str:
    """How many verdicts the replay has derived again."""
    answers = [answer for page in pages for answer in page.answers if answer.verdict != "unsupported"]
    again = sum(1 for answer in answers if answer.replayed)
    return f"the independent replay derived {again} of the {len(answers)} verdicts a second time"


def page_markdown(title: str, pages: Sequence[Page], claims: Sequence[Shown], *, plots: bool = True) -> str:
    """The whole report as Markdown; with `plots` it links the drawings beside it."""
    parts = [f"# {title}", f"Computed by pkdp-verifier {VERSION}; {checked(pages)}."]
    if first := first_of(claims):
        parts += ["## Which claims hold as printed?", count(first), findings_sheet(first).markdown()]
    for group, members in groups(pages):
        parts.append(f"## {group}")
        for page in members:
            parts += _page_markdown(page, claims, plots=plots)
    parts += ["## Conventions", conventions_sheet(CONVENTIONS).markdown().replace("**Conventions**\n\n", "")]
    return "\n\n".join(part for part in parts if part).replace("\n\n- ", "\n- ") + "\n"


def relations_markdown(related: Relations) -> str:
    """How the definitions relate, as tables."""
    return "\n\n".join(["## How the definitions relate", *(sheet.markdown() for sheet in relation_sheets(related))])


def _page_markdown(page: Page, claims: Sequence[Shown], *, plots: bool) -> list[str]:
    """One model: the counterexample, what it is, what holds, the evidence, and the model file where it is short."""
    said = badge(claims, page.name)
    file = f" (`{page.file}`)" if page.file else ""
    parts = [f'<a id="{page.name}"></a>', f"### {markdown_text(page.model.title)}{file}"]
    if said is not None:
        parts.append(f"{said.mark} **{said.text[:1].upper()}{said.text[1:]}**")
    if page.refuted:
        parts.append(f"**{markdown_text(page.refuted[0].sentence)}**")
    parts += [
        f"- {one.row.entry.paper}, {one.place}: {one.row.verdict} ({role})" for one, role in about(claims, page.name)
    ]
    parts += [markdown_text(page.model.source), page.model.notes.strip()]
    parts += [f"- {name}: {value}" for name, value in page.facts if name != "source"]
    parts += [sheet.markdown() for sheet in page.worlds]
    parts += [page.passport.markdown(), page.deltas.markdown() if page.deltas.rows else ""]
    parts += [f"> {one.said} {one.words}" for one in page.refuted]
    parts += [page.causal.markdown()] if page.causal else []
    for drawing, sheets in page.drawings:
        parts += [f"![{drawing.caption}](plots/{page.name}-{drawing.kind}.svg)"] if plots else []
        parts += [sheet.markdown() for sheet in sheets if drawing.kind == "attackers"]
    parts += [sheet.markdown() for sheet in page.losses]
    parts += [page.losses_note, *(sheet.markdown() for sheet in page.acceptable)]
    if page.text and len(page.text.splitlines()) <= MOST_LINES:
        parts.append(f"The model file, without its notes and promised answers:\n\n```toml\n{page.text.rstrip()}\n```")
    return parts
