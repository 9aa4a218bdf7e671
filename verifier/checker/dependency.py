"""The independent re-check of the dependency of two mechanisms (DMKB20, Definitions 17 and 18), from plain tables.

An output is the JSON list of the two mechanisms' outputs (o₁, o₂). Its probability P is compared with R = P·e^(-Dep),
where Dep is the difference of two losses, each taken from its own conditional law.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verifier.checker.labels import entries
from verifier.checker.numbers import Compared, Pair, Rejected, Weighted
from verifier.checker.tables import Cells, is_product


def pairs_of(mechanism: dict[tuple[str, ...], dict[str, Any]]) -> dict[str, tuple[str, str]]:
    """Each output as the pair of the two mechanisms' outputs.

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
    if len(set(pairs.values())) != len(pairs):
        raise Rejected("two outputs are the same pair")
    for law in mechanism.values():
        if not is_product({pairs[output]: p for output, p in law.items()}):
            raise Rejected("the two mechanisms must be independent given the database")
    return pairs


def dependent(
    reading: str, cells: Cells, mechanism: dict[tuple[str, ...], Any], domain: list[str]
) -> Iterator[Compared]:
    """Yield a comparison for every a ≠ b, every B̂ that is possible with both, and every direction."""
    pairs = pairs_of(mechanism)
    laws = {
        (value, known): {o: Fraction(w, law.total) for o, w in law.items() if w}
        for known, value in cells.mass
        for law in [cells.law(known, value)]
    }
    directions = [("M2 on M1", 0, 1), ("M1 on M2", 1, 0)][: 2 if reading == "both-ways" else 1]
    for i, a in enumerate(domain):
        for j, b in enumerate(domain):
            if i == j or (reading == "one-order" and i > j):
                continue
            for knowledge in (
                knowledge for knowledge in cells.knowledges if (a, knowledge) in laws and (b, knowledge) in laws
            ):
                p_law, q_law = laws[a, knowledge], laws[b, knowledge]
                for name, first, second in directions:
                    weights = {o: _against(pairs, first, second, o, p_law, q_law, reading) for o in p_law}
                    pair = Pair(Fraction(1), knowledge, p_law, Weighted(weights, 1), name)
                    yield Compared(cells.theta, cells.record, a, b, None, [pair])


def _chance(law: dict[str, Fraction], pairs: dict[str, tuple[str, str]], side: int, text: str) -> Fraction:
    return sum((x for o, x in law.items() if pairs[o][side] == text), Fraction(0))


def _against(
    pairs: dict[str, tuple[str, str]], first: int, second: int, o: str, p: dict[str, Fraction], q: dict[str, Fraction],
    reading: str,
) -> Fraction:  # fmt: skip
    """P(o)·e^(-Dep), each loss as its likelihood ratio; where Dep ≤ 0 adds nothing, any number ≥ P(o) will do."""
    first_label, second_label = pairs[o][first], pairs[o][second]
    p_heard, q_heard = _chance(p, pairs, first, first_label), _chance(q, pairs, first, first_label)
    p_said, q_said = _chance(p, pairs, second, second_label), _chance(q, pairs, second, second_label)
    if q_heard == 0 and reading == "infinite-loss":
        return Fraction(0)
    if q_heard == 0 and (reading != "no-loss" or q_said == 0):
        return p[o]
    if q_heard and q_said == 0:
        return p[o] if reading == "equal-infinities" else Fraction(0)
    inverse = Fraction(1)
    if q_heard:
        inverse = (q.get(o, Fraction(0)) / q_heard) / (p[o] / p_heard)
    return p[o] * inverse * (p_said / q_said)
