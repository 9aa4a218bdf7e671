"""The check of what is said of the numbered statements: against the ledger's verdicts, models and repairs."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.wings.papers.ledger.criterion import FAILS
from verifier.wings.papers.ledger.entry import OfModel
from verifier.wings.papers.ledger.read import PAPERS
from verifier.wings.papers.ledger.statements import RESTORED, Statement, failures_of, statements


def problems(paper: str | None = None) -> list[str]:
    """The lines that say where the files of the statements contradict the ledger or lack a row; empty where nowhere.

    A reading as printed that fails wants exactly one failure; a failure wants readings as printed that fail, a model
    that the ledger's evidence has, and a repair for what holds instead.
    """
    lines: list[str] = []
    for paper_key in PAPERS if paper is None else (paper,):
        every = statements(paper_key)
        known = {statement.entry.claim for statement in every}
        where = f"proofs/statements/{paper_key}.toml"
        lines += [
            f"{where}: {failure.claim} is no numbered statement of {paper_key}"
            for failure in failures_of(paper_key)
            if failure.claim not in known
        ]
        for statement in every:
            lines += [f"{where}: {statement.entry.claim}: {line}" for line in _contradictions(statement)]
    return lines


def _contradictions(statement: Statement) -> Iterator[str]:
    keys = [statement.entry.key(row.reading) for row in statement.failing]
    named = [name for failure in statement.failures for name in failure.of]
    for name in keys:
        if named.count(name) != 1:
            yield f"the reading “{name}” fails, and {named.count(name)} failures are about it. Expected one"
    for name in named:
        if name not in keys:
            yield f"a failure is about “{name}”, which is no reading as printed that fails"
    for failure in statement.failures:
        pieces = (piece for row in statement.rows for piece in row.reading.showing("failure"))
        shown = {piece.model for piece in pieces if isinstance(piece, OfModel)}
        if failure.model and failure.model not in shown:
            yield f"models/{failure.model}.toml is no model by which the ledger shows a failure of it"
        word = statement.word_of(failure)
        if (word == FAILS and failure.restored) or (word == RESTORED and not failure.restored):
            yield f"“{', '.join(failure.of)}” {word} by its readings; `restored` says otherwise"
        repaired = [row for row in statement.rows_of(failure)[:1] if row.reading.showing("repair")]
        if not repaired:
            yield f"the ledger has no evidence for what holds instead of “{', '.join(failure.of)}”"
