"""Formulas of bijections: the reader, exact roots, and Proposition 6 on random models (DMKB20)."""

from __future__ import annotations

import operator
import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import table_of, weights

import verifier as pk
from verifier.questions.properties.bijection import Assignment, read_formula
from verifier.questions.properties.reducible import reducible
from verifier.questions.properties.roots import NoValueError, Radical, number_of
from verifier.tables import label

pytestmark = pytest.mark.quick


NAMES = {"O": Fraction(3, 2), "n": Fraction(5), "k": Fraction(2), "M1": Fraction(-1), "M2": Fraction(0)}
ROWS = [
    {"x": Fraction(1), "y": Fraction(2), "w": Fraction(-1, 2)},
    {"x": Fraction(3), "y": Fraction(3), "w": Fraction(4)},
]
Read = tuple[str, Any]
"""The text of an expression, and its value for a record (None outside), or None where it has none."""


@st.composite
def expressions(draw: st.DrawFn, depth: int = 4, *, inside: bool = False) -> Read:
    kind = draw(st.sampled_from(["number", "name", *(["+", "-", "*", "/", "^", "negative", "fold"] if depth else [])]))
    if kind == "fold" and inside:
        kind = "name"
    if kind == "number":
        text = draw(st.sampled_from(["0", "1", "2", "7", "0.5", "12.25"]))
        return text, lambda _: Fraction(text)
    if kind == "name":
        name = draw(st.sampled_from([*NAMES, *(["x", "y", "w"] if inside else [])]))
        return name, lambda row: NAMES[name] if name in NAMES else row[name]
    if kind == "fold":
        which = draw(st.sampled_from(["sum", "prod"]))
        text, value = draw(expressions(depth - 1, inside=True))

        def fold(_: Any) -> Fraction:
            total = Fraction(which == "prod")
            for row in ROWS:
                total = total * value(row) if which == "prod" else total + value(row)
            return total

        return f"{which}({text})", fold
    left, one = draw(expressions(depth - 1, inside=inside))
    if kind == "negative":
        return f"-({left})", lambda row: -one(row)
    if kind == "^":
        exponent = draw(st.integers(-2, 3))
        return f"({left})^{exponent}" if exponent >= 0 else f"({left})^(-{-exponent})", lambda row: power(
            one(row), exponent
        )
    right, other = draw(expressions(depth - 1, inside=inside))
    fold2: Any = getattr(operator, {"+": "add", "-": "sub", "*": "mul", "/": "truediv"}[kind])
    return f"({left}) {kind} ({right})", lambda row: fold2(one(row), other(row))


def power(base: Fraction, exponent: int) -> Fraction:
    if base == 0 and exponent == 0:
        raise ZeroDivisionError
    return base**exponent


SETTING = Assignment(
    lambda name: Radical.of(NAMES[name]), [lambda name, row=row: Radical.of(row[name]) for row in ROWS]  # type: ignore[misc]
)  # fmt: skip


@given(expressions())
@settings(max_examples=100)
def test_rational_formulas_have_their_value(expression: Read) -> None:
    text, value = expression
    try:
        wanted = value(None)
    except ZeroDivisionError:
        with pytest.raises(NoValueError):
            read_formula(text).at(SETTING)
        return
    assert read_formula(text).at(SETTING).rational == wanted


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", "-4"),
        ("2^-1", "1/2"),
        ("2^3^2", "512"),
        ("8/2/2", "2"),
        ("1 - 2 - 3", "-4"),
        ("sqrt(8)*sqrt(2)", "4"),
        ("sqrt(8) + sqrt(2)", "sqrt(18)"),
        ("sqrt(2) - sqrt(2)", "0"),
        ("4^(1/4)", "sqrt(2)"),
        ("(8/27)^(1/3)", "2/3"),
        ("sum(x^2)/n", "2"),
        ("prod(y)/prod(x)", "2"),
        ("sqrt(sum(x*x))", "sqrt(10)"),
        ("-sqrt(2)", "-sqrt(2)"),
        ("(-8)^3", "-512"),
    ],
)
def test_precedence_and_roots(text: str, value: str) -> None:
    assert str(read_formula(text).at(SETTING)) == value


@pytest.mark.parametrize("text", ["1/0", "sqrt(-1)", "sqrt(2) + sqrt(3)", "2^sqrt(2)", "0^0", "(-8)^(1/3)", "9^(9^9)"])
def test_no_value(text: str) -> None:
    with pytest.raises(NoValueError):
        read_formula(text).at(SETTING)


@given(st.fractions(min_value="1/9", max_value=40, max_denominator=9), st.integers(1, 5), st.integers(1, 5))
def test_roots_are_canonical(value: Fraction, degree: int, power_: int) -> None:
    root = Radical.of(value).power(Fraction(1, degree))
    assert root.power(Fraction(degree)) == Radical.of(value)
    assert Radical.of(value**power_).power(Fraction(1, degree * power_)) == root
    assert number_of(label(str(root))) == root


# --- Proposition 6 ----------------------------------------------------------------------------------------

RIGHT: list[tuple[dict[str, Any], str]] = [
    ({"kind": "count", "value": 1}, "O - M1 + M2"),
    ({"kind": "sum"}, "O - M1 + M2"),
    ({"kind": "sum"}, "O + sum(w*(y - x))"),
    ({"kind": "linear"}, "O + sum(w*(y - x))"),
    ({"kind": "mean"}, "O + sum(y - x)/n"),
    ({"kind": "geometric-mean"}, "(O^n * prod(y)/prod(x))^(1/n)"),
    ({"kind": "harmonic-mean"}, "n*((O/n)^(-1) + sum(1/y - 1/x))^(-1)"),
    ({"kind": "quadratic-mean"}, "sqrt((n*O^2 + sum(y^2 - x^2))/n)"),
    ({"kind": "quadratic-mean"}, "sqrt(O^2 + sum((y^2 - x^2)/n))"),
]


