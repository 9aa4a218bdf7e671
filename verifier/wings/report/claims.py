"""Which readings of the ledger the report of DMKB20's Examples 1 to 8 shows first: a choice, and no verdict.

The words of each reading and its verdict stand in `proofs/DMKB20/`, and nowhere else.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from verifier.model.bundled import bundled
from verifier.wings.papers.ledger.entry import OfModel
from verifier.wings.papers.ledger.table import ReadingRow, rows

PAPER = "DMKB20"
CHOSEN: tuple[tuple[str, str], ...] = (
    ("proposition-4", "NP gives CDP / as printed"),
    ("proposition-4", "CDP gives NP / as printed"),
    ("example-1", "not in NP / as printed"),
    ("example-1", "less knowledge, more power / as printed"),
    ("section-2.2-after-proposition-1", "Example 1, b bounded / as printed"),
    ("section-2.1-after-definition-4", "as printed"),
    ("section-2.2-cdp-and-ddp", "CDP gives DDP / as printed"),
    ("example-2", "as printed"),
    ("example-3", "NP / as printed"),
    ("example-3", "not CDP / as printed"),
    ("example-4", "might be in NP / as printed"),
    ("example-4", "not in CDP / as printed"),
    ("example-5", "one triple / as printed"),
    ("example-5", "two or more triples / as printed"),
    ("definition-8", "at all indices / as printed"),
    ("example-6", "first normalization / as printed"),
    ("example-6", "second normalization / as printed"),
    ("example-6", "what is protected has to change / as printed"),
    ("example-7", "active and passive / as printed"),
    ("example-8", "composition / as printed"),
)
"""The names of entry and reading: first the paper's main claim, then in the order of its section 2."""
ALSO = ("example-7-twelve-voters", "example-7-twelve-voters-zero")
"""Models of the examples that no reading above rests on."""
TOO_LARGE = ("example-7-thousand-voters", "example-8-thousand-voters")
"""Models that no page can list; `proofs/DMKB20/evidence.json` has what was decided of them."""


@cache
def chosen() -> tuple[ReadingRow, ...]:
    """The rows of the ledger that the first page lists.

    >>> len(chosen()) == len(CHOSEN)
    True
    """
    named = {(row.entry.slug, row.entry.key(row.reading)): row for row in rows(PAPER)}
    return tuple(named[key] for key in CHOSEN)


def model_files() -> list[Path]:
    """The model files of the report: those that these rows rest on, and the other sizes of Example 7."""
    named = {piece.model for row in chosen() for piece in row.reading.evidence if isinstance(piece, OfModel)}
    named |= {f"{PAPER}/{name}" for name in ALSO}
    named -= {f"{PAPER}/{name}" for name in TOO_LARGE}
    return [path for name, path in bundled().items() if name in named]
