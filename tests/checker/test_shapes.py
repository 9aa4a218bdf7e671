"""Shuffled reports, chains and counts in the checker against their definitions, spelled out."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction as F  # noqa: N817
from itertools import product
from typing import Any

import pytest

from verifier.checker.comparisons import Asked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.judge import Decision
from verifier.checker.models import Model
from verifier.checker.numbers import Wrong, epsilon_of, listed

pytestmark = pytest.mark.quick

REPORTS = {"a": {"x": F(1, 2), "10": F(1, 3), "9": F(1, 6)}, "b": {"x": F(1, 5), "9": F(4, 5)}, "c": {"10": F(1)}}
ORDER = ["9", "10", "x"]


def written(table: dict[str, F]) -> str:
    return "{ " + ", ".join(f'"{o}" = "{p}"' for o, p in table.items()) + " }"


def model(size: int, mechanism: str, distribution: str = "") -> Model:
    return Model(f'size = {size}\nvalues = ["a", "b", "c"]\n{distribution}\n[mechanism]\n{mechanism}\n')


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_shuffled_reports_are_the_sorted_list_of_independent_ones(size: int) -> None:
    reports = "{ " + ", ".join(f"{v} = {written(table)}" for v, table in REPORTS.items()) + " }"
    mechanism = model(size, f'kind = "shuffle"\nreports = {reports}').mechanism
    for database in product("abc", repeat=size):
        law: dict[str, F] = defaultdict(F)
        for chosen in product(*(REPORTS[v].items() for v in database)):
            p = F(1)
            for _, each in chosen:
                p *= each
            law[listed(sorted((o for o, _ in chosen), key=ORDER.index))] += p
        assert mechanism.law(database).chances() == law


@pytest.mark.parametrize(("size", "delta"), [(2, "3/16"), (3, "9/64"), (4, "27/256"), (5, "81/1024")])
def test_shuffled_responses_of_two_values(size: int, delta: str) -> None:
    """At e^ε = 2 where one response has e^ε = 3."""
    text = f'size = {size}\nvalues = [0, 1]\n[mechanism]\nkind = "shuffle"\nepsilon = "ln(3)"\n'
    decided = Decision(Asked(Model(text)), DEFINITIONS["dp"], epsilon_of("ln(2)"), F(0))
    assert str(decided.tight_delta) == delta


def law_of(shape: str, size: int) -> dict[tuple[str, ...], F]:
    return model(size, 'kind = "identity"', f"[[distribution]]\n{shape}").priors()["#1"]


def test_a_chain_is_the_product_of_its_steps() -> None:
    start = {"a": F(1, 2), "b": F(1, 3), "c": F(1, 6)}
    step: dict[str, dict[str, F]] = {
        "a": {"a": F(1, 4), "c": F(3, 4)},
        "b": {"b": F(1)},
        "c": dict.fromkeys("abc", F(1, 3)),
    }
    rows = ", ".join(f"{v} = {written(law)}" for v, law in step.items())
    expected = {}
    for d in product("abc", repeat=3):
        p = start[d[0]] * step[d[0]].get(d[1], F(0)) * step[d[1]].get(d[2], F(0))
        expected |= {d: p} if p else {}
    assert law_of(f"chain = {{ start = {written(start)}, step = {{ {rows} }} }}", 3) == expected


def test_given_the_counts_all_arrangements_are_equally_likely() -> None:
    law = law_of(
        'counts = [ { histogram = [2, 1, 0], probability = "1/2" }, { histogram = [1, 1, 1], probability = "1/2" } ]', 3
    )
    by_counts: dict[Any, list[F]] = defaultdict(list)
    for database, p in law.items():
        by_counts[frozenset(Counter(database).items())].append(p)
    assert sorted(by_counts.values()) == [[F(1, 12)] * 6, [F(1, 6)] * 3]


@pytest.mark.parametrize(
    "shape",
    [
        'chain = { start = "uniform", step = { a = "uniform", b = "uniform" } }',
        'counts = { value = "a", table = { 0 = 1 } }',
        "counts = [ { histogram = [2, 1], probability = 1 } ]",
        "counts = [ { histogram = [2, 1, 1], probability = 1 } ]",
        "counts = [ { histogram = [4, -1, 0], probability = 1 } ]",
    ],
)
def test_what_is_no_chain_and_no_count_is_wrong(shape: str) -> None:
    with pytest.raises(Wrong):
        law_of(shape, 3)
