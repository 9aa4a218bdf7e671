"""From rows to an answer: what is worst, how often laws are compared, and the witness that anyone can add up again."""

from fractions import Fraction
from typing import Any

import pytest
from two_laws import COIN, NEAR

from verifier import build, check, read
from verifier.definitions.comparison import Comparison, ComparisonSet, Least, Term
from verifier.definitions.divergence import Scalar, ScalarWithDelta, divergence_named
from verifier.definitions.measure import HOCKEY_STICK, TAIL, CurveMeasure
from verifier.definitions.pairs import MeasurePair
from verifier.definitions.pools import largest_epsilon, pools_of
from verifier.definitions.scheme.decide import averaged, seen_in
from verifier.definitions.scheme.rows import Case, Group, Row, Setting, point
from verifier.engine import Engine
from verifier.errors import UndecidedError
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.numbers import INFINITY, ZERO, Order, epsilon
from verifier.numbers.reals import Real, settled

HALF = Fraction(1, 2)
FINITE: dict[str, tuple[str, ...]] = {
    "aa": ("1/2", "1/2"),
    "ab": ("1/4", "3/4"),
    "ba": ("1/3", "2/3"),
    "bb": ("1/4", "3/4"),
}
"""P[x] and P[y] of each database: the largest loss is ln 2, of x under aa against ab."""


def model(laws: dict[str, tuple[str, ...]], **keys: Any) -> Model:
    table = [{"database": list(d), "outputs": dict(zip("xyz", law, strict=False))} for d, law in laws.items()]
    return build(size=len(next(iter(laws))), values=["a", "b"], mechanism={"table": table}, **keys)


def two(first: tuple[str, ...], second: tuple[str, ...], **policy: Any) -> Model:
    return model({"a": first, "b": second}, policy=policy)


def shown(witness: Any) -> tuple[Any, ...]:
    """What a witness of a curve says."""
    return (
        witness.direction, [o.text for o in witness.event], str(witness.probability_a), str(witness.probability_b),
        str(witness.epsilon), str(witness.value),
    )  # fmt: skip


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_the_worst_row_of_a_number_is_the_witness() -> None:
    made = model(FINITE)
    for asked, verdict in ((None, "holds"), ("ln(2)", "holds"), ("ln(199/100)", "fails"), ("inf", "holds")):
        answer = check(made, "dp-any", epsilon=asked)
        assert (answer.verdict, str(answer.tight_epsilon), answer.tight_delta) == (verdict, "ln(2)", None)
        assert (answer.comparisons, answer.multiplicity, answer.method) == (8, 8, "table")
        row = answer.tightest if verdict == "holds" else answer.witness
        assert row is not None
        assert (answer.witness is None) == (verdict == "holds") == (answer.tightest is not None)
        assert (row.kind, row.record) == ("neighbours", 1)
        assert [[v.text for v in d] for d in row.databases or ()] == [["a", "a"], ["a", "b"]]
        assert (str(row.epsilon), str(row.value), row.event, row.measure) == ("ln(2)", "ln(2)", None, "ratio")


def test_an_infinite_number_fails_without_an_epsilon() -> None:
    answer = check(two(("1", "0"), ("1/2", "1/2")), "dp-any")
    assert (answer.verdict, answer.tight_epsilon) == ("fails", INFINITY)
    assert answer.witness is not None
    assert [[v.text for v in d] for d in answer.witness.databases or ()] == [["b"], ["a"]]


def test_equal_laws_are_compared_once_at_each_scale() -> None:
    same: dict[str, tuple[str, ...]] = dict.fromkeys(FINITE, ("1/2", "1/2"))
    assert check(model(same), "flpr").comparisons == 1
    assert check(model(same, policy={"distance": "hamming"}), "ddpr").comparisons == 2
    assert check(model(FINITE), "flpr").comparisons == 7  # ab and bb have one law: 3 laws, and one against itself
    assert check(model(FINITE, policy={"distance": "hamming"}), "ddpr").comparisons == 11


