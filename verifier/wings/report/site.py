"""The report as files: every document as an HTML page, the whole as Markdown, and what the pages share."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from verifier.definitions import CONVENTIONS
from verifier.machine.files import write_whole
from verifier.show.answers import conventions_sheet
from verifier.show.pages import MarkdownRenderer, page_html
from verifier.show.sections import Document
from verifier.show.sheet import JOINED, PROSE, SIGNS, in_text, latex_marks
from verifier.wings.implications.table import Relations
from verifier.wings.papers.ledger.entry import Entry
from verifier.wings.papers.ledger.statements import is_numbered, statements
from verifier.wings.papers.ledger.table import ReadingRow
from verifier.wings.report import (
    claim_sections,
    definition_sections,
    example_sections,
    exchange_sections,
    figures_page,
    matrix_page,
    relation_sections,
    statement_sections,
)
from verifier.wings.report.claim_sections import claim_document, claims_document
from verifier.wings.report.definition_sections import definitions_document
from verifier.wings.report.example_sections import examples_document
from verifier.wings.report.exchange_sections import exchange_document
from verifier.wings.report.figures_page import figures_document
from verifier.wings.report.findings import ConfirmedReading
from verifier.wings.report.index_sections import MARKDOWN, PATH, index_document
from verifier.wings.report.matrix_page import matrix_document
from verifier.wings.report.model_sections import model_document
from verifier.wings.report.pages import ModelPage, groups
from verifier.wings.report.relation_sections import relations_document
from verifier.wings.report.statement_sections import statements_document

SHARED = ("report.css", "copy.js", "icon.svg")
MODELS = "models/"


def shared() -> dict[str, str]:
    """The texts of the files that all pages share, by name: the style sheet, the script and the icon."""
    folder = files("verifier.show") / "templates"
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in SHARED}
    values = {"LATEX = {}": latex_marks(), 'JOINED = ""': JOINED, "PROSE = 0": PROSE}
    values |= {"SIGNED = {}": {word: in_text(word) for word in SIGNS}}
    for name, value in values.items():
        filled = f"{name.partition(' ')[0]} = {json.dumps(value, ensure_ascii=False)}"
        texts["copy.js"] = texts["copy.js"].replace(name, filled, 1)
    texts["copy.js"] = f"{saving()}\n{texts['copy.js']}"
    return texts


def saving() -> str:
    """The script that makes the buttons below a drawing, for a page whose scripts are no modules."""
    script = (files("verifier.show") / "templates" / "save.js").read_text(encoding="utf-8")
    return script.replace("\nexport ", "\n")


def bar(*, claims: bool) -> list[tuple[str, str]]:
    """The names and addresses of the pages in the head of every page; `claims` for a report of the papers."""
    papers = [
        ("Theorems", statement_sections.PATH),
        ("Examples 1–8", example_sections.PATH),
        ("Claims", claim_sections.INDEX),
        ("Relations", relation_sections.PATH),
        ("Matrix", matrix_page.PATH),
        ("Conversions", exchange_sections.PATH),
        ("Figures", figures_page.PATH),
    ]
    return [("Overview", PATH), *(papers if claims else []), ("Definitions", definition_sections.PATH)]


def claim_bar(entry: Entry) -> list[tuple[str, str]]:
    """The links in the head of a claim's page: all pages, with its row among the theorems, the claims of its paper."""
    row = f"#{entry.paper}-{entry.slug}" if is_numbered(entry.claim) else ""
    places = {"Theorems": row, "Claims": f"#{entry.paper}"}
    return [(name, f"{page}{places.get(name, '')}") for name, page in bar(claims=True)]


