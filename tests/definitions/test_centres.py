"""Definitions with a simulator beside each other, and clients against tests of what they see."""

from itertools import product
from random import Random
from typing import Any

from verifier.model import Model, build
from verifier.numbers import Epsilon
from verifier.questions.ask import check

OUTPUTS = ("x", "y", "z")


def random_model(seed: int, *, zeros: bool = False, **policy: Any) -> Model:
    random = Random(seed)  # noqa: S311 - not a secret
    rows, worlds = [], []
    for d in product((0, 1), repeat=2):
        weights = [random.randint(0 if zeros else 1, 4) for _ in OUTPUTS]
        weights[random.randrange(3)] += 1
        outputs = {o: f"{w}/{sum(weights)}" for o, w in zip(OUTPUTS, weights, strict=True) if w}
        rows.append({"database": list(d), "outputs": outputs})
        worlds.append(random.randint(0, 3))
    worlds[seed % 4] += 1
    table = [
        {"database": r["database"], "probability": f"{w}/{sum(worlds)}"} for r, w in zip(rows, worlds, strict=True)
    ]
    drawn = [{"name": "drawn", "table": table}, {"name": "even", "iid": {0: "1/2", 1: "1/2"}}]
    return build(size=2, values=[0, 1], distribution=drawn, mechanism={"table": rows}, policy=policy)


AGG = [[[[0], "low"], [[1], {"low": "1/2", "high": "1/2"}]], "constant", "identity"]


def test_another_aggregate_may_be_better() -> None:
    better = 0
    for seed in range(8):
        alone, both = (check(random_model(seed, agg=AGG[k:2]), "zkpr").tight_epsilon for k in (1, 0))
        assert isinstance(alone, Epsilon)
        assert isinstance(both, Epsilon)
        assert both <= alone
        better += both != alone
    assert better > 0