def test_an_enclosed_number_says_so() -> None:
    answer = check(two(("3/5", "2/5"), ("1/5", "4/5"), order="3/2"), "renyidp")
    assert (answer.verdict, answer.method) == ("holds", "enclosure")
    assert answer.tightest is not None
    assert (answer.tightest.epsilon, answer.tightest.value) == (ZERO, answer.tight_epsilon)


@pytest.mark.parametrize(
    ("key", "first", "second", "sides"),
    [
        ("anpr", "believed before about D(0)", "believes then", ("before", "afterwards")),
        ("nmpr", "believes then about whether some record is well", "believed before", ("afterwards", "before")),
        ("pmpr", "believed before about whether some record is ill", "believes then", ("before", "afterwards")),
    ],
)
def test_the_belief_that_weighs_more_is_named_first(key: str, first: str, second: str, sides: tuple[str, str]) -> None:
    witness = check(read(models_folder() / "atlas" / "tour-missing.toml"), key, epsilon="ln(9/8)").witness
    assert witness is not None
    compared = witness.compared
    sentence = f'In "#1", the attacker sees low; what she {first} is compared with what she {second}.'
    assert compared is not None
    assert (compared.sentence, compared.sides) == (sentence, sides)


# --- curves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laws", "asked", "delta", "verdict", "expected"),
    [
        ((("1/2", "1/4", "1/4"), ("1/4", "1/2", "1/4")), "0", "0", "fails", (["x"], "1/2", "1/4", "0", "1/4")),
        (
            (("1/2", "1/4", "1/4"), ("1/4", "1/2", "1/4")),
            "ln(3/2)",
            "0",
            "fails",
            (["x"], "1/2", "1/4", "ln(3/2)", "1/8"),
        ),
        ((("1/2", "1/4", "1/4"), ("1/4", "1/2", "1/4")), "ln(2)", "0", "holds", (["x"], "1/2", "1/4", "ln(2)", "0")),
        ((("1/2", "1/4", "1/4"), ("1/4", "1/2", "1/4")), None, "1/8", "holds", (["x"], "1/2", "1/4", "ln(3/2)", "1/8")),
        ((("1/2", "1/2"), ("1", "0")), "inf", "0", "fails", (["y"], "1/2", "0", "inf", "1/2")),
        ((("1/2", "1/2"), ("1", "0")), None, "1/4", "fails", (["y"], "1/2", "0", "inf", "1/2")),
        ((("1/2", "1/2"), ("1", "0")), "ln(2)", "1/4", "fails", (["y"], "1/2", "0", "ln(2)", "1/2")),
        ((("1/2", "1/2"), ("1", "0")), None, "1/2", "holds", (["y"], "1/2", "0", "0", "1/2")),
    ],
)
def test_the_event_of_a_hockey_stick(
    laws: tuple[tuple[str, ...], tuple[str, ...]],
    asked: str | None,
    delta: str,
    verdict: str,
    expected: tuple[Any, ...],
) -> None:
    """At ε = 0 outputs that are as likely under both are left out; at ε = ∞ there are only those that Q excludes."""
    answer = check(two(*laws), "adp", epsilon=asked, delta=delta)
    assert answer.verdict == verdict
    row = answer.tightest if verdict == "holds" else answer.witness
    assert shown(row)[1:] == expected
    assert row is not None
    assert [[v.text for v in d] for d in row.databases or ()] == [["a"], ["b"]]


# --- scales, views and averages ---------------------------------------------------------------------------------------


def test_a_scale_is_said() -> None:
    made = two(("3/4", "1/4"), ("1/4", "3/4"), distance=[[["a"], ["b"], "1/2"]])
    answer = check(made, "ddpr", epsilon="ln(9)")
    assert (answer.verdict, str(answer.tight_epsilon)) == ("holds", "ln(9)")
    assert answer.tightest is not None
    assert answer.tightest.direction == "M([a]) against M([b]), allowed 1/2·ε"
    curve = check(made, "psdp", epsilon="ln(9/4)", delta="0")
    assert (curve.verdict, str(curve.tight_delta), str(curve.tight_epsilon)) == ("fails", "3/8", "ln(9)")
    assert shown(curve.witness) == ("M([a]) against M([b]), allowed 1/2·ε", ["x"], "3/4", "1/4", "ln(3/2)", "3/8")


