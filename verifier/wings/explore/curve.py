"""The privacy profile for the page: every piece exactly, and the smallest δ at each of many ε in one answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from verifier.definitions import Verdict
from verifier.definitions.notions import is_tail
from verifier.errors import InputError, LimitError
from verifier.numbers import INFINITY, ZERO, Delta, Enclosure, Epsilon, Order, log_epsilon, simplest
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import Profile, Steps
from verifier.show.signs import NOT_TESTED
from verifier.wings.explore.asked import Asked, field_of, question_of
from verifier.wings.explore.desk import Opened, Question
from verifier.wings.explore.plots import placed
from verifier.wings.explore.texts import MARKS, exact

MOST_PIECES = 400
"""Pieces of a profile that are drawn."""
FEW_PIECES, LONG = 48, 512
"""Pieces of a profile whose numbers have more than so many bits."""
MOST_POINTS = 512
"""ε of one request."""
STEPS, FEW_STEPS = 80, 12
"""Steps of the ε that are offered where none are named; few where each is a problem of its own."""
Piece: TypeAlias = tuple[Epsilon, Fraction, Fraction]
WIDEST, NARROWEST = Fraction(10**6), Fraction(4)
"""Most and least e^ε at the right end of those."""


def whole(answer: Verdict) -> tuple[dict[str, Any] | None, str]:
    """The profile piece by piece: δ = constant + slope·e^ε from an ε on; or the reason why there is none."""
    if answer.verdict == "vacuous":
        return None, f"There is no curve. {NOT_TESTED}"
    if answer.tight_epsilon is None:
        return None, answer.reason or "there is no smallest ε"
    if not _drawn(answer):
        return None, "no whole curve is worked out for this definition here, only single points of it"
    number, kept = _pieces(answer.profile)
    pieces, bends = [], []
    for start, a, b in kept:
        delta = answer.delta_at(start) if start.exp is None else a - b * start.exp
        x = placed(start)
        pieces.append(
            {
                "from": start.text(60),
                "from_decimal": start.decimal(),
                "x": x,
                "constant": exact(a, "a")["a"],
                "slope": exact(-b, "b")["b"],
                "c": placed(a),
                "s": placed(-b),
            }
        )
        bends.append({**exact(start, "epsilon"), "x": x, **exact(delta, "delta"), "y": placed(delta)})
    last = placed(kept[-1][0]) or 0
    tight = placed(answer.tight_epsilon) or 0
    ends = [answer.delta_or_none(end) for end in (ZERO, INFINITY)]
    found: dict[str, Any] = {
        "widest": max(1, last + last / 8, tight + tight / 8),
        "segments": pieces,
        "breakpoints": bends,
        "pieces": number,
        "cut": len(kept) < number,
        **exact(ends[0], "delta_at_zero"),
        **exact(ends[1], "delta_at_inf"),
    }
    return found, ""


def _drawn(answer: Verdict) -> bool:
    """Whether the whole curve is worked out: not that of a tail of a sum, which can have very many long steps."""
    return answer.has_profile and not (is_tail(answer.definition) and answer.method != "table")


def _pieces(curve: Profile | Steps) -> tuple[int, list[Piece]]:
    """How many pieces the curve has, and all of them; or of very many, or very long ones, some, evenly."""
    if isinstance(curve, Steps):
        number = len(curve.values)
        starts = [Fraction(1), *curve.breakpoints]
        kept = _some(number, _most(max(one.denominator for one in curve.values)))
        return number, [(log_epsilon(starts[k]), curve.values[k], Fraction(0)) for k in kept]
    points, number = curve.points, len(curve.points)
    found = []
    for k in _some(number, _most(curve.denominator)):
        q, p = points[number - 1 - k]
        start = ZERO
        if k:  # the bend between this point and the next one
            q2, p2 = points[number - k]
            start = log_epsilon(Fraction(p2 - p, q2 - q))
        found.append((start, Fraction(p, curve.denominator), Fraction(q, curve.denominator)))
    return number, found


def _most(denominator: int) -> int:
    """How many pieces are shown of a curve with such a denominator."""
    return FEW_PIECES if denominator.bit_length() > LONG else MOST_PIECES


def _some(number: int, most: int) -> list[int]:
    """All positions, or so many of them, evenly, with the first and the last."""
    return list(range(number)) if number <= most else sorted({k * (number - 1) // (most - 1) for k in range(most)})


def points_of(opened: Opened, asked: Asked) -> dict[str, Any]:
    """The smallest δ and the verdict, exactly, at each of many ε."""
    question = question_of({**asked, "epsilon": None})
    answer = opened.decide(question)
    if answer.tight_epsilon is None:
        return {"verdict": answer.verdict, "reason": answer.reason, "points": [], "profile": None}
    profile, reason = whole(answer)
    listed = _asked(asked) if asked.get("epsilons") is not None else _offered(answer)
    points = [_point(answer, one, question) for one in listed]
    return {
        "verdict": answer.verdict,
        "reason": answer.reason,
        "points": points,
        "profile": profile,
        "profile_reason": reason,
    }


def _asked(asked: Asked) -> list[Epsilon]:
    given = asked.get("epsilons")
    if not isinstance(given, list):
        raise InputError("given no list", where=field_of("epsilons"), wanted='a list such as ["0", "ln(2)"]')
    if len(given) > MOST_POINTS:
        raise LimitError(f"given {len(given):,} ε", where=field_of("epsilons"), wanted=f"at most {MOST_POINTS}")
    return [read_epsilon(one, field_of("epsilons", "ε")) for one in given]


def _offered(answer: Verdict) -> list[Epsilon]:
    """Logarithms of short fractions, about evenly from 0 to beyond the last bend, and the bends themselves."""
    pieces = _pieces(answer.profile)[1] if _drawn(answer) else []
    bends = [start.exp for start, _, _ in pieces if start.exp is not None]
    top = min(WIDEST, max([NARROWEST, *(Fraction(5, 4) * one for one in bends)]))
    step = Fraction(log_epsilon(top).decimal()) / (STEPS if _drawn(answer) else FEW_STEPS)
    found = {Fraction(1), *(bend for bend in bends if bend <= top)}
    at = Fraction(1)
    while at < top:
        at = simplest(at * (1 + step * 3 / 4), at * (1 + step * 5 / 4))
        found.add(at)
    return [log_epsilon(one) for one in sorted(found)]


def _point(answer: Verdict, at: Epsilon, question: Question) -> dict[str, Any]:
    delta = answer.delta_or_none(at)
    place = None if delta is None else placed(delta)
    found = {**exact(at, "epsilon"), "x": placed(at), **exact(delta, "delta"), "y": place}
    if question.definition.decider is not None:  # it may ask for more than δ(ε) ≤ δ
        return {**found, "verdict": None, "mark": ""}
    verdict = answer.verdict if answer.verdict == "vacuous" else _verdict(delta, question.delta)
    return {**found, "verdict": verdict, "mark": MARKS[verdict]}


def _verdict(delta: Delta | Enclosure | None, bound: Fraction) -> str:
    """Whether (ε, bound) is enough."""
    if delta is None:
        return "undecided"
    words = {Order.LESS: "holds", Order.EQUAL: "holds", Order.GREATER: "fails"}
    return words.get(delta.order(bound), "undecided")
