"""The letters to the authors: what fails as printed, the smallest model, what holds instead, how to check it.

Where Coq proves what holds instead, the theorem is named there, and an appendix states it.

A letter is made from the ledger and says nothing of its own but its greeting; `docs/errata` has one for each text.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.numbers import plural
from verifier.show.sections import (
    Document,
    Link,
    Listing,
    Paragraph,
    Section,
    Strong,
    Text,
)
from verifier.wings.papers.ledger.criterion import BUT_FOR_AN_EDGE, FAILS
from verifier.wings.papers.ledger.entry import EDGE, FAILING, HOLDING, PRINTED, OfModel
from verifier.wings.papers.ledger.sections import (
    claim_path,
    dotted,
    failure_section,
    repair_theorems,
    theorem_blocks,
    theorem_links,
)
from verifier.wings.papers.ledger.statement_sheets import count_text
from verifier.wings.papers.ledger.statements import RESTORED, Statement, is_numbered
from verifier.wings.papers.ledger.table import ReadingRow
from verifier.wings.report.statement_sections import TEXTS


def letter_document(paper: str, listed: Sequence[Statement], ledger: Sequence[ReadingRow]) -> Document:
    """The letter about one text; `listed` and `ledger` are its numbered statements and all its readings.

    Of what fails outside the numbered statements, it explains what it quotes, and names the rest.
    """
    badly = [statement for statement in listed if statement.verdict == FAILS]
    slightly = [statement for statement in listed if statement.verdict == RESTORED and statement.failures]
    at_edges = [statement for statement in listed if statement.verdict == BUT_FOR_AN_EDGE]
    others = [row for row in ledger if _is_false_sentence(row)]
    shown = [row for row in others if row.reading.quote and not _is_at_an_edge(row)]
    named = [row for row in others if row not in shown] + [row for statement in at_edges for row in statement.failing]
    sections = (
        _statements("Numbered statements that fail as printed", badly),
        _statements("Numbered statements that hold as they must have been meant", slightly),
        _sentences(shown),
        _names(named),
        _how_to_check(paper),
        _in_coq([*(row for statement in (*badly, *slightly) for row in _repaired(statement)), *shown]),
    )
    return Document(
        path=f"errata/{paper}.html",
        title=f"To the authors of {paper}",
        below=tuple(Paragraph(text) for text in _greeting(paper, listed, ledger)),
        sections=tuple(section for section in sections if section is not None),
    )


def _is_false_sentence(row: ReadingRow) -> bool:
    """Whether the row is about a sentence of the text, outside its numbered statements, that fails as printed."""
    reading = row.reading
    return reading.label in {PRINTED, EDGE} and row.verdict in FAILING and not is_numbered(row.entry.claim)


def _is_at_an_edge(row: ReadingRow) -> bool:
    """Whether the sentence fails only at the end of its range: its author would call it pedantic to dwell on that."""
    return bool(row.reading.edge) or row.reading.label == EDGE


def _quoted(rows: Sequence[ReadingRow]) -> str:
    """What the page prints, in quotation marks; empty where no reading of these rows quotes it."""
    return " ".join(f"“{row.reading.quote}”" for row in rows if row.reading.quote)


def _greeting(paper: str, listed: Sequence[Statement], ledger: Sequence[ReadingRow]) -> tuple[str, ...]:
    claims = len({row.entry.claim for row in ledger})
    decided = [row for row in ledger if row.reading.label == PRINTED and row.verdict in (*HOLDING, *FAILING)]
    holding = sum(row.verdict in HOLDING for row in decided)
    numbered = f" It has {count_text(listed)}." if listed else ""
    return (
        "Dear authors,",
        (
            f"We read {TEXTS[paper]} with a program that decides definitions of privacy exactly on small finite "
            f"models. We worked through {plural(claims, 'claim')}, part by part: of the {plural(len(decided), 'part')} "
            f"that we could decide, {plural(holding, 'holds', 'hold')} as printed.{numbered}"
        ),
        (
            "Below are the sentences that seem to us to say something else than what holds. Each has the smallest case "
            "that we know, for a pencil, and a statement that holds. We read an extracted text, in which formulas are "
            "damaged, so we may have misread you. If we did, we are glad to be corrected."
        ),
    )


def _statements(heading: str, failing: Sequence[Statement]) -> Section | None:
    if not failing:
        return None
    return Section(heading, (), sections=tuple(_statement(statement) for statement in failing))


def _statement(statement: Statement) -> Section:
    """One statement: what is printed, why it fails, the smallest case, what holds, and one command that checks it."""
    entry = statement.entry
    printed = _quoted(statement.failing)
    said = Paragraph(f"Printed: {printed}" if printed else f"As we read it: {entry.statement}")
    failures = tuple(failure_section(statement, failure) for failure in statement.failures)
    return Section(f"{entry.claim} ({entry.place})", (said,), sections=failures)


def _sentences(rows: Sequence[ReadingRow]) -> Section | None:
    """What fails of definitions, examples, figures and tables: one line for each reading."""
    if not rows:
        return None
    return Section("Definitions, examples and figures", (Listing(tuple(map(_sentence, rows))),))


def _sentence(row: ReadingRow) -> Text:
    unrepaired, none, why = row.reading.repaired.partition("none: ")
    instead = f" We know of no repair: {why}" if none and not unrepaired else f" Instead: {row.reading.repaired}"
    stop = "" if row.reading.quote.endswith(".") else "."
    models = [piece.model for piece in row.reading.showing("failure") if isinstance(piece, OfModel)]
    check = f" To check it: `pkdp check models/{models[0]}.toml --expect`" if models else ""
    proved = theorem_links(repair_theorems([row]))
    said = f" ({row.entry.place}): {_quoted([row])}{stop} {row.reading.found}{instead}"
    return (Strong(row.claim), said, *((" In Coq: ", *proved, ".") if proved else ()), check)


OTHERS = (
    "These are sentences between them, steps of proofs, and what fails only at the end of its range. Each has an entry "
    "among the claims:"
)


def _names(rows: Sequence[ReadingRow]) -> Section | None:
    """The names of the other claims with a sentence that fails; the ledger has what was found."""
    if not rows:
        return None
    entries = {row.entry.slug: row.entry for row in rows}
    links = dotted(Link(entry.claim, claim_path(entry)) for entry in entries.values())
    return Section("Smaller things", (Paragraph(OTHERS), Paragraph(links)))


def _repaired(statement: Statement) -> list[ReadingRow]:
    """The rows of the readings that a letter explains, in the order in which it does."""
    return [row for failure in statement.failures for row in statement.rows_of(failure)]


IN_COQ = (
    "For finite distributions of any size with rational probabilities, and any rational e^ε, Coq has checked proofs of "
    "these corrected statements, which assume no axiom; `make theorems` checks them again. E is e^ε, and d is δ; the "
    "head of each file explains its words."
)


def _in_coq(rows: Sequence[ReadingRow]) -> Section | None:
    """The appendix: each theorem in Coq that the letter names, in words and as the file states it."""
    blocks = tuple(theorem_blocks(repair_theorems(rows)))
    return Section("Appendix: the corrected statements in Coq", (Paragraph(IN_COQ), *blocks)) if blocks else None


def _how_to_check(paper: str) -> Section:
    blocks = (
        Paragraph(
            "Each case is a file of a few lines, with exact rational numbers. The independent checker, which shares no "
            "code with pkdp, derives each answer again. The installation takes a minute; then you can type:"
        ),
        Listing(
            (
                f"`pkdp claims {paper}` lists the numbered statements, and what holds instead.",
                f'`pkdp claims {paper} "CLAIM"` prints one claim, and with `--all` every reading and its evidence.',
                "`pkdp check MODEL --expect` decides the answers about a model again.",
                "`pkdp verify proofs/` has the independent checker decide each answer again, from the model's file.",
            )
        ),
        Paragraph("With thanks for a paper that deserves to be checked line by line,"),
        Paragraph("the maintainers of pkdp"),
    )
    return Section("How to check this", blocks)
