"""The rows of numbered laws in a certificate about a definition of DP22, from which its exports are written.

The replay's copy of the definition, which shares nothing with the decider, says which laws are compared. The judge
computes the measures of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple

from verifier.checker import measures
from verifier.checker.laws import Row, Tables
from verifier.checker.measures import Curve
from verifier.checker.survey import divergences
from verifier.checker.survey.definitions import ALL_BUT, AVERAGE, SURVEY, WORST, Scheme
from verifier.errors import LimitError, UnsupportedError
from verifier.wings.judges.numbers import number
from verifier.wings.judges.tables import enclosed, listed_by_the_replay, survey_question

MOST_ROWS = 600
"""Largest number of different rows that are written out."""
MOST_ORDER = 6
"""Largest order of a power that is written out."""
MOST_DENOMINATOR = 256
"""Largest common denominator of laws whose Kullback-Leibler divergence is written out."""
HalfPlane = tuple[Fraction, Fraction, Fraction]
"""The numbers (a, b, c) of a condition a·P[S] + b·Q[S] ≤ c."""

Test = tuple[dict[int, Fraction], dict[int, Fraction | None]]
"""The functions h and f*(h), by output; None stands for ∞."""


class SchemeRow(NamedTuple):
    """A row: the numbers of the laws P and Q, the multiple of ε that they are allowed, and the share of the row."""

    p: int
    q: int
    scale: Fraction
    weight: Fraction


@dataclass(frozen=True)
class ScaledEpsilon:
    """An ε as a certificate writes it, and its multiples."""

    text: str

    def times(self, scale: Fraction) -> str:
        """The multiple c·ε for c = `scale`, as a certificate writes it.

        >>> ScaledEpsilon("1/2*ln(3)").times(Fraction(2)), ScaledEpsilon("1/10").times(Fraction(3))
        ('ln(3)', '3/10')

        Raises:
            UnsupportedError: for a multiple of another ε, such as ln(root of …).

        """
        if scale == 1 or self.text in {"0", "inf"}:
            return self.text
        if not scale:
            return "0"
        if re.fullmatch(r"[0-9/]+", self.text):
            return str(number(self.text) * scale)
        match = re.fullmatch(r"(?:([0-9/]+)\*)?ln\(([0-9/]+)\)", self.text)
        if not match:
            raise UnsupportedError(f"a multiple of ε = {self.text[:60]} has no export")
        power = number(match[1] or "1") * scale
        if power.denominator == 1:
            return f"ln({number(match[2]) ** power.numerator})"
        return f"{power}*ln({match[2]})"

    def number(self) -> Fraction:
        """The number ε, where it is rational.

        Raises:
            UnsupportedError: for an irrational ε.

        """
        if not re.fullmatch(r"[0-9/]+", self.text):
            raise UnsupportedError(f"a rational number is compared with ε = {self.text[:60]}, which has no export")
        return number(self.text)


@dataclass(frozen=True)
class Question:
    """The question to a foreign judge about a definition of DP22: the rows in groups, and the answer that is claimed.

    The aggregation looks at the rows of one group together; `measure` is the name of what is bounded for each row.
    """

    key: str
    measure: str
    words: str
    verdict: str
    epsilon: ScaledEpsilon | None
    delta: Fraction
    tight: ScaledEpsilon
    """The smallest ε, or its upper bound where it is enclosed; then `above` is the lower bound."""
    tight_delta: str | None
    laws: tuple[dict[int, Fraction], ...]
    outputs: tuple[str, ...]
    groups: tuple[tuple[SchemeRow, ...], ...]
    averages: bool = False
    share: Fraction | None = None
    above: ScaledEpsilon | None = None
    order: int = 1
    rooted: bool = False
    half_planes: tuple[HalfPlane, ...] = ()
    left_out: Fraction | None = None
    tests: tuple[Test, ...] = ()
    has_epsilon: bool = True
    scales: tuple[Fraction, ...] = field(default=())

    @property
    def title(self) -> str:
        """The question and its verdict in words."""
        at = "" if not self.has_epsilon else " at some finite epsilon" if self.epsilon is None else ""
        at = at or (f" at epsilon = {self.epsilon.text}" if self.epsilon is not None else "")
        return f"{self.key}{at}, delta = {self.delta}: {self.verdict}"

    @property
    def plain(self) -> bool:
        """Whether ε itself bounds a rational number, so that e^ε plays no part."""
        return self.measure in {"absolute power", "total variation", "restricted"}

    @property
    def names(self) -> list[str]:
        """The names of the numbers that the definition is a function of: `e` for ε, or `E1`, `E2`, … for e^(c·ε)."""
        return ["e"] * len(self.scales) if self.plain else [f"E{k}" for k in range(1, len(self.scales) + 1)]

    def name_of(self, row: SchemeRow) -> str:
        """The name of the number that bounds a row: of e^(c·ε), or of ε."""
        return "e" if self.plain else f"E{self.scales.index(self.exponent(row)) + 1}"

    def exponent(self, row: SchemeRow) -> Fraction:
        """The multiple of ε in the exponent: c, times α - 1 for a Rényi divergence, times N for KL."""
        times = {"renyi": self.order - 1, "kl": self.denominator(row)}.get(self.measure, 1)
        return row.scale * times

    def denominator(self, row: SchemeRow) -> int:
        """The smallest N with an integer N·P(o) for all outputs o of a row."""
        return lcm(*(p.denominator for p in self.laws[row.p].values()))

    def cell(self, law: int, output: int) -> str:
        """The name of a law's probability of an output; `0.0` where the output is impossible."""
        return f"L_{law}_{output}" if output in self.laws[law] else "0.0"

    def reached(self, row: SchemeRow) -> list[int]:
        """The outputs that are possible under one of a row's laws."""
        return list(dict.fromkeys([*self.laws[row.p], *self.laws[row.q]]))


