"""Acceptability for all values against the ordinary procedure at rational values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from families import LAWS, POINTS, families, family, law, members
from hypothesis import given, settings
from hypothesis import strategies as st

import verifier as pk
from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.model.read import read_any
from verifier.numbers.expression import read_expression
from verifier.wings.families.acceptance import FamilyAcceptance, acceptable_family

FAMILIES = Path(__file__).resolve().parents[3] / "models" / "DMKB20" / "family"


def said(found: FamilyAcceptance, values: dict[str, Fraction]) -> bool:
    """What the answer says of one model."""
    for face in found.faces:
        name, _, at = face.where.partition(" = ")
        if face.model is not None and values[name] == Fraction(at):
            return face.model.acceptable
    if found.verdict == "where":
        return all(not read_expression(one).at(values) for one in found.equations)
    return found.verdict == "always"


def agrees(of: Family, every: list[dict[str, Fraction]]) -> int:
    """How many answers at values were compared with those of the ordinary procedure."""
    count = 0
    found = acceptable_family(of)
    for values in every:
        there = pk.acceptable(of.at(values))
        assert [(one.distribution, one.record) for one in there] == [(one.distribution, one.record) for one in found]
        for one, other in zip(found, there, strict=True):
            assert said(one, values) == other.acceptable, (values, one)
            count += 1
    return count


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", ["partner-known", "second-normalization", "first-normalization"])
def test_example_6_for_all_values(name: str) -> None:
    of = read_any(FAMILIES / f"example-6-{name}.toml")
    assert isinstance(of, Family)
    points = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1)]
    assert agrees(of, members(of, points)) == (10 if name == "first-normalization" else 5)
    for one in acceptable_family(of):
        if name == "partner-known":
            assert (one.verdict, one.equations) == ("where", ("1 - 2*p_c",))
            assert one.example is not None
            assert one.example["p_c"] == Fraction(1, 2)
        else:
            assert (one.verdict, one.everywhere) == ("always", "always")
            assert one.structure is not None
            assert one.objections == ((None,) if name == "second-normalization" else ())


def test_a_wrong_normalization_is_refused() -> None:
    """The file's normalization with another law of the agreement: right at p_c = 1/2 only."""
    text = (FAMILIES / "example-6-second-normalization.toml").read_text(encoding="utf-8")
    wrong = text.replace('agree = "p_c", differ = "1 - p_c"', 'agree = "1 - p_c", differ = "p_c"')
    (found,) = acceptable_family(family(wrong))
    assert found.verdict == "always"
    assert found.objections[0] is not None


def test_the_structure_is_a_normalization() -> None:
    """At any values: φ₀'s law and B's law are laws, and their product is the law of the worlds."""
    of = read_any(FAMILIES / "example-6-first-normalization.toml")
    assert isinstance(of, Family)
    at = Fraction(3, 4)
    for one in acceptable_family(of):
        assert one.structure is not None
        phi_0 = {name: f.at(at) for name, f in one.structure.phi_0.items()}
        phi_1 = {name: f.at(at) for name, f in one.structure.phi_1.items()}
        assert sum(phi_0.values()) == sum(phi_1.values()) == 1
        assert len(one.structure.worlds) == len(phi_0) * len(phi_1)
        model = of.at({"p_c": at})
        weights = {}
        for world in model.thetas[0].worlds():
            database = tuple(model.values[v].text for v in world.database)
            weights[database] = Fraction(world.weight, model.thetas[0].denominator)
        for name, (heard, value, database) in one.structure.worlds:
            assert phi_0[name] * phi_1[heard] == weights[database]
            assert name.split("#")[0] == value == database[one.record or 0]


@pytest.mark.sweep(2)
@given(families(), st.integers(0, 2))
@settings(max_examples=25, deadline=None)
def test_random_families(of: Family, start: int) -> None:
    assert agrees(of, members(of)[start::3])


def _second_given_first(chance: str, other: str, parameters: str, conditions: str = "[]") -> Family:
    """D(0) is a coin; D(1) is 1 with one chance where D(0) = 0, and with the other one where D(0) = 1."""
    return family(
        f"""
size = 2
values = [0, 1]
conditions = {conditions}
[parameters]
{parameters}
[[distribution]]
network = [
  {{ record = 0, table = {law("1/2")} }},
  {{ record = 1, given = [0], rows = [
    {{ when = [0], table = {law(chance)} }}, {{ when = [1], table = {law(other)} }} ] }},
]
[knowledge]
records = [0]
[sensitive]
records = [1]
[mechanism]
kind = "constant"
output = "c"
"""
    )


