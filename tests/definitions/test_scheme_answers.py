"""From rows to an answer: averages, profiles, and what a witness says; `tests/cases/witnesses.toml` has the numbers."""

from fractions import Fraction
from typing import Any

import pytest

from verifier import build, check, read
from verifier.definitions.builders.rows import Case, Group, Row, Setting, point
from verifier.definitions.measures.divergence import divergence_named
from verifier.definitions.scheme import averaged, seen_in
from verifier.engine import Engine
from verifier.errors import UndecidedError
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.numbers import ZERO, Order, epsilon
from verifier.numbers.reals import settled

HALF = Fraction(1, 2)


def model(laws: dict[str, tuple[str, ...]], **keys: Any) -> Model:
    table = [{"database": list(d), "outputs": dict(zip("xyz", law, strict=False))} for d, law in laws.items()]
    return build(size=len(next(iter(laws))), values=["a", "b"], mechanism={"table": table}, **keys)


def two(first: tuple[str, ...], second: tuple[str, ...], **policy: Any) -> Model:
    return model({"a": first, "b": second}, policy=policy)


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


def test_what_is_not_told_apart_is_undecided() -> None:
    assert [settled(order) for order in (Order.LESS, Order.EQUAL, Order.GREATER)] == [
        Order.LESS, Order.EQUAL, Order.GREATER,
    ]  # fmt: skip
    with pytest.raises(UndecidedError, match="separated"):
        settled(Order.UNDECIDED)


def test_a_scheme_has_a_profile_where_all_are_allowed_epsilon() -> None:
    """Neighbours at the distance 1/2 are allowed half of ε, and δ is no convex function of e^ε."""
    laws = ("3/4", "1/4"), ("1/4", "3/4")
    for key, distance, has_profile in (("psdp", 1, True), ("psdp", "1/2", False), ("adp", 1, True)):
        answer = check(two(*laws, distance=[[["a"], ["b"], distance]]), key)
        assert answer.has_profile == has_profile
    halved = check(two(*laws, distance=[[["a"], ["b"], "1/2"]]), "psdp")
    assert str(halved.delta_at(epsilon("ln(4)"))) == "1/4"
