"""One law near several: ties of ratios at the E of a play, and laws of sums under other names of the outputs."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import verifier as pk
from verifier.engine import Engine
from verifier.engine.image import Image
from verifier.numbers import Algebraic, Order, log_epsilon, roots_between
from verifier.simulators.centre import _above_square as above_square
from verifier.simulators.independent import independent

TIED = {
    0: {"a": "9/50", "b": "1/5", "c": "6/25", "d": "19/50"},
    1: {"a": "1/50", "b": "1/20", "c": "1/5", "d": "73/100"},
}
COIN = {"iid": {0: "1/2", 1: "1/2"}}


def table(laws: dict[int, dict[str, Any]]) -> pk.Model:
    rows = [{"database": [value], "outputs": law} for value, law in laws.items()]
    return pk.build(size=1, values=[0, 1], distribution=COIN, mechanism={"rows": rows})


def test_a_ratio_that_is_the_square_of_a_plays_own_factor() -> None:
    """b has the ratio 4 = 2², and the first play is at E = 2; the smallest E is below."""
    model = table(TIED)
    answer = pk.check(model, "ddp", delta="9/250")
    assert str(answer.tight_epsilon).startswith("ln(root of 35*x^2 + 18*x - 172")
    asked = pk.check(model, "ddp", epsilon="ln(39/20)", delta="9/250")
    assert asked.verdict == "fails"
    assert asked.replayed
    assert asked.tight_delta is not None
    assert asked.tight_delta.order(Fraction(9, 250)).settled() is Order.GREATER


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
MECHANISMS = [{"kind": "quadratic-mean"}, {"kind": "geometric-mean"}, {"kind": "sum"}, {"kind": "mean"}, RELABELLED]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda keys: str(keys["kind"]))
@pytest.mark.parametrize("known", [[0], [0, 1], []], ids=str)
def test_what_is_imitated_are_the_laws_of_the_table(mechanism: dict[str, Any], known: list[int]) -> None:
    """Whatever the outputs are called: classes of knowledge move them, and their order need not be that of the sums."""
    model = pk.build(
        size=3,
        values=[1, 2, 3],
        distribution={"iid": {1: "1/2", 2: "1/3", 3: "1/6"}},
        mechanism=mechanism,
        **({"knowledge": {"records": known}} if known else {}),
    )
    (theta,) = model.thetas
    plain = Engine(model, force="rows")
    by_record = {
        secret.record: {heard.label: heard for heard in plain.factual(theta, secret).heard.values()}
        for secret, _ in plain.targets(theta)
    }
    looked_at = 0
    for component in independent(Engine(model, force="sum"), "default"):
        for row, law in zip(component.rows, component.laws, strict=True):
            assert row.record is not None
            imitated = {
                outcomes[0][0].text: Fraction(int(weight), int(component.total))
                for outcomes, weight in zip(component.outputs, law, strict=True)
                if weight
            }
            told = by_record[row.record][row.knowledge].laws[row.a]
            weights = told.weights if isinstance(told, Image) else told
            whole = sum(weights.values())
            assert imitated == {output.text: Fraction(weight, whole) for output, weight in weights.items() if weight}
            looked_at += 1
    assert looked_at
