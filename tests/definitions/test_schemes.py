"""Each definition of DP22 on random models: the checker derives its answer again, at some ε and δ."""

from functools import cache
from random import Random

import pytest
from strategies_policy import PolicyModel, with_centres

import verifier as pk
from verifier.engine import Engine

KINDS = ("lists", "gaps", "multisets")
WITHOUT_VIEWS = {"wfdp", "sfdp"}
"""What no random model has the fields for."""
ASKED = (("ln(3/2)", "1/20"), (None, "0"), ("1/2", "1/4"))


@cache
def random_engine(seed: int) -> Engine:
    random = Random(seed)  # noqa: S311 - not a secret
    drawn = PolicyModel(random, KINDS[seed % 3])
    return Engine(pk.loads(drawn.text if seed % 3 else with_centres(random, drawn)))


@pytest.mark.parametrize(
    "seeds", [[*range(4, 10)], pytest.param([*range(10, 16), 21], marks=pytest.mark.sweep(0))], ids=str
)
@pytest.mark.parametrize("key", pk.atlas)
def test_the_checker_derives_each_answer_again(key: str, seeds: range) -> None:
    definition, derived = pk.atlas[key], set()
    for seed in seeds:
        epsilon, delta = ASKED[seed % 4 % 3]
        answer = pk.check(
            random_engine(seed).model,
            key,
            epsilon=epsilon if definition.has_epsilon else None,
            delta=delta if definition.has_delta else "0",
            engine=random_engine(seed),
        )
        assert answer.replayed is True or answer.verdict in {"unsupported", "undecided"}, (seed, answer)
        derived.add(answer.verdict)
    assert definition.undecided or key in WITHOUT_VIEWS or derived != {"unsupported"}
