"""Tails of infinite noise: each definition on lumped tails, and on the same laws written out beyond them.

The laws of the second model are added up here, output by output, and what is left on each side is a plain label. The
two models are one mechanism, so that every definition that may lump tails has one answer on both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import verifier as pk
from verifier.definitions import Definition, find
from verifier.definitions.atlas import atlas
from verifier.definitions.registry import DEFINITIONS
from verifier.definitions.scheme.decide import Scheme
from verifier.definitions.scheme.measures import BY_SETS
from verifier.definitions.verdict import Verdict
from verifier.model import Model
from verifier.model.bundled import bundled
from verifier.numbers import Enclosure, Epsilon

Law = Mapping[Any, Fraction]
P = Fraction(1, 3)
AT = {"low": 0, "mid": 1, "high": 2}
FAR = 3
"""How far beyond the range the second model keeps outputs apart."""
KEYS = sorted({*DEFINITIONS, *atlas, "ibddp"})


def noisy(law: Law, p: Fraction, low: int, high: int) -> dict[Any, Fraction]:
    """The law of k + X for k of a law on integers, on low to high, and of all that is `below` and `above`."""
    share = (1 - p) / (1 + p)
    table: dict[Any, Fraction] = {
        k: sum((q * share * p ** abs(k - at) for at, q in law.items()), Fraction(0)) for k in range(low, high + 1)
    }
    table["below"] = sum((q * p ** (at - low + 1) / (1 + p) for at, q in law.items()), Fraction(0))
    table["above"] = sum((q * p ** (high - at + 1) / (1 + p) for at, q in law.items()), Fraction(0))
    assert sum(table.values()) == 1
    return table


def on_outputs(table: Mapping[str, Any], outputs: Iterable[Any]) -> dict[str, Any]:
    """A table of [policy] on three outputs, as one on integers, and on half-lines as on the integer beside them."""
    by_number = {AT[name]: entry for name, entry in table.items()}

    def at(output: Any) -> int:
        below = str(output) in {"below", "< 0"}
        return 0 if below else 2 if str(output) in {"above", "> 2"} else min(max(int(output), 0), 2)

    return {str(o): by_number[at(o)] for o in outputs if at(o) in by_number}


def twins(name: str) -> tuple[Model, Model]:
    """A tour of the atlas with noise after its outputs 0, 1 and 2: with lumped tails, and written out."""
    table = tomllib.loads(bundled()[f"atlas/{name}"].read_text(encoding="utf-8"))
    rows = [
        (row["database"], {AT[o]: Fraction(p) for o, p in row["outputs"].items()}) for row in table["mechanism"]["table"]
    ]
    lumped = {
        "table": [{"database": d, "outputs": {str(k): str(q) for k, q in law.items()}} for d, law in rows],
        "then": [{"kind": "geometric-noise", "p": str(P)}],
    }
    written = {
        "table": [
            {"database": d, "outputs": {str(o): str(q) for o, q in noisy(law, P, -FAR, 2 + FAR).items()}}
            for d, law in rows
        ]
    }
    ranges = (["< 0", 0, 1, 2, "> 2"], ["below", *range(-FAR, 3 + FAR), "above"])
    models = []
    for mechanism, outputs in zip((lumped, written), ranges, strict=True):
        policy = dict(table["policy"])
        for field in ("leak", "image"):
            policy |= {field: on_outputs(policy[field], outputs)} if field in policy else {}
        for field in ("tests", "views"):
            policy |= {field: [on_outputs(one, outputs) for one in policy[field]]} if field in policy else {}
        keys = {key: table[key] for key in ("size", "values", "distribution", "knowledge") if key in table}
        models.append(pk.build(**keys, mechanism=mechanism, policy=policy))
    return models[0], models[1]


kept_twins = cache(twins)


def ends(number: Epsilon | Enclosure) -> tuple[Fraction, Fraction]:
    return (number.low.value, number.high.value) if isinstance(number, Enclosure) else number.bracket(128)


def alike(first: Verdict, second: Verdict) -> bool:
    """The same verdict and δ, and the same smallest ε; an enclosure may meet an exact form that is shorter."""
    x, y = first.tight_epsilon, second.tight_epsilon
    if (first.verdict, str(first.tight_delta)) != (second.verdict, str(second.tight_delta)):
        return False
    if Enclosure not in {type(x), type(y)} or x is None or y is None:
        return x == y
    (low, high), (other_low, other_high) = ends(x), ends(y)
    return low <= other_high and other_low <= high and max(high, other_high) - min(low, other_low) < Fraction(1, 10**6)


def by_sets(definition: Definition) -> bool:
    return isinstance(definition.decider, Scheme) and definition.decider.measure in BY_SETS


@pytest.mark.parametrize("tour", ["tour", "tour-missing", "tour-sizes"])
@pytest.mark.parametrize("key", KEYS)
def test_lumped_tails_change_no_answer(key: str, tour: str) -> None:
    """The verdict, the smallest ε and the smallest δ; where sets of outputs count, lumped tails are refused."""
    definition, (lumped, written) = find(key), kept_twins(tour)
    for delta in ("0", "1/20") if definition.has_delta else ("0",):
        epsilon = "1/3" if definition.has_epsilon else None
        first, second = (pk.check(model, key, epsilon=epsilon, delta=delta, replay=False) for model in (lumped, written))
        if by_sets(definition) and second.verdict != "unsupported":
            assert first.verdict == "unsupported"
            assert "clamp the noise" in str(first.reason)
        else:
            assert alike(first, second), (str(first), str(second))


def test_some_tour_decides_each_definition() -> None:
    """No definition is only compared where it is refused, but for those that no model decides, and two of one kind."""
    decided = {
        key
        for key in KEYS
        for tour in ("tour", "tour-missing", "tour-sizes")
        if pk.check(kept_twins(tour)[1], key, replay=False).verdict not in {"unsupported", "undecided"}
    }
    assert set(KEYS) - decided == {"czkpr", "indcdp", "ocdp", "rldp", "simcdp", "safe"}
