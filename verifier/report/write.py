"""Writing the report: one self-contained HTML page, and Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from verifier.definitions import CONVENTIONS, DEFINITIONS
from verifier.engine import MAX_ROWS
from verifier.ledger.table import rows
from verifier.model import Model, need_distributions, read
from verifier.relations import Relations, relations
from verifier.report.claim_pages import write_claims
from verifier.report.claims import CLAIMS, Claim, shown
from verifier.report.findings import CLASSES, MARKS, about, badge, confirm, findings_sheet, tally
from verifier.report.layout import environment
from verifier.report.markup import linked
from verifier.report.pages import Page, make_page
from verifier.report.plots import INK
from verifier.report.relation_plot import relation_plot
from verifier.report.relation_sheets import relation_sheets
from verifier.report.sheet import markdown_text
from verifier.report.words import conventions_sheet
from verifier.version import VERSION

MOST_LINES = 60
"""Longest model file that the Markdown shows."""
TITLE = "DMKB20, Examples 1–8 and Proposition 4, decided exactly"


def write_report(models: Sequence[Model] | None, output: Path, max_rows: int = MAX_ROWS) -> list[Path]:
    """Write `index.html`, `report.md` and the plots; without models, of DMKB20's Examples 1 to 8 with all claims."""
    title = TITLE if models is None else "Privacy with partial knowledge, decided exactly"
    pages = make_pages(models if models is not None else [read(path) for path in shown()], max_rows)
    related = relations() if models is None else None
    html, text = page_html(title, pages, related), page_markdown(title, pages)
    (output / "plots").mkdir(parents=True, exist_ok=True)
    if related is not None:
        text += "\n" + relations_markdown(related) + "\n\n![relations](plots/relations.svg)\n"
        write_whole(output / "plots" / "relations.svg", relation_plot(related) + "\n")
    written = {output / "index.html": html, output / "report.md": text}
    for page in pages:
        for kind, svg in page.plots:
            write_whole(output / "plots" / f"{page.name}-{kind}.svg", svg + "\n")
    for path, text in written.items():
        write_whole(path, text)
    return [*written, *(write_claims(rows(), output)[:1] if models is None else [])]


def make_pages(models: Sequence[Model], max_rows: int = MAX_ROWS) -> list[Page]:
    """A page for each model; where two have the same name, the later ones are numbered."""
    for model in models:
        need_distributions(model, "the report")
    pages = [make_page(model, max_rows) for model in models]
    wanted, used = {page.name for page in pages}, set[str]()
    for position, page in enumerate(pages):
        name, number = page.name, 1
        while name in used or (number > 1 and name in wanted):
            number += 1
            name = f"{page.name}-{number}"
        used.add(name)
        pages[position] = replace(page, name=name)
    return pages


def claims_of(pages: Sequence[Page]) -> list[Claim]:
    """The claims on models that come with the package; refused where their evidence is not what was computed."""
    known = {path.stem: sha256(path.read_bytes()).hexdigest() for path in shown()}
    ours = [page for page in pages if known.get(page.name) == page.model.sha256]
    return confirm(CLAIMS, {page.name: (page.answers, page.normalizations) for page in ours})


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(path.name + ".part")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def unique(svg: str, name: str) -> str:
    """Give the ids of a drawing a name of their own, since several stand in one page, and its ink the page's colour."""
    svg = svg.replace(INK, "currentColor")
    svg = re.sub(r'id="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'"#([^"]+)"', rf'"#{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


def _groups(pages: Sequence[Page]) -> list[tuple[str, list[Page]]]:
    """The pages by example number, where their names have one."""
    groups: dict[str, list[Page]] = {}
    for page in pages:
        found = re.match(r"(example|proposition)-(\d+)", page.name)
        groups.setdefault(f"{found[1].title()} {found[2]}" if found else "Models", []).append(page)
    return list(groups.items())


