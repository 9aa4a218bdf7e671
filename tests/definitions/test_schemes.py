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
from verifier.definitions.scheme.reals import Enclosed, divided, log_sum, order, root, times
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.numbers import INFINITY, ZERO, Epsilon, Order, epsilon


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


def test_distributions_are_compared_in_both_orders() -> None:
    for model in MODELS:
        p, q = (beliefs.mixed(model, beliefs.prior(theta)) for theta in model.thetas)
        assert p is not None
        assert q is not None
        distance = (model.policy.theta_distances or ())[0][2] or Fraction(1)
        expected = max(naive.worst_ratio(p, q), naive.worst_ratio(q, p))
        assert tight(model, "ednpr") == naive.over(expected, distance)
        for key, curve in (("dnpr", naive.hockey), ("pbdp", naive.hockey), ("pdnpr", naive.tail)):
            worst = max(curve(p, q, Fraction(3, 2)), curve(q, p, Fraction(3, 2)))
            assert check(model, key, epsilon="ln(3/2)").tight_delta == worst
            assert check(model, key).tight_epsilon == expected


def test_adversarial_privacy_has_a_delta() -> None:
    for model in (_without(each, "absent") for each in MODELS):
        for exp in (Fraction(1), Fraction(5, 4)):
            asked = epsilon(0) if exp == 1 else epsilon(f"ln({exp})")
            assert check(model, "advpr", epsilon=asked).tight_delta == beliefs.adversarial(model, exp)


def test_averages_over_a_redrawn_record() -> None:
    for model in MODELS:
        law_of_one = model.policy.prior or ()
        for key, curve in (("wbdp", naive.hockey), ("baydp-tf", naive.tail)):
            worst = Fraction(0)
            there = [(d, i) for d, i in product(naive.databases(model), range(2)) if d[i] != model.policy.absent]
            for d, i in there:
                others = [(p, (*d[:i], v, *d[i + 1 :])) for v, p in enumerate(law_of_one)]
                mine = naive.law(model, d)
                forward = sum((p * curve(mine, naive.law(model, x), Fraction(2)) for p, x in others), Fraction(0))
                backward = sum((p * curve(naive.law(model, x), mine, Fraction(2)) for p, x in others), Fraction(0))
                worst = max(worst, forward, backward)
            answer = check(model, key, epsilon="ln(2)", delta=worst)
            assert answer.tight_delta == worst
            assert answer.verdict == "holds"


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


def test_scalars_of_neighbours() -> None:
    """KL, Rényi, χ², |t - 1|^k, total variation and the range, of each ordered pair of neighbours."""
    for model in (_without(each, "absent") for each in MODELS):
        laws = [(naive.law(model, x), naive.law(model, y)) for x, y, _ in naive.neighbours(model)]
        assert tight(model, "klpr") == max(_kl(p, q) for p, q in laws)
        assert tight(model, "renyidp") == max(_renyi(p, q, int(model.policy.order or 2)) for p, q in laws)
        assert tight(model, "rbpr") == max(_range(p, q) for p, q in laws)
        assert tight(model, "divdp") == max(_divergence(str(model.policy.divergence), p, q) for p, q in laws)
        k, rooted = int(model.policy.order or 2), tight(model, "kdivdp")
        power = max(_power(p, q, k) for p, q in laws)
        if power.is_infinite or isinstance(rooted, Epsilon):
            assert rooted == (INFINITY if power.is_infinite else rooted)
            assert power.is_infinite or rooted.coefficient**k == power.coefficient
        else:
            assert rooted.low.value**k <= power.coefficient <= rooted.high.value**k


def _kl(p: naive.Law, q: naive.Law) -> Epsilon:
    terms = beliefs.kl(p, q)
    return INFINITY if terms is None else beliefs.as_epsilon(terms)


def _renyi(p: naive.Law, q: naive.Law, order_: int) -> Epsilon:
    if any(m and not q.get(o) for o, m in p.items()):
        return INFINITY
    moment = sum((m**order_ / q[o] ** (order_ - 1) for o, m in p.items() if m), Fraction(0))
    return beliefs.as_epsilon([(Fraction(1, order_ - 1), moment)])


def _range(p: naive.Law, q: naive.Law) -> Epsilon:
    both = {o for o in {*p, *q} if p.get(o) or q.get(o)}
    if any(not p.get(o) or not q.get(o) for o in both):
        return INFINITY
    return beliefs.ln(max(p[o] / q[o] for o in both) / min(p[o] / q[o] for o in both))


def _power(p: naive.Law, q: naive.Law, k: int) -> Epsilon:
    total = Fraction(0)
    for o in {*p, *q}:
        x, y = p.get(o, Fraction(0)), q.get(o, Fraction(0))
        if x and not y and k > 1:
            return INFINITY
        total += y * abs(x / y - 1) ** k if y else x
    return epsilon(total)


