"""The simplex table: its optimum is proved by its own multipliers, also where it starts at another objective's best."""

from __future__ import annotations

from fractions import Fraction

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import LimitError
from verifier.numbers.simplex import Simplex, Tableau

SIZE = 4
small = st.integers(-3, 3).map(Fraction)
constraints = st.lists(
    st.tuples(st.dictionaries(st.integers(0, SIZE - 1), small), st.integers(0, 3).map(Fraction)), max_size=5
)
objectives = st.lists(st.dictionaries(st.integers(0, SIZE - 1), small), min_size=1, max_size=3)
BOX: dict[object, tuple[dict[int, Fraction], Fraction]] = {
    f"box {j}": ({j: Fraction(1)}, Fraction(2)) for j in range(SIZE)
}


@settings(max_examples=200, deadline=None)
@given(constraints, objectives)
def test_the_point_and_the_multipliers_prove_each_other(
    rows: list[tuple[dict[int, Fraction], Fraction]], asked: list[dict[int, Fraction]]
) -> None:
    limits: dict[object, tuple[dict[int, Fraction], Fraction]] = {**dict(enumerate(rows)), **BOX}
    program = Simplex(range(SIZE), limits)
    for objective in at_least_one(asked):
        value, point, multipliers = program.maximise(objective)
        assert value == sum(c * point[j] for j, c in objective.items())
        assert min([*point.values(), *multipliers.values()]) >= 0
        listed = [(limit, multipliers[name]) for name, limit in limits.items()]
        assert all(sum(a * point[j] for j, a in row.items()) <= most for (row, most), _ in listed)
        assert value == sum(most * y for (_, most), y in listed)
        for j in range(SIZE):
            assert objective.get(j, 0) <= sum(row.get(j, 0) * y for (row, _), y in listed)
        assert Simplex(range(SIZE), limits).maximise(objective).value == value
        support, active = program.corner
        assert len(support) == len(active)
        assert all(not point[j] for j in set(range(SIZE)) - set(support))
        assert all(sum(a * point[j] for j, a in limits[name][0].items()) == limits[name][1] for name in active)


def test_what_is_no_start_or_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArithmeticError, match="starts at 0"):
        Simplex("x", {0: ({"x": Fraction(1)}, Fraction(-1))})
    with pytest.raises(ArithmeticError, match="not bounded"):
        Simplex("x", {}).maximise({"x": Fraction(1)})
    monkeypatch.setattr(Tableau, "most_pivots", 0)
    with pytest.raises(LimitError, match="more than 0 pivots"):
        Simplex(range(SIZE), BOX).maximise({0: Fraction(1)})
