"""The setting of a certificate about a definition of DP22: databases, laws of the output, worlds, and the policy.

A certificate with `engine = "schemes"` has, beside question and answer: `size` (a number of records, or `[from, to]`
for multisets), `values`, `secrets`, `worlds` and `mechanism` as other certificates, the mechanism on all databases of
which it has a law, and `policy`, written as in a model file with labels as texts.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple, TypeAlias

from verifier.checker.labels import NOTHING
from verifier.checker.numbers import Rejected, law_of, number
from verifier.checker.policy import Database, Policy, Reader
from verifier.checker.rejected import Beyond
from verifier.checker.written import ONE, protected

Law: TypeAlias = dict[str, Fraction]
World: TypeAlias = tuple[Database, str, Any, Fraction]
"""A world: the database, B̂, the sensitive value (None where records are protected), and the probability."""
MOST_DATABASES = 1 << 12
"""Most databases of a certificate."""


class Row(NamedTuple):
    """An ordered pair of laws, P against Q, with the multiple c of ε that it may have, and its names.

    `words` says what is compared, and `event` of which outputs, where it is of some. `weight` is the share of the row
    in its group, the rows that count together.
    """

    p: Law
    q: Law
    words: str
    databases: tuple[Database, Database] | None = None
    scale: Fraction = ONE
    distribution: str | None = None
    record: int | None = None
    weight: Fraction = ONE
    group: Any = None
    event: frozenset[str] | None = None

    def named(self, text: str) -> bool:
        """Whether a text names the row; the outputs of its event stand in any order."""
        if self.event is None:
            return text == self.words
        start, end = f"{self.words}, event {{", "}"
        inside = text.removeprefix(start).removesuffix(end)
        return text == f"{start}{inside}{end}" and _lists(inside, self.event)


def _lists(text: str, labels: frozenset[str]) -> bool:
    """Whether a text lists all of the labels, in some order, with commas; a label may have a comma, too."""
    if len(labels) == 1:
        return text in labels
    fits = (label for label in labels if text.startswith(f"{label}, "))
    return any(_lists(text[len(label) + 2 :], labels - {label}) for label in fits)


class Setting:
    """The tables of a certificate, once they are well formed."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        self.values: list[str] = list(certificate["values"])
        self.delta = number(certificate.get("question", {}).get("delta", "0"))
        size = certificate["size"]
        self.lists = type(size) is int
        first, last = (size, size) if self.lists else tuple(size)
        if type(first) is not int or type(last) is not int or not 0 <= first <= last or last < 1:
            raise Rejected("size is a number of records, or two with 0 ≤ from ≤ to")
        if not self.values or len(set(self.values)) != len(self.values):
            raise Rejected("values must be distinct")
        self.first, self.size = first, last
        if len(self.values) ** last > MOST_DATABASES:
            raise Beyond("there are too many databases")
        self.databases: list[Database] = (
            list(product(self.values, repeat=last))
            if self.lists
            else [d for n in range(first, last + 1) for d in combinations_with_replacement(self.values, n)]
        )
        self.policy: Policy = Reader(self.values, self.size, None if self.lists else first).read(certificate["policy"])
        self.mechanism: dict[Database, Law] = {}
        for database, law in certificate["mechanism"]:
            if tuple(database) in self.mechanism:
                raise Rejected(f"the mechanism has two laws on {database}")
            self.mechanism[tuple(database)] = law_of(law, "the mechanism has a law that is no law")
        if not set(self.mechanism) <= set(self.databases):
            raise Rejected("the mechanism has a law on what is no database of this size")
        self.secrets: list[Any] = list(certificate["secrets"])
        if self.lists:
            protected(self.secrets, last)
        self.worlds = {theta: _worlds(rows, set(self.databases)) for theta, rows in certificate["worlds"].items()}

    def law(self, database: Database) -> Law:
        """The law of M(D)."""
        if database not in self.mechanism:
            raise Rejected(f"the mechanism has no law for {list(database)}")
        return self.mechanism[database]

    def row(self, d: Database, e: Database, scale: Fraction = ONE) -> Row:
        """M(D) against M(D′), at a multiple of ε."""
        return Row(self.law(d), self.law(e), against(d, e) + allowed(scale), (d, e), scale)

    @property
    def records(self) -> list[int]:
        """The records that are protected."""
        if not self.lists or self.secrets == ["S"]:
            raise Rejected("this definition is about records, and the model has none")
        return self.secrets

    def need(self, field: str) -> Any:
        """A field of the policy that the definition needs."""
        if field not in self.policy:
            raise Rejected(f"this definition needs `{field}` in [policy]")
        return self.policy[field]

    @property
    def thetas(self) -> dict[str, list[World]]:
        """The possible worlds of each θ, of which there must be one."""
        if not self.worlds:
            raise Rejected("there is no distribution")
        return self.worlds


def _worlds(rows: list[Any], databases: set[Database]) -> list[World]:
    worlds = [(tuple(d), NOTHING if known is None else known, secret, number(p)) for d, known, secret, p in rows]
    if sum(world[3] for world in worlds) != 1 or any(world[0] not in databases for world in worlds):
        raise Rejected("a distribution is no law on databases")
    return [world for world in worlds if world[3]]


def telling(setting: Setting) -> Setting:
    """The same setting, changed: its mechanism puts out the database, so that a law of outputs is one on databases."""
    setting.mechanism = {database: {_output(database): Fraction(1)} for database in setting.databases}
    return setting


def _output(database: Database) -> str:
    """A database as one output; no two have the same."""
    return json.dumps(list(database), ensure_ascii=False)


def on_databases(law: dict[str, Fraction]) -> dict[Database, Fraction]:
    """A law of the output of the mechanism that tells the database, as a law on databases."""
    return {tuple(json.loads(text)): weight for text, weight in law.items() if weight}


def database_text(database: Database) -> str:
    """A database as it is named: `[a, b]`."""
    return f"[{', '.join(database)}]"


def against(d: Database, e: Database) -> str:
    """The name of a row that compares the mechanism on two databases."""
    return f"M({database_text(d)}) against M({database_text(e)})"


def allowed(scale: Fraction) -> str:
    """The words for a multiple of ε in the name of a row; none for 1."""
    return "" if scale == 1 else f", allowed {scale}·ε"
