"""The privacy profile for the page: every piece exactly, or the smallest δ at each of many ε."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from verifier.definitions import Verdict, find
from verifier.definitions.registry import is_tail
from verifier.errors import InputError, LimitError
from verifier.numbers import INFINITY, ZERO, Delta, Enclosure, Epsilon, Order, log_epsilon, simplest
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import Profile, Steps
from verifier.show.sheet import NOT_TESTED
from verifier.wings.explore.open_documents import OpenDocument, PageQuestion
from verifier.wings.explore.plots import axis_position
from verifier.wings.explore.request_fields import RequestFields, field_of, question_of
from verifier.wings.explore.texts import MARKS, exact, in_table

MOST_PIECES = 400
"""Largest number of pieces of a profile that are drawn."""
FEW_PIECES, LONG = 48, 512
"""Largest number of pieces of a profile whose numbers have more than `LONG` bits."""
MOST_POINTS = 512
"""Largest number of ε of one request."""
STEPS, FEW_STEPS = 80, 12
"""Number of ε that are offered where none are named; few where each ε needs its own solution."""
Piece: TypeAlias = tuple[Epsilon, Fraction, Fraction]
WIDEST, NARROWEST = Fraction(10**6), Fraction(4)
"""Largest and smallest e^ε at the right end of the offered ε."""


def curve_json(answer: Verdict) -> tuple[dict[str, Any] | None, str]:
    """The profile as JSON: pieces δ = constant + slope·e^ε from an ε on; or None, and the reason why there is none."""
    if answer.verdict == "vacuous":
        return None, f"There is no curve. {NOT_TESTED}"
    definition = find(answer.definition)
    if not definition.has_delta and definition.reads_policy:
        return None, "this definition has no δ, and so no curve δ(ε)"
    if answer.tight_epsilon is None:
        return None, answer.reason or "there is no smallest ε"
    if not _drawn(answer):
        return None, "no whole curve is worked out for this definition here, only single points of it"
    number, shown_pieces = _pieces(answer.profile)
    pieces, bends = [], []
    for start, a, b in shown_pieces:
        delta = answer.delta_at(start) if start.exp is None else a - b * start.exp
        x = axis_position(start)
        pieces.append(
            {
                "from": start.text(60),
                "from_decimal": start.decimal(),
                "x": x,
                "constant": exact(a, "a")["a"],
                "slope": exact(-b, "b")["b"],
                "c": axis_position(a),
                "s": axis_position(-b),
            }
        )
        bends.append({**in_table(start, "epsilon"), "x": x, **in_table(delta, "delta"), "y": axis_position(delta)})
    last = axis_position(shown_pieces[-1][0]) or 0
    tight = axis_position(answer.tight_epsilon) or 0
    ends = [answer.delta_or_none(end) for end in (ZERO, INFINITY)]
    curve_fields: dict[str, Any] = {
        "widest": max(1, last + last / 8, tight + tight / 8),
        "segments": pieces,
        "breakpoints": bends,
        "pieces": number,
        "cut": len(shown_pieces) < number,
        **exact(ends[0], "delta_at_zero"),
        **in_table(ends[1], "delta_at_inf"),
    }
    return curve_fields, ""


def _drawn(answer: Verdict) -> bool:
    """Whether the whole curve is computed: not for a tail of a sum, which can have very many long steps."""
    return answer.has_profile and not (is_tail(answer.definition) and answer.method != "table")


def _pieces(curve: Profile | Steps) -> tuple[int, list[Piece]]:
    """The number of pieces of a curve, and the pieces; an even selection where they are many or long."""
    if isinstance(curve, Steps):
        number = len(curve.values)
        starts = [Fraction(1), *curve.breakpoints]
        kept = _some(number, _most(max(value.denominator for value in curve.values)))
        return number, [(log_epsilon(starts[k]), curve.values[k], Fraction(0)) for k in kept]
    points, number = curve.points, len(curve.points)
    pieces = []
    for k in _some(number, _most(curve.denominator)):
        q, p = points[number - 1 - k]
        start = ZERO
        if k:  # the bend between this point and the next one
            q2, p2 = points[number - k]
            start = log_epsilon(Fraction(p2 - p, q2 - q))
        pieces.append((start, Fraction(p, curve.denominator), Fraction(q, curve.denominator)))
    return number, pieces


def _most(denominator: int) -> int:
    """The largest number of pieces to show of a curve with this denominator."""
    return FEW_PIECES if denominator.bit_length() > LONG else MOST_PIECES


def _some(number: int, most: int) -> list[int]:
    """All positions below `number`, or `most` of them, evenly spaced, with the first and the last."""
    return list(range(number)) if number <= most else sorted({k * (number - 1) // (most - 1) for k in range(most)})


def points_of(opened: OpenDocument, fields: RequestFields) -> dict[str, Any]:
    """The smallest δ and the verdict, exactly, at each of many ε."""
    question = question_of({**fields, "epsilon": None})
    answer = opened.decide(question)
    if answer.tight_epsilon is None:
        return {"verdict": answer.verdict, "reason": answer.reason, "points": [], "profile": None}
    profile, reason = curve_json(answer)
    listed = _named_epsilons(fields) if fields.get("epsilons") is not None else _offered(answer)
    points = [_point(answer, epsilon, question) for epsilon in listed]
    return {
        "verdict": answer.verdict,
        "reason": answer.reason,
        "points": points,
        "profile": profile,
        "profile_reason": reason,
    }


def _named_epsilons(fields: RequestFields) -> list[Epsilon]:
    epsilon_texts = fields.get("epsilons")
    if not isinstance(epsilon_texts, list):
        raise InputError("there is no list", where=field_of("epsilons"), wanted='a list such as ["0", "ln(2)"]')
    if len(epsilon_texts) > MOST_POINTS:
        raise LimitError(
            f"{len(epsilon_texts):,} ε are too many", where=field_of("epsilons"), wanted=f"at most {MOST_POINTS}"
        )
    return [read_epsilon(text, field_of("epsilons", "ε")) for text in epsilon_texts]


def _offered(answer: Verdict) -> list[Epsilon]:
    """Logarithms of short fractions, about evenly from 0 to beyond the last bend, and the bends themselves."""
    pieces = _pieces(answer.profile)[1] if _drawn(answer) else []
    bends = [start.exp for start, _, _ in pieces if start.exp is not None]
    top = min(WIDEST, max([NARROWEST, *(Fraction(5, 4) * bend for bend in bends)]))
    step = Fraction(log_epsilon(top).decimal()) / (STEPS if _drawn(answer) else FEW_STEPS)
    factors = {Fraction(1), *(bend for bend in bends if bend <= top)}
    at = Fraction(1)
    while at < top:
        at = simplest(at * (1 + step * 3 / 4), at * (1 + step * 5 / 4))
        factors.add(at)
    return [log_epsilon(factor) for factor in sorted(factors)]


def _point(answer: Verdict, at: Epsilon, question: PageQuestion) -> dict[str, Any]:
    delta = answer.delta_or_none(at)
    y = None if delta is None else axis_position(delta)
    point_fields = {**exact(at, "epsilon"), "x": axis_position(at), **exact(delta, "delta"), "y": y}
    if not question.definition.compares_named_laws:  # it may ask for more than δ(ε) ≤ δ
        return {**point_fields, "verdict": None, "mark": ""}
    verdict = answer.verdict if answer.verdict == "vacuous" else _verdict(delta, question.delta)
    return {**point_fields, "verdict": verdict, "mark": MARKS[verdict]}


def _verdict(delta: Delta | Enclosure | None, bound: Fraction) -> str:
    """The verdict on δ ≤ bound, where δ is the smallest one at ε."""
    if delta is None:
        return "undecided"
    words = {Order.LESS: "holds", Order.EQUAL: "holds", Order.GREATER: "fails"}
    return words.get(delta.order(bound), "undecided")
