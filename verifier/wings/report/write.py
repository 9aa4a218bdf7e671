"""Writing the report: a small site of static pages that needs no network, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from verifier.engine import MAX_ROWS
from verifier.machine.files import write_whole
from verifier.model import Model, need_distributions, read
from verifier.numbers import plural
from verifier.show.pages import smaller
from verifier.wings.explore.links import bundled_by_hash
from verifier.wings.implications.table import relations
from verifier.wings.papers.ledger.table import rows
from verifier.wings.report import claim_sections
from verifier.wings.report.claims import model_files
from verifier.wings.report.exchange_sections import exchange_document, rates
from verifier.wings.report.findings import ConfirmedReading, confirm, every_row
from verifier.wings.report.pages import ModelPage, model_page
from verifier.wings.report.site import claim_pages, markdown, report_markdown, site

TITLE = "DMKB20, Examples 1–8 and Proposition 4, decided exactly"


def write_report(
    models: Sequence[Model] | None,
    output: Path,
    max_rows: int = MAX_ROWS,
    tick: Callable[[int, int, str], object] | None = None,
    explorer: str = "",
) -> list[Path]:
    """Write `index.html` with its pages, `report.md` and the drawings; return the paths of the pages to begin with.

    Without models it is the report of DMKB20's Examples 1 to 8, with a page for each claim of the ledger; its many
    pages are kept small, and their drawings stand in them and in no files of their own. `tick(done, total, step)` is
    called with the number of computed pages of models, the number of all, and what is done now. `explorer` is the
    address of the explorer's page, as seen from `output`: then each model has a link that opens it there.
    """
    title = TITLE if models is None else "Privacy with partial knowledge, decided exactly"
    tell = tick or (lambda *_: None)
    pages = model_pages(models if models is not None else [read(path) for path in model_files()], max_rows, tick)
    tell(len(pages), len(pages), "reading the claims about them")
    claims = claims_of(pages)
    related = relations() if models is None else None
    again = checked(pages)
    if related is not None:
        tell(len(pages), len(pages), "computing conversions between definitions")
        rates()
    written = site(title, pages, claims, again, related, explorer)
    text = report_markdown(title, pages, claims, again, of_papers=related is not None, plots=related is None)
    if related is not None:
        text += f"\n{markdown(exchange_document(), level=2)}\n"
        tell(len(pages), len(pages), "making the pages of the claims")
        known = bundled_by_hash()
        written |= claim_pages(rows(), {known[page.model.sha256]: page.name for page in pages}, explorer)
        written = {name: smaller(text) if name.endswith(".html") else text for name, text in written.items()}
    else:
        for page in pages:
            for drawing, _ in page.drawings:
                written[f"plots/{page.name}-{drawing.kind}.svg"] = drawing.alone
    written["report.md"] = text
    for name, text in written.items():
        write_whole(output / name, text)
    first = ["index.html", "report.md", *([claim_sections.INDEX] if related is not None else [])]
    return [output / name for name in first]


def model_pages(
    models: Sequence[Model], max_rows: int = MAX_ROWS, tick: Callable[[int, int, str], object] | None = None
) -> list[ModelPage]:
    """The pages of the models; where two have the same name, the later ones are numbered.

    `tick` is as in `write_report`.
    """
    for model in models:
        if model.sizes is not None:
            need_distributions(model, "the report")
    pages: list[ModelPage] = []
    for model in models:
        if tick:
            tick(len(pages), len(models), model.title)
        pages.append(model_page(model, max_rows))
    wanted, used = {page.name for page in pages}, set[str]()
    for position, page in enumerate(pages):
        name, number = page.name, 1
        while name in used or (number > 1 and name in wanted):
            number += 1
            name = f"{page.name}-{number}"
        used.add(name)
        pages[position] = replace(page, name=name)
    return pages


def claims_of(pages: Sequence[ModelPage]) -> list[ConfirmedReading]:
    """The ledger's readings all of whose models are among the pages, the chosen ones first, confirmed again.

    Raises:
        DisagreementError: where a model answers otherwise than the ledger says.

    """
    known = bundled_by_hash()
    ours = {
        known[page.model.sha256]: (page.name, page.model, page.engine) for page in pages if page.model.sha256 in known
    }
    return confirm(every_row(), ours) if ours else []


def checked(pages: Sequence[ModelPage]) -> str:
    """The words that say how many of the pages' verdicts the checker derived a second time."""
    answers = [answer for page in pages for answer in page.answers if answer.verdict != "unsupported"]
    again = sum(1 for answer in answers if answer.replayed)
    return f"the independent checker derived {again} of the {plural(len(answers), 'verdict')} a second time"
