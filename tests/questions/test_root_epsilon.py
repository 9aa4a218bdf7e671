"""An ε that is the logarithm of a root: each answer lies between the answers at its rational neighbours."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import verifier as pk
from verifier.definitions import AGGREGATIONS, COMPARISONS, DEFINITIONS, Definition
from verifier.definitions.measures.divergence import measure_named
from verifier.engine import Engine
from verifier.errors import InputError, UndecidedError
from verifier.model.library import models_folder
from verifier.numbers import Delta, Enclosure, Epsilon, epsilon, log_epsilon
from verifier.questions.language import statement
from verifier.wings.search.statement_truth import assigned, times

BELOW, GOLDEN, ABOVE = "ln(809/500)", "ln(root of x^2 - x - 1 in [1, 2])", "ln(1619/1000)"
"""1.618 < (1 + √5)/2 < 1.619."""
UNDECIDED = {"psdp"}
"""Multiples of this ε are not compared."""
ATLAS = [definition.key for definition in (pk.atlas[key] for key in pk.atlas)]
KEYS = sorted({*ATLAS, *DEFINITIONS})
DIVERGENCES = ("total-variation", "renyi-2", "renyi-3")


def divergence(measure: str) -> Definition:
    parts = COMPARISONS["counterfactual"], measure_named(measure), AGGREGATIONS["worst"]
    return Definition("mine", "mine", "mine", "mine", "counterfactual", *parts, replaces_a_record=True)


def answered(model: pk.Model, definition: str | Definition, at: str, **question: Any) -> pk.Verdict | None:
    """The answer with its re-check, which raises an error where it derives another one; None where ε is not asked."""
    try:
        return pk.check(model, definition, epsilon=at, **question)
    except InputError:
        return None


@pytest.mark.sweep(8)
@pytest.mark.parametrize("key", [*KEYS, *DIVERGENCES])
@pytest.mark.parametrize("name", ["atlas/tour", "DMKB20/example-1-side-known"])
def test_an_answer_is_between_its_neighbours(name: str, key: str) -> None:
    model = pk.read(models_folder() / f"{name}.toml")
    definition = divergence(key) if key in DIVERGENCES else key
    below, golden, above = (answered(model, definition, at) for at in (BELOW, GOLDEN, ABOVE))
    assert (below is None) == (golden is None) == (above is None)
    if below is None or golden is None or above is None:
        return
    if key in UNDECIDED and golden.verdict == "undecided":
        return
    assert golden.verdict in {below.verdict, above.verdict}
    assert golden.replayed is below.replayed
    if isinstance(below.tight_epsilon, Epsilon):
        assert golden.tight_epsilon == below.tight_epsilon
    deltas = below.tight_delta, golden.tight_delta, above.tight_delta
    if all(isinstance(delta, Delta) for delta in deltas):
        assert deltas[0] >= deltas[1] >= deltas[2]  # type: ignore[operator]


@pytest.mark.parametrize("key", ["apkdp", "ppkdp", "cdp"])
def test_enclosures_hold_the_exact_number(key: str) -> None:
    model = pk.build(
        size=50, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "count", "value": 1}
    )
    exact = pk.check(model, key, epsilon=GOLDEN, engine=Engine(model, force="sum"), replay=False).tight_delta
    enclosed = pk.check(model, key, epsilon=GOLDEN, engine=Engine(model, force="ball")).tight_delta
    assert isinstance(exact, Delta)
    assert isinstance(enclosed, Enclosure)
    assert enclosed.low.value <= exact <= enclosed.high.value
    assert enclosed.sharp(12)


def test_a_million_records_lie_between_the_neighbours() -> None:
    """They have no exact twin: the enclosure at the root lies between those at its neighbours."""
    model = pk.build(
        size=10**6,
        values=[0, 1],
        distribution={"iid": {0: "999997/1000000", 1: "3/1000000"}},
        knowledge={"records": {"from": 0, "to": 9}},
        sensitive={"records": [30]},
        mechanism={"kind": "count", "value": 1},
    )
    below, golden, above = (pk.check(model, "ppkdp", epsilon=at).tight_delta for at in (BELOW, GOLDEN, ABOVE))
    assert isinstance(below, Enclosure)
    assert isinstance(golden, Enclosure)
    assert isinstance(above, Enclosure)
    assert above.low.value < golden.low.value <= golden.high.value < below.high.value


def test_it_has_no_coefficient_and_no_argument() -> None:
    for number in (epsilon(GOLDEN), epsilon("inf")):
        with pytest.raises(ArithmeticError, match="neither rational nor r"):
            _ = number.coefficient
        with pytest.raises(ArithmeticError, match="is not r·ln"):
            _ = number.argument
    with pytest.raises(ArithmeticError, match="is not r·ln"):
        _ = epsilon("1/2").argument


def test_its_multiples_in_a_statement_are_undecided() -> None:
    implication = statement("np(e) => cdp(2*e)")
    assert str(assigned(statement("np(e) => cdp(e)"), {"e": epsilon(GOLDEN)})).count("root of") == 2
    with pytest.raises(UndecidedError, match="multiples of the logarithm of a root"):
        assigned(implication, {"e": epsilon(GOLDEN)})
    assert times(log_epsilon(Fraction(3)), Fraction(2)) == "ln(9)"
    assert times(Fraction(1, 2), Fraction(3)) == "3/2"
    assert times(Epsilon("inf"), Fraction(3)).is_infinite
