"""What is found of each different pair (P, Q) once is what is found comparison by comparison."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest

from verifier.definitions import find
from verifier.engine import MAX_ROWS
from verifier.model.parameters import Family
from verifier.model.read import loads_any
from verifier.numbers import Epsilon, Function, epsilon
from verifier.wings.families.comparisons import comparisons, distinct
from verifier.wings.families.curves import Piece, Span, deltas, epsilons, finite, largest, piecewise, sum_of_lines
from verifier.wings.families.factor import read_factor
from verifier.wings.families.intervals import Interval
from verifier.wings.families.pairs import FamilyComparison, by_scale, pairs_in
from verifier.wings.families.points import NOTHING, ONE, Line, between

CLASSICS = tomllib.loads((Path(__file__).parents[2] / "programs/classics.toml").read_text(encoding="utf-8"))
SPAN: Span = (Fraction(0), Fraction(1))
NAMES = [name for name in CLASSICS if name != "model"]


def family_of(name: str) -> Family:
    classic = CLASSICS[name]
    neighbours = classic.get("neighbours", "every-entry-by-one")
    text = CLASSICS["model"].format(size=2, neighbours=neighbours, program=classic["program"])
    family = loads_any(text, "model.toml")
    assert isinstance(family, Family)
    return family


def compared_in(name: str, key: str = "dp") -> list[FamilyComparison]:
    return list(comparisons(find(key), "default", family_of(name).general, ONE, MAX_ROWS))


def distinct_plainly(compared: Sequence[FamilyComparison]) -> list[FamilyComparison]:
    first: dict[object, FamilyComparison] = {}
    for comparison in compared:
        functions = frozenset(Counter((p, q) for p, q in comparison.outcomes).items())
        first.setdefault((comparison.scale, comparison.least, functions), comparison)
    return list(first.values())


def deltas_plainly(compared: Sequence[FamilyComparison], factor: Epsilon | Function) -> list[Piece]:
    """Comparison by comparison: the lines that are positive are added up, and the largest sum counts."""
    every = [[Line.of(p, q or NOTHING, factor) for p, q in comparison.outcomes] for comparison in compared]

    def inside(cell: Span) -> list[Piece]:
        at = between(*cell)
        return largest(dict.fromkeys(sum_of_lines(x for x in lines if x.sign(at) > 0) for lines in every), cell)

    return piecewise(SPAN, chain.from_iterable(every), inside, lambda *_: [])


def epsilons_plainly(compared: Sequence[FamilyComparison]) -> list[Piece]:
    """At δ = 0, where the support does not change: ∞ where Q is 0 and P is not, else the largest quotient."""
    rows = [(p, q) for comparison in compared for p, q in comparison.outcomes if p]
    if not all(q for _, q in rows):
        return [Piece(Interval(*SPAN), None)]
    return largest(dict.fromkeys([Line(ONE), *(Line(p / q) for p, q in rows if q)]), SPAN)


@pytest.mark.parametrize("name", NAMES)
def test_each_pair_once_gives_what_each_comparison_gives(name: str) -> None:
    every = compared_in(name)
    compared = distinct(every)
    assert list(compared) == distinct_plainly(every)
    assert list(compared.pairs) == list(dict.fromkeys(pair for one in compared for pair in one.outcomes))
    assert list(compared.pairs) == list(pairs_in(list(compared)))
    for asked in (f"{CLASSICS[name]['claim']}*ln(1/z)", "ln(1/z)", "ln(2)"):
        factor = read_factor(asked, family_of(name)).number_or_function
        assert deltas(compared, factor, SPAN, tail=False) == deltas_plainly(compared, factor), asked
    plainly = epsilons_plainly(compared)
    assert epsilons(compared, Fraction(0), SPAN, tail=False) == plainly
    assert [piece.value is None for piece in finite(compared, Fraction(0), SPAN)] == [plainly[0].value is None]


def test_comparisons_by_their_multiple_of_epsilon() -> None:
    one = compared_in("SVT5")[:6]
    mixed = [
        FamilyComparison(c.distribution, c.record, c.a, c.b, c.terms, scale=Fraction(1 + n % 3, 2))
        for n, c in enumerate(one)
    ]
    found = by_scale(mixed)
    assert found == {scale: [c for c in mixed if c.scale == scale] for scale in map(Fraction, ("1/2", "1", "3/2"))}
    assert deltas(mixed, epsilon("ln(2)"), SPAN, tail=False) == deltas_plainly(mixed, epsilon("ln(2)"))
