"""Measures of all orders: the closest laws given events, ties, and numbers that are very near or very far."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from random import Random

import pytest
from examined import at_least_one
from flint import ctx

from verifier.definitions import scheme
from verifier.definitions.builders.views import pair_of
from verifier.definitions.comparison import MeasurePair
from verifier.definitions.measures.concentrated import closest_given, smallest_rho, smallest_tau
from verifier.definitions.measures.divergence import Scalar, constant
from verifier.definitions.measures.losses import Losses, cumulants, losses_of
from verifier.model import Model, build
from verifier.numbers import Enclosure, Epsilon, arb_of, ln_bracket
from verifier.numbers.reals import Enclosed, exact_form
from verifier.questions.check import check
from verifier.tables import Label, label

OUTPUTS = ("x", "y", "z")
Law = dict[str, Fraction]


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


MODELS = [random_model(seed, zeros=seed % 3 == 0) for seed in range(3)]


def having(model: Model, **fields: object) -> Model:
    return replace(model, policy=replace(model.policy, **fields))  # type: ignore[arg-type]


def laws(model: Model) -> list[tuple[Law, Law]]:
    """M(D) against M(D′) for each two databases that differ in one record."""
    databases = list(product(range(2), repeat=2))
    pairs = [(x, y) for x in databases for y in databases if sum(v != w for v, w in zip(x, y, strict=True)) == 1]
    return [(law_of(model, x), law_of(model, y)) for x, y in pairs]


def law_of(model: Model, database: tuple[int, ...]) -> Law:
    law = model.mechanism.law(database)
    return {o.text: law.probability(o) for o in law.outcomes}


QUARTER = Fraction(1, 4)


def two_laws(first: dict[str, str], second: dict[str, str], **policy: object) -> Model:
    rows = [{"database": ["a"], "outputs": first}, {"database": ["b"], "outputs": second}]
    return build(size=1, values=["a", "b"], mechanism={"table": rows}, policy=policy)


COIN = two_laws({"x": "3/4", "y": "1/4"}, {"x": "1/4", "y": "3/4"}, omega=2, mu=1)


def test_a_constant_loss_has_no_spread() -> None:
    """P is Q given x: the loss is ln 2 always, so that τ is 0 in one direction, and infinite in the other."""
    pair = MeasurePair(None, (label("x"), label("y")), (2, 0), (1, 1), total=2)
    losses = losses_of(pair)
    assert str(exact_form(smallest_rho(losses, Fraction(0), None))) == "ln(2)"
    assert str(exact_form(smallest_rho(losses, Fraction(0), Fraction(3)))) == "ln(2)"


def test_the_mirrored_law_is_that_of_the_loss_with_the_other_sign() -> None:
    """L is -ln 2 with 1/4, and ln 3/2 with 3/4."""
    losses = losses_of(MeasurePair(None, (label("x"), label("y")), (3, 1), (2, 2), total=4))
    assert losses is not None
    assert losses.mirrored.atoms == ((Fraction(2, 3), 3 * QUARTER), (Fraction(2), QUARTER))
    assert losses.mirrored.mirrored == losses


def test_the_balls_of_a_cell_contain_the_cumulants_of_its_ends() -> None:
    """Against the moments about the mean itself, far out, where they are tiny: the loss is all but the largest."""
    losses = Losses(((Fraction(2, 7), Fraction(5, 7)), (Fraction(7), Fraction(2, 7))))
    low, high = Fraction(398), Fraction(803, 2)
    with ctx.workprec(128):
        balls = [(most, cumulants(losses, arb_of(low).union(arb_of(high)), most)) for most in (2, 4)]
    for t in (low, high):
        with ctx.workprec(4096):
            weights = [(mass * (arb_of(t) * loss).exp(), loss) for loss, mass in losses.balls]
            total = sum(weight for weight, _ in weights)
            mean = sum(weight * loss for weight, loss in weights) / total
            second, third, fourth = (sum(w * (loss - mean) ** k for w, loss in weights) / total for k in (2, 3, 4))
            known = (mean, second, third, fourth - 3 * second * second)
            for most, (_, *found) in at_least_one(balls):
                assert all(ball.overlaps(value) for ball, value in zip(found[:most], known, strict=False))


@pytest.mark.parametrize("n", [3, 10**9, 10**1000], ids=["3", "10^9", "10^1000"])
def test_the_sub_gaussian_parameter_of_two_outputs(n: int) -> None:
    """P = (1, n)/(n + 1) and Q = (n, 1)/(n + 1): L is ±ln n, and -ln n has the probability p = 1/(n + 1).

    Of two values at the distance r, τ² = r²·(1 - 2·p)/(2·ln((1 - p)/p)) (Kearns and Saul), here 2·ln n·(n - 1)/(n + 1).
    """
    losses = losses_of(MeasurePair(None, (label("x"), label("y")), (1, n), (n, 1), total=n + 1))
    assert losses is not None
    low, high = smallest_tau(losses).bracket(96)
    least, most = (2 * end * (n - 1) / (n + 1) for end in ln_bracket(Fraction(n), 256))
    assert low * low <= most
    assert least <= high * high
    assert high - low <= Fraction(1, 1 << 96)  # within `MOST_CELLS` cells


def random_law(random: Random) -> Law:
    weights = [random.choice([0, 1, 2, 3, 9]) for _ in OUTPUTS]
    weights[random.randrange(3)] += 1
    return {o: Fraction(w, sum(weights)) for o, w in zip(OUTPUTS, weights, strict=True) if w}


def seen(law: Law) -> dict[Label, int]:
    shared = 1
    for mass in law.values():
        shared *= mass.denominator
    return {label(o): int(mass * shared) for o, mass in law.items()}


@pytest.mark.parametrize("delta", [Fraction(1, 10), QUARTER])
def test_the_closest_laws_given_events_are_closest_for_every_epsilon(delta: Fraction) -> None:
    """The least hockey-stick divergence over P′ ≤ P/(1 - δ), Q′ ≤ Q/(1 - δ) is a linear program, solved by hand."""
    random, compared = Random(3), 0  # noqa: S311 - not a secret
    for _ in range(60):
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
    assert compared > 10


def least_hockey(p: Law, q: Law, e: Fraction, delta: Fraction) -> Fraction:
    """The dual: over sets S the largest of what P′(S) - e·Q′(S) is at least."""
    nothing, bound = Fraction(0), Fraction(0)
    for event in chain.from_iterable(combinations(OUTPUTS, k) for k in range(4)):
        first, second = (sum((law.get(o, nothing) for o in event), nothing) for law in (p, q))
        least_p = max(nothing, (first - delta) / (1 - delta))
        most_q = min(Fraction(1), second / (1 - delta))
        bound = max(bound, least_p - e * most_q)
    return bound


def test_a_tie_that_is_only_enclosed_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    tie = Scalar("concentrated", "", "", "", lambda _pair: Enclosed(lambda bits: ln_bracket(Fraction(3), bits)))
    monkeypatch.setitem(scheme.MEASURES, "concentrated", constant(tie))
    answer = check(COIN, "zcodp", epsilon="ln(3)", replay=False)
    assert answer.verdict == "undecided"
    assert "1.0986122886" in (answer.reason or "")
    assert isinstance(answer.tight_epsilon, Enclosure)
    assert check(COIN, "zcodp", epsilon="ln(4)", replay=False).verdict == "holds"
    assert check(COIN, "zcodp", epsilon="1", replay=False).verdict == "fails"


def ends(value: Epsilon | Enclosure | None) -> tuple[Fraction, Fraction]:
    assert value is not None
    assert not value.is_infinite
    return value.bracket(256) if isinstance(value, Epsilon) else (value.low.value, value.high.value)


def test_very_rare_and_very_near_outputs_are_enclosed() -> None:
    rare, seldom, near = Fraction(1, 10**300), Fraction(1, 10**400), Fraction(1, 10**30)
    far = two_laws({"x": str(rare), "y": str(1 - rare)}, {"x": str(seldom), "y": str(1 - seldom)}, mu=3, omega="7/2")
    close = two_laws({"x": str((1 + near) / 2), "y": str((1 - near) / 2)}, {"x": "1/2", "y": "1/2"}, mu=3, omega="7/2")
    for key in ("zcodp", "bcodp", "mcodp", "gaussdp"):
        replay = key not in ("zcodp", "mcodp")  # the checker needs a minute for its e^(t·L) of such lengths
        assert 0 < ends(check(far, key, replay=replay).tight_epsilon)[1] < 20
        assert 0 < ends(check(close, key, replay=replay).tight_epsilon)[1] < Fraction(1, 10**29)
    # ρ of a large loss L of probability p is attained where p·e^(tL) is about 1: L²/(4·ln(1/p)) for small p
    low, high = ends(check(far, "zcodp", replay=False).tight_epsilon)
    assert Fraction(165, 10) < low < high < Fraction(166, 10)
