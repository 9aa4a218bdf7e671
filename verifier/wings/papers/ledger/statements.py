"""The numbered statements of the papers, one row each: whether it holds, how badly it fails, what holds instead.

The verdict of a row is added up from the ledger's readings and stands in no file: `proofs/statements/PAPER.toml` says
only what the readings do not, for each reading as printed that fails. A test says where the two contradict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.model.keys import Keys, listed, string
from verifier.model.library import proofs_folder
from verifier.wings.papers.ledger.criterion import (
    AS_RESTORED,
    ASIDES,
    BUT_FOR_AN_EDGE,
    CLAIM_WORDS,
    FAILS,
    HOLDS,
    NOT_HERE,
    UNDECIDED,
    of_part,
    parts,
)
from verifier.wings.papers.ledger.entry import (
    EDGE,
    FAILING,
    NOTE,
    PRINTED,
    VARIANT,
    ClaimReading,
    Entry,
    Evidence,
    OfBound,
    OfDerivation,
    OfModel,
    OfProof,
    OfSearch,
    OfTheorem,
)
from verifier.wings.papers.ledger.evidence_hashes import Files, bound_of
from verifier.wings.papers.ledger.evidence_values import filled, reading_values
from verifier.wings.papers.ledger.read import PAPERS, keys_of, one_of, read_entry, tables_in, text_of
from verifier.wings.papers.ledger.table import STALE, ReadingRow, rows_of, word_of

NUMBERED = re.compile(r"(theorem|proposition|lemma|corollary) \d+(\.\d+)*", re.IGNORECASE)
"""The name of a numbered statement: definitions, examples and figures state nothing that could fail."""
FILES = "[tplc]*-[0-9]*.toml"
"""The pattern of the files of theorems, propositions, lemmas and corollaries; the entry says if it is numbered."""
RESTORED = AS_RESTORED
OLDER_WORDS = {"holds as restored": RESTORED}
"""The words of verdicts that had others before, which are still accepted."""
DECIDED = (HOLDS, RESTORED, BUT_FOR_AN_EDGE, FAILS)
"""The verdicts on a numbered statement that is decided."""
WORDS = {
    **{word: CLAIM_WORDS[word] for word in (*DECIDED, UNDECIDED, NOT_HERE)},
    STALE: "the words or the evidence changed since it was decided",
}
"""The verdicts on a statement as a whole, with their meanings; `criterion.of_claim` finds the verdict."""
HOW_BADLY = {
    "wording": "the words or the symbols state something else than the paper itself states elsewhere",
    "an edge case": "it fails only at the end of a range, such as at probability 0, where its formula is empty",
    "a constant": "the form stands, and a number or a formula in it is wrong",
    "a missing condition": "it needs a hypothesis that is not stated, and fails for ordinary models without it",
    "the idea": "what it is derived from does not give it, in ordinary models; another statement holds",
}
"""The words for how badly a statement fails, with their meanings, from the least to the worst."""
KNOWN_BY = {
    OfTheorem: "checked by a proof assistant",
    OfModel: "re-checked model",
    OfDerivation: "derivation that runs",
    OfSearch: "search of a whole scope",
    OfBound: "comparison with exact values",
    OfProof: "prose",
}
"""The words for how a verdict is known, by the kind of evidence."""


SENTENCES = ("because", "shown", "smallest", "instead", "restored", "symbols")
"""The sentences of a failure, which may have placeholders."""
OPTIONAL = ("model", "smallest", "restored", "symbols")
"""The keys of a failure that may be left out."""


@dataclass(frozen=True)
class Failure:
    """A failure of a numbered statement: what `proofs/statements` says of one or more readings of it that fail.

    `claim` names the statement and `of` the readings; `badly` is one of `HOW_BADLY`, for the reason `because`; `shown`
    is the counterexample in a line, `model` its file (empty where numbers alone show it), `smallest` what is known of
    smaller ones; `instead` is what holds, with its hypotheses, and `restored` why it must be what was meant (empty
    where it was not); `symbols` says what letters of the statement mean.
    """

    claim: str
    of: tuple[str, ...]
    badly: str
    because: str
    shown: str
    instead: str
    model: str = ""
    smallest: str = ""
    restored: str = ""
    symbols: str = ""


@dataclass(frozen=True)
class Statement:
    """A numbered statement with the rows of its readings and what is said of those that fail."""

    entry: Entry
    rows: tuple[ReadingRow, ...]
    failures: tuple[Failure, ...]

    @property
    def key(self) -> str:
        """The paper and the name of the entry, such as `DMKB20-theorem-5`."""
        return self.entry.anchor

    @property
    def own(self) -> tuple[ReadingRow, ...]:
        """The rows of the statement's own parts, without its proof and example, and without variants and notes."""
        return tuple(
            row for row in self.rows if row.reading.part not in ASIDES and row.reading.label not in {NOTE, VARIANT}
        )

    @property
    def printed(self) -> tuple[ReadingRow, ...]:
        """The readings as printed, one for each part; for a part that is lost in the text, the restored one."""
        lost = {name for name, part in parts(self.entry.readings) if PRINTED not in {each.label for each in part}}
        return tuple(row for row in self.own if row.reading.label == PRINTED or row.reading.part in lost)

    @property
    def failing(self) -> tuple[ReadingRow, ...]:
        """The readings that fail among those as printed and those at the end of a range."""
        return tuple(
            row for row in self.own if row.verdict in FAILING and (row in self.printed or row.reading.label == EDGE)
        )

    @property
    def verdict(self) -> str:
        """The verdict, a key of `WORDS`: the word of the claim, or `stale` where one of its readings is."""
        return word_of(self.rows)

    def word_of(self, failure: Failure) -> str:
        """The word, a key of `CLAIM_WORDS`, of the part that a failure is about."""
        named = {row.reading.part for row in self.rows_of(failure)}
        return next((of_part(part) for name, part in parts(self.entry.readings) if name in named), FAILS)

    @property
    def badly(self) -> str:
        """The worst of `HOW_BADLY` among the failures; empty where there are none."""
        named = {failure.badly for failure in self.failures}
        return next((word for word in reversed(HOW_BADLY) if word in named), "")

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts of the statement, each with its verdict; empty where there is only one."""
        if len(self.printed) < 2:
            return ()
        return tuple(
            (row.reading.part or "the statement", _part_word(row, self.entry.readings)) for row in self.printed
        )

    @property
    def also_fails(self) -> tuple[str, ...]:
        """The names of the other readings that fail, such as variants of the statement and its printed proof."""
        return tuple(
            self.entry.key(row.reading)
            for row in self.rows
            if row not in self.printed and row not in self.failing and row.verdict in FAILING
        )

    @property
    def not_here(self) -> tuple[str, ...]:
        """The parts that are not decidable here; empty where no part is decided."""
        left = [row for row in self.printed if row.verdict == NOT_HERE]
        return tuple(row.reading.part for row in left) if len(left) < len(self.printed) else ()

    def rows_of(self, failure: Failure) -> tuple[ReadingRow, ...]:
        """The rows of the readings that a failure is about."""
        return tuple(row for row in self.rows if self.entry.key(row.reading) in failure.of)

    @property
    def known_by(self) -> tuple[str, ...]:
        """The kinds of evidence, in words, for the readings as printed that decide the verdict."""
        deciding = self.failing or self.printed
        purpose = "failure" if self.failing else "claim"
        return _kinds(evidence for row in deciding for evidence in row.reading.showing(purpose))

    def repair_known_by(self, failure: Failure) -> tuple[str, ...]:
        """The kinds of evidence, in words, for what holds instead: for the repair of the failure's first reading."""
        return _kinds(evidence for row in self.rows_of(failure)[:1] for evidence in row.reading.showing("repair"))

    def sizes(self, failure: Failure) -> tuple[str, ...]:
        """The lines on what a bound gives at sizes of practice, as they were decided for the failure's readings."""
        return tuple(
            line
            for row in self.rows_of(failure)
            if row.bound is not None
            for evidence, said in zip(row.reading.evidence, row.bound.said, strict=False)
            if evidence.shows == "size"
            for line in said
        )


