"""Trade-off curves, predicates, trimmed laws and restricted divergences: against all sets of outputs, with ==."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random

import naive_atlas as naive
import pytest

from verifier import build, check
from verifier.model import Model
from verifier.model.policy import Policy
from verifier.numbers import INFINITY
from verifier.tables import label

OUTPUTS = "xyz"


def random_model(seed: int) -> Model:
    random = Random(seed)  # noqa: S311 - not a secret
    rows = []
    for d in product("ab", repeat=2):
        weights = [random.randint(0, 4) for _ in OUTPUTS]
        weights[random.randrange(3)] += 1
        law = {o: f"{w}/{sum(weights)}" for o, w in zip(OUTPUTS, weights, strict=True) if w}
        rows.append({"database": list(d), "outputs": law})
    return build(size=2, values=["a", "b"], mechanism={"table": rows}, policy={"pairs": [[["a", "a"], ["b", "b"]]]})


MODELS = [random_model(seed) for seed in range(30)]


def having(model: Model, **fields: object) -> Model:
    return replace(model, policy=replace(model.policy, **fields))  # type: ignore[arg-type]


def events(p: naive.Law, q: naive.Law) -> Iterator[tuple[Fraction, Fraction]]:
    """P[S] and Q[S] for all sets of outputs."""
    nothing = Fraction(0)
    for number in range(len(OUTPUTS) + 1):
        for chosen in combinations(OUTPUTS, number):
            yield sum((p.get(o, nothing) for o in chosen), nothing), sum((q.get(o, nothing) for o in chosen), nothing)


def laws(model: Model, *, listed: bool = False) -> list[tuple[naive.Law, naive.Law]]:
    rows = [((0, 0), (1, 1)), ((1, 1), (0, 0))] if listed else [(x, y) for x, y, _ in naive.neighbours(model)]
    return [(naive.law(model, x), naive.law(model, y)) for x, y in rows]


def f_of(vertices: tuple[tuple[Fraction, Fraction], ...], x: Fraction) -> Fraction:
    """The largest line through two neighbouring vertices, since f is convex."""
    lines = []
    for (x1, y1), (x2, y2) in pairwise(vertices):
        lines.append(y1 + (y2 - y1) / (x2 - x1) * (x - x1))
    return max(lines)


CURVES = [
    ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))),
    ((Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(0)), (Fraction(1), Fraction(0))),
    ((Fraction(0), Fraction(1)), (Fraction(1, 4), Fraction(1, 4)), (Fraction(1), Fraction(0))),
    ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(0))),
]


@pytest.mark.parametrize("vertices", CURVES)
def test_trade_off_curves(vertices: tuple[tuple[Fraction, Fraction], ...]) -> None:
    seen = set()
    for model in MODELS:
        for key, rows in (("fdp", laws(model)), ("gcdp-kl", laws(model, listed=True))):
            expected = all(1 - q >= f_of(vertices, p) for one in rows for p, q in events(*one))
            answer = check(having(model, tradeoff=vertices), key)
            assert answer.verdict == ("holds" if expected else "fails"), (key, model.policy)
            assert answer.tight_epsilon is None
            seen.add(expected)
    assert len(seen) == (2 if any(y for _, y in vertices) else 1) or vertices == CURVES[0]


def test_a_trade_off_of_epsilon_and_delta_is_the_hockey_stick() -> None:
    """f(x) = max(0, 1 - δ - e^ε·x, e^-ε·(1 - δ - x)) is (ε, δ)-DP."""
    e, delta = Fraction(2), Fraction(1, 8)
    x = (1 - delta) / (1 + e)
    vertices = ((Fraction(0), 1 - delta), (x, x), (1 - delta, Fraction(0)), (Fraction(1), Fraction(0)))
    seen = set()
    for model in MODELS:
        verdict = check(having(model, tradeoff=vertices), "fdp").verdict
        assert verdict == check(model, "adp", epsilon="ln(2)", delta=delta).verdict
        seen.add(verdict)
    assert seen == {"holds", "fails"}


def test_predicates_on_all_sets() -> None:
    seen = set()
    for model, row in product(MODELS, [("1", "-2", "1/8"), ("1", "1", "3/2"), ("-1", "1/2", "0")]):
        a, b, c = map(Fraction, row)
        expected = all(a * p + b * q <= c for one in laws(model, listed=True) for p, q in events(*one))
        assert check(having(model, predicate=((a, b, c),)), "absdp").verdict == ("holds" if expected else "fails")
        seen.add(expected)
    assert len(seen) == 2


def test_relaxed_differential_privacy() -> None:
    """Some set of mass at most δ_p is left out; what remains has the hockey-stick divergence."""
    for model, error in product(MODELS, (Fraction(0), Fraction(1, 4), Fraction(1, 2))):
        worst = Fraction(0)
        for p, q in laws(model):
            best = min(
                naive.hockey({o: m for o, m in p.items() if o not in chosen}, q, Fraction(3, 2))
                for number in range(4)
                for chosen in combinations(OUTPUTS, number)
                if sum((p.get(o, Fraction(0)) for o in chosen), Fraction(0)) <= error
            )
            worst = max(worst, best)
        answer = check(having(model, error=error), "reldp", epsilon="ln(3/2)", delta=worst)
        assert answer.verdict == "holds"
        assert answer.tight_delta is not None
        assert answer.tight_delta == worst
        if not error:
            assert answer.tight_epsilon == check(model, "adp", epsilon="ln(3/2)", delta=worst).tight_epsilon


def test_restricted_divergences() -> None:
    """With the best h of total variation and χ², the restricted divergence is the whole one; with fewer, no more."""
    for model in (each for each in MODELS if check(each, "dp").tight_epsilon != INFINITY):
        signs = [tuple(zip(OUTPUTS, s, strict=True)) for s in product((Fraction(1, 2), Fraction(-1, 2)), repeat=3)]
        tests = tuple(tuple((label(o), value) for o, value in sign) for sign in signs)
        policy = {"divergence": "total-variation", "tests": tests}
        assert (
            check(having(model, **policy), "cbdp").tight_epsilon
            == check(having(model, **policy), "divdp").tight_epsilon
        )
        best = tuple(
            tuple((label(o), 2 * (p.get(o, Fraction(0)) / q[o] - 1)) for o in OUTPUTS if q.get(o))
            for p, q in laws(model)
        )
        whole = having(model, divergence="chi-squared", tests=best)
        assert check(whole, "cbdp").tight_epsilon == check(whole, "divdp").tight_epsilon
        part = having(model, divergence="chi-squared", tests=best[:1])
        assert check(part, "cbdp").tight_epsilon <= check(part, "divdp").tight_epsilon  # type: ignore[operator]


def test_what_is_no_trade_off_is_unsupported() -> None:
    concave = ((Fraction(0), Fraction(1)), (Fraction(1, 2), Fraction(3, 4)), (Fraction(1), Fraction(0)))
    assert check(having(MODELS[0], tradeoff=concave), "fdp").verdict == "unsupported"
    assert check(having(MODELS[0], tradeoff=CURVES[0]), "fdp", epsilon=1).verdict == "unsupported"
    assert isinstance(MODELS[0].policy, Policy)
