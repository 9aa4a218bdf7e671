"""A measure is one term: over the fractions of one model, the columns of many, and as its formula says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.definitions.measures.divergence import Algebraic, divergence_named, rooted_power
from verifier.numbers import INFINITY, Epsilon
from verifier.wings.search.batch.block import Column
from verifier.wings.search.batch.number import SIZES, ColumnDivergence, Quotient

TOTAL, OUTPUTS = 6, 3
Laws = Sequence[tuple[int, int]]
"""The weights of one pair of laws, each of which sums to TOTAL."""


def law(cuts: Sequence[int]) -> list[int]:
    """The weights between cuts of a line."""
    ends = [0, *sorted(cuts), TOTAL]
    return [high - low for low, high in pairwise(ends)]


cuts = st.lists(st.integers(0, TOTAL), min_size=OUTPUTS - 1, max_size=OUTPUTS - 1)
pairs_of_laws = st.tuples(cuts, cuts).map(lambda two: list(zip(law(two[0]), law(two[1]), strict=True)))


def of_powers(k: int) -> Callable[[Laws], Fraction | None]:
    """Σ Q·|P/Q - 1|^k by its formula; None for ∞."""

    def value(laws: Laws) -> Fraction | None:
        if any(p and not q for p, q in laws) and k > 1:
            return None
        lost = sum(p for p, q in laws if not q)
        return Fraction(lost, TOTAL) + sum(Fraction(q, TOTAL) * abs(Fraction(p, q) - 1) ** k for p, q in laws if q)

    return value


def of_moment(order: int) -> Callable[[Laws], Fraction | None]:
    """Σ Q·(P/Q)^α by its formula; None for ∞."""

    def value(laws: Laws) -> Fraction | None:
        if any(p and not q for p, q in laws):
            return None
        return sum((Fraction(q, TOTAL) * Fraction(p, q) ** order for p, q in laws if q), Fraction(0))

    return value


def of_range(laws: Laws) -> Fraction | None:
    """The largest P/Q over the smallest; None for ∞."""
    if any(bool(p) != bool(q) for p, q in laws):
        return None
    ratios = [Fraction(p, q) for p, q in laws if p]
    return max(ratios) / min(ratios)


def of_ratios(laws: Laws) -> Fraction | None:
    """The largest P/Q; None for ∞."""
    return None if any(p and not q for p, q in laws) else max(Fraction(p, q) for p, q in laws if p)


NAIVE: dict[str, Callable[[Laws], Fraction | None]] = {
    "total-variation": lambda laws: sum((Fraction(abs(p - q), 2 * TOTAL) for p, q in laws), Fraction(0)),
    "chi-squared": of_powers(2),
    "abs-1": of_powers(1),
    "abs-3": of_powers(3),
    "renyi-2": of_moment(2),
    "renyi-4": of_moment(4),
    "ratio": of_ratios,
    "spread": of_range,
}


def column(numbers: Sequence[int]) -> Column:
    """The numbers of many models, which have one distribution."""
    return np.array([numbers], dtype=object)


@pytest.mark.parametrize("name", NAIVE)
@given(listed=st.lists(pairs_of_laws, min_size=1, max_size=8))
def test_the_term_says_of_one_model_and_of_columns_what_the_formula_does(name: str, listed: list[Laws]) -> None:
    measure = divergence_named(name)
    assert isinstance(measure, Algebraic)
    weights = [(column([x[o][0] for x in listed]), column([x[o][1] for x in listed])) for o in range(OUTPUTS)]
    above, below = ColumnDivergence(measure).value(weights, column([TOTAL] * len(listed)))
    most = ColumnDivergence(measure).largest(TOTAL, TOTAL, OUTPUTS)
    for laws, num, den in zip(listed, map(int, above[0]), map(int, below[0]), strict=True):
        value = NAIVE[name](laws)
        exact = measure.between(laws, (TOTAL, TOTAL))
        assert isinstance(exact, Epsilon)
        if value is None:
            assert exact == INFINITY
            assert den == 0 < num
            continue
        assert Fraction(num, den) == value
        assert max(num, den) <= most
        if not measure.logarithmic:
            assert exact == value
        else:
            assert exact.exp is None or exact.exp**measure.power == value
            assert abs(float(exact.bracket(60)[0]) * measure.power - log(value)) < 1e-12


@given(laws=pairs_of_laws, k=st.integers(2, 4))
def test_a_root_is_that_of_the_sum(laws: Laws, k: int) -> None:
    value, root = of_powers(k)(laws), rooted_power(k).between(laws, (TOTAL, TOTAL))
    if value is None:
        assert root == INFINITY
        return
    low, high = root.bracket(60)
    assert low**k <= value <= high**k


def test_a_bound_on_columns_holds_for_the_products_by_which_ratios_are_compared() -> None:
    assert SIZES.largest([Quotient(3, 5), Quotient(7, 2)]) == (35, 35)
