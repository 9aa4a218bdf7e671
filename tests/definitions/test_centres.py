"""Definitions with a simulator beside each other, and clients against tests of what they see."""

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

from verifier.model import Model, build
from verifier.numbers import Enclosure, Epsilon
from verifier.questions.ask import check

OUTPUTS = ("x", "y", "z")
OTHERS = [{"agg": {"records": [1 - i]}, "priv": {"records": [i]}} for i in range(2)]


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


def test_zero_knowledge_privacy_beside_differential_privacy() -> None:
    """GLP11: ε-DP suffices where the identity is an aggregate, and ε-ZKPr implies 2·ε-DP for any aggregates."""
    for seed in range(12):
        model = random_model(seed, agg=["identity"])
        dp, known = check(model, "dp").tight_epsilon, check(model, "zkpr").tight_epsilon
        nothing = check(random_model(seed, agg=["constant"]), "zkpr").tight_epsilon
        assert isinstance(dp, Epsilon)
        assert isinstance(known, Epsilon)
        assert isinstance(nothing, Epsilon)
        assert known <= dp
        for tight in (known, nothing):
            low, high = dp.bracket(64)[0], 2 * tight.bracket(64)[1]
            assert low <= high


PAIRS = list(product((0, 1), repeat=2))


def test_what_is_not_told_and_not_private_may_be_said() -> None:
    """The output is the second record: private and untold, told, or neither private nor told."""
    answers = []
    for agg, priv in (([0], [1]), ([1], [1]), ([0], [0])):
        policy = {"coupled": [{"agg": {"records": agg}, "priv": {"records": priv}}]}
        rows = [{"database": list(d), "outputs": {str(d[1]): "1"}} for d in PAIRS]
        even = {"iid": {0: "1/2", 1: "1/2"}}
        model = build(size=2, values=[0, 1], distribution=even, mechanism={"table": rows}, policy=policy)
        answers.append(str(check(model, "cwpr").tight_epsilon))
    assert answers == ["inf", "0", "0"]


def test_distributional_privacy_is_coupled_worlds() -> None:
    """DP22: priv tells one record, agg the others; so are the inference-based forms."""
    for seed in range(6):
        model = random_model(seed, coupled=OTHERS)
        assert check(model, "cwpr").tight_epsilon == check(model, "ddp").tight_epsilon
        inferred, known = (check(model, key).tight_epsilon for key in ("ibcwpr", "ibddp"))
        assert isinstance(inferred, Enclosure)
        assert str(inferred) == str(known)


def test_typical_stability_with_everything_left_out() -> None:
    model = random_model(1, gamma="1")
    assert str(check(model, "typst").tight_epsilon) == "0"
    assert check(replace(model, policy=replace(model.policy, gamma=None)), "typst").verdict == "unsupported"


def test_a_function_without_a_row_is_named() -> None:
    answer = check(random_model(1, agg=[[[[0], "low"]]]), "zkpr")
    assert answer.verdict == "unsupported"
    assert "no row for [1]" in (answer.reason or "")
