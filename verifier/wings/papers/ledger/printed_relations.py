"""DP22's printed relations beside the matrix: which agree, which are refuted, and which are not decided.

`A ≻ B` asks of the matrix that A implies B for some ε, at one [policy]; `A ∼ B` asks both orders. `A ⊂ B` says that an
instance of B is identical to A; where each implies the other with the same ε, on one condition on [policy] or on none,
it agrees. That no such condition is known here refutes nothing, since B may have other parameters. Where the ledger of
DP22 refutes a sign, or finds it ambiguous, that is the verdict, with what the matrix has about it; and so it is where
the ledger proves a sign that the matrix does not have, or has at other parameters.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from verifier.definitions.registry import entry_of
from verifier.errors import InputError
from verifier.show.sheet import Sheet
from verifier.tables import collected
from verifier.wings.implications.conditions import where_text
from verifier.wings.implications.facts import SAME, SOME, result_text
from verifier.wings.implications.maps import SOME_MAP, map_text
from verifier.wings.implications.matrix.matrix import COMPLETE, ONE, OPEN, VACUOUS, MatrixCell, ModelSeparation, matrix
from verifier.wings.implications.parts import decided
from verifier.wings.papers.ledger.entry import PRINTED, ClaimReading
from verifier.wings.papers.ledger.read import entries

DATA = Path(__file__).with_name("printed-relations.toml")
AGREES, ONE_KEY, IN_PART, UNDER_CONDITION, CLAIM_PROVED, DISAGREES, IN_LEDGER, BY_READING, NOT_DECIDED = (
    "agrees",
    "one implementation here",
    "agrees of each mechanism alone",
    "agrees under a condition",
    "proved as a claim",
    "a model refutes it",
    "refuted as a claim",
    "ambiguous as a claim",
    "not decided here",
)
ONE_IMPLEMENTATION = "the two keys have one implementation here: that they agree is no evidence"
AT_ONE_POLICY = "a model refutes it at one choice of other parameters"
VERDICTS = (
    AGREES,
    ONE_KEY,
    IN_PART,
    UNDER_CONDITION,
    CLAIM_PROVED,
    AT_ONE_POLICY,
    DISAGREES,
    IN_LEDGER,
    BY_READING,
    NOT_DECIDED,
)
"""The verdicts on a printed relation.

Two keys with one implementation agree without evidence; "of each mechanism alone" says that ε′ is finite, and no bound
in ε is known at δ = 0.
"""
IN_WORDS = {"refuted": IN_LEDGER, "misprint": IN_LEDGER, "ambiguous": BY_READING}
"""The verdict that the ledger's verdict on a sign as printed gives."""
PROVED_THERE = {"proved", "checked"}
"""The verdicts of the ledger that settle a sign that the matrix does not."""
UNSETTLED = {NOT_DECIDED, AT_ONE_POLICY, ONE_KEY}
SIGNS = {"extends": "⊃", "extended-by": "⊂", "weaker": "≺", "stronger": "≻", "equivalent": "∼"}


@dataclass(frozen=True)
class PrintedRelation:
    """One sign between two definitions of Table 3, the verdict of the matrix on it, and why."""

    source: str
    sign: str
    target: str
    verdict: str
    because: str

    @property
    def text(self) -> str:
        """The relation as it is printed, with the keys of this project for DP22's names."""
        return f"{self.source} {SIGNS[self.sign]} {self.target}"


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


@cache
def printed() -> tuple[PrintedRelation, ...]:
    """Every printed sign with its verdict, row by row.

    >>> [each.verdict for each in printed() if each.text == "anpr ∼ npr"]
    ['agrees']

    Raises:
        InputError: for data in another form.

    """
    content = _data()
    listed = []
    for row in content["rows"]:
        source, *signs, target = row.split()
        if not set(signs) <= set(SIGNS) or not {source, target} <= set(decided()):
            raise InputError(f"{row} is not a relation", where=DATA.name, wanted="two keys with signs between them")
        listed += [_compared(source, sign, target) for sign in signs]
    for source, dimension in content["stronger-than-all-of"].items():
        same = [key for key in decided() if entry_of(key).get("dimensions") == dimension and key != source]
        listed += [_compared(source, "stronger", key) for key in same]
    return tuple(listed)


@cache
def ledger_readings() -> Mapping[str, Sequence[tuple[str, ClaimReading]]]:
    """The readings of DP22's ledger about each sign and cell of Table 3, with the names of their claims and parts.

    >>> [(name, reading.verdict) for name, reading in ledger_readings()["zkpr ≻ dp-any"]]
    [('Definition 41, gives DP', 'refuted')]
    """
    return collected(
        (sign, (f"{entry.claim}, {reading.part}" if reading.part else entry.claim, reading))
        for entry in entries("DP22")
        for reading in entry.readings
        for sign in reading.signs
    )


