"""Definitions that are another one on every finite model: the same answers, in the program and in the checker."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from examined import at_least_one
from strategies_policy import PolicyModel

import verifier as pk
from verifier.definitions.atlas import atlas
from verifier.model import read
from verifier.model.library import models_folder
from verifier.wings.implications.parts import equal_to, keys, matrix_key, node_of

EQUAL = {key: equal_to(key) for key in keys() if equal_to(key)}


def test_which_definitions_are_equal() -> None:
    assert EQUAL == {"indcdp": "dp-any", "simcdp": "dp-any", "czkpr": "zkpr"}
    for key, other in EQUAL.items():
        assert node_of(key) == (node_of(other) if not node_of(key).key else node_of(other)._replace(key=key))
        assert matrix_key(key) == other
        assert "negligible only if it is at most 0" in atlas[key].note


@pytest.mark.parametrize("seed", range(6))
def test_they_have_the_same_answers(seed: int) -> None:
    text = PolicyModel(Random(f"equal {seed}"), ("lists", "gaps")[seed % 2]).text  # noqa: S311
    model = pk.loads(text)
    for key, other in at_least_one(EQUAL.items()):
        for epsilon in (None, "ln(2)"):
            first, second = (pk.check(model, each, epsilon=epsilon) for each in (key, other))
            assert (first.verdict, first.tight_epsilon, first.tight_delta, first.reason) == (
                second.verdict, second.tight_epsilon, second.tight_delta, second.reason,
            )  # fmt: skip
            assert first.replayed == second.replayed


def test_the_checker_knows_them() -> None:
    model = read(models_folder() / "atlas" / "tour.toml")
    for key in at_least_one(EQUAL):
        assert pk.check(model, key).replayed


def test_a_difference_that_depends_on_no_parameter() -> None:
    """The reason, by hand: c ≤ neg(κ) for all κ, where neg falls below each 1/κ^k, holds of c ≤ 0 alone.

    For c > 0 take k = 1 and κ > 1/c.
    """
    for c in (Fraction(1, 7), Fraction(3, 10**6)):
        assert any(Fraction(1, kappa) < c for kappa in (10, 10**4, 10**7))


def test_a_wrong_equality_would_be_seen() -> None:
    """Another definition has other answers on the model where these are compared."""
    model = read(models_folder() / "atlas" / "tour.toml")
    assert pk.check(model, "flpr", replay=False).tight_epsilon != pk.check(model, "indcdp", replay=False).tight_epsilon


def test_relations_of_an_equal_definition_are_those_of_the_other() -> None:
    assert pk.relations("simcdp", "klpr").cells() == pk.relations("dp-any", "klpr").cells()
    with pytest.raises(pk.InputError):
        pk.relations("simcdp", "indcdp")
