"""What the program makes: `python docs/_ext/generated.py [--check]` writes the files in git.

With `--check` nothing is overwritten: a file that differs is written beside the old one as `name.new.md`, and the
exit status is 1.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import groupby

from definition_pages import NP_OR_CDP, grouped
from format_tables import format_page
from letter_sections import letter_document
from model_schema import schema_text

from verifier.definitions import DEFINITIONS, ON_REQUEST
from verifier.definitions.atlas import atlas
from verifier.model import read
from verifier.model.field_words import ABOUT, field_words
from verifier.model.library import models_folder
from verifier.numbers import plural, verdict_count
from verifier.show.cards import source_of
from verifier.show.pages import MarkdownRenderer
from verifier.show.sections import Decision, Grid, Link, Paragraph, RowGroup, Section
from verifier.show.sheet import Sheet
from verifier.wings.implications.table import relations
from verifier.wings.papers.ledger.criterion import CLAIM_WORDS
from verifier.wings.papers.ledger.entry import Entry
from verifier.wings.papers.ledger.read import PAPERS
from verifier.wings.papers.ledger.sections import dotted
from verifier.wings.papers.ledger.sheets import tally_text
from verifier.wings.papers.ledger.statements import statements
from verifier.wings.papers.ledger.table import STALE, ReadingRow, rows, word_of
from verifier.wings.report.claim_sections import INDEX
from verifier.wings.report.claims import model_files
from verifier.wings.report.definition_sections import definitions_document
from verifier.wings.report.matrix_page import matrix_document
from verifier.wings.report.pages import ModelPage
from verifier.wings.report.relation_sections import relations_document
from verifier.wings.report.site import markdown, report_markdown
from verifier.wings.report.statement_sections import statements_document
from verifier.wings.report.write import TITLE, checked, claims_of, model_pages

HEAD = "<!-- Made by `make generated`; CI rebuilds it and fails on any difference. -->\n\n"

AT_A_GLANCE = """\
| keys | what | where |
|---|---|---|
{groups}
| properties | Θ-reducibility, relative strength, acceptability | Definitions 8, 9, 14 |
| properties | k-anonymity, strongly safe recodings | LQS12, Definitions 3.6, 3.7 |

