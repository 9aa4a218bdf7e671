"""Families with one parameter: every symbolic answer equals the engine's at rational values of the parameter."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from families import Engines, agrees, family, values_of
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import InputError
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import read_any
from verifier.numbers import Function, epsilon, log_epsilon, polynomial_of
from verifier.questions.check import check
from verifier.questions.losses import loss
from verifier.wings.families.curves import largest
from verifier.wings.families.decide import decide_family
from verifier.wings.families.intervals import Interval
from verifier.wings.families.losses import family_losses
from verifier.wings.families.points import NOTHING, ONE, Line, ascending, between, bracket, order
from verifier.wings.families.subject import compare_family

HEAD = "size = {size}\nvalues = [0, 1]\n[parameters]\np = {{ {range} }}\n"
REFERENDUM = (
    HEAD.format(size=3, range='from = "0", to = "1"')
    + '[[distribution]]\niid = { 0 = "1 - p", 1 = "p" }\n[knowledge]\nrecords = [0]\n[sensitive]\nrecords = [2]\n'
    '[mechanism]\nkind = "threshold-count"\nvalue = 1\nabove = 1\n'
)
NOISY = (
    HEAD.format(size=2, range='above = "0", to = "1/2"')
    + "[[distribution]]\ntable = [ "
    + ", ".join(
        f'{{ database = [{a}, {b}], probability = "{"1/2 - p/2" if a == b else "p/2"}" }}'
        for a in (0, 1)
        for b in (0, 1)
    )
    + ' ]\n[mechanism]\nkind = "count"\nvalue = 1\nthen = [ { rows = [ '
    '{ input = "0", outputs = { a = "p", b = "1 - p" } }, { input = "1", outputs = { a = "1/2", b = "1/2" } }, '
    '{ input = "2", outputs = { a = "1 - p", b = "p^2", c = "p - p^2" } } ] } ]\n'
)
UNLIKE = (
    HEAD.format(size=2, range='from = "0", below = "1"')
    + '[[distribution]]\nindependent = [ { 0 = "1/(1 + p)", 1 = "p/(1 + p)" }, { 0 = "1/3", 1 = "2/3" } ]\n'
    '[mechanism]\nkind = "sum"\nthen = [ { rows = [ { input = "1", output = "one" } ], otherwise = "else" } ]\n'
)
TWO_THETAS = (
    HEAD.format(size=2, range='from = "1/10", to = "9/10"')
    + '[[distribution]]\nname = "x"\niid = { 0 = "1 - p", 1 = "p" }\n[[distribution]]\nname = "y"\n'
    'mixture = [ { weight = "p", iid = { 0 = "1/4", 1 = "3/4" } }, '
    '{ weight = "1 - p", iid = { 0 = "1/2", 1 = "1/2" } } ]\n'
    '[mechanism]\nkind = "identity"\nthen = []\n'
)
RESPONSE = (
    HEAD.format(size=2, range='above = "1"') + '[[distribution]]\niid = { 0 = "1/3", 1 = "2/3" }\n'
    '[mechanism]\nkind = "randomized-response"\nkeep = "(p - 1)/(p + 1)"\n'
)
CHAIN = (
    HEAD.format(size=2, range='from = "1/10", to = "9/10"')
    + '[[distribution]]\nchain = { start = { 0 = "p", 1 = "1 - p" }, step = { 0 = { 0 = "1 - p/2", 1 = "p/2" }, '
    '1 = "uniform" } }\n[mechanism]\nkind = "sum"\nthen = [ { kind = "geometric-noise", p = "1/2" } ]\n'
    '[policy]\nneighbours = "every-entry-by-one"\n'
)
COUNTS = (
    HEAD.format(size=2, range='from = "1/10", to = "9/10"')
    + '[[distribution]]\ncounts = { value = 1, table = { 0 = "p/2", 1 = "1 - p", 2 = "p/2" } }\n[[distribution]]\n'
    'counts = [ { histogram = [1, 1], probability = "p" }, { histogram = [2, 0], probability = "1 - p" } ]\n'
    '[mechanism]\nkind = "randomized-response"\nkeep = "p"\n[policy]\nneighbours = "one-direction"\n'
)
FAMILIES = {
    "referendum": REFERENDUM,
    "noisy": NOISY,
    "unlike": UNLIKE,
    "two": TWO_THETAS,
    "response": RESPONSE,
    "chain": CHAIN,
    "counts": COUNTS,
}
EPSILONS = (None, "0", "ln(2)", "1/2*ln(3)", "1/10", "inf")
DEFINITIONS = ("dp", "apkdp", "ppkdp", "cdp", "ibcdp", "tail-dp", "tail-apkdp", "tail-ppkdp", "tail-cdp")


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("definition", DEFINITIONS)
def test_the_engine_says_the_same_at_every_value(name: str, definition: str) -> None:
    members, compared, engines = family(FAMILIES[name]), 0, Engines()
    for asked in EPSILONS:
        for delta in ("0", "1/10"):
            if name == "response" and asked in {"1/10", "1/2*ln(3)"}:
                continue  # an irrational e^ε wants a range with two ends
            answer = decide_family(members, definition, epsilon=asked, delta=delta)
            compared += sum(agrees(answer, members, at, asked, engines) for at in values_of(answer))
            if answer.verdict == "fails":
                assert answer.witness is None or answer.witness[1].replayed
    assert compared > 10


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_random_tables(data: st.DataObject) -> None:
    """Two records, a law whose entries are affine or quadratic in p, and a random mechanism."""
    weights = data.draw(st.lists(st.integers(1, 4), min_size=4, max_size=4))
    bend = data.draw(st.sampled_from(["p", "p^2", "(1 - p)", "p*(1 - p)"]))
    rows = ", ".join(
        f'{{ database = [{k // 2}, {k % 2}], probability = "{w}*(1 - {bend})/{sum(weights)} + {bend}/4" }}'
        for k, w in enumerate(weights)
    )
    outputs = ", ".join(
        f'{{ database = [{k // 2}, {k % 2}], outputs = {{ x = "{a}/6", y = "1 - {a}/6" }} }}'
        for k, a in enumerate(data.draw(st.lists(st.integers(0, 6), min_size=4, max_size=4)))
    )
    text = (
        HEAD.format(size=2, range='from = "0", to = "1"')
        + f"[[distribution]]\ntable = [ {rows} ]\n[mechanism]\ntable = [ {outputs} ]\n"
    )
    members = family(text)
    definition = data.draw(st.sampled_from(DEFINITIONS))
    asked, delta = data.draw(st.sampled_from(EPSILONS)), data.draw(st.sampled_from(["0", "1/7"]))
    answer = decide_family(members, definition, epsilon=asked, delta=delta)
    assert sum(agrees(answer, members, at, asked) for at in values_of(answer)) > 3


def test_losses_are_those_of_the_engine() -> None:
    members = family(REFERENDUM)
    found = family_losses(members, 2, ("0", "1"))
    model = members.at({"p": Fraction(1, 7)})
    numeric = {
        (one.knowledge.text, row.output.text): row
        for one in loss(model, record=2, values=("0", "1")).knowledge
        for row in one.rows
    }
    assert len(found.rows) == len(numeric)
    for row in found.rows:
        other = numeric[row.knowledge, row.output]
        assert (row.p.at(Fraction(1, 7)), row.q.at(Fraction(1, 7))) == (other.probability_a, other.probability_b)
    with pytest.raises(InputError, match="Expected a record and two values"):
        family_losses(members, 0, ("7", "1"))


# --- values between two pieces, where what only P gives has exactly the probability δ: ε is finite there ----------


def shown(law: str) -> str:
    """D(0) = 0 gives an output with this probability that D(0) = 1 never gives."""
    return f"""
