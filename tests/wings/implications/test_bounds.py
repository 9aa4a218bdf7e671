"""The bounds from measure to measure: each is tried on random pairs of laws, and attained where it says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from scripts import script

from verifier.definitions.comparison import MeasurePair
from verifier.definitions.measures.concentrated import smallest_rho, smallest_tau
from verifier.definitions.measures.conditions import GAUSSIAN, restricted
from verifier.definitions.measures.divergence import KL, RATIO, SPREAD, divergence_named, renyi_of_order, rooted_power
from verifier.definitions.measures.losses import losses_of
from verifier.numbers import INFINITY, arb_of, ball_ends
from verifier.numbers.reals import Real
from verifier.wings.implications.facts import bounds
from verifier.wings.implications.maps import BOUNDS, composed, map_text, read, written

BITS = 96
Numbers = dict[str, Any]
map_values = script("docs/matrix/map_values.py")
value_at_most: Callable[[str, Fraction, Numbers], Fraction | None] = map_values.value_at_most
DIVERGENCES = ("chi-squared", "total-variation", "abs-1", "abs-3", "kl", "renyi-2", "ratio", "spread", "semantic")
RESTRICTED = ("chi-squared", "total-variation", "abs-1", "kl")


class _Policy:
    """The fields of [policy] that a restricted divergence reads."""

    def __init__(self, numbers: Numbers, pair: MeasurePair) -> None:
        tests = [[(output, Fraction(k - 2, 2)) for k, output in enumerate(pair.outputs)] for _ in range(1)]
        self.fields = {"tests": tests, "divergence": numbers["f"]}

    def need(self, name: str) -> Any:
        return self.fields[name]


def rho(numbers: Numbers, pair: MeasurePair, *, xi: bool, omega: bool) -> Real:
    return smallest_rho(losses_of(pair), numbers["xi"] if xi else Fraction(0), numbers["omega"] if omega else None)


def tau(numbers: Numbers, pair: MeasurePair) -> Real:
    losses = losses_of(pair)
    if losses is None or ends(KL.of(pair))[1] > numbers["mu"]:
        return INFINITY
    return smallest_tau(losses)


def below_xi(numbers: Numbers, pair: MeasurePair) -> Real:
    largest = RATIO.of(pair)
    return (
        INFINITY
        if largest == INFINITY or ends(largest)[1] > numbers["xi"]
        else rho({**numbers, "xi": 0}, pair, xi=True, omega=False)
    )


MEASURES: Mapping[str, Callable[[Numbers, MeasurePair], Real]] = {
    "ratio": lambda _, pair: RATIO.of(pair),
    "spread": lambda _, pair: SPREAD.of(pair),
    "kl": lambda _, pair: KL.of(pair),
    "renyi": lambda numbers, pair: renyi_of_order(numbers["order"]).of(pair),
    "root-abs": lambda numbers, pair: rooted_power(int(numbers["order"])).of(pair),
    "gaussian": lambda _, pair: GAUSSIAN.of(pair),
    "divergence": lambda numbers, pair: divergence_named(numbers["f"]).of(pair),
    "restricted": lambda numbers, pair: restricted(_Policy(numbers, pair)).of(pair),  # type: ignore[arg-type]
    "concentrated": lambda numbers, pair: rho(numbers, pair, xi=True, omega=False),
    "concentrated-approximately": lambda numbers, pair: rho(numbers, pair, xi=True, omega=False),
    "concentrated-to-omega": lambda numbers, pair: rho(numbers, pair, xi=True, omega=True),
    "concentrated-truncated": lambda numbers, pair: rho(numbers, pair, xi=False, omega=True),
    "concentrated-below-xi": below_xi,
    "sub-gaussian": tau,
}


def ends(value: Real) -> tuple[Fraction, Fraction]:
    return value.bracket(BITS)


def source_of(bound: Mapping[str, Any], numbers: Numbers, pair: MeasurePair) -> Fraction | None:
    """The largest value of the first measure, above; None where it is infinite."""
    pairs = [pair, reverse(pair)] if bound.get("orders") else [pair]
    values = [MEASURES[bound["from"]](numbers, each) for each in pairs]
    return None if INFINITY in values else max(ends(value)[1] for value in values)


def reverse(pair: MeasurePair) -> MeasurePair:
    return MeasurePair(None, pair.outputs, pair.q or (), pair.p, total=pair.total)


def target_of(target: str, numbers: Numbers, pair: MeasurePair) -> Fraction | None:
    """The value of the second measure, below; None where it is infinite."""
    value = MEASURES[target](numbers, pair)
    return None if value == INFINITY else ends(value)[0]


def error_of(target: str, pair: MeasurePair, above: Fraction) -> Fraction:
    """The δ of a curve at an ε that is at least `above`, below."""
    with_exp = ball_ends(arb_of(above).exp())[1]
    rows = [(Fraction(p, pair.total), Fraction(q, pair.total)) for p, q in zip(pair.p, pair.q or (), strict=True)]
    return sum((p - with_exp * q if target == "hockey-stick" else p for p, q in rows if p > with_exp * q), Fraction(0))


def drawn(random: Random) -> MeasurePair:
    number = random.choice((2, 2, 3, 4))
    weights = [[random.choice((0, 1, 2, 5, 30)) for _ in range(number)] for _ in range(2)]
    if random.random() < 3 / 4:
        weights = [[w + 1 for w in side] for side in weights]
    totals = [sum(side) or 1 for side in weights]
    p, q = ([w * totals[1 - k] for w in side] for k, side in enumerate(weights))
    if not sum(p) or not sum(q):
        return drawn(random)
    labels = tuple(map(str, range(number)))
    return MeasurePair(None, labels, tuple(p), tuple(q), total=sum(p))  # type: ignore[arg-type]


def numbers_for(bound: Mapping[str, Any], target: str, random: Random, pair: MeasurePair) -> Numbers:
    """Parameters with which the first measure is often finite, and the conditions of the bound are met."""
    order = Fraction(random.choice((2, 3, 4)))
    kl, largest = KL.of(pair), RATIO.of(pair)
    more = Fraction(random.choice((0, 1, 10)), 10)
    mean = Fraction(0) if kl == INFINITY else Fraction(int(ends(kl)[1] * 1000) + 1, 1000)
    most = Fraction(0) if largest == INFINITY else Fraction(int(ends(largest)[1] * 1000) + 1, 1000)
    omega = order + more if "order-to-omega" in bound.get("when", ()) else 1 + Fraction(random.choice((1, 3, 10)), 2)
    return {
        "order": order,
        "omega": omega,
        "xi": most + more if bound["from"] == "concentrated-below-xi" else random.choice((Fraction(0), more)),
        "mu": mean + more,
        "f": random.choice(RESTRICTED if target == "restricted" else DIVERGENCES),
        "delta": Fraction(1, random.choice((3, 10, 1000))),
    }


def wrong(bound: Mapping[str, Any], target: str, numbers: Numbers, pair: MeasurePair) -> bool:
    """Whether a pair of laws refutes a bound: certainly, by enclosures."""
    least = source_of(bound, numbers, pair)
    if least is None:
        return False
    scale = Fraction(1)
    if bound.get("rows"):
        scale = numbers["d"][0]
    above = value_at_most(bound["map"], least / scale, numbers)
    assert above is not None
    if error := bound.get("error"):
        most = value_at_most(error, least, numbers)
        assert most is not None
        return error_of(target, pair, above) > most
    found = target_of(target, numbers, pair)
    return found is None or found > scale * above


TABLE = [(bound, target) for bound in bounds() for target in bound["to"]]
IDS = [f"{bound['from']} to {target}, {bound['map']}" for bound, target in TABLE]


@pytest.mark.parametrize(("bound", "target"), TABLE, ids=IDS)
def test_a_bound_holds_of_random_laws(bound: Mapping[str, Any], target: str) -> None:
    random = Random(f"{bound['from']} {target}")  # noqa: S311
    finite = 0
    for _ in range(60):
        pair = drawn(random)
        numbers = numbers_for(bound, target, random, pair)
        numbers["d"] = random.sample([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)], 3)
        finite += source_of(bound, numbers, pair) is not None
        assert not wrong(bound, target, numbers, pair), (pair, numbers)
    assert finite > 20


@pytest.mark.parametrize(
    ("bound", "target"), [each for each in TABLE if each[0].get("attained")], ids=lambda each: str(each)[:40]
)
def test_a_bound_that_is_attained(bound: Mapping[str, Any], target: str) -> None:
    laws = {key: [Fraction(p) for p in bound["attained"][key]] for key in ("p", "q")}
    p, q = ([int(x * 16) for x in laws[key]] for key in ("p", "q"))
    pair = MeasurePair(None, tuple(map(str, range(len(p)))), tuple(p), tuple(q), total=16)  # type: ignore[arg-type]
    numbers: Numbers = {"xi": Fraction(0)}
    numbers |= {key: Fraction(x) for key, x in bound["attained"].items() if key not in laws}
    least = source_of(bound, numbers, pair)
    assert least is not None
    above = value_at_most(bound["map"], least, numbers)
    assert above is not None
    if error := bound.get("error"):
        value: Fraction | None = error_of(target, pair, above)
        most = value_at_most(error, least, numbers)
    else:
        value, most = target_of(target, numbers, pair), above
    assert value is not None
    assert most is not None
    assert most - Fraction(1, 1000) <= value <= most


@pytest.mark.parametrize(
    ("source", "target", "smaller"),
    [
        ("ratio", "root-abs", "half(power(e))"),
        ("ratio", "divergence", "half(largest_f(e))"),
        ("ratio", "gaussian", "half(gaussian(e))"),
        ("renyi", "root-abs", "half(moments(e))"),
        ("root-abs", "renyi", "half(norm(e))"),
        ("concentrated-to-omega", "concentrated-truncated", "e"),
        ("sub-gaussian", "concentrated", "half_square(half(e))"),
        ("gaussian", "kl", "half(half_square(e))"),
    ],
)
def test_a_smaller_bound_is_refuted(source: str, target: str, smaller: str) -> None:
    bound = next(each for each, to in TABLE if (each["from"], to) == (source, target) and not each.get("rows"))
    wrongly = {**bound, "map": smaller}
    random = Random(f"smaller {source} {target}")  # noqa: S311
    pairs = [drawn(random) for _ in range(200)]
    assert any(wrong(wrongly, target, numbers_for(bound, target, random, pair), pair) for pair in pairs)


def test_pinsker_is_sharp_for_small_losses() -> None:
    """At (1/2 ± η) the error is η, and √(KL/2) is η to the first order."""
    pair = MeasurePair(None, ("0", "1"), (501, 499), (499, 501), total=1000)  # type: ignore[arg-type]
    most = value_at_most("pinsker(e)", ends(KL.of(pair))[1], {})
    assert most is not None
    assert error_of("hockey-stick", pair, Fraction(0)) == Fraction(1, 500)
    assert Fraction(1, 500) <= most < Fraction(1, 500) * Fraction(1001, 1000)


def test_maps_are_read_and_written() -> None:
    for text in ("e", "xi", "2*n*e", "xi+order*e", "2*n*tanh(2*e)", "order*half_square(xi+e)", "0", "delta"):
        assert written(read(text)) == text
        assert composed("e", text) == composed(text, "e") == text
    assert composed("xi+e", "power(2*e)") == "power(2*xi+2*e)"
    assert map_text("power(2*xi+2*e)") == "(e^(2ξ + 2ε) - 1)"
    assert map_text("xi+line_tail(e)") == "ξ + ε + 2·√(ε·ln(1/δ))"
    assert map_text("2*gaussian(e)") == "2·2·Φ⁻¹(e^ε/(1 + e^ε))"


def test_every_named_bound_is_used() -> None:
    used = " ".join(f"{bound['map']} {bound.get('error', '')}" for bound in bounds()) + " tanh("
    assert [name for name in BOUNDS if f"{name}(" not in used] == []
    assert BOUNDS.keys() == map_values.VALUES.keys()


def test_a_bound_without_its_parameter_is_not_known() -> None:
    assert value_at_most("line(e)", Fraction(1), {"mu": Fraction(1), "xi": None}) is None
    assert value_at_most("some", Fraction(1), {}) is None
    assert value_at_most("largest_f(e)", Fraction(1), {"f": "nothing"}) is None
    assert value_at_most("n*e", Fraction(2), {"n": Fraction(3)}) == 6
    assert value_at_most("xi+2*e", Fraction(3), {"xi": Fraction(1)}) == 7
    assert 1 < map_values.value_at_most("log_square(e)", Fraction(2), {}) * 5 / 8 < Fraction(101, 100)