def _part_word(row: ReadingRow, readings: Sequence[ClaimReading]) -> str:
    """The word of the part of a row; of one that holds or is undecided, the verdict of the row."""
    word = of_part([reading for reading in readings if reading.part == row.reading.part])
    return row.verdict if word in {HOLDS, UNDECIDED, NOT_HERE} else word


def _kinds(pieces: Iterator[Evidence]) -> tuple[str, ...]:
    kinds = {type(evidence) for evidence in pieces}
    return tuple(words for kind, words in KNOWN_BY.items() if kind in kinds)


def is_numbered(claim: str) -> bool:
    """Whether a claim is a theorem, a proposition, a lemma or a corollary with a number.

    >>> is_numbered("Theorem 3.9"), is_numbered("proof of Theorem 5"), is_numbered("Definition 2")
    (True, False, False)
    """
    return NUMBERED.fullmatch(claim) is not None


def statements(paper: str | None = None, claims: Sequence[str] = ()) -> tuple[Statement, ...]:
    """The numbered statements of a paper, or of all papers; with `claims` only those with such a claim or file name.

    >>> [statement.verdict for statement in statements("DMKB20", ["Theorem 5", "Corollary 1"])]
    ['fails', 'holds']

    Raises:
        InputError: where a file of the ledger, or of the statements, is wrong.

    """
    selected: list[Statement] = []
    files = Files()
    for paper_key in PAPERS if paper is None else (paper,):
        bound = bound_of(paper_key)
        failures = failures_of(paper_key)
        read_entries = (read_entry(path) for path in (proofs_folder() / paper_key).glob(FILES))
        numbered = (entry for entry in read_entries if is_numbered(entry.claim) and entry.is_named(claims))
        selected += [
            statement_of(entry, rows_of(entry, bound, files), failures)
            for entry in sorted(numbered, key=lambda entry: entry.order)
        ]
    return tuple(selected)


