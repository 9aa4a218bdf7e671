"""The dependency of two mechanisms (DMKB20, Definitions 17 and 18).

An output is the JSON list of the two mechanisms' outputs (o₁, o₂). Its probability P is compared with R = P·e^(-Dep),
where Dep is the difference of two losses, each taken from its own conditional law.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from verifier.checker import Rejected, require
from verifier.checker.laws import Cells, Compared, Law, Pair, Weighted, is_product
from verifier.checker.model.labels import entries
from verifier.checker.model.policy import Database
from verifier.checker.numbers import ONE, ZERO


def outputs_of_two(mechanism: Mapping[Database, Law]) -> dict[str, tuple[str, str]]:
    """Each output, a JSON list of two, as the pair of the two mechanisms' outputs.

    Raises:
        Rejected: where an output is no pair, two are one pair, or the two are not independent on a database.

    """
    pairs: dict[str, tuple[str, str]] = {}
    for law in mechanism.values():
        for output in law:
            labels = entries(output) or []
            if len(labels) != 2:
                raise Rejected(f"dependency is of two mechanisms, and the output {output[:60]!r} is no list of two")
            pairs[output] = labels[0], labels[1]
    require(len(set(pairs.values())) == len(pairs), "two outputs are the same pair")
    for law in mechanism.values():
        joint = {pairs[output]: p for output, p in law.items()}
        require(is_product(joint), "the two mechanisms must be independent given the database")
    return pairs


def dependent(reading: str, cells: Cells, mechanism: Mapping[Database, Law], domain: list[str]) -> Iterator[Compared]:
    """The comparisons for every a ≠ b, every B̂ that is possible with both, and every direction."""
    pairs = outputs_of_two(mechanism)
    directions = [("M2 on M1", 0, 1), ("M1 on M2", 1, 0)][: 2 if reading == "both-ways" else 1]
    for i, a in enumerate(domain):
        for j, b in enumerate(domain):
            if i == j or (reading == "one-order" and i > j):
                continue
            for k in (k for k in cells.knowledges if (k, a) in cells.mass and (k, b) in cells.mass):
                p, q = ({o: Fraction(w, law.total) for o, w in law.items() if w}
                        for law in (cells.law(k, value) for value in (a, b)))  # fmt: skip
                for name, first, second in directions:
                    weights = {o: _without_dependency(pairs, first, second, o, p, q, reading) for o in p}
                    pair = Pair(ONE, k, p, Weighted(weights, 1), name)
                    yield Compared(cells.theta, cells.record, a, b, None, [pair])


def _without_dependency(
    pairs: Mapping[str, tuple[str, str]], first: int, second: int, o: str, p: Law, q: Law, reading: str
) -> Fraction:
    """P(o)·e^(-Dep), each loss as its likelihood ratio; where Dep ≤ 0 adds nothing, any number ≥ P(o) will do."""

    def seen(law: Law, side: int) -> Any:
        return sum((x for other, x in law.items() if pairs[other][side] == pairs[o][side]), ZERO)

    p_heard, q_heard, p_said, q_said = seen(p, first), seen(q, first), seen(p, second), seen(q, second)
    if q_heard == 0 and reading == "infinite-loss":
        return ZERO
    if q_heard == 0 and (reading != "no-loss" or q_said == 0):
        return Fraction(p[o])
    if q_heard and q_said == 0:
        return Fraction(p[o]) if reading == "equal-infinities" else ZERO
    inverse = (q.get(o, ZERO) / q_heard) / (p[o] / p_heard) if q_heard else ONE
    return Fraction(p[o] * inverse * (p_said / q_said))
