"""The facts that are proved: one part of a definition implies another, or one definition another.

They are data in `data`, each with a proof in `proofs/implications`, or in `proofs/relations.md` for the arrows between
the definitions of the papers; what papers claim stands beside these. That one definition does not imply another is
written nowhere: it is computed from model files (`table.py`, `matrix`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.wings.implications.conditions import CONDITIONS, where_text
from verifier.wings.implications.maps import SAME_MAP, SOME_MAP, composed, map_text, read, words_of
from verifier.wings.implications.parts import decided, matrix_key

FOLDER = Path(__file__).with_name("data")
AXES = ("rows", "measures", "aggregations", "views")
HOWS = ("subset", "mixture", "path")
EVERY = ["*"]
"""The `from` of a fact about a definition that follows from every other one."""
DELTA, SAME, SOME = "with-delta", "same", "some"
LEVELS = (SOME, SAME, DELTA)
"""The questions: some finite ε at δ = 0; the same ε at δ = 0; the same ε and δ. Each asks more than the one before."""
WITH_ERROR = "with-error"
"""The level of a fact that gives (ε′, δ′) with δ′ above 0 from ε at δ = 0: it answers none of the questions."""
_KEYS = {"from", "to", "how", "map", "error", "delta", "when", "orders", "proof", "in_texts"}
_LISTS = ("measures", "rows")
_THERE = frozenset({"none-missing"})
"""The condition that all models of the papers meet: every record is there."""


@dataclass(frozen=True)
class Implication:
    """One fact: `source` implies `target`, which are names of parts on an axis or, on the axis `definitions`, keys.

    `map` is what ε becomes, `error` the δ′ that a bound needs, `delta` whether δ is kept, and `when` the keys of
    conditions; `how`, `orders`, `measures` and `rows` are as in `facts.toml` and `bounds.toml`. `proof` is a page with
    its heading, `in_texts` the number in a paper, where a paper has the fact.
    """

    axis: str
    source: str
    target: str
    proof: str
    how: str = ""
    map: str = SAME_MAP
    delta: bool = True
    when: frozenset[str] = frozenset()
    orders: bool = False
    measures: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    error: str = ""
    in_texts: str = ""

    @property
    def level(self) -> str:
        """The strongest question that the fact answers; `WITH_ERROR` where it answers none."""
        if self.error:
            return WITH_ERROR
        if self.map != SAME_MAP:
            return SOME
        return DELTA if self.delta else SAME

    @property
    def sentence(self) -> str:
        """The fact in words."""
        kind = {"rows": "the rows of ", "measures": "the measure ", "aggregations": "the aggregation "}.get(
            self.axis, ""
        )
        at = "" if self.delta or self.map != SAME_MAP else " at δ = 0"
        where = f", where {where_text(self.when)}" if self.when else ""
        return f"{kind}{self.source} ⟹ {self.target} with {result_text(self.map, self.error)}{at}{where}"

    @property
    def condition(self) -> str:
        """The key of the condition of an arrow in the papers' models, where every record is there; empty for none."""
        return next(iter(self.when - _THERE), "")

    @property
    def text(self) -> str:
        """An arrow in the papers' notation, such as `(ε, δ)-apkdp ⟹ (ε, δ)-ppkdp`."""
        multiple = f"{factor_text((self,))}ε"
        first, second = ("(ε, δ)", f"({multiple}, δ)") if self.delta else ("ε", multiple)
        where = f", where {CONDITIONS[self.condition].text}" if self.condition else ""
        return f"{first}-{self.source} ⟹ {second}-{self.target}{where}"


def factor_text(arrows: Sequence[Implication]) -> str:
    """What ε is multiplied by along arrows in a row, n being the number of records: empty, `2`, `n`, `2n`.

    >>> factor_text(()), factor_text((Implication("definitions", "dp", "np", "", map="n*e"),))
    ('', 'n')
    """
    ((number, symbols),) = terms_of(reduce(composed, (arrow.map for arrow in arrows), SAME_MAP))
    return ("" if number == 1 else str(number)) + "·".join(symbols[:-1])


def result_text(text: str, error: str) -> str:
    """What becomes of ε in words, with the δ′ that it needs, where it needs one.

    >>> result_text("2*e", ""), result_text("0", "pinsker(e)")
    ('2ε', '(0, √(ε/2))')
    """
    return f"({words_of(text)}, {words_of(error)})" if error else map_text(text)


