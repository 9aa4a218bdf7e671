"""One law near several: ties of ratios at the E of a play, and laws of sums under other names of the outputs."""

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st

import verifier as pk
from verifier.engine import Engine
from verifier.numbers import Algebraic, Enclosure, Order, log_epsilon, roots_between
from verifier.simulators.centre import _above_square as above_square
from verifier.simulators.centre import _middle as middle
from verifier.simulators.centre import play_at, smallest_at
from verifier.simulators.game import Game
from verifier.simulators.independent import _repeated as repeated
from verifier.simulators.independent import independent, supports
from verifier.simulators.problem import Component, Context, SimulatorRow
from verifier.simulators.simulator_problem import ComponentShape, SimulatorProblem
from verifier.simulators.smallest import Smallest, smallest
from verifier.tables import label

pytestmark = pytest.mark.quick


TIED = {
    0: {"a": "9/50", "b": "1/5", "c": "6/25", "d": "19/50"},
    1: {"a": "1/50", "b": "1/20", "c": "1/5", "d": "73/100"},
}
COIN = {"iid": {0: "1/2", 1: "1/2"}}


def table(laws: dict[int, dict[str, Any]]) -> pk.Model:
    rows = [{"database": [value], "outputs": law} for value, law in laws.items()]
    return pk.build(size=1, values=[0, 1], distribution=COIN, mechanism={"rows": rows})


@pytest.mark.parametrize(
    ("polynomial", "square"),
    [((-2, 0, 1), 2), ((-7, 0, 3), Fraction(7, 3)), ((-1, -1, 1), None), ((-2, 0, 0, 1), None)],
)
def test_ratios_are_compared_with_the_square_of_a_root(polynomial: tuple[int, ...], square: Fraction | None) -> None:
    """√2, √(7/3), the golden ratio and the cube root of 2, with ratios however near, and with the square itself."""
    (root,) = roots_between(polynomial, Fraction(1), Fraction(2))
    assert isinstance(root, Algebraic)
    low, high = (end * end for end in root.bracket(300))
    for bits in (3, 40, 200):
        assert not above_square(low - Fraction(1, 1 << bits), root)
        assert above_square(high + Fraction(1, 1 << bits), root)
    if square is not None:
        assert not above_square(Fraction(square), root)
    for whole in range(1, 5):
        assert above_square(Fraction(whole), root) == (whole > high)


@st.composite
def with_ties(draw: st.DrawFn) -> dict[int, dict[str, Fraction]]:
    """Two laws whose ratios are often squares of the factors at which plays begin."""
    first = draw(st.lists(st.integers(1, 12), min_size=3, max_size=5))
    ratios = draw(st.lists(st.sampled_from([1, 2, 4, 8, 16]), min_size=len(first), max_size=len(first)))
    second = [
        weight * ratio if k % 2 else weight * 16 // ratio
        for k, (weight, ratio) in enumerate(zip(first, ratios, strict=True))
    ]
    names = "abcde"
    return {
        value: {names[k]: Fraction(weight, sum(law)) for k, weight in enumerate(law)}
        for value, law in enumerate(([16 * weight for weight in first], second))
    }


@settings(max_examples=60)
@given(with_ties(), st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(4)]), st.integers(1, 40))
def test_the_smallest_epsilon_is_enough_and_a_smaller_one_is_not(
    laws: dict[int, dict[str, Fraction]], factor: Fraction, percent: int
) -> None:
    model = table({value: {name: str(p) for name, p in law.items()} for value, law in laws.items()})
    least = pk.check(model, "ddp", epsilon=log_epsilon(factor), replay=False).to_json()["tight_delta"]
    delta = min(Fraction(1), Fraction(least) + Fraction(percent, 1000))
    tight = pk.check(model, "ddp", delta=delta, replay=False).tight_epsilon
    if not isinstance(tight, pk.Epsilon) or tight.is_infinite or tight.exp == 1:
        return
    low, high = tight.exp_bracket(40)
    for asked, verdict in ((high + Fraction(1, 10**6), "holds"), (max(Fraction(1), low - Fraction(1, 10**6)), "fails")):
        answer = pk.check(model, "ddp", epsilon=log_epsilon(asked), delta=delta, replay=False)
        assert answer.tight_delta is not None
        enough = answer.tight_delta.order(delta).settled() is not Order.GREATER
        assert (answer.verdict == "holds") == enough
        if asked > 1:
            assert answer.verdict == verdict