@st.composite
def independent(draw: st.DrawFn, kind: dict[str, Any]) -> pk.Model:
    """Independent positive records, some known, another one protected."""
    values: list[Any] = draw(st.sampled_from([[1, 2], [1, 2, 3], [1, "1/2"]]))
    size = draw(st.sampled_from([2, 3])) if len(values) == 2 else 2
    laws = [draw(weights(len(values))) for _ in range(size)]
    target = draw(st.integers(0, size - 1))
    known = draw(st.lists(st.sampled_from([i for i in range(size) if i != target]), unique=True, min_size=1))
    if kind["kind"] == "linear":
        kind = {**kind, "weights": [draw(st.sampled_from([0, 1, 2, -1, "1/2"])) for _ in range(size)]}
    return pk.build(
        size=size,
        values=values,
        distribution={"independent": [table_of(values, law) for law in laws]},
        knowledge={"records": known},
        sensitive={"records": [target]},
        mechanism=kind,
    )


@pytest.mark.parametrize(("kind", "formula"), RIGHT, ids=range(len(RIGHT)))
@given(data=st.data())
@settings(max_examples=12)
def test_proposition_6(kind: dict[str, Any], formula: str, data: st.DataObject) -> None:
    model = data.draw(independent(kind))
    assert reducible(model).verdict in {"holds", "vacuous"}
    assert pk.check_bijection(model, formula).verdict == reducible(model).verdict


MEANS = {
    "size": 2,
    "values": [1, 2],
    "distribution": {"iid": {1: "1/2", 2: "1/2"}},
    "knowledge": {"records": [0]},
    "sensitive": {"records": [1]},
}


def test_the_quadratic_mean_as_printed_is_wrong() -> None:
    """By hand: O = 1 under (1, 1) goes to sqrt((4 + 1)/2); as printed to sqrt(2·1 + (4 - 1)/2) = sqrt(7/2)."""
    model = pk.build(**MEANS, mechanism={"kind": "quadratic-mean"})
    found = pk.check_bijection(model, "sqrt(n*O^2 + sum((y^2 - x^2)/n))")
    assert found.verdict == "fails"
    assert (found.evidence["output"], found.evidence["image"]) == (1, "sqrt(7/2)")
    outputs = {known: {(known**2 + other**2, 2) for other in (1, 2)} for known in (1, 2)}
    assert outputs == {1: {(2, 2), (5, 2)}, 2: {(5, 2), (8, 2)}}
    printed = {2 * Fraction(*o) + Fraction(4 - 1, 2) for o in outputs[1]}
    assert printed == {Fraction(7, 2), Fraction(13, 2)}
    assert not printed & {Fraction(*o) for o in outputs[2]}


@pytest.mark.parametrize(
    ("kind", "formula", "reason"),
    [
        ("sum", "O", "which is impossible given B₂|the probabilities"),
        ("sum", "2", "φ\\(3\\) = φ\\(2\\) = 2|impossible"),
        ("sum", "1/(O - 2)", "has no value"),
        ("sum", "O + x", "given"),
    ],
)
def test_a_wrong_formula_says_where(kind: str, formula: str, reason: str) -> None:
    model = pk.build(**MEANS, mechanism={"kind": kind})
    if reason == "given":
        with pytest.raises(pk.InputError, match="inside of sum"):
            pk.check_bijection(model, formula)
        return
    found = pk.check_bijection(model, formula)
    assert found.verdict == "fails"
    assert re.search(reason, str(found.reason))


def test_a_known_record_cannot_be_the_target() -> None:
    """Proposition 6 does not say that i is unknown: B = [1] excludes D(0) = 2."""
    model = pk.build(**{**MEANS, "sensitive": {"records": [0]}}, mechanism={"kind": "sum"})
    assert reducible(model).verdict == "fails"
    assert reducible(model, reading="ignore-impossible").verdict == "holds"


def test_every_permutation_of_a_small_model_agrees() -> None:
    """A formula holds iff the map that it makes is one of the bijections that Definition 14 allows."""
    model = pk.build(**MEANS, mechanism={"kind": "sum"})
    for shift, sign in product(range(-3, 4), (1, -1)):
        formula = f"{shift} + {sign}*O" if sign > 0 else f"{shift} - O"
        right = all(
            {shift + sign * (known + other): other for other in (1, 2)} == {known2 + other: other for other in (1, 2)}
            for known, known2 in ((1, 2), (2, 1))
        )
        assert (pk.check_bijection(model, formula).verdict == "holds") == right
    assert pk.check_bijection(model, "O + sum(y - x)").verdict == "holds"


def test_other_knowledge_and_noise_are_unsupported() -> None:
    noisy = pk.build(
        **MEANS, mechanism={"kind": "count", "value": 1, "then": [{"kind": "geometric-noise", "p": "1/2"}]}
    )
    assert pk.check_bijection(noisy, "O").verdict == "unsupported"
    other = pk.build(**{**MEANS, "knowledge": {"kind": "parity", "value": 1}}, mechanism={"kind": "sum"})
    assert pk.check_bijection(other, "O").verdict == "unsupported"
