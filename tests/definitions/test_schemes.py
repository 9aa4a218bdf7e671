"""Definitions of DP22 with scalar measures, about θ, random databases and beliefs: against naive code, with ==."""

from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import naive_atlas as naive
import naive_beliefs as beliefs
import pytest

from verifier import build, check
from verifier.definitions.divergence import divergence_named
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.numbers import INFINITY, ZERO, Epsilon, epsilon


def fractions_of(random: Random, number: int, *, zeros: bool = True) -> list[Fraction]:
    weights = [random.randint(0 if zeros else 1, 4) for _ in range(number)]
    weights[random.randrange(number)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def random_model(seed: int) -> Model:
    random, values = Random(seed), ["a", "b", "c", "none"][1 - seed % 2 :]  # noqa: S311
    databases = [list(d) for d in product(values, repeat=2)]
    zeros = random.random() < 0.4
    rows = [
        {
            "database": d,
            "outputs": {o: str(p) for o, p in zip("xyz", fractions_of(random, 3, zeros=zeros), strict=True)},
        }
        for d in databases
    ]
    thetas = [
        {
            "name": name,
            "table": [
                {"database": d, "probability": str(p)}
                for d, p in zip(databases, fractions_of(random, len(databases)), strict=True)
            ],
        }
        for name in ("up", "down")
    ]
    policy = {
        "secrets": [[random.sample(databases, 2), random.sample(databases, 1)] for _ in range(3)],
        "theta-distances": [["up", "down", random.choice(["1/2", "1", "3"])]],
        "prior": dict(zip(values[:-1], map(str, fractions_of(random, len(values) - 1)), strict=True)),
        "gamma": random.choice(["0", "1/10", "1/4", "1/2"]),
        "order": random.randint(2, 4),
        "divergence": random.choice(["chi-squared", "total-variation", "abs-1", "abs-3", "kl", "renyi-2", "spread"]),
        "leak": {"x": "l", "y": "l", "z": "m"},
        "image": {"x": "i", "y": "j", "z": "j"},
        "absent": values[-1],
        "rate": random.choice(["1/2", "1/3", "1", "0"]),
    }
    return build(size=2, values=values, distribution=thetas, mechanism={"table": rows}, policy=policy)


MODELS = [random_model(seed) for seed in range(8)]


def tight(model: Model, key: str, **keys: Any) -> Any:
    return check(model, key, **keys).tight_epsilon


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("pfpr", beliefs.pfpr),
        ("baydp-ysn", beliefs.adversaries),
        ("cordp", beliefs.adversaries),
        ("pridp", beliefs.adversaries),
        ("baydp-ll", beliefs.adversaries),
        ("anpr", beliefs.anpr),
        ("infpr", beliefs.infpr),
        ("pmpr", None),
        ("nmpr", None),
        ("mpr", None),
        ("randp", beliefs.randp),
        ("dlpr-rot", beliefs.two_databases),
    ],
)
def test_the_smallest_epsilon(key: str, expected: Any) -> None:
    seen = set()
    for model in MODELS:
        if key.endswith("mpr"):  # the value `absent` is no record
            plain = _without(model, "absent")
            value = beliefs.membership(plain, key)
            assert tight(plain, key) == value
        else:
            value = expected(model)
            assert tight(model, key) == value
        seen.add(value)
    assert len(seen) > 2


@pytest.mark.parametrize("key", ["baydp-ysn", "cordp", "pridp", "baydp-ll"])
@pytest.mark.parametrize(("records", "expected"), [([1], "vacuous"), ([0], "fails"), ([0, 1], "fails")])
def test_only_protected_records_are_attacked(key: str, records: list[int], expected: str) -> None:
    """The one listed adversary attacks record 0, which the output tells."""
    databases = [list(d) for d in product("ab", repeat=2)]
    model = build(
        size=2,
        values=["a", "b"],
        distribution={"name": "fair", "table": [{"database": d, "probability": "1/4"} for d in databases]},
        mechanism={"table": [{"database": d, "output": d[0]} for d in databases]},
        sensitive={"records": records},
        policy={"adversaries": [[0, [1]]]},
    )
    assert check(model, key).verdict == expected


