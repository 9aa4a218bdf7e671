"""How each of the five verdicts is shown: its sign, its colour and its sentence, for every medium.

Nothing else says how a verdict looks: the terminal, Markdown, LaTeX, the pages and the notebooks ask here, the scripts
of the pages are filled in from here, and a test holds the style sheets against it. `holds` and `fails`
are decisions; the other three are none, so that where there are no colours they carry their sign before the word.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Sign:
    """The sign of a verdict, its colour by name in style sheets and in the terminal, and what it means."""

    mark: str
    tone: str
    style: str
    sentence: str


SIGNS = {
    "holds": Sign("✓", "good", "green", "the inequality holds for every comparison, boundaries included"),
    "fails": Sign("✗", "bad", "red", "one comparison breaks the inequality, and is named"),
    "vacuous": Sign("○", "void", "cyan", "nothing is compared: the mechanism was not tested"),
    "undecided": Sign("?", "odd", "magenta", "not decided within the limits: neither holds nor fails is said"),
    "unsupported": Sign(
        "–", "soft", "yellow", "no answer: the definition does not speak of the model, or it is too large"
    ),
}
"""The five verdicts, in the order in which they are explained."""
DECISIONS = frozenset({"holds", "fails"})
VERDICT_COLUMNS = ("verdict", "for all values")
"""Heads of the columns of a table whose cells are verdicts."""
ITEMS = ("item", "answer")
"""Heads of one answer, item by item."""
NOT_TESTED = f"{SIGNS['vacuous'].sentence[:1].upper()}{SIGNS['vacuous'].sentence[1:]}."
"""What is said of a vacuous answer wherever it stands."""


def in_text(word: str) -> str:
    """A verdict where there are no colours: what is no decision has its sign in front.

    >>> in_text("holds"), in_text("vacuous"), in_text("3/4")
    ('holds', '○ vacuous', '3/4')
    """
    return f"{SIGNS[word].mark} {word}" if word in SIGNS.keys() - DECISIONS else word


def signed(columns: Sequence[str], row: Sequence[str]) -> list[str]:
    """A row of a table as a text: signs in the columns of verdicts, and in the row of the verdict of a list of items.

    >>> signed(("definition", "verdict"), ("np", "vacuous")), signed(("item", "answer"), ("verdict", "vacuous"))
    (['np', '○ vacuous'], ['verdict', '○ vacuous'])
    """
    whole = tuple(columns) == ITEMS and row[0] == "verdict"
    return [in_text(cell) if whole or columns[k] in VERDICT_COLUMNS else cell for k, cell in enumerate(row)]


def signs_json() -> str:
    """The signs for a script."""
    return json.dumps({word: asdict(sign) for word, sign in SIGNS.items()}, ensure_ascii=False)