def checked(pages: Sequence[Page]) -> str:
    """How many verdicts the replay has derived again."""
    answers = [answer for page in pages for answer in page.answers if answer.verdict != "unsupported"]
    again = sum(1 for answer in answers if answer.replayed)
    return f"the independent replay derived {again} of the {len(answers)} verdicts a second time"


def page_html(title: str, pages: Sequence[Page], related: Relations | None = None) -> str:
    """The whole report as one page without any outside reference."""
    from markupsafe import Markup

    page = environment()
    names = [page.name for page in pages]
    claims = claims_of(pages)
    page.filters["linked"] = lambda text, own="": Markup(linked(text, [name for name in names if name != own]))
    return page.get_template("report.html").render(
        title=title,
        version=VERSION,
        groups=_groups(pages),
        checked=checked(pages),
        claims=claims,
        tally=tally(claims),
        badge=partial(badge, claims),
        about=partial(about, claims),
        marks=MARKS,
        classes=CLASSES,
        drawings=_drawings(pages, Markup),
        relations=relation_sheets(related) if related else [],
        relation_drawing=Markup(unique(relation_plot(related), "relations")) if related else "",
        definitions=list(DEFINITIONS.values()),
        conventions=CONVENTIONS,
    )


def _drawings(pages: Sequence[Page], safe: type[str]) -> Mapping[str, list[tuple[str, str]]]:
    """The drawings of each page with ids of their own."""
    return {
        page.name: [(kind, safe(unique(svg, f"{page.name}-{kind[0]}"))) for kind, svg in page.plots] for page in pages
    }


def page_markdown(title: str, pages: Sequence[Page], *, plots: bool = True) -> str:
    """The same as Markdown; with `plots` it links the drawings beside it."""
    claims = claims_of(pages)
    parts = [f"# {title}", f"Computed by pkdp-verifier {VERSION}; {checked(pages)}."]
    if claims:
        parts += ["## Which claims hold as printed?", tally(claims), findings_sheet(claims).markdown()]
    for group, members in _groups(pages):
        parts.append(f"## {group}")
        for page in members:
            parts += _page_markdown(page, claims, plots=plots)
    parts += ["## Conventions", conventions_sheet(CONVENTIONS).markdown().replace("**Conventions**\n\n", "")]
    return "\n\n".join(part for part in parts if part).replace("\n\n- ", "\n- ") + "\n"


def relations_markdown(related: Relations) -> str:
    """How the definitions relate, as tables."""
    return "\n\n".join(["## How the definitions relate", *(sheet.markdown() for sheet in relation_sheets(related))])


def _page_markdown(page: Page, claims: Sequence[Claim], *, plots: bool) -> list[str]:
    """One model: what it is, what holds, the evidence, and the model file where it is short."""
    said = badge(claims, page.name)
    file = f" (`{page.file}`)" if page.file else ""
    parts = [f'<a id="{page.name}"></a>', f"### {markdown_text(page.model.title)}{file}"]
    if said is not None:
        parts.append(f"{said.mark} **{said.text[:1].upper()}{said.text[1:]}**")
    parts += [f"- {claim.place}: {claim.claim} ({role})" for claim, role in about(claims, page.name)]
    parts += [page.model.source, page.model.notes.strip()]
    parts += [f"- {name}: {value}" for name, value in page.facts if name != "source"]
    parts += [sheet.markdown() for sheet in page.worlds]
    parts += [page.passport.markdown(), page.deltas.markdown() if page.deltas.rows else ""]
    parts += [f"> {words}" for words in page.witnesses]
    parts += [page.causal.markdown()] if page.causal else []
    if plots:
        parts += [f"![{kind}](plots/{page.name}-{kind}.svg)" for kind, _ in page.plots]
    parts += [sheet.markdown() for sheet in page.losses]
    parts += [page.losses_note, *(sheet.markdown() for sheet in page.acceptable)]
    if page.text and len(page.text.splitlines()) <= MOST_LINES:
        parts.append(f"The model file, without its promised answers:\n\n```toml\n{page.text.rstrip()}\n```")
    return parts