RELABELLED = {"kind": "count", "value": 2, "then": [{"rows": [
    {"input": str(k), "output": name} for k, name in enumerate("cadb")
]}]}  # fmt: skip


@pytest.fixture
def without_determinants(monkeypatch: pytest.MonkeyPatch) -> None:
    """No play is small enough for an exact number, and an enclosure may be as wide as a tenth of a billionth."""
    for module in map(import_module, ("verifier.simulators.centre", "verifier.simulators.smallest")):
        monkeypatch.setattr(module, "MAX_DEGREE", 0)
        monkeypatch.setattr(module, "NARROW", NARROW)


NARROW = Fraction(1, 10**10)
DELTA = Fraction(9, 250)


def both_searches(part: ComponentShape, delta: Fraction) -> list[Smallest]:
    """The smallest E of one class of contexts, by its own search and by that for any classes."""
    return [smallest_at(part.members[0], delta, part.at, part.limit), smallest(part.game, delta)]


@pytest.mark.usefixtures("without_determinants")
def test_without_determinants_the_ends_close_around_the_exact_number() -> None:
    (exact,) = roots_between((-172, 18, 35), Fraction(1), Fraction(2))
    for found in at_least_one(both_searches(SimulatorProblem(table(TIED), "default").shapes[0], DELTA)):
        assert isinstance(found.E, Fraction)
        assert found.low is not None
        assert found.low < exact < found.E
        assert found.E - found.low < found.E * NARROW


@pytest.mark.usefixtures("without_determinants")
def test_a_delta_that_is_enough_at_epsilon_zero_needs_no_search() -> None:
    part = SimulatorProblem(table(TIED), "default").shapes[0]
    for found in both_searches(part, part.at(Fraction(1)).value):
        assert found.E == 1
        assert found.low is None
        assert not found.mixture


@pytest.mark.usefixtures("without_determinants")
def test_of_parts_with_one_enclosure_the_first_is_the_worst() -> None:
    component = SimulatorProblem(table(TIED), "default").shapes[0].members[0]
    doubled = replace(component, laws=tuple(tuple(2 * p for p in law) for law in component.laws), total=2)
    problem = SimulatorProblem(table(TIED), "default", make_components=lambda: (component, doubled))
    assert len(problem.shapes) == 2
    part, level = problem.worst(DELTA)
    assert isinstance(level, Enclosure)
    assert problem.shapes[1].smallest(DELTA).E == problem.shapes[0].smallest(DELTA).E
    assert part is problem.shapes[0]


@pytest.mark.parametrize("weights", [
    ((8, 1, 1), (2, 2, 1), (20, 2, 2)),
    ((1, 2, 4), (1, 1, 1), (4, 2, 1)),
    ((0, 1, 3, 2), (1, 0, 2, 2), (1, 1, 0, 5)),
])  # fmt: skip
@pytest.mark.parametrize("factor", [Fraction(3, 2), Fraction(2), Fraction(4)], ids=str)
def test_gathered_outputs_have_the_value_of_the_whole_game(
    weights: tuple[tuple[int, ...], ...], factor: Fraction
) -> None:
    """Of three laws: outputs that differ in one order alone, of some P_a/E and E·P_b, stay apart."""
    outputs = range(len(weights[0]))
    component = Component(
        rows=(SimulatorRow("θ", label("B"), 0, label("a"), {}, {}, Fraction(0)),) * 3,
        multiplicity=3,
        classes=((Context((), 0, None, None),),),
        outputs=tuple(((label(o), Fraction(1)),) for o in outputs),
        laws=tuple(tuple(Fraction(w, sum(law)) for w in law) for law in weights),
        beliefs=((Fraction(1),),) * 3,
    )
    assert play_at(component, factor).value == Game(component, pure=False).play(factor).value


