"""The smallest δ and ε of tiny models, dependent or not, against a plain linear program."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from linear import feasible, smallest_delta
from test_simulators import READINGS, model

import verifier as pk
from verifier.definitions.simulated import SimulatorWitness
from verifier.numbers import Epsilon, log_epsilon
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


def plain_rows(keys: dict[str, Any], reading: str) -> Any:
    """The laws to be imitated and those of what the simulator is told, for the plain program."""
    known = keys.get("knowledge", {"records": []})["records"]
    laws = {tuple(row["database"]): {o: Fraction(p) for o, p in row["outputs"].items()}
            for row in keys["mechanism"]["rows"]}  # fmt: skip
    found: dict[Any, tuple[dict[str, Fraction], dict[Any, Fraction]]] = {}
    for world in keys["distribution"]["table"]:
        database, chance = tuple(world["database"]), Fraction(world["probability"])
        for i in range(keys["size"] if chance else 0):
            heard = tuple(database[j] for j in known)
            law, contexts = found.setdefault((heard, i, database[i]), ({}, {}))
            told = (*database[:i], *database[i + 1 :], "" if reading == "index-free" else i,
                    heard if reading == "per-knowledge" else "")  # fmt: skip
            contexts[told] = contexts.get(told, Fraction(0)) + chance
            for o, p in laws[database].items():
                law[o] = law.get(o, Fraction(0)) + chance * p
    totals = [(law, contexts, sum(contexts.values())) for law, contexts in found.values()]
    return [({o: p / total for o, p in law.items()}, {c: p / total for c, p in contexts.items()})
            for law, contexts, total in totals]  # fmt: skip


@settings(max_examples=30)
@given(tiny_models(), st.sampled_from(READINGS), st.sampled_from(["1", "3/2", "5"]))
def test_tiny_models_have_the_delta_of_a_plain_program(keys: dict[str, Any], reading: str, factor: str) -> None:
    rows, E = plain_rows(keys, reading), Fraction(factor)
    found = pk.check(model(**keys), "ddp", epsilon=log_epsilon(E), reading=reading)
    assert found.tight_delta == smallest_delta(rows, E)
    assert found.verdict == ("holds" if found.tight_delta == 0 else "fails")
    assert found.replayed


@settings(max_examples=30)
@given(tiny_models(), st.sampled_from(READINGS), st.sampled_from(["0", "1/40", "1/9", "1/3"]))
def test_tiny_models_have_the_epsilon_of_a_plain_program(keys: dict[str, Any], reading: str, level: str) -> None:
    """The simulator that is shown is enough, and of any smaller ε the plain program says that none is."""
    rows, delta = plain_rows(keys, reading), Fraction(level)
    found = pk.check(model(**keys), "ddp", delta=delta, reading=reading)
    assert found.replayed
    tight = found.tight_epsilon
    assert isinstance(tight, Epsilon)
    if tight.is_infinite:
        assert not feasible(rows, Fraction(10**6), delta)
        return
    low, high = tight.exp_bracket(40)
    assert feasible(rows, high, delta)
    assert tight == 0 or not feasible(rows, low - Fraction(1, 1 << 40), delta)
    if tight.exp is None or not isinstance(found.tightest, SimulatorWitness):
        return
    for told in found.tightest.simulator or ():
        assert sum(Fraction(str(p)) for _, p in told.law) == 1
        assert all(Fraction(str(p)) > 0 for _, p in told.law)


@given(tiny_models(), st.sampled_from(["1", "4/3", "3", "10"]))
def test_both_strategies_have_one_value_and_its_bound_is_its_own_factor(keys: dict[str, Any], factor: str) -> None:
    """Duality; and no E below the one of a play is enough for its δ, unless a little less is enough as well."""
    E = Fraction(factor)
    for rows in rows_of(model(**keys), "default"):
        for component in components(rows):
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
