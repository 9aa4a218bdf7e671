"""Right answers that a checker once refused: outputs in any order, fields that nothing reads, equal laws."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.definitions.atlas import atlas
from verifier.numbers import ZERO

KEYS = [key for key in atlas if not atlas[key].undecided]
LABELS = ("10", "9", "-3", "⊥", "z", "a, b", "a", "b", "Yes")
UNDERIVED = {"undecided", "unsupported"}


def scrambled(seed: int) -> pk.Model:
    """One record; outputs of many kinds, of which each database has some, in an order of its own."""
    random = Random(seed)  # noqa: S311
    labels = random.sample(LABELS, random.randint(3, 5))
    rows = []
    for value in ("none", "a", "b"):
        weights = {label: random.randint(0, 4) for label in random.sample(labels, len(labels))}
        weights[labels[0]] += 1
        weights[labels[1]] += 1  # `tests` names both
        total = sum(weights.values())
        rows.append({"database": [value], "outputs": {o: f"{w}/{total}" for o, w in weights.items() if w}})
    policy = {
        "absent": "none",
        "rate": "1/2",
        "order": 2,
        "divergence": "total-variation",
        "tests": [{labels[0]: "1", labels[1]: "-1"}],
        "error": "1/10",
        "leak": {label: "uv"[k % 2] for k, label in enumerate(labels)},
        "image": {label: "uv"[k % 2] for k, label in enumerate(labels)},
        "prior": {"a": "1/3", "b": "2/3"},
        "gamma": "1/4",
        "agg": ["identity"],
        "omega": "3",
        "xi": "3",
        "mu": "3",
    }
    theta = {"iid": {"none": "1/4", "a": "1/4", "b": "1/2"}}
    return pk.build(size=1, values=["none", "a", "b"], distribution=theta, mechanism={"table": rows}, policy=policy)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", KEYS)
def test_outputs_in_any_order(key: str) -> None:
    """An answer is accepted, or says that it is not re-checked; `check` raises where it is refused."""
    for seed in at_least_one(range(60 if key == "sempr" else 5)):
        answer = pk.check(scrambled(seed), key)
        assert answer.replayed or answer.verdict in UNDERIVED or answer.method == "enclosure", seed


@pytest.mark.parametrize("key", KEYS)
def test_nothing_to_compare_needs_no_field(key: str) -> None:
    """One value, one record, no [policy]: vacuous, unsupported, or an answer, of which none is refused."""
    theta = {"iid": {"a": "1"}}
    model = pk.build(size=1, values=["a"], distribution=theta, mechanism={"kind": "constant", "output": "y"})
    answer = pk.check(model, key)
    assert answer.replayed or answer.verdict in UNDERIVED


EQUAL = [{"database": [v], "outputs": {"y": "1/2", "n": "1/2"}} for v in ("a", "b")]
OTHER = {"database": ["c"], "outputs": {"y": "1/3", "n": "2/3"}}


@pytest.mark.parametrize("order", ["3/2", "3", "513/2", "257", "1000"])
@pytest.mark.parametrize("key", ["bcodp", "tcodp-bdrs", "zcodp", "azcodp", "tcodp-col", "mcodp", "klpr"])
@pytest.mark.parametrize("others", [0, 1])
def test_equal_laws_are_decided_at_every_order(key: str, order: str, others: int) -> None:
    """Equal laws have divergence 0, and do not keep those beside them from being decided."""
    policy: dict[str, Any] = {"omega": order, "xi": "0" if key != "tcodp-col" else "1", "mu": "1"}
    rows = [*EQUAL, *[OTHER] * others]
    values = ["a", "b", "c"][: 2 + others]
    answer = pk.check(pk.build(size=1, values=values, mechanism={"table": rows}, policy=policy), key)
    assert answer.verdict == "holds"
    if not others:
        assert answer.tight_epsilon == ZERO
        assert answer.replayed