def test_which_models_need_no_table() -> None:
    """One distribution of independent records, and a reading in which the simulator knows whose record is missing."""
    coins = {"independent": [{0: "1/2", 1: "1/2"}, {0: "1/3", 1: "2/3"}]}
    alike = [{"database": [value, value], "probability": "1/2"} for value in (0, 1)]
    together = {"groups": [{"size": 2, "table": alike}]}

    def model(*distributions: Any) -> pk.Model:
        return pk.build(size=2, values=[0, 1], distribution=list(distributions), mechanism={"kind": "sum"})

    assert supports(model(coins), "default")
    assert supports(model({"iid": {0: "1/2", 1: "1/2"}}), "per-knowledge")
    assert not supports(model(coins), "index-free")
    assert not supports(model(together), "default")
    two = model(coins, {"iid": {0: "1/2", 1: "1/2"}})
    assert not supports(two, "default")
    assert pk.check(two, "ddp").verdict == "fails"


def test_laws_are_looked_at_once_where_knowledge_only_moves_them() -> None:
    """Relabelled, they are looked at for each class of knowledge; with noise, for each output as well."""

    def looked_at(mechanism: dict[str, Any]) -> tuple[int, int]:
        model = pk.build(size=3, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=mechanism,
                         knowledge={"records": [0]})  # fmt: skip
        engine = Engine(model, force="sum")
        return repeated(engine), engine.cost.classes

    noisy = {"kind": "sum", "then": [{"kind": "geometric-noise", "p": "1/2"}]}
    once, _ = looked_at({"kind": "sum"})
    relabelled, classes = looked_at({"kind": "count", "value": 1, "then": RELABELLED["then"]})
    assert (once, relabelled) == (1, classes)
    assert looked_at(noisy)[0] > looked_at(noisy)[1] >= 1


@pytest.mark.parametrize("size", [3, 5, 9])
def test_laws_have_a_number_for_each_sum_and_each_value(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows anything of records that are alike: one law of size + 1 sums for each of two values."""
    monkeypatch.setattr("verifier.simulators.independent.MOST_NUMBERS", 0)
    model = pk.build(size=size, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    with pytest.raises(pk.LimitError, match=f"the laws to be imitated have at least {2 * (size + 1)} numbers"):
        list(independent(Engine(model, force="sum"), "default"))


@pytest.mark.parametrize(("low", "high"), [(1, 2), (1, 4), (1, 5), (16, 256), (7, 1 << 200)])
def test_a_middle_is_between_both_and_is_that_of_the_logarithms_where_they_are_far_apart(low: int, high: int) -> None:
    at = middle(Fraction(low), Fraction(high))
    assert low < at < high
    if high > 4 * low:
        assert low * high <= 4 * at * at <= 16 * low * high


@pytest.mark.usefixtures("without_determinants")
def test_an_enclosure_of_the_smallest_epsilon_decides_outside_of_it_alone() -> None:
    """E is about 1.9745 here, and its logarithm 0.6803."""
    model = table(TIED)
    for asked, verdict in (("17/25", "fails"), ("69/100", "holds"), ("ln(2)", "holds"), ("ln(39/20)", "fails")):
        answer = pk.check(model, "ddp", epsilon=asked, delta=DELTA, replay=False)
        assert (answer.verdict, isinstance(answer.tight_epsilon, Enclosure)) == (verdict, True)
    tight = pk.check(model, "ddp", delta=DELTA, replay=False).tight_epsilon
    assert isinstance(tight, Enclosure)
    inside = (tight.low.value + tight.high.value) / 2
    assert pk.check(model, "ddp", epsilon=inside, delta=DELTA, replay=False).verdict == "undecided"