def _compared(source: str, sign: str, target: str) -> PrintedRelation:
    verdict, because = _derived(source, sign, target)
    relation = PrintedRelation(source, sign, target, verdict, because)
    for name, reading in ledger_readings().get(relation.text, ()):
        beside = f"; here: {because}" if verdict != NOT_DECIDED else ""
        claimed = f"the claim DP22, {name}{beside}"
        if reading.label == PRINTED and reading.verdict in IN_WORDS:
            return replace(relation, verdict=IN_WORDS[reading.verdict], because=claimed)
        if reading.label == PRINTED and reading.verdict in PROVED_THERE and verdict in UNSETTLED:
            return replace(relation, verdict=CLAIM_PROVED, because=claimed)
    return relation


def _derived(source: str, sign: str, target: str) -> tuple[str, str]:
    """The verdict of the matrix on a sign, with its reason."""
    if sign in {"extends", "extended-by"}:
        return _extension(source, target)
    orders = {"stronger": [(source, target)], "weaker": [(target, source)]}
    pairs = orders.get(sign, [(source, target), (target, source)])
    answers = [_strength(matrix().cells[SOME][pair]) for pair in pairs]
    order = (DISAGREES, AT_ONE_POLICY, NOT_DECIDED, UNDER_CONDITION, IN_PART, ONE_KEY, AGREES)
    verdict = next(word for word in order if word in dict(answers))
    return verdict, "; ".join(dict.fromkeys(text for word, text in answers if word == verdict))


def _strength(cell: MatrixCell) -> tuple[str, str]:
    """The verdict, with its reason, on whether the first implies the second for some ε."""
    if cell.state == ONE:
        return ONE_KEY, ONE_IMPLEMENTATION
    if cell.chain is not None and (cell.chain.map != SOME_MAP or not cell.conditional):
        beside = f"; with δ above 0 {result_text(error.map, error.error)}" if (error := cell.with_delta) else ""
        return IN_PART if cell.chain.map == SOME_MAP else AGREES, f"with {map_text(cell.chain.map)}{beside}"
    if cell.conditional:
        chain = cell.conditional[0]
        return UNDER_CONDITION, f"with {map_text(chain.map)} where {where_text(chain.when)}"
    if cell.separation is not None:
        free = _data()["free"].get(cell.target)
        if free is not None:
            return AT_ONE_POLICY, f"{_model(cell, cell.separation)}; Definition 6 leaves {free} free"
        return DISAGREES, _model(cell, cell.separation)
    if cell.state not in {OPEN, COMPLETE}:
        raise ArithmeticError(f"{cell.source} and {cell.target} are {cell.state} without evidence")
    return NOT_DECIDED, cell.state


def _model(cell: MatrixCell, shown: ModelSeparation) -> str:
    second = "no finite ε" if shown.second == "inf" else f"ε = {shown.second}"
    first = "vacuous" if shown.first == VACUOUS else f"with ε = {shown.first}"
    return f"models/{shown.model}.toml: {cell.source} {first}, {cell.target} with {second}"


def _extension(source: str, target: str) -> tuple[str, str]:
    """The verdict, with its reason, on whether the two are one definition, on one condition or on none."""
    there, back = (matrix().cells[SAME][pair] for pair in ((source, target), (target, source)))
    both = [
        first.when | second.when
        for first, second in product(
            *(cell.conditional if cell.chain is None else (cell.chain,) for cell in (there, back))
        )
    ]
    when = min(both, key=lambda conditions: (len(conditions), sorted(conditions)), default=None)
    if when is None:
        return NOT_DECIDED, "no condition is known here under which they are one definition"
    if there.state == ONE:
        return ONE_KEY, ONE_IMPLEMENTATION
    same = "each implies the other with the same ε, at δ = 0"
    return AGREES, f"{same}, where {where_text(when)}" if when else same


def verdict_counts() -> dict[str, int]:
    """The number of printed signs with each verdict."""
    return {verdict: sum(each.verdict == verdict for each in printed()) for verdict in VERDICTS}


def printed_sheets() -> list[Sheet]:
    """Two tables on DP22's printed relations: the number with each verdict, and each one that is decided here."""
    counts = tuple((verdict, str(verdict_counts()[verdict])) for verdict in VERDICTS)
    rows = tuple((each.text, each.verdict, each.because) for each in printed() if each.verdict != NOT_DECIDED)
    return [
        Sheet("Signs of Table 3", ("verdict", "signs"), counts),
        Sheet("Sign by sign", ("printed", "verdict", "because"), rows),
    ]
