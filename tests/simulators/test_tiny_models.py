"""The smallest δ and ε of tiny models, dependent or not: proved to the checker, and by duality."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st
from test_simulators import READINGS, model

import verifier as pk
from verifier.numbers import Delta, Epsilon, log_epsilon
from verifier.simulators.game import Game
from verifier.simulators.problem import components, rows_of
from verifier.simulators.smallest import crossing


@st.composite
def tiny_models(draw: st.DrawFn) -> dict[str, Any]:
    """One or two records of two values, dependent or not, two or three outputs, the other record known or not."""
    size = draw(st.integers(1, 2))
    databases = list(product((0, 1), repeat=size))
    chances = draw(st.lists(st.integers(0, 3), min_size=len(databases), max_size=len(databases)).filter(any))
    table = [
        {"database": list(d), "probability": f"{w}/{sum(chances)}"} for d, w in zip(databases, chances, strict=True)
    ]
    outputs = "xyz"[: draw(st.integers(2, 3))]
    weights = st.lists(st.integers(0, 4), min_size=len(outputs), max_size=len(outputs)).filter(any)
    rows = []
    for database in databases:
        law = draw(weights)
        named = {o: f"{w}/{sum(law)}" for o, w in zip(outputs, law, strict=True) if w}
        rows.append({"database": list(database), "outputs": named})
    keys: dict[str, Any] = {"size": size, "distribution": {"table": table}, "mechanism": {"rows": rows}}
    if size == 2 and draw(st.booleans()):
        keys["knowledge"] = {"records": [draw(st.integers(0, 1))]}
    return keys


@settings(max_examples=60)
@given(
    tiny_models(), st.sampled_from(READINGS), st.sampled_from(["1", "3/2", "5"]), st.sampled_from(["0", "1/40", "1/3"])
)
def test_tiny_models_are_decided_with_a_proof(keys: dict[str, Any], reading: str, factor: str, level: str) -> None:
    """A simulator is enough at the smallest values, and tests show that no smaller ones are."""
    found = pk.check(model(**keys), "ddp", epsilon=log_epsilon(Fraction(factor)), delta=level, reading=reading)
    assert isinstance(found.tight_delta, Delta)
    assert found.verdict == ("holds" if found.tight_delta <= Fraction(level) else "fails")
    assert isinstance(found.tight_epsilon, Epsilon)
    assert found.replayed


@given(tiny_models(), st.sampled_from(["1", "4/3", "3", "10"]))
def test_both_strategies_have_one_value_and_its_bound_is_its_own_factor(keys: dict[str, Any], factor: str) -> None:
    """Duality; and no E below the one of a play is enough for its δ, unless a little less is enough as well."""
    E = Fraction(factor)
    for rows in at_least_one(rows_of(model(**keys), "default")):
        for component in at_least_one(components(rows)):
            game = Game(component, pure=False)
            play = game.play(E)
            assert (
                play.value == game.value_of(play.mixture, E) == max(gain for gain, _ in game.worst(play.simulator, E))
            )
            if play.value == 0 or E == 1:
                continue
            bound, less = crossing(game, play.mixture, E, play.value), E - (E - 1) / 1000
            assert bound <= E
            assert game.play(less).value == play.value or E - bound < Fraction(1, 10**40)