def question_of_scheme(certificate: dict[str, Any]) -> Question:
    """The rows and the answer of a certificate with the engine `schemes`.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate that cannot be exported, with the reason.

    """
    key = certificate["question"]["definition"]
    question, answer = survey_question(certificate, SURVEY)
    above, tight = enclosed(answer["tight_epsilon"] or "0")
    scheme = SURVEY[key]
    with listed_by_the_replay():
        setting = Tables(certificate)
        measure = _measure(key, scheme, setting)
        rows = list(scheme.rows(setting))
        share = setting.need("gamma") if scheme.counts == ALL_BUT else None
    numbered = _Numbers()
    groups = _grouped(scheme, [(row, numbered.row(row)) for row in rows])
    if sum(map(len, groups)) > MOST_ROWS:
        raise LimitError(f"{sum(map(len, groups)):,} different rows", wanted=f"at most {MOST_ROWS}, for a judge")
    asked = question["epsilon"]
    exported = Question(
        key,
        measure.name,
        measure.words,
        answer["verdict"],
        None if asked is None else ScaledEpsilon(asked),
        number(question["delta"]),
        ScaledEpsilon(tight.text),
        answer["tight_delta"],
        tuple(numbered.laws),
        tuple(numbered.outputs),
        groups,
        averages=scheme.counts == AVERAGE,
        share=share,
        above=None if above == tight else ScaledEpsilon(above.text),
        order=measure.order,
        rooted=measure.rooted,
        half_planes=measure.half_planes,
        left_out=measure.left_out,
        tests=_tests(setting, measure.divergence, numbered.outputs) if measure.divergence else (),
        has_epsilon=scheme.has_epsilon,
    )
    scales = dict.fromkeys(exported.exponent(row) for group in groups for row in group if row.scale)
    if not groups or not scheme.has_epsilon:
        return exported
    largest = max(exported.denominator(row) for group in groups for row in group) if measure is KL else 1
    if largest > MOST_DENOMINATOR:
        raise LimitError(
            f"{key} has a law with the common denominator {largest:,}, a power that is written out",
            wanted=f"at most {MOST_DENOMINATOR}, for a judge",
        )
    return replace(exported, scales=(Fraction(1),) if exported.plain else tuple(scales))


class _Numbers:
    """Laws and outputs by numbers, each once."""

    def __init__(self) -> None:
        self.outputs: dict[str, int] = {}
        self.laws: list[dict[int, Fraction]] = []
        self._known: dict[tuple[tuple[str, Fraction], ...], int] = {}

    def row(self, row: Row) -> SchemeRow:
        return SchemeRow(self.law(row.p), self.law(row.q), row.scale, row.weight)

    def law(self, law: dict[str, Fraction]) -> int:
        key = tuple(sorted((o, p) for o, p in law.items() if p))
        if key not in self._known:
            self._known[key] = len(self.laws)
            self.laws.append({self.outputs.setdefault(o, len(self.outputs)): p for o, p in key})
        return self._known[key]


def _grouped(scheme: Scheme, rows: Sequence[tuple[Row, SchemeRow]]) -> tuple[tuple[SchemeRow, ...], ...]:
    """The rows that count together; where the worst counts, each row is a group, and equal rows are listed once."""
    if scheme.counts == WORST:
        return tuple(
            (row._replace(weight=Fraction(1)),)
            for row in dict.fromkeys(row._replace(weight=Fraction(1)) for _, row in rows)
        )
    groups: dict[Any, list[SchemeRow]] = {}
    for row, numbered in rows:
        groups.setdefault(row.group, []).append(numbered)
    return tuple(map(tuple, groups.values()))


class _Measure(NamedTuple):
    """A measure, by its name and in words, with its parameters."""

    name: str
    words: str
    order: int = 1
    half_planes: tuple[HalfPlane, ...] = ()
    left_out: Fraction | None = None
    divergence: str = ""
    rooted: bool = False


