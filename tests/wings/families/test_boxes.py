"""Boxes by their corners: no point inside is worse; the other ways to decide families agree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from families import MIXED, family, law
from hypothesis import given, settings
from hypothesis import strategies as st

import verifier as pk
from verifier.errors import LimitError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import Delta
from verifier.wings.families.boxes import corners, decide_box

DEFINITIONS = ["np", "apkdp", "ppkdp", "cdp"]
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


@given(boxes(), st.sampled_from(DEFINITIONS), st.sampled_from(["0", "ln(2)", "1/2*ln(3)", "1/3"]), st.data())
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
    for definition in DEFINITIONS:
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
