"""The probabilities of a family as functions: arithmetic, and the grid as their twin.

Let f and g be quotients of polynomials of degree at most d. If they agree at 2·d + 1 values of the parameter, f - g
has a top of degree at most 2·d with more zeros than that, so that f = g. A joint mass is a sum of products of at most F
entries N/D of degree at most e, so that d = F·e·(1 + the number of different D) is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from families import LAWS, families, family
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.definitions import find
from verifier.definitions.comparison import Pair
from verifier.engine import MAX_ROWS, Engine
from verifier.errors import InputError, UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.numbers.expression import read_expression
from verifier.tables import Label, Law, label
from verifier.wings.families.comparisons import comparisons, general_member

HALF = Fraction(1, 2)
NOISE = """
size = 2
values = [0, 1]
[parameters]
p = {{ above = "0", below = "1" }}
[[distribution]]
{shape}
[mechanism]
{mechanism}
"""
IID = 'iid = { 0 = "1 - p", 1 = "p" }'
MIXTURE = """mixture = [ { weight = "p", iid = { 0 = "1/4", 1 = "3/4" } },
  { weight = "1 - p", table = [ { database = [0, 0], probability = "p" },
    { database = [1, 1], probability = "1 - p" } ] } ]"""
GROUPS = 'groups = [ { times = 2, iid = { 0 = "1/(1 + p)", 1 = "p/(1 + p)" } } ]'
MECHANISMS = {
    "noise": 'kind = "sum"\nthen = [ { kind = "geometric-noise", p = "p" } ]',
    "noise, then rows": 'kind = "sum"\nthen = [ { kind = "geometric-noise", p = "p/2" }, '
    '{ rows = [ { input = "0", output = "none" } ], otherwise = "some" } ]',
    "a sample": 'kind = "count"\nvalue = 1\nsample = "p"',
    "responses": 'kind = "randomized-response"\nkeep = "1 - 2*p/3"',
    "a response that looks certain": 'kind = "randomized-response"\nkeep = "1 - p"',
    "a response as a step": 'kind = "maximum"\nthen = [ { kind = "randomized-response", keep = "p" } ]',
    "a choice": 'kind = "choice"\nshown = true\nof = [ { weight = "p", mechanism = { kind = "sum" } }, '
    '{ weight = "1 - p", mechanism = { kind = "randomized-response", keep = "p" } } ]',
    "both of two": 'kind = "all"\nof = [ { kind = "sum", sample = "p" }, '
    '{ kind = "randomized-response", keep = "1/2" } ]',
}


def functions_of(of: Family, definition: str) -> Iterator[Function]:
    """Every weight and probability that is compared, in order."""
    (name,) = of.names
    member = general_member(of, [])
    constant_one = Function.parameter(name).constantly(1)
    for compared in comparisons(find(definition), "default", member, constant_one, MAX_ROWS):
        for term in compared.terms:
            yield term.weight
            for _, p, q in term.rows:
                yield from (p, q)


def values_of(model: Model, definition: str) -> Iterator[Fraction]:
    """The same of an ordinary model."""
    for of_record in find(definition).sets(Engine(model, MAX_ROWS, "rows"), "default"):
        for compared in of_record.comparisons:
            for term in compared.terms:
                yield Fraction(term.mass, compared.total)
                assert isinstance(term.pair, Pair)
                for _, p, q in term.pair.rows():
                    yield from (p, q)


def agrees(of: Family, definition: str, degree: int) -> None:
    """Functions and values are the same on the whole grid, so for all values."""
    functions = list(functions_of(of, definition))
    (name,) = of.names
    for k in range(2 * degree + 1):
        at = Fraction(2 * k + 1, 2 * (2 * degree + 2))
        assert [function.at(at) for function in functions] == list(values_of(of.beyond({name: at}), definition)), at


@pytest.mark.sweep(3)
@pytest.mark.parametrize("definition", ["dp", "np", "ppkdp", "cdp", "ibcdp"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("shape", [IID, MIXTURE, GROUPS], ids=["iid", "mixture", "groups"])
def test_the_grid_says_the_same(shape: str, mechanism: str, definition: str) -> None:
    of = family(NOISE.format(shape=shape, mechanism=MECHANISMS[mechanism]))
    agrees(of, definition, 8)


@given(families(), st.sampled_from(["dp", "np", "ppkdp", "cdp", "ibcdp"]))
@settings(max_examples=8, deadline=None)
def test_the_grid_says_the_same_of_random_families(of: Family, definition: str) -> None:
    agrees(of, definition, 14)


@given(st.sampled_from(LAWS), st.sampled_from(LAWS), st.fractions(0, 1))
@settings(max_examples=60, deadline=None)
def test_arithmetic(x: str, y: str, p: Fraction) -> None:
    f, g = (Function.read(read_expression(text), "p") for text in (x, y))
    a, b = f.at(p), g.at(p)
    assert (f + g).at(p) == a + b
    assert (f - g * 2 + HALF).at(p) == a - 2 * b + HALF
    assert (3 - f).at(p) == 3 - a
    assert (f * g**2 * 0 == 0, f - f == 0, f / f == 1, f == HALF) == (True, True, True, False)
    assert (1 / (1 + f)).at(p) == 1 / (1 + a)
    assert hash((f + g) * (f - g)) == hash(f * f - g * g)
    assert Fraction(0) + f == f
    with pytest.raises(ZeroDivisionError):
        f / (g - g)
    with pytest.raises(TypeError):
        f < g  # type: ignore[operator]  # noqa: B015


def test_laws_of_functions() -> None:
    """A law of functions sums to the function 1, whatever its weights are written over."""
    p = Function.parameter("p")
    outcomes = [label(k) for k in range(3)]
    weights: Any = dict(zip(outcomes, (p, 2 - p, 1), strict=True))
    law = Law.from_integers(weights, 3)
    assert [law.probability(one) for one in outcomes] == [p / 3, (2 - p) / 3, Fraction(1, 3)]
    again = law.then(lambda one: Law.of({one: "1/2", outcomes[0]: "1/2"}) if one != outcomes[0] else Law.point(one))
    assert again.probability(outcomes[0]) == p / 3 + (2 - p) / 6 + Fraction(1, 6)
    table: dict[Label, object] = {outcomes[0]: p, outcomes[1]: 1 - p * p}
    with pytest.raises(InputError, match=r"sum to 1 \+ p - p\^2\. Expected the sum 1"):
        Law.of(table)
    with pytest.raises(InputError, match="weights are negative"):
        Law.from_integers(weights | {outcomes[0]: p + 2, outcomes[2]: -1}, 3)


def test_a_sum_that_is_1_by_chance_is_refused() -> None:
    """At the value that is tried first the rows sum to 1, and nowhere else."""
    text = NOISE.format(shape='iid = { 0 = "1 - p", 1 = "p + (p - 1/2)^2" }', mechanism='kind = "sum"')
    with pytest.raises(InputError, match=r"sum to 5/4 - p \+ p\^2"):
        general_member(family(text), [{"p": HALF}])
    with pytest.raises(InputError, match=r"sum to 13/12.*\(at p = "):
        general_member(family(text.replace("- 1/2)^2", "- 1/2)^2/3")), [{"p": HALF}, {"p": Fraction(0)}])


def test_databases_of_several_sizes_are_refused() -> None:
    text = NOISE.format(shape=IID, mechanism='kind = "sum"').replace("size = 2", "size = [0, 2]")
    with pytest.raises(UnsupportedError, match="several sizes"):
        general_member(family(text), [{"p": HALF}])