def _divergence(name: str, p: naive.Law, q: naive.Law) -> Epsilon:
    half = sum((abs(p.get(o, Fraction(0)) - q.get(o, Fraction(0))) for o in {*p, *q}), Fraction(0)) / 2
    match name:
        case "total-variation":
            return epsilon(half)
        case "kl":
            return _kl(p, q)
        case "renyi-2":
            return _renyi(p, q, 2)
        case "spread":
            return _range(p, q)
    return _power(p, q, 2 if name == "chi-squared" else int(name[-1]))


def test_views_of_outputs() -> None:
    """The image of the output, and the output given its leak."""
    for model in (_without(each, "absent") for each in MODELS):
        worst = leaked = ZERO
        for x, y, _ in naive.neighbours(model):
            p, q = naive.law(model, x), naive.law(model, y)
            images = [
                {"i": z.get("x", Fraction(0)), "j": z.get("y", Fraction(0)) + z.get("z", Fraction(0))} for z in (p, q)
            ]
            worst = max(worst, naive.worst_ratio(*[{o: m for o, m in z.items() if m} for z in images]))
            for part in ("xy", "z"):
                sides = [{o: m for o, m in z.items() if o in part} for z in (p, q)]
                if all(sides):
                    given = [{o: m / sum(z.values()) for o, m in z.items()} for z in sides]
                    leaked = max(leaked, naive.worst_ratio(*given))
        assert tight(model, "subdp") == worst
        assert tight(model, "bldp") == leaked


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


def test_sampled_databases() -> None:
    """At rate β the law of outputs is that of the records that are kept; dps says the same of a sampled mechanism."""
    rows = [{"database": list(d), "output": f"{len(d)}"} for n in range(3) for d in product("a", repeat=n)]
    model = build(size=(0, 2), values=["a"], mechanism={"table": rows}, policy={"rate": "1/3"})
    sampled = build(size=(0, 2), values=["a"], mechanism={"table": rows, "sample": "1/3"})
    assert tight(model, "samdp") == tight(sampled, "dps")
    for rate, expected in (("0", ZERO), ("1", INFINITY)):
        model = build(size=(0, 2), values=["a"], mechanism={"table": rows}, policy={"rate": rate})
        assert tight(model, "samdp") == expected


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


def test_identities() -> None:
    """KL ≤ Rényi of order 2 ≤ ratio; information privacy at least a-posteriori; membership the larger of both."""
    for model in (_without(each, "absent") for each in MODELS):
        ratio = tight(model, "dp-any")
        assert tight(model, "klpr") <= ratio
        assert tight(model, "renyidp") <= ratio
        assert tight(model, "klpr") <= tight(model, "renyidp")
        assert tight(model, "indpr") == ratio
        assert tight(model, "anpr") <= tight(model, "infpr")
        assert tight(model, "mpr") == max(tight(model, "pmpr"), tight(model, "nmpr"))


def test_the_share_that_may_be_left_out_may_be_attained() -> None:
    """Of a fair coin half of all random pairs differ."""
    policy = {"prior": {"0": "1/2", "1": "1/2"}, "gamma": "1/2"}
    model = build(size=1, values=[0, 1], mechanism={"kind": "sum"}, policy=policy)
    assert tight(model, "randp") == ZERO
    less = build(size=1, values=[0, 1], mechanism={"kind": "sum"}, policy={**policy, "gamma": "499/1000"})
    assert tight(less, "randp") == INFINITY


def test_reals() -> None:
    third = log_sum([(Fraction(1, 3), Fraction(2)), (Fraction(2, 3), Fraction(2))])
    assert third == epsilon("ln(2)")
    long = log_sum([(Fraction(1, 10**6 + 3), Fraction(3)), (Fraction(1, 10**6 + 33), Fraction(5))])
    assert isinstance(long, Enclosed)
    assert order(long, ZERO) is Order.GREATER
    assert order(long, INFINITY) is Order.LESS
    assert order(long, log_sum([(Fraction(1, 10**6 + 3), Fraction(3)), (Fraction(1, 10**6 + 33), Fraction(5))])) in {
        Order.EQUAL, Order.UNDECIDED,
    }  # fmt: skip
    assert order(root(Fraction(2), 2), epsilon("7/5")) is Order.GREATER
    assert order(root(Fraction(2), 2), root(Fraction(3), 2)) is Order.LESS
    assert root(Fraction(9, 4), 2) == epsilon("3/2")
    assert divided(epsilon("ln(4)"), Fraction(2)) == times(epsilon("ln(2)"), Fraction(1)) == epsilon("ln(2)")


def test_an_unknown_divergence_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="abs-0"):
        divergence_named("abs-0")
    model = build(size=1, values=[0, 1], mechanism={"kind": "sum"}, policy={"order": "5/2"})
    answer = check(model, "kdivdp")
    assert answer.verdict == "unsupported"
    assert "5/2" in (answer.reason or "")