size = 1
values = [0, 1]
[parameters]
q = {{ from = "1/4", to = "3/4" }}
[[distribution]]
iid = {{ 0 = "1/2", 1 = "1/2" }}
[mechanism]
rows = [
  {{ database = [0], outputs = {{ a = "{law}", b = "1 - ({law})" }} }},
  {{ database = [1], outputs = {{ b = "1" }} }},
]
"""


@pytest.mark.parametrize(
    ("law", "holds"),
    [
        ("q", "1/4 <= q <= 1/2"),
        ("1 - q", "1/2 <= q <= 3/4"),
        ("1/2 + (q - 1/2)^2", "q = 1/2"),
        ("1/2 - (q - 1/2)^2", "1/4 <= q <= 3/4"),
    ],
)
def test_both_sides_and_the_point(law: str, holds: str) -> None:
    members = family(shown(law))
    answer = decide_family(members, "np", delta="1/2")
    assert answer.text("holds") == holds
    for k in range(3, 10):
        at = Fraction(k, 12)
        there = check(members.at({"q": at}), "np", delta="1/2")
        assert there.verdict == ("holds" if any(one.has(at) for one in answer.where["holds"]) else "fails")
        piece = next(one for one in answer.tight_epsilon or () if one.where.has(at))
        found = "inf" if piece.value is None else log_epsilon(piece.value.a.at(at))
        assert str(there.tight_epsilon) == str(found)


# --- the parts, against naive twins ---------------------------------------------------------------------------

POLYNOMIALS = st.lists(st.integers(-6, 6), min_size=1, max_size=4)


def _function(top: Sequence[int], bottom: Sequence[int] = (1,)) -> Function:
    return Function.reduced("p", polynomial_of(top), polynomial_of(bottom))


@settings(max_examples=60, deadline=None)
@given(a=POLYNOMIALS, b=POLYNOMIALS, asked=st.sampled_from(["1/10", "1/2*ln(3)", "2", "ln(3)", "2/3*ln(5/2)"]))
def test_between_roots_the_sign_is_constant(a: list[int], b: list[int], asked: str) -> None:
    line = Line.of(_function(a), _function(b), epsilon(asked))
    low, high = Fraction(-3), Fraction(3)
    roots = ascending(line.roots(low, high))
    assert all(line.sign(root) == 0 for root in roots)
    for x, y in pairwise([low, *roots, high]):
        sign = line.sign(between(x, y))
        (_, start), (end, _) = bracket(x, 40), bracket(y, 40)
        assert {line.sign(start + (end - start) * Fraction(k, 16)) for k in range(1, 16)} <= {sign}


@settings(max_examples=40, deadline=None)
@given(lines=st.lists(st.tuples(POLYNOMIALS, POLYNOMIALS), min_size=1, max_size=5))
def test_the_largest_is_the_largest(lines: list[tuple[list[int], list[int]]]) -> None:
    every = [Line.of(_function(a), _function(b), epsilon("ln(2)")) for a, b in lines]
    span = Fraction(0), Fraction(2)
    pieces = largest(every, span)
    assert (pieces[0].where.low, pieces[-1].where.high) == span
    assert all(one.where.high == other.where.low for one, other in pairwise(pieces))
    for piece in pieces:
        assert piece.value is not None
        at = between(piece.where.low, piece.where.high)
        assert piece.value.a.at(at) == max(one.a.at(at) for one in every)


def test_intervals() -> None:
    golden = Line(_function([-1, -1, 1]), NOTHING).roots(Fraction(0), Fraction(2))[0]
    one = Interval(Fraction(0), golden, high_closed=True)
    assert one.text("p") == "0 < p <= root of x^2 - x - 1 in [8/5, 17/10]"
    assert (one.has(golden), one.has(Fraction(0)), one.has(Fraction(8, 5)), one.has(Fraction(17, 10))) == (
        True,
        False,
        True,
        False,
    )
    assert Line(ONE, NOTHING).roots(None, None) == []


# --- what is no family ----------------------------------------------------------------------------------------

ONE_RECORD = (
    'size = 1\nvalues = [0, 1]\n{parameters}\n[[distribution]]\niid = {{ 0 = "{zero}", 1 = "{one}" }}\n[mechanism]\n'
    'kind = "sum"\nthen = [ {{ kind = "randomized-response", keep = "{keep}" }} ]\n'
)
GOOD = {"parameters": '[parameters]\np = { from = "0", to = "1" }', "zero": "1 - p", "one": "p", "keep": "3/4"}


def test_side_conditions_and_open_ends() -> None:
    text = ONE_RECORD.format(
        **(GOOD | {"parameters": 'conditions = ["p^2 <= 1/2"]\n[parameters]\np = { above = "0" }'})
    )
    answer = decide_family(family(text), "np", epsilon="ln(7)")
    assert answer.text("holds") == "0 < p <= root of 2*x^2 - 1 in [7/10, 4/5]" or answer.text("undecided")


def test_a_family_with_two_parameters_is_fixed_one_by_one() -> None:
    step = 'then = [ { rows = [ { input = "2", outputs = { two = "1 - q", x = "q" } } ], otherwise = "no" } ]\n'
    text = REFERENDUM.replace("[parameters]\n", '[parameters]\nq = { from = "0", to = "1 - p" }\n') + step
    members = family(text)
    with pytest.raises(InputError, match=r"free: q, p\. Expected one free parameter. Hint: fix all but one: p=1/7"):
        decide_family(members, "np", epsilon="ln(2)")
    fixed = members.fixed({"q": Fraction(1, 3)})
    assert fixed.names == ("p",)
    answer = decide_family(fixed, "np", epsilon="ln(2)", delta="1/2")
    assert all(one.high is not None and order(one.high, Fraction(2, 3)) <= 0 for one in answer.where["fails"])
    with pytest.raises(InputError, match=r"no value of the parameter meets all conditions"):
        decide_family(members.fixed({"q": Fraction(2)}), "np")
    with pytest.raises(InputError, match=r"q = -1 is out of range\. Expected q >= 0"):
        members.fixed({"q": Fraction(-1)})
    with pytest.raises(InputError, match="unknown"):
        members.fixed({"r": Fraction(2)})


def test_the_page() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "families.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


LIBRARY = sorted((models_folder() / "family").glob("*.toml"))


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_the_families_of_the_library_keep_their_promises(path: Path) -> None:
    members = read_any(path)
    assert isinstance(members, Family)
    assert members.expected
    assert [str(one) for one in compare_family(members) if not one.agrees] == []


def test_a_broken_promise_is_noticed() -> None:
    promised = '[[expect]]\ndefinition = "np"\nepsilon = "ln(2)"\nholds = "0 < p <= 1/3"\n'
    (found,) = compare_family(family(REFERENDUM + promised))
    assert not found.agrees
    assert "holds: promised 0 < p <= 1/3, found no p" in str(found)
    with pytest.raises(InputError, match="there is no answer"):
        family(REFERENDUM + '[[expect]]\ndefinition = "np"\n')
