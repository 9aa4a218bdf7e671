"""The facts from which the matrix is derived: one part of a definition implies another, or one definition another.

They are data in `data`, each with a proof in `proofs/implications`; the arrows of the papers are facts too.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.wings.implications.matrix.conditions import CONDITIONS, where_text
from verifier.wings.implications.matrix.parts import decided, matrix_key
from verifier.wings.implications.table.arrows import ARROWS, Arrow

FOLDER = Path(__file__).with_name("data")
AXES = ("rows", "measures", "aggregations", "views")
HOWS = ("subset", "mixture", "path")
SAME_MAP, SOME_MAP = "e", "some"
EVERY = ["*"]
"""The `from` of a fact about a definition that follows from every other one."""
DELTA, SAME, SOME = "with-delta", "same", "some"
LEVELS = (SOME, SAME, DELTA)
"""The questions: some finite ε at δ = 0; the same ε at δ = 0; the same ε and δ. Each asks more than the one before."""
MAPS = re.compile(r"(?:\d+\*)?(?:n\*|group\*)?e|xi\+(?:order\*)?e|some|xi|mu")
_ORDER = ("n", "group", "order", "xi", "mu", "e")
_KEYS = {"from", "to", "how", "map", "delta", "when", "orders", "measures", "proof"}
_SYMBOLS = {"e": "ε", "xi": "ξ", "mu": "μ", "group": "c", "order": "α", "*": "", "+": " + "}


@dataclass(frozen=True)
class Implication:
    """One fact: `source` implies `target`, which are names of parts on an axis or, on the axis `definitions`, keys.

    `map` is what ε becomes, `delta` whether δ is kept, and `when` the keys of conditions; `how`, `orders` and
    `measures` are as in `facts.toml`. `proof` is a page with its heading.
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

    @property
    def level(self) -> str:
        """The strongest question that the fact answers."""
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
        return f"{kind}{self.source} ⟹ {self.target} with {map_text(self.map)}{at}{where}"


def map_text(text: str) -> str:
    """A map of ε in words.

    >>> map_text("2*n*e"), map_text("some"), map_text("e"), map_text("xi+order*e")
    ('2nε', 'a finite ε′ that depends on the mechanism', 'the same ε', 'ξ + αε')
    """
    if text == SAME_MAP:
        return "the same ε"
    if text == SOME_MAP:
        return "a finite ε′ that depends on the mechanism"
    return re.sub(r"[a-z]+|[*+]", lambda match: _SYMBOLS.get(match[0], match[0]), text)


def composed(first: str, second: str) -> str:
    """The map of two facts in a row: `second` after `first`, as a sum of products, each number and symbol once.

    >>> composed("n*e", "2*e"), composed("2*e", "2*e"), composed("some", "2*e"), composed("xi+order*e", "2*e")
    ('2*n*e', '4*e', 'some', '2*xi+2*order*e')
    """
    if SOME_MAP in {first, second}:
        return SOME_MAP
    terms: Counter[tuple[str, ...]] = Counter()
    for outer, symbols in terms_of(second):
        if "e" not in symbols:
            terms[symbols] += outer
            continue
        beside = symbols[: symbols.index("e")]
        for inner, replaced in terms_of(first):
            terms[tuple(sorted((*beside, *replaced), key=_ORDER.index))] += outer * inner
    return "+".join("*".join([*([str(number)] if number > 1 else []), *symbols]) for symbols, number in terms.items())


def terms_of(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """The terms of a map, each its number and its symbols, of which `e` is the last.

    >>> terms_of("xi+2*n*e")
    [(1, ('xi',)), (2, ('n', 'e'))]
    """
    terms = []
    for term in text.split("+"):
        numbers = [int(factor) for factor in term.split("*") if factor.isdecimal()]
        terms.append((prod(numbers), tuple(factor for factor in term.split("*") if not factor.isdecimal())))
    return terms


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
    for table in _own():
        sources = decided() if table["from"] == EVERY else table["from"]
        for source in sources:
            targets = [target for target in table["to"] if target != source]
            listed += _read("definitions", {**table, "from": source, "to": targets}, "definitions.toml: [[fact]]")
    return (*listed, *(_arrow(arrow) for arrow in ARROWS))


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
    if unknown := set(fields) - _KEYS:
        raise InputError(f"given the keys {', '.join(sorted(unknown))}", where=where, wanted=", ".join(sorted(_KEYS)))
    source, targets = fields.pop("from"), fields.pop("to")
    measures, when = tuple(fields.pop("measures", ())), frozenset(fields.pop("when", ()))
    facts = [Implication(axis, source, target, measures=measures, when=when, **fields) for target in targets]
    for fact in facts:
        known = fact.how in HOWS if axis == "rows" else not fact.how
        if not known or not MAPS.fullmatch(fact.map) or not fact.when <= CONDITIONS.keys():
            raise InputError(f"given {table}", where=where, wanted="a known way, map and condition")
    return facts


def _arrow(arrow: Arrow) -> Implication:
    """An arrow of the papers as a fact."""
    factor = f"{arrow.factor}*" if arrow.factor != 1 else ""
    size = "n*" if arrow.per_record else ""
    source, target = matrix_key(arrow.source), matrix_key(arrow.target)
    proof = f"proofs/relations.md, {arrow.proof}"
    when = frozenset(([arrow.condition] if arrow.condition else []) + (["none-missing"] if arrow.there else []))
    return Implication("definitions", source, target, proof, "", f"{factor}{size}e", arrow.delta, when)
