"""Values between two pieces at which what only P gives has exactly the probability δ: ε is finite there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from families import family

import verifier as pk
from verifier.wings.families.decide import decide_family


def coin(law: str) -> str:
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
    members = family(coin(law))
    answer = decide_family(members, "np", delta="1/2")
    assert answer.text("holds") == holds
    for k in range(3, 10):
        at = Fraction(k, 12)
        there = pk.check(members.at({"q": at}), "np", delta="1/2")
        assert there.verdict == ("holds" if any(one.has(at) for one in answer.where["holds"]) else "fails")
        piece = next(one for one in answer.tight_epsilon or () if one.where.has(at))
        found = "inf" if piece.value is None else pk.numbers.log_epsilon(piece.value.a.at(at))
        assert str(there.tight_epsilon) == str(found)
