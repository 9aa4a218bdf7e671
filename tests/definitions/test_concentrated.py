"""Measures of all orders against separate naive code; exact values, ties and infinities by hand."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random

import naive_atlas as naive
import naive_orders as orders
import pytest

from verifier.definitions.divergence import Scalar
from verifier.definitions.pairs import MeasurePair
from verifier.definitions.scheme import decide
from verifier.definitions.scheme.concentrated import closest_given, smallest_rho
from verifier.definitions.scheme.losses import losses_of
from verifier.definitions.scheme.views import pair_of
from verifier.model import Model, build
from verifier.numbers import Enclosure, Epsilon, ln_bracket
from verifier.numbers.reals import Enclosed, exact_form
from verifier.questions.ask import check
from verifier.tables import Label, label

OUTPUTS = ("x", "y", "z")


def random_model(seed: int, *, zeros: bool) -> Model:
    random = Random(seed)  # noqa: S311 - not a secret
    rows = []
    for d in product("ab", repeat=2):
        weights = [random.choice([1, 2, 3, 5, 40]) for _ in OUTPUTS]
        if zeros and random.random() < Fraction(1, 6):
            weights[random.randrange(3)] = 0
        law = {o: f"{w}/{sum(weights)}" for o, w in zip(OUTPUTS, weights, strict=True) if w}
        rows.append({"database": list(d), "outputs": law})
    return build(size=2, values=["a", "b"], mechanism={"table": rows})


MODELS = [random_model(seed, zeros=seed % 3 == 0) for seed in range(6)]


def having(model: Model, **fields: object) -> Model:
    return replace(model, policy=replace(model.policy, **fields))  # type: ignore[arg-type]


def laws(model: Model) -> list[tuple[naive.Law, naive.Law]]:
    return [(naive.law(model, x), naive.law(model, y)) for x, y, _ in naive.neighbours(model)]


def agrees(value: Epsilon | Enclosure | None, expected: Decimal | None) -> bool:
    """Whether the smallest value is the naive one."""
    if expected is None:
        return isinstance(value, Epsilon) and value.is_infinite
    assert value is not None
    assert not value.is_infinite
    low, high = value.bracket(256) if isinstance(value, Epsilon) else (value.low.value, value.high.value)
    assert high - low < Fraction(1, 10**30)
    return Fraction(expected - orders.CLOSE) <= low <= high <= Fraction(expected + orders.CLOSE)


def worst(values: list[Decimal | None]) -> Decimal | None:
    return None if None in values else max(value for value in values if value is not None)


HALF, QUARTER, FIFTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 5)


@pytest.mark.parametrize(
    ("xi", "omega"), [(Fraction(0), Fraction(3)), (FIFTH, Fraction(3, 2)), (Fraction(2), Fraction(9))]
)
def test_the_smallest_rho_is_for_all_orders(xi: Fraction, omega: Fraction) -> None:
    finite = 0
    for model in MODELS:
        listed, policy = laws(model), having(model, xi=xi, omega=omega, mu=Fraction(1))
        expected = worst([orders.rho(p, q, xi) for p, q in listed])
        assert agrees(check(policy, "zcodp").tight_epsilon, expected)
        assert agrees(check(policy, "azcodp").tight_epsilon, expected)
        assert agrees(check(policy, "bcodp").tight_epsilon, worst([orders.rho(p, q, xi, omega) for p, q in listed]))
        truncated = worst([orders.rho(p, q, Fraction(0), omega) for p, q in listed])
        assert agrees(check(policy, "tcodp-bdrs").tight_epsilon, truncated)
        assert agrees(check(policy, "tcodp-col").tight_epsilon, worst([orders.below_xi(p, q, xi) for p, q in listed]))
        finite += expected is not None
    assert 2 < finite < len(MODELS)


@pytest.mark.parametrize("mu", [FIFTH, Fraction(3)])
def test_the_smallest_tau_is_for_all_real_lambda(mu: Fraction) -> None:
    answers = set()
    for model in MODELS:
        value = check(having(model, mu=mu), "mcodp").tight_epsilon
        assert agrees(value, worst([orders.tau(p, q, mu) for p, q in laws(model)]))
        answers.add(value is not None and value.is_infinite)
    assert answers == ({True, False} if mu > 1 else {True})


def test_the_smallest_mu_of_gaussian_curves() -> None:
    finite = 0
    for model in MODELS:
        value = check(model, "gaussdp").tight_epsilon
        assert agrees(value, worst([orders.mu(p, q) for p, q in laws(model)]))
        finite += value is not None and not value.is_infinite
    assert 2 < finite < len(MODELS)


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(7, 3), Fraction(101, 100)])
def test_renyi_divergences_of_rational_order(order: Fraction) -> None:
    for model in MODELS:
        values = [orders.losses(p, q) for p, q in laws(model)]
        expected = worst([None if one is None else orders.renyi(one, orders.decimal(order - 1)) for one in values])
        assert agrees(check(having(model, order=order), "renyidp").tight_epsilon, expected)


def test_restricted_kullback_leibler() -> None:
    random = Random(5)  # noqa: S311 - not a secret
    seen = set()
    for model in MODELS:
        tests = [{o: Fraction(random.randint(-2, 6), 2) for o in OUTPUTS} for _ in range(3)]
        listed = tuple(tuple((label(o), h) for o, h in test.items()) for test in tests)
        value = check(having(model, tests=listed, divergence="kl"), "cbdp").tight_epsilon
        assert agrees(value, max(orders.restricted(p, q, tests) for p, q in laws(model)))
        seen.add(str(value))
    assert len(seen) > 4


def test_restricted_kullback_leibler_by_hand() -> None:
    """h = 1 has the value 0 exactly; 1 + ln(P/Q) would attain the divergence."""
    model = having(MODELS[1], divergence="kl", tests=(tuple((label(o), Fraction(1)) for o in OUTPUTS),))
    assert str(check(model, "cbdp").tight_epsilon) == "0"


def two_laws(first: dict[str, str], second: dict[str, str], **policy: object) -> Model:
    rows = [{"database": ["a"], "outputs": first}, {"database": ["b"], "outputs": second}]
    return build(size=1, values=["a", "b"], mechanism={"table": rows}, policy=policy)


RARE = two_laws({"x": "1/100", "y": "99/100"}, {"x": "1/10000", "y": "9999/10000"}, omega=2, xi="0", mu=9)
COIN = two_laws({"x": "3/4", "y": "1/4"}, {"x": "1/4", "y": "3/4"}, omega=2, mu=1)


def test_the_supremum_at_an_end_is_exact() -> None:
    """Randomised response has its largest D_α/α at α → 1: ε·tanh(ε/2). A rare large loss has it at ω."""
    assert str(check(COIN, "zcodp").tight_epsilon) == "1/2*ln(3)"
    assert str(check(COIN, "bcodp").tight_epsilon) == "1/2*ln(3)"
    assert str(check(RARE, "bcodp").tight_epsilon) == "1/2*ln(200/101)"
    assert check(COIN, "zcodp", epsilon="1/2*ln(3)").verdict == "holds"
    assert check(COIN, "zcodp", epsilon="49999/100000*ln(3)").verdict == "fails"


def test_equal_and_excluding_laws() -> None:
    same = two_laws({"x": "1/3", "y": "2/3"}, {"x": "1/3", "y": "2/3"}, omega=2, xi=0, mu=0)
    apart = two_laws({"x": "1/2", "y": "1/2"}, {"x": "1"}, omega=2, xi=9, mu=9)
    for key in ("zcodp", "azcodp", "bcodp", "tcodp-bdrs", "tcodp-col", "mcodp", "gaussdp"):
        assert str(check(same, key).tight_epsilon) == "0", key
        assert str(check(apart, key).tight_epsilon) == "inf", key
        assert check(apart, key).verdict == "fails"


def test_a_constant_loss_has_no_spread() -> None:
    """P is Q given x: the loss is ln 2 always, so that τ is 0 in one direction, and infinite in the other."""
    pair = MeasurePair(None, (label("x"), label("y")), (2, 0), (1, 1), total=2)
    losses = losses_of(pair)
    assert str(exact_form(smallest_rho(losses, Fraction(0), None))) == "ln(2)"
    assert str(exact_form(smallest_rho(losses, Fraction(0), Fraction(3)))) == "ln(2)"


def test_xi_above_the_largest_loss_needs_no_rho() -> None:
    assert str(check(having(COIN, xi=Fraction(11, 10)), "zcodp").tight_epsilon) == "0"
    assert str(check(having(COIN, xi=Fraction(11, 10)), "tcodp-col").tight_epsilon) == "1/2*ln(3)"
    assert str(check(having(COIN, xi=Fraction(1)), "tcodp-col").tight_epsilon) == "inf"


def test_the_mean_is_bounded_by_mu() -> None:
    assert str(check(having(COIN, mu=HALF), "mcodp").tight_epsilon) == "inf"
    assert isinstance(check(having(COIN, mu=Fraction(5493061443341, 10**13)), "mcodp").tight_epsilon, Enclosure)


def test_orders_with_a_rational_root_are_exact() -> None:
    fourth = two_laws({"x": "4/5", "y": "1/5"}, {"x": "1/5", "y": "4/5"}, order="3/2")
    assert str(check(fourth, "renyidp").tight_epsilon) == "ln(289/100)"
    assert check(fourth, "renyidp", epsilon="ln(289/100)").verdict == "holds"
    alike = two_laws({"x": "2/3", "y": "1/3"}, {"x": "1/3", "y": "2/3"}, order="3/2")  # √2 is in both terms
    assert str(check(alike, "renyidp").tight_epsilon) == "ln(25/18)"
    alike = two_laws({"x": "3/5", "y": "2/5"}, {"x": "1/5", "y": "4/5"}, order="3/2")
    assert isinstance(check(alike, "renyidp").tight_epsilon, Enclosure)


def random_law(random: Random) -> naive.Law:
    weights = [random.choice([0, 1, 2, 3, 9]) for _ in OUTPUTS]
    weights[random.randrange(3)] += 1
    return {o: Fraction(w, sum(weights)) for o, w in zip(OUTPUTS, weights, strict=True) if w}


def seen(law: naive.Law) -> dict[Label, int]:
    shared = 1
    for mass in law.values():
        shared *= mass.denominator
    return {label(o): int(mass * shared) for o, mass in law.items()}


@pytest.mark.parametrize("delta", [Fraction(1, 10), QUARTER])
def test_the_closest_laws_given_events_are_closest_for_every_epsilon(delta: Fraction) -> None:
    """The least hockey-stick divergence over P′ ≤ P/(1 - δ), Q′ ≤ Q/(1 - δ) is a linear program, solved by hand."""
    random, compared = Random(3), 0  # noqa: S311 - not a secret
    for _ in range(150):
        p, q = random_law(random), random_law(random)
        closest = closest_given(pair_of(seen(p), seen(q)), delta)
        excluded = [
            sum((first[o] for o in first if o not in second), Fraction(0)) for first, second in ((p, q), (q, p))
        ]
        assert (closest is None) == (max(excluded) > delta)
        if closest is None:
            continue
        compared += 1
        rows = [
            (Fraction(a, closest.total), Fraction(b, closest.total))
            for a, b in zip(closest.p, closest.q or (), strict=True)
        ]
        if len(rows) > 1:
            for (x, y), o in zip(rows, closest.outputs, strict=True):
                assert (1 - delta) * x <= p.get(o.text, 0)
                assert (1 - delta) * y <= q.get(o.text, 0)
        assert sum(x for x, _ in rows) == sum(y for _, y in rows) == 1
        for e in (Fraction(1, 3), Fraction(4, 5), Fraction(1), Fraction(6, 5), Fraction(2), Fraction(7)):
            attained = sum(max(Fraction(0), x - e * y) for x, y in rows)
            assert attained == least_hockey(p, q, e, delta)
    assert compared > 50


def least_hockey(p: naive.Law, q: naive.Law, e: Fraction, delta: Fraction) -> Fraction:
    """The dual: over sets S the largest of what P′(S) - e·Q′(S) is at least."""
    nothing, bound = Fraction(0), Fraction(0)
    for alpha, beta in orders.tests(p, q):
        least_p = max(nothing, (alpha - delta) / (1 - delta))
        most_q = min(Fraction(1), (1 - beta) / (1 - delta))
        bound = max(bound, least_p - e * most_q)
    return bound


def test_approximate_concentration_at_rho_zero_is_approximate_privacy() -> None:
    """ρ is 0 at ξ exactly where (ξ, δ)-differential privacy holds (BS16)."""
    compared = 0
    for model in MODELS:
        needed = check(model, "dp", delta="1/10").tight_epsilon
        assert isinstance(needed, Epsilon)
        if not needed.is_infinite and needed.coefficient:
            low, high = ln_bracket(needed.exp or Fraction(1), 64)
            above = check(having(model, xi=high), "azcodp", delta="1/10").tight_epsilon
            below = check(having(model, xi=low - Fraction(1, 1000)), "azcodp", delta="1/10").tight_epsilon
            assert str(above) == "0"
            assert isinstance(below, Enclosure)
            compared += 1
    assert compared > 3


def test_delta_from_the_total_variation_on_needs_nothing() -> None:
    assert str(check(COIN, "azcodp", delta="1/2").tight_epsilon) == "0"
    assert check(COIN, "azcodp", delta="1/4").tight_epsilon != check(COIN, "azcodp").tight_epsilon


def test_a_tie_that_is_only_enclosed_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    tie = Scalar("concentrated", "", "", "", lambda _pair: Enclosed(lambda bits: ln_bracket(Fraction(3), bits)))
    monkeypatch.setitem(decide.SPECIAL, "concentrated", lambda _setting: tie)
    answer = check(COIN, "zcodp", epsilon="ln(3)", replay=False)
    assert answer.verdict == "undecided"
    assert "1.0986122886" in (answer.reason or "")
    assert isinstance(answer.tight_epsilon, Enclosure)
    assert check(COIN, "zcodp", epsilon="ln(4)", replay=False).verdict == "holds"
    assert check(COIN, "zcodp", epsilon="1", replay=False).verdict == "fails"


@pytest.mark.parametrize(
    ("key", "field"), [("bcodp", "omega"), ("tcodp-bdrs", "omega"), ("tcodp-col", "xi"), ("mcodp", "mu")]
)
def test_a_missing_parameter_is_named(key: str, field: str) -> None:
    answer = check(build(size=1, values=[0, 1], mechanism={"kind": "sum"}), key)
    assert answer.verdict == "unsupported"
    assert field in (answer.reason or "")


def ends(value: Epsilon | Enclosure | None) -> tuple[Fraction, Fraction]:
    assert value is not None
    assert not value.is_infinite
    return value.bracket(256) if isinstance(value, Epsilon) else (value.low.value, value.high.value)


def test_very_rare_and_very_near_outputs_are_enclosed() -> None:
    rare, seldom, near = Fraction(1, 10**300), Fraction(1, 10**400), Fraction(1, 10**30)
    far = two_laws({"x": str(rare), "y": str(1 - rare)}, {"x": str(seldom), "y": str(1 - seldom)}, mu=3, omega="7/2")
    close = two_laws({"x": str((1 + near) / 2), "y": str((1 - near) / 2)}, {"x": "1/2", "y": "1/2"}, mu=3, omega="7/2")
    for key in ("zcodp", "bcodp", "mcodp", "gaussdp"):
        assert 0 < ends(check(far, key).tight_epsilon)[1] < 20
        assert 0 < ends(check(close, key).tight_epsilon)[1] < Fraction(1, 10**29)
    # ρ of a large loss L of probability p is attained where p·e^(tL) is about 1: L²/(4·ln(1/p)) for small p
    low, high = ends(check(far, "zcodp").tight_epsilon)
    assert Fraction(165, 10) < low < high < Fraction(166, 10)
