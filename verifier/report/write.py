"""Writing the report: one self-contained HTML page, and Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from verifier.definitions import CONVENTIONS
from verifier.examples import examples
from verifier.model import Model, read
from verifier.report.pages import Page, make_page
from verifier.report.plots import loss_plot, profile_plot
from verifier.report.words import conventions_sheet, knowledge_text
from verifier.version import VERSION

MAX_ROWS = 1 << 22
TITLE = "DMKB20, Examples 1–8 and Proposition 4, decided exactly"


def write_report(models: Sequence[Model] | None, output: Path, max_rows: int = MAX_ROWS) -> list[Path]:
    """Write `index.html`, `report.md` and the plots; without models, of DMKB20's Examples 1 to 8."""
    named = models is None
    pages = [make_page(model, max_rows) for model in (models if models is not None else map(read, examples()))]
    title = TITLE if named else "Privacy with partial knowledge, decided exactly"
    output.mkdir(parents=True, exist_ok=True)
    plots = {page.name: _plots(page) for page in pages}
    (output / "plots").mkdir(exist_ok=True)
    for name, drawings in plots.items():
        for kind, svg in drawings.items():
            _replace(output / "plots" / f"{name}-{kind}.svg", svg + "\n")
    written = [output / "index.html", output / "report.md"]
    _replace(written[0], page_html(title, pages, plots))
    _replace(written[1], page_markdown(title, pages, plots=True))
    return written


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _plots(page: Page) -> dict[str, str]:
    curves = []
    for answer in page.answers:
        if answer.tight_epsilon is not None and answer.definition != "apkdp":
            name = "np, apkdp" if answer.definition == "np" else answer.definition
            curves.append((name, answer.profile))
    drawings = {"profile": _unique(profile_plot(curves), page.name + "-p")} if curves else {}
    if page.table is not None:
        rows = [
            (row.loss.ratio, row.probability_a * one.probability)
            for one in page.table.knowledge
            for row in one.rows
            if row.probability_a
        ]
        whole = sum((mass for _, mass in rows), Fraction(0))
        subject = "S" if page.table.record is None else f"D({page.table.record})"
        if whole:
            rows = [(ratio, mass / whole) for ratio, mass in rows]
            title = f"loss of {subject} = {page.table.a} against {page.table.b}"
            drawings["loss"] = _unique(loss_plot(rows, title), page.name + "-l")
    return drawings


def _unique(svg: str, name: str) -> str:
    """Give the ids of a drawing a name of their own, since several stand in one page."""
    svg = re.sub(r'id="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'"#([^"]+)"', rf'"#{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


def _groups(pages: Sequence[Page]) -> list[tuple[str, list[Page]]]:
    """The pages by example number, where their names have one."""
    groups: dict[str, list[Page]] = {}
    for page in pages:
        found = re.match(r"(example|proposition)-(\d+)", page.name)
        groups.setdefault(f"{found[1].title()} {found[2]}" if found else page.model.title, []).append(page)
    return list(groups.items())


def checked(pages: Sequence[Page]) -> str:
    """How many verdicts the replay has derived again."""
    answers = [answer for page in pages for answer in page.answers if answer.verdict != "unsupported"]
    again = sum(1 for answer in answers if answer.replayed)
    return f"the independent replay derived {again} of the {len(answers)} verdicts a second time"


def page_html(title: str, pages: Sequence[Page], plots: dict[str, dict[str, str]]) -> str:
    """The whole report as one page without any outside reference."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("verifier.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        title=title,
        version=VERSION,
        groups=_groups(pages),
        checked=checked(pages),
        plots={name: {kind: Markup(svg) for kind, svg in drawings.items()} for name, drawings in plots.items()},
        conventions=conventions_sheet(CONVENTIONS),
        knowledge_text=knowledge_text,
    )


def page_markdown(title: str, pages: Sequence[Page], *, plots: bool) -> str:
    """The same as Markdown; with `plots` it links the drawings beside it."""
    parts = [f"# {title}", f"Computed by pkdp-verifier {VERSION}; {checked(pages)}."]
    for group, members in _groups(pages):
        parts.append(f"## {group}")
        for page in members:
            parts.append(f"### {page.model.title}")
            parts.append(f"`{page.name}`" + (f", {page.model.source}" if page.model.source else ""))
            parts.append(page.model.notes.strip())
            parts += [f"- {name}: {value}" for name, value in page.facts if name != "source"]
            parts += [sheet.markdown() for sheet in page.worlds]
            parts += [page.passport.markdown(), page.deltas.markdown()]
            parts += [f"> {words}" for words in page.witnesses]
            if plots:
                parts += [f"![{kind}](plots/{page.name}-{kind}.svg)" for kind in _plots(page)]
            parts += [sheet.markdown() for sheet in page.losses]
            parts += [page.losses_note, page.acceptable.markdown()]
    parts += ["## Conventions", conventions_sheet(CONVENTIONS).markdown().replace("**Conventions**\n\n", "")]
    return "\n\n".join(part for part in parts if part).replace("\n\n- ", "\n- ") + "\n"