def terms_of(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """The terms of a map without a named bound, each its number and its symbols, of which `e` is the last.

    >>> terms_of("xi+2*n*e")
    [(1, ('xi',)), (2, ('n', 'e'))]
    """
    return [(term.number, (*term.parameters, *([str(term.last)] if term.last else []))) for term in read(text)]


@cache
def implications() -> tuple[Implication, ...]:
    """All facts: those about parts, then those about definitions, then the arrows of the papers.

    >>> len({fact.axis for fact in implications()})
    5

    Raises:
        InputError: for data in another form.

    """
    parts = tomllib.loads((FOLDER / "facts.toml").read_text(encoding="utf-8"))
    listed = [fact for axis in AXES for table in parts[axis] for fact in _read(axis, table, f"facts.toml: [[{axis}]]")]
    listed += [fact for table in bounds() for fact in _read("measures", table, "bounds.toml: [[bound]]")]
    for table in _own():
        sources = decided() if table["from"] == EVERY else table["from"]
        for source in sources:
            targets = [target for target in table["to"] if target != source]
            listed += _read("definitions", {**table, "from": source, "to": targets}, "definitions.toml: [[fact]]")
    keyed = (replace(fact, source=matrix_key(fact.source), target=matrix_key(fact.target)) for fact in ARROWS)
    return (*listed, *keyed)


@cache
def bounds() -> tuple[dict[str, Any], ...]:
    """The table of bounds from measure to measure, as `bounds.toml` has it."""
    return tuple(tomllib.loads((FOLDER / "bounds.toml").read_text(encoding="utf-8"))["bound"])


def _own() -> list[dict[str, Any]]:
    """The tables of facts about whole definitions."""
    return list(tomllib.loads((FOLDER / "definitions.toml").read_text(encoding="utf-8"))["fact"])


@cache
def always_finite() -> frozenset[str]:
    """The definitions that have a finite ε for every mechanism, so that they follow from any other.

    >>> sorted(always_finite())
    ['advpr', 'cbdp', 'sempr']
    """
    return frozenset(target for table in _own() if table["from"] == EVERY for target in table["to"])


def _read(axis: str, table: dict[str, Any], where: str) -> list[Implication]:
    """The facts of one table.

    Raises:
        InputError: for a table in another form.

    """
    fields = dict(table)
    fields.pop("attained", None)  # laws that attain a bound, which the tests try
    if unknown := set(fields) - {*_KEYS, *_LISTS}:
        raise InputError(
            f"the keys {', '.join(sorted(unknown))} are unknown",
            where=where,
            wanted=", ".join(sorted({*_KEYS, *_LISTS})),
        )
    source, targets = fields.pop("from"), fields.pop("to")
    measures, rows = (tuple(fields.pop(name, ())) for name in _LISTS)
    when = frozenset(fields.pop("when", ()))
    facts = [Implication(axis, source, target, when=when, measures=measures, rows=rows, **fields) for target in targets]
    for fact in facts:
        known = fact.how in HOWS if axis == "rows" else not fact.how
        if not known or not _is_map(fact.map) or not _is_map(fact.error or "0") or not fact.when <= CONDITIONS.keys():
            raise InputError(f"{table} has an unknown part", where=where, wanted="a known way, map and condition")
    return facts


def _is_map(text: str) -> bool:
    try:
        return text == SOME_MAP or bool(read(text))
    except InputError:
        return False


# --- the definitions of the papers -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClaimedArrow:
    """An arrow that a paper claims: proved by arrows, or refuted by a model, maybe with a repair.

    `statement` is the claim in our words; `model` refutes it (a path under models/), `repaired` says what holds.
    """

    source: str
    target: str
    statement: str
    where: str
    model: str = ""
    repaired: str = ""
    label: str = "refuted"
    """The verdict on a claim that a model refutes."""

    @property
    def refuted(self) -> bool:
        """Whether a model refutes the claim."""
        return bool(self.model)

    @property
    def verdict(self) -> str:
        """`proved`, or `label` where a model refutes the claim."""
        return self.label if self.refuted else "proved"


TABLES = tomllib.loads((FOLDER / "relations.toml").read_text(encoding="utf-8"))
COMPARED: tuple[str, ...] = tuple(TABLES["places"])
"""The definitions that are compared, in the order of the table."""
SEARCHES: dict[tuple[str, str], str] = {
    (source, target): table["options"]
    for table in TABLES["search"]
    for source in table["sources"]
    for target in table["targets"]
}
"""The options with which a search separates two definitions, if it does not without any."""
ARROWS: tuple[Implication, ...] = tuple(
    fact
    for table in TABLES["arrow"]
    for fact in _read(
        "definitions", {**table, "proof": f"proofs/relations.md, {table['proof']}"}, "relations.toml: [[arrow]]"
    )
)
"""The arrows between the papers' definitions that are proved, by the keys of this project."""
CLAIMS: tuple[ClaimedArrow, ...] = tuple(ClaimedArrow(**table) for table in TABLES["claim"])
"""The arrows that papers claim."""
