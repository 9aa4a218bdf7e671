"""Families with several parameters against the engine at rational values; errors that are planted; limits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from families import MIXED, WIDE, coin, families, family, law, members
from hypothesis import given, settings
from hypothesis import strategies as st

import verifier as pk
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import Delta, Function, epsilon
from verifier.wings.families.boxes import corners, decide_box
from verifier.wings.families.region import Clock, Inequality, Region
from verifier.wings.families.several import decide_several
from verifier.wings.families.sheets import several_sheet

DEFINITIONS = ["dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp"]
HALF = Fraction(1, 2)


@pytest.mark.sweep(2)
@given(
    families(),
    st.sampled_from(DEFINITIONS),
    st.sampled_from(["ln(2)", "1/2*ln(3)", "1/5", "inf", "ln(1 + p)", None]),
    st.integers(0, 10),
)
@settings(max_examples=25, deadline=None)
def test_answers_for_all_values_against_many_values(
    of: Family, definition: str, asked: str | None, tenths: int
) -> None:
    delta = Fraction(tenths, 10)
    answer = decide_several(of, definition, epsilon=asked, delta=delta)
    assert answer.verdict in {"holds", "fails", "vacuous"}, answer
    if answer.witness is not None:
        assert answer.witness[1].replayed
        assert answer.witness[1].verdict == "fails"
        of.refuse(answer.witness[0])
    for values in members(of)[::5]:
        here = f"ln({1 + values['p']})" if asked == "ln(1 + p)" else asked
        there = pk.check(of.at(values), definition, epsilon=here, delta=delta, replay=False)
        if answer.verdict == "vacuous":
            assert there.verdict == "vacuous"
        if answer.verdict == "holds":
            assert there.verdict in {"holds", "vacuous"}, values
    assert (answer.witness is not None) == (answer.verdict == "fails")


@pytest.mark.parametrize(
    ("asked", "low", "high"),
    [("ln(2)", 2, 2), ("1/2*ln(2)", "e", "e"), ("1/10", "e", "e"), ("2/3*ln(5/4)", "e", "e"), ("0", 1, 1)],
)
@pytest.mark.parametrize("definition", ["np", "ppkdp", "dp"])
def test_both_sides_of_the_largest_delta(asked: str, low: object, high: object, definition: str) -> None:
    """The coin needs 3/4 - e^ε/4 at k = 3/4, for every kind of e^ε: a little less fails, a little more holds."""
    first, last = epsilon(asked).exp_bracket(30)
    small = Fraction(1, 1 << 16)
    below, above = (3 - last) / 4 - small, (3 - first) / 4 + small
    failing = decide_several(coin(), definition, epsilon=asked, delta=below)
    assert failing.verdict == "fails"
    assert failing.witness is not None
    assert failing.witness[0]["k"] > Fraction(3, 4) - small
    assert decide_several(coin(), definition, epsilon=asked, delta=above).verdict == "holds"
    if low == high and low != "e":
        exactly = Fraction(3, 4) - Fraction(str(low)) / 4
        assert decide_several(coin(), definition, epsilon=asked, delta=exactly).verdict == "holds"


def test_epsilon_as_a_function() -> None:
    assert decide_several(coin(), "np", epsilon="ln(k/(1 - k))").verdict == "holds"
    assert decide_several(coin(), "np", epsilon="ln(k/(1 - k)*(1 + q))").verdict == "holds"
    failing = decide_several(coin(), "np", epsilon="ln((1 + k)/(3/2))")
    assert failing.verdict == "fails"
    with pytest.raises(InputError, match="negative"):
        decide_several(coin(), "np", epsilon="ln(k)")
    with pytest.raises(InputError, match="not defined"):
        decide_several(coin(), "np", epsilon="ln(1/(q - 1/2))")
    with pytest.raises(InputError, match=r"the name .* is unknown"):
        decide_several(coin(), "np", epsilon="ln(r)")


@given(
    families(ranges=WIDE),
    st.sampled_from([*DEFINITIONS, "tail-apkdp", "tail-ppkdp", "tail-cdp"]),
    st.sampled_from(["0", "ln(2)", "ln(3/2)", "ln(8)"]),
)
@settings(max_examples=12, deadline=None)
def test_what_holds_inside_holds_on_the_faces(of: Family, definition: str, asked: str) -> None:
    """At finite ε nothing is asked on faces: the largest δ that the engine finds there is needed around it, too."""
    faces = [values for values in members(of) if {*values.values()} & {Fraction(0), Fraction(1)}]
    assert faces
    needs = []
    for values in faces[::3]:
        there = pk.check(of.at(values), definition, epsilon=asked, replay=False).tight_delta
        assert isinstance(there, Delta)
        needs.append(there.rational or Fraction(0))
    less = max(needs) - Fraction(1, 1000)
    if less >= 0:
        answer = decide_several(of, definition, epsilon=asked, delta=less, seconds=30)
        assert answer.verdict == "fails"


@given(
    families(ranges=WIDE), st.sampled_from(["np", "ppkdp", "cdp"]), st.sampled_from(["inf", None]), st.integers(0, 9)
)
@settings(max_examples=8, deadline=None)
def test_faces_count_where_no_factor_is_finite(of: Family, definition: str, asked: str | None, tenths: int) -> None:
    delta = Fraction(tenths, 10)
    answer = decide_several(of, definition, epsilon=asked, delta=delta, seconds=30)
    for values in members(of)[::6]:
        there = pk.check(of.at(values), definition, epsilon=asked, delta=delta, replay=False)
        if answer.verdict in {"holds", "vacuous"}:
            assert there.verdict in {"holds", "vacuous"}, values
    if answer.witness is not None:
        of.refuse(answer.witness[0])
        assert answer.witness[1].verdict == "fails"


def test_faces() -> None:
    """Where k = 1 an output is lost: no finite ε is enough there, and at ε = ∞ all of it counts."""
    closed, open_ = coin(high="1"), coin(high="1", ends="from below")
    for asked in (None, "inf"):
        failing = decide_several(closed, "np", epsilon=asked, delta=HALF)
        assert failing.verdict == "fails"
        assert failing.witness is not None
        assert failing.witness[0]["k"] == 1
        assert decide_several(open_, "np", epsilon=asked).verdict == "holds"
        assert decide_several(closed, "np", epsilon=asked, delta=1).verdict == "holds"
    assert decide_several(closed, "np", epsilon="ln(2)", delta=1).verdict == "holds"


def test_faces_that_fix_no_parameter_are_named() -> None:
    text = f"""
