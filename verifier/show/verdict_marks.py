"""The sign, the colour and the sentence of each of the five verdicts, for every medium.

Nothing else says how a verdict looks: the terminal, Markdown, LaTeX, the pages and the notebooks ask here, the scripts
of the pages are filled in from here, and a test holds the style sheets against it. `holds` and `fails`
are decisions; the other three are none, so that where there are no colours they carry their sign before the word.
"""

from __future__ import annotations

import json
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
NOT_TESTED = f"{SIGNS['vacuous'].sentence[:1].upper()}{SIGNS['vacuous'].sentence[1:]}."
"""The sentence about a vacuous answer."""


def in_text(word: str) -> str:
    """Return a verdict as text without colours: a verdict that is no decision has its sign in front.

    >>> in_text("holds"), in_text("vacuous, restricted to record 3"), in_text("proved")
    ('holds', '○ vacuous, restricted to record 3', 'proved')
    """
    sign = sign_of(word)
    return word if sign is None or word.partition(",")[0] in DECISIONS else f"{sign.mark} {word}"


def sign_of(word: str) -> Sign | None:
    """Return the sign of a verdict, also of `holds, restricted to record 3`; None for a word that is no verdict."""
    return SIGNS.get(word.partition(",")[0])


def signs_json() -> str:
    """Return the signs as JSON, for the scripts of the pages."""
    return json.dumps({word: asdict(sign) for word, sign in SIGNS.items()}, ensure_ascii=False)
