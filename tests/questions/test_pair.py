"""Raw pairs: each number beside what all events, all lists of outputs, or the definitions themselves give."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, pairwise, product
from math import prod
from pathlib import Path
from random import Random

import pytest

import verifier as pk
from verifier.definitions.gain import gains
from verifier.engine import Engine
from verifier.errors import PkdpError
from verifier.questions.pair import RawPair

COIN = ({"yes": "3/4", "no": "1/4"}, {"yes": "1/4", "no": "3/4"})
Laws = tuple[list[Fraction], list[Fraction]]


def random_laws(draw: Random, outputs: int) -> Laws:
    """Two laws of few outputs, some of which one law alone can produce, and some ratios equal."""
    laws = []
    for _ in range(2):
        weights = [draw.choice((0, 1, 1, 2, 3, 6)) for _ in range(outputs)]
        weights[draw.randrange(outputs)] += 1
        laws.append([Fraction(weight, sum(weights)) for weight in weights])
    return laws[0], laws[1]


RANDOM = [random_laws(Random(seed), 2 + seed % 4) for seed in range(30)]  # noqa: S311  # laws to try


def events(laws: Laws) -> list[tuple[Fraction, Fraction]]:
    """(P[S], Q[S]) of every set of outputs."""
    rows = list(zip(*laws, strict=True))
    sets = chain.from_iterable(combinations(rows, k) for k in range(len(rows) + 1))
    return [(sum((p for p, _ in s), Fraction(0)), sum((q for _, q in s), Fraction(0))) for s in sets]


@pytest.mark.parametrize("laws", RANDOM)
def test_every_event_is_looked_at(laws: Laws) -> None:
    """δ, advantage, Bayes risk and the curve of tests are extremes over all sets of outputs."""
    pair, sets = pk.pair(*laws), events(laws)
    for growth in (Fraction(1), Fraction(3, 2), Fraction(4)):
        epsilon = pk.epsilon(f"ln({growth})")
        assert pair.p_against_q.delta_at(epsilon) == max(p - growth * q for p, q in sets)
        assert pair.q_against_p.delta_at(epsilon) == max(q - growth * p for p, q in sets)
        assert pair.delta_at(epsilon) == max(max(p - growth * q, q - growth * p) for p, q in sets)
    assert pair.advantage == max(p - q for p, q in sets)
    for prior in (Fraction(0), Fraction(1, 3), Fraction(1, 2)):
        assert pair.bayes_risk(prior) == min(prior * p + (1 - prior) * (1 - q) for p, q in sets)
    vertices = pair.trade_off
    assert {(p, 1 - q) for p, q in sets} >= set(vertices)
    for (a, b), (c, d) in pairwise(vertices):
        assert a < c
        assert all((c - a) * (1 - q - b) >= (d - b) * (p - a) for p, q in sets), "no test is below the curve"
    assert vertices[0][0] == 0
    assert vertices[-1] == (Fraction(1), Fraction(0))


@pytest.mark.parametrize("laws", RANDOM)
def test_true_positives_are_the_best_randomized_tests(laws: Laws) -> None:
    """At a rate of false alarms the best test mixes two events."""
    pair, rate = pk.pair(*laws), Fraction(1, 7)
    for way, sets in (
        (pair.p_against_q, [(q, p) for p, q in events(laws)]),
        (pair.q_against_p, events(laws)),
    ):
        best = max(hit for false, hit in sets if false <= rate)
        for (low, first), (high, second) in product(sets, repeat=2):
            if low <= rate < high:
                best = max(best, first + (second - first) * (rate - low) / (high - low))
        assert way.tpr(rate) == best


@pytest.mark.parametrize("laws", RANDOM)
def test_a_gain_of_the_model_of_a_pair_has_the_numbers_of_the_pair(laws: Laws) -> None:
    """The weights of a gain are those of a joint law, each up to a factor of its own."""
    pair, rates = pk.pair(*laws, prior="1/3"), [Fraction(0), Fraction(1, 7), Fraction(1)]
    (gain,) = gains(Engine(pair.model), rates)
    assert gain.advantage == pair.advantage
    assert gain.true_positive_rates == {rate: pair.tpr(rate) for rate in rates}
    assert gain.success == 1 - pair.bayes_risk()


@pytest.mark.parametrize("laws", RANDOM[:12])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_runs_are_the_table_of_all_lists(laws: Laws, times: int) -> None:
    """The power of a polynomial is the product table, by its curves in both directions."""
    lists = [
        [prod((law[k] for k in indices), start=Fraction(1)) for indices in product(range(len(law)), repeat=times)]
        for law in laws
    ]
    runs, plain = pk.pair(*laws).runs(times), pk.pair(*lists)
    assert runs.p_against_q.profile == plain.p_against_q.profile
    assert runs.q_against_p.profile == plain.q_against_p.profile
    assert runs.trade_off == plain.trade_off


@pytest.mark.parametrize("laws", RANDOM[:8])
def test_the_answer_is_that_of_the_definitions(laws: Laws) -> None:
    """Each number is an answer about the model, which the checker has decided again; both ways of an order agree."""
    pair = pk.pair(*laws)
    answer = pair.answer(epsilons=["ln(3/2)"], deltas=["1/10", 0], orders=[2, "5/2"])
    assert answer.replayed is True
    assert answer.deltas[0].value == pair.delta_at("ln(3/2)")
    assert [point.value for point in answer.epsilons] == [pair.epsilon_at("1/10"), pair.epsilon_at(0)]
    for point in answer.orders:
        ways = {way.name: way.renyi(point.at) for way in (pair.p_against_q, pair.q_against_p)}
        assert point.value in ways.values()
        assert point.direction in {"both", *(name for name, value in ways.items() if value == point.value)}
    assert pk.check(pair.model, "np", delta="1/10").tight_epsilon == pair.epsilon_at("1/10")


def test_the_facts_of_randomized_response() -> None:
    pair = pk.pair(*COIN)
    assert pair.epsilon_at("1/10") == pk.epsilon("ln(13/5)")
    assert pair.runs(10).epsilon_at("1/10") == pk.epsilon("ln(755107/155)")
    assert pair.delta_at("ln(2)") == Fraction(1, 4)
    assert (pair.advantage, pair.bayes_risk()) == (Fraction(1, 2), Fraction(1, 4))
    assert [f"{alpha}, {beta}" for alpha, beta in pair.trade_off] == ["0, 1", "1/4, 1/4", "1, 0"]
    assert (pair.answer().zcdp.value, pair.answer().zcdp.direction) == (pk.epsilon("1/2*ln(3)"), "both")


def test_the_direction_is_that_of_the_larger_number() -> None:
    """P alone can produce x, so that no ε is enough for P against Q; the other way round one is."""
    pair = pk.pair({"x": "1/4", "y": "3/4"}, {"y": 1})
    assert (pair.p_against_q.epsilon_at(0).is_infinite, pair.q_against_p.epsilon_at(0)) == (True, pk.epsilon("ln(4/3)"))
    answer = pair.answer(deltas=[0], epsilons=["ln(5/4)"])
    assert (answer.epsilons[0].direction, answer.deltas[0].direction) == ("P against Q", "P against Q")
    assert pair.answer(epsilons=["inf"]).deltas[0].value == Fraction(1, 4)


def same(pair: RawPair) -> bool:
    """Whether a pair is that of the coin."""
    return pair.trade_off == pk.pair(*COIN).trade_off and pair.profile == pk.pair(*COIN).profile


def test_a_pair_is_read_from_what_people_have(tmp_path: Path) -> None:
    """Tables, lists, arrays, files, a model or a function with two databases."""
    import numpy as np

    lists = [["3/4", Fraction(1, 4)], np.array([Fraction(1, 4), Fraction(3, 4)])]
    csv, json = tmp_path / "coin.csv", tmp_path / "coin.json"
    csv.write_text("\ufeffoutput, p, q\r\nyes, 3/4, 0.25\r\nno, 1/4, 0.75\r\n")
    json.write_text('{"p": {"yes": 0.75, "no": "1/4"}, "q": {"no": 0.75, "yes": "0.25"}}')
    response = {"kind": "randomized-response", "keep": "1/2"}
    model = pk.build(size=1, values=[0, 1], mechanism=response)
    assert same(pk.pair(*lists))
    assert same(pk.pair(str(csv)))
    assert same(pk.pair(json))
    assert same(pk.pair([1], [0], mechanism=model))
    assert same(
        pk.pair((0,), (1,), mechanism=lambda d: {"a": Fraction(3 - 2 * d[0], 4), "b": Fraction(1 + 2 * d[0], 4)})
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (({"a": 1}, {"a": "1/2"}), "the probabilities sum to 1/2"),
        (([3, 1], [1, 3]), "3 is more than 1"),
        (([0.5, 0.5], [1, 0]), "the float 0.5"),
        (({"a": 1},), "there is one law"),
        (([1], [1, 0]), "1 and 2 entries"),
        (({"a": 1}, [1]), "a table and one is not"),
        (("laws.txt",), "there is one law"),
    ],
)
def test_what_is_no_pair_is_refused(wrong: tuple[object, ...], message: str) -> None:
    with pytest.raises(PkdpError, match=message):
        pk.pair(*wrong)


def test_many_runs_are_refused_before_the_work() -> None:
    laws = [[Fraction(n, 55) for n in numbers] for numbers in (range(1, 11), range(10, 0, -1))]
    with pytest.raises(pk.LimitError, match="likelihood ratios"):
        pk.pair(*laws).runs(1000)
