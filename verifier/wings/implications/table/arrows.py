"""The arrows between definitions that are proved, and those that papers claim. Proofs: `proofs/relations.md`.

Both are written in `relations.toml`. That one definition does not imply another is written nowhere: it is computed from
model files (`verifier.wings.implications.table.table`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

from verifier.errors import InputError
from verifier.model import Model
from verifier.questions import conditions


@dataclass(frozen=True)
class ArrowCondition:
    """A property of models under which an arrow holds."""

    key: str
    text: str
    holds: Callable[[Model], bool]


CONDITIONS: dict[str, ArrowCondition] = {
    condition.key: condition
    for condition in (
        ArrowCondition("independent", "D(i) and D₋ᵢ are independent given each B̂", conditions.independent),
        ArrowCondition("values", "each B̂ leaves every value of T possible", conditions.every_value_possible),
        ArrowCondition(
            "outputs",
            "given each B̂, M(D) and M(D with i set to b) can produce the same outputs, the same ones given each a of T",
            conditions.every_output_possible,
        ),
        ArrowCondition(
            "informed", "B̂ tells D₋ᵢ and no more of D(i), and all of Tⁿ is possible", conditions.full_knowledge
        ),
    )
}


@dataclass(frozen=True)
class Arrow:
    """A proved implication: (ε, δ)-`source` gives (`factor`·ε, δ)-`target`, for δ = 0 alone unless `delta`.

    It holds for models with `condition`, a key of `CONDITIONS`, or for all where that is empty.
    With `per_record` it is `factor`·n·ε, where n is the number of records, all of which are protected; with `there` it
    needs every record to be there, as in the papers. `proof` is the heading in proofs/relations.md, `source_text` the
    number in a paper where it has one.
    """

    source: str
    target: str
    proof: str
    factor: int = 1
    delta: bool = True
    condition: str = ""
    source_text: str = ""
    per_record: bool = False
    there: bool = False

    def factor_of(self, model: Model) -> int | None:
        """The factor of ε for a model; None where the arrow says nothing about the records that the model protects."""
        if not self.per_record:
            return self.factor
        return None if model.restriction else self.factor * model.size

    @property
    def text(self) -> str:
        """The arrow in words, such as `(ε, δ)-apkdp ⟹ (ε, δ)-ppkdp`."""
        multiple = f"{factor_text((self,))}ε"
        first, second = ("(ε, δ)", f"({multiple}, δ)") if self.delta else ("ε", multiple)
        where = f", where {CONDITIONS[self.condition].text}" if self.condition else ""
        return f"{first}-{self.source} ⟹ {second}-{self.target}{where}"


def factor_text(arrows: Sequence[Arrow]) -> str:
    """The product of the factors of arrows in a row, n being the number of records: empty, `2`, `n`, `2n`.

    >>> factor_text(()), factor_text((Arrow("dp", "np", "", per_record=True), Arrow("np", "apkdp", "")))
    ('', 'n')
    """
    number, records = prod(arrow.factor for arrow in arrows), sum(arrow.per_record for arrow in arrows)
    return ("" if number == 1 else str(number)) + "·".join("n" * records)


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


TABLES = tomllib.loads(Path(__file__).with_name("relations.toml").read_text(encoding="utf-8"))
COMPARED: tuple[str, ...] = tuple(TABLES["places"])
"""The definitions that are compared, in the order of the table."""
SEARCHES: dict[tuple[str, str], str] = {
    (source, target): table["options"]
    for table in TABLES["search"]
    for source in table["sources"]
    for target in table["targets"]
}
"""The options with which a search separates two definitions, if it does not without any."""
_IMPLIES = re.compile(r"([a-z-]+)\(e(|, d)\) => ([a-z-]+)\((?:(\d+)\*)?(n\*)?e\2\)")


def _arrow(implies: str, proof: str, condition: str = "", in_texts: str = "", *, there: bool = False) -> Arrow:
    """Read an arrow such as `dp(e, d) => cdp(e, d)` or `dp(e) => np(n*e)`.

    >>> _arrow("dp(e) => np(n*e)", "dp to np").text
    'ε-dp ⟹ nε-np'
    """
    match = _IMPLIES.fullmatch(implies)
    if match is None:
        raise InputError(f"given {implies}", where="relations.toml", wanted="such as a(e) => b(2*e)")
    source, delta, target, factor, per_record = match.groups("")
    number = int(factor or 1)
    return Arrow(source, target, proof, number, bool(delta), condition, in_texts, bool(per_record), there)


ARROWS: tuple[Arrow, ...] = tuple(_arrow(**table) for table in TABLES["arrow"])
CLAIMS: tuple[ClaimedArrow, ...] = tuple(ClaimedArrow(**table) for table in TABLES["claim"])
