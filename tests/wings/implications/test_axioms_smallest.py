"""Nothing smaller refutes: the scopes below some of the models, enumerated whole by plain code."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

import verifier as pk
from verifier.model import Model
from verifier.model.compose import compose, with_mechanism
from verifier.wings.implications.axioms.refutations import combination, model_of

Law = tuple[Fraction, ...]
Pair = tuple[Law, Law]
HALF = Fraction(1, 2)


def laws(outputs: int, denominator: int) -> list[Law]:
    """All laws with a denominator."""
    weights = product(range(denominator + 1), repeat=outputs)
    return [tuple(Fraction(w, denominator) for w in row) for row in weights if sum(row) == denominator]


def mechanisms(outputs: int, denominator: int) -> list[Pair]:
    """All mechanisms on one bit."""
    return list(product(laws(outputs, denominator), laws(outputs, denominator)))


def tail(pair: Pair, x: Fraction) -> Fraction:
    """The larger P[loss > ln x] of both orders."""
    return max(sum((p for p, q in zip(a, b, strict=True) if p > x * q), Fraction(0)) for a, b in (pair, pair[::-1]))


def spread(pair: Pair) -> Fraction | None:
    """The largest ratio over the smallest one; None where it is infinite."""
    rows = [(p, q) for p, q in zip(*pair, strict=True) if p or q]
    if any(not p or not q for p, q in rows):
        return None
    ratios = [p / q for p, q in rows]
    return max(ratios) / min(ratios)


def mixed(first: Pair, second: Pair) -> Pair:
    """One of the two with probability 1/2."""
    p, q = (tuple((x + y) / 2 for x, y in zip(a, b, strict=True)) for a, b in zip(first, second, strict=True))
    return p, q


def blurred(pair: Pair, rows: Sequence[Law]) -> Pair:
    """Behind a channel with these rows."""
    p, q = (
        tuple(sum((m * row[k] for m, row in zip(law, rows, strict=True)), Fraction(0)) for k in range(len(law)))
        for law in pair
    )
    return p, q


XS = [Fraction(k, 4) for k in range(4, 13)]


@pytest.mark.parametrize(("denominator", "expected"), [(1, (False, False)), (2, (False, True)), (3, (True, True))])
def test_tails_grow_first_in_thirds_and_halves(denominator: int, expected: tuple[bool, bool]) -> None:
    """One bit and two outputs: no channel does it in halves, mixtures do; whole numbers do not."""
    every = mechanisms(2, denominator)
    channels = list(product(laws(2, 2), repeat=2))
    grown = any(tail(blurred(m, rows), x) > tail(m, x) for m in every for rows in channels for x in XS)
    mixtures = combinations_with_replacement(every, 2)
    worse = any(tail(mixed(m, n), x) > max(tail(m, x), tail(n, x)) for m, n in mixtures for x in XS)
    assert (grown, worse) == expected


@pytest.mark.parametrize(
    ("outputs", "denominator", "expected"), [(2, 4, False), (3, 2, False), (3, 3, False), (3, 4, True)]
)
def test_ranges_grow_first_at_three_outputs_and_quarters(outputs: int, denominator: int, expected: bool) -> None:  # noqa: FBT001
    finite = [(m, value) for m in mechanisms(outputs, denominator) if (value := spread(m)) is not None]

    def grown() -> Iterator[bool]:
        for (m, x), (n, y) in combinations_with_replacement(finite, 2):
            value = spread(mixed(m, n))
            yield value is not None and value > max(x, y)

    assert any(grown()) is expected


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
