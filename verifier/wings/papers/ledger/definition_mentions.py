"""The definitions that a numbered statement speaks of, found by their names in its words.

Papers write these names with at least two capital letters (NP, APK-DP, DivDP), but for one, which is an adjective.
"""

from __future__ import annotations

import re

from verifier.definitions import Definition, find
from verifier.errors import InputError
from verifier.wings.papers.ledger.statements import Statement

NAME = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z]|[A-Z]+-)[A-Za-z]+(?:-[A-Z]+)?\b")
"""The pattern of what may be the name of a definition in a paper."""
PHRASES = {"bounded dependent": "dependency"}
"""The keys of definitions that papers call by other words, by these words."""


def definitions_of(statement: Statement) -> list[Definition]:
    """Return the definitions that a statement, or what holds instead, names, in the order of the words."""
    text = " ".join([statement.entry.statement, *(failure.instead for failure in statement.failures)])
    named = [(match.start(), match.group()) for match in NAME.finditer(text)]
    named += [(text.index(phrase), key) for phrase, key in PHRASES.items() if phrase in text]
    definitions = {}
    for _, name in sorted(named):
        try:
            definition = find(name)
        except InputError:  # the name of something else, such as GK17
            continue
        definitions[definition.key] = definition
    return list(definitions.values())


def uses_text(statement: Statement) -> str:
    """Return a line with the definitions of a statement, their numbers in the papers, and where to read them.

    Empty where it speaks of none.
    """
    definitions = definitions_of(statement)
    if not definitions:
        return ""
    listed = "; ".join(f"{definition.key}, {definition.title} ({definition.source})" for definition in definitions)
    cards = " ".join(definition.key for definition in definitions)
    return f"Definitions in it: {listed}. In full: `pkdp definitions {cards}`"