[How they relate](relations.md), with the models that refute. Proposition 1 (CDP and IBCDP), Theorem 6's identity,
Proposition 9 and "CDP implies DDP" of DMKB20 fail as printed, each in a model of one to three records. These pages
have the repaired statements ([relations](../proofs/relations.md), [dependency](../proofs/dependency.md),
[simulators](../proofs/simulators.md), [sizes](../proofs/sizes.md)). More
definitions are [listed below](#the-definitions-of-the-atlas), and [their
counts](atlas.md#how-many-definitions-are-there) are explained together.
"""
"""The table of the definitions by their keys, and of what else can be asked of a model."""
OF_THE_ATLAS = """\
## The definitions of the atlas

[The atlas](atlas.md) has these definitions of a survey (DP22), by what they change and with a card for each.
`pkdp definitions KEY` prints a card, and `pkdp check MODEL --definition KEY` decides it on your model. Only `ocdp` and
`rldp` have no formula and are not decided.
"""
"""What comes before the table of the atlas."""
WORDS = """\
You know a mechanism or a definition by another name? Look for it here. pkdp gives the same hint if you use the word as
a kind, a definition, a command or a key, and `pkdp examples WORD` adds models that show it.
"""
"""The beginning of the page docs/words.md."""


def _at_a_glance() -> str:
    """The table: the definitions by their groups, then the properties."""
    known = {**DEFINITIONS, **ON_REQUEST}

    def sources(keys: Sequence[str]) -> str:
        return "<br>".join(dict.fromkeys(known[key].source for key in keys))

    rows = (
        f"| {', '.join(f'`{key}`' for key in keys)} | {group} | {sources(keys)} |" for group, keys in grouped().items()
    )
    return AT_A_GLANCE.rstrip().format(groups="\n".join(rows))


def conventions_page() -> str:
    """The page docs/definitions.md: each definition with its formula and readings, and each convention."""
    document, render = definitions_document(), MarkdownRenderer()
    sections = [text for section in document.sections for text in render.section(section, 2)]
    top = (f"# {document.title}", _at_a_glance(), "## NP or CDP?", NP_OR_CDP)
    return HEAD + "\n\n".join((*top, *sections, OF_THE_ATLAS.rstrip(), _of_the_atlas())) + "\n"


def _of_the_atlas() -> str:
    """A row for each definition of the atlas: its key, title and source, and whether it is another one by name."""
    cells = (
        (f"`{key}`", f"{one.title}, the same as `{one.equal_to}`" if one.equal_to else one.title, source_of(one))
        for key, one in atlas.items()
    )
    return Sheet("", ("key", "definition", "source"), tuple(cells)).markdown()


@cache
def _examples() -> list[ModelPage]:
    return model_pages([read(path) for path in model_files()])


def words_page() -> str:
    """The page docs/words.md: the words of the field that are no name here, with what to write for each."""
    parts = ["# Words of the field", WORDS.rstrip()]
    for about, title in ABOUT.items():
        cells = tuple((", ".join(entry.words), entry.hint) for entry in field_words() if entry.about == about)
        parts += [f"## {title}", Sheet("", ("word", "what to write"), cells).markdown()]
    return HEAD + "\n\n".join(parts) + "\n"


def examples_page() -> str:
    """The page docs/examples.md: the report of DMKB20's Examples 1 to 8, without its drawings."""
    pages = _examples()
    return HEAD + report_markdown(TITLE, pages, claims_of(pages), checked(pages), of_papers=True, plots=False)


def relations_page() -> str:
    """The page docs/relations.md: which definition implies which, with the evidence; then counts over all pairs."""
    texts = markdown(relations_document(relations())), markdown(matrix_document(drawn=False), 2)
    return HEAD + "\n\n".join(texts) + "\n"


def statements_page() -> str:
    """The page proofs/statements.md: a row for each numbered statement, and below them how those that fail do so."""
    return HEAD + markdown(statements_document(statements()), place=beside_ledger) + "\n"


def letter_page(paper: str) -> str:
    """The page docs/errata/<paper>.md, a letter to its authors: what fails as printed, and what holds instead."""
    return HEAD + markdown(letter_document(paper, statements(paper), rows(paper)), place=from_errata) + "\n"


def from_errata(address: str) -> str:
    """Where a page of the report stands as a written proof, as seen from a letter."""
    beside = beside_ledger(address)
    return f"../../proofs/{beside}" if beside else ""


def beside_ledger(address: str) -> str:
    """Where a page of the report stands among the written proofs, a claim as its file; nothing where it does not."""
    folder, _, name = address.removesuffix(".html").rpartition("/")
    if folder == "coq":
        return address
    if address.startswith("#"):
        return "" if address.endswith("-model") else address.lower()
    paper = folder.removeprefix(INDEX.removesuffix("index.html"))
    return f"{paper}/{name}.toml" if paper != folder else ""


def ledger_page() -> str:
    """The page proofs/ledger.md: every claim with its readings, verdicts and what was found."""
    render = MarkdownRenderer(str)
    parts = ["# The claims of the papers", LEDGER_WORDS.rstrip()]
    for paper, of_paper in groupby(rows(), lambda row: row.entry.paper):
        paper_rows = list(of_paper)
        counts = (Paragraph(f"{claims_text(paper_rows)}."), Paragraph(f"{tally_text(paper_rows)}."))
        parts += render.section(Section(paper, (*counts, _by_verdict(paper_rows), _found(paper_rows))), 2)
    # the site looks for the anchor of a link of Markdown among headings alone
    linked = re.sub(r"\[([^]]+)\]\((#[^)]+)\)", r'<a href="\2">\1</a>', "\n\n".join(parts))
    return f"{HEAD}{linked}\n"


def _by_verdict(paper_rows: Sequence[ReadingRow]) -> Grid:
    """The claims of a paper by their words, each once, as links to their rows."""
    groups = (
        RowGroup(f"{word} ({len(claims)})", ((dotted(Link(entry.claim, f"#{_anchor(entry)}") for entry in claims),),))
        for word, claims in by_claim_word(paper_rows).items()
    )
    return Grid("", ("the claim", "claims"), tuple(groups))


def claims_text(listed_rows: Sequence[ReadingRow]) -> str:
    """The number of claims with each word of `CLAIM_WORDS`, in words; each claim counts once."""
    by_word = {word: len(rows_of_word) for word, rows_of_word in by_claim_word(listed_rows).items()}
    listed = [verdict_count(number, word) for word, number in by_word.items()]
    return plural(sum(by_word.values()), "claim") + (f": {', '.join(listed)}" if listed else "")


def by_claim_word(listed_rows: Sequence[ReadingRow]) -> dict[str, list[Entry]]:
    """The claims with each word of `CLAIM_WORDS`, the worst word first; a claim with a stale reading is stale."""
    by_word: dict[str, list[Entry]] = {word: [] for word in (STALE, *CLAIM_WORDS)}
    for entry, of_entry in groupby(listed_rows, lambda row: row.entry):
        by_word[word_of(list(of_entry))].append(entry)
    return {word: entries for word, entries in by_word.items() if entries}


def _found(paper_rows: Sequence[ReadingRow]) -> Grid:
    """What was found of each reading of a paper and, where the claim fails, the repaired statement."""
    groups, anchored = list[RowGroup](), set[str]()
    for row in paper_rows:
        reading = row.reading
        edge = f" It fails only at the end of its range: {reading.edge}." if reading.edge else ""
        repaired = f" Repaired: {reading.repaired}" if reading.repaired else ""
        reason = f" Reason: {reading.because}." if reading.because else ""
        cells = (reading.title, reading.means, [Decision(row.verdict)], f"{reading.found}{edge}{repaired}{reason}")
        anchor = _anchor(row.entry)
        groups.append(RowGroup(row.claim, (cells,), "" if anchor in anchored else anchor))
        anchored.add(anchor)
    return Grid("", ("claim", "reading", "what is meant", "verdict", "what was found"), tuple(groups))


def _anchor(entry: Entry) -> str:
    return f"{entry.paper}-{entry.slug}".lower()


LEDGER_WORDS = """\
`pkdp claims` prints it with the evidence, `pkdp claims "Theorem 3"` one claim in full, and `pkdp report` writes a page
a claim with the counterexample as tables. `pkdp verify proofs/` has the independent checker decide each answer again;
`pkdp claims --again` decides everything again. How an entry is written: [README.md](README.md#an-entry); what
`pkdp verify` reads: [FORMAT.md](FORMAT.md). What each label of a reading means, and how the verdicts of a claim add
up, is in [README.md](README.md#labels). Each paper begins with its claims, each once, the worst word first. What was
left out, because it claims nothing, is in [left-out.md](left-out.md).
"""

GENERATED: dict[str, Callable[[], str]] = {
    "docs/definitions.md": conventions_page,
    "docs/relations.md": relations_page,
    "models/FORMAT.md": format_page,
    "models/model.schema.json": schema_text,
    "proofs/statements.md": statements_page,
    **{f"docs/errata/{paper}.md": partial(letter_page, paper) for paper in PAPERS},
}
"""The files in git: each with the function that writes its text."""
OF_SITE: dict[str, Callable[[], str]] = {
    "docs/words.md": words_page,
    "docs/examples.md": examples_page,
    "proofs/ledger.md": ledger_page,
}
"""The pages of the site alone, as if they stood in the repository; docs/build.py makes them while it builds."""


def main(arguments: list[str]) -> int:
    """Write the files, or compare them with `--check`; return the exit status, 1 where one differs."""
    root = models_folder().parent
    stale = 0
    for name, make in GENERATED.items():
        path, text = root / name, make()
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")  # noqa: T201
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            fresh = path.with_suffix(f".new{path.suffix}")
            fresh.write_text(text, encoding="utf-8")
            print(f"{name} is stale; the new text is {fresh.name} beside it: run `make generated`")  # noqa: T201
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
