"""Laws that are arranged once make the pairs that plain laws make, as the same objects."""

from __future__ import annotations

from itertools import permutations

import pytest

from verifier.definitions.builders.views import Arranged, SeenLaw, pair_of
from verifier.numbers import Function
from verifier.tables import label

ONE = Function.parameter("p").constantly(1)
P = Function.parameter("p")
LAWS = (
    {label(0): 1, label(1): 2},
    {label(1): 2, label(0): 1},
    {label("0"): 1, label(1): 2},
    {label(0): 3, label(1): 1},
    {label(1): 1},
    {label(0): 0, label(1): 1},
    {label("x"): 5, label([0, 1]): 2, label(10): 1},
)
FUNCTIONS = ({label(0): P, label(1): 1 - P}, {label(1): P, label(0): 1 - P}, {label(0): ONE / 2, label(1): P})


@pytest.mark.parametrize(("first", "second"), [*permutations(LAWS, 2), *permutations(FUNCTIONS, 2)])
def test_arranged_laws_make_the_same_pairs(first: SeenLaw, second: SeenLaw) -> None:
    pair = pair_of(Arranged(first), Arranged(second))
    assert pair is pair_of(first, second)
    spelled = [next(key for key in (*first, *second) if key == output).shown for output in pair.outputs]
    assert [output.shown for output in pair.outputs] == spelled
