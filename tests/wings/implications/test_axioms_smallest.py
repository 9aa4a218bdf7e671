"""Nothing smaller refutes: the scopes below some of the models, enumerated whole by plain code."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

import verifier as pk
from verifier.model import Model
from verifier.model.compose import compose, with_mechanism
from verifier.wings.implications.axioms.refutations import combination, model_of

HALF = Fraction(1, 2)


def functions(model: Model) -> Iterator[Model]:
    """Every function of the database, up to the names of its outputs."""
    databases = [list(d) for d in product([value.text for value in model.values], repeat=model.size)]

    def partitions(count: int) -> Iterator[tuple[int, ...]]:
        if not count:
            yield ()
            return
        for first in partitions(count - 1):
            for block in range(max(first, default=-1) + 2):
                yield (*first, block)

    for blocks in partitions(len(databases)):
        rows = [{"database": d, "output": f"o{k}"} for d, k in zip(databases, blocks, strict=True)]
        yield with_mechanism(model, {"table": rows})


def worse_pair(model: Model, key: str) -> bool:
    """Whether two functions with some ε have none together."""

    def finite(asked: Model) -> bool:
        value: Any = pk.check(asked, key, replay=False).tight_epsilon
        return not value.is_infinite

    private = [each for each in functions(model) if finite(each)]
    pairs = combinations_with_replacement(private, 2)
    return not all(finite(with_mechanism(model, compose(m.mechanism, n.mechanism))) for m, n in pairs)


@pytest.mark.parametrize("key", ["np", "cdp", "anpr"])
def test_two_functions_of_two_fair_bits_compose(key: str) -> None:
    """So three bits are the fewest, for functions that protect each bit."""
    small = pk.build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    assert not worse_pair(small, key)
    assert pk.check(combination("parities"), key).tight_epsilon.is_infinite  # type: ignore[union-attr]


@pytest.mark.parametrize(("values", "key"), [(2, "pmpr"), (3, "pmpr"), (2, "nmpr"), (3, "nmpr"), (3, "mpr")])
def test_two_functions_of_one_value_compose(values: int, key: str) -> None:
    """Membership of one of up to three values in a database of one record."""
    chances = {v: Fraction(1, values) for v in range(values)}
    small = pk.build(size=1, values=list(chances), distribution={"iid": chances}, mechanism={"kind": "identity"})
    assert not worse_pair(small, key)


@pytest.mark.parametrize(("values", "expected"), [(2, False), (3, True)])
def test_two_functions_of_one_record_tell_no_two_distributions(values: int, expected: bool) -> None:  # noqa: FBT001
    """Uniform on a set against uniform on another one: three databases are the fewest."""
    worse = False
    sets = [rows for rows in product((0, 1), repeat=values) if any(rows)]
    for first, second in product(sets, repeat=2):
        thetas = [
            {
                "name": name,
                "table": [
                    {"database": [v], "probability": Fraction(1, sum(rows))} for v, kept in enumerate(rows) if kept
                ],
            }
            for name, rows in (("first", first), ("second", second))
        ]
        small = pk.build(size=1, values=list(range(values)), distribution=thetas, mechanism={"kind": "identity"})
        worse = worse or worse_pair(small, "dnpr")
    assert worse is expected


def test_two_values_have_no_two_shares_to_leave_out() -> None:
    """On two values a share either holds all pairs that differ or none, so that a mixture leaves out no more."""
    model = model_of("axioms/shares-a")
    gammas = [Fraction(k, 9) for k in range(9)]
    question: Callable[[Fraction], Model] = lambda gamma: pk.build(  # noqa: E731
        size=1, values=["a", "b"], distribution={"iid": {"a": "1/2", "b": "1/2"}}, mechanism={"kind": "identity"},
        policy={"prior": {"a": "1/2", "b": "1/2"}, "gamma": str(gamma)},
    )  # fmt: skip
    for gamma in gammas:
        value: Any = pk.check(question(gamma), "randp", replay=False).tight_epsilon
        assert value.is_infinite is (gamma < HALF)
    assert model.size == 1
    assert len(model.values) == 3