size = 1
values = [0, 1]
[parameters]
p = {{ from = "0", to = "3/5" }}
q = {{ from = "1/4", to = "2/5" }}
[[distribution]]
iid = {law("1/3")}
[mechanism]
rows = [
  {{ database = [0], outputs = {{ a = "p + q", b = "1 - p - q" }} }},
  {{ database = [1], outputs = {{ a = "1/2", b = "1/2" }} }},
]
"""
    answer = decide_several(family(text), "np", delta="1/2")
    assert (answer.verdict, answer.exit_status) == ("undecided", 3)
    assert "p + q" in answer.reason
    failing = decide_several(family(text), "np")  # a point of the face is tried
    assert failing.witness is not None
    assert failing.witness[0] == {"p": Fraction(3, 5), "q": Fraction(2, 5)}
    assert decide_several(family(text), "np", epsilon="ln(2)", delta=1).verdict == "holds"


def test_conditions() -> None:
    text = '["k <= q"]'
    assert decide_several(coin(conditions=text), "np", epsilon="ln(3)").verdict == "holds"
    curved = coin(conditions='["k*q <= 3/8"]')
    undecided = decide_several(curved, "np", epsilon="ln(3)")
    assert (undecided.verdict, "not linear" in undecided.reason) == ("undecided", True)
    assert decide_several(curved, "np", epsilon="ln(2)").verdict == "fails"
    with pytest.raises(InputError, match="no value"):
        decide_several(coin(conditions='["k <= q - 1"]'), "np", epsilon="ln(3)")
    flat = decide_several(coin(conditions='["k <= q", "q <= k"]'), "np", epsilon="ln(3)")
    assert (flat.verdict, "inner point" in flat.reason) == ("undecided", True)


def test_limits() -> None:
    answer = decide_several(coin(), "np", epsilon="ln(3)", seconds=0)
    assert (answer.verdict, answer.exit_status) == ("undecided", 3)
    assert "time limit" in answer.reason
    many = "".join(f'[[distribution]]\nname = "{k}"\niid = {law("p*q")}\n' for k in range(1))
    text = f"""