def statement_of(entry: Entry, rows: Sequence[ReadingRow], failures: Sequence[Failure]) -> Statement:
    """The statement of a claim with these readings; `failures` are those of its paper, of which it has its own.

    A claim that is not numbered has none, and its verdict is that of its readings all the same.
    """
    place = f"statements/{failures_file(entry.paper).name}: {entry.claim}"
    own = (_with_values(failure, rows, place) for failure in failures if failure.claim == entry.claim)
    return Statement(entry, tuple(rows), tuple(own))


def _with_values(failure: Failure, rows: Sequence[ReadingRow], place: str) -> Failure:
    """The failure with the values of the statement's evidence in its sentences; as it is where a reading is stale."""
    if not all(row.fresh for row in rows):
        return failure
    known = [value for row in rows if row.bound for value in reading_values(row.reading, row.bound.said)]
    return filled(failure, SENTENCES, known, place)


def failures_file(paper: str) -> Path:
    """The path of the file that says how the statements of a paper fail."""
    return proofs_folder() / "statements" / f"{paper}.toml"


def failures_of(paper: str) -> tuple[Failure, ...]:
    """The failures of a paper's numbered statements, read from its file in `proofs/statements`; none without a file.

    Raises:
        InputError: for an invalid file, with the key.

    """
    path = failures_file(paper)
    if not path.is_file():
        return ()
    keys = keys_of(path)
    tables = tables_in(keys, "failure", "[[failure]]", keys.take("failure"))
    keys.done()
    return tuple(map(_failure, tables))


def _failure(keys: Keys) -> Failure:
    claim, badly = (text_of(keys, key) for key in ("claim", "badly"))
    place = keys.location.at("of")
    of = tuple(
        string(name, place, "the name of a reading") for name in listed(keys.take("of"), place, "the names of readings")
    )
    because, shown, instead = (text_of(keys, key) for key in ("because", "shown", "instead"))
    model, smallest, restored, symbols = (text_of(keys, key, needed=False) for key in OPTIONAL)
    keys.done()
    one_of(badly, HOW_BADLY, keys.location)
    return Failure(claim, of, badly, because, shown, instead, model, smallest, restored, symbols)