def test_a_view_is_said() -> None:
    made = two(("1/4", "1/4", "1/2"), ("1/8", "3/8", "1/2"), leak={"x": "l", "y": "l", "z": "m"})
    answer = check(made, "bldp", epsilon="0")
    assert (answer.verdict, str(answer.tight_delta)) == ("fails", "1/4")
    assert shown(answer.witness)[:4] == ("M([a]) against M([b]), given the leak l", ["x"], "1/2", "1/4")
    assert answer.comparisons == 3  # given m both laws are one, in both orders


def test_an_average_has_no_one_event() -> None:
    """Of a fair coin the record is redrawn: half of the time it stays."""
    made = two(("3/4", "1/4"), ("1/4", "3/4"), prior={"a": "1/2", "b": "1/2"})
    answer = check(made, "wbdp", epsilon="ln(2)", delta="1/8")
    assert (answer.verdict, str(answer.tight_delta), answer.comparisons) == ("holds", "1/8", 4)
    answer = check(made, "wbdp", epsilon="ln(2)", delta="1/9")
    assert (answer.verdict, str(answer.tight_delta)) == ("fails", "1/8")
    assert answer.witness is not None
    words = "On average over 2 pairs of laws, the first of them M([a]) against M([a])"
    assert (answer.witness.direction, answer.witness.record, answer.witness.databases) == (words, 0, None)
    assert (answer.witness.event, str(answer.witness.value)) == (None, "1/8")
    divergence = check(made, "avgklpr")
    assert (str(divergence.tight_epsilon), divergence.comparisons) == ("1/4*ln(3)", 2)


def test_an_average_is_over_shares_that_sum_to_one() -> None:
    made = two(("3/4", "1/4"), ("1/4", "3/4"))
    row = Row(point((0,)), point((1,)))
    setting = Setting("key", made, Engine(made))
    assert averaged(Group(()), []) is None
    half = Group((Case((row,), HALF),))
    with pytest.raises(ArithmeticError, match="sum to 1"):
        averaged(half, seen_in(setting, "outputs", half))
    thirds = Group((Case((row,), Fraction(1, 3)), Case((row._replace(q=row.p),), Fraction(2, 3))))
    together = averaged(thirds, seen_in(setting, "outputs", thirds))
    assert together is not None
    assert together.delta(ZERO) == Fraction(1, 6)
    assert divergence_named("kl").number(together) == epsilon("1/6*ln(3)")


# --- scales, and the least of several ---------------------------------------------------------------------------------


def one(
    terms: list[tuple[int, MeasurePair]], total: int, *, measure: CurveMeasure = HOCKEY_STICK, scale: object = 1
) -> Comparison:
    listed = tuple(Term(mass, pair) for mass, pair in terms)
    return Comparison(None, None, None, None, listed, total=total, measure=measure, scale=Fraction(str(scale)))


def test_a_multiple_of_epsilon_is_allowed() -> None:
    curve = one([(1, COIN)], 1, scale=2)
    assert curve.epsilon(Fraction(0)) == epsilon("1/2*ln(3)")
    assert curve.epsilon(Fraction(1, 4)) == epsilon("1/2*ln(2)")
    assert curve.delta(epsilon("1/2*ln(2)")) == Fraction(1, 4)
    assert divergence_named("ratio").number(curve, HALF) == epsilon("1/2*ln(3)")

    def falling(_pair: MeasurePair, delta: Fraction) -> Real:
        return epsilon(1 - delta)

    measure = ScalarWithDelta("falling", "", "", "", lambda pair: falling(pair, Fraction(0)), falling)
    assert measure.number(one([(1, COIN)], 1, scale="1/2"), Fraction(1, 4)) == epsilon("3/2")
    assert Scalar("one", "", "", "", lambda _pair: epsilon(1)).number(one([(1, COIN)], 1), HALF) == epsilon(1)


