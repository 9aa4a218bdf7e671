"""How much a claim says: a number such as `ln(3)^2/2`, a curve δ(ε) in pieces, a trade-off curve; and comparisons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from verifier.definitions.measures.conditions import value_at
from verifier.errors import InexactError, InputError
from verifier.model import arguments
from verifier.numbers import (
    INFINITY,
    ZERO,
    Delta,
    Enclosure,
    Epsilon,
    Function,
    arb_of,
    ball_ends,
    fraction_of,
    log_epsilon,
    probability,
    rational,
    shorten,
)
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.expression import read_expression
from verifier.numbers.reals import Enclosed, Real
from verifier.profile import Profile

LOGARITHM = re.compile(r"\bln\s*\(([^()]*)\)")
_EPSILON = r"(?:ε|epsilon|eps)\b"
EXPONENTIAL = re.compile(rf"\be\s*\^\s*(?:{_EPSILON}|\(\s*{_EPSILON}\s*\))|\bexp\s*\(\s*{_EPSILON}\s*\)")
"""e^ε, as it may be written in a curve."""
E = "E"
"""What e^ε is called where a curve is read."""
CURVE = 'pieces straight in e^ε, such as "max(0, 3/4 - 1/4*e^ε)"'
Vertex = tuple[Fraction, Fraction]


def read_number(raw: object, where: str) -> Real:
    """A number ≥ 0: what ε may be, or a formula with + - * / ^ in rationals and logarithms of rationals.

    >>> from verifier.numbers.reals import is_at_most
    >>> is_at_most(read_number("1/2*ln(3)", "rho"), read_number("ln(3)^2/2", "rho"))
    True

    Raises:
        InputError: for what is neither, and for a formula below 0.

    """
    try:
        return read_epsilon(raw, where)
    except InputError:
        if not isinstance(raw, str) or not LOGARITHM.search(raw):
            raise
    logs = [read_epsilon(f"ln({inside})", where) for inside in LOGARITHM.findall(raw)]
    names = [f"log{k}" for k in range(len(logs))]
    spelled = iter(names)
    formula = read_expression(LOGARITHM.sub(lambda _: next(spelled), raw), where, names)

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        with ctx.workprec(precision + 32):
            values = {
                name: arb_of(one.coefficient) * (1 if one == ZERO else arb_of(one.argument).log())
                for name, one in zip(names, logs, strict=True)
            }
            return ball_ends(formula.within(values, arb_of))

    if bracket(64)[1] < 0:
        raise InputError(f"{shorten(raw)} is negative", where=where, wanted="a number from 0")
    return Enclosed(bracket)


def real(value: Epsilon | Enclosure) -> Real:
    """A number of an answer, for comparisons with others."""
    if isinstance(value, Epsilon):
        return value
    ends = value.low.value, value.high.value
    return Enclosed(lambda _: ends)


@dataclass(frozen=True)
class ClaimedCurve:
    """δ(ε) as the largest of lines a + b·e^ε, and of 0.

    >>> curve = ClaimedCurve.read("max(0, 3/4 - 1/4*e^ε)", "delta")
    >>> curve.at(Fraction(1)), curve.bends
    (Fraction(1, 2), (Fraction(3, 1),))
    """

    lines: tuple[tuple[Fraction, Fraction], ...]
    text: str

    @classmethod
    def read(cls, raw: str | Profile, where: str) -> ClaimedCurve:
        """The curve of a formula in e^ε, or of a profile.

        Raises:
            InputError: for a formula that is not straight in e^ε.

        """
        if isinstance(raw, Profile):
            return cls(tuple((a, -b) for _, a, b in raw.segments), "a profile")
        text = EXPONENTIAL.sub(E, raw).strip()
        inside = re.fullmatch(r"max\s*\((.*)\)", text)
        return cls(tuple(_line(part, where) for part in _between_commas(inside[1] if inside else text)), raw.strip())

    def at(self, e: Fraction) -> Fraction:
        """δ where e^ε is a rational."""
        return max(Fraction(0), *(a + b * e for a, b in self.lines))

    @property
    def bends(self) -> tuple[Fraction, ...]:
        """The e^ε > 1 at which two of the lines, or one and 0, meet."""
        pairs = combinations([*self.lines, (Fraction(0), Fraction(0))], 2)
        meet = ((a - c) / (d - b) for (a, b), (c, d) in pairs if b != d)
        return tuple(sorted({e for e in meet if e > 1}))


def is_curve(raw: object) -> bool:
    """Whether a δ is claimed at every ε at once: a profile, or a formula in e^ε."""
    return isinstance(raw, Profile) or (isinstance(raw, str) and (bool(EXPONENTIAL.search(raw)) or "max" in raw))


def _between_commas(text: str) -> list[str]:
    """The parts between commas that stand in no parentheses."""
    parts, depth = [""], 0
    for mark in text:
        depth += (mark == "(") - (mark == ")")
        if mark == "," and not depth:
            parts.append("")
        else:
            parts[-1] += mark
    return parts


def _line(text: str, where: str) -> tuple[Fraction, Fraction]:
    """The a and b of a + b·e^ε."""
    try:
        function = Function.read(read_expression(text, where, [E]), E)
    except ZeroDivisionError:
        raise InputError(f"{shorten(text)} divides by 0", where=where, wanted=CURVE) from None
    if function.top.degree() > 1 or function.bottom.degree() > 0:
        raise InputError(f"{shorten(text.replace(E, 'e^ε'))} is not straight in e^ε", where=where, wanted=CURVE)
    a, b = (fraction_of(function.top[k]) / fraction_of(function.bottom[0]) for k in (0, 1))
    return a, b


class Beside(NamedTuple):
    """A claimed curve beside the truth."""

    below: Epsilon | None
    """The ε at which it begins to be below the truth; None where it nowhere is."""
    inside: Fraction
    """An e^ε at which it is below."""
    equal: bool


def beside(claimed: ClaimedCurve, truth: Profile) -> Beside:
    """Compare a claimed curve with the truth at every ε.

    Between the bends of both the difference is straight, so that it is looked at there, at ε = 0, and at two places of
    the last piece, where the truth is constant, and the claim does not fall.
    """
    places = sorted({Fraction(1), *claimed.bends, *truth.breakpoints})
    places += [places[-1] + 1, places[-1] + 2]
    gaps = [truth.delta(log_epsilon(e)).a - claimed.at(e) for e in places]
    equal = not any(gaps)
    if gaps[0] > 0:
        return Beside(ZERO, places[0], equal)
    for (low, high), (left, right) in zip(pairwise(places), pairwise(gaps), strict=True):
        if right > 0:
            return Beside(log_epsilon(low - left * (high - low) / (right - left)), high, equal)
    return Beside(None, places[0], equal)


def bends_of(truth: Profile) -> list[Epsilon]:
    """ε = 0, and the ε at which a curve bends."""
    return [ZERO, *(log_epsilon(e) for e in truth.breakpoints)]


def read_points(raw: Any, where: str) -> list[tuple[Epsilon, Fraction]]:
    """The δ that are claimed at some ε."""
    table = arguments.table("{ε: δ}")(raw, where)
    if not table:
        raise InputError("there is no point", where=where, wanted='{"0": "1/2", "ln(2)": "1/4"}')
    return [(read_epsilon(e, where), probability(d, f"{where}[{shorten(e)}]", "δ")) for e, d in table.items()]


# --- trade-off curves ----------------------------------------------------------------------------------------------


def read_tradeoff(raw: object) -> list[Vertex]:
    """The vertices of a claimed trade-off curve: exact, from α = 0 to α = 1."""
    vertices = []
    for entry in arguments.several("vertices")(raw, "tradeoff"):
        alpha, beta = (probability(x, "tradeoff") for x in arguments.pair("numbers")(entry, "tradeoff"))
        vertices.append((alpha, beta))
    if len(vertices) < 2 or any(x[0] >= y[0] for x, y in pairwise(vertices)) or vertices[0][0] or vertices[-1][0] != 1:
        wanted = 'α rising from 0 to 1, such as [("0", "1"), ("1/3", "1/3"), ("1", "0")]'
        raise InputError("the vertices do not lead from α = 0 to α = 1", where="tradeoff", wanted=wanted)
    return vertices


def lowest_tradeoff(curves: Iterable[Sequence[Vertex]]) -> tuple[Vertex, ...]:
    """The largest convex curve that is nowhere above any of some curves: the truth about all pairs together.

    >>> half, one = Fraction(1, 2), Fraction(1)
    >>> [f"{a}, {b}" for a, b in lowest_tradeoff([[(0 * one, one), (half, 0 * one), (one, 0 * one)]])]
    ['0, 1', '1/2, 0', '1, 0']
    """
    lowest: dict[Fraction, Fraction] = {}
    for alpha, beta in (vertex for curve in curves for vertex in curve):
        lowest[alpha] = min(beta, lowest.get(alpha, beta))
    hull: list[Vertex] = []
    for x, y in sorted(lowest.items()):
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]) >= (y - hull[-2][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((x, y))
    return tuple(hull)


def compare_tradeoffs(claimed: Sequence[Vertex], truth: Sequence[Vertex]) -> tuple[Vertex | None, bool]:
    """The first (α, β) of the truth at which the claim is above it, and whether the two are equal.

    Both are straight between the vertices of either.
    """
    places = sorted({alpha for alpha, _ in (*claimed, *truth)})
    gaps = [(x, value_at(tuple(claimed), x) - value_at(tuple(truth), x)) for x in places]
    above = next(((x, value_at(tuple(truth), x)) for x, gap in gaps if gap > 0), None)
    return above, all(gap == 0 for _, gap in gaps)


def returned(raw: object, where: str) -> Fraction:
    """A δ that a function returned, at most 1.

    Raises:
        InexactError: for a float, with what to return in its place.

    """
    try:
        exact = raw.a if isinstance(raw, Delta) and not raw.b else raw
        return min(rational(exact, where, "δ"), Fraction(1))
    except InexactError as error:
        raise error.but(where=where, tip="return a Fraction, or a text") from None


def epsilon_text(value: Epsilon | Enclosure | str | None) -> str:
    """An ε in a sentence, with its decimal where it is finite and no decimal itself; a formula as it is."""
    if isinstance(value, str):
        return value
    if value is None or value == INFINITY:
        return "inf"
    if isinstance(value, Enclosure):
        return value.text()
    return value.text(60) if value.kind == "rational" else f"{value.text(60)} ({value.decimal(6)})"