def _without(model: Model, field: str) -> Model:
    from dataclasses import replace

    return replace(model, policy=replace(model.policy, **{field: None}))


def test_adversarial_privacy_has_a_delta() -> None:
    for model in (_without(each, "absent") for each in MODELS):
        for exp in (Fraction(1), Fraction(5, 4)):
            asked = epsilon(0) if exp == 1 else epsilon(f"ln({exp})")
            assert check(model, "advpr", epsilon=asked).tight_delta == beliefs.adversarial(model, exp)


def test_on_average_kullback_leibler() -> None:
    finite = 0
    for model in MODELS:
        terms: list[tuple[Fraction, Fraction]] | None = []
        for share, x, y in beliefs.random_pairs(model):
            if share and terms is not None:
                one = beliefs.kl(naive.law(model, x), naive.law(model, y))
                terms = None if one is None else [*terms, *((share * r, s) for r, s in one)]
        found = tight(model, "avgklpr")
        if terms is None or isinstance(found, Epsilon):
            assert found == (INFINITY if terms is None else beliefs.as_epsilon(terms))
        else:
            low, high = beliefs.bracketed(terms)
            assert found.low.value <= high
            assert low <= found.high.value
        finite += not found.is_infinite
    assert finite > 3


def test_semantic_privacy() -> None:
    """R ≤ ((1 + ε)/(1 - ε))² at the smallest ε, and no earlier."""
    for model in MODELS:
        found, expected = tight(model, "sempr"), beliefs.semantic(model)
        if expected is None:
            assert found == epsilon(1)
            continue
        ends = (found.coefficient,) * 2 if isinstance(found, Epsilon) else (found.low.value, found.high.value)
        low, high = (((1 + end) / (1 - end)) ** 2 for end in ends)
        assert low <= expected <= high


def on_samples(model: Model, database: tuple[int, ...]) -> naive.Law:
    """The law of outputs where each record that is there is kept with probability β, and else absent."""
    absent, rate = model.policy.need("absent"), model.policy.need("rate")
    there = [i for i, v in enumerate(database) if v != absent]
    law: naive.Law = {}
    for size in range(len(there) + 1):
        for kept in combinations(there, size):
            share = rate**size * (1 - rate) ** (len(there) - size)
            sample = tuple(v if i in kept else absent for i, v in enumerate(database))
            for output, p in naive.law(model, sample).items():
                law[output] = law.get(output, Fraction(0)) + share * p
    return law


def test_sampled_lists() -> None:
    """A record of a list that is not kept is `absent`; at rate 1 it is DP, and at rate 0 nothing is told."""
    smallest = set()
    for model in MODELS:
        pairs = ((on_samples(model, x), on_samples(model, y)) for x, y, _ in naive.neighbours(model))
        found = tight(model, "samdp")
        assert found == max(naive.worst_ratio(p, q) for p, q in pairs)
        assert found <= tight(model, "dp-any")
        if model.policy.rate in {0, 1}:
            assert found == (tight(model, "dp-any") if model.policy.rate else ZERO)
        smallest.add(str(found))
    assert len(smallest) > 2


def test_the_share_that_may_be_left_out_may_be_attained() -> None:
    """Of a fair coin half of all random pairs differ."""
    policy = {"prior": {"0": "1/2", "1": "1/2"}, "gamma": "1/2"}
    model = build(size=1, values=[0, 1], mechanism={"kind": "sum"}, policy=policy)
    assert tight(model, "randp") == ZERO
    less = build(size=1, values=[0, 1], mechanism={"kind": "sum"}, policy={**policy, "gamma": "499/1000"})
    assert tight(less, "randp") == INFINITY


def test_an_unknown_divergence_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="abs-0"):
        divergence_named("abs-0")
    model = build(size=1, values=[0, 1], mechanism={"kind": "sum"}, policy={"order": "5/2"})
    answer = check(model, "kdivdp")
    assert answer.verdict == "unsupported"
    assert "5/2" in (answer.reason or "")