def test_of_several_scales_the_first_that_needs_epsilon_is_shown() -> None:
    """COIN needs ln(3) at δ = 0, and NEAR ln(3/2): half of it where twice ε is allowed."""
    wide, narrow, nothing = one([(1, COIN)], 1, scale=2), one([(1, NEAR)], 1, scale="1/2"), one([(1, COIN)], 1, scale=0)
    pools = pools_of([ComparisonSet(None, None, [wide, narrow])])
    assert largest_epsilon(pools, Fraction(0)) == (narrow, epsilon("ln(9/4)"))
    assert largest_epsilon(pools, Fraction(1, 8)) == (wide, epsilon("1/2*ln(5/2)"))
    pools = pools_of([ComparisonSet(None, None, [wide, nothing])])
    assert largest_epsilon(pools, Fraction(0)) == (nothing, INFINITY)
    assert largest_epsilon(pools, HALF) == (wide, ZERO)


def test_the_least_of_several_curves() -> None:
    coin, near = (one([(1, pair)], 1) for pair in (COIN, NEAR))
    for curves in ((coin, near), (near, coin)):
        least = Least(None, None, None, None, coin.terms, alternatives=curves)
        assert least.epsilon(Fraction(0)) == epsilon("ln(3/2)")
        assert least.delta(ZERO) == Fraction(1, 4)
        assert least.needs(epsilon("ln(3/2)"), Fraction(0))
        assert not least.needs(epsilon("ln(3)"), Fraction(0))
    averaged_tail = one([(1, COIN), (3, NEAR)], 4, measure=TAIL)
    assert averaged_tail.delta(epsilon("ln(2)")) == Fraction(3, 16)


def test_what_is_not_told_apart_is_undecided() -> None:
    assert [settled(order) for order in (Order.LESS, Order.EQUAL, Order.GREATER)] == [
        Order.LESS, Order.EQUAL, Order.GREATER,
    ]  # fmt: skip
    with pytest.raises(UndecidedError, match="told apart"):
        settled(Order.UNDECIDED)


# --- neighbours of one size -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model_key", ["atlas/tour", "atlas/metric", "atlas/two-worlds", "DMKB20/example-1-side"])
def test_neighbours_are_one_definition_in_both_papers(model_key: str) -> None:
    """The definition of DP22 and its tail form have the numbers, the profile and the witness of those of DMKB20."""
    read_model = read(models_folder() / f"{model_key}.toml")
    for first, second in (("dp", "adp"), ("tail-dp", "prodp")):
        for asked, delta in ((None, "0"), ("0", "1/3"), ("ln(2)", "0"), ("inf", "0")):
            one, two = (check(read_model, key, epsilon=asked, delta=delta, replay=False) for key in (first, second))
            for name in ("verdict", "tight_epsilon", "tight_delta", "comparisons", "multiplicity", "method", "witness"):
                assert getattr(one, name) == getattr(two, name), (first, asked, name)
            assert one.profile == two.profile


def test_a_scheme_has_a_profile_where_all_are_allowed_epsilon() -> None:
    """Neighbours at the distance 1/2 are allowed half of ε, and δ is no convex function of e^ε."""
    laws = ("3/4", "1/4"), ("1/4", "3/4")
    for key, distance, has_profile in (("psdp", 1, True), ("psdp", "1/2", False), ("adp", 1, True)):
        answer = check(two(*laws, distance=[[["a"], ["b"], distance]]), key)
        assert answer.has_profile == has_profile
    halved = check(two(*laws, distance=[[["a"], ["b"], "1/2"]]), "psdp")
    assert str(halved.delta_at(epsilon("ln(4)"))) == "1/4"
