"""Definitions with a simulator against a plain linear program, and clients against tests of what they see."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from random import Random
from typing import Any

import naive_atlas as naive
import pytest
from linear import feasible, smallest_delta
from plain_inference import plain_answerable, plain_games

from verifier.model import NOTHING, Model, build
from verifier.numbers import Enclosure, Epsilon, log_epsilon
from verifier.questions.ask import check
from verifier.simulators import Context, SimulatorRow
from verifier.tables import label

Rows = list[tuple[dict[str, Fraction], dict[Any, Fraction]]]
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


def chances(model: Model) -> list[dict[naive.Database, Fraction]]:
    """The probabilities of the databases, for each θ."""
    listed = []
    for theta in model.thetas:
        total: dict[naive.Database, Fraction] = {}
        for world in theta.worlds():
            p = Fraction(world.weight, theta.denominator)
            total[world.database] = total.get(world.database, Fraction(0)) + p
        listed.append({d: p for d, p in total.items() if p})
    return listed


def agrees(model: Model, key: str, problems: Callable[[Model], list[list[Rows]]]) -> bool:
    """Whether δ at some ε, and the smallest ε at some δ, are those of the plain program; whether ε is finite."""
    groups = problems(model)
    for E in (Fraction(1), Fraction(3, 2)):
        expected = max(min(smallest_delta(rows, E) if rows else Fraction(0) for rows in group) for group in groups)
        answer = check(model, key, epsilon=log_epsilon(E))
        assert answer.tight_delta == expected
        assert answer.verdict == ("fails" if expected else "vacuous" if answer.comparisons == 0 else "holds")
    for delta in (Fraction(0), Fraction(1, 9)):

        def enough(E: Fraction, delta: Fraction = delta) -> bool:
            return all(any(not rows or feasible(rows, E, delta) for rows in group) for group in groups)

        tight = check(model, key, delta=delta).tight_epsilon
        assert isinstance(tight, Epsilon)
        if tight.is_infinite:
            assert not enough(Fraction(10**6))
            return False
        low, high = tight.exp_bracket(40)
        assert enough(high)
        assert tight == 0 or not enough(low - Fraction(1, 1 << 40))
    return True


def aggregated(model: Model) -> list[list[Rows]]:
    """Zero-knowledge privacy for the functions of `AGG`."""
    laws = [(d, naive.law(model, d)) for d in naive.databases(model)]
    functions: list[Callable[[int], dict[Any, Fraction]]] = [
        lambda other: {"low": Fraction(1)} if not other else {"low": Fraction(1, 2), "high": Fraction(1, 2)},
        lambda _: {"": Fraction(1)},
        lambda other: {other: Fraction(1)},
    ]
    known = functions[: len(model.policy.agg or ())]
    return [[[(law, f(d[1 - i])) for d, law in laws for i in range(2)] for f in known]]


AGG = [[[[0], "low"], [[1], {"low": "1/2", "high": "1/2"}]], "constant", "identity"]


@pytest.mark.parametrize("seed", range(3))
def test_zero_knowledge_privacy_takes_the_best_aggregate(seed: int) -> None:
    agrees(random_model(seed, zeros=seed == 0, agg=AGG[: 1 + seed]), "zkpr", aggregated)


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


def coupled(model: Model) -> list[list[Rows]]:
    """Coupled worlds for `GAMMA`: the sum tells of the parity, and the first record of the second."""
    rows: Rows = []
    for theta in chances(model):
        for agg, priv in (
            (lambda d: ("sum", sum(d)), lambda d: sum(d) % 2),
            (lambda d: ("first", d[0]), lambda d: d[1]),
        ):
            for value in (0, 1):
                inside = {d: p for d, p in theta.items() if priv(d) == value}
                total = sum(inside.values(), Fraction(0))
                law: dict[str, Fraction] = {}
                told: dict[Any, Fraction] = {}
                for d, p in inside.items():
                    told[agg(d)] = told.get(agg(d), Fraction(0)) + p / total
                    for o, q in naive.law(model, d).items():
                        law[o] = law.get(o, Fraction(0)) + p * q / total
                rows += [(law, told)] if inside else []
    return [[rows]]


PAIRS = list(product((0, 1), repeat=2))
GAMMA = [
    {"agg": [[list(d), ["sum", sum(d)]] for d in PAIRS], "priv": [[list(d), sum(d) % 2] for d in PAIRS]},
    {"agg": [[list(d), ["first", d[0]]] for d in PAIRS], "priv": {"records": [1]}},
]


@pytest.mark.parametrize("seed", range(2))
def test_coupled_worlds(seed: int) -> None:
    agrees(random_model(seed, zeros=seed == 0, coupled=GAMMA), "cwpr", coupled)


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


def coupled_rows(model: Model) -> list[SimulatorRow]:
    rows = []
    for name, theta in zip((theta.name for theta in model.thetas), chances(model), strict=True):
        for number, value in product((0, 1), repeat=2):
            inside = {d: p for d, p in theta.items() if (sum(d) % 2 if number == 0 else d[1]) == value}
            total = sum(inside.values(), Fraction(0))
            contexts: dict[Context, Fraction] = {}
            law: dict[Any, Fraction] = {}
            for d, p in inside.items():
                told = Context((), None, None, label(["sum", sum(d)] if number == 0 else ["first", d[0]]))
                contexts[told] = contexts.get(told, Fraction(0)) + p / total
                for o, q in naive.law(model, d).items():
                    law[label(o)] = law.get(label(o), Fraction(0)) + p * q / total
            if inside:
                rows.append(SimulatorRow(name, NOTHING, number, label(value), law, contexts, total))
    return rows


def test_inference_based_coupled_worlds() -> None:
    verdicts = set()
    for seed in range(3):
        model = random_model(seed, coupled=GAMMA)
        games = list(plain_games(coupled_rows(model)))
        for factor in ("1", "5/4", "3/2", "3"):
            answer = check(model, "ibcwpr", epsilon=f"ln({factor})")
            assert (answer.verdict == "holds") == all(plain_answerable(game, Fraction(factor)) for game in games)
            verdicts.add(answer.verdict)
    assert verdicts == {"holds", "fails"}


def typical(model: Model) -> list[list[Rows]]:
    """All sets of databases of mass at least 1 - γ, for each θ."""
    gamma, groups = model.policy.gamma or Fraction(0), []
    for theta in chances(model):
        sets = chain.from_iterable(combinations(theta, number) for number in range(len(theta) + 1))
        kept = [each for each in sets if sum((theta[d] for d in each), Fraction(0)) >= 1 - gamma]
        groups.append([[(naive.law(model, d), {"": Fraction(1)}) for d in each] for each in kept])
    return groups


@pytest.mark.parametrize("gamma", ["0", "1/4", "1/2", "1"])
def test_typical_stability(gamma: str) -> None:
    for seed in range(2):
        agrees(random_model(seed, zeros=seed == 0, gamma=gamma), "typst", typical)


def test_typical_stability_with_everything_left_out() -> None:
    model = random_model(1, gamma="1")
    assert str(check(model, "typst").tight_epsilon) == "0"
    assert check(replace(model, policy=replace(model.policy, gamma=None)), "typst").verdict == "unsupported"


def test_a_function_without_a_row_is_named() -> None:
    answer = check(random_model(1, agg=[[[[0], "low"]]]), "zkpr")
    assert answer.verdict == "unsupported"
    assert "no row for [1]" in (answer.reason or "")


VIEWS = [{"x": "1", "y": "1", "z": "2"}, {"x": "a", "y": "b", "z": "b"}, {"x": "-", "y": "-", "z": "-"}]
CURVE = ((Fraction(0), Fraction(3, 4)), (Fraction(1, 2), Fraction(1, 4)), (Fraction(1), Fraction(0)))


def above_curve(p: naive.Law, q: naive.Law) -> bool:
    outputs = sorted({*p, *q})
    for chosen in chain.from_iterable(combinations(outputs, n) for n in range(len(outputs) + 1)):
        alpha, beta = (
            sum((p.get(o, Fraction(0)) for o in chosen), Fraction(0)),
            1 - sum((q.get(o, Fraction(0)) for o in chosen), Fraction(0)),
        )
        if beta < max(Fraction(3, 4) - alpha, (1 - alpha) / 2, Fraction(0)):
            return False
    return True


def seen(law: naive.Law, views: list[dict[str, str]]) -> naive.Law:
    total: naive.Law = {}
    for o, p in law.items():
        told = " ".join(view[o] for view in views)
        total[told] = total.get(told, Fraction(0)) + p
    return total


def test_clients_see_each_other_alone_or_together() -> None:
    """Client 0 has the first record, client 1 the second, and client 2 none; each sees a part of the output."""
    answers = set()
    for seed in range(60):
        model = random_model(seed, blocks=[[0], [1], []], views=VIEWS, tradeoff=[[str(x), str(y)] for x, y in CURVE])
        weak = strong = True
        for x, y, _ in naive.neighbours(model):
            client = 0 if x[0] != y[0] else 1
            others = [VIEWS[j] for j in range(3) if j != client]
            p, q = naive.law(model, x), naive.law(model, y)
            weak = weak and all(above_curve(seen(p, [view]), seen(q, [view])) for view in others)
            strong = strong and above_curve(seen(p, others), seen(q, others))
        assert check(model, "wfdp").verdict == ("holds" if weak else "fails")
        assert check(model, "sfdp").verdict == ("holds" if strong else "fails")
        answers |= {("weak", weak), ("strong", strong)}
    assert len(answers) == 4


def test_together_the_clients_see_more() -> None:
    """Each of two clients sees one of two bits, whose sum is the record of the third."""
    rows = [{"database": [v], "outputs": {f"{a}{a ^ v}": "1/2" for a in (0, 1)}} for v in (0, 1)]
    bits = {f"{a}{b}": (str(a), str(b)) for a, b in PAIRS}
    views = [dict.fromkeys(bits, "-"), *({o: pair[k] for o, pair in bits.items()} for k in (0, 1))]
    policy = {"blocks": [[0], [], []], "views": views, "tradeoff": [["0", "1"], ["1", "0"]]}
    model = build(size=1, values=[0, 1], mechanism={"table": rows}, policy=policy)
    assert (check(model, "wfdp").verdict, check(model, "sfdp").verdict) == ("holds", "fails")
    assert "clients 1, 2" in (check(model, "sfdp").reason or "")


def test_views_and_blocks_go_together() -> None:
    model = random_model(1, blocks=[[0], [1]], views=VIEWS, tradeoff=[["0", "1"], ["1", "0"]])
    assert "2 blocks and 3 views" in (check(model, "wfdp").reason or "")
