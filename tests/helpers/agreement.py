"""Find a count that does not go with its noun or its verb: `1 hold`, `1 records`, `2 holds`, `3 record`."""

from __future__ import annotations

import re
from collections.abc import Iterator

NOUNS = (
    "answer", "case", "certificate", "claim", "comparison", "context", "database", "definition", "distribution",
    "exercise", "linear program", "model", "multiplier", "note", "output", "pair", "piece", "point", "program",
    "question", "reading", "record", "row", "shape", "statement", "step", "test", "tuple", "value", "verdict", "way",
    "world",
)  # fmt: skip
"""The nouns that the program counts; each has its plural with an s."""
VERBS = {"holds": "hold", "fails": "fail", "needs": "need"}
"""The verbs that stand behind a count, with the form that goes with several."""
BEFORE = r"(?:^|(?<=[(:;,] )|(?<=[(>])|(?<=\band )|(?<=[Oo]f )|(?<=\d to ))"
"""Where a count begins; behind a sign or a name, as in n - 1 and Theorem 5, a number counts nothing."""
ADJECTIVES = r"(?:(?:numbered|knowledge|different|more|linear|other) )*"
NOUN = re.compile(rf"{BEFORE}(\d+(?:,\d{3})*) {ADJECTIVES}({'|'.join(NOUNS)})(s?)\b(?![-′'’(])", re.MULTILINE)
VERB = re.compile(rf"{BEFORE}(\d+(?:,\d{3})*) ({'|'.join([*VERBS, *VERBS.values()])})\b", re.MULTILINE)


def disagreements(text: str) -> Iterator[str]:
    """The counts of a text that do not go with the word behind them, each with that word.

    >>> list(disagreements("5 statements: 1 hold, 4 fail; 1 records of 2 value, and Theorem 3 holds for n - 1 records"))
    ['1 records', '2 value', '1 hold']
    """
    for found in NOUN.finditer(text):
        if (found[1] == "1") == bool(found[3]):
            yield found[0]
    for found in VERB.finditer(text):
        if (found[1] == "1") != (found[2] in VERBS):
            yield found[0]