@pytest.mark.sweep(3)
@pytest.mark.parametrize("first", ["p", "1/2 + 0*p", "p^2"])
@pytest.mark.parametrize("second", ["p", "1 - p", "p^2 + 1/4", "2*p^2", "1/3", "p*(1 - p)"])
def test_one_parameter_with_roots(first: str, second: str) -> None:
    """D(1) given D(0) has one of two laws; there is a normalization where they are the same, or the same in reverse."""
    of = _second_given_first(first, second, 'p = { from = "0", to = "7/10" }')
    (found,) = acceptable_family(of)
    count = agrees(of, members(of, [*POINTS, Fraction(1, 7)]))
    assert count > 5
    if (first, second) == ("1/2 + 0*p", "2*p^2"):
        assert found.roots == (Fraction(1, 2),)
    if (first, second) == ("1/2 + 0*p", "p^2 + 1/4"):
        assert found.roots == (Fraction(1, 2),)
    if (first, second) == ("1/2 + 0*p", "p*(1 - p)"):
        assert (found.verdict, found.everywhere) == ("never", "never")
    if (first, second) == ("p", "2*p^2"):
        assert found.roots == (Fraction(1, 2),)


ENDS = {"p": ("1/4", "1/2", "3/4"), "1 - 2*p": ("1/9", "1/3", "4/9"), "p^2 + 1/4": ("1/4", "1/2", "3/4")}
"""Chances of D(1) = 1 given D(0) = 0, with ends of ranges; in the middle is where it is the chance given D(0) = 1."""


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chance", ENDS)
@pytest.mark.parametrize("lowest", [0, 1])
@pytest.mark.parametrize(("left", "right"), [("from", "to"), ("from", "below"), ("above", "to"), ("above", "below")])
def test_an_end_of_the_range_belongs_to_it_where_it_is_closed(chance: str, lowest: int, left: str, right: str) -> None:
    """The answer on [l, u] says of each end what the ordinary procedure says of that value alone."""
    low, high = ENDS[chance][lowest : lowest + 2]
    other = {"p": "1/2", "1 - 2*p": "p", "p^2 + 1/4": "p"}[chance]
    of = _second_given_first(chance, other, f'p = {{ {left} = "{low}", {right} = "{high}" }}')
    points = [Fraction(low), (Fraction(low) + Fraction(high)) / 2, Fraction(high)]
    assert agrees(of, members(of, points)) == 1 + (left == "from") + (right == "to")
    (found,) = acceptable_family(of)
    closed = (left == "from") if lowest else (right == "to")
    assert found.verdict == ("where" if closed else "never")
    assert found.roots == ((Fraction(ENDS[chance][1]),) if closed else None)


@pytest.mark.parametrize("condition", ["2*p >= 1", "1 <= 2*p", "2*p <= 1", "1 >= 2*p", "2*p > 1", "1 < 2*p"])
def test_an_end_that_is_a_condition_belongs_to_the_range(condition: str) -> None:
    of = _second_given_first("p", "1/2", 'p = { from = "0", to = "1" }', f'["{condition}"]')
    assert agrees(of, members(of, [Fraction(k, 4) for k in range(5)])) == 2 + ("=" in condition)
    (found,) = acceptable_family(of)
    assert found.verdict == ("where" if "=" in condition else "never")


@pytest.mark.parametrize(("order", "verdict"), [("<=", "where"), ("<", "never")])
def test_an_irrational_end_belongs_to_the_range_where_it_is_closed(order: str, verdict: str) -> None:
    of = _second_given_first("p^2", "1/2", 'p = { above = "0", below = "1" }', f'["p^2 {order} 1/2"]')
    (found,) = acceptable_family(of)
    assert found.verdict == verdict


def test_an_irrational_value_at_which_an_entry_is_1_is_named() -> None:
    """The support changes there, and no model with exact rational entries is that member."""
    of = _second_given_first("2*p^2", "1/2", 'p = { above = "0", below = "1" }', '["2*p^2 <= 1"]')
    (found,) = acceptable_family(of)
    assert [str(root) for root in found.roots or ()] == ["1/2"]
    assert [(face.where, face.model) for face in found.faces] == [("p = root of 2*x^2 - 1 in [7/10, 4/5]", None)]
    assert str(found).endswith("\n  where p = root of 2*x^2 - 1 in [7/10, 4/5]: not decided")
    always = acceptable_family(_second_given_first("2*p^2", "2*p^2", 'p = { above = "0" }', '["2*p^2 <= 1"]'))
    assert [(one.verdict, one.everywhere, one.exit_status) for one in always] == [("always", "", 1)]


def test_an_irrational_root() -> None:
    """Whether it is acceptable at an irrational value is decided, too: as a root of the equation."""
    of = _second_given_first("p^2", "1/2", 'p = { from = "1/10", to = "9/10" }')
    (found,) = acceptable_family(of)
    assert (found.verdict, found.equations, found.example) == ("where", ("1 - 2*p^2",), None)
    assert found.roots is not None
    assert [str(one) for one in found.roots] == ["root of 2*x^2 - 1 in [0.70, 0.71]"] or len(found.roots) == 1
    assert "elsewhere not" in str(found)


def test_families_without_inner_values_are_refused() -> None:
    of = family(
        f"""
size = 1
values = [0, 1]
[parameters]
p = {{ from = "1/3", to = "1/3" }}
[[distribution]]
iid = {law(LAWS[0])}
[mechanism]
kind = "identity"
"""
    )
    with pytest.raises(InputError, match="no inner value"):
        acceptable_family(of)