RATIO = _Measure("ratio", "P <= e^epsilon * Q for every output")
TOTAL_VARIATION = _Measure("total variation", "half the sum of |P - Q| is at most epsilon")
KL = _Measure("kl", "the product of (P/Q)^(N*P) is at most e^(N*epsilon), for the common denominator N of P")
SPREAD = _Measure("spread", "no two outputs have quotients P/Q further apart than e^epsilon")


def _measure(key: str, scheme: Scheme, setting: Tables) -> _Measure:
    """The measure of a definition; refused where it is no rational inequality once the rows are listed."""
    measure_of = scheme.measure
    if measure_of is SURVEY["divdp"].measure:
        return _named(key, setting.need("divergence"), averages=scheme.counts == AVERAGE)
    if measure_of is SURVEY["renyidp"].measure:
        order = setting.need("order")
        return _of_order(key, "renyi", order)
    if measure_of in {SURVEY["fdp"].measure, SURVEY["gcdp-kl"].measure}:
        measure_of(setting)
        return _Measure(
            "half-planes", "the trade-off curve is above f", half_planes=_tangents(setting.need("tradeoff"))
        )
    if measure_of is divergences.predicate:
        planes = tuple(setting.need("predicate"))
        return _Measure("half-planes", "a*P(S) + b*Q(S) <= c for all events S", half_planes=planes)
    if measure_of is SURVEY["kdivdp"].measure:
        return _of_order(key, "absolute power", setting.need("order"))._replace(rooted=True)
    if measure_of is SURVEY["cbdp"].measure:
        return _restricted(key, setting.need("divergence"))
    measure = measure_of(setting)
    if isinstance(measure, Curve):
        words = (
            "the chance of losses above epsilon"
            if measure.tail
            else "the sum of the positive parts of P - e^epsilon * Q"
        )
        return _Measure("tail" if measure.tail else "hockey-stick", f"{words} is at most d", left_out=measure.left_out)
    known_scalars = {
        measures.ratio: RATIO,
        measures.spread: SPREAD,
        measures.total_variation: TOTAL_VARIATION,
        measures.kullback_leibler: KL,
    }
    for known, scalar in known_scalars.items():
        if measure is known and not (scalar is KL and scheme.counts == AVERAGE):
            return scalar
    raise UnsupportedError(
        f"{key} has no export: all orders, the normal law and means of logarithms are no rational inequalities here"
    )


def _named(key: str, name: str, *, averages: bool) -> _Measure:
    """The measure for the divergence that a policy names."""
    plain = {"ratio": RATIO, "spread": SPREAD, "total-variation": TOTAL_VARIATION, "kl": KL}
    if name in plain and not averages:
        return plain[name]
    kind, _, order = {"chi-squared": "abs-2"}.get(name, name).rpartition("-")
    if kind in {"abs", "renyi"} and not averages:
        return _of_order(key, "renyi" if kind == "renyi" else "absolute power", Fraction(order))
    raise UnsupportedError(f"{key} has no export with the divergence {name}: it is no rational inequality")


def _of_order(key: str, name: str, order: Fraction) -> _Measure:
    if order.denominator != 1 or order > MOST_ORDER or (name == "renyi" and order < 2):
        raise UnsupportedError(f"{key} has no export at the order {order}", tip=f"integers up to {MOST_ORDER} have one")
    words = {
        "renyi": f"the sum of P^{order} * Q^(1 - {order}) is at most e^(({order} - 1) * epsilon)",
        "absolute power": f"the sum of Q * |P/Q - 1|^{order} is at most epsilon",
    }
    return _Measure(name, words[name], order=int(order))


def _restricted(key: str, divergence: str) -> _Measure:
    if divergence == "kl":
        raise UnsupportedError(f"{key} has no export with the divergence kl: e^h is irrational")
    return _Measure("restricted", "E_P[h] - E_Q[f*(h)] is at most epsilon for each h listed", divergence=divergence)


def _tests(setting: Tables, divergence: str, outputs: dict[str, int]) -> tuple[Test, ...]:
    """The functions h of the policy, each with f*(h), which the replay's copy computes."""
    return tuple(
        (
            {outputs[o]: h for o, h in function.items() if o in outputs},
            {k: divergences.conjugate(divergence, function.get(o, Fraction(0))) for o, k in outputs.items()},
        )
        for function in setting.need("tests")
    )


def _tangents(vertices: Sequence[tuple[Fraction, Fraction]]) -> tuple[HalfPlane, ...]:
    """The conditions of 1 - Q[S] ≥ f(P[S]) with f convex: one for the line through each two neighbouring vertices."""
    planes = []
    for (x, u), (y, v) in pairwise(vertices):
        slope = (v - u) / (y - x)
        planes.append((slope, Fraction(1), 1 - u + slope * x))
    return tuple(planes)
