"""Inference-based definitions with a simulator, as far as they are decided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from strategies import Case, cases
from test_simulators import FLIP, model, small

import verifier as pk
from verifier.definitions.centres import simulator_ibddp
from verifier.numbers import Enclosure, Epsilon, epsilon, log_epsilon
from verifier.simulators.posteriors import Inference, _connected, exists_for, games_of, judge
from verifier.simulators.problem import Context, SimulatorRow
from verifier.tables import label


def exists(of: pk.Model, E: Fraction) -> bool:
    """Whether some simulator satisfies IBDDP at δ = 0 and e^ε = E."""
    return exists_for(games_of(of), E)


def test_one_context() -> None:
    """The simulator knows nothing, so that the posterior after its answer is the prior."""
    one = model(mechanism=FLIP)
    assert exists(one, Fraction(3, 2))
    assert not exists(one, Fraction(149, 100))
    fair = judge(one, lambda _i, _others: {"x": "1/2", "y": "1/2"}, epsilon("ln(3/2)"), Fraction(0))
    assert (fair.holds, fair.exceptions) == (True, Fraction(0))
    assert fair.beliefs[0].under_m == {one.values[0]: Fraction(2, 3), one.values[1]: Fraction(1, 3)}
    silent = judge(one, lambda _i, _others: "x", epsilon("ln(3/2)"), Fraction(1, 4))
    assert (silent.holds, silent.exceptions) == (False, Fraction(1, 2))
    assert judge(one, lambda _i, _others: "x", epsilon("ln(3/2)"), Fraction(1, 2)).holds


def test_duplicates_are_inferred_from_the_others() -> None:
    table = [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]
    one = model(size=2, distribution={"table": table}, mechanism={"kind": "identity"})
    assert exists(one, Fraction(1))
    assert judge(one, lambda _i, others: [others[0], others[0]], epsilon(0), Fraction(0)).holds


def test_what_the_mechanism_excludes() -> None:
    never = pk.check(model(mechanism={"kind": "identity"}), "ibddp")
    assert (never.verdict, str(never.tight_epsilon), never.replayed) == ("fails", "inf", True)
    assert "no simulator is enough at any ε" in str(never.reason)
    asked = pk.check(model(mechanism={"kind": "identity"}), "ibddp", epsilon=9)
    assert (asked.verdict, str(asked.tight_epsilon), asked.replayed) == ("fails", "inf", True)
    assert not exists(model(mechanism={"kind": "identity"}), Fraction(10**9))


@pytest.mark.sweep(2)
@given(cases(max_size=2))
@settings(max_examples=20, deadline=None)
def test_the_smallest_epsilon_lies_between_its_ends(case: Case) -> None:
    small(case)
    one = pk.build(**case.keys)
    found = pk.check(one, "ibddp")
    assume(found.verdict != "vacuous")
    if found.verdict != "holds":
        assert (found.verdict, str(found.tight_epsilon), found.replayed) == ("fails", "inf", True)
        return
    tight = found.tight_epsilon
    assert isinstance(tight, Enclosure)
    low, high = Epsilon("rational", tight.low.value), Epsilon("rational", tight.high.value)
    assert exists(one, high.exp_bracket(200)[1])
    assert tight.low.value == 0 or not exists(one, low.exp_bracket(200)[0])
    for at, verdict in ((high.coefficient * 2 + 1, "holds"), (low.coefficient / 2, "fails")):
        if at:
            asked = pk.check(one, "ibddp", epsilon=at)
            assert asked.verdict == verdict
            assert asked.replayed


def test_the_inference_form_is_decided_without_delta() -> None:
    one = model(mechanism=FLIP)
    assert pk.check(one, "ibddp", epsilon="ln(2)", delta="1/10").verdict == "unsupported"
    assert "not decided" in (pk.check(one, "ibddp", epsilon="ln(2)", delta="1/10").reason or "")
    assert "ibddp" not in [answer.definition for answer in pk.overview(one)]


def response(wrong: Fraction) -> pk.Model:
    """Answer x for 0 and y for 1, and the other with a small probability: the smallest e^ε is 1/(2·wrong)."""
    rows = [{"database": [v], "outputs": {"x": str(x), "y": str(1 - x)}} for v, x in enumerate((1 - wrong, wrong))]
    return model(mechanism={"rows": rows})


def test_the_ends_of_the_smallest_epsilon_agree_to_24_bits_of_its_power() -> None:
    """e^ε = 3 lies between 2 and 4: halving ends where the width is at most 2^-24 of the lower end, which is 2^-23."""
    tight = pk.check(response(Fraction(1, 6)), "ibddp").tight_epsilon
    assert isinstance(tight, Enclosure)
    assert tight.low.value <= log_epsilon(3 - Fraction(1, 1 << 23)).bracket(200)[0]
    assert tight.low.value > log_epsilon(3 - Fraction(1, 1 << 22)).bracket(200)[1]
    assert tight.high.value >= log_epsilon(Fraction(3)).bracket(200)[1]
    assert tight.high.value - log_epsilon(Fraction(3)).bracket(200)[1] < Fraction(1, 1 << 64)


@pytest.mark.parametrize("bits", [0, 1, 20, 40, 63])
def test_a_large_epsilon_is_found_in_few_steps(bits: int) -> None:
    """At most 64 doublings and 26 halvings, and two questions before, wherever the smallest e^ε lies."""
    smallest, asked = (1 << bits) + Fraction(1, 3), list[Fraction]()

    def enough(E: Fraction) -> bool:
        asked.append(E)
        assert len(asked) <= 2 + 64 + 26
        return smallest <= E

    tight = simulator_ibddp._smallest(enough, simulator_ibddp.LARGEST, Fraction(1))
    assert isinstance(tight, Enclosure)
    assert tight.low.value <= log_epsilon(smallest).bracket(200)[0]
    assert log_epsilon(smallest).bracket(200)[1] <= tight.high.value


@pytest.mark.parametrize("smallest", [Fraction(1 << 64), Fraction(3 << 63), Fraction((1 << 200) + 1)])
def test_a_simulator_is_found_also_beyond_2_to_the_64(smallest: Fraction) -> None:
    one = response(1 / (2 * smallest))
    for asked in (None, "1"):
        answer = pk.check(one, "ibddp", epsilon=asked)
        assert (answer.verdict, answer.replayed) == ("holds" if asked is None else "fails", True)
        tight = answer.tight_epsilon
        assert isinstance(tight, Enclosure)
        low, high = log_epsilon(smallest).bracket(300)
        assert tight.low.value <= high
        assert low <= tight.high.value < low + Fraction(1, 1 << 20)


def test_a_value_without_a_context_that_may_answer() -> None:
    """x tells that D(0) is no 1. Told 1 of the other, the simulator may not say x, and with D(0) = 2 M always does."""
    databases = [[0, 0], [1, 1], [2, 1]]
    table = [{"database": d, "probability": "1/3"} for d in databases]
    laws = [{"database": [v, w], "outputs": {"y" if v == 1 else "x": 1}} for v in range(3) for w in range(3)]
    keys: dict[str, Any] = {"values": [0, 1, 2], "distribution": {"table": table}, "mechanism": {"rows": laws}}
    one = model(size=2, **keys, sensitive={"records": [0]})
    games = [game for game in games_of(one) if game is not None]
    assert [game.enough_for_uniform for game in games] == [None]
    answer = pk.check(one, "ibddp")
    assert (answer.verdict, str(answer.tight_epsilon), answer.replayed) == ("fails", "inf", True)


@pytest.mark.parametrize("keep", [Fraction(2, 3), Fraction(3, 4), Fraction(5, 7)])
def test_the_smallest_epsilon_of_a_simulator_that_knows_nothing(keep: Fraction) -> None:
    """Its answer says nothing: the posteriors `keep` and 1 - keep are compared with the prior 1/2."""
    one = response(1 - keep)
    factor = 1 / (2 * (1 - keep))
    assert exists(one, factor)
    assert not exists(one, factor - Fraction(1, 10**9))
    tight = pk.check(one, "ibddp").tight_epsilon
    assert isinstance(tight, Enclosure)
    low, high = log_epsilon(factor).bracket(200)
    assert tight.low.value <= low
    assert high <= tight.high.value
    assert tight.high.value - tight.low.value < Fraction(1, 10**6)


def random_game(random: Random) -> Inference:
    """Rows of two or three values and two to four contexts; some contexts are impossible in some rows."""
    contexts, posteriors, joint = random.randint(2, 4), [], []
    for _ in range(random.randint(1, 3)):
        values = random.randint(2, 3)
        weights = [[Fraction(random.choice([0, 0, 1, 2, 5])) for _ in range(contexts)] for _ in range(values)]
        weights[random.randrange(values)][random.randrange(contexts)] += 1
        p = [random.choice([0, 1, 2, 4]) for _ in range(values)]
        p[random.randrange(values)] += 1
        posteriors.append(tuple(Fraction(x, sum(p)) for x in p))
        joint.append(tuple(map(tuple, weights)))
    return Inference(tuple(posteriors), tuple(joint))


def test_the_ends_of_one_program_say_what_each_program_says() -> None:
    random, answers, undecided = Random(5), set(), 0  # noqa: S311 - not a secret
    for _ in range(20):
        game = random_game(random)
        asked = [Fraction(random.randint(8, 64), 8) for _ in range(4)]
        for E in [Fraction(1), Fraction(1 << 64), *asked, *(end for end in game._ends_at(asked[0]) if end)]:
            plain = replace(game, _ends={})._is_enough(E)
            assert replace(game, _ends={}).answerable(E) == plain
            assert game.answerable(E) == plain
            known, (enough, least) = game._known(E), game._ends_at(E)
            undecided += known is None
            assert known in {None, plain}
            assert enough is None or replace(game, _ends={})._is_enough(enough)
            assert least is None or least <= 0 or not replace(game, _ends={})._is_enough(least * Fraction(99, 100))
            answers.add(plain)
    assert answers == {True, False}
    assert undecided > 0  # the best point answers in some rows alone


def test_one_program_says_the_smallest_epsilon_from_far_below_it() -> None:
    """Two contexts, of weights 1, 1 and 2, 3 on two values: each is wrong by 3/2 alone, and no mixture is better."""
    weights = ((Fraction(1), Fraction(1)), (Fraction(2), Fraction(3)))
    game = Inference(((Fraction(1, 2), Fraction(1, 2)),), (weights,))
    for E in (Fraction(1), Fraction(5, 4), Fraction(2)):
        assert game._ends_at(E) == (Fraction(3, 2), Fraction(3, 2))


def test_each_group_stands_in_one_part() -> None:
    """Groups that share a context in which Ô can be answered are one part; others, and those without one, are not."""

    def group(name: str, *told: int) -> list[SimulatorRow]:
        contexts = {Context((k,), 0, None, None): Fraction(1, len(told)) for k in told}
        return [SimulatorRow("θ", label(name), 0, label("a"), {}, contexts, Fraction(1))]

    first, second, third, fourth = group("1", 1, 2), group("2", 3), group("3", 2, 4), group("4", 5)
    excluded = {Context((5,), 0, None, None)}
    parts = _connected([first, second, fourth, third], excluded)
    assert parts == [[second], [fourth], [first, third]]
