"""Suprema over all orders, and Gaussian curves: by hand, beside the program, and forged."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from filing import file_of

import verifier as pk
from verifier.checker.answers import checked
from verifier.checker.models import Model
from verifier.checker.numbers import INFINITY, ZERO, BeyondLimits, Log, Number, decimal, exp_bounds, ln, log_bounds
from verifier.checker.orders import Curve, below_xi, concentrated, gap, gauss, likely, quantile, sub_gaussian
from verifier.model.library import models_folder

KEYS = ("zcodp", "azcodp", "bcodp", "tcodp-bdrs", "tcodp-col", "mcodp", "gaussdp")
NONE, ONE = Fraction(0), Fraction(1)


def laws(p: list[Any], q: list[Any]) -> list[tuple[Fraction | None, Fraction, Fraction]]:
    """The outputs of two laws by their ratios."""
    pairs = zip(map(Fraction, p), map(Fraction, q), strict=True)
    return [(a / b if b else None, a, b) for a, b in pairs]


COIN = laws(["1/2", "1/2"], ["1/16", "15/16"])
ANSWER = laws(["2/3", "1/3"], ["1/3", "2/3"])
THREE = laws(["1/2", "1/8", "3/8"], ["1/16", "5/16", "5/8"])


def within(number: Number, text: str) -> bool:
    """Whether the bounds of a number lie in one unit of the last digit of a decimal that is cut off."""
    low, high = number.bounds(64)
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    return Fraction(text) <= low <= high <= Fraction(text) + unit


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_randomized_response_is_worst_at_the_order_one() -> None:
    """D_α/α falls, so that the smallest ρ is KL = 1/3·ln 2, exactly; with ξ it is less by ξ."""
    assert concentrated(ANSWER, NONE, None) == ln(2, Fraction(1, 3))
    assert concentrated(ANSWER, Fraction(1, 10), Fraction(2)) > ln(2, Fraction(1, 3)) + Log(Fraction(-1, 10))


def test_a_whole_order_at_the_end_is_exact() -> None:
    """D_2 = ln(Σ P²/Q) = ln(64/15): where the range ends there, ρ = 1/2·D_2."""
    assert concentrated(COIN, NONE, Fraction(2)) > ln(Fraction(64, 15), Fraction(1, 2))
    near = laws(["1/4", "3/4"], ["1/8", "7/8"])
    assert concentrated(near, NONE, Fraction(2)) == ln(Fraction(8, 7), Fraction(1, 2))


def test_no_order_matters_where_the_largest_loss_is_at_most_xi() -> None:
    assert concentrated(ANSWER, Fraction(7, 10), None) is ZERO
    assert concentrated(ANSWER, Fraction(69, 100), None) > ZERO
    assert below_xi(ANSWER, Fraction(69, 100)) is INFINITY
    assert below_xi(ANSWER, Fraction(7, 10)) == ln(2, Fraction(1, 3))


def test_no_order_matters_where_the_last_one_is_within_xi() -> None:
    """D_2 = ln(8/7) = 0.1335… is within ξ = 1/7, and the largest loss, ln(2), is not."""
    near = laws(["1/4", "3/4"], ["1/8", "7/8"])
    assert concentrated(near, Fraction(1, 7), Fraction(2)) is ZERO
    assert concentrated(near, Fraction(1, 8), Fraction(2)) > ZERO
    assert concentrated(near, Fraction(1, 7), None) > ZERO


@pytest.mark.parametrize("order", ["21/20", "3/2", "2", "5", "12"])
def test_no_order_needs_more_than_the_supremum(order: str) -> None:
    """D_α from its sum; the supremum is of all orders, and of those up to ω."""
    alpha = Fraction(order)
    for groups in (COIN, ANSWER, THREE):
        logs = [log_bounds(r or ONE, 96)[0] for r, _, _ in groups]
        powers = [exp_bounds((alpha - 1) * x, (alpha - 1) * x, 96)[0] for x in logs]
        moment = sum((p * x for (_, p, _), x in zip(groups, powers, strict=True)), NONE)
        needed = log_bounds(moment, 64)[0] / (alpha - 1) / alpha
        assert concentrated(groups, NONE, alpha).bounds(64)[1] >= needed
        assert concentrated(groups, NONE, None).bounds(64)[1] >= needed


@pytest.mark.parametrize("p", ["1/10", "1/4", "499/1000"])
def test_two_points_are_sub_gaussian_as_kearns_and_saul_say(p: str) -> None:
    """τ² = (a - b)²·(1 - 2p)/(2·ln((1 - p)/p)) of two losses a, b with the probabilities p, 1 - p."""
    p1 = Fraction(p)
    groups = laws([p1, 1 - p1], ["1/2", "1/2"])
    (low, high), (least, most) = sub_gaussian(groups, Fraction(9)).bounds(64), log_bounds((ONE - p1) / p1, 96)
    values = [x * (1 - 2 * p1) / 2 for x in (least, most)]  # a - b is the same logarithm here
    assert low**2 <= max(values)
    assert high**2 >= min(values)
    assert high - low < Fraction(1, 1 << 40)


def test_two_equal_points_are_worst_at_zero() -> None:
    """K(s) = ln cosh(s·d) ≤ s²·d²/2, so that τ = d = ln(3)/2."""
    assert within(sub_gaussian(laws(["1/2", "1/2"], ["1/4", "3/4"]), Fraction(9)), "0.549306144334")


def test_a_mean_above_mu_is_infinite() -> None:
    assert sub_gaussian(ANSWER, Fraction(1, 5)) is INFINITY
    assert not sub_gaussian(ANSWER, Fraction(1, 4)).infinite


@pytest.mark.parametrize(
    ("x", "z"),
    [("0.84134474606854294858", "1"), ("0.97724986805182079279", "2"), ("0.99999971334842812638", "5"),
     ("0.15865525393145705141", "-1"), ("1/2", "0")],
)  # fmt: skip
def test_quantiles_of_the_gaussian_law(x: str, z: str) -> None:
    low, high = quantile(Fraction(x), 40)
    assert low - Fraction(1, 1 << 38) <= Fraction(z) <= high + Fraction(1, 1 << 38)
    assert high - low <= Fraction(1, 1 << 38)


def test_the_corners_of_a_curve_decide() -> None:
    assert gauss(COIN).bounds(64)[0] <= gap(Fraction(1, 16), Fraction(1, 2)).bounds(64)[1]
    assert gauss(laws(["1/2", "1/2"], ["1/2", "1/2"])) is ZERO
    assert gauss(laws(["1/2", "1/2", 0], ["1/4", "1/4", "1/2"])) is INFINITY
    assert gap(Fraction(1, 2), Fraction(1, 4)) is ZERO


def test_likely_events_cut_both_laws() -> None:
    """P cut at 2·Q leaves 1/4 + 1/2 = 3/4; Q cut at 6/5·P... and equal where the overlap is large enough."""
    groups = laws(["1/2", "1/2"], ["1/8", "7/8"])
    assert likely(groups, Fraction(3, 8)) == [(ONE, ONE)]
    assert likely(groups, Fraction(1, 4)) == [(Fraction(2), Fraction(1, 3)), (Fraction(4, 5), Fraction(2, 3))]
    assert concentrated(laws(["1/2", "1/2"], [0, 1]), NONE, None, Fraction(1, 4)) is INFINITY
    assert concentrated(laws(["1/2", "1/2"], [0, 1]), NONE, None, Fraction(1, 2)) is ZERO


@pytest.mark.parametrize("seed", range(12))
def test_no_pair_of_events_is_closer(seed: int) -> None:
    """Random laws P' ≤ P/(1 - δ) and Q' ≤ Q/(1 - δ) have a D_2 that is at least that of the cut laws."""
    draw = random.Random(seed)  # noqa: S311
    weights = [[draw.randint(1, 9) for _ in range(3)] for _ in range(2)]
    p, q = ([Fraction(x, sum(w)) for x in w] for w in weights)
    delta = Fraction(1, draw.choice([5, 8, 20]))
    best = sum((m * r for r, m in likely(laws(p, q), delta) if r is not None), Fraction(0))
    for _ in range(40):
        one, other = (given(x, delta, draw) for x in (p, q))
        assert sum(a * a / b for a, b in zip(one, other, strict=True)) >= best


def given(law: list[Fraction], delta: Fraction, draw: random.Random) -> list[Fraction]:
    """A law given an event of probability 1 - δ that depends on coins."""
    left, kept = delta, list(law)
    for n in draw.sample(range(len(law)), len(law)):
        gone = min(kept[n] * Fraction(draw.randint(0, 9), 10), left)
        kept[n], left = kept[n] - gone, left - gone
    for n in range(len(law)):
        gone = min(kept[n] * Fraction(9, 10), left)
        kept[n], left = kept[n] - gone, left - gone
    return [x / (1 - delta + left) for x in kept]


def test_a_smaller_bound_is_not_proved() -> None:
    curve = Curve([(r, p) for r, p, _ in THREE if r], NONE, None)
    low, high = curve.bounds(64)
    assert curve.proves(high, 64)
    assert not curve.proves(low - Fraction(1, 1 << 50), 64)
    assert not curve.proves(low / 2, 64)


@pytest.mark.parametrize("seed", [77, 1117])
def test_an_order_of_thousands_is_the_worst(seed: int) -> None:
    """The largest loss is just above ξ = 2."""
    text = drawn(seed)
    assert checked(answers(text, "azcodp" if seed == 77 else "zcodp", None), Model(text)).word == "confirmed"


def test_work_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.checker.orders.MOST_EXPONENTIALS", 10)
    with pytest.raises(BeyondLimits):
        concentrated(THREE, NONE, None).bounds(64)


# --- beside the program -----------------------------------------------------------------------------------------------


def answers(text: str, key: str, epsilon: str | None) -> dict[str, Any]:
    delta = "1/10" if key == "azcodp" else "0"
    found = pk.check(pk.loads(text), key, epsilon=epsilon, delta=Fraction(delta), replay=False).to_json(1 << 20)
    return json.loads(found) if isinstance(found, str) else dict(found)


def drawn(seed: int) -> str:
    """Two to four outputs on two or three databases, some of them impossible or alike."""
    draw = random.Random(seed)  # noqa: S311
    outputs, values = range(draw.randint(2, 4)), range(draw.randint(2, 3))
    rows = []
    for value in values:
        weights = [draw.choice([0, 1, 1, 2, 3, 8, 40][seed % 3 :]) for _ in outputs]
        weights[draw.choice(outputs)] += 1
        rows.append({"database": [value], "outputs": {str(o): f"{w}/{sum(weights)}" for o, w in enumerate(weights)}})
    policy = {"xi": draw.choice(["0", "1/10", "2"]), "omega": draw.choice(["3/2", "2", "9"]), "mu": "3"}
    return file_of({"size": 1, "values": list(values), "mechanism": {"table": rows}, "policy": policy})


@pytest.mark.sweep(12)
@pytest.mark.parametrize("seed", range(120))
def test_random_laws(seed: int) -> None:
    text = drawn(seed)
    for key in at_least_one(KEYS):
        answer = answers(text, key, (None, "1/10", "ln(2)")[seed % 3])
        word = checked(answer, Model(text))
        assert word.word == ("not checked" if answer["verdict"] == "undecided" else "confirmed"), (key, word.why)


def bundled(name: str) -> str:
    return (models_folder() / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", KEYS)
def test_the_tour_is_replayed(key: str) -> None:
    answer = pk.check(pk.loads(bundled("atlas/tour")), key, delta=Fraction(1, 10) if key == "azcodp" else 0)
    assert answer.replayed is True
    assert not answer.unchecked


# --- forged -----------------------------------------------------------------------------------------------------------


def set_to(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda answer: answer.update(fields)


def shifted(answer: dict[str, Any]) -> None:
    """Both ends one unit of the last digit higher."""
    ends = [Fraction(x) for x in answer["tight_epsilon"][1:-1].split(", ")]
    answer["tight_epsilon"] = "[" + ", ".join(decimal(x + 2 * (ends[1] - ends[0]), 13) for x in ends) + "]"


FORGED: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("1/10", set_to(verdict="holds", witness=None), "verdict"),
    ("1/10", set_to(verdict="vacuous", witness=None), "verdict"),
    ("1/10", set_to(epsilon="2"), "verdict"),
    ("1/10", shifted, "tight_epsilon"),
    ("1/10", set_to(tight_epsilon="1/2"), "tight_epsilon"),
    ("1/10", set_to(tight_epsilon="inf"), "tight_epsilon"),
    ("1/10", set_to(tight_epsilon_decimal="[0.1, 0.2]"), "tight_epsilon_decimal"),
    ("1/10", set_to(witness=None), "without a witness"),
]


@pytest.mark.parametrize("key", [key for key in KEYS if key != "tcodp-col"])
@pytest.mark.parametrize(("epsilon", "forge", "why"), FORGED, ids=range(len(FORGED)))
def test_forged_answers(key: str, epsilon: str, forge: Callable[[dict[str, Any]], None], why: str) -> None:
    text = bundled("atlas/tour")
    answer = answers(text, key, epsilon)
    assert checked(answer, Model(text)).word == "confirmed"
    forge(answer)
    word = checked(answer, Model(text))
    assert word.word == "rejected"
    assert why in word.why


def test_a_gaussian_witness_has_to_exceed() -> None:
    text = bundled("atlas/tour")
    answer = answers(text, "gaussdp", "7/5")
    answer["witness"].update(event=["low"], probability_a="5/16", probability_b="1/8")
    assert "exceed nothing" in checked(answer, Model(text)).why
    tightest = answers(text, "gaussdp", None)
    tightest["tightest"].update(event=["low"], probability_a="5/16", probability_b="1/8")
    assert "what is closest" in checked(tightest, Model(text)).why