size = 30
values = [0, 1]
[parameters]
p = {{ from = "1/8", to = "3/4" }}
q = {{ from = "1/8", to = "3/4" }}
{many}
[mechanism]
kind = "count"
value = 1
"""
    with pytest.raises(LimitError, match="has 1,073,741,824 worlds"):
        decide_several(family(text), "np", epsilon="ln(2)")
    assert decide_several(coin(), "ddp", epsilon="ln(2)").verdict == "unsupported"


def test_regions() -> None:
    region = Region(coin(), Clock(60))
    k, one = Function.parameters(("k", "q"))[0].top, region.constant_one.top
    assert region.sign(k) == 1
    assert region.sign(k - one) == -1
    assert region.sign(k * 3 - one * 2) == 0
    assert region.find([Inequality(k - one, ">")], region.domain).answer == "none"
    assert region.find([Inequality(k * 3 - one * 2, "=")], region.domain).at[0] == Fraction(2, 3)
    irrational = region.find([Inequality(k * k * 3 - one, "=")], region.domain)
    assert (irrational.answer, "no rational point" in irrational.near) == ("unknown", True)
    a, b = region.simpler(k * k * (k - one) * (3 * k - 2 * one))
    assert (str(a), b) == (str((3 * k - 2 * one) * -1 / 3), None) or str(a) == str(-(3 * k - 2 * one))


def test_the_table_says_how_often_z3_was_asked() -> None:
    """Some questions have an answer, such as that for an inner point: only those about a failure have none."""
    of = coin(low="1/2", high="3/4")
    answer = decide_several(of, "np", epsilon="ln(3)")
    assert answer.verdict == "holds"
    assert answer.queries > 1
    said = several_sheet(of, [answer]).rows[0][-1]
    assert said == f"z3 proves that it fails at no values ({answer.queries} questions)"


# --- boxes by their corners ------------------------------------------------------------------------------------------


AT_CORNERS = ["np", "apkdp", "ppkdp", "cdp"]
MECHANISMS = [
    'kind = "count"\nvalue = 1',
    'kind = "threshold-count"\nvalue = 1\nabove = 1',
    'kind = "parity"\nvalue = 1',
    'kind = "linear"\nweights = [1, 2, 1]',
]
MECHANISMS.append(f'kind = "count"\nvalue = 1\nthen = [{MIXED.replace("1 - q", "2/3").replace("q", "1/3")}]')


def box(ends: list[tuple[str, str]], known: list[int], mechanism: str, laws: list[str] | None = None) -> Family:
    """Independent records, each with its own parameter."""
    names = [f"p_{k}" for k in range(len(ends))]
    ranges = "\n".join(f'{x} = {{ from = "{low}", to = "{high}" }}' for x, (low, high) in zip(names, ends, strict=True))
    shown = laws or names
    return family(
        f"""
