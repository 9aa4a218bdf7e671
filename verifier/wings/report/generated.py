"""The committed files that the program makes: `python -m verifier.wings.report.generated [--check]`.

With `--check` nothing is overwritten: a file that differs is written beside the old one as `name.new.md`, and the
exit status is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from verifier.definitions import CONVENTIONS, DEFINITIONS, ON_REQUEST, Definition
from verifier.model import read
from verifier.model.library import models_folder
from verifier.show.words import conventions_sheet
from verifier.wings.papers.figures.sheets import figures_markdown
from verifier.wings.papers.ledger.entry import Entry
from verifier.wings.papers.ledger.read import entries
from verifier.wings.papers.ledger.sentences import exceptions
from verifier.wings.papers.ledger.sheets import found_sheet, tally_text
from verifier.wings.papers.ledger.table import Row, rows
from verifier.wings.papers.relations.table import relations
from verifier.wings.report.claims import shown
from verifier.wings.report.findings import WORST, Shown, findings_sheet
from verifier.wings.report.groups import first_of
from verifier.wings.report.pages import Page
from verifier.wings.report.write import TITLE, claims_of, make_pages, page_markdown, relations_markdown

HEAD = "<!-- Made by `make generated`; CI rebuilds it and fails on any difference. -->\n\n"
START, END = (
    "<!-- The table is made by `make generated` from the ledger. -->",
    "<!-- end of the table -->",
)


def conventions_page() -> str:
    """Every convention with its source, and each definition with its formula and readings."""
    parts = ["# Definitions and conventions", "## Definitions as they are decided"]
    for definition in (*DEFINITIONS.values(), *ON_REQUEST.values()):
        names = f" (also {', '.join(definition.aliases)})" if definition.aliases else ""
        parts.append(f"**`{definition.key}`**{names}: {definition.title}, {definition.source}.")
        parts.append(f"    {definition.formula}")
        parts += [f"{said}: {text}." for said, text in _said(definition) if text]
        readings = [f"- `{name}`: {meaning}" for name, meaning in definition.readings.items() if name != "default"]
        if readings:
            parts.append("Other readings, by `--reading`:\n\n" + "\n".join(readings))
    parts += ["## Conventions", conventions_sheet(CONVENTIONS).markdown().replace("**Conventions**\n\n", "")]
    return HEAD + "\n\n".join(parts) + "\n"


def _said(definition: Definition) -> list[tuple[str, str]]:
    """What a definition's page says beside its formula."""
    ways = ""
    if definition.compare is not None:
        ways = f"{definition.kind} laws; {definition.measure.formula}; {definition.aggregation.formula}"
    return [
        ("Composed of", ways),
        ("Vacuous where", definition.vacuous),
        ("The text leaves open", definition.open),
        ("Asked by name alone", "it is in no passport" if definition.key in ON_REQUEST else ""),
        ("Note", definition.note),
    ]


@cache
def _examples() -> list[Page]:
    return make_pages([read(path) for path in shown()])


def examples_page() -> str:
    """The report of DMKB20's Examples 1 to 8 as Markdown, without its drawings."""
    pages = _examples()
    return HEAD + page_markdown(TITLE, pages, claims_of(pages), plots=False)


def relations_page() -> str:
    """What implies what, and what does not, with the evidence."""
    said = "`pkdp relations` prints it, `pkdp report` draws it; the proofs are in proofs/relations.md."
    return (
        HEAD
        + relations_markdown(relations()).replace("## How", "# How", 1).replace("\n\n", f"\n\n{said}\n\n", 1)
        + "\n"
    )


def figures_page() -> str:
    """The papers' figures at a few points, and their tables."""
    return HEAD + figures_markdown()


def findings_page(first: Sequence[Shown] | None = None) -> str:
    """The findings with their proofs: the table between its two marks is made, the prose is written by hand."""
    written = (models_folder().parent / "proofs" / "findings.md").read_text(encoding="utf-8")
    before, start, rest = written.partition(START)
    _, end, after = rest.partition(END)
    shown_first = first_of(claims_of(_examples())) if first is None else first
    table = findings_sheet(shown_first, base="../docs/examples.md").markdown()
    return f"{before}{start}\n\n{table}\n\n{end}{after}"


def ledger_page() -> str:
    """Every claim with its readings, verdicts and what was found."""
    parts = ["# The claims of the papers", LEDGER_WORDS.rstrip()]
    found = rows()
    for paper in dict.fromkeys(row.entry.paper for row in found):
        mine = [row for row in found if row.entry.paper == paper]
        parts.append(f"## {paper}\n\n{tally_text(mine)}")
        parts += [_by_verdict(mine), _named(mine)]
    parts.append(_without_evidence())
    return HEAD + "\n\n".join(parts) + "\n"


def _without_evidence() -> str:
    """The words of sentences that no evidence has, counted, with their reasons."""
    excepted = exceptions(entries())
    lines = ["## Stated without evidence", "", f"Words of sentences that no evidence has: {len(excepted)}.", ""]
    lines += ["| claim | reading | words | why |", "|---|---|---|---|"]
    for entry, reading, words in excepted:
        cells = (f"{entry.paper}, {entry.claim}", entry.key(reading), words.says, words.because)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _by_verdict(mine: Sequence[Row]) -> str:
    """The claims of a paper under each verdict of their printed readings, as links to their rows."""
    lines = ["| as printed | claims |", "|---|---|"]
    for verdict in WORST:
        printed = (row for row in mine if row.verdict == verdict and row.reading.reading == "as printed")
        found = {_place(row.entry): row.entry.claim for row in printed}
        if found:
            links = (f'<a href="#{place}">{claim}</a>' for place, claim in found.items())
            lines.append(f"| {verdict} ({len(found)}) | {' · '.join(links)} |")
    return "\n".join(lines)


def _named(mine: Sequence[Row]) -> str:
    """The table of a paper, with a name at the first row of each claim."""
    head, rule, *lines = found_sheet(mine).markdown().splitlines()
    seen = set[str]()
    for number, row in enumerate(mine):
        place = _place(row.entry)
        if place not in seen:
            lines[number] = lines[number].replace("| ", f'| <a id="{place}"></a>', 1)
        seen.add(place)
    return "\n".join([head, rule, *lines])


def _place(entry: Entry) -> str:
    return f"{entry.paper}-{entry.slug}".lower()


LEDGER_WORDS = """\
`pkdp ledger` prints it with the evidence, `pkdp ledger "Theorem 3"` one claim in full, and `pkdp report` writes a page
a claim with the counterexample as tables. `pkdp replay proofs/` re-checks the certificates; `pkdp ledger --again`
decides everything again. How an entry is written: [README.md](README.md#an-entry); what a certificate holds:
[FORMAT.md](FORMAT.md). Each paper begins with its claims by what became of them as they are printed; a claim of several
parts is listed with each verdict.
"""

GENERATED: dict[str, Callable[[], str]] = {
    "docs/definitions.md": conventions_page,
    "docs/examples.md": examples_page,
    "docs/relations.md": relations_page,
    "docs/figures.md": figures_page,
    "proofs/findings.md": findings_page,
    "proofs/ledger.md": ledger_page,
}


def main(arguments: list[str]) -> int:
    """Write the files, or compare them."""
    root = models_folder().parent
    stale = 0
    for name, make in GENERATED.items():
        path, text = root / name, make()
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")  # noqa: T201
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            fresh = Path(str(path).removesuffix(".md") + ".new.md")
            fresh.write_text(text, encoding="utf-8")
            print(f"{name} is stale; the new text is {fresh.name} beside it: run `make generated`")  # noqa: T201
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
