"""Which of two mechanisms is the more private one by a definition: by the whole curve δ(ε), or by the smallest ε.

Curves of δ in e^ε are straight between places, or constant (`Steps`, tails). The order is that of all ε ≥ 0; they cross
where they meet, having been apart, or part.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from verifier.definitions import Verdict, find
from verifier.definitions.answer import Valued
from verifier.numbers import Epsilon, Order, log_epsilon
from verifier.numbers.reals import order as compare
from verifier.profile import Profile, Steps
from verifier.wings.claim.amounts import real

EQUAL, FIRST, SECOND, INCOMPARABLE = "equal", "first", "second", "incomparable"
UNDECIDED, UNSUPPORTED, VACUOUS = "undecided", "unsupported", "vacuous"
CURVE, NUMBER, CLOSURE = "curve", "number", "closure"
"""By what two mechanisms are ordered: δ(ε), one number, or that a definition is closed under post-processing."""
Curve = Profile | Steps


@dataclass(frozen=True)
class Ordered(Valued):
    """Two mechanisms by one definition: `first` where the first is the more private one for all ε ≥ 0, and so on.

    `crossings` are the ε > 0 at which the curves meet, having been apart, or part.
    """

    definition: str
    order: str
    crossings: tuple[Epsilon, ...] = ()
    reason: str = ""
    tight_epsilon: tuple[Any, Any] = (None, None)
    """The smallest ε at δ = 0 of both."""
    curves: tuple[Curve, Curve] | None = field(default=None, repr=False)
    by: str = NUMBER

    def fields(self) -> dict[str, Any]:
        """The order in JSON."""
        return {
            "order": self.order,
            "crossings": self.crossings,
            "tight_epsilon": self.tight_epsilon,
            "by": self.by,
            "reason": self.reason or None,
        }


def ordered(first: Verdict, second: Verdict) -> Ordered:
    """Order two answers of one definition, about the two mechanisms."""
    key, answers = first.definition, (first, second)
    numbers = first.tight_epsilon, second.tight_epsilon
    for word in (UNSUPPORTED, UNDECIDED, VACUOUS):
        found = [one.reason for one in answers if one.verdict == word]
        if found:
            return Ordered(key, word, reason=found[0] or "", tight_epsilon=numbers)
    if any(number is None for number in numbers):
        return Ordered(key, UNSUPPORTED, reason="it holds or not, and has no ε")
    if all(one.has_profile for one in answers):
        curves = first.profile, second.profile
        word, crossings = by_curves(*curves)
        return Ordered(key, word, crossings, tight_epsilon=numbers, curves=curves, by=CURVE)
    if not find(key).has_delta:
        return Ordered(key, by_numbers(*numbers), tight_epsilon=numbers)
    reason = "only the smallest ε is known, and not the whole curve δ(ε)"
    return Ordered(key, UNDECIDED, reason=reason, tight_epsilon=numbers)


def by_numbers(first: Any, second: Any) -> str:
    """The order of two smallest ε."""
    return {Order.EQUAL: EQUAL, Order.LESS: FIRST, Order.GREATER: SECOND}.get(
        compare(real(first), real(second)), UNDECIDED
    )


def by_curves(first: Curve, second: Curve) -> tuple[str, tuple[Epsilon, ...]]:
    """The order of two curves, and where they cross.

    >>> from verifier.profile import profile_of
    >>> by_curves(profile_of([2, 1], [1, 2]), profile_of(["1/6", 0, "5/6"], [0, "1/6", "5/6"]))
    ('incomparable', (<Epsilon ln(3/2)>,))
    """
    if isinstance(first, Profile) and isinstance(second, Profile):
        below, above = first <= second, second <= first
        crossings = first.crossings(second)
    else:
        places, signs = _signs(first, second)
        below, above = max(signs) <= 0, min(signs) >= 0
        crossings = tuple(log_epsilon(e) for e, (x, y) in zip(places[1:], pairwise(signs), strict=True) if x != y)
    return {(True, True): EQUAL, (True, False): FIRST, (False, True): SECOND}.get(
        (below, above), INCOMPARABLE
    ), crossings


def _signs(first: Any, second: Any) -> tuple[Sequence[Fraction], list[int]]:
    """Where tails of a loss step, from ε = 0 on, and the sign of the first minus the second from there on."""
    places = sorted({Fraction(1), *first.breakpoints, *second.breakpoints})
    gaps = [_height(first, e) - _height(second, e) for e in places]
    return places, [(gap > 0) - (gap < 0) for gap in gaps]


def _height(curve: Steps, e: Fraction) -> Fraction:
    return curve.values[bisect_right(curve.breakpoints, e)]
