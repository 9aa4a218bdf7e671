"""Definitions of DP22 that are a relation, against separate naive code, with ==."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import naive_atlas as naive
import pytest
from strategies_policy import PolicyModel

from verifier import build, check, loads
from verifier.definitions.atlas import atlas
from verifier.model import Model
from verifier.numbers import ZERO, epsilon

VALUES = ["a", "b", "none"]
RELATIONS = sorted(naive._RELATIONS)
MULTIPLES = ["1", "2", "1/2", "2/3", "inf"]


def random_law(random: Random, *, zeros: bool) -> dict[str, str]:
    weights = [random.randint(0 if zeros else 1, 4) for _ in range(3)]
    if not any(weights):
        weights[0] = 1
    return {output: f"{w}/{sum(weights)}" for output, w in zip("xyz", weights, strict=True) if w}


def random_policy(random: Random, size: int, values: list[str]) -> dict[str, Any]:
    databases = [list(d) for d in product(values, repeat=size)]
    some = random.sample(databases, random.randint(2, len(databases)))
    two = [random.sample(databases, 2) for _ in range(2)]
    return {
        "absent": "none",
        "sensitive": random.sample(values, 1),
        "graph": [random.sample(values, 2)],
        "attributes": {v: [random.randint(0, 1), random.randint(0, 1)] for v in values},
        "bits": {v: random.choice(["00", "01", "10", "11"]) for v in values},
        "databases": some,
        "fixed": random.choice(databases),
        "record": random.randrange(size),
        "pairs": two,
        "dependence": [[0, size - 1]],
        "group": random.randint(1, 2),
        "levels": [random.choice(MULTIPLES) for _ in range(size)],
        "scale": [[random.sample(values, 2), random.choice(MULTIPLES)]],
        "tailored": [[d[0], d, random.choice(MULTIPLES)] for d in random.sample(databases, 3)],
        "blocks": [[0]],
        "distance": "hamming",
        "at-most": random.randint(1, 2),
        "statistic": [[d, f"{random.randint(0, 4)}/2"] for d in databases],
        "order": random.randint(2, 4),
        "divergence": random.choice(["chi-squared", "total-variation", "abs-3", "kl", "renyi-2"]),
    }


def random_model(seed: int, *, size: int = 2, values: list[str] | None = None) -> Model:
    random, values = Random(seed), values or VALUES  # noqa: S311
    zeros = random.random() < 0.5
    table = [{"database": list(d), "outputs": random_law(random, zeros=zeros)} for d in product(values, repeat=size)]
    return build(size=size, values=values, mechanism={"table": table}, policy=random_policy(random, size, values))


MODELS = [random_model(seed) for seed in range(12)]


@pytest.mark.parametrize("key", RELATIONS)
def test_the_smallest_epsilon_is_that_of_the_naive_code(key: str) -> None:
    seen = set()
    for model in MODELS:
        answer, rows = check(model, key), naive.related(model, key)
        expected = naive.smallest(model, rows)
        assert answer.tight_epsilon == expected, model.policy
        assert answer.verdict == ("vacuous" if not rows else "fails" if expected.is_infinite else "holds")
        seen.add(expected)
        if not expected.is_infinite and rows:
            assert check(model, key, epsilon=expected).verdict == "holds"
    assert len(seen) > 1


@pytest.mark.parametrize(("key", "curve"), [("adp", naive.hockey), ("prodp", naive.tail)])
def test_the_smallest_delta_is_that_of_the_naive_code(key: str, curve: Any) -> None:
    for model in MODELS:
        for e in (Fraction(1), Fraction(3, 2), Fraction(3)):
            asked = epsilon(0) if e == 1 else epsilon(f"ln({e})")
            expected = max(
                curve(naive.law(model, x), naive.law(model, y), e) for x, y, _ in naive.related(model, "dp-any")
            )
            answer = check(model, key, epsilon=asked, delta=expected)
            assert answer.tight_delta == expected
            assert answer.verdict == "holds"
            assert answer.tight_epsilon is not None
            assert answer.tight_epsilon <= asked
            if expected:
                assert check(model, key, epsilon=asked, delta=expected / 2).verdict == "fails"


def test_delta_is_not_scaled() -> None:
    """At distance 2 the curve is asked at 2·ε, and δ stays."""
    for model in MODELS[:4]:
        expected = max(
            naive.hockey(naive.law(model, x), naive.law(model, y), Fraction(3, 2) ** int(c))
            for x, y, c in naive.related(model, "psdp")
        )
        assert check(model, "psdp", epsilon="ln(3/2)").tight_delta == expected


def test_databases_of_several_sizes_are_multisets() -> None:
    """One tuple added, removed, or another; ubodp leaves out the last."""
    random = Random(7)  # noqa: S311
    for _ in range(6):
        multisets = [d for n in range(3) for d in product(range(2), repeat=n) if tuple(sorted(d)) == d]
        table = [{"database": ["ab"[v] for v in d], "outputs": random_law(random, zeros=False)} for d in multisets]
        model = build(size=(0, 2), values=["a", "b"], mechanism={"table": table})
        rows = naive.neighbours(model)
        assert check(model, "dp-any").tight_epsilon == naive.smallest(model, rows)
        assert check(model, "ubodp").tight_epsilon == naive.smallest(model, [r for r in rows if len(r[0]) != len(r[1])])
        assert check(model, "ubodp").tight_epsilon == check(model, "dps").tight_epsilon


@pytest.mark.parametrize("key", sorted({*RELATIONS, "induced-neighbours-dp", "sidp"}))
def test_the_checker_derives_the_answers_about_multisets(key: str) -> None:
    answers = [check(loads(PolicyModel(Random(seed), "multisets").text), key) for seed in range(20)]  # noqa: S311
    assert all(answer.replayed or answer.verdict == "unsupported" for answer in answers)


def test_the_event_of_a_tail_leaves_out_a_loss_of_exactly_epsilon() -> None:
    """Under M(b) the loss of z is ln(5/2), and that of n is ln(3/2), which is not above ε = ln(3/2)."""
    rows = [
        {"database": ["a"], "outputs": {"n": "1/4", "z": "1/4", "y": "1/2"}},
        {"database": ["b"], "outputs": {"n": "3/8", "z": "5/8"}},
    ]
    model = build(size=1, values=["a", "b"], mechanism={"table": rows})
    answer = check(model, "prodp", epsilon="ln(3/2)")
    assert (answer.verdict, str(answer.tight_delta)) == ("fails", "5/8")
    witness, older = answer.witness, check(model, "tail-dp", epsilon="ln(3/2)").witness
    assert witness is not None
    assert older is not None
    assert ([str(o) for o in witness.event or ()], witness.probability_a) == (["z"], Fraction(5, 8))
    assert (witness.event, witness.probability_a, witness.probability_b) == (
        older.event, older.probability_a, older.probability_b,
    )  # fmt: skip


def test_the_smallest_epsilon_of_a_tail_is_demanded_by_the_outputs_that_have_it() -> None:
    """The event at the smallest ε holds them: without them P would be at most δ."""
    rows = [
        {"database": ["a"], "outputs": {"n": "1/4", "z": "3/4"}},
        {"database": ["b"], "outputs": {"n": "1/2", "z": "1/2"}},
    ]
    model = build(size=1, values=["a", "b"], mechanism={"table": rows})
    tightest = check(model, "prodp", epsilon="ln(2)").tightest
    assert tightest is not None
    assert ([str(o) for o in tightest.event or ()], tightest.probability_a) == (["n"], Fraction(1, 2))


def test_neighbours_of_one_size_are_those_of_dp() -> None:
    """Without `absent` one record is replaced, so that dp-any, adp and prodp are dp and tail-dp."""
    for seed in range(6):
        plain = random_model(seed)
        named = [
            {"database": [VALUES[v] for v in d], "outputs": {k: str(p) for k, p in naive.law(plain, d).items()}}
            for d in naive.databases(plain)
        ]
        model = build(size=2, values=VALUES, mechanism={"table": named})
        assert check(model, "dp-any").tight_epsilon == check(model, "dp").tight_epsilon
        for other, key in (("dp", "adp"), ("tail-dp", "prodp")):
            first, second = (check(model, name, epsilon="ln(2)", delta="1/4") for name in (other, key))
            assert (first.verdict, first.tight_delta, first.tight_epsilon) == (
                second.verdict, second.tight_delta, second.tight_epsilon,
            )  # fmt: skip


def test_an_absent_record_is_no_element_in_common() -> None:
    """[o, a] and [o, b] share nothing where "o" says that there is no record, and a value where it is one."""
    laws = {"oa": {"x": "1/2", "y": "1/2"}, "ob": {"x": "1/4", "y": "3/4"}}
    rows = [{"database": list(d), "outputs": laws.get("".join(d), {"x": "1"})} for d in product("abo", repeat=2)]
    policy = {"databases": [["o", "a"], ["o", "b"]], "distance": "hamming", "at-most": "1"}
    model = build(size=2, values=["a", "b", "o"], mechanism={"table": rows}, policy={**policy, "absent": "o"})
    assert check(model, "dlpr-zlw").verdict == "vacuous"
    model = build(size=2, values=["a", "b", "o"], mechanism={"table": rows}, policy=policy)
    assert str(check(model, "dlpr-zlw").tight_epsilon) == "ln(2)"


def test_a_graph_joins_no_databases_of_different_sizes() -> None:
    """Of multisets a tuple that is added has no value before."""
    rows = [{"database": list(d), "output": d or "none"} for d in ("", "a", "b")]
    policy = {"graph": [["a", "b"]]}
    model = build(size=(0, 1), values=["a", "b"], mechanism={"table": rows}, policy=policy)
    assert check(model, "bfpr").comparisons == 2


def test_sensitive_records_restrict_every_relation() -> None:
    table = [{"database": list(d), "output": str(d[0])} for d in product("ab", repeat=2)]
    model = build(size=2, values=["a", "b"], mechanism={"table": table}, sensitive={"records": [1]})
    assert check(model, "flpr").tight_epsilon == ZERO
    assert check(model, "dp-any").restricted_verdict == "holds, restricted to record 1"


def test_every_entry_is_asked_by_its_key() -> None:
    for key in atlas:
        assert atlas[key].formula, key
        assert set(atlas.dimensions(key)) <= set("QNVBFRC"), key