def site(
    title: str,
    pages: Sequence[ModelPage],
    readings: Sequence[ConfirmedReading],
    checked: str,
    related: Relations | None,
    explorer: str = "",
) -> dict[str, str]:
    """The texts of the report's files by their names below its folder; `claim_pages` makes those of the claims.

    They are the first page, the models, the definitions, and the documents of the papers. `readings` are the ledger's
    readings of these models, `checked` says how many verdicts the checker derived again. `related` has the relations
    where the report is of DMKB20's examples, which alone has the documents of the papers. `explorer` is the address of
    the explorer's page, as seen from the first page; then each model has a link to it.
    """
    of_papers = related is not None
    heads, named = bar(claims=of_papers), [page.name for page in pages]
    all_documents = [index_document(title, pages, readings, checked, heads, of_papers=of_papers)]
    for number, page in enumerate(pages):
        before = pages[number - 1] if number else None
        after = pages[number + 1] if number + 1 < len(pages) else None
        all_documents.append(model_document(page, readings, named, (before, after), checked, explorer))
    all_documents.append(definitions_document())
    if related is not None:
        addresses = {page.model.sha256: page.address for page in pages}
        all_documents += [
            statements_document(statements(), addresses, explorer),
            examples_document(pages),
            relations_document(related, pages),
            matrix_document(),
            exchange_document(),
            figures_document(),
        ]
    written = {document.path for document in all_documents}
    leads = _leads(written, related, explorer)
    copied = written - {statement_sections.PATH}  # its tables are those of pages of models and of claims
    pairs = {} if related is None else {matrix_page.PAIRS: matrix_page.matrix_page(heads), **pairs_script()}
    return (
        shared()
        | pairs
        | {
            document.path: page_html(document, heads, copy=document.path in copied, leads=leads)
            for document in all_documents
        }
    )


def _leads(written: Collection[str], related: Relations | None, explorer: str) -> Callable[[str], bool]:
    """Whether an address is one of this report, or the explorer's: only a report of the papers has pages of claims."""
    folder = claim_sections.INDEX.rpartition("/")[0]
    known = {*written, matrix_page.PAIRS, MARKDOWN, *([explorer] if explorer else [])}
    return lambda address: address.partition("#")[0] in known or (related is not None and address.startswith(folder))


def claim_pages(
    rows: Sequence[ReadingRow], models: Mapping[str, str] | None = None, explorer: str = ""
) -> dict[str, str]:
    """The texts of `claims/index.html` and of each claim's page, by their names below the report's folder.

    `models` has the names of the pages of models, by the models' names in the ledger. What several claims rest on
    stands in full on the first page that needs it; the others lead there. `explorer` is as in `site`.
    """
    heads = bar(claims=True)
    addresses: claim_sections.Addresses = {model: f"{MODELS}{name}.html" for model, name in (models or {}).items()}
    index = claims_document(rows)
    written = {index.path: page_html(index, heads, claim_sections.INDEX, copy=False)}
    for entry, same in groupby(rows, lambda row: row.entry):
        document = claim_document(entry, tuple(same), addresses, explorer)
        written[document.path] = page_html(document, claim_bar(entry), copy=False)
    return written


def report_markdown(
    title: str,
    pages: Sequence[ModelPage],
    readings: Sequence[ConfirmedReading],
    checked: str,
    *,
    of_papers: bool,
    plots: bool = True,
) -> str:
    """The first page, Examples 1 to 8, the models and the conventions as one Markdown text.

    With `plots` it links the drawings beside it; the other arguments are those of `site` and `index_document`.
    """
    render = MarkdownRenderer(_within, pictures=plots)
    index = index_document(title, pages, readings, checked, (), of_papers=of_papers)
    texts = render.document(index)
    if of_papers:
        texts += render.document(examples_document(pages), level=2, anchor=_name(example_sections.PATH))
    named = [page.name for page in pages]
    for group, members in groups(pages):
        texts.append(f"## {group}")
        for page in members:
            document = model_document(page, readings, named, checked=checked)
            texts += render.document(document, level=3, anchor=page.name)
    conventions = conventions_sheet(CONVENTIONS).markdown().replace("**Conventions**\n\n", "")
    return "\n\n".join([*texts, "## Conventions", conventions]) + "\n"


def markdown(document: Document, level: int = 1, place: Callable[[str], str] | None = None) -> str:
    """A document as Markdown, from a heading of this level down.

    `place` says where a page of the report stands, as seen from the text; without it, whether it is in the same text.
    """
    return "\n\n".join(MarkdownRenderer(place or _within).document(document, level))


def _within(address: str) -> str:
    """Where a page of the report stands in one Markdown text; nothing where it does not."""
    path, mark, key = address.partition("#")
    if not path:
        return address
    if path.startswith(MODELS) or path == example_sections.PATH:
        return f"#{key if mark else _name(path)}"
    return ""


def _name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".html")


def pairs_script() -> dict[str, str]:
    """The script of the page of every pair, by its name."""
    return {matrix_page.SCRIPT: (files("verifier.wings.report") / matrix_page.SCRIPT).read_text(encoding="utf-8")}


def write_matrix(folder: Path) -> list[Path]:
    """Write the page with its script and style sheet, all the files that it needs; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        matrix_page.PATH: matrix_page.matrix_page(()),
        **pairs_script(),
        **{name: shared()[name] for name in ("report.css", "icon.svg")},
    }
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]