size = {len(shown)}
values = [0, 1]
[parameters]
{ranges}
[[distribution]]
independent = [{", ".join(map(law, shown))}]
[knowledge]
records = {known}
[mechanism]
{mechanism}
"""
    )


@st.composite
def boxes(draw: st.DrawFn) -> Family:
    """Three records; some ends make an entry 0, some laws are affine in another way."""
    every = [("1/10", "9/10"), ("0", "1/2"), ("0", "1"), ("1/3", "1"), ("1/4", "1/2")]
    ends = [draw(st.sampled_from(every)) for _ in range(3)]
    laws = [draw(st.sampled_from([f"p_{k}", f"1 - p_{k}", f"(1 + p_{k})/3"])) for k in range(3)]
    known = draw(st.sampled_from([[], [0], [1], [0, 2]]))
    return box(ends, known, draw(st.sampled_from(MECHANISMS)), laws)


@given(boxes(), st.sampled_from(AT_CORNERS), st.sampled_from(["0", "ln(2)", "1/2*ln(3)", "1/3"]), st.data())
@settings(max_examples=40, deadline=None)
def test_no_point_of_the_box_is_worse(of: Family, definition: str, asked: str, data: st.DataObject) -> None:
    found = decide_box(of, definition, epsilon=asked, delta="1/2")
    assert found.answer is not None
    assert found.answer.replayed
    of.refuse(found.worst)
    whole = (
        Delta.of(Fraction(0), Fraction(0), pk.numbers.epsilon(asked))
        if found.verdict == "vacuous"
        else found.tight_delta
    )
    assert whole is not None
    for _ in range(6):
        values = {}
        for one in of.parameters:
            assert one.low is not None
            assert one.high is not None
            low, high = one.low.at({}), one.high.at({})
            values[one.name] = low + (high - low) * Fraction(data.draw(st.integers(0, 12)), 12)
        there = pk.check(of.at(values), definition, epsilon=asked, delta="1/2", replay=False)
        if found.verdict != "fails":
            assert there.verdict in {"holds", "vacuous"}
        assert isinstance(there.tight_delta, Delta)
        assert not whole < there.tight_delta, values
        if found.tight_epsilon is not None and there.tight_epsilon is not None:
            assert not found.tight_epsilon < there.tight_epsilon


def test_a_corner_where_what_is_compared_is_not_possible() -> None:
    """At both ends of [0, 1] a record is certain, so that only the middle compares its values."""
    of = box([("0", "1")], [], 'kind = "identity"')
    found = decide_box(of, "np", epsilon="ln(2)", delta="1/2")
    assert (found.verdict, found.worst["p_0"]) == ("fails", Fraction(1, 2))
    assert found.tight_delta == 1


def test_equal_records_need_fewer_corners() -> None:
    """The same answers with every corner of records that the engine cannot tell apart, and with one order of each."""
    ends = [("1/10", "9/10")] * 4
    alike = box(ends, [0, 1], MECHANISMS[1])
    apart = box(ends, [0, 1], 'kind = "linear"\nweights = [1, 2, 4, 8]')
    assert len(list(corners(alike))) == 9
    assert len(list(corners(apart))) == 16
    for definition in AT_CORNERS:
        found = decide_box(alike, definition, epsilon="ln(2)", delta="1/2")
        deltas = []
        for number in range(16):
            values = {f"p_{k}": Fraction(9 if number >> k & 1 else 1, 10) for k in range(4)}
            deltas.append(pk.check(alike.at(values), definition, epsilon="ln(2)", replay=False).tight_delta)
        assert found.tight_delta == max(deltas)  # type: ignore[type-var]


def test_what_is_refused() -> None:
    count = MECHANISMS[0]
    fine = box([("1/4", "1/2")] * 2, [], count)
    assert decide_box(fine, "np", epsilon="ln(2)", delta=1).verdict == "holds"
    for of, message in (
        (box([("1/4", "1/2")], [], count, ["p_0", "p_0"]), "two records"),
        (box([("1/4", "1/2")], [], count, ["p_0^2", "1/2"]), "affine"),
        (box([("1/4", "1/2")], [], count, ["p_0/(1 + p_0)", "1/2"]), "affine"),
    ):
        with pytest.raises(UnsupportedError, match=message):
            decide_box(of, "np", epsilon="ln(2)")
    with pytest.raises(UnsupportedError, match="corners"):
        decide_box(fine, "ibcdp", epsilon="ln(2)")
    with pytest.raises(UnsupportedError, match="finite"):
        decide_box(fine, "np")
    weights = ", ".join(str(3**k) for k in range(13))
    wide = box([("1/4", "1/2")] * 13, [], f'kind = "linear"\nweights = [{weights}]')
    with pytest.raises(LimitError, match="corners"):
        decide_box(wide, "np", epsilon="ln(2)")
